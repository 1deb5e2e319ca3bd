"""Situations: what a judge's sentence says of a game, as lines of play.

words, causes, question ◀─ vocabulary ◀─ line, nouns
◀─ events, wishes ◀─ situation, window
"""
