"""Stated by a certificate: the values of its heading, and the functions and terms read from it.

The invariant of each stage and the numbers of a ranking are taken from it. What the file says of
moves and of obligations is only kept to be compared. A text that is no certificate raises
`UnreadableError`.

Reading terms: nested lists of words -> Z3 terms, of a closed list of operators over constants
that are known.

Nothing is left to Z3's own parser: an operator outside the list, a wrong sort and an unknown name
raise `UnreadableError`. There are no quantifiers, no functions and no products of unknowns, so
every term is one of linear arithmetic.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from itertools import zip_longest
from typing import TypeAlias

import z3

from ....models.frozen import frozen
from ..encoding.encode import REMEMBERED, Precision
from ..solver import terms as t
from .certificate import INVARIANT, RANK
from .smtlib import (
    HEADER,
    Expression,
    HeadingField,
    UnreadableError,
    commands,
    expression_text,
    listed,
    refuse_others,
    symbol,
    values_in,
)

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
            self.todo += [partial(self._read_term, one) for one in reversed(arguments)]
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
        self.todo += [partial(self._read_term, one) for one in reversed(values)]

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


_Operator: TypeAlias = "Callable[[Sequence[t.Term]], t.Term | None]"
"""Makes a term of arguments; None if the operator is not defined for them."""


def _of(
    kind: type[z3.ExprRef], make: Callable[..., t.Term | None], least: int, most: int | None
) -> _Operator:
    """Return an operator on *least* to *most* terms (None: any number more) of one *kind*."""

    def make_of(found: Sequence[t.Term]) -> t.Term | None:
        fits = len(found) >= least and (most is None or len(found) <= most)
        return make(*found) if fits and all(isinstance(one, kind) for one in found) else None

    return make_of


def _as_written(make: Callable[..., z3.Ast]) -> Callable[[t.Term, t.Term], t.Term]:
    """Return a comparison of two terms as it is written: Python's operators turn one with a numeral
    round.
    """
    return lambda left, right: z3.BoolRef(make(left.ctx.ref(), left.ast, right.ast), left.ctx)


def _equal(found: Sequence[t.Term]) -> t.Term | None:
    fits = len(found) == 2 and found[0].sort() == found[1].sort()
    return _as_written(z3.Z3_mk_eq)(*found) if fits else None


def _choice(found: Sequence[t.Term]) -> t.Term | None:
    fits = (
        len(found) == 3 and isinstance(found[0], z3.BoolRef) and found[1].sort() == found[2].sort()
    )
    return z3.If(*found) if fits else None


def _minus(first: t.Integer, *rest: t.Integer) -> t.Term:
    if not rest:
        value = t.value_of(first)
        return -first if value is None else t.number(-value)
    for one in rest:
        first = z3.ArithRef(
            z3.Z3_mk_sub(first.ctx.ref(), 2, (z3.Ast * 2)(first.ast, one.ast)), first.ctx
        )
    return first


def _product(left: t.Integer, right: t.Integer) -> t.Term | None:
    is_linear = t.value_of(left) is not None or t.value_of(right) is not None
    return z3.Product(left, right) if is_linear else None


_OPERATORS: Mapping[str, _Operator] = {
    "and": _of(z3.BoolRef, z3.And, 1, None),
    "or": _of(z3.BoolRef, z3.Or, 1, None),
    "not": _of(z3.BoolRef, z3.Not, 1, 1),
    "=>": _of(z3.BoolRef, z3.Implies, 2, 2),
    "=": _equal,
    "<": _of(z3.ArithRef, _as_written(z3.Z3_mk_lt), 2, 2),
    "<=": _of(z3.ArithRef, _as_written(z3.Z3_mk_le), 2, 2),
    ">": _of(z3.ArithRef, _as_written(z3.Z3_mk_gt), 2, 2),
    ">=": _of(z3.ArithRef, _as_written(z3.Z3_mk_ge), 2, 2),
    "+": _of(z3.ArithRef, z3.Sum, 2, None),
    "-": _of(z3.ArithRef, _minus, 1, None),
    "*": _of(z3.ArithRef, _product, 2, 2),
    "ite": _choice,
}
"""What a term may be made of, each with what it makes of its arguments."""


MOST_BYTES = 20_000_000
MOST_RANKS = 100
_SORTS = ("Bool", "Int")
_RANK = re.compile(f"{RANK}([1-9][0-9]{{0,3}}) (.*)", re.DOTALL)


@frozen
class StatedFunction:
    """A function of a certificate: its *parameters*, each with its sort, its own *sort* and its
    *body*.
    """

    parameters: Mapping[str, str]
    sort: str
    body: Expression

    def over(self, cells: Sequence[t.Term], sort: str) -> t.Term:
        """Return the function as a term over *cells*, which are called like its parameters; raises
        `UnreadableError`.
        """
        if self.sort != sort:
            raise UnreadableError(f"it has a function of sort {self.sort} where {sort} is wanted")
        by_name = {t.name_of(cell): cell for cell in cells}
        constants = {
            name: by_name[name]
            for name, of in self.parameters.items()
            if name in by_name and t.sort_of(by_name[name]) == of
        }
        return read_term(self.body, constants, sort)


class Stated:
    """The certificate *text*, read."""

    def __init__(self, text: str) -> None:
        if len(text) > MOST_BYTES:
            raise UnreadableError(f"it is larger than {MOST_BYTES:,} bytes")
        if not text.startswith(f"{HEADER}\n"):
            raise UnreadableError("it is no certificate of this version of Stacklaw")
        self.values = values_in(text)
        self.commands = list(commands(text))
        refuse_others(self.commands)
        self.functions: dict[str, StatedFunction] = {}
        for command in self.commands:
            self._take_command(command)

    def _take_command(self, command: list[Expression]) -> None:
        if command[0] == "define-fun":
            name = symbol(command[1])
            if name in self.functions:
                raise UnreadableError(f"it defines {name[:60]!r} twice")
            self.functions[name] = _function(command)

    @cached_property
    def precision(self) -> Precision:
        """How much its encoding remembers."""
        kept = listed(self.values.get(HeadingField.ENCODING, ""))
        if unknown := {*kept} - {*REMEMBERED}:
            raise UnreadableError(f"its encoding is unknown: {', '.join(sorted(unknown))[:60]}")
        found = Precision(**{one: one in kept for one in REMEMBERED})
        if found.counts and not (found.seats and found.attributes):
            raise UnreadableError(
                "nothing is ever proved in its encoding, which counts items and forgets what is "
                "less"
            )
        return found

    def invariant(self, cells: Mapping[str, tuple[t.Term, ...]]) -> dict[str, t.Bool]:
        """Return the invariant of each stage, over its *cells*; of a stage that it does not name,
        that no play comes there.
        """
        found: dict[str, t.Bool] = {}
        for stage, of_stage in cells.items():
            function = self.functions.get(f"{INVARIANT}{stage}")
            term = t.FALSE if function is None else _of_stage(function, of_stage, stage, "Bool")
            assert isinstance(term, z3.BoolRef)
            found[stage] = term
        return found

    def ranks(self, cells: Mapping[str, tuple[t.Term, ...]]) -> list[dict[str, t.Integer]]:
        """Return the numbers of a ranking, each with its term over the *cells* of each stage of
        which it says anything.

        It says nothing of stages where no move begins or ends that may be made again and again.
        """
        found: dict[int, dict[str, t.Integer]] = {}
        for name, function in self.functions.items():
            place = _RANK.fullmatch(name)
            if place is not None and place[2] in cells:
                term = _of_stage(function, cells[place[2]], place[2], "Int")
                assert isinstance(term, z3.ArithRef)
                found.setdefault(int(place[1]), {})[place[2]] = term
        if len(found) > MOST_RANKS:
            raise UnreadableError(f"its ranking has more than {MOST_RANKS} numbers")
        return [found[place] for place in sorted(found)]

    def differs(self, other: Stated) -> str:
        """Return the first command in which this differs from *other*, but for what is taken from
        it; empty if there is none.
        """
        pairs = zip_longest(self.asked, other.asked, fillvalue="")
        return next((mine or its for mine, its in pairs if mine != its), "")

    @property
    def asked(self) -> list[str]:
        """The commands, each as one text, without the functions that are taken."""
        return [expression_text(command) for command in self.commands if not _is_taken(command)]


def _is_taken(command: list[Expression]) -> bool:
    return command[0] == "define-fun" and symbol(command[1]).startswith((INVARIANT, RANK))


def _function(command: list[Expression]) -> StatedFunction:
    _, _, parameters, sort, body = command
    found: dict[str, str] = {}
    for parameter in parameters if isinstance(parameters, list) else [parameters]:
        if (
            not isinstance(parameter, list)
            or len(parameter) != 2
            or not isinstance(parameter[1], str)
            or parameter[1] not in _SORTS
        ):
            raise UnreadableError(
                "it has a function with a parameter that is neither a truth nor a number"
            )
        name = symbol(parameter[0])
        if name in found:
            raise UnreadableError(f"it has a function with two parameters called {name[:60]!r}")
        found[name] = parameter[1]
    if not isinstance(sort, str) or sort not in _SORTS:
        raise UnreadableError("it has a function that is neither a truth nor a number")
    return StatedFunction(found, sort, body)


def _of_stage(function: StatedFunction, cells: Sequence[t.Term], stage: str, sort: str) -> t.Term:
    try:
        return function.over(cells, sort)
    except UnreadableError as error:
        raise UnreadableError(f"{error}, in what it says of {stage}") from error
