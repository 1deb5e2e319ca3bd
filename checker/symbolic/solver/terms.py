"""Z3 terms, simplified while they are built.

The encoding of a move is mostly constants (a stage is known, a flag was just set), and a path whose condition
is plainly false need not be followed; so these constructors fold what is constant and leave the rest to Z3.
Z3 has every term of a context once, so that two are the same if they are at the same place; asking it what a term is, through its
Python, would take most of the time of an encoding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias, TypeVar

import z3

Bool: TypeAlias = z3.BoolRef
Integer: TypeAlias = z3.ArithRef
Term: TypeAlias = z3.ExprRef
Sorted = TypeVar("Sorted", bound=z3.ExprRef)
"""Terms of one sort."""

TRUE: Bool = z3.BoolVal(True)
FALSE: Bool = z3.BoolVal(False)
_CONTEXT = z3.main_ctx()
_NUMBERS: dict[int, Integer] = {}
"""The numerals that were asked for; they are few."""


def number(value: int) -> Integer:
    """Return the numeral *value*."""
    if value not in _NUMBERS:
        _NUMBERS[value] = z3.IntVal(value)
    return _NUMBERS[value]


def truth(value: bool) -> Bool:
    """Return the constant *value*."""
    return TRUE if value else FALSE


def is_true(term: Term) -> bool:
    """Whether *term* is the constant true."""
    return is_same(term, TRUE)


def is_false(term: Term) -> bool:
    """Whether *term* is the constant false."""
    return is_same(term, FALSE)


def is_same(one: Term, other: Term) -> bool:
    """Whether two terms of the common context are one."""
    return bool(one.ast.value == other.ast.value)


def value_of(term: Integer) -> int | None:
    """Return the value of a numeral, None if *term* is none."""
    if z3.Z3_get_ast_kind(_CONTEXT.ref(), term.ast) != z3.Z3_NUMERAL_AST:
        return None
    return int(z3.Z3_get_numeral_string(_CONTEXT.ref(), term.ast))


def name_of(constant: Term) -> str:
    """Return what *constant* is called. Z3's printer says the same, at ten times the cost."""
    return str(constant.decl().name())


def sort_of(term: Term) -> str:
    """Return the sort of *term*: ``Bool`` or ``Int``."""
    return "Bool" if isinstance(term, z3.BoolRef) else "Int"


def both(*parts: Bool) -> Bool:
    """Return the conjunction of *parts*."""
    return all_of(parts)


def either(*parts: Bool) -> Bool:
    """Return the disjunction of *parts*."""
    return any_of(parts)


def all_of(parts: Iterable[Bool]) -> Bool:
    """Return the conjunction of *parts*."""
    return _joined(parts, TRUE, FALSE, z3.Z3_mk_and)


def any_of(parts: Iterable[Bool]) -> Bool:
    """Return the disjunction of *parts*."""
    return _joined(parts, FALSE, TRUE, z3.Z3_mk_or)


def _joined(parts: Iterable[Bool], nothing: Bool, everything: Bool, join: Callable[..., z3.Ast]) -> Bool:
    """Return *parts* joined, each once: *nothing* if there are none, *everything* if that is one of them."""
    kept: dict[int, Bool] = {}
    for part in parts:
        if is_same(part, everything):
            return everything
        if not is_same(part, nothing):
            kept.setdefault(part.ast.value, part)
    if len(kept) < 2:
        return next(iter(kept.values()), nothing)
    array = (z3.Ast * len(kept))(*(part.ast for part in kept.values()))
    return z3.BoolRef(join(_CONTEXT.ref(), len(kept), array), _CONTEXT)


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
    if is_same(left, right):
        return TRUE
    if isinstance(left, z3.BoolRef) and isinstance(right, z3.BoolRef):
        for one, other in ((left, right), (right, left)):
            if is_true(one):
                return other
            if is_false(one):
                return negation(other)
    elif value_of(left) is not None and value_of(right) is not None:
        return FALSE
    return _compared(z3.Z3_mk_eq, z3.Z3_mk_eq, left, right)


def less(left: Integer, right: Integer) -> Bool:
    """Return that *left* is less than *right*."""
    one, other = value_of(left), value_of(right)
    if one is not None and other is not None:
        return truth(one < other)
    return FALSE if is_same(left, right) else _compared(z3.Z3_mk_lt, z3.Z3_mk_gt, left, right)


def at_most(left: Integer, right: Integer) -> Bool:
    """Return that *left* is at most *right*."""
    one, other = value_of(left), value_of(right)
    if one is not None and other is not None:
        return truth(one <= other)
    return TRUE if is_same(left, right) else _compared(z3.Z3_mk_le, z3.Z3_mk_ge, left, right)


def _compared(comparison: Callable[..., z3.Ast], turned: Callable[..., z3.Ast], left: Term, right: Term) -> Bool:
    """Return a *comparison*; a numeral comes first, so that what is alike looks alike."""
    one, other = (right, left) if isinstance(right, z3.IntNumRef) else (left, right)
    return z3.BoolRef((comparison if one is left else turned)(_CONTEXT.ref(), one.ast, other.ast), _CONTEXT)


def plus(left: Integer, right: Integer) -> Integer:
    """Return the sum."""
    one, other = value_of(left), value_of(right)
    if one is not None and other is not None:
        return number(one + other)
    if other == 0:
        return left
    return right if one == 0 else left + right


def minus(left: Integer, right: Integer) -> Integer:
    """Return the difference."""
    one, other = value_of(left), value_of(right)
    if one is not None and other is not None:
        return number(one - other)
    return left if other == 0 else left - right


def one_if(condition: Bool) -> Integer:
    """Return 1 where *condition* holds, else 0."""
    return choice(condition, number(1), number(0))


def choice(condition: Bool, then: Sorted, otherwise: Sorted) -> Sorted:
    """Return *then* where *condition* holds, else *otherwise*."""
    chosen: Sorted = _choice(condition, then, otherwise)
    return chosen


def _choice(condition: Bool, then: Term, otherwise: Term) -> Term:
    if is_true(condition) or is_same(then, otherwise):
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


def replaced(term: Sorted, old: Iterable[Term], new: Iterable[Term]) -> Sorted:
    """Return *term* with *new* terms in the place of *old* ones."""
    found: Sorted = z3.substitute(term, *zip(old, new, strict=True))
    return found


def conjuncts(term: Bool) -> Iterator[Bool]:
    """Yield the parts that *term* is the conjunction of, each once, however often and however deep it stands there."""
    seen: set[int] = set()
    todo: list[Term] = [term]
    while todo:
        part = todo.pop()
        if part.ast.value in seen:
            continue
        seen.add(part.ast.value)
        if z3.is_and(part):
            todo.extend(reversed(part.children()))
        elif not is_true(part):
            assert isinstance(part, z3.BoolRef)
            yield part


def constants_of(*terms: Term) -> list[Term]:
    """Return the flags and numbers that *terms* leave open, each once, in the order in which they are met."""
    # Z3's own functions, without an object around each node: this goes through every formula there is.
    owner = terms[0].ctx if terms else _CONTEXT
    context = owner.ref()
    found: list[Term] = []
    seen: set[int] = set()
    todo = [term.ast for term in reversed(terms)]
    while todo:
        node = todo.pop()
        if node.value in seen:
            continue
        seen.add(node.value)
        kind = z3.Z3_get_ast_kind(context, node)
        if kind == z3.Z3_QUANTIFIER_AST:
            todo.append(z3.Z3_get_quantifier_body(context, node))
        elif kind == z3.Z3_APP_AST:
            places = range(z3.Z3_get_app_num_args(context, node))
            todo.extend(z3.Z3_get_app_arg(context, node, place) for place in reversed(places))
            if not places and z3.Z3_get_decl_kind(context, z3.Z3_get_app_decl(context, node)) == z3.Z3_OP_UNINTERPRETED:
                is_flag = z3.Z3_get_sort_kind(context, z3.Z3_get_sort(context, node)) == z3.Z3_BOOL_SORT
                found.append(z3.BoolRef(node, owner) if is_flag else z3.ArithRef(node, owner))
    return found
