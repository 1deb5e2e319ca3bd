"""Graphs: edges as arrays, where nodes are numbers; and shortest ways, where only the steps from
each node are known.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar


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


Node = TypeVar("Node", bound=Hashable)
Label = TypeVar("Label")


def shortest_way(
    start: Node,
    steps: Callable[[Node], Iterable[tuple[Label, Node]]],
    is_goal: Callable[[Node], bool],
) -> list[Label]:
    """Return the labels of a shortest way of one step or more from *start* to a goal; none if no
    goal is reached.

    *steps* of a node are labels and the nodes they lead to; of several shortest ways it is the one
    whose steps come first.
    """
    came: dict[Node, tuple[Node, Label]] = {}
    open_ = deque([start])
    while open_:
        node = open_.popleft()
        for label, after in steps(node):
            if after in came:
                continue
            came[after] = node, label
            if is_goal(after):
                way = [label]
                while node != start:
                    node, label = came[node]
                    way.append(label)
                return way[::-1]
            open_.append(after)
    return []
