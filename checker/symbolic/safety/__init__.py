"""Invariants of a System.

    System --suggest--> horn (Spacer), houdini over ranges and candidates, k-induction
    --> an invariant --core--> what of it is needed

Begin with `suggest`.
"""
