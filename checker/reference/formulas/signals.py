"""Signals: what is true of every position of a graph, computed once and kept for all properties.

In comes a graph, out go columns: one byte for each expanded position and ground statement about the
position alone. What is enabled is read off the graph's moves, and where the scope cut any, asked of
the rules (NOTE(enabled) in `evaluate`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from ....properties import formula as f
from ...types.position import OVER, Move, Position
from ..semantics.explore import Graph
from .monitor import Signal, said_of_move, seat_of


@dataclass
class Signals:
    """The columns of one graph, made when they are first asked for."""

    graph: Graph
    _columns: dict[Signal, Sequence[int]] = field(default_factory=dict)
    _rows: dict[tuple[Signal, ...], tuple[list[int], list[tuple[int, ...]]]] = field(
        default_factory=dict
    )

    def rows(self, signals: tuple[Signal, ...]) -> tuple[list[int], list[tuple[int, ...]]]:
        """Return the number of each position's row, and the rows: the values that *signals* have
        together somewhere.

        The number is -1 for a position that is not expanded: it is not known what is enabled there.
        """
        if signals not in self._rows:
            numbers: dict[tuple[int, ...], int] = {}
            expanded, rest = self.graph.expanded, len(self.graph.positions) - self.graph.expanded
            if signals:
                columns = zip(*(self.column(signal) for signal in signals), strict=True)
                which = [numbers.setdefault(values, len(numbers)) for values in columns]
            else:
                numbers[()], which = 0, [0] * expanded
            self._rows[signals] = (which + [-1] * rest, list(numbers))
        return self._rows[signals]

    def column(self, signal: Signal) -> Sequence[int]:
        """Return the value of *signal* in each expanded position."""
        if signal not in self._columns:
            self._columns[signal] = self._column(signal)
        return self._columns[signal]

    def _column(self, signal: Signal) -> Sequence[int]:
        interpreter = self.graph.interpreter
        positions = self.graph.positions[: self.graph.expanded]
        match signal:
            case f.Holds(expression):
                value = interpreter.evaluate(expression, ())
                return bytes([value(position, ()) for position in positions])
            case f.AtStage(stage):
                return bytes([position.stage == stage for position in positions])
            case f.GameIsOver():
                return bytes([position.stage == OVER for position in positions])
            case f.HasPriority(player):
                return bytes(
                    [
                        bool(holders if player is None else seat_of(player) in holders)
                        for holders in map(interpreter.priority, positions)
                    ]
                )
            case f.Enabled(player, what):
                event = f.PlayerEvent("passes" if what == "pass" else "acts", player)
                return self._allowing(
                    lambda move: (
                        interpreter.clauses[move.clause].mode == "may"
                        and said_of_move(event, move, interpreter)
                    )
                )
            case f.ClausePossible(clause):
                return self._allowing(lambda move: move.clause == clause)
            case f.Gap():
                return bytes(
                    [p.stage != OVER and self.ends(number) for number, p in enumerate(positions)]
                )
            case f.Conflict():
                return bytes([self._conflicts(number) for number in range(self.graph.expanded)])
            case _:
                assert_never(signal)

    def ends(self, position: int) -> bool:
        """Whether the rules allow no move in *position*, which is expanded."""
        return not self.graph.edges(position) and not self.graph.allowed(position)

    def _allowing(self, wanted: Callable[[Move], bool]) -> bytes:
        """Return whether the rules allow a *wanted* move in each position."""
        graph = self.graph
        labels = [wanted(move) for move in graph.moves]
        return bytes(
            [
                any(wanted(move) for move, _ in graph.allowed(number))
                if number in graph.cut
                else any(labels[graph.label[edge]] for edge in graph.edges(number))
                for number in range(graph.expanded)
            ]
        )

    def _conflicts(self, position: int) -> bool:
        """Whether two must clauses of different outcomes, or a must clause beside a may clause, are
        enabled.
        """
        modes, outcomes = set[str](), defaultdict[str, set[Position]](set)
        for move, target in self.graph.allowed(position):
            mode = self.graph.interpreter.clauses[move.clause].mode
            modes.add(mode)
            if mode == "must":
                outcomes[move.clause].add(target)
        return bool(outcomes) and (
            "may" in modes or len(set(map(frozenset, outcomes.values()))) > 1
        )
