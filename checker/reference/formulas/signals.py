"""Signals: what is true of every position of a graph, computed once and kept for all properties.

In comes a graph, out go columns: one byte for each expanded position and ground statement about the
position alone. What is enabled is read off the graph's moves, and where the scope cut any, asked of
the rules (NOTE(enabled) in `evaluate`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import assert_never

from ....models import ir
from ....properties import formula as f
from ...types.position import OVER, Move, Position
from ..semantics.explore import Graph
from .monitor import Signal, said_of_move


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

        The number is -1 for a position that is not expanded: nobody knows what is enabled there.
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
        positions = self.graph.positions[: self.graph.expanded]
        match signal:
            case f.Holds(expression):
                value = self.graph.interpreter.evaluate(expression, ())
                return bytes([value(position, ()) for position in positions])
            case f.AtStage(stage):
                return bytes([position.stage == stage for position in positions])
            case f.GameIsOver():
                return bytes([position.stage == OVER for position in positions])
            case f.HasPriority(player):
                return self._of_player(self._priority, player)
            case f.Enabled(player, what):
                return self._of_player(self._able["pass" if what == "pass" else "act"], player)
            case f.ClausePossible(clause):
                return self._of_clause(clause)
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
        return not self.graph.edges(position) and not self._beyond.get(position)

    @cached_property
    def _beyond(self) -> dict[int, list[tuple[Move, Position]]]:
        """The moves that the rules allow in each position in which the scope cut any, those within
        it among them.
        """
        return {
            number: self.graph.interpreter.allowed(self.graph.positions[number])
            for number in self.graph.cut
        }

    def _of_player(self, players: Sequence[int], player: ir.Expr | None) -> bytes:
        """Return a column from sets of players: whether *player* is in them, or anybody."""
        if player is None:
            return bytes([bool(members) for members in players])
        assert isinstance(player, ir.Literal)
        assert isinstance(player.value, int)
        seat = player.value
        return bytes([members >> seat & 1 for members in players])

    def _of_clause(self, clause: str) -> bytes:
        """Return whether each position has a move of *clause*, be it one that the scope cut."""
        column = self._with_label([move.clause == clause for move in self.graph.moves])
        for number, allowed in self._beyond.items():
            column[number] |= any(move.clause == clause for move, _ in allowed)
        return bytes(column)

    def _with_label(self, wanted: Sequence[bool]) -> bytearray:
        """Return whether each position has an edge with a *wanted* label."""
        column = bytearray(self.graph.expanded)
        if any(wanted):
            label, first_edge = self.graph.label, self.graph.first_edge
            for number in range(self.graph.expanded):
                column[number] = any(
                    wanted[label[edge]]
                    for edge in range(first_edge[number], first_edge[number + 1])
                )
        return column

    @cached_property
    def _priority(self) -> list[int]:
        """Who has priority in each position, as a set of players."""
        who = self.graph.interpreter.priority
        return [
            sum(1 << seat for seat in who(position))
            for position in self.graph.positions[: self.graph.expanded]
        ]

    @cached_property
    def _able(self) -> dict[str, list[int]]:
        """Who may pass, and who may do something else, in each position, as sets of players."""
        interpreter, able = self.graph.interpreter, {}
        for what, event in (
            ("pass", f.PlayerEvent("passes", None)),
            ("act", f.PlayerEvent("acts", None)),
        ):

            def mask(move: Move, event: f.PlayerEvent = event) -> int:
                is_may = interpreter.clauses[move.clause].mode == "may"
                return (
                    1 << move.owner
                    if is_may
                    and isinstance(move.owner, int)
                    and said_of_move(event, move, interpreter)
                    else 0
                )

            masks = [mask(move) for move in self.graph.moves]
            able[what] = [self._union(masks, number) for number in range(self.graph.expanded)]
            for number, allowed in self._beyond.items():
                for move, _ in allowed:
                    able[what][number] |= mask(move)
        return able

    def _union(self, masks: list[int], position: int) -> int:
        union = 0
        for edge in self.graph.edges(position):
            union |= masks[self.graph.label[edge]]
        return union

    @cached_property
    def _modes(self) -> list[tuple[str, str]]:
        return [self._mode(move) for move in self.graph.moves]

    def _mode(self, move: Move) -> tuple[str, str]:
        return self.graph.interpreter.clauses[move.clause].mode, move.clause

    def _conflicts(self, position: int) -> bool:
        """Whether two must clauses of different outcomes, or a must clause beside a may clause, are
        enabled.
        """
        if position in self._beyond:
            return _differ([(self._mode(move), target) for move, target in self._beyond[position]])
        label, target, modes = self.graph.label, self.graph.target, self._modes
        return _differ([(modes[label[edge]], target[edge]) for edge in self.graph.edges(position)])


def _differ(moves: list[tuple[tuple[str, str], object]]) -> bool:
    """Whether *moves* conflict, each given by its clause's mode and id, and by where it leads."""
    musts = {clause for (mode, clause), _ in moves if mode == "must"}
    if not musts:
        return False
    if any(mode == "may" for (mode, _), _ in moves):
        return True
    return (
        len(
            {frozenset(outcome for (_, one), outcome in moves if one == clause) for clause in musts}
        )
        > 1
    )
