"""What is found on a slice is what is found on whole positions: the same answers, after plays as
long.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacklaw.checker.explicit.decide import Deciding
from stacklaw.checker.explicit.engine import Explicit
from stacklaw.checker.questions.questions import Query, all_queries
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.run.check import check
from stacklaw.checker.types.budget import Budget, Meter, Tuning
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.checker.types.verdict import Outcome
from stacklaw.models import ir
from stacklaw.models.load import game_names, load_game
from stacklaw.properties.load import catalogue, claims_of, property_named

from ..luck import tries
from ..rulesets import asked
from ..strategies_ir import SPOTLIGHTS, formulas, programs
from .test_following import games

SLICED, WHOLE = Tuning(slicing=True, symmetry=False), Tuning(slicing=False, symmetry=False)


def check_answers(
    program: ir.Program, scope: Scope, wanted: Iterable[Query], most: int | None = None
) -> None:
    """Look for all that is *wanted* on slices and on whole positions; each play found is replayed
    as it is told.
    """
    asked = list(wanted)
    sliced, whole = (
        Deciding(
            program,
            scope,
            asked,
            Interpreter(program, scope),
            Meter(Budget(positions=most)),
            1 << 60,
            tuning,
        )
        for tuning in (SLICED, WHOLE)
    )
    for one in asked:
        found, expected = sliced.answer(one), whole.answer(one)
        if expected.result.stopped:
            continue
        assert found.found == expected.found, one
        assert found.result.counts.positions <= expected.result.counts.positions
        if found.trace is not None and expected.trace is not None:
            assert len(found.trace.steps) == len(expected.trace.steps), one
        if not found.found:
            assert bool(found.result.counts.cut) == bool(expected.result.counts.cut), one
            assert found.result.counts.layers <= expected.result.counts.layers


def questions(program: ir.Program) -> Iterator[Query]:
    """Yield all that the catalogue and the claims may look for, without properties of what must
    eventually happen.
    """
    named = [property_named(program, entry.name) for entry in catalogue() if not entry.is_strategy]
    for question in (*named, *(claim.property for claim in claims_of(program))):
        if question.mode in ("always", "possible"):
            yield from all_queries(program, question)


def check_settings(game: str, every: int, of_questions: int) -> None:
    """Check one in *every* of the settings of *game*, and one in *of_questions* of its questions,
    in its smallest scope; each time others.
    """
    options = [
        {},
        *(
            {option.name: value}
            for option in load_game(game).options
            for value, _ in option.values[1:]
        ),
    ]
    for number, setting in enumerate(options[::every]):
        program = load_game(game, setting)
        scope = make_scope(program, None, {zone.name: 1 for zone in program.zones})
        check_answers(
            program,
            scope,
            list(dict.fromkeys(questions(program)))[number % of_questions :: of_questions],
        )


@pytest.mark.long
@pytest.mark.parametrize("game", game_names())
def test_some_questions_of_the_games(game: str) -> None:
    check_settings(game, 9, 20)


def check_random(program: ir.Program, data: st.DataObject) -> None:
    """Check some random formulas about *program*."""
    scope = make_scope(
        program, data.draw(st.sampled_from([2, 2, 3])), {"stack": 2, "queue": 1, "pool": 2}
    )
    spotlights = data.draw(
        st.sampled_from([SPOTLIGHTS, SPOTLIGHTS[::2], SPOTLIGHTS[:1], SPOTLIGHTS[2:], ()])
    )
    check_answers(
        program, scope, [Query(data.draw(formulas(spotlights)), spotlights) for _ in range(3)], 3000
    )


@pytest.mark.slow
@given(programs(), st.data())
@tries(20)
def test_random_formulas_of_random_programs(program: ir.Program, data: st.DataObject) -> None:
    check_random(program, data)


@pytest.mark.slow
@given(games(), st.data())
@tries(20)
def test_random_formulas_of_programs_that_follow_items(
    program: ir.Program, data: st.DataObject
) -> None:
    check_random(program, data)


SOMEBODY = """\
game "A test"
players 2 or more
scope players 2
start decide(active, active)
state
  a : flag
  b : flag
stage decide(holder: player, other: player)
  priority holder
  may 1 "by somebody whom nothing asks for"
    by other
    pass
    if a
      b := no
    else
      b := yes
    a := b
    b := a
    a := not b
    b := not a
    require b
    go decide(after holder, after other)
"""
"""A move whose rest is long, so that it is a function of its own, and whose owner the slice does
not know.
"""


def test_whose_move_it_is_may_be_dropped_where_only_the_clause_is_asked_for() -> None:
    program, question = asked(SOMEBODY, "always clause 1 is possible")
    (verdict,) = check(program, [question], make_scope(program), engine=Explicit(Interpreter))
    assert verdict.outcome == Outcome.HOLDS
