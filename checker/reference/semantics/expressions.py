"""Expressions: what each expression of the Program means, as a function of a frame.

In comes an `ir.Expr` with the names of its locals, out goes a Python function that reads its value
from a `Frame`. A frame is the state in the middle of a move: the owner, the events and the choices
so far, then every variable, every zone and every local in a cell of its own. This is denotational
semantics with closures (Feeley and Lapalme, "Using closures for code generation", 1987).

The Program is well typed and nothing in it is asked where it cannot be (`models.definite`); the
functions rely on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from operator import attrgetter, itemgetter
from typing import Any, TypeAlias, assert_never

from ....models import ir
from ....models.frozen import frozen
from ...types.position import Item
from ...types.scope import Scope

Frame: TypeAlias = list[Any]
Meaning: TypeAlias = Callable[[Frame], Any]

OWNER, EVENTS, CHOICES, FOUND, FIRST_VARIABLE = range(5)
"""The first cells of a frame. The variables begin with the active player's, which is always
there.
"""

ItemPlace: TypeAlias = tuple[int, int]
"""A zone's number and a number in it. An item local is an item and its place, or None once it has
left.
"""


@frozen
class LocalCells:
    """The locals in sight: the *cells* of their names, which of these hold *items*, and the next
    *free* cell.
    """

    cells: Mapping[str, int]
    items: tuple[int, ...]
    free: int

    def bind(self, name: str, *, item: bool = False) -> LocalCells:
        """Return these names and *name*, in a cell of its own."""
        items = (*self.items, self.free) if item else self.items
        return replace(self, cells={**self.cells, name: self.free}, items=items, free=self.free + 1)


class Expressions:
    """Compiles the expressions of one Program in one scope."""

    def __init__(self, program: ir.Program, scope: Scope) -> None:
        self.players = scope.players
        self.everyone = (1 << scope.players) - 1
        self.variables = {
            v.name: FIRST_VARIABLE + number for number, v in enumerate(program.variables)
        }
        self.first_zone = FIRST_VARIABLE + len(program.variables)
        self.first_local = self.first_zone + len(program.zones)
        self.zone_numbers = {zone.name: number for number, zone in enumerate(program.zones)}
        self.lifo = {zone.name: zone.order == "lifo" for zone in program.zones}
        self.attribute_numbers = {
            attribute.name: number for number, attribute in enumerate(program.attributes)
        }
        self.frame_size = self.first_local

    def names(self, parameters: Iterable[str] = ()) -> LocalCells:
        """Return the names of a stage with *parameters*, in the first cells for locals."""
        names = LocalCells({}, (), self.first_local)
        for parameter in parameters:
            names = self.bind(names, parameter)
        return names

    def bind(self, names: LocalCells, name: str, *, item: bool = False) -> LocalCells:
        """Return *names* and *name*, and see to it that frames have a cell for it."""
        self.frame_size = max(self.frame_size, names.free + 1)
        return names.bind(name, item=item)

    def constant(self, expr: ir.Expr) -> Any:
        """Return the value of a constant expression."""
        return self.compile(expr, self.names())([])

    def compile(self, expr: ir.Expr, names: LocalCells) -> Meaning:
        """Return the function that gives *expr* its value in a frame."""
        match expr:
            case ir.Literal(value):
                return lambda _: value
            case ir.OptionValue(name):
                raise ValueError(f"option {name} is still open; configure the Program first")
            case ir.PlayerNumber():
                return lambda _: self.players
            case ir.Everyone():
                return lambda _: self.everyone
            case ir.NoPlayers():
                return lambda _: 0
            case ir.Local(name):
                return itemgetter(names.cells[name])
            case ir.Variable(name):
                return itemgetter(self.variables[name])
            case ir.Entry(name, player):
                cell, seat = self.variables[name], self.compile(player, names)
                return lambda frame: frame[cell][seat(frame)]
            case ir.Neighbour() | ir.With() | ir.Without() | ir.Contains() | ir.Count():
                return self._of_players(expr, names)
            case ir.Connective() | ir.Equal() | ir.OneOf() | ir.Exists():
                return self._logic(expr, names)
            case ir.Less() | ir.Add() | ir.Subtract():
                return self._number(expr, names)
            case ir.IsEmpty(zone):
                cell = self.zone_cell(zone)
                return lambda frame: not frame[cell]
            case ir.Size(zone):
                cell = self.zone_cell(zone)
                return lambda frame: len(frame[cell])
            case ir.EndOf():
                return self.item(expr, names)
            case ir.AttributeOf(item, name):
                read, held = self.attribute(name), self.item(item, names)
                return lambda frame: read(held(frame)[0])
            case _:
                assert_never(expr)

    def _of_players(self, expr: ir.OfPlayers, names: LocalCells) -> Meaning:
        if isinstance(expr, ir.Count):
            counted = self.compile(expr.players, names)
            return lambda frame: counted(frame).bit_count()
        seat = self.compile(expr.player, names)
        if isinstance(expr, ir.Neighbour):
            offset, number = expr.offset, self.players
            return lambda frame: (seat(frame) + offset) % number
        players = self.compile(expr.players, names)
        match expr:
            case ir.With():
                return lambda frame: players(frame) | 1 << seat(frame)
            case ir.Without():
                return lambda frame: players(frame) & ~(1 << seat(frame))
            case ir.Contains():

                def contains(frame: Frame) -> bool:
                    player = seat(frame)
                    return player is not None and bool(players(frame) >> player & 1)

                return contains
            case _:
                assert_never(expr)

    def _logic(self, expr: ir.Logic, names: LocalCells) -> Meaning:
        match expr:
            case ir.Not(operand):
                value = self.compile(operand, names)
                return lambda frame: not value(frame)
            case ir.All(parts):
                return _conjunction([self.compile(part, names) for part in parts])
            case ir.Any(parts):
                return _any([self.compile(part, names) for part in parts])
            case ir.Equal(left, ir.Literal(constant)):
                value = self.compile(left, names)
                return lambda frame: value(frame) == constant
            case ir.Equal(left, right):
                first, second = self.compile(left, names), self.compile(right, names)
                return lambda frame: first(frame) == second(frame)
            case ir.OneOf(operand, values):
                value, among = self.compile(operand, names), frozenset(values)
                return lambda frame: value(frame) in among
            case ir.Exists():
                return self._exists(expr, names)
            case _:
                assert_never(expr)

    def _exists(self, expr: ir.Exists, names: LocalCells) -> Meaning:
        inner = self.bind(names, expr.variable, item=isinstance(expr.domain, ir.ItemsOn))
        elements = self.domain(expr.domain, names)
        cell = names.free
        body = self.compile(expr.body, inner)

        def exists(frame: Frame) -> bool:
            for element in elements(frame):
                frame[cell] = element
                if body(frame):
                    return True
            return False

        return exists

    def _number(self, expr: ir.OfNumbers, names: LocalCells) -> Meaning:
        left, right = self.compile(expr.left, names), self.compile(expr.right, names)
        match expr:
            case ir.Less():
                return lambda frame: left(frame) < right(frame)
            case ir.Add():
                return lambda frame: left(frame) + right(frame)
            case ir.Subtract():
                return lambda frame: left(frame) - right(frame)
            case _:
                assert_never(expr)

    def attribute(self, name: str) -> Callable[[Item], Any]:
        """Return the function that reads an attribute of an item."""
        if name in (ir.KIND, ir.CONTROLLER):
            return attrgetter(name)
        number = self.attribute_numbers[name]
        return lambda item: item.attributes[number]

    def item(
        self, item: ir.Local | ir.EndOf, names: LocalCells
    ) -> Callable[[Frame], tuple[Item, ItemPlace | None]]:
        """Return the function that finds an item, with its place."""
        if isinstance(item, ir.Local):
            return itemgetter(names.cells[item.name])
        zone, cell = self.zone_numbers[item.zone], self.zone_cell(item.zone)
        if self.lifo[item.zone]:
            return lambda frame: (frame[cell][-1], (zone, len(frame[cell]) - 1))
        return lambda frame: (frame[cell][0], (zone, 0))

    def domain(self, domain: ir.Domain, names: LocalCells) -> Callable[[Frame], Iterable[Any]]:
        """Return the function that lists the elements of *domain*, in the order of
        NOTE(move-order).
        """
        match domain:
            case ir.PlayersIn(expr):
                players = self.compile(expr, names)

                def seats(frame: Frame) -> list[int]:
                    members = players(frame)
                    return [seat for seat in self.turn_order(frame) if members >> seat & 1]

                return seats
            case ir.ItemsOn(name):
                zone, cell = self.zone_numbers[name], self.zone_cell(name)
                return lambda frame: [(item, (zone, at)) for at, item in enumerate(frame[cell])]
            case ir.NumbersFrom(low, high):
                first, last = self.compile(low, names), self.compile(high, names)
                return lambda frame: range(first(frame), last(frame) + 1)
            case _:
                assert_never(domain)

    def turn_order(self, frame: Frame) -> list[int]:
        """Return all seats in turn order from the active player."""
        active = frame[FIRST_VARIABLE]
        return [*range(active, self.players), *range(active)]

    def zone_cell(self, zone: str) -> int:
        """Return the cell of *zone*."""
        return self.first_zone + self.zone_numbers[zone]


def _conjunction(parts: list[Meaning]) -> Meaning:
    match parts:
        case [only]:
            return only
        case [first, second]:
            return lambda frame: first(frame) and second(frame)
        case _:

            def conjunction(frame: Frame) -> bool:
                for part in parts:  # noqa: SIM110 - a generator costs a third of the search
                    if not part(frame):
                        return False
                return True

            return conjunction


def _any(parts: list[Meaning]) -> Meaning:
    match parts:
        case [only]:
            return only
        case [first, second]:
            return lambda frame: first(frame) or second(frame)
        case _:

            def disjunction(frame: Frame) -> bool:
                for part in parts:  # noqa: SIM110 - as above
                    if part(frame):
                        return True
                return False

            return disjunction
