"""Scanning: the search of `watch` for a formula without past and without items, read off the graph.

Such a formula is true or false of an edge and its target, whatever came before; and edges are in
the order of the depths of their sources, so the first one of which it is true ends a shortest play.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ...properties import formula as f
from ...properties.parts import speaks_of
from ..types.budget import Meter
from ..types.position import Move
from ..types.trace import Trace
from .formulas.classes import classify
from .formulas.ground import ground
from .formulas.monitor import Monitor, Now
from .formulas.signals import Signals
from .semantics.graph import Graph


def can_scan(formula: f.Formula, spotlights: tuple[f.Spotlight, ...]) -> bool:
    """Whether *formula* has no past and speaks of no spotlit item."""
    return not speaks_of(formula, "past") and not any(
        spotlight.kind == "item" for spotlight in spotlights
    )


def scan(
    signals: Signals, formula: f.Formula, spotlights: tuple[f.Spotlight, ...], meter: Meter
) -> Trace | None:
    """Return a shortest play to a moment of which *formula* is true; None if the graph has none."""
    graph = signals.graph
    best: tuple[int, tuple[int, ...]] | None = None
    if graph.expanded == 0:
        return None
    names = [spotlight.name for spotlight in spotlights if spotlight.kind == "player"]
    classes, moves = classify(graph, formula, with_items=False, asks_items=False)
    for number, seats in enumerate(
        product(range(graph.interpreter.scope.players), repeat=len(names))
    ):
        meter.check(1, len(graph.positions), number * len(graph.label))
        monitor = Monitor(
            ground(formula, dict(zip(names, seats, strict=True)), graph.interpreter.expressions),
            graph.interpreter,
        )
        truth = _Truth(monitor, moves, signals)
        if truth.at_start():
            return Trace(graph.positions[0], (), tuple(zip(names, seats, strict=True)))
        edge = next(truth.edges(graph, classes), None)
        if edge is not None and (best is None or edge < best[0]):
            best = edge, seats
    if best is None:
        return None
    edge, seats = best
    trace = graph.trace([*graph.way_to(graph.source(edge)), edge])
    return Trace(trace.initial, trace.steps, tuple(zip(names, seats, strict=True)))


class _Truth:
    """The truth of one ground formula, by class of move and row of position."""

    def __init__(self, monitor: Monitor, moves: list[Move], signals: Signals) -> None:
        self.monitor, self.moves = monitor, moves
        self.rows, self.values = signals.rows(tuple(monitor.signals))

    def at_start(self) -> bool:
        return self._is_true(None, self.rows[0])

    def edges(self, graph: Graph, classes: list[int]) -> Iterator[int]:
        """Return the edges of which the formula is true, in order."""
        if len(self.values) == 1 and graph.expanded == len(graph.positions):
            labels = {
                label for label, kind in enumerate(classes) if self._is_true(self.moves[kind], 0)
            }
            return (
                (edge for edge, label in enumerate(graph.label) if label in labels)
                if labels
                else iter(())
            )
        kinds = map(classes.__getitem__, graph.label)
        rows = map(self.rows.__getitem__, graph.target)
        met = {
            pair
            for pair in set(zip(kinds, rows, strict=True))
            if self._is_true(self.moves[pair[0]], pair[1])
        }
        ends = zip(graph.label, graph.target, strict=True)
        return (
            (
                edge
                for edge, (label, target) in enumerate(ends)
                if (classes[label], self.rows[target]) in met
            )
            if met
            else iter(())
        )

    def _is_true(self, move: Move | None, row: int) -> bool:
        return row >= 0 and self.monitor.step(0, Now(self.values[row], move, {}, {}))[0]
