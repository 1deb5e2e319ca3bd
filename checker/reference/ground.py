"""Grounding: a formula, and what its spotlights stand for -> the formula without them.

Players become their seats, and what is asked of an item (its kind, controller, attributes, which
never change) becomes the answer. What is said of an item not seen yet becomes false. Where an item
*is*, and what happens to it, stays as it is; the monitor follows the item.

The logic of the formula is kept node by node, so that its past subformulas keep their numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias, assert_never

from ...models import ir
from ...properties import formula as f
from ..types.position import Item
from .expressions import Expressions

Spotlit: TypeAlias = Mapping[str, int | Item | None]
"""What the spotlights stand for: a seat, an item, or None for an item not seen yet."""

TRUE: f.Formula = f.And(())
FALSE: f.Formula = f.Or(())

_OfState = ir.Variable | ir.Entry | ir.IsEmpty | ir.Size | ir.EndOf | ir.Exists | ir.Local


def ground(formula: f.Formula, spotlit: Spotlit, expressions: Expressions) -> f.Formula:
    """Return *formula* with its spotlights replaced by what they stand for."""
    match formula:
        case f.Not(operand):
            return f.Not(ground(operand, spotlit, expressions))
        case f.And(parts):
            return f.And(tuple(ground(part, spotlit, expressions) for part in parts))
        case f.Or(parts):
            return f.Or(tuple(ground(part, spotlit, expressions) for part in parts))
        case f.Previously(operand):
            return f.Previously(ground(operand, spotlit, expressions))
        case f.Once(operand):
            return f.Once(ground(operand, spotlit, expressions))
        case f.Since(left, right):
            return f.Since(ground(left, spotlit, expressions), ground(right, spotlit, expressions))
        case f.Holds(expression, items):
            if any(spotlit[item] is None for item in items):
                return FALSE
            value = _constant_folded(_substituted(expression, spotlit, expressions), expressions)
            return (TRUE if value.value else FALSE) if isinstance(value, ir.Literal) else f.Holds(value)
        case _:
            return _about_players(formula, spotlit, expressions)


_About: TypeAlias = (
    f.HasPriority | f.Enabled | f.PlayerEvent | f.Uses | f.On | f.IsNext | f.ItemEvent | f.ClausePossible | f.AtStage | f.GameIsOver
    | f.Gap | f.Conflict | f.SequenceEvent
)  # fmt: skip


def _about_players(formula: _About, spotlit: Spotlit, expressions: Expressions) -> f.Formula:
    match formula:
        case f.HasPriority(player) | f.Enabled(player) | f.PlayerEvent(_, player) | f.Uses(_, player):
            if player is None:
                return formula
            seat = _seat(player, spotlit, expressions)
            if seat is None:
                return FALSE
            if isinstance(seat, ir.Literal):
                return FALSE if seat.value is None else replace(formula, player=seat)
            # A player that depends on the position: whoever it is, it is one of the players.
            return f.Or(
                tuple(
                    f.And((f.Holds(ir.Equal(seat, who)), replace(formula, player=who)))
                    for who in map(ir.Literal, range(expressions.players))
                )
            )
        case f.On() | f.IsNext() | f.ItemEvent() | f.SequenceEvent():
            return formula
        case f.ClausePossible() | f.AtStage() | f.GameIsOver() | f.Gap() | f.Conflict():
            return formula
        case _:
            assert_never(formula)


def _seat(player: ir.Expr, spotlit: Spotlit, expressions: Expressions) -> ir.Expr | None:
    """Return *player* without spotlights; None if it depends on an item not seen yet."""
    if any(isinstance(node, ir.Local) and spotlit[node.name] is None for node in ir.walk(player)):
        return None
    return _constant_folded(_substituted(player, spotlit, expressions), expressions)


def _substituted(expression: ir.Expr, spotlit: Spotlit, expressions: Expressions) -> ir.Expr:
    """Return *expression* with literals in the place of spotlit players and of what it asks of spotlit items."""

    def change(node: object) -> object:
        match node:
            case ir.Local(name) if isinstance(who := spotlit.get(name), int) and not isinstance(who, Item):
                return ir.Literal(who)
            case ir.AttributeOf(ir.Local(name), attribute) if isinstance(item := spotlit.get(name), Item):
                return ir.Literal(expressions.attribute(attribute)(item))
            case _:
                return node

    return ir.rewrite(expression, change)


def _constant_folded(expression: ir.Expr, expressions: Expressions) -> ir.Expr:
    """Return *expression* with its constant parts computed."""

    def change(node: object) -> object:
        match node:
            case ir.All(parts) if ir.NO in parts:
                return ir.NO
            case ir.All(parts) if ir.YES in parts:
                return ir.All(tuple(part for part in parts if part != ir.YES))
            case ir.Any(parts) if ir.YES in parts:
                return ir.YES
            case ir.Any(parts) if ir.NO in parts:
                return ir.Any(tuple(part for part in parts if part != ir.NO))
            case ir.Not() | ir.Equal() | ir.OneOf() | ir.Less() | ir.Contains() if _is_constant(node):
                return ir.Literal(bool(expressions.constant(node)))
            case _:
                return node

    folded = ir.rewrite(expression, change)
    return ir.Literal(expressions.constant(folded)) if _is_constant(folded) else folded


def _is_constant(expression: ir.Expr) -> bool:
    return not any(isinstance(node, _OfState) for node in ir.walk(expression))
