"""Projection: a formula without the constants that do not matter, or without its quantifiers
(model-based projection).

For one model after the other (Komuravelli, Gurfinkel and Chaki, 2014), Z3 tells a formula without
the constants that is true in it, and from which it follows that they have values; the models it has
are done with. Whatever takes too many models is given up.
"""

from __future__ import annotations

from collections.abc import Sequence

import z3

from ...types.budget import Meter
from . import terms as t
from .units import metered

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
    """Return what *term* says without quantifiers; raises `TooMuchError` if that takes more than so
    many *units*.
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
