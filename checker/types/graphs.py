"""Graphs: edges as arrays, where nodes are numbers; and shortest ways, where only the steps from
each node are known.
"""

from __future__ import annotations

from array import array
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable
from itertools import accumulate, chain, repeat
from typing import TypeVar


class Edges:
    """The edges of a graph: those of node *n* are ``first[n]`` to ``first[n + 1]``, each with its
    *target* and its *source*.
    """

    def __init__(self, first: array[int], target: array[int]) -> None:
        self.first, self.target = first, target
        nodes = range(len(first) - 1)
        degrees = (first[node + 1] - first[node] for node in nodes)
        self.source = array("l", chain.from_iterable(map(repeat, nodes, degrees)))
        coming = Counter(target)
        self._back_first = array("q", accumulate((coming[node] for node in nodes), initial=0))
        places, self._back = self._back_first[:], array("q", [0]) * len(target)
        for edge, node in enumerate(target):
            self._back[places[node]] = edge
            places[node] += 1

    def into(self, node: int) -> array[int]:
        """Return the numbers of the edges that lead to *node*."""
        return self._back[self._back_first[node] : self._back_first[node + 1]]


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
