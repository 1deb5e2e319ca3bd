"""Foreign logs: how the lines of an engine's own log become events."""
