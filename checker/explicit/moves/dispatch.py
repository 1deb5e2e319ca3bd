"""Dispatch: from the stage of a position to its clauses, and how many moves they can have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from ....models import ir
from ...slicing.sorts import Sort, number_sort, player
from ..layout.layout import Layout
from .state import BoundLocal, EmitState
from .values import Values
from .writer import FunctionWriter, Module


def most_moves(layout: Layout, sights: int = 1) -> int:
    """Return a number of moves that no position exceeds; every ``put`` can be seen in up to
    *sights* ways.
    """
    return max(
        (
            sum(most_of_clause(layout, stage, clause, sights) for clause in stage.clauses)
            for stage in layout.program.stages
        ),
        default=1,
    )


def most_of_clause(layout: Layout, stage: ir.Stage, clause: ir.Clause, sights: int) -> int:
    """Return a number of moves that *clause* of *stage* has nowhere more than."""
    clause = layout.left_of(clause)
    here, owner = EmitState(("s0",), stage.name), clause.owner.variable
    if owner is not None:
        here = here.bind(owner, BoundLocal("", player(layout.players)))
    ended, _ = _of_block(layout, clause.body, here, sights)
    return ended * (layout.players if owner is not None else 1)


def _of_block(layout: Layout, block: ir.Block, here: EmitState, sights: int) -> tuple[int, int]:
    """Return how many ways end in *block*, and how many go on after it."""
    ended, on = 0, 1
    for statement in block:
        match statement:
            case ir.Go() | ir.GameOver():
                ended, on = ended + on, 0
            case ir.If(_, yes, no):
                then = _of_block(layout, yes, here, sights)
                otherwise = _of_block(layout, no, here, sights)
                ended, on = ended + on * max(then[0], otherwise[0]), on * max(then[1], otherwise[1])
            case ir.Branch(options, _):
                ways = [_of_block(layout, option, here, sights) for _, option in options]
                ended += on * sum(way[0] for way in ways)
                on *= sum(way[1] for way in ways)
            case ir.Choose(variable, domain):
                elements, sort = _elements(layout, domain, here)
                here, on = here.bind(variable, BoundLocal("", sort)), on * elements
            case ir.Let(variable, value):
                here = here.bind(
                    variable, BoundLocal("", Values(layout, Module()).sort(value, here))
                )
            case ir.Put():
                on *= sights
            case ir.ForEach():
                pass  # it is done, or the move is not possible
            case ir.Require() | ir.Simple():
                pass
            case _:
                assert_never(statement)
    return ended, on


def _elements(layout: Layout, domain: ir.Domain, here: EmitState) -> tuple[int, Sort | None]:
    """Return how many elements *domain* has at most, and their sort; items have none."""
    match domain:
        case ir.PlayersIn():
            return layout.players, player(layout.players)
        case ir.ItemsOn(zone):
            return layout.zones[zone].size, None
        case ir.NumbersFrom(low, high):
            values = Values(layout, Module())
            span = number_sort(values.bounds(low, here)[0], values.bounds(high, here)[1])
            return max(span.high - span.low + 1, 0), span
        case _:
            assert_never(domain)


def dispatch(layout: Layout, name: str, clauses: dict[str, list[str]]) -> list[FunctionWriter]:
    """Return the functions that call the *clauses* of each stage, and the one, called *name*, that
    calls these.
    """
    words = layout.names
    given, stages = ", ".join([*words, "out", "n"]), []
    whole = FunctionWriter(name, (*words, "out", "n"))
    whole.line(f"stage = {words[layout.stage.word]} >> {layout.stage.shift} & {layout.stage.mask}")
    for number, (stage, called) in enumerate(clauses.items()):
        one = FunctionWriter(f"{name}_of_{number}", whole.parameters)
        for clause in called:
            one.line(f"n = {clause}({given})")
        one.line("return n")
        stages.append(one)
        with whole.block(f"if stage == {layout.stages[stage]}:"):
            whole.line(f"return {one.name}({given})")
    whole.line("return n")
    return [*stages, whole]


def by_number(
    name: str, parameters: Sequence[str], number: str, functions: Sequence[FunctionWriter]
) -> FunctionWriter:
    """Return the function *name* that calls the one of *functions* that *number* says; all have the
    same *parameters*.
    """
    whole = FunctionWriter(name, parameters)
    _choose(
        whole, number, [f"{function.name}({', '.join(parameters)})" for function in functions], 0
    )
    return whole


def _choose(function: FunctionWriter, number: str, calls: Sequence[str], first: int) -> None:
    """Write that of *calls*, the first having number *first*, the one of *number* is made, by
    halving.
    """
    if len(calls) == 1:
        function.line(f"return {calls[0]}")
        return
    half = len(calls) // 2
    with function.block(f"if {number} < {first + half}:"):
        _choose(function, number, calls[:half], first)
    _choose(function, number, calls[half:], first + half)
