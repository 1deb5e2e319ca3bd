"""Bounded model checking: the shortest play of a System.

    System --unrolled--> a formula for *n* moves --bits--> a SAT solver --bounded--> a play
    `bounded`: a bound for every size

Begin with `bounded`.
"""
