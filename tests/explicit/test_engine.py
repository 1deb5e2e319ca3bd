"""The explicit engine behind the protocol: verdicts, counts and lengths as the reference's, through the door that replays."""

from __future__ import annotations

import pytest

from stacklaw.checker.budget import Budget
from stacklaw.checker.explicit.engine import Explicit
from stacklaw.checker.reference.interpreter import Interpreter
from stacklaw.checker.run import check
from stacklaw.checker.scope import make_scope
from stacklaw.checker.tuning import Tuning
from stacklaw.checker.verdict import Outcome
from stacklaw.models import ir
from stacklaw.models.load import load_game
from stacklaw.properties import formula as f
from stacklaw.properties.load import catalogue, property_named


@pytest.mark.parametrize("game", ["zx", "stack"])
def test_the_catalogue(game: str) -> None:
    program = load_game(game)
    scope = make_scope(program, None, {zone.name: 1 for zone in program.zones})
    asked = [question for question in _all_decided(program) if question.mode != "progress"]
    expected = check(program, asked, scope)
    for tuning in (Tuning(slicing=False, symmetry=False), Tuning()):
        verdicts = check(program, asked, scope, engine=Explicit(Interpreter, tuning=tuning))
        for mine, theirs in zip(verdicts, expected, strict=True):
            assert (mine.outcome, mine.reason, mine.bound) == (theirs.outcome, theirs.reason, theirs.bound)
            assert (mine.trace and len(mine.trace.steps)) == (theirs.trace and len(theirs.trace.steps))
            assert tuning.slicing or mine.counts == theirs.counts
            assert mine.engine == "explicit"


def _all_decided(program: ir.Program) -> list[f.Property]:
    return [property_named(program, entry.name) for entry in catalogue() if entry.decided]


def test_a_search_that_may_not_finish_is_bounded() -> None:
    program = load_game("mtg")
    scope = make_scope(program)
    (verdict,) = check(program, [property_named(program, "lifo")], scope, Budget(positions=2000), engine=Explicit(Interpreter))
    assert verdict.outcome is Outcome.BOUNDED
    assert "2,000 positions" in verdict.reason
    assert verdict.bound


def test_a_position_too_wide_for_the_words_is_said_so() -> None:
    program = load_game("mtg")
    scope = make_scope(program, 4, {"stack": 40})
    whole = Explicit(Interpreter, tuning=Tuning(slicing=False))
    (verdict,) = check(program, [property_named(program, "lifo")], scope, engine=whole)
    assert verdict.outcome is Outcome.UNKNOWN
    assert "stack takes" in verdict.reason
