"""The reference interpreter on a slice, and a play of a sliced game made again on all of it.

A position and its projection are alike. So by `slicing.needs` they have the same moves to alike
positions, with the same events, as far as what is looked for asks for events (which step begins may
be dropped). If the slice keeps who decides what (NOTE(choosers) there), they have the same
decisions by the same players. A choice that is left out may have more options in one of the two,
but all of them come to the same. The scope cuts the same, as the lengths of zones are kept. So to
be alike is a bisimulation, of plays and of games: who follows only what is kept finds the same in
both.

An item is followed by its place, and on an unordered zone a projection may change that; so nothing
is to be followed there.

Lifting: a play of a sliced game made again on the whole of it.

From alike positions there are alike moves, so whichever looks like the next one is made; should
there be none, a slice leaves out what matters, and no play is told.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from dataclasses import replace
from functools import cached_property

from ...models import ir
from ..reference.semantics.each import item_rank
from ..reference.semantics.interpreter import Interpreter, Moves
from ..slicing.needs import Slicer
from ..slicing.slice import ANYWHERE, Slice
from ..slicing.sorts import first_code, sort_of
from ..types.position import OVER, Item, Move, Position, Trace, TraceStep, Value
from ..types.scope import Scope


def lifted(interpreter: Interpreter, trace: Trace) -> Trace:
    """Return a play of the whole game whose positions look like those of *trace*, a play of
    *interpreter*.

    A loop is gone round until everything is back.
    """
    if not isinstance(interpreter, SlicedInterpreter):
        return trace
    position = initial = interpreter.whole.initial()
    steps: list[TraceStep] = []
    for step in trace.steps:
        steps.append(_alike(interpreter, position, step))
        position = steps[-1].position
    if trace.loop is None:
        return replace(trace, initial=initial, steps=tuple(steps))
    ends = {initial if trace.loop == 0 else steps[trace.loop - 1].position: trace.loop}
    while position not in ends:
        ends[position] = len(steps)
        for step in trace.steps[trace.loop :]:
            steps.append(_alike(interpreter, position, step))
            position = steps[-1].position
    return replace(trace, initial=initial, steps=tuple(steps), loop=ends[position])


def lifted_round(
    interpreter: Interpreter, trace: Trace, again: tuple[int, int]
) -> tuple[Trace, tuple[int, int]]:
    """Return a play of the whole game likewise, in which what *trace* does between two moments can
    be made *again* and again.

    With it comes where that begins and ends in the new play.
    """
    if not isinstance(interpreter, SlicedInterpreter):
        return trace, again
    lasso = lifted(interpreter, replace(trace, steps=trace.steps[: again[1]], loop=again[0]))
    assert lasso.loop is not None
    steps = list(lasso.steps)
    for step in trace.steps[again[1] :]:
        steps.append(_alike(interpreter, steps[-1].position, step))
    return replace(lasso, steps=tuple(steps), loop=None), (lasso.loop, len(lasso.steps))


def _alike(interpreter: SlicedInterpreter, position: Position, step: TraceStep) -> TraceStep:
    """Return the move of *position* that looks like *step*, if possible with the same choices and
    steps: some may not matter.
    """
    wanted = step.move
    alike = [
        TraceStep(move, target)
        for move, target in interpreter.whole.moves(position).moves
        if _shape(interpreter, move) == _shape(interpreter, wanted)
        and interpreter.projection.project(target) == step.position
    ]
    if not alike:
        raise AssertionError(
            f"{wanted.clause} has no such move here: a slice leaves out what matters"
        )
    return next((one for one in alike if _details(one.move) == _details(wanted)), alike[0])


def _shape(interpreter: SlicedInterpreter, move: Move) -> Hashable:
    """Return what two moves have in common that differ only in what is dropped, as which step
    begins, and in choices that do not matter.
    """
    ordered = [zone.order != "unordered" for zone in interpreter.program.zones]

    def place(zone: int, at: int) -> tuple[int, int]:
        return zone, at if zone >= 0 and ordered[zone] else -1

    events = [
        (one.kind, place(one.zone, one.at), place(one.to_zone, one.to_at), one.player)
        for one in move.events
        if not one.sequence
    ]
    return move.clause, move.owner, tuple(events)


def _details(move: Move) -> Hashable:
    choices = tuple(
        (one.by, one.what, None if isinstance(one.value, Item) else one.value)
        for one in move.choices
    )
    return choices, tuple((one.kind, one.sequence, one.step) for one in move.events)


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
