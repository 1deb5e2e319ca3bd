"""Plays and rulebooks as pictures and graphs.

    Play --draw_play--> Scene --svg, html--> a file    Play --graph--> networkx --dot, graphml--> a file

Begin with `picture`.
"""
