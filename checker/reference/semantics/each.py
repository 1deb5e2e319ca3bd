"""For each: what is done to one item or player, or to every item of a zone, or every player of a
set, that meets a condition.

Who they are is read before anything changes, and so are the values that are assigned. Then it is
done for one after the other: items from the first of their zone, so that those that move lie there
as they lay here; players in turn order from the active one.

NOTE(cut): a move that would exceed a zone's size in the scope ends there, even if the zone would be
small enough again at the move's end. The choices that would still follow are not made: it counts as
one move. Without bounds (`Doing`) nothing is cut, and the move is made to its end: what the rules
allow.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, TypeAlias, assert_never

from ....models import ir
from ...types.position import Event, Item
from ...types.scope import Scope
from .events import follow, happen
from .expressions import FOUND, Expressions, Frame, ItemPlace, LocalCells

Action: TypeAlias = Callable[[Frame], None]
Picked: TypeAlias = Callable[[Frame], list[tuple[Any, Any]]]
"""Whom something is done to, items with their places or seats, and the new value of each."""
_EventOf: TypeAlias = Callable[[Frame, Item, ItemPlace | None, Any], Event | None]
_MOST_RANKED = 4096


class Doing:
    """Does things to the items and players of one Program; unless it *is_bounded*, zones have any
    size, as the rules have it.
    """

    def __init__(
        self,
        program: ir.Program,
        scope: Scope,
        expressions: Expressions,
        *,
        is_bounded: bool = True,
    ) -> None:
        self.program, self.expressions = program, expressions
        self.attributes = {attribute.name: attribute.type for attribute in program.attributes}
        sizes = dict(scope.sizes)
        self._sizes = [sizes[zone.name] if is_bounded else None for zone in program.zones]
        self._is_unordered = [zone.order == "unordered" for zone in program.zones]
        self._rank = item_rank(program)

    def for_each(self, each: ir.ForEach, names: LocalCells, then: Action) -> Action:
        """Return the function that does *each* and goes on with *then*, if the move is possible."""
        for done in reversed(each.body):
            match done:
                case ir.Leave() | ir.Move():
                    then = self.to_items(done, names, self.picked(each, names), then)
                case ir.Alter(_, _, value):
                    then = self.to_items(done, names, self.picked(each, names, value), then)
                case ir.Assign(variable, _, value):
                    then = self.to_entries(variable, self.picked(each, names, value), then)
                case _:
                    assert_never(done)
        return then

    def picked(
        self, each: ir.ForEach | ir.Choose, names: LocalCells, value: ir.Expr = ir.NO
    ) -> Picked:
        """Return the function that picks the elements of which the condition of *each* is true, and
        gives each a new *value*, if any is wanted.
        """
        inner = self.expressions.bind(
            names, each.variable, item=isinstance(each.domain, ir.ItemsOn)
        )
        elements = self.expressions.domain(each.domain, names)
        condition = self.expressions.compile(each.condition, inner)
        new = self.expressions.compile(value, inner)

        def pick(frame: Frame) -> list[tuple[Any, Any]]:
            picked = []
            for element in elements(frame):
                frame[names.free] = element
                if condition(frame):
                    picked.append((element, new(frame)))
            return picked

        return pick

    # ------------------------------------------------------------------ players

    def to_entries(self, variable: str, picked: Picked, then: Action) -> Action:
        """Return the function that gives the players that are *picked* their new entries of
        *variable*.
        """
        cell, fits = (
            self.expressions.variables[variable],
            self.fits([self.program.variable(variable).type]),
        )

        def run(frame: Frame) -> None:
            entries = list(frame[cell])
            for seat, new in picked(frame):
                if not fits((new,)):
                    return
                entries[seat] = new
            frame[cell] = tuple(entries)
            then(frame)

        return run

    def fits(self, types: Iterable[ir.Type]) -> Callable[[tuple[Any, ...]], bool]:
        """Return the test whether values, one for each of *types*, keep the numbers' ranges."""
        constant = self.expressions.constant
        ranges = [
            (number, constant(type_.low), constant(type_.high))
            for number, type_ in enumerate(types)
            if isinstance(type_, ir.NumberType)
        ]
        if not ranges:
            return lambda _: True
        return lambda values: all(low <= values[number] <= high for number, low, high in ranges)

    # ------------------------------------------------------------------ items

    def to_items(
        self,
        done: ir.Leave | ir.Move | ir.Alter | ir.BeginResolving,
        names: LocalCells,
        picked: Picked,
        then: Action,
    ) -> Action:
        """Return the function that does *done* to the items that are *picked*; the item that *done*
        names is not looked at.
        """
        event_of = self._event_of(done)

        def run(frame: Frame) -> None:
            waiting = picked(frame)
            while waiting:
                ((item, place), new), *others = waiting
                event = event_of(frame, item, place, new)
                if event is None:
                    return
                happen(frame, names, event)
                waiting = [((other, follow(where, event)), its) for (other, where), its in others]
            then(frame)

        return run

    def _event_of(self, done: ir.Leave | ir.Move | ir.Alter | ir.BeginResolving) -> _EventOf:
        """Return the function that does *done* to an item at a place, with a new value, and tells
        the event; None if the move is not possible.
        """
        match done:
            case ir.BeginResolving():
                return lambda _, item, place, __: Event("begins resolving", item, *_present(place))
            case ir.Leave(_, how):
                return lambda frame, item, place, _: Event(
                    how, item, *self._take_away(frame, place)
                )
            case ir.Move(_, name):
                to = self.expressions.zone_numbers[name]

                def move(frame: Frame, item: Item, place: ItemPlace | None, _: Any) -> Event | None:
                    zone, at = self._take_away(frame, place)
                    to_at = self.join(frame, to, item)
                    return None if to_at is None else Event("move", item, zone, at, to, to_at)

                return move
            case ir.Alter(_, name):
                number = self.expressions.attribute_numbers[name]
                fits = self.fits([self.attributes[name]])

                def alter(
                    frame: Frame, item: Item, place: ItemPlace | None, new: Any
                ) -> Event | None:
                    if not fits((new,)):
                        return None
                    old = item.attributes
                    item = item._replace(attributes=(*old[:number], new, *old[number + 1 :]))
                    zone, at = self._take_away(frame, place)
                    # It was there: no bound keeps it from staying, even where the zone is past it.
                    to_at = self._insert(frame, zone, item, at)
                    return Event("changes", item, zone, at, zone, to_at)

                return alter
            case _:
                assert_never(done)

    def _take_away(self, frame: Frame, place: ItemPlace | None) -> ItemPlace:
        """Take the item at *place* away."""
        zone, at = _present(place)
        cell = self.expressions.first_zone + zone
        items = frame[cell]
        frame[cell] = items[:at] + items[at + 1 :]
        return zone, at

    def join(self, frame: Frame, zone: int, item: Item) -> int | None:
        """Add *item* to *zone* and return its number there; None if that is full, so that the move
        is cut.
        """
        size, most = len(frame[self.expressions.first_zone + zone]), self._sizes[zone]
        if most is not None and size >= most:
            frame[FOUND].cut += 1
            return None
        return self._insert(frame, zone, item, size)

    def _insert(self, frame: Frame, zone: int, item: Item, at: int) -> int:
        """Put *item* on *zone* at *at*, or where an unordered zone sorts it; return its number
        there.
        """
        cell = self.expressions.first_zone + zone
        items = frame[cell]
        if self._is_unordered[zone]:
            at = bisect_right(items, self._rank(item), key=self._rank)
        frame[cell] = (*items[:at], item, *items[at:])
        return at


def _present(place: ItemPlace | None) -> ItemPlace:
    if place is None:
        raise RuntimeError("an item is used after it has left the game")
    return place


def item_rank(program: ir.Program) -> Callable[[Item], tuple[int, ...]]:
    """Return the sort key of items on unordered zones: kind, controller, attributes, each in the
    order of its values, nobody first.
    """
    kinds = {kind.name: number for number, kind in enumerate(program.kinds)}
    types = [attribute.type for attribute in program.attributes]
    orders = [
        {value: number for number, value in enumerate(t.values)}
        if isinstance(t, ir.EnumType)
        else None
        for t in types
    ]

    @lru_cache(maxsize=_MOST_RANKED)
    def rank(item: Item) -> tuple[int, ...]:
        attributes = zip(item.attributes, orders, strict=True)
        return (
            kinds[item.kind],
            item.controller,
            *[_value_rank(value, order) for value, order in attributes],
        )

    return rank


def _value_rank(value: bool | int | str | None, order: dict[str, int] | None) -> int:
    if value is None:
        return -1
    if isinstance(value, str):
        return order[value] if order else 0
    return int(value)
