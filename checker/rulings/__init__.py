"""Rulings: a judge's question put to the rules, and its answer.

words, question ◀─ lexicon ◀─ line, nouns ◀─ events, conditions ◀─ situation ◀─ window, forms ◀─ ask
"""
