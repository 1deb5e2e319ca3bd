"""Sliced games: the reference interpreter on positions of which only what a slice keeps is told apart.

    Position --projection--> the one that stands for all that look alike    interpreter: the moves between those    lift: plays of the game

Begin with `interpreter`.
"""
