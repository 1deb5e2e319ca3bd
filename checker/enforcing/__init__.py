"""Enforcing: what players can enforce, on the arrays of the explicit engine where they can say it,
else on the graph of the reference.

`decide` says which, and decides on the arrays; `on_graph` decides on the graph, for every choice of
players, and adds what shows a verdict, as far as the budget goes. A table is looked for on the
graph alone, and both have to come to the same.
"""
