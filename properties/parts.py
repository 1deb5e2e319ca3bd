"""The parts of formulas, kind by kind: what stands right below each, all that stands in a whole,
and what each speaks of.

As `models.ir.parts` does for the Program: a kind that nobody has thought of is refused, and named
by the type checker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias, assert_never

from ..models import ir
from ..models.ir.parts import ClausePart, expressions
from . import formula as f

About: TypeAlias = Literal["position", "enabled", "move", "past", "logic"]
"""What a formula speaks of: the position reached, what is enabled there, the move, an earlier
moment, or what its parts speak of.
"""


def about(formula: f.Formula) -> About:
    """Return what *formula* itself speaks of, its parts aside."""
    match formula:
        case f.LeafOfPosition():
            return "position"
        case f.LeafOfEnabled():
            return "enabled"
        case f.LeafOfMove():
            return "move"
        case f.Previously() | f.Once() | f.Since():
            return "past"
        case f.Not() | f.And() | f.Or():
            return "logic"
        case _:
            assert_never(formula)


def operands(formula: f.Formula) -> tuple[f.Formula, ...]:
    """Return the formulas right below *formula*."""
    match formula:
        case f.Not(operand) | f.Previously(operand) | f.Once(operand):
            return (operand,)
        case f.And(parts) | f.Or(parts):
            return parts
        case f.Since(left, right):
            return left, right
        case f.LeafOfPosition():
            return ()
        case f.LeafOfEnabled():
            return ()
        case f.LeafOfMove():
            return ()
        case _:
            assert_never(formula)


def asked_by(formula: f.Formula) -> tuple[ir.Expr, ...]:
    """Return the expressions right below *formula*."""
    match formula:
        case f.Holds(expression):
            return (expression,)
        case (
            f.HasPriority(player) | f.Enabled(player) | f.PlayerEvent(_, player) | f.Uses(_, player)
        ):
            return () if player is None else (player,)
        case f.LeafOfPosition() | f.LeafOfEnabled():
            return ()
        case f.ItemEvent() | f.SequenceEvent():
            return ()
        case f.Compound():
            return ()
        case _:
            assert_never(formula)


def formulas(*whole: f.Formula) -> Iterator[f.Formula]:
    """Yield every formula in *whole*, parents first, in the order of their fields."""
    waiting = [*reversed(whole)]
    while waiting:
        formula = waiting.pop()
        yield formula
        waiting.extend(reversed(operands(formula)))


def expressions_in(*whole: f.Formula) -> Iterator[ir.Expr]:
    """Yield every expression in *whole*."""
    for formula in formulas(*whole):
        yield from expressions(*asked_by(formula))


def speaks_of(formula: f.Formula, *what: About) -> bool:
    """Whether *formula*, or a part of it, speaks of one of *what*."""
    return any(about(part) in what for part in formulas(formula))


def of_formulas(
    change: Callable[[f.Formula], f.Formula],
    of_expressions: Callable[[ClausePart], object] = lambda part: part,
) -> Callable[[f.Formula | ClausePart], object]:
    """Return what `rewrite` applies to a part of a formula so that formulas become what *change*
    makes of them.

    *of_expressions* is applied to the parts of what they ask (`models.ir.parts.of_expressions`).
    """

    def changed(part: f.Formula | ClausePart) -> object:
        if isinstance(part, f.Formula):
            return change(part)
        if isinstance(part, ClausePart):
            return of_expressions(part)
        assert_never(part)

    return changed
