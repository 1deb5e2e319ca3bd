"""What of a position a question can see: one dependency analysis, and the Program without the rest.

    formulas --needs--> Slice --specialise--> what is left of each clause
    `symmetry`: what makes no difference

Begin with `needs`.
"""
