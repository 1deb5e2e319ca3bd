"""What the engine is measured against: the benchmark family as other tools read it."""
