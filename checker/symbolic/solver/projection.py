"""Projection: a formula without constants that do not matter; linear sums taken apart.

For one model after the other (Komuravelli, Gurfinkel and Chaki, 2014), Z3 tells a formula without
the constants. It is true in that model, and implies that the constants have values; all its models
are done with. A formula that takes too many models is given up.

Linear sums: a number that is added up of others -> what is added, each once, with how often; and
back, in one order.

Two terms that add the same up have the same sum, in any order and with any parentheses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import z3

from ....models.frozen import frozen
from ...types.budget import Meter
from . import terms as t
from .terms import ONE, metered

MOST_SUMMANDS = 5_000
"""How many parts of a sum are looked at; those of rankings have some hundreds."""


@frozen
class LinearSum:
    """What is added up: how many *times* each of *parts* is, by their places in Z3's memory. A
    constant counts as that many times 1.
    """

    times: Mapping[int, int]
    parts: Mapping[int, t.Integer]

    @property
    def term(self) -> t.Integer:
        """The sum as a term: its parts by their texts, the constant first."""
        total = t.number(self.times.get(ONE.ast.value, 0))
        for place in sorted(self.times, key=lambda one: self.parts[one].sexpr()):
            if place != ONE.ast.value:
                times, part = self.times[place], self.parts[place]
                total = t.plus(total, part if times == 1 else t.number(times) * part)
        return total


def linear(term: t.Integer) -> LinearSum:
    """Return what is added up in *term*; raise ValueError if that is too much to look at."""
    sums: dict[int, Counter[int]] = {}
    parts: dict[int, t.Integer] = {}
    todo, seen = [term], 0
    while todo:
        seen += 1
        if seen > MOST_SUMMANDS:
            raise ValueError("a sum has too many parts")
        node = todo[-1]
        added = [(1, node)] if node.ast.value in sums else list(_added(node))
        if waiting := [
            part for _, part in added if part.ast.value not in sums and not t.is_same(part, node)
        ]:
            todo += waiting
            continue
        todo.pop()
        if node.ast.value not in sums:
            sums[node.ast.value] = _total(node, added, sums, parts)
    times = {place: number for place, number in sums[term.ast.value].items() if number}
    return LinearSum(times, {place: parts[place] for place in times})


def _total(
    node: t.Integer,
    added: list[tuple[int, t.Integer]],
    sums: dict[int, Counter[int]],
    parts: dict[int, t.Integer],
) -> Counter[int]:
    """Return how often each part is in *node*, which adds up what is *added*, whose *sums* are
    known; new *parts* are noted.
    """
    total = Counter[int]()
    for times, part in added:
        if t.is_same(part, node):
            value = t.value_of(part)
            atom = part if value is None else ONE
            parts[atom.ast.value] = atom
            total[atom.ast.value] += times if value is None else value
        else:
            for place, number in sums[part.ast.value].items():
                total[place] += times * number
    return total


def _added(term: t.Integer) -> Iterator[tuple[int, t.Integer]]:
    """Yield what *term* adds up by itself, each with how often; *term* once if it is no sum."""
    numbers = [part for part in term.children() if isinstance(part, z3.ArithRef)]
    if z3.is_add(term):
        yield from ((1, part) for part in numbers)
    elif z3.is_sub(term):
        yield from ((-1 if place else 1, part) for place, part in enumerate(numbers))
    elif z3.is_app_of(term, z3.Z3_OP_UMINUS):
        yield -1, numbers[0]
    elif z3.is_mul(term) and len(numbers) == 2 and (by := t.value_of(numbers[0])) is not None:
        yield by, numbers[1]
    elif z3.is_mul(term) and len(numbers) == 2 and (by := t.value_of(numbers[1])) is not None:
        yield by, numbers[0]
    else:
        yield 1, term


MOST = 60
"""How many models are looked at; with more, what is said would be too long to be of use."""


class TooMuchError(Exception):
    """It takes more than it may."""


def project(
    condition: t.Bool, free: Sequence[t.Term], meter: Meter, given: Sequence[t.Bool] = ()
) -> list[t.Bool]:
    """Return alternatives without the constants *free*: one of them is true where *given* is, and
    *condition* for some values of them.

    Raises `TooMuchError` if what *meter* has left is not enough.
    """
    solver = z3.SimpleSolver()
    solver.add(condition, *given)
    cases: list[t.Bool] = []
    while True:
        solver.set("rlimit", max(meter.units_left, 1))  # with none there would be no limit
        answer = solver.check()
        if answer == z3.unsat:
            return cases
        if answer != z3.sat or len(cases) == MOST or meter.units_left <= 0:
            raise TooMuchError
        cases.append(_case(condition, free, solver.model()))
        solver.add(t.negation(cases[-1]))


def _case(condition: t.Bool, free: Sequence[t.Term], model: z3.ModelRef) -> t.Bool:
    """Return a formula without the constants *free*, true in *model*, from which it follows that
    some values of them have *condition*.
    """
    constants = (z3.Ast * len(free))(*(constant.as_ast() for constant in free))
    found = z3.Z3_qe_model_project(
        condition.ctx.ref(), model.model, len(free), constants, condition.as_ast()
    )
    return z3.BoolRef(found, condition.ctx)


def has_quantifiers(term: t.Bool) -> bool:
    """Whether *term* has any."""
    goal = z3.Goal()
    goal.add(term)
    return bool(z3.Probe("has-quantifiers")(goal))


def without_quantifiers(term: t.Bool, units: int) -> t.Bool:
    """Return what *term* says without quantifiers; raise `TooMuchError` if that takes more than
    *units* units.
    """
    if not has_quantifiers(term):
        return term
    meter = metered(units)
    done: dict[
        int, tuple[z3.ExprRef, z3.ExprRef]
    ] = {}  # the terms are kept, so that their ids stay theirs

    def rid(term: z3.ExprRef) -> z3.ExprRef:
        if term.get_id() not in done:
            done[term.get_id()] = (
                term,
                _of_quantifier(term) if z3.is_quantifier(term) else _of_parts(term),
            )
        return done[term.get_id()][1]

    def _of_parts(term: z3.ExprRef) -> z3.ExprRef:
        parts = [rid(part) for part in term.children()]
        same = all(new.eq(old) for new, old in zip(parts, term.children(), strict=True))
        return term if same else t.replaced(term, term.children(), parts)

    def _of_quantifier(term: z3.QuantifierRef) -> t.Bool:
        if term.is_lambda():
            raise TooMuchError
        bound = [z3.FreshConst(term.var_sort(number)) for number in range(term.num_vars())]
        body = rid(z3.substitute_vars(term.body(), *reversed(bound)))
        assert isinstance(body, z3.BoolRef)
        exists = t.any_of(project(t.negation(body) if term.is_forall() else body, bound, meter))
        return t.negation(exists) if term.is_forall() else exists

    result = rid(term)
    assert isinstance(result, z3.BoolRef)
    return result
