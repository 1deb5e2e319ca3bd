"""Plays and rulebooks as pictures and graphs.

    Play --draw_play--> Scene --svg, html--> a file    Play --graph--> networkx --exports--> a file

Begin with `picture`.
"""
