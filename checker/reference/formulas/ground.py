"""Grounding: a formula, and what its spotlights stand for -> the formula without them.

Players become their seats, and what is asked of an item (its kind, controller, attributes, as they
are now) becomes the answer. What is said of an item not seen yet becomes false. Where an item *is*,
and what happens to it, stays as it is; the monitor follows the item.

The logic of the formula is kept node by node, so that its past subformulas keep their numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias, assert_never

from ....models import ir
from ....models.ir.analysis import is_moving
from ....models.ir.parts import expressions as expressions_in
from ....models.ir.parts import locals_in, of_expressions
from ....properties import formula as f
from ....properties.parts import of_formulas
from ...types.position import Item
from ..semantics.expressions import Expressions

Spotlit: TypeAlias = Mapping[str, int | Item | None]
"""What the spotlights stand for: a seat, an item, or None for an item not seen yet."""

TRUE: f.Formula = f.And(())
FALSE: f.Formula = f.Or(())


def ground(formula: f.Formula, spotlit: Spotlit, expressions: Expressions) -> f.Formula:
    """Return *formula* with its spotlights replaced by what they stand for."""
    return ir.rewrite(formula, of_formulas(lambda part: _ground(part, spotlit, expressions)))


def _ground(formula: f.Formula, spotlit: Spotlit, expressions: Expressions) -> f.Formula:
    """Return *formula* so, if it has no parts or if they are ground already."""
    match formula:
        case f.Compound():
            return formula
        case f.Holds(expression, items):
            if any(spotlit[item] is None for item in items):
                return FALSE
            value = _constant_folded(_substituted(expression, spotlit, expressions), expressions)
            return (
                (TRUE if value.value else FALSE)
                if isinstance(value, ir.Literal)
                else f.Holds(value)
            )
        case f.HasPriority() | f.Enabled() | f.LeafOfMove() | f.On() | f.IsNext():
            return _about_players(formula, spotlit, expressions)
        case f.ClausePossible() | f.AtStage() | f.GameIsOver() | f.Gap() | f.Conflict():
            return _about_players(formula, spotlit, expressions)
        case _:
            assert_never(formula)


_About: TypeAlias = (
    f.HasPriority | f.Enabled | f.PlayerEvent | f.Uses | f.On | f.IsNext | f.ItemEvent | f.ClausePossible | f.AtStage | f.GameIsOver
    | f.Gap | f.Conflict | f.SequenceEvent
)  # fmt: skip


def _about_players(formula: _About, spotlit: Spotlit, expressions: Expressions) -> f.Formula:
    match formula:
        case (
            f.HasPriority(player) | f.Enabled(player) | f.PlayerEvent(_, player) | f.Uses(_, player)
        ):
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
    if any(spotlit[name] is None for name in locals_in(expressions_in(player))):
        return None
    return _constant_folded(_substituted(player, spotlit, expressions), expressions)


def _substituted(expression: ir.Expr, spotlit: Spotlit, expressions: Expressions) -> ir.Expr:
    """Return *expression* with literals in the place of spotlit players and of what it asks of
    spotlit items.
    """

    def change(expr: ir.Expr) -> ir.Expr:
        match expr:
            case ir.Local(name) if isinstance(who := spotlit.get(name), int) and not isinstance(
                who, Item
            ):
                return ir.Literal(who)
            case ir.AttributeOf(ir.Local(name), attribute) if isinstance(
                item := spotlit.get(name), Item
            ):
                return ir.Literal(expressions.attribute(attribute)(item))
            case (
                ir.Literal() | ir.OptionValue() | ir.Amount() | ir.NamedValue() | ir.Neighbour()
                | ir.SomePlayers() | ir.YesOrNo() | ir.EndOf() | ir.AttributeOf()
            ):  # fmt: skip
                return expr  # it names no spotlight, or in its parts only
            case _:
                assert_never(expr)

    return ir.rewrite(expression, of_expressions(change))


def _constant_folded(expression: ir.Expr, expressions: Expressions) -> ir.Expr:
    """Return *expression* with its constant parts computed."""

    def change(expr: ir.Expr) -> ir.Expr:
        match expr:
            case ir.All(parts) if ir.NO in parts:
                return ir.NO
            case ir.All(parts) if ir.YES in parts:
                return ir.All(tuple(part for part in parts if part != ir.YES))
            case ir.Any(parts) if ir.YES in parts:
                return ir.YES
            case ir.Any(parts) if ir.NO in parts:
                return ir.Any(tuple(part for part in parts if part != ir.NO))
            case ir.Not() | ir.Equal() | ir.OneOf() | ir.Less() | ir.Contains() if _is_constant(
                expr
            ):
                return ir.Literal(bool(expressions.constant(expr)))
            case (
                ir.Literal() | ir.OptionValue() | ir.Amount() | ir.NamedValue() | ir.Neighbour()
                | ir.SomePlayers() | ir.YesOrNo() | ir.EndOf() | ir.AttributeOf()
            ):  # fmt: skip
                return expr  # it depends on the position, is no condition, or does not decide one
            case _:
                assert_never(expr)

    folded = ir.rewrite(expression, of_expressions(change))
    return ir.Literal(expressions.constant(folded)) if _is_constant(folded) else folded


def _is_constant(expression: ir.Expr) -> bool:
    return not any(map(is_moving, expressions_in(expression)))
