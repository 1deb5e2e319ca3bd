"""Program + question --encode--> System: what is asked of Z3, and the obligations of each answer.

    Clause --statements--> paths --encode--> rules    formula --formulas (instances)--> what is
    bad

Begin with `encode`.
"""
