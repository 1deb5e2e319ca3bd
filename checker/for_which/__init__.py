"""For which values of options a property holds: searches of cases, and one question to the prover
about all that they leave.

    Asking --decide (prove_cases)--> Decided: the verdicts of each case, and the proofs, each with
    its cases

Begin with `decide`.
"""
