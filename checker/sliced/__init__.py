"""Sliced games: the reference interpreter on positions that count as one if a slice keeps the same
of them.

    Position --interpreter--> the one that stands for all that look alike, and the moves between
    those; from plays of these to plays of the game

Begin with `interpreter`.
"""
