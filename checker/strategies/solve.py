"""Solving: who wins from each node of a parity game, and by which edges.

Zielonka, "Infinite games on finitely coloured graphs with applications to automata on infinite trees" (TCS 1998): the nodes from which
one side can force a visit to the greatest priority are set aside, the rest is solved, and if the other side wins somewhere
there, what it can draw in from everywhere is its own. Priorities are few, so the recursion is shallow.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Solution:
    """Whether the even side wins from each node (*even*, a byte each), and a winning *edge* of each node of the side that wins there.

    Of the nodes of the other side the edge means nothing.
    """

    even: bytearray
    edge: array[int]


def solve(owner: bytearray, priority: bytearray, first: array[int], target: array[int]) -> Solution:
    """Return who wins, even if the greatest *priority* that comes again and again is even.

    Node *n* belongs to even where ``owner[n]`` is 1, and has the edges ``first[n]`` to ``first[n + 1]``, one at least.
    """
    game = _Game(owner, priority, first, target)
    game.solve(bytearray(b"\1") * len(owner))
    return Solution(game.even, game.edge)


class _Game:
    def __init__(self, owner: bytearray, priority: bytearray, first: array[int], target: array[int]) -> None:
        self.owner, self.priority, self.first, self.target = owner, priority, first, target
        self.even, self.edge = bytearray(len(owner)), array("q", [-1]) * len(owner)
        self._source = array("l", [0]) * len(target)
        for node in range(len(owner)):
            for edge in range(first[node], first[node + 1]):
                self._source[edge] = node
        self._back_first, self._back = _reversed(len(owner), target)

    def solve(self, inside: bytearray) -> None:
        """Fill *even* and *edge* for the nodes *inside*, from none of which there is no way on inside."""
        inside = bytearray(inside)
        while True:
            nodes = [node for node, is_in in enumerate(inside) if is_in]
            if not nodes:
                return
            greatest = max(map(self.priority.__getitem__, nodes))
            side = 1 - greatest % 2
            drawn = self._attracted([node for node in nodes if self.priority[node] == greatest], side, inside)
            rest = bytearray(inside)
            for node in drawn:
                rest[node] = 0
            self.solve(rest)
            lost = [node for node in nodes if rest[node] and self.even[node] != side]
            if not lost:
                self._take_all(nodes, drawn, greatest, side, inside)
                return
            for node in self._attracted(lost, 1 - side, inside):
                self.even[node], inside[node] = 1 - side, 0

    def _take_all(self, nodes: list[int], drawn: Iterable[int], greatest: int, side: int, inside: bytearray) -> None:
        """Give all of *nodes* to *side*, which may do as it likes where the *greatest* priority is."""
        for node in nodes:
            self.even[node] = side
        for node in drawn:
            if self.priority[node] == greatest and self.owner[node] == side:
                self.edge[node] = next(e for e in range(self.first[node], self.first[node + 1]) if inside[self.target[e]])

    def _attracted(self, goal: list[int], side: int, inside: bytearray) -> list[int]:
        """Return the nodes *inside* from which *side* can force a visit to *goal*, and note by which edges."""
        found, known, left = list(goal), set(goal), dict[int, int]()
        for node in found:
            for at in range(self._back_first[node], self._back_first[node + 1]):
                edge = self._back[at]
                source = self._source[edge]
                if not inside[source] or source in known:
                    continue
                if self.owner[source] == side:
                    self.edge[source] = edge
                else:
                    left[source] = left.get(source, self._degree(source, inside)) - 1
                    if left[source]:
                        continue
                known.add(source)
                found.append(source)
        return found

    def _degree(self, node: int, inside: bytearray) -> int:
        return sum(inside[self.target[edge]] for edge in range(self.first[node], self.first[node + 1]))


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
