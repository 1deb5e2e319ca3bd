"""Loops: over the players in turn order, and over the elements of a choice in NOTE(move-order).

Each opens a loop in the text of a function and yields the point inside, from which its body is
written.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from ....models import ir
from ...slicing.interchangeable import AnyOn
from ...slicing.sorts import number_sort, player
from .state import BoundLocal, EmitState
from .values import Values
from .writer import FunctionWriter
from .zones import Zones


def each_seat(values: Values, function: FunctionWriter, here: EmitState) -> Iterator[str]:
    """Open a loop over the players from the active one on, and yield the name of a seat."""
    active, players = values.layout.variables.get(ir.ACTIVE), values.present(here)
    if active is None:
        seat = function.fresh("p")
        with function.block(f"for {seat} in range({players}):"):
            yield seat
        return
    offset = function.fresh("k")
    with function.block(f"for {offset} in range({players}):"):
        yield function.let("p", f"({values.field_code(active, here)} + {offset}) % {players}")


def each_element(
    values: Values, zones: Zones, function: FunctionWriter, choose: ir.Choose, here: EmitState
) -> Iterator[EmitState]:
    """Open a loop over the elements of a choice, and yield the point inside."""
    match choose.domain:
        case ir.PlayersIn(players):
            members = function.let("members", values.code(players, here))
            for seat in each_seat(values, function, here):
                with function.block(f"if {members} >> {seat} & 1 != 0:"):
                    yield here.bind(choose.variable, BoundLocal(seat, player(values.players)))
        case ir.ItemsOn(name):
            zone, at = values.layout.zones[name], function.fresh("at")
            length, any_does = values.length(zone, here), isinstance(choose.domain, AnyOn)
            begin = f"if {length} != 0:" if any_does else f"for {at} in range({length}):"
            with function.block(begin):
                at = "0" if any_does else at
                code = function.let("i", values.slot(zone, at, here))
                place = zones.place(zone, at)
                yield here.bind(
                    choose.variable, BoundLocal(code, None, place, (name,), zone.format)
                )
        case ir.NumbersFrom(low, high):
            span = number_sort(values.bounds(low, here)[0], values.bounds(high, here)[1])
            value, last = function.fresh("v"), values.code(high, here)
            with function.block(f"for {value} in range({values.code(low, here)}, {last} + 1):"):
                yield here.bind(choose.variable, BoundLocal(value, span))
        case _:
            assert_never(choose.domain)
