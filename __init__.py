"""Stacklaw proves what a game's priority and stack rules guarantee, and shows the play that breaks them."""

__version__ = "0.1.0"
