"""The reference interpreter on a slice: the same clauses with the same meaning, on positions that
look alike only once.

A position and its projection are alike. So by `slicing.needs` they have the same moves to alike
positions, with the same events, as far as what is looked for asks for events (which step begins may
be dropped). If the slice keeps who decides what (NOTE(choosers) there), they have the same
decisions by the same players. A choice that is left out may have more options in one of the two,
but all of them come to the same. The scope cuts the same, as the lengths of zones are kept. So to
be alike is a bisimulation, of plays and of games: who follows only what is kept finds the same in
both.

An item is followed by its place, and on an unordered zone a projection may change that; so nothing
is to be followed there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import cached_property

from ...models import ir
from ..reference.semantics.interpreter import Interpreter, Moves
from ..reference.semantics.statements import item_rank
from ..slicing.needs import Slicer
from ..slicing.slice import ANYWHERE, Slice
from ..slicing.sorts import first_code, sort_of
from ..types.position import OVER, Item, Move, Position, Value
from ..types.scope import Scope


class SlicedInterpreter(Interpreter):
    """A Program within a scope of which only *kept* is looked at; *whole* is the interpreter that
    sees everything.
    """

    def __init__(self, program: ir.Program, scope: Scope, slicer: Slicer, kept: Slice) -> None:
        super().__init__(program, scope)
        self.kept = kept
        self.slicer = slicer
        self.projection = SliceProjection(program, scope, kept)

    @cached_property
    def whole(self) -> Interpreter:
        """The interpreter that sees everything."""
        return Interpreter(self.program, self.scope)

    def initial(self) -> Position:
        """Return the projection of the position in which every play begins."""
        return self.projection.project(super().initial())

    def moves(self, position: Position, of: Collection[str] | None = None) -> Moves:
        """Return the moves of *position*, each with the projection of where it leads."""
        found = super().moves(position, of)
        return replace(found, moves=self._projected(found.moves))

    def allowed(
        self,
        position: Position,
        of: Collection[str] | None = None,
        wanted: Callable[[Move], bool] | None = None,
    ) -> list[tuple[Move, Position]]:
        """Return the moves that the rules allow in *position*, likewise."""
        return self._projected(super().allowed(position, of, wanted))

    def _projected(self, moves: list[tuple[Move, Position]]) -> list[tuple[Move, Position]]:
        of = self.projection.project
        return [(move, of(target)) for move, target in moves]


class SliceProjection:
    """From positions of *program* to the one of those that look alike in *kept* that stands for
    them.

    In that one everything that the slice drops is as it is at first, or the least that it can be.
    """

    def __init__(self, program: ir.Program, scope: Scope, kept: Slice) -> None:
        self._rank = item_rank(program)
        self._zones = [(zone.name, zone.order == "unordered") for zone in program.zones]
        self._known: dict[tuple[int, tuple[Item, ...]], tuple[Item, ...]] = {}
        players, fixed = scope.players, dict(kept.fixed)
        self._values: list[tuple[bool, Value]] = []
        for variable in program.variables:
            sort = sort_of(variable.type, players)
            value = sort.decode(first_code(variable.initial, sort, players))
            entries: Value = (value,) * players
            is_kept = variable.name in kept.variables or variable.name in fixed
            self._values.append((is_kept, entries if variable.each_player else value))
        self._arguments: dict[str, list[tuple[bool, Value]]] = {OVER: []}
        for stage in program.stages:
            sorts = [
                (parameter.name, sort_of(parameter.type, players)) for parameter in stage.parameters
            ]
            self._arguments[stage.name] = [
                ((stage.name, name) in kept.parameters, sort.decode(sort.low))
                for name, sort in sorts
            ]
        self._stands, self._parts = dict(kept.kinds), kept.parts
        self._any_kind = next(iter(self._stands.values()), "")
        lowest = {part: low for zone, part, low, _ in kept.ranges if zone == ANYWHERE}
        sorts = [
            (attribute.name, sort_of(attribute.type, players)) for attribute in program.attributes
        ]
        self._attributes = [(name, sort.decode(lowest.get(name, sort.low))) for name, sort in sorts]

    def project(self, position: Position) -> Position:
        """Return the position that stands for *position*."""
        arguments = zip(self._arguments[position.stage], position.arguments, strict=True)
        values = zip(self._values, position.values, strict=True)
        return Position(
            position.stage,
            tuple([value if is_kept else other for (is_kept, other), value in arguments]),
            tuple([value if is_kept else other for (is_kept, other), value in values]),
            tuple(
                [
                    self._items(number, items) if items else items
                    for number, items in enumerate(position.zones)
                ]
            ),
        )

    def _items(self, zone: int, items: tuple[Item, ...]) -> tuple[Item, ...]:
        known = self._known.get((zone, items))
        if known is None:
            name, is_unordered = self._zones[zone]
            found = [self._projected_item(name, item) for item in items]
            known = self._known[zone, items] = tuple(
                sorted(found, key=self._rank) if is_unordered else found
            )
        return known

    def _projected_item(self, zone: str, item: Item) -> Item:
        kind = self._stands[item.kind] if self.keeps(zone, ir.KIND) else self._any_kind
        attributes = zip(self._attributes, item.attributes, strict=True)
        return Item(
            kind,
            item.controller if self.keeps(zone, ir.CONTROLLER) else 0,
            tuple(
                [value if self.keeps(zone, name) else other for (name, other), value in attributes]
            ),
        )

    def keeps(self, zone: str, part: str) -> bool:
        """Whether the *part* of items on *zone* is kept."""
        return (zone, part) in self._parts or (ANYWHERE, part) in self._parts
