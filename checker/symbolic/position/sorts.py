"""Sorts: how the values of the Program's types become Booleans and numbers, and which numbers they
can be.
"""

from __future__ import annotations

from typing import assert_never

import z3

from ....models import ir
from ....models.ir.analysis import Bounds, bounds_of
from ....models.ir.parts import statements
from ..solver import terms as t
from ..solver.terms import ZERO
from .frame import EncodingContext, SymbolicFrame
from .players import NOBODY
from .weakenings import UnsupportedError


def constant(name: str, type_: ir.Type) -> t.Term:
    """Return a constant called *name* for a value of *type_*."""
    return z3.Bool(name) if isinstance(type_, ir.FlagType) else z3.Int(name)


def fresh(frame: SymbolicFrame, what: str, type_: ir.Type) -> t.Term:
    """Return any value of *type_*."""
    context = frame.context
    term: t.Term = (
        context.fresh_truth(what) if isinstance(type_, ir.FlagType) else context.fresh_number(what)
    )
    frame.assume(in_range_if_any(context, term, type_))
    return term


def in_range_if_any(context: EncodingContext, term: t.Term, type_: ir.Type) -> t.Bool:
    """Return that *term* is a value of *type_*, if that has any: of items that there cannot be, an
    attribute may have none.
    """
    fits = in_range(context, term, type_)
    return (
        t.implies(
            t.at_most(constant_number(context, type_.low), constant_number(context, type_.high)),
            fits,
        )
        if isinstance(type_, ir.NumberType)
        else fits
    )


def is_in_range(context: EncodingContext, value: ir.Expr, type_: ir.Type) -> bool:
    """Whether *value* is one of *type_* in every position."""
    match type_:
        case ir.NumberType(low, high):
            if not isinstance(value, ir.Literal) or not isinstance(value.value, int):
                return False
            try:
                return limits(context, low)[1] <= value.value <= limits(context, high)[0]
            except UnsupportedError:
                return False
        case ir.FlagType() | ir.EnumType() | ir.PlayerType() | ir.PlayersType() | ir.ItemType():
            return True
        case _:
            assert_never(type_)


def in_range(context: EncodingContext, term: t.Term, type_: ir.Type) -> t.Bool:
    """Return that *term* is a value of *type_*."""
    match type_:
        case ir.FlagType():
            return t.TRUE
        case ir.NumberType(low, high):
            assert isinstance(term, z3.ArithRef)
            return t.both(
                t.at_most(constant_number(context, low), term),
                t.at_most(term, constant_number(context, high)),
            )
        case ir.EnumType(values):
            assert isinstance(term, z3.ArithRef)
            codes = sorted(context.code(value).as_long() for value in values)
            if codes == list(range(codes[0], codes[-1] + 1)):
                return t.both(
                    t.at_most(t.number(codes[0]), term), t.at_most(term, t.number(codes[-1]))
                )
            return t.any_of(t.equal(term, t.number(code)) for code in codes)
        case ir.PlayerType(optional):
            assert isinstance(term, z3.ArithRef)
            lowest = NOBODY if optional else ZERO
            return t.both(t.at_most(lowest, term), t.less(term, context.players.count))
        case ir.PlayersType() | ir.ItemType():
            raise UnsupportedError("a set of players, or an item, inside another value")
        case _:
            assert_never(type_)


def constant_number(context: EncodingContext, expr: ir.Expr) -> t.Integer:
    """Return the value of a constant number."""
    match expr:
        case ir.Literal(int(value)) if not isinstance(value, bool):
            return t.number(value)
        case ir.PlayerNumber():
            return context.players.count
        case ir.Add(left, right):
            return t.plus(constant_number(context, left), constant_number(context, right))
        case ir.Subtract(left, right):
            return t.minus(constant_number(context, left), constant_number(context, right))
        case (
            ir.Literal() | ir.OptionValue() | ir.NamedValue() | ir.Neighbour() | ir.SomePlayers()
            | ir.YesOrNo() | ir.Count() | ir.Size() | ir.EndOf() | ir.AttributeOf()
        ):  # fmt: skip
            raise UnsupportedError("a bound that is no constant number")
        case _:
            assert_never(expr)


def limits(context: EncodingContext, expr: ir.Expr) -> Bounds:
    """Return the least and the most that a constant number can be."""
    found = bounds_of(expr, lambda part: _limits(context, part))
    if found is None:
        raise UnsupportedError("some number up to one that is not known")
    return found


def _limits(context: EncodingContext, expr: ir.Expr) -> Bounds | None:
    value = t.value_of(constant_number(context, expr))
    return None if value is None else (value, value)


def literal(context: EncodingContext, value: bool | int | str | None) -> t.Term:
    """Return the term of a literal."""
    match value:
        case bool():
            return t.truth(value)
        case int():
            return t.number(value)
        case str():
            return context.code(value)
        case None:
            return NOBODY


def type_of_attribute(context: EncodingContext, name: str) -> ir.Type:
    """Return the type of an attribute of items; of kinds, only those that some clause puts on a
    zone.
    """
    if name not in context.types:
        context.types[name] = _type_of_attribute(context.program, name)
    return context.types[name]


def _type_of_attribute(program: ir.Program, name: str) -> ir.Type:
    if name == ir.KIND:
        put = {
            one.kind
            for _, clause in program.clauses
            for one in statements(clause.body)
            if isinstance(one, ir.Put)
        }
        return ir.EnumType(
            tuple(kind.name for kind in program.kinds if kind.name in put)
            or tuple(kind.name for kind in program.kinds)
        )
    if name == ir.CONTROLLER:
        return ir.PlayerType()
    return program.attribute(name).type
