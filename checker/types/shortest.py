"""Shortest ways in a graph that is only known by the steps from each of its nodes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

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
