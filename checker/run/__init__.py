"""One question, from the engine asked to the verdict that may be shown.

    Program + properties + Scope --check--> engine --> endings (proofs) --> replay --> verdicts

Begin with `check`.
"""
