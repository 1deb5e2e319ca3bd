"""Exhaustive exploration: breadth-first search over the interpreter, and the graph it leaves.

In comes an interpreter, out goes the `Graph` of every position that can be reached, or of the first
ones if the budget ends before. No position is visited twice, and every move of every expanded
position is kept, so that any number of properties can be decided on one exploration.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from ...process.collector import collector_paused
from ...types.budget import INTERRUPTED, BudgetSpentError, Meter
from ...types.position import Move, Position, Trace, TraceStep
from ...types.verdict import Counts
from .interpreter import Interpreter


@dataclass
class Graph:
    """Positions in the order they were found, breadth first, so that the depths of their numbers
    never fall.

    Edges are numbered in the order of their sources and, for each, of NOTE(move-order): those of
    position *n* are ``first_edge[n]`` to ``first_edge[n + 1]``, for each *expanded* position.
    *label* of an edge is a number in *moves*, *target* a number in *positions*. *found_by* is the
    edge that first led to a position (-1 for the initial one). *layers* are the numbers of the
    first positions of the layers. *cut* is how many moves the scope cut, by position, where there
    are any. *stopped* says why the exploration is not complete; it is empty if it is.
    """

    interpreter: Interpreter
    positions: list[Position]
    first_edge: array[int] = field(default_factory=lambda: array("q", [0]))
    label: array[int] = field(default_factory=lambda: array("l"))
    target: array[int] = field(default_factory=lambda: array("l"))
    found_by: array[int] = field(default_factory=lambda: array("q", [-1]))
    moves: list[Move] = field(default_factory=list)
    layers: list[int] = field(default_factory=lambda: [0])
    cut: dict[int, int] = field(default_factory=dict)
    stopped: str = ""
    _allowed: dict[int, list[tuple[Move, Position]]] = field(default_factory=dict, repr=False)

    def allowed(self, position: int) -> list[tuple[Move, Position]]:
        """Return all moves that the rules allow in an expanded position, with where they lead:
        those within the scope and those for which it has no room.
        """
        if position not in self.cut:
            return [(move, self.positions[target]) for move, target in self.successors(position)]
        if position not in self._allowed:
            self._allowed[position] = self.interpreter.allowed(self.positions[position])
        return self._allowed[position]

    @property
    def expanded(self) -> int:
        """How many positions, from the first, have all their moves here."""
        return len(self.first_edge) - 1

    @property
    def complete_layers(self) -> int:
        """How many layers, from the first, have all their positions expanded."""
        ends = [*self.layers[1:], len(self.positions)]
        return bisect_right(ends, self.expanded)

    @property
    def counts(self) -> Counts:
        """How much was explored."""
        return Counts(
            len(self.positions), len(self.target), len(self.layers), sum(self.cut.values())
        )

    @property
    def fired(self) -> dict[str, int]:
        """How many moves each clause has, in the order of the text."""
        fired = {clause.id: 0 for _, clause in self.interpreter.program.clauses}
        for label, number in Counter(self.label).items():
            fired[self.moves[label].clause] += number
        return fired

    def edges(self, position: int) -> range:
        """Return the numbers of the edges of an expanded position."""
        return range(self.first_edge[position], self.first_edge[position + 1])

    def successors(self, position: int) -> Iterator[tuple[Move, int]]:
        """Return the moves of an expanded position with the numbers of their targets."""
        return ((self.moves[self.label[edge]], self.target[edge]) for edge in self.edges(position))

    def source(self, edge: int) -> int:
        """Return the position an edge leaves."""
        return bisect_right(self.first_edge, edge) - 1

    def way_to(self, position: int) -> list[int]:
        """Return the edges of a shortest play to *position*."""
        edges = []
        while (edge := self.found_by[position]) >= 0:
            edges.append(edge)
            position = self.source(edge)
        return edges[::-1]

    def trace(self, edges: list[int]) -> Trace:
        """Return the play along *edges*, without spotlights."""
        return Trace(
            self.positions[0],
            tuple(
                TraceStep(self.moves[self.label[edge]], self.positions[self.target[edge]])
                for edge in edges
            ),
        )


CHECK_EVERY = 64
"""How many positions are expanded between two looks at the meter."""


def explore(interpreter: Interpreter, meter: Meter) -> Graph:
    """Return the graph of *interpreter*'s Program within its scope, as far as *meter* lets it
    grow.
    """
    graph = Graph(interpreter, [interpreter.initial()])
    with collector_paused(), meter.watching():
        try:
            _explore(graph, meter)
        except BudgetSpentError as spent:
            graph.stopped = str(spent)
        except KeyboardInterrupt:
            graph.stopped = INTERRUPTED
            meter.hurry()
    _drop_unfinished(graph)
    return graph


def _explore(graph: Graph, meter: Meter) -> None:
    positions, found_by, layers = graph.positions, graph.found_by, graph.layers
    label, target, moves_of = graph.label, graph.target, graph.interpreter.moves
    numbers: dict[Position, int] = {positions[0]: 0}
    labels: dict[Move, int] = {}
    number, end = 0, 1
    while number < len(positions):
        meter.grow(len(positions))
        if number % CHECK_EVERY == 0:
            meter.check(len(layers), len(positions), len(target))
        found = moves_of(positions[number])
        for move, position in found.moves:
            known = numbers.get(position)
            if known is None:
                known = numbers[position] = len(positions)
                positions.append(position)
                found_by.append(len(target))
            which = labels.setdefault(move, len(labels))
            if which == len(graph.moves):
                graph.moves.append(move)
            label.append(which)
            target.append(known)
        if found.cut:
            graph.cut[number] = found.cut
        number += 1
        graph.first_edge.append(len(target))
        if number == end and end < len(positions):
            layers.append(end)
            end = len(positions)


def _drop_unfinished(graph: Graph) -> None:
    """Forget the edges of a position in whose middle the search was interrupted, and the positions
    that only they led to.
    """
    edges = graph.first_edge[-1]
    del graph.label[edges:], graph.target[edges:]
    kept = sum(edge < edges for edge in graph.found_by)
    del graph.positions[kept:], graph.found_by[kept:]
    for number in [number for number in graph.cut if number >= graph.expanded]:
        del graph.cut[number]
