"""Statements, as text: those of one outcome or none, and those done for each item or player.

Each takes what follows as a function that writes it, and calls it once, inside the condition under
which the move goes on.

For each: what is done for every item of a zone, or every player, as what is done for each of
those that there may be.

In comes an `ir.ForEach`, out go statements, one for every place of its zone or every seat. Before
these is written, and read, which of them are meant, and what is assigned: the text has a local for
each. A scope has a fixed number of places and seats.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from typing import assert_never

from ....models import ir
from ...slicing.sorts import FLAG, Sort, number_sort, player
from .dispatch import EmitPoint
from .hooks import GoOn, MoveHooks
from .layout import Field
from .state import BoundLocal, ZoneSpot


def one_by_one(each: ir.ForEach, here: EmitPoint) -> tuple[EmitPoint, ir.Block]:
    """Write which elements *each* is done for; return the point after that, and what is still to
    do.
    """
    block: list[ir.Statement] = []
    for inside, is_there in _elements(each.domain, each.variable, here):
        condition = f"{is_there} and {inside.condition(each.condition)}"
        meant = here.let("meant", f"(1 if {condition} else 0)")
        here, done = _done(each, here, inside)
        here, name = _bound(here, each, "meant", BoundLocal(meant, FLAG))
        block.append(ir.If(ir.Local(name), done, ()))
    return here, tuple(block)


def _elements(
    domain: ir.PlayersIn | ir.ItemsOn, variable: str, here: EmitPoint
) -> Iterator[tuple[EmitPoint, str]]:
    """Yield a point at which *variable* is an element that there may be, and the condition that it
    is there, all from *here*.
    """
    match domain:
        case ir.ItemsOn(name):
            zone = here.layout.zones[name]
            length = here.let("length", here.length(zone))
            for at in map(str, range(zone.size)):
                yield here.bind(variable, here.bound_item(ZoneSpot(zone, at))), f"{at} < {length}"
        case ir.PlayersIn(players):
            members = here.let("members", here.code(players))
            for seat in map(str, range(here.players)):
                yield (
                    here.bind(variable, BoundLocal(seat, player(here.players))),
                    f"{members} >> {seat} & 1 != 0",
                )
        case _:
            assert_never(domain)


def _done(each: ir.ForEach, here: EmitPoint, inside: EmitPoint) -> tuple[EmitPoint, ir.Block]:
    """Return what is done for the element of *inside*, and *here* with the locals that say so."""
    here, name = _bound(here, each, "it", inside.bound[inside.names[each.variable]])
    block: list[ir.Statement] = []
    for done in each.body:
        match done:
            case ir.Leave(_, how):
                block.append(ir.Leave(ir.Local(name), how))
            case ir.Move(_, zone):
                block.append(ir.Move(ir.Local(name), zone))
            case ir.Alter(_, attribute, value):
                here, given = _given(each, value, here.layout.parts[attribute], here, inside)
                block.append(ir.Alter(ir.Local(name), attribute, given))
            case ir.Assign(variable, _, value):
                here, given = _given(each, value, here.layout.sorts[variable], here, inside)
                block.append(ir.Assign(variable, ir.Local(name), given))
            case _:
                assert_never(done)
    return here, tuple(block)


def _given(
    each: ir.ForEach, value: ir.Expr, sort: Sort, here: EmitPoint, inside: EmitPoint
) -> tuple[EmitPoint, ir.Local]:
    """Write what *value*, of *sort*, is for the element of *inside*; return *here* with a local for
    it, and that.
    """
    code = here.let("v", inside.code(value, sort))
    if sort.kind == "number":
        sort = number_sort(*inside.bounds(value))
    here, name = _bound(here, each, "value", BoundLocal(code, sort))
    return here, ir.Local(name)


def _bound(
    here: EmitPoint, each: ir.ForEach, what: str, bound: BoundLocal
) -> tuple[EmitPoint, str]:
    """Return *here* with a local that no text has, and its name."""
    name = f"{what} {each.variable} {len(here.names)}"
    return here.bind(name, bound), name


def assign(statement: ir.Assign, here: EmitPoint, go_on: GoOn) -> None:
    """Write *statement*; a number outside the variable's range makes the move impossible, even if
    the variable is dropped.
    """
    sort = here.layout.sorts[statement.variable]
    field = here.layout.variables.get(statement.variable)
    code, conditions = in_range(statement.value, sort, here)
    seat = None if statement.player is None else here.code(statement.player)
    with here.block(f"if {conditions[0]}:") if conditions else nullcontext():
        if field is None or not field.bits:
            go_on(here)
        elif statement.player is None or seat is None:
            go_on(here.written(field, code))
        else:
            # The difference is added at the entry's place, so that no mask has to be made for it.
            old = here.code(ir.Entry(statement.variable, statement.player))
            change = f"(({code} - {old}) << {here.entry_shift(field, seat)})"
            go_on(here.with_word(field.word, f"{here.words[field.word]} + {change}"))


def in_range(expr: ir.Expr, sort: Sort, here: EmitPoint) -> tuple[str, list[str]]:
    """Return the code of *expr*, and the conditions under which it is one of *sort*."""
    code = here.code(expr, sort)
    if sort.kind != "number":
        return code, []
    low, high = here.bounds(expr)
    if sort.low <= low and high <= sort.high:
        return code, []
    code = here.let("v", code)
    return code, [f"{sort.low} <= {code} <= {sort.high}"]


def step_to(hooks: MoveHooks, sequence: ir.Sequence, step: str, here: EmitPoint) -> EmitPoint:
    """Write that *sequence* goes to *step*."""
    field = here.layout.variables.get(sequence.variable)
    sort = here.layout.sorts[sequence.variable]
    was_on = (
        "True"
        if ir.NO_STEP not in sort.values
        else f"not {here.is_code(field, sort.encode(ir.NO_STEP))}"
    )
    is_on = step != ir.NO_STEP
    events = [(was_on, "step ends")]
    if not is_on:
        events.append((was_on, "sequence ends"))
    elif was_on != "True":
        events.append((f"not ({was_on})", "sequence begins"))
    if is_on:
        events.append(("True", "step begins"))
    here = hooks.on_steps(here, sequence.name, tuple(events))
    return here if field is None else here.written(field, str(sort.encode(step)))


def advance(hooks: MoveHooks, sequence: ir.Sequence, here: EmitPoint, go_on: GoOn) -> None:
    """Write that *sequence* goes to its next step; one beside the turn that is not going on makes
    the move impossible.
    """
    layout = here.layout
    field = layout.variables.get(sequence.variable)
    sort = layout.sorts[sequence.variable]
    last = here.is_code(field, sort.encode(sequence.steps[-1].name))
    if sequence.name == ir.TURN:
        ends = tuple((last, f"sequence {word}") for word in ("ends", "begins"))
        here = hooks.on_steps(
            here, sequence.name, (("True", "step ends"), *ends, ("True", "step begins"))
        )
        go_on(here if field is None else _next_turn_or_step(sequence, field, last, here))
        return
    if field is None:
        raise ValueError(f"whether {sequence.name} is going on has been dropped")
    # The steps follow `NO_STEP` in the order of their codes, so the next is one more, and after the
    # last comes `NO_STEP`.
    with here.block(f"if not {here.is_code(field, sort.encode(ir.NO_STEP))}:"):
        events = (("True", "step ends"), (last, "sequence ends"), (f"not {last}", "step begins"))
        here = hooks.on_steps(here, sequence.name, events)
        go_on(here.written(field, f"(({here.field_code(field)} + 1) % {len(sort.values)})"))


def _next_turn_or_step(sequence: ir.Sequence, step: Field, last: str, here: EmitPoint) -> EmitPoint:
    active = here.layout.variables.get(ir.ACTIVE)
    first = here.layout.sorts[sequence.variable].encode(sequence.steps[0].name)
    is_last = here.let("last", last)
    here = here.written(step, f"({first} if {is_last} else {here.field_code(step)} + 1)")
    if active is None:
        return here
    seat = here.field_code(active)
    return here.written(active, f"(({seat} + 1) % {here.present} if {is_last} else {seat})")
