"""For each: what is done for every item of a zone, or every player, as what is done for each of
those that there may be.

In comes an `ir.ForEach`, out go statements, one for every place of its zone or every seat. Before
these is written, and read, which of them are meant, and what is assigned: the text has a local for
each. A scope has a fixed number of places and seats.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from ....models import ir
from ...slicing.sorts import FLAG, Sort, number_sort, player
from .state import BoundLocal, EmitState
from .values import Values
from .writer import FunctionWriter
from .zones import Zones


def one_by_one(
    values: Values, zones: Zones, function: FunctionWriter, each: ir.ForEach, here: EmitState
) -> tuple[EmitState, ir.Block]:
    """Write which elements *each* is done for; return the point after that, and what is still to
    do.
    """
    block: list[ir.Statement] = []
    for inside, is_there in _elements(values, zones, function, each.domain, each.variable, here):
        condition = f"{is_there} and {values.condition(each.condition, inside)}"
        meant = function.let("meant", f"(1 if {condition} else 0)")
        here, done = _done(values, function, each, here, inside)
        here, name = _bound(here, each, "meant", BoundLocal(meant, FLAG))
        block.append(ir.If(ir.Local(name), done, ()))
    return here, tuple(block)


def _elements(
    values: Values,
    zones: Zones,
    function: FunctionWriter,
    domain: ir.PlayersIn | ir.ItemsOn,
    variable: str,
    here: EmitState,
) -> Iterator[tuple[EmitState, str]]:
    """Yield a point at which *variable* is an element that there may be, and the condition that it
    is there, all from *here*.
    """
    match domain:
        case ir.ItemsOn(name):
            zone = values.layout.zones[name]
            length = function.let("length", values.length(zone, here))
            for at in map(str, range(zone.size)):
                item, place = function.let("i", values.slot(zone, at, here)), zones.place(zone, at)
                yield (
                    here.bind(variable, BoundLocal(item, None, place, (name,), zone.format)),
                    f"{at} < {length}",
                )
        case ir.PlayersIn(players):
            members = function.let("members", values.code(players, here))
            for seat in map(str, range(values.players)):
                yield (
                    here.bind(variable, BoundLocal(seat, player(values.players))),
                    f"{members} >> {seat} & 1 != 0",
                )
        case _:
            assert_never(domain)


def _done(
    values: Values, function: FunctionWriter, each: ir.ForEach, here: EmitState, inside: EmitState
) -> tuple[EmitState, ir.Block]:
    """Return what is done for the element of *inside*, and *here* with the locals that say so."""
    element = inside.local(each.variable)
    assert element is not None
    here, name = _bound(here, each, "it", element)
    block: list[ir.Statement] = []
    for done in each.body:
        match done:
            case ir.Leave(_, how):
                block.append(ir.Leave(ir.Local(name), how))
            case ir.Move(_, zone):
                block.append(ir.Move(ir.Local(name), zone))
            case ir.Alter(_, attribute, value):
                here, given = _given(
                    values, function, each, value, values.layout.parts[attribute], here, inside
                )
                block.append(ir.Alter(ir.Local(name), attribute, given))
            case ir.Assign(variable, _, value):
                here, given = _given(
                    values, function, each, value, values.layout.sorts[variable], here, inside
                )
                block.append(ir.Assign(variable, ir.Local(name), given))
            case _:
                assert_never(done)
    return here, tuple(block)


def _given(
    values: Values,
    function: FunctionWriter,
    each: ir.ForEach,
    value: ir.Expr,
    sort: Sort,
    here: EmitState,
    inside: EmitState,
) -> tuple[EmitState, ir.Local]:
    """Write what *value*, of *sort*, is for the element of *inside*; return *here* with a local for
    it, and that.
    """
    code = function.let("v", values.code(value, inside, sort))
    here, name = _bound(
        here,
        each,
        "value",
        BoundLocal(
            code, number_sort(*values.bounds(value, inside)) if sort.kind == "number" else sort
        ),
    )
    return here, ir.Local(name)


def _bound(
    here: EmitState, each: ir.ForEach, what: str, bound: BoundLocal
) -> tuple[EmitState, str]:
    """Return *here* with a local that no text has, and its name."""
    name = f"{what} {each.variable} {len(here.names)}"
    return here.bind(name, bound), name
