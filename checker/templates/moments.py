"""Moments: which atoms are true together at any moment of any play, for each player and each item
with which something happens there.

Graph, atoms -> rows: numbers whose bits are the atoms of a moment, once each. A row has the atoms
of the move, those of the position reached, and those of the position before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ...properties import formula as f
from ..reference.formulas.ground import FALSE, TRUE, ground
from ..reference.formulas.monitor import said_of_move
from ..reference.formulas.signals import Signals
from ..reference.semantics.events import is_said_of
from ..reference.semantics.graph import Graph
from ..types.position import Event, Item, Move
from .atoms import ITEM, PLAYER, ClaimAtom

_OF_ITEMS = frozenset({"put", "move", "changes", "resolves", "is removed", "begins resolving"})


@dataclass(frozen=True)
class Column:
    """What one bit of a row says: an *atom*, *before* the move or at the moment itself."""

    atom: ClaimAtom
    before: bool = False


@dataclass(frozen=True)
class Vocabulary:
    """The columns of rows, in the order of the bits: moves, positions, positions before, and of
    rows of items those of items.
    """

    atoms: tuple[ClaimAtom, ...]
    columns: tuple[Column, ...] = field(init=False)

    def __post_init__(self) -> None:
        of = {
            about: [atom for atom in self.atoms if atom.about == about]
            for about in ("move", "position", "item")
        }
        columns = [Column(atom) for atom in of["move"] + of["position"]] + [
            Column(atom, before=True) for atom in of["position"]
        ]
        object.__setattr__(self, "columns", tuple(columns + [Column(atom) for atom in of["item"]]))


@dataclass(frozen=True)
class MomentRows:
    """The rows of all moments, and those of moments at which something happens with an item."""

    moments: frozenset[int]
    items: frozenset[int]


def moments_of(graph: Graph, vocabulary: Vocabulary) -> MomentRows:
    """Return the rows of *graph*, which is complete."""
    return _Rows(graph, vocabulary).moment_rows()


class _Rows:
    def __init__(self, graph: Graph, vocabulary: Vocabulary) -> None:
        self.graph, self.columns = graph, vocabulary.columns
        self.interpreter, self.signals = graph.interpreter, Signals(graph)
        self.players = range(graph.interpreter.scope.players)

    def moment_rows(self) -> MomentRows:
        moments, items = set[int](), set[int]()
        for seat in self.players:
            now, before = self._positions(seat, before=False), self._positions(seat, before=True)
            moves = [self._move(move, seat) for move in self.graph.moves]
            happens = [self._items(move, seat) for move in self.graph.moves]
            label, target = self.graph.label, self.graph.target
            for source in range(self.graph.expanded):
                for edge in self.graph.edges(source):
                    row = before[source] | now[target[edge]] | moves[label[edge]]
                    moments.add(row)
                    items.update(row | its for its in happens[label[edge]])
        return MomentRows(frozenset(moments), frozenset(items))

    def _positions(self, seat: int, *, before: bool) -> list[int]:
        """Return the bits of every position for the player of *seat*."""
        bits = [0] * self.graph.expanded
        for number, column in enumerate(self.columns):
            if column.atom.about == "position" and column.before == before:
                bit = 1 << number
                for place, is_so in enumerate(self._column(column.atom, seat)):
                    if is_so:
                        bits[place] |= bit
        return bits

    def _column(self, atom: ClaimAtom, seat: int) -> Sequence[int]:
        formula = self._ground(atom, seat, None)
        if formula in (TRUE, FALSE):
            return [int(formula == TRUE)] * self.graph.expanded
        assert isinstance(
            formula, f.Holds | f.HasPriority | f.AtStage | f.GameIsOver | f.OfEnabled
        ), formula
        return self.signals.column(formula)

    def _ground(self, atom: ClaimAtom, seat: int, item: Item | None) -> f.Formula:
        return ground(atom.formula, {PLAYER: seat, ITEM: item}, self.interpreter.expressions)

    def _move(self, move: Move, seat: int) -> int:
        """Return the bits of *move*."""
        return self._bits(
            (n, c)
            for n, c in enumerate(self.columns)
            if c.atom.about == "move" and self._is_made(c.atom, move, seat)
        )

    def _bits(self, true: Iterable[tuple[int, Column]]) -> int:
        return sum(1 << number for number, _ in true)

    def _is_made(self, atom: ClaimAtom, move: Move, seat: int) -> bool:
        formula = self._ground(atom, seat, None)
        if isinstance(formula, f.ItemEvent):
            return any(self._is_said(formula, event) for event in move.events)
        assert isinstance(formula, f.PlayerEvent | f.Uses | f.SequenceEvent), formula
        return said_of_move(formula, move, self.interpreter)

    def _is_said(self, formula: f.ItemEvent, event: Event) -> bool:
        return event.kind in _OF_ITEMS and is_said_of(
            formula, event, self.interpreter.expressions.zone_numbers
        )

    def _items(self, move: Move, seat: int) -> list[int]:
        """Return the bits of each item with which something happens in *move*."""
        return [
            self._item_row(event, event.item, seat)
            for event in move.events
            if event.item is not None
        ]

    def _item_row(self, event: Event, item: Item, seat: int) -> int:
        return self._bits(
            (n, c)
            for n, c in enumerate(self.columns)
            if c.atom.about == "item" and self._is_so(c.atom, event, item, seat)
        )

    def _is_so(self, atom: ClaimAtom, event: Event, item: Item, seat: int) -> bool:
        if isinstance(atom.formula, f.ItemEvent):
            return self._is_said(atom.formula, event)
        return self._ground(atom, seat, item) == TRUE
