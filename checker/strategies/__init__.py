"""Strategies: what a coalition of players can enforce against all others.

    Graph, Property ──objective──▶ Objective ──forks, arena──▶ Arena ──solve──▶ Solution, Trace

The graph is that of a slice (`arena`). Begin with `forks` (who decides what), then `objective`
(when it is won).
"""
