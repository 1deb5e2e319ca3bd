"""A proof in the ruleset's own words, and the clauses that it depends on.

    Proof --words (literals, cells)--> sentences    Proof --dependencies (havoc)--> clauses

Begin with `words`.
"""
