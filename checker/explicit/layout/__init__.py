"""Positions as words: which bits every part of a position has, and how it is read from them."""
