"""Searching: breadth first in layers, in plain Python and then compiled; lassos; plays lifted back
to the game.

    Emitted --search--> interpreted --> compiled --> Result --lift--> Trace    `lasso`: what can
    stay true for ever

Begin with `search`.
"""
