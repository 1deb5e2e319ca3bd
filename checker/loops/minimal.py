"""Minimal sets: what a graph's loops use at least.

Nodes are taken out one after the other, as states are when an automaton becomes a regular
expression (Brzozowski and McCluskey, "Signal flow graph techniques for sequential circuit state
diagrams", 1963). An edge has not an expression but the smallest sets that a way along it can use;
two edges through the node that goes become one, their sets joined. A way back to where it began is
a loop. A way that uses all that some loop uses is forgotten, for no loop that it is part of is one
of the smallest.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping

from ..types.budget import BudgetSpentError, Meter

MOST_UNIONS = 2_000_000
"""How many ways are joined at most: not seconds, so that the answer does not depend on the
machine.
"""
TOO_MANY = f"the bound of {MOST_UNIONS:,} joined ways was reached"


def minimal_sets(
    edges: Mapping[int, Mapping[int, set[int]]], meter: Meter
) -> tuple[list[int], str]:
    """Return the smallest sets that a loop of *edges* can use, by source and target, and why there
    may be more; empty if there are not.

    If there may be more, each is the set of a loop all the same.
    """
    elimination = _Elimination(edges, meter)
    try:
        elimination.eliminate()
    except BudgetSpentError as spent:
        return elimination.found, str(spent)
    return elimination.found, ""


class _Elimination:
    """The graph as far as it is left, and the *found* sets."""

    def __init__(self, edges: Mapping[int, Mapping[int, set[int]]], meter: Meter) -> None:
        self.found: list[int] = []
        self._meter, self._unions = meter, 0
        self._after: dict[int, dict[int, list[int]]] = {}
        self._before: dict[int, set[int]] = {}
        for source, targets in edges.items():
            for target, uses in targets.items():
                for use in sorted(uses):
                    self._add(source, target, use)

    def eliminate(self) -> None:
        """Take out every node, those first that few ways lead through."""
        queue = [(self._cost(node), node) for node in self._after.keys() | self._before.keys()]
        heapq.heapify(queue)
        left = {node for _, node in queue}
        while queue:
            cost, node = heapq.heappop(queue)
            if node not in left:
                continue
            if cost != self._cost(node):
                heapq.heappush(queue, (self._cost(node), node))
                continue
            left.discard(node)
            self._take_out(node)

    def _cost(self, node: int) -> int:
        return len(self._before.get(node, ())) * len(self._after.get(node, ()))

    def _take_out(self, node: int) -> None:
        after, before = self._after.pop(node, {}), self._before.pop(node, set())
        for target in after:
            self._before[target].discard(node)
        for source in sorted(before):
            first = self._after[source].pop(node)
            for target, second in after.items():
                self._meter.check(0, len(self._after), self._unions)
                for one in first:
                    for other in second:
                        self._add(source, target, one | other)

    def _add(self, source: int, target: int, use: int) -> None:
        """Add a way that uses *use*, unless another says as much."""
        self._unions += 1
        if self._unions > MOST_UNIONS:
            raise BudgetSpentError(TOO_MANY)
        if any(known & use == known for known in self.found):
            return
        if source == target:
            self.found = [*(known for known in self.found if known & use != use), use]
            return
        cell = self._after.setdefault(source, {}).setdefault(target, [])
        self._before.setdefault(target, set()).add(source)
        if not any(known & use == known for known in cell):
            cell[:] = [*(known for known in cell if known & use != use), use]
