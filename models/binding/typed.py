"""Typed expressions: what binding makes, and the small algebra of types and flags it needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from .. import ir

FLAG = ir.FlagType()
PLAYER = ir.PlayerType()
SOMEBODY_OR_NOBODY = ir.PlayerType(optional=True)
PLAYERS = ir.PlayersType()
ITEM = ir.ItemType()
NUMBER = ir.NumberType(ir.Literal(0), ir.Literal(0))
"""Stands for every number type where only being a number matters."""


@dataclass(frozen=True)
class Typed:
    """An expression and its type."""

    expression: ir.Expr
    type: ir.Type


def describe(type_: ir.Type) -> str:
    """Return what a designer calls a value of *type_*."""
    match type_:
        case ir.FlagType():
            return "yes or no"
        case ir.NumberType():
            return "a number"
        case ir.EnumType(values):
            shown = values if len(values) <= 6 else (*values[:5], "…")
            return "one of " + ", ".join(shown)
        case ir.PlayerType(optional):
            return "a player or nobody" if optional else "a player"
        case ir.PlayersType():
            return "a set of players"
        case ir.ItemType():
            return "an item"
        case _:
            assert_never(type_)


def fits(found: ir.Type, wanted: ir.Type) -> bool:
    """Whether a value of type *found* may stand where *wanted* is asked for."""
    match found, wanted:
        case ir.NumberType(), ir.NumberType():
            return True
        case ir.PlayerType(optional), ir.PlayerType(optional=also):
            return also or not optional
        case _:
            return found == wanted


def negated(expr: ir.Expr) -> ir.Expr:
    """Return the negation of *expr*, without a double one."""
    return expr.operand if isinstance(expr, ir.Not) else ir.Not(expr)


def all_of(parts: list[ir.Expr]) -> ir.Expr:
    """Return the conjunction of *parts*, flat; yes if there are none."""
    if not parts:
        return ir.YES
    flat = [sub for part in parts for sub in (part.parts if isinstance(part, ir.All) else (part,))]
    return flat[0] if len(flat) == 1 else ir.All(tuple(flat))


def any_of(parts: list[ir.Expr]) -> ir.Expr:
    """Return the disjunction of *parts*, flat; no if there are none."""
    if not parts:
        return ir.NO
    flat = [sub for part in parts for sub in (part.parts if isinstance(part, ir.Any) else (part,))]
    return flat[0] if len(flat) == 1 else ir.Any(tuple(flat))
