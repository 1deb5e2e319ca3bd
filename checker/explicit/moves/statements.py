"""Statements, as text: those of one outcome or none, and those done for each item or player.

Each takes what follows as a function that writes it, and calls it once, inside the condition under
which the move goes on.

For each: what is done for every item of a zone, or every player, as what is done for each of
those that there may be.

In comes an `ir.ForEach`, out go statements, one for every place of its zone or every seat. Before
these is written, and read, which of them are meant, and what is assigned: the text has a local for
each. A scope has a fixed number of places and seats.

Loops: over the players in turn order, and over the elements of a choice in NOTE(move-order).

Each opens a loop in the text of a function and yields the point inside, from which its body is
written.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from ....models import ir
from ...slicing.slice import DROPPED
from ...slicing.sorts import FLAG, Sort, number_sort, player
from ...slicing.specialise import AnyOn
from .dispatch import Zones
from .hooks import GoOn, MoveHooks
from .layout import Field
from .state import BoundLocal, EmitState, FunctionWriter
from .values import Values


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


def assign(
    values: Values, function: FunctionWriter, statement: ir.Assign, here: EmitState, go_on: GoOn
) -> None:
    """Write *statement*; a number outside the variable's range makes the move impossible, even if
    the variable is dropped.
    """
    sort = values.layout.sorts[statement.variable]
    field = values.layout.variables.get(statement.variable)
    code = values.code(statement.value, here, sort)
    code, condition = in_range(values, function, statement.value, code, sort, here)
    seat = None if statement.player is None else values.code(statement.player, here)

    def write() -> None:
        if field is None or not field.bits:
            go_on(here)
            return
        if seat is None:
            go_on(values.written(function, field, code, here))
            return
        # The difference is added at the entry's place, so that no mask has to be made for it.
        old = values.code(ir.Entry(statement.variable, statement.player or ir.NO), here)
        shift, word = values.entry_shift(field, seat), here.words[field.word]
        go_on(
            here.with_word(field.word, function.let("s", f"{word} + (({code} - {old}) << {shift})"))
        )

    if condition is None:
        write()
    else:
        with function.block(f"if {condition}:"):
            write()


def in_range(
    values: Values, function: FunctionWriter, expr: ir.Expr, code: str, sort: Sort, here: EmitState
) -> tuple[str, str | None]:
    """Return *code* and the condition that it is a number of *sort*; None if it cannot be
    another.
    """
    if sort.kind != "number":
        return code, None
    low, high = values.bounds(expr, here)
    if sort.low <= low and high <= sort.high:
        return code, None
    code = function.let("v", code)
    return code, f"{sort.low} <= {code} <= {sort.high}"


def step_to(
    values: Values,
    function: FunctionWriter,
    hooks: MoveHooks,
    sequence: ir.Sequence,
    step: str,
    here: EmitState,
) -> EmitState:
    """Write that *sequence* goes to *step*."""
    field = values.layout.variables.get(sequence.variable)
    sort = values.layout.sorts[sequence.variable]
    was_on = (
        "True"
        if ir.NO_STEP not in sort.values
        else f"not {_is_on(values, field, sort.encode(ir.NO_STEP), here)}"
    )
    is_on = step != ir.NO_STEP
    events = [(was_on, "step ends")]
    if not is_on:
        events.append((was_on, "sequence ends"))
    elif was_on != "True":
        events.append((f"not ({was_on})", "sequence begins"))
    if is_on:
        events.append(("True", "step begins"))
    here = hooks.on_steps(function, here, sequence.name, tuple(events))
    return here if field is None else values.written(function, field, str(sort.encode(step)), here)


def _is_on(values: Values, field: Field | None, step: int, here: EmitState) -> str:
    return DROPPED if field is None else values.is_code(field, step, here)


def advance(
    values: Values,
    function: FunctionWriter,
    hooks: MoveHooks,
    sequence: ir.Sequence,
    here: EmitState,
    go_on: GoOn,
) -> None:
    """Write that *sequence* goes to its next step; one beside the turn that is not going on makes
    the move impossible.
    """
    layout = values.layout
    field, sort = layout.variables.get(sequence.variable), layout.sorts[sequence.variable]
    last = _is_on(values, field, sort.encode(sequence.steps[-1].name), here)
    if sequence.name == ir.TURN:
        ends = tuple((last, f"sequence {word}") for word in ("ends", "begins"))
        here = hooks.on_steps(
            function, here, sequence.name, (("True", "step ends"), *ends, ("True", "step begins"))
        )
        go_on(here if field is None else _next_turn_or_step(values, function, sequence, last, here))
        return
    if field is None:
        raise ValueError(f"whether {sequence.name} is going on has been dropped")
    # The steps follow `NO_STEP` in the order of their codes, so the next is one more, and after the
    # last comes `NO_STEP`.
    with function.block(f"if not {values.is_code(field, sort.encode(ir.NO_STEP), here)}:"):
        events = (("True", "step ends"), (last, "sequence ends"), (f"not {last}", "step begins"))
        here = hooks.on_steps(function, here, sequence.name, events)
        go_on(
            values.written(
                function,
                field,
                f"(({values.field_code(field, here)} + 1) % {len(sort.values)})",
                here,
            )
        )


def _next_turn_or_step(
    values: Values, function: FunctionWriter, sequence: ir.Sequence, last: str, here: EmitState
) -> EmitState:
    layout = values.layout
    step, active = layout.variables[sequence.variable], layout.variables.get(ir.ACTIVE)
    first = layout.sorts[sequence.variable].encode(sequence.steps[0].name)
    is_last = function.let("last", last)
    here = values.written(
        function, step, f"({first} if {is_last} else {values.field_code(step, here)} + 1)", here
    )
    if active is None:
        return here
    seat = values.field_code(active, here)
    return values.written(
        function, active, f"(({seat} + 1) % {values.present(here)} if {is_last} else {seat})", here
    )
