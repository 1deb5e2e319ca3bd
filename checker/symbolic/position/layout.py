"""The layout: which cells a position of the encoding has, at each stage, and what is always true of
them.

A cell is a Z3 constant. The cells of a stage are the rigid constants (how many players, where the
spotlit ones sit), the variables, the zones, the spotlit items, the monitor's bits, and the stage's
own parameters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain, combinations
from typing import assert_never

import z3

from ....models import ir
from ....models.frozen import frozen
from ..solver import terms as t
from ..solver.terms import ZERO
from . import first_items, sets
from . import items as places
from .frame import (
    FIRST_ZONE,
    UNSEEN,
    EncodingContext,
    Entries,
    PlayerSet,
    Spot,
    SymbolicFrame,
    SymbolicValue,
)
from .sorts import (
    constant,
    constant_number,
    in_range,
    in_range_if_any,
    literal,
    type_of_attribute,
)
from .weakenings import UnsupportedError


@frozen
class CellLayout:
    """The cells of a Program's positions, with *bits* of a monitor; *constant* variables keep their
    first value and have no cell.
    """

    context: EncodingContext
    constant: frozenset[str]
    bits: tuple[t.Bool, ...] = ()

    @property
    def variables(self) -> Iterator[ir.VariableDeclaration]:
        """The variables that somebody asks for."""
        for variable in self.context.program.variables:
            if variable.name in self.context.variables:
                yield variable

    # ------------------------------------------------------------------ frames and cells

    def frame(self, stage: str) -> SymbolicFrame:
        """Return the frame of any position at *stage*: its cells."""
        if stage not in self._frames:
            self._frames[stage] = self._new_frame(stage)
        return self._frames[stage].copy()

    @cached_property
    def _frames(self) -> dict[str, SymbolicFrame]:
        """The frames of the stages that were asked for, which are copied: each clause begins with
        one.
        """
        return {}

    def _new_frame(self, stage: str) -> SymbolicFrame:
        context, program = self.context, self.context.program
        values = {
            v.name: _initial(v, context) if v.name in self.constant else self._cell_of(v)
            for v in self.variables
        }
        sizes = {zone.name: z3.Int(f"size of {zone.name}") for zone in program.zones}
        tops = {
            (zone, name): constant(f"{name} of the end of {zone}", type_of_attribute(context, name))
            for zone, name in sorted(context.tops)
        }
        spots = {item: self._spot(item) for item in context.items}
        parameters = program.stage(stage).parameters if stage else ()
        locals_ = {
            parameter.name: _cell(f"{parameter.name} of {stage}", parameter.type, context)
            for parameter in parameters
        }
        first = (
            {}
            if context.counting
            else {(a, b): z3.Bool(f"{a} before {b}") for a, b in combinations(context.items, 2)}
        )
        return SymbolicFrame(
            context,
            values,
            sizes,
            tops,
            spots,
            first,
            locals_,
            listed=first_items.constants(context),
        )

    def _cell_of(self, variable: ir.VariableDeclaration) -> SymbolicValue:
        if not variable.each_player:
            return _cell(variable.name, variable.type, self.context)
        if isinstance(variable.type, ir.PlayersType):
            raise UnsupportedError(f"{variable.name} has a set of players for each player")
        labels = self.context.players.labels
        return Entries(
            tuple(constant(f"{variable.name} of {label}", variable.type) for label in labels)
        )

    def _spot(self, item: str) -> Spot:
        names = sorted(self.context.attributes)
        attributes = {
            name: constant(f"{name} of {item}", type_of_attribute(self.context, name))
            for name in names
        }
        place = z3.Int(f"place of {item}") if self._has_order else ZERO
        return Spot(z3.Int(f"where {item} is"), place, attributes)

    @property
    def _has_order(self) -> bool:
        return any(order != "unordered" for order in self.context.orders.values())

    def cells(
        self, frame: SymbolicFrame, arguments: Iterable[SymbolicValue], bits: Iterable[t.Bool]
    ) -> tuple[t.Term, ...]:
        """Return what is in the cells of a position: that of *frame*, with *arguments* for the
        parameters of its stage, and *bits*.
        """
        found: list[t.Term] = [
            *self.context.players.rigid,
        ]
        for name, value in frame.values.items():
            if name not in self.constant:
                found += _flat(value)
        found += frame.sizes.values()
        found += frame.tops.values()
        for items in frame.listed.values():
            found += items
        for spot in frame.spots.values():
            found += [
                spot.where,
                *([spot.place] if self._has_order else []),
                *spot.attributes.values(),
            ]
        found += frame.first.values()
        found += bits
        for argument in arguments:
            found += _flat(argument)
        return tuple(found)

    def constants(self, stage: str) -> tuple[t.Term, ...]:
        """Return the cells of *stage*; raises `UnsupportedError` if two would be one, as names of
        the rules and of a formula may meet.
        """
        frame = self.frame(stage)
        found = self.cells(frame, frame.locals.values(), self.bits)
        names = Counter(t.name_of(cell) for cell in found)
        if len(names) < len(found):
            raise UnsupportedError(f"two things that are called “{names.most_common(1)[0][0]}”")
        return found

    def initial(self) -> SymbolicFrame:
        """Return the frame in which every play begins, before its first stage."""
        context = self.context
        frame = self.frame("")
        first = frame.seat("the first active player") if context.players.spotlights else ZERO
        for variable in self.variables:
            if variable.name not in self.constant:
                frame.values[variable.name] = _initial(variable, context, first)
        frame.sizes = dict.fromkeys(frame.sizes, ZERO)
        frame.tops = {key: _any(type_of_attribute(context, key[1]), context) for key in frame.tops}
        for (zone, name), items in frame.listed.items():
            frame.listed[zone, name] = (_any(type_of_attribute(context, name), context),) * len(
                items
            )
        nothing = {
            name: _any(type_of_attribute(context, name), context)
            for name in sorted(context.attributes)
        }
        frame.first = dict.fromkeys(frame.first, t.FALSE)
        for variable in self.variables:
            # A game that begins outside the range of a number is none.
            if isinstance(variable.type, ir.NumberType) and not isinstance(
                variable.initial, ir.Literal
            ):
                frame.assume(
                    in_range(context, constant_number(context, variable.initial), variable.type)
                )
        frame.spots = {item: Spot(t.number(UNSEEN), ZERO, nothing) for item in frame.spots}
        frame.assume(context.players.always_true)
        return frame

    # ------------------------------------------------------------------ what is always true

    def always_true(self, stage: str) -> t.Bool:
        """Return what the cells of *stage* always keep: the ranges of their types, and that items
        are where there is room for them.
        """
        frame = self.frame(stage)
        parameters = self.context.program.stage(stage).parameters if stage else ()
        known = (self._known_value(one.type, frame.locals[one.name]) for one in parameters)
        return t.all_of(chain(self._known_everywhere, *known))

    @cached_property
    def _known_everywhere(self) -> list[t.Bool]:
        """What is always true of the cells that all stages have."""
        context, frame = self.context, self.frame("")
        parts = [context.players.always_true]
        for variable in self.variables:
            if variable.name not in self.constant:
                parts += self._known_variable(variable, frame.values[variable.name])
        parts += [places.in_range(size, frame) for size in frame.sizes.values()]
        for (_, name), top in frame.tops.items():
            parts.append(in_range_if_any(context, top, type_of_attribute(context, name)))
        for (_, name), items in frame.listed.items():
            parts += [
                in_range_if_any(context, cell, type_of_attribute(context, name)) for cell in items
            ]
        for item, spot in frame.spots.items():
            parts += self._known_spot(item, spot, frame)
        for zone, size in frame.sizes.items():
            parts += self._known_pairs(zone, size, frame)
        return parts

    def _known_variable(
        self, variable: ir.VariableDeclaration, value: SymbolicValue
    ) -> list[t.Bool]:
        if isinstance(value, Entries):
            parts = [in_range(self.context, entry, variable.type) for entry in value.values]
            return parts + self.context.players.same_seat_same_value(value.values)
        return self._known_value(variable.type, value)

    def _known_value(self, type_: ir.Type, value: SymbolicValue) -> list[t.Bool]:
        if isinstance(value, PlayerSet):
            return list(sets.always_true(value, self.context.players))
        assert isinstance(value, z3.ExprRef)
        return [in_range(self.context, value, type_)]

    def _known_spot(self, item: str, spot: Spot, frame: SymbolicFrame) -> list[t.Bool]:
        context = self.context
        last = FIRST_ZONE + len(context.program.zones) - 1
        parts = [
            t.at_most(t.number(UNSEEN), spot.where),
            t.at_most(spot.where, t.number(last)),
            places.in_range(spot.place, frame),
        ]
        on_ordered = []
        for zone, size in frame.sizes.items():
            here = frame.on(item, zone)
            parts.append(t.implies(here, t.less(ZERO, size)))
            if context.orders[zone] != "unordered":
                on_ordered.append(here)
                parts.append(t.implies(here, places.has_place(spot.place, size, frame)))
                is_next = t.both(here, t.equal(spot.place, ZERO))
                for (where, name), top in frame.tops.items():
                    if where == zone and name in spot.attributes:
                        parts.append(t.implies(is_next, t.equal(top, spot.attributes[name])))
        parts.append(t.either(t.equal(spot.place, ZERO), *on_ordered))
        parts += [
            in_range_if_any(context, term, type_of_attribute(context, name))
            for name, term in spot.attributes.items()
        ]
        return parts

    def _known_pairs(self, zone: str, size: t.Integer, frame: SymbolicFrame) -> list[t.Bool]:
        parts = [places.in_order(zone, frame)] if self.context.orders[zone] != "unordered" else []
        if self.context.counting:
            for one, other in combinations(frame.spots, 2):
                parts.append(
                    t.implies(
                        t.both(frame.on(one, zone), frame.on(other, zone)),
                        t.at_most(t.number(2), size),
                    )
                )
        return parts


def _flat(value: SymbolicValue) -> list[t.Term]:
    match value:
        case PlayerSet():
            return sets.flat(value)
        case Entries(values):
            return [*values]
        case z3.ExprRef():
            return [value]
        case _:
            raise UnsupportedError("an item is handed on from one move to the next")


def _cell(name: str, type_: ir.Type, context: EncodingContext) -> SymbolicValue:
    is_set = isinstance(type_, ir.PlayersType)
    return sets.constant(name, context) if is_set else constant(name, type_)


def _initial(
    variable: ir.VariableDeclaration, context: EncodingContext, first: SymbolicValue | None = None
) -> SymbolicValue:
    """Return the first value of *variable*; *first* is the first active player."""
    match variable.type, variable.initial:
        case ir.PlayersType(), ir.NoPlayers():
            return sets.nobody(context)
        case ir.PlayersType(), ir.Everyone():
            return sets.everyone(context)
        case ir.PlayerType(), ir.Literal(int(seat)) if seat == 0 and first is not None:
            value: SymbolicValue = first
        case ir.PlayerType(), ir.Literal(None):
            value = literal(context, None)
        case ((ir.FlagType() | ir.NumberType() | ir.EnumType()), ir.Literal(constant_value)):
            value = literal(context, constant_value)
        case ir.NumberType(), number:
            value = constant_number(context, number)
        case _:
            raise UnsupportedError(f"the first value of {variable.name}")
    if variable.each_player:
        assert isinstance(value, z3.ExprRef)
        return Entries((value,) * len(context.players.tracked))
    return value


def _any(type_: ir.Type, context: EncodingContext) -> t.Term:
    """Return some value of *type_*, for a cell that is not read yet."""
    match type_:
        case ir.FlagType():
            return t.FALSE
        case ir.EnumType(values):
            return context.code(values[0])
        case ir.NumberType(low, _):
            return constant_number(context, low)
        case ir.PlayerType() | ir.PlayersType() | ir.ItemType():
            return ZERO
        case _:
            assert_never(type_)
