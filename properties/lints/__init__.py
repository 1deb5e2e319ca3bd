"""Lints: what is no mistake in a ruleset, and hardly meant.

    Source ──parse, bind──▶ as written, and a Program with every option open ──▶ Diagnostics of
    severity warning

Begin with `lint`. They are about the text and the form of what it says: nothing is searched.
"""
