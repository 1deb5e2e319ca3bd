"""Solving: who wins from each node of a parity game, and by which edges.

Zielonka, "Infinite games on finitely coloured graphs with applications to automata on infinite
trees" (TCS 1998): the nodes from which one side can force a visit to the greatest priority are set
aside, the rest is solved, and if the other side wins somewhere there, what it can draw in from
everywhere is its own. Priorities are few, so the recursion is shallow.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import compress

from ..types.graphs import Edges


@dataclass(frozen=True)
class Solution:
    """Whether the even side wins from each node (*even*, a byte each), and a winning *edge* of each
    node of the side that wins there.

    Of the nodes of the other side the edge means nothing.
    """

    even: bytearray
    edge: array[int]


def solve(
    owner: bytearray, priority: bytearray, edges: Edges, diverted: Mapping[int, int] | None = None
) -> Solution:
    """Return who wins, even if the greatest *priority* that comes again and again is even.

    Node *n* belongs to even where ``owner[n]`` is 1, and has an edge at least. The edges *diverted*
    lead elsewhere than they did.
    """
    game = _Game(owner, priority, edges, diverted or {})
    game.solve(bytearray(b"\1") * len(owner))
    return Solution(game.even, game.edge)


class _Game:
    def __init__(
        self, owner: bytearray, priority: bytearray, edges: Edges, diverted: Mapping[int, int]
    ) -> None:
        self.owner = owner
        self.priority = priority
        self.first = edges.first
        self.target = edges.target[:]
        self.even, self.edge = bytearray(len(owner)), array("q", [-1]) * len(owner)
        self._source, self._back_first, self._back = edges.source, edges.back_first, edges.back
        self._diverted: dict[int, list[int]] = {}
        for edge, node in diverted.items():
            if self.target[edge] != node:
                self.target[edge] = node
                self._diverted.setdefault(node, []).append(edge)

    def solve(self, inside: bytearray) -> None:
        """Fill *even* and *edge* for the nodes *inside*, from none of which there is no way on
        inside.
        """
        inside = bytearray(inside)
        while True:
            nodes = list(compress(range(len(inside)), inside))
            if not nodes:
                return
            greatest = max(compress(self.priority, inside))
            side = 1 - greatest % 2
            drawn = self._attracted(
                [node for node in nodes if self.priority[node] == greatest], side, inside
            )
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

    def _take_all(
        self, nodes: list[int], drawn: Iterable[int], greatest: int, side: int, inside: bytearray
    ) -> None:
        """Give all of *nodes* to *side*, which may do as it likes where the *greatest* priority
        is.
        """
        for node in nodes:
            self.even[node] = side
        for node in drawn:
            if self.priority[node] == greatest and self.owner[node] == side:
                self.edge[node] = next(
                    e
                    for e in range(self.first[node], self.first[node + 1])
                    if inside[self.target[e]]
                )

    def _attracted(self, goal: list[int], side: int, inside: bytearray) -> list[int]:
        """Return the nodes *inside* from which *side* can force a visit to *goal*, and note by
        which edges.
        """
        found, left, free = list(goal), dict[int, int](), bytearray(inside)
        owner = self.owner
        source = self._source
        target = self.target
        first = self.first
        back = self._back
        for node in goal:
            free[node] = 0
        for node in found:
            coming = back[self._back_first[node] : self._back_first[node + 1]]
            for edge in (*coming, *self._diverted[node]) if node in self._diverted else coming:
                at = source[edge]
                if not free[at] or target[edge] != node:
                    continue
                if owner[at] == side:
                    self.edge[at] = edge
                else:
                    if at not in left:
                        left[at] = sum(map(inside.__getitem__, target[first[at] : first[at + 1]]))
                    left[at] -= 1
                    if left[at]:
                        continue
                free[at] = 0
                found.append(at)
        return found
