"""A proof in the ruleset's own words, and the clauses that it depends on.

    Proof --words (cells)--> sentences    Proof --dependencies--> clauses

Begin with `words`.
"""
