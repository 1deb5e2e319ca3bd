"""Bounded model checking: the shortest play of a System.

    System --unrolled--> a formula for *n* moves --bounded--> bits for a SAT solver --> a play
    `bounded`: a bound for every size

Begin with `bounded`.
"""
