"""Situations: what a judge's sentence says of a game, as lines of play.

words, causes, question ◀─ vocabulary ◀─ line, nouns, strangers
◀─ events, wishes ◀─ situation, window
"""
