"""Reading terms: nested lists of words -> Z3 terms, of a closed list of operators over constants
that are known.

Nothing is left to Z3's own parser: what is no operator of the list, is of another sort or is called
by a name that nobody gave raises `UnreadableError`. There are no quantifiers, no functions and no
products of unknowns, so every term is one of linear arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import z3

from ..solver import terms as t
from .smtlib import Expression, UnreadableError, symbol

MOST_DIGITS = 18
MOST_STEPS = 2_000_000
"""How many words and parentheses may be read of one term."""
_RESERVED = {"let", "true", "false"}
Bindings: TypeAlias = dict[str, list[t.Term]]
"""What each name stands for; of several the last one, as an inner `let` hides what is outside."""


def read_term(expression: Expression, constants: Mapping[str, t.Term], sort: str) -> t.Term:
    """Return the term of *expression*, of the *sort* ``Bool`` or ``Int``, where names stand for
    *constants*.
    """
    found = _Reading({name: [term] for name, term in constants.items()}).term(expression)
    if str(found.sort()) != sort:
        raise UnreadableError(f"it has a term of sort {found.sort()} where {sort} is wanted")
    return found


class _Reading:
    """The reading of one term, by what there is still to do, since a term may be nested more deeply
    than Python calls.
    """

    def __init__(self, scope: Bindings) -> None:
        self.scope = scope
        self.values: list[t.Term] = []
        self.todo: list[Callable[[], None]] = []

    def term(self, expression: Expression) -> t.Term:
        self._read_term(expression)
        steps = 0
        while self.todo:
            steps += 1
            if steps > MOST_STEPS:
                raise UnreadableError(f"it has a term of more than {MOST_STEPS:,} words")
            self.todo.pop()()
        (found,) = self.values
        return found

    def _read_term(self, expression: Expression) -> None:
        if isinstance(expression, str):
            self.values.append(self._atom(expression))
        elif len(expression) == 3 and expression[0] == "let":
            self._let(expression[1], expression[2])
        elif len(expression) > 1 and isinstance(name := expression[0], str) and name in _OPERATORS:
            arguments = expression[1:]
            self.todo.append(lambda: self._apply(name, len(arguments)))
            self.todo += [lambda one=one: self._read_term(one) for one in reversed(arguments)]  # type: ignore[misc]
        else:
            what = expression[0] if expression and isinstance(expression[0], str) else "("
            raise UnreadableError(f"it has a term that a certificate may not have: {what[:40]!r}")

    def _atom(self, word: str) -> t.Term:
        if word in ("true", "false"):
            return t.truth(word == "true")
        if word.isascii() and word.isdigit():
            if len(word) > MOST_DIGITS:
                raise UnreadableError(f"it has a number of more than {MOST_DIGITS} digits")
            return t.number(int(word))
        found = self.scope.get(symbol(word))
        if not found:
            raise UnreadableError(f"it speaks of {symbol(word)[:60]!r}, which it may not know")
        return found[-1]

    def _let(self, bindings: Expression, body: Expression) -> None:
        names: list[str] = []
        values: list[Expression] = []
        for binding in bindings if isinstance(bindings, list) else [bindings]:
            if not isinstance(binding, list) or len(binding) != 2:
                raise UnreadableError("it has a let that binds no names")
            names.append(symbol(binding[0]))
            values.append(binding[1])
        if len(set(names)) < len(names) or _RESERVED & {*names}:
            raise UnreadableError(
                "it has a let that binds one name twice, or one that has a meaning"
            )
        self.todo.append(lambda: self._end_scope(names))
        self.todo.append(lambda: self._read_term(body))
        self.todo.append(lambda: self._bind(names))
        self.todo += [lambda one=one: self._read_term(one) for one in reversed(values)]  # type: ignore[misc]

    def _bind(self, names: Sequence[str]) -> None:
        for name in reversed(names):
            self.scope.setdefault(name, []).append(self.values.pop())

    def _end_scope(self, names: Sequence[str]) -> None:
        for name in names:
            self.scope[name].pop()

    def _apply(self, name: str, number: int) -> None:
        arguments = self.values[-number:]
        del self.values[-number:]
        made = _OPERATORS[name](arguments)
        if made is None:
            sorts = " ".join(str(argument.sort()) for argument in arguments[:5])
            raise UnreadableError(f"it has {name!r} of what it is not defined for: {sorts}")
        self.values.append(made)


Made: TypeAlias = "t.Term | None"
"""A term; None if the operator is not defined for the arguments."""


def _truths(
    make: Callable[[Sequence[t.Term]], t.Term], least: int, most: int | None
) -> Callable[[list[t.Term]], Made]:
    """Return an operator on truths."""
    return lambda found: make(found) if _are(found, z3.BoolRef, least, most) else None


def _numbers(
    make: Callable[[Sequence[t.Term]], t.Term], least: int, most: int | None
) -> Callable[[list[t.Term]], Made]:
    """Return an operator on numbers."""
    return lambda found: make(found) if _are(found, z3.ArithRef, least, most) else None


def _are(found: Sequence[t.Term], kind: type, least: int, most: int | None) -> bool:
    return (
        len(found) >= least
        and (most is None or len(found) <= most)
        and all(isinstance(one, kind) for one in found)
    )


def _compared(make: Callable[..., z3.Ast]) -> Callable[[list[t.Term]], Made]:
    """Return a comparison of two numbers as it is written: Python's operators turn one with a
    numeral round.
    """
    return _numbers(lambda found: _truth_of(make, found), 2, 2)


def _truth_of(make: Callable[..., z3.Ast], found: Sequence[t.Term]) -> t.Term:
    context = found[0].ctx
    return z3.BoolRef(make(context.ref(), found[0].ast, found[1].ast), context)


def _equal(found: list[t.Term]) -> Made:
    fits = len(found) == 2 and found[0].sort() == found[1].sort()
    return _truth_of(z3.Z3_mk_eq, found) if fits else None


def _choice(found: list[t.Term]) -> Made:
    fits = (
        len(found) == 3 and isinstance(found[0], z3.BoolRef) and found[1].sort() == found[2].sort()
    )
    return z3.If(*found) if fits else None


def _minus(found: Sequence[t.Term]) -> t.Term:
    first, *rest = found
    assert isinstance(first, z3.ArithRef)
    if not rest:
        value = t.value_of(first)
        return -first if value is None else t.number(-value)
    for one in rest:
        assert isinstance(one, z3.ArithRef)
        first = z3.ArithRef(
            z3.Z3_mk_sub(first.ctx.ref(), 2, (z3.Ast * 2)(first.ast, one.ast)), first.ctx
        )
    return first


def _product(found: list[t.Term]) -> Made:
    if not _are(found, z3.ArithRef, 2, 2) or all(
        t.value_of(one) is None for one in found if isinstance(one, z3.ArithRef)
    ):
        return None
    return z3.Product(*found)


_OPERATORS: Mapping[str, Callable[[list[t.Term]], Made]] = {
    "and": _truths(lambda found: z3.And(*found), 1, None),
    "or": _truths(lambda found: z3.Or(*found), 1, None),
    "not": _truths(lambda found: z3.Not(found[0]), 1, 1),
    "=>": _truths(lambda found: z3.Implies(found[0], found[1]), 2, 2),
    "=": _equal,
    "<": _compared(z3.Z3_mk_lt),
    "<=": _compared(z3.Z3_mk_le),
    ">": _compared(z3.Z3_mk_gt),
    ">=": _compared(z3.Z3_mk_ge),
    "+": _numbers(lambda found: z3.Sum(*found), 2, None),
    "-": _numbers(_minus, 1, None),
    "*": _product,
    "ite": _choice,
}
"""What a term may be made of, each with what it makes of its arguments."""
