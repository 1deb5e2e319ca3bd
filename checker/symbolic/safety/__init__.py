"""Invariants of a System.

    System --suggest--> horn (Spacer), ranges, houdini over candidates, induction --> an invariant
    --core--> what of it is needed

Begin with `suggest`.
"""
