"""What a property asks of an engine, formula by formula, and what of that a scope could hide."""
