"""Rulings: a question about a situation, put to the rules, and its answer.

answer ◀─ answering ◀─ permissions, outcomes ◀─ ask ◀─ file, differing
"""
