"""Enforcing: what players can enforce, on the arrays of the explicit engine where they can say it,
else on the graph of the reference.

`decide` says which; `compact` decides on the arrays, `on_graph` on the graph, for every choice of
players. A table is looked for on the graph alone, and both have to come to the same. `telling` adds
what shows a verdict, as far as the budget goes.
"""
