"""Rulings: a question about a situation, put to the rules, and its answer.

answer ◀─ answering ◀─ permissions, outcomes ◀─ forms ◀─ ask ◀─ file, api
readings ask ◀─ differing ◀─ changed
"""
