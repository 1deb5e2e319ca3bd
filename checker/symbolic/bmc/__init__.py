"""Bounded model checking: the shortest play of a System.

    System --unrolled--> one formula of so many moves --bits--> a SAT solver --bounded--> a play
    `bounded`: a bound for every size

Begin with `bounded`.
"""
