"""Rulings: a question about a situation, put to the rules, and its answer.

looked ◀─ answer ◀─ answering ◀─ permissions, outcomes ◀─ forms ◀─ ask ◀─ file, api          file ◀─
sourced; readings ask ◀─ differing ◀─ changed
"""
