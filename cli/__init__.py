"""The front door: one command, one file."""
