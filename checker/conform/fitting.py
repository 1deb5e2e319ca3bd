"""Fitting positions: those that fit what a log shows, and where a play may stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import combinations_with_replacement, islice, product
from math import comb, prod
from typing import Any, NamedTuple, TypeAlias, assert_never

from ...models import ir
from ...models.ir.parts import expressions_of, statements, things_named
from ..reference.semantics.each import item_rank
from ..slicing.symmetry import is_symmetric, turned
from ..types.position import Item, Position
from .at_priority import AtPriority
from .events import LogEvent, LogEvents, Remembered, made, turned_event
from .showing import Showing

_MOST_KEPT = 50_000


class Standing(NamedTuple):
    """Where a play may stand: a position, and what was *shown* of the move to it and not yet seen
    in the log.
    """

    position: Position
    shown: LogEvents = ()


Standings: TypeAlias = frozenset[Standing]
"""Where a play may stand, of all that explain a log."""


class LogWindow(NamedTuple):
    """A stretch of a log: its *events*, and the *looks* at where it ends.

    *is_whole* says that it ends where somebody has priority.
    """

    events: LogEvents
    looks: LogEvents = ()
    is_whole: bool = True


class RoundTable:
    """The table of *showing*, which may be turned where no rule names a seat."""

    def __init__(self, showing: Showing) -> None:
        self.program, self.players = showing.program, showing.interpreter.scope.players
        self._unordered = [
            number for number, zone in enumerate(self.program.zones) if zone.order == "unordered"
        ]
        self._rank = item_rank(self.program)
        self._turned = Remembered[tuple[Standings, int], Standings](_MOST_KEPT)

    @cached_property
    def _is_round(self) -> bool:
        return is_symmetric(self.program)

    def seat(self, begin: Standings) -> int:
        """Return the seat that may as well be the first: that of the active player of *begin*."""
        seats = {one.position.values[0] for one in begin}
        seat = seats.pop() if len(seats) == 1 and self._is_round else 0
        return seat if isinstance(seat, int) else 0

    def turned(self, standing: Standings, by: int) -> Standings:
        """Return *standing* when everyone moves *by* seats towards seat 0."""
        by %= self.players
        if not by:
            return standing
        key = standing, by
        found = self._turned.get(key)
        if found is None:
            found = frozenset(self._one(one, by) for one in standing)
            self._turned.keep(key, found, 1 + 2 * len(standing))
        return found

    def _one(self, standing: Standing, by: int) -> Standing:
        position, shown = standing
        there = turned(self.program, self.players, position, by)
        zones = list(there.zones)
        for number in self._unordered:
            zones[number] = tuple(sorted(zones[number], key=self._rank))
        there = there._replace(zones=tuple(zones))
        return Standing(there, tuple(turned_event(e, by, self.players) for e in shown))

    def turned_window(self, window: LogWindow, by: int) -> LogWindow:
        """Return *window* when everyone moves *by* seats towards seat 0."""
        if not by:
            return window
        events, looks = (
            tuple(turned_event(one, by, self.players) for one in some)
            for some in (window.events, window.looks)
        )
        return LogWindow(events, looks, window.is_whole)


MOST = 20_000
"""How many positions are taken up at most; where more fit, nothing is known."""
_MOST_TRIED = 200_000
"""How many positions are looked at most."""
_MOST_UNSEEN = 2
"""How many items may lie on a zone that no look shows: fewer, where too many positions fit."""


class _Choices(NamedTuple):
    """What may stand at one place of a position: the *number* things that *made* makes."""

    number: int
    made: Callable[[], Iterable[Any]]


def _one_of(values: Sequence[Any]) -> _Choices:
    return _Choices(len(values), lambda: values)


def _each_of(values: Iterable[Sequence[Any]]) -> _Choices:
    whole = [*values]
    return _Choices(prod(map(len, whole)), partial(product, *whole))


class Fitting:
    """Finds the positions of a game that fit what is seen of them."""

    def __init__(self, showing: Showing, facts: AtPriority) -> None:
        self.showing, self.facts = showing, facts
        self.program, self.players = showing.program, showing.interpreter.scope.players
        bodies = [clause.body for _, clause in self.program.clauses]
        self._statements = list(statements(*bodies))
        asked = [part for _, clause in self.program.clauses for part in expressions_of(clause)]
        changed = {one.variable for one in self._statements if isinstance(one, ir.Assign)}
        self._kept = changed & things_named("variable", asked)  # the others say nothing of play
        self._attributes = _each_of(map(self._put_with, range(len(self.program.attributes))))

    def positions(self, seen: Iterable[LogEvent], *, whole: bool = False) -> Standings | None:
        """Return the positions in which somebody has priority and that fit all that was *seen*;
        None if too little was. Where too many fit, or would have to be looked at, those with fewer
        unseen items are returned, or None if only a *whole* answer will do.
        """
        seen = list(seen)
        said = {field: value for one in seen if one.name == "look" for field, value in one.said}
        for one in seen:
            if one.name == "priority" and one.get("of") is not None:
                said.setdefault("holder", one.get("of"))
        if any(field not in said for field in ("active", "step", "stack", "holder")):
            return None
        look = made("look", **said)
        least = _MOST_UNSEEN if whole else 0
        for unseen in [0] if self.facts.is_seen_whole else range(_MOST_UNSEEN, least - 1, -1):
            if self._number(look, unseen) > _MOST_TRIED:
                continue
            found = frozenset(islice(map(Standing, self._all(look, unseen)), MOST + 1))
            if len(found) <= MOST:
                return found or None
        return None

    def _number(self, look: LogEvent, unseen: int) -> int:
        """Return how many positions `_all` looks at."""
        stages = sum(prod(one.number for one in self._arguments(s)) for s in self._stages)
        return stages * prod(
            one.number for one in [*self._values(look), *self._zones(look, unseen)]
        )

    def _all(self, look: LogEvent, unseen: int) -> Iterator[Position]:
        values, zones = (
            list(product(*(one.made() for one in choices)))
            for choices in (self._values(look), self._zones(look, unseen))
        )
        for stage in self._stages:
            arguments = product(*(one.made() for one in self._arguments(stage)))
            for said in product(arguments, values, zones):
                position = Position(stage.name, *said)
                if not self.showing.differs(look, position):
                    yield position

    @cached_property
    def _stages(self) -> list[ir.Stage]:
        return [stage for stage in self.program.stages if stage.priority is not None]

    def _arguments(self, stage: ir.Stage) -> list[_Choices]:
        return [_one_of(self._of_type(parameter.type)) for parameter in stage.parameters]

    def _values(self, look: LogEvent) -> list[_Choices]:
        """Return what each variable may be."""
        return [self._of_variable(variable, look) for variable in self.program.variables]

    def _of_variable(self, variable: ir.VariableDeclaration, look: LogEvent) -> _Choices:
        sequence = next((s for s in self.program.sequences if s.variable == variable.name), None)
        if variable.name == ir.ACTIVE:
            return _one_of([look.get("active")])
        if sequence is not None:
            steps = [step.name for step in sequence.steps]
            beside = [] if sequence.name == ir.TURN else [ir.NO_STEP]
            return _one_of([look.get("step")] if look.get("step") in steps else steps + beside)
        if variable.name in self.facts.off:
            return _one_of([False])
        if variable.name not in self._kept:
            return _one_of([self._initial(variable)])
        one = self._of_type(variable.type)
        if variable.each_player:
            return _each_of([one] * self.players)
        return _one_of(one)

    def _zones(self, look: LogEvent, unseen: int) -> list[_Choices]:
        """Return what may lie on each zone."""
        stack = look.get("stack")
        if len(self.showing.stacks) > 1 or any(None in one for one in stack):
            return [_one_of([])]

        def shown_items() -> Iterable[Any]:
            made = self._attributes.made
            return product(*([Item(kind, whose, put) for put in made()] for whose, kind in stack))

        shown = _Choices(self._attributes.number ** len(stack), shown_items)
        return [
            shown if number in self.showing.stacks else self._lying(zone, unseen)
            for number, zone in enumerate(self.program.zones)
        ]

    def _lying(self, zone: ir.Zone, unseen: int) -> _Choices:
        """Return what may lie on *zone*, of which a look shows nothing: up to *unseen* items."""
        if zone.name in self.facts.empty:
            return _one_of([()])
        kinds, numbers = self._kinds[zone.name], range(unseen + 1)
        different = len(kinds) * self.players * self._attributes.number

        def lying() -> Iterator[Any]:
            every = product(kinds, range(self.players), self._attributes.made())
            items = sorted((Item(*one) for one in every), key=item_rank(self.program))
            return (one for n in numbers for one in combinations_with_replacement(items, n))

        return _Choices(sum(comb(different + n - 1, n) if n else 1 for n in numbers), lying)

    @cached_property
    def _kinds(self) -> dict[str, frozenset[str]]:
        """The kinds of items that are put on each zone, or moved to it."""
        found = {zone.name: frozenset[str]() for zone in self.program.zones}
        while True:
            before = dict(found)
            for _, clause in self.program.clauses:
                for one in statements(clause.body):
                    if isinstance(one, ir.Put):
                        found[one.zone] |= {one.kind}
                    elif isinstance(one, ir.Move):
                        found[one.zone] |= self._moved(one.item, clause, before)
            if found == before:
                return found

    def _moved(
        self, item: ir.Local | ir.EndOf, clause: ir.Clause, kinds: dict[str, frozenset[str]]
    ) -> frozenset[str]:
        """Return which kinds *item* can be of that *clause* moves, as far as its guard says."""
        if isinstance(item, ir.Local):
            return frozenset().union(*kinds.values())
        guard = clause.guard.parts if isinstance(clause.guard, ir.All) else (clause.guard,)
        asked = ir.AttributeOf(item, ir.KIND)
        said = (one.values for one in guard if isinstance(one, ir.OneOf) and one.operand == asked)
        return kinds[item.zone].intersection(*said)

    def _initial(self, variable: ir.VariableDeclaration) -> Any:
        value = self.showing.interpreter.expressions.constant(variable.initial)
        return (value,) * self.players if variable.each_player else value

    def _put_with(self, number: int) -> list[Any]:
        """Return the values that attribute *number* of an item can have."""
        attribute = self.program.attributes[number]
        put = [one.attributes[number] for one in self._statements if isinstance(one, ir.Put)]
        is_altered = any(
            isinstance(one, ir.Alter) and one.attribute == attribute.name
            for one in self._statements
        )
        if is_altered or not all(isinstance(one, ir.Literal) for one in put):
            return self._of_type(attribute.type)
        return list(dict.fromkeys(one.value for one in put if isinstance(one, ir.Literal)))

    def _of_type(self, type_: ir.Type) -> list[Any]:
        match type_:
            case ir.FlagType():
                return [False, True]
            case ir.EnumType(values):
                return list(values)
            case ir.NumberType(low, high):
                constant = self.showing.interpreter.expressions.constant
                return list(range(constant(low), constant(high) + 1))
            case ir.PlayerType(optional):
                return [*range(self.players), *([None] if optional else [])]
            case ir.PlayersType():
                return list(range(1 << self.players))
            case ir.ItemType():
                return []  # nothing of a position is an item
            case _:
                assert_never(type_)
