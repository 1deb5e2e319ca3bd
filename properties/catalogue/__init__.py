"""The standard properties, as files."""
