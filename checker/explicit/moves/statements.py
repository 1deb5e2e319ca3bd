"""Statements that have one outcome or none: variables and steps, as text.

Each takes what follows as a function that writes it, and calls it once, inside the condition under
which the move goes on.
"""

from __future__ import annotations

from ....models import ir
from ...slicing.slice import DROPPED
from ...slicing.sorts import Sort
from ..layout.layout import Field
from .hooks import GoOn, MoveHooks
from .state import EmitState
from .values import Values
from .writer import FunctionWriter


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
