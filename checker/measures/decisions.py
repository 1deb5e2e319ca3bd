"""Decisions: the moves in which no player decides anything, as a graph whose ways are such moves in a row.

What else a player could choose is asked of the rules, which have no scope: what that has no room for is a decision all the same.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from ..reference.semantics.graph import Graph
from ..types.position import Move
from .ways import END, Start, WeightedGraph


def undecided_moves(graph: Graph, may_be: Sequence[bool]) -> tuple[WeightedGraph, array[int]]:
    """Return the positions of *graph*, number *n* as state *n* + 1, with moves in which no player decides, and the edge each of them is.

    A way may start and end anywhere; an edge to the end has the number -1. Each move weighs 1. Only labels that *may_be* there are.
    """
    found, edges = WeightedGraph(), array("q")
    for position in range(len(graph.positions)):
        if position < graph.expanded:
            allowed = graph.allowed(position)
            for edge in graph.edges(position):
                if may_be[graph.label[edge]] and not is_decided(graph.moves[graph.label[edge]], allowed):
                    found.target.append(graph.target[edge] + 1)
                    found.weight.append(1)
                    edges.append(edge)
        found.target.append(END)
        found.weight.append(0)
        edges.append(-1)
        found.first.append(len(found.target))
        found.starts.append(Start(position + 1, 0, position))
    return found, edges


def is_decided(move: Move, others: list[Move]) -> bool:
    """Whether a player decides something in *move*, one of *others* in its position: to make it, or one of several things in it."""
    if isinstance(move.owner, int):
        return True
    for depth, choice in enumerate(move.choices):
        if isinstance(choice.by, int):
            before = move.clause, move.owner, move.choices[:depth]
            if any((o.clause, o.owner, o.choices[:depth]) == before and o.choices[depth : depth + 1] != (choice,) for o in others):
                return True
    return False
