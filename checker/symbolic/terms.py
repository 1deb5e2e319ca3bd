"""Z3 terms, simplified while they are built.

The encoding of a move is mostly constants (a stage is known, a flag was just set), and a path whose condition
is plainly false need not be followed; so these constructors fold what is constant and leave the rest to Z3.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import z3

Bool: TypeAlias = z3.BoolRef
Number: TypeAlias = z3.ArithRef
Term: TypeAlias = z3.ExprRef

TRUE: Bool = z3.BoolVal(True)
FALSE: Bool = z3.BoolVal(False)


def number(value: int) -> Number:
    """Return the numeral *value*."""
    return z3.IntVal(value)


def truth(value: bool) -> Bool:
    """Return the constant *value*."""
    return TRUE if value else FALSE


def is_true(term: Term) -> bool:
    """Whether *term* is the constant true."""
    return bool(z3.is_true(term))


def is_false(term: Term) -> bool:
    """Whether *term* is the constant false."""
    return bool(z3.is_false(term))


def both(*parts: Bool) -> Bool:
    """Return the conjunction of *parts*."""
    return all_of(parts)


def either(*parts: Bool) -> Bool:
    """Return the disjunction of *parts*."""
    return any_of(parts)


def all_of(parts: Iterable[Bool]) -> Bool:
    """Return the conjunction of *parts*."""
    kept: list[Bool] = []
    for part in parts:
        if is_false(part):
            return FALSE
        if not is_true(part) and not any(part.eq(other) for other in kept):
            kept.append(part)
    return TRUE if not kept else kept[0] if len(kept) == 1 else z3.And(*kept)


def any_of(parts: Iterable[Bool]) -> Bool:
    """Return the disjunction of *parts*."""
    kept: list[Bool] = []
    for part in parts:
        if is_true(part):
            return TRUE
        if not is_false(part) and not any(part.eq(other) for other in kept):
            kept.append(part)
    return FALSE if not kept else kept[0] if len(kept) == 1 else z3.Or(*kept)


def negation(term: Bool) -> Bool:
    """Return the negation of *term*."""
    if is_true(term):
        return FALSE
    if is_false(term):
        return TRUE
    return term.arg(0) if z3.is_not(term) else z3.Not(term)


def implies(left: Bool, right: Bool) -> Bool:
    """Return that *left* implies *right*."""
    return any_of((negation(left), right))


def equal(left: Term, right: Term) -> Bool:
    """Return the equality of two terms of one sort."""
    if left.eq(right):
        return TRUE
    if z3.is_int_value(left) and z3.is_int_value(right):
        return FALSE
    if isinstance(left, z3.BoolRef) and isinstance(right, z3.BoolRef):
        for one, other in ((left, right), (right, left)):
            if is_true(one):
                return other
            if is_false(one):
                return negation(other)
    result: Bool = left == right
    return result


def less(left: Number, right: Number) -> Bool:
    """Return that *left* is less than *right*."""
    if z3.is_int_value(left) and z3.is_int_value(right):
        return truth(left.as_long() < right.as_long())
    return FALSE if left.eq(right) else left < right


def at_most(left: Number, right: Number) -> Bool:
    """Return that *left* is at most *right*."""
    if z3.is_int_value(left) and z3.is_int_value(right):
        return truth(left.as_long() <= right.as_long())
    return TRUE if left.eq(right) else left <= right


def plus(left: Number, right: Number) -> Number:
    """Return the sum."""
    if z3.is_int_value(left) and z3.is_int_value(right):
        return number(left.as_long() + right.as_long())
    if z3.is_int_value(right) and right.as_long() == 0:
        return left
    if z3.is_int_value(left) and left.as_long() == 0:
        return right
    return left + right


def minus(left: Number, right: Number) -> Number:
    """Return the difference."""
    if z3.is_int_value(left) and z3.is_int_value(right):
        return number(left.as_long() - right.as_long())
    if z3.is_int_value(right) and right.as_long() == 0:
        return left
    return left - right


def one_if(condition: Bool) -> Number:
    """Return 1 where *condition* holds, else 0."""
    term = choice(condition, number(1), number(0))
    assert isinstance(term, z3.ArithRef)
    return term


def choice(condition: Bool, then: Term, otherwise: Term) -> Term:
    """Return *then* where *condition* holds, else *otherwise*."""
    if is_true(condition) or then.eq(otherwise):
        return then
    if is_false(condition):
        return otherwise
    if isinstance(then, z3.BoolRef) and isinstance(otherwise, z3.BoolRef):
        if is_true(then):
            return either(condition, otherwise)
        if is_false(then):
            return both(negation(condition), otherwise)
        if is_true(otherwise):
            return either(negation(condition), then)
        if is_false(otherwise):
            return both(condition, then)
    return z3.If(condition, then, otherwise)


def constants_of(term: Term) -> list[Term]:
    """Return the flags and numbers that *term* leaves open, each once, in the order in which they are met."""
    # Z3's own functions, without an object around each node: this goes through every formula there is.
    context = term.ctx.ref()
    found: list[Term] = []
    seen: set[int] = set()
    todo = [term.as_ast()]
    while todo:
        node = todo.pop()
        name = z3.Z3_get_ast_id(context, node)
        if name in seen:
            continue
        seen.add(name)
        kind = z3.Z3_get_ast_kind(context, node)
        if kind == z3.Z3_QUANTIFIER_AST:
            todo.append(z3.Z3_get_quantifier_body(context, node))
        elif kind == z3.Z3_APP_AST:
            places = range(z3.Z3_get_app_num_args(context, node))
            todo.extend(z3.Z3_get_app_arg(context, node, place) for place in reversed(places))
            if not places and z3.Z3_get_decl_kind(context, z3.Z3_get_app_decl(context, node)) == z3.Z3_OP_UNINTERPRETED:
                is_flag = z3.Z3_get_sort_kind(context, z3.Z3_get_sort(context, node)) == z3.Z3_BOOL_SORT
                found.append(z3.BoolRef(node, term.ctx) if is_flag else z3.ArithRef(node, term.ctx))
    return found
