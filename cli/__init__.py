"""The front door: what a command line asks of the others, and how it ends."""
