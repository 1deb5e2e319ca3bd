"""The quotient by bisimulation: positions that allow the same sets of clauses, move by move, become one class.

In a finite graph the sets of members that loops can have are the same before and after, but for what they have too much: a loop of
classes is an endless way through positions, which comes back to one of them; and each loop of positions is one of classes.
Coarsest partition by refinement (Kanellakis and Smolka, "CCS expressions, finite state processes, and three problems of
equivalence", Information and Computation 86, 1990).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..types.budget import Meter

Ways = Mapping[int, Sequence[tuple[int, int]]]
"""For each node, what each of its edges uses, and where it leads: to a node."""


def quotient(ways: Ways, meter: Meter) -> dict[int, dict[int, set[int]]]:
    """Return for each class of the nodes of *ways* to which classes it leads, and what the edges there use.

    Raises `BudgetSpentError` if *meter* ends it.
    """
    classes, number = dict.fromkeys(ways, 0), 1
    while True:
        meter.check(0, len(ways), number)
        numbers: dict[tuple[int, frozenset[tuple[int, int]]], int] = {}
        refined = {}
        for node, edges in ways.items():
            signature = classes[node], frozenset([(use, classes[target]) for use, target in edges])
            refined[node] = numbers.setdefault(signature, len(numbers))
        if len(numbers) == number:
            return {of: _grouped(edges) for (of, edges) in numbers}
        classes, number = refined, len(numbers)


def _grouped(edges: frozenset[tuple[int, int]]) -> dict[int, set[int]]:
    """Return what the *edges* to each class use."""
    grouped: dict[int, set[int]] = {}
    for use, target in edges:
        grouped.setdefault(target, set()).add(use)
    return grouped
