"""What is said without quantifiers is the same, and what takes too much is given up."""

from __future__ import annotations

import pytest
import z3

from stacklaw.checker.symbolic.solver import terms as t
from stacklaw.checker.symbolic.solver.projection import (
    MOST,
    TooMuchError,
    project,
    without_quantifiers,
)
from stacklaw.checker.symbolic.solver.terms import metered

X, Y, W = z3.Ints("x y w")
A, B = z3.Bools("a b")
PLENTY = 1_000_000


@pytest.mark.parametrize(
    "formula",
    [
        z3.And(X > 1, z3.Or(X > 3, z3.Exists([Y], z3.And(Y > X, Y < W)))),
        z3.ForAll([Y], z3.Implies(z3.And(Y > X, Y < W), Y == X + 1)),
        z3.Exists([A], z3.And(z3.Or(A, B), z3.Exists([Y], z3.And(Y * 2 == X, z3.Or(A, Y > 0))))),
        z3.Not(z3.Exists([X, A], z3.And(X > Y, z3.Implies(A, X < W), A))),
        z3.Exists([Y], z3.ForAll([X], z3.Implies(X > W, z3.Or(X > Y, B)))),
        z3.And(X > 1, B),
    ],
)
def test_the_same_without_quantifiers(formula: t.Bool) -> None:
    said = without_quantifiers(formula, PLENTY)
    assert not z3.Probe("has-quantifiers")(goal(said))
    solver = z3.Solver()
    solver.add(z3.Xor(formula, said))
    assert solver.check() == z3.unsat


def goal(term: t.Bool) -> z3.Goal:
    found = z3.Goal()
    found.add(term)
    return found


def test_what_takes_too_much_is_given_up() -> None:
    with pytest.raises(TooMuchError):
        without_quantifiers(z3.Exists([Y], z3.And(Y > X, Y < W)), 1)
    many = z3.Or([z3.And(2 * number == X, number == Y) for number in range(MOST + 1)])
    with pytest.raises(TooMuchError):
        project(many, [Y], metered(PLENTY))
    assert len(project(many, [Y], metered(PLENTY), [X < 20])) == 10


@pytest.mark.parametrize("constant", [X, A, z3.Int(5), z3.FreshInt("picked")])
def test_constants_are_called_what_z3_prints(constant: t.Term) -> None:
    assert t.name_of(constant) == str(constant)


@pytest.mark.parametrize("value", [0, 7, -3])
def test_a_number_is_known_however_it_was_made(value: int) -> None:
    assert t.value_of(t.number(value)) == t.value_of(z3.IntVal(value)) == value
    assert t.value_of(t.plus(X, t.number(value))) is None
