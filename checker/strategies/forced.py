"""Forced acts: what somebody does because nothing else can be done there.

Of whom it is assumed that they act only finitely often, it is assumed of what they do of their own
accord: a player who is attacked turn after turn has to block or not, and breaks no assumption. In
comes the graph of an exploration, out goes one in which such moves have labels of their own. An act
is forced in a position if every move that is possible there within the scope is one.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field

from ...properties import formula as f
from ..reference.lasso import acts
from ..reference.semantics.graph import Graph

_WHO: tuple[f.Assumption, ...] = ("players", "cards")


@dataclass
class GameGraph(Graph):
    """A graph in which *forced* says of each label who acts in its moves, ``players`` or ``cards``,
    because nothing else can be done.
    """

    forced: list[tuple[f.Assumption, ...]] = field(default_factory=list)


def with_forced(graph: Graph) -> GameGraph:
    """Return *graph* with labels of their own for moves in which somebody has to act."""
    acting = [
        sum(acts(who, move, graph.interpreter) << bit for bit, who in enumerate(_WHO))
        for move in graph.moves
    ]
    numbers: dict[tuple[int, int], int] = {(label, 0): label for label in range(len(graph.moves))}
    labels = array(graph.label.typecode, graph.label)
    for position in range(graph.expanded):
        edges = graph.edges(position)
        forced = (1 << len(_WHO)) - 1
        for edge in edges:
            forced &= acting[graph.label[edge]]
        if forced:
            for edge in edges:
                labels[edge] = numbers.setdefault((graph.label[edge], forced), len(numbers))
    said = [
        tuple(who for bit, who in enumerate(_WHO) if forced >> bit & 1) for _, forced in numbers
    ]
    moves = [graph.moves[label] for label, _ in numbers]
    return GameGraph(
        graph.interpreter, graph.positions, graph.first_edge, labels, graph.target, graph.found_by, moves, graph.layers, graph.cut,
        graph.stopped, forced=said,
    )  # fmt: skip
