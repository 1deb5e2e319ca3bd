"""Branching: how many moves a position can have at most, so that there is room for them."""

from __future__ import annotations

from typing import assert_never

from ....models import ir
from ...slicing.sorts import Sort, number_sort, player
from ..layout.layout import Layout
from .state import BoundLocal, EmitState
from .values import Values
from .writer import Module


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
