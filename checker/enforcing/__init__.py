"""Enforcing: what players can enforce, on the arrays of the explicit engine where they can say it, else on the graph of the reference.

`decide` says which; `compact` decides on the arrays. A table is looked for by `strategies` alone, whose answer has to be the same.
"""
