"""A position of any size as terms: its cells, the expressions over them, and what the encoding
forgets.

    Program --layout--> cells of each stage --frame--> the state in the middle of a move
    --expressions--> terms

Begin with `layout`.
"""
