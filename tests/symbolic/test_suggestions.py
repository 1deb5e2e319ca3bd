"""What those who suggest a proof must not say, though the prover finds it out: each is asked of two
numbers and a move.
"""

from __future__ import annotations

import pytest
import z3

from stacklaw.checker.symbolic.encoding.features import Feature
from stacklaw.checker.symbolic.encoding.system import START, Breach, Rule, System, first_failure
from stacklaw.checker.symbolic.liveness.ranking import Measure, Ranked, Ranking, grows_less
from stacklaw.checker.symbolic.safety import houdini, suggest
from stacklaw.checker.symbolic.solver import terms as t
from stacklaw.checker.symbolic.solver.terms import metered

UNITS = 1_000_000
X, Y, CHANGE = z3.Int("x"), z3.Int("y"), z3.Int("change")
OF_X, OF_Y = Feature("x", {"s": X}), Feature("y", {"s": Y})
LESS = Rule("1", "s", "s", t.TRUE, (X - 1, Y), t.FALSE)


def system(step: Rule) -> System:
    begin = Rule("", START, "s", t.TRUE, (t.number(0), t.number(0)), t.FALSE)
    return System({"s": (X, Y)}, {"s": t.TRUE}, (begin, step), (), frozenset(), {})


def ranked(step: Rule) -> Ranked:
    invariant = {"s": z3.And(X >= 0, Y >= 0)}
    return Ranking(
        system(step), [step], [OF_X, OF_Y], invariant, lambda *_: None, metered(UNITS)
    ).find()


@pytest.mark.parametrize(("before", "is_less"), [(5, True), (0, True), (-1, False)])
def test_what_is_below_0_grows_less_for_ever(before: int, is_less: bool) -> None:
    less = grows_less(LESS, system(LESS), [Measure(((1, OF_X),))])
    assert z3.simplify(z3.substitute(less, (X, t.number(before)))).eq(t.truth(is_less))


@pytest.mark.parametrize("changes", [(-1, 1), (1, -1)])
def test_no_measure_ever_grows(changes: tuple[int, int]) -> None:
    """Whichever way to take the step is looked at first."""
    step = Rule(
        "1", "s", "s", z3.Or([change == CHANGE for change in changes]), (X + CHANGE, Y + 5), t.FALSE
    )
    assert ranked(step) == Ranked((), ("1",))


def test_what_only_grows_less_is_a_measure() -> None:
    assert ranked(LESS) == Ranked((Measure(((1, OF_X),)),))


def test_a_candidate_that_nobody_could_check_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    step = Rule("1", "s", "s", X >= 1, (X - 1, Y), t.FALSE)
    candidates = {"s": [X >= 0, X >= 1]}
    assert list(houdini.dropped(system(step), candidates, metered(UNITS))["s"]) == [0]
    monkeypatch.setattr(houdini, "check_assuming", lambda *_: z3.unknown)
    assert not houdini.dropped(system(step), candidates, metered(UNITS))["s"]


BIT = z3.Bool("bit 0")
IN_RANGE = z3.And(X >= 0, X <= 4)


def steps_in_turn(skipped: z3.BoolRef) -> System:
    """Return a system of steps 0 to 4, the bit being whether step 2 was, which 4 needs; from 1 one
    may go to 3 where 2 may be *skipped*.
    """
    begin = Rule("", START, "s", t.TRUE, (t.number(0), t.FALSE), t.FALSE)
    onward = Rule("1", "s", "s", X < 4, (X + 1, z3.Or(BIT, X + 1 == 2)), t.FALSE)
    skip = Rule("2", "s", "s", z3.And(X == 1, skipped), (t.number(3), BIT), t.FALSE)
    bad = Breach("", "s", z3.And(X == 4, z3.Not(BIT)))
    return System({"s": (X, BIT)}, {"s": IN_RANGE}, (begin, onward, skip), (bad,), frozenset(), {})


def test_what_was_is_known_from_where_the_game_is() -> None:
    held = steps_in_turn(BIT)
    found = suggest.recall(held, [BIT], metered(40 * UNITS))
    assert found.invariant is not None
    assert first_failure(held, found.invariant, UNITS) is None
    assert all(
        solved(found.invariant["s"], t.equal(X, t.number(step))) == z3.sat for step in range(5)
    )


def test_what_may_be_skipped_is_not_known() -> None:
    assert suggest.recall(steps_in_turn(t.TRUE), [BIT], metered(40 * UNITS)).invariant is None


def test_what_was_is_not_looked_for_with_little() -> None:
    assert suggest.recall(steps_in_turn(BIT), [BIT], metered(UNITS)).invariant is None
    assert suggest.recall(steps_in_turn(BIT), [], metered(40 * UNITS)).invariant is None


def solved(*terms: z3.BoolRef) -> z3.CheckSatResult:
    solver = z3.SimpleSolver()
    solver.add(*terms)
    return solver.check()
