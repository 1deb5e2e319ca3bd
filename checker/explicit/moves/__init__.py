"""What the clauses of the Program do, as text.

    Clause --moves (statements, values)--> functions --dispatch--> one function that finds
    the moves of any position

Begin with `moves`.
"""
