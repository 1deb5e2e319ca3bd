"""Sliced games: the reference interpreter on positions of which only what a slice keeps is told
apart.

    Position --interpreter--> the one that stands for all that look alike, and the moves between
    those; from plays of these to plays of the game

Begin with `interpreter`.
"""
