"""Edges as arrays: of a graph whose nodes are numbers, where each edge leads, which node it leaves,
and which edges lead to a node.
"""

from __future__ import annotations

from array import array


class Edges:
    """The edges of a graph: those of node *n* are ``first[n]`` to ``first[n + 1]``, each with its
    *target* and its *source*.

    Those that lead to node *n* are in *back*, from ``back_first[n]`` to ``back_first[n + 1]``.
    """

    def __init__(self, first: array[int], target: array[int]) -> None:
        self.first, self.target = first, target
        self.source = array("l", [0]) * len(target)
        for node in range(len(first) - 1):
            for edge in range(first[node], first[node + 1]):
                self.source[edge] = node
        self.back_first, self.back = _reversed(len(first) - 1, target)


def _reversed(nodes: int, target: array[int]) -> tuple[array[int], array[int]]:
    """Return the edges that lead to each node, as arrays like ``first`` and ``target``."""
    first = array("q", [0]) * (nodes + 1)
    for node in target:
        first[node + 1] += 1
    for node in range(nodes):
        first[node + 1] += first[node]
    places, back = first[:], array("q", [0]) * len(target)
    for edge, node in enumerate(target):
        back[places[node]] = edge
        places[node] += 1
    return first, back
