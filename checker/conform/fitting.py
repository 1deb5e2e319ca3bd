"""Fitting positions: those that fit what a log shows, and where a play may stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import combinations_with_replacement, islice, product
from typing import Any, NamedTuple, assert_never

from ...models import ir
from ...models.ir.parts import expressions_of, statements, things_named
from ..reference.semantics.statements import item_rank
from ..slicing.symmetry import is_symmetric, turned
from ..types.position import Item, Position
from .at_priority import AtPriority
from .events import LogEvent, Remembered, made, turned_event
from .showing import Showing

_MOST_KEPT = 50_000


class Standing(NamedTuple):
    """Where a play may stand: a position, and what was *shown* of the move to it and not yet seen
    in the log.
    """

    position: Position
    shown: tuple[LogEvent, ...] = ()


class LogWindow(NamedTuple):
    """A stretch of a log: its *events*, and the *looks* at where it ends.

    *is_whole* says that it ends where somebody has priority.
    """

    events: tuple[LogEvent, ...]
    looks: tuple[LogEvent, ...] = ()
    is_whole: bool = True


class RoundTable:
    """The table of *showing*, which may be turned where no rule names a seat."""

    def __init__(self, showing: Showing) -> None:
        self.program, self.players = showing.program, showing.interpreter.scope.players
        self._unordered = [
            number for number, zone in enumerate(self.program.zones) if zone.order == "unordered"
        ]
        self._rank = item_rank(self.program)
        self._turned = Remembered[tuple[frozenset[Standing], int], frozenset[Standing]](_MOST_KEPT)

    @cached_property
    def _is_round(self) -> bool:
        return is_symmetric(self.program)

    def seat(self, begin: frozenset[Standing]) -> int:
        """Return the seat that may as well be the first: that of the active player of *begin*."""
        seats = {one.position.values[0] for one in begin}
        seat = seats.pop() if len(seats) == 1 and self._is_round else 0
        return seat if isinstance(seat, int) else 0

    def turned(self, standing: frozenset[Standing], by: int) -> frozenset[Standing]:
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
"""How many positions are looked at most where a whole answer is wanted."""
_MOST_UNSEEN = 2
"""How many items may lie on a zone that no look shows: fewer, where too many positions fit."""


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
        self._attributes = list(product(*map(self._put_with, range(len(self.program.attributes)))))

    def positions(
        self, seen: Iterable[LogEvent], *, whole: bool = False
    ) -> frozenset[Standing] | None:
        """Return the positions in which somebody has priority and that fit all that was *seen*;
        None if too little was. Where too many fit, those with fewer unseen items are returned, or
        None if only a *whole* answer will do, and also if that would take long.
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
            if whole and self._number(look, unseen) > _MOST_TRIED:
                return None
            found = frozenset(islice(map(Standing, self._all(look, unseen)), MOST + 1))
            if len(found) <= MOST:
                return found or None
        return None

    def _number(self, look: LogEvent, unseen: int) -> int:
        """Return how many positions `_all` looks at."""
        stages = (stage for stage in self.program.stages if stage.priority is not None)
        arguments = sum(len(list(self._arguments(stage))) for stage in stages)
        return arguments * len(list(self._values(look))) * len(list(self._zones(look, unseen)))

    def _arguments(self, stage: ir.Stage) -> Iterator[tuple[Any, ...]]:
        return product(*(self._of_type(parameter.type) for parameter in stage.parameters))

    def _all(self, look: LogEvent, unseen: int) -> Iterator[Position]:
        values, zones = list(self._values(look)), list(self._zones(look, unseen))
        for stage in self.program.stages:
            if stage.priority is None:
                continue
            for said in product(self._arguments(stage), values, zones):
                position = Position(stage.name, *said)
                if not self.showing.differs(look, position):
                    yield position

    def _values(self, look: LogEvent) -> Iterator[tuple[Any, ...]]:
        sequences = {one.variable: one for one in self.program.sequences}
        found: list[list[Any]] = []
        for variable in self.program.variables:
            if variable.name == ir.ACTIVE:
                found.append([look.get("active")])
            elif variable.name in sequences:
                steps = [step.name for step in sequences[variable.name].steps]
                beside = [] if sequences[variable.name].name == ir.TURN else [ir.NO_STEP]
                found.append([look.get("step")] if look.get("step") in steps else steps + beside)
            elif variable.name in self.facts.off:
                found.append([False])
            elif variable.name not in self._kept:
                found.append([self._initial(variable)])
            elif variable.each_player:
                one = self._of_type(variable.type)
                found.append(list(product(one, repeat=self.players)))
            else:
                found.append(self._of_type(variable.type))
        return product(*found)

    def _zones(self, look: LogEvent, unseen: int) -> Iterator[tuple[tuple[Item, ...], ...]]:
        if len(self.showing.stacks) > 1:
            return iter(())
        said = [
            [Item(kind, whose, attributes) for attributes in self._attributes]
            for whose, kind in look.get("stack")
            if whose is not None and kind is not None
        ]
        if len(said) < len(look.get("stack")):
            return iter(())
        return product(
            *(
                list(product(*said)) if number in self.showing.stacks else self._lying(zone, unseen)
                for number, zone in enumerate(self.program.zones)
            )
        )

    def _lying(self, zone: ir.Zone, unseen: int) -> list[tuple[Item, ...]]:
        """Return what may lie on *zone*, of which a look shows nothing: up to *unseen* items."""
        if zone.name in self.facts.empty:
            return [()]
        made = product(self._kinds[zone.name], range(self.players), self._attributes)
        items = sorted((Item(*one) for one in made), key=item_rank(self.program))
        return [
            lying
            for number in range(unseen + 1)
            for lying in combinations_with_replacement(items, number)
        ]

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
