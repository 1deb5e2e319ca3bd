"""With symmetry and without, on slices and on whole positions: the reference's answers, after plays
as long, and fewer positions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from stacklaw.checker.explicit.decide import Deciding
from stacklaw.checker.questions.questions import Query, all_queries
from stacklaw.checker.reference.engine import look_for as look_for_reference
from stacklaw.checker.reference.formulas.signals import Signals
from stacklaw.checker.reference.semantics.explore import explore
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.replay.replay import replay
from stacklaw.checker.types.budget import Budget, Meter, Tuning
from stacklaw.checker.types.scope import make_scope
from stacklaw.models import ir
from stacklaw.models.load import game_names, load_game
from stacklaw.properties import formula as f
from stacklaw.properties.load import catalogue, claims_of, property_named

from ..luck import tries
from ..strategies_ir import SPOTLIGHTS, formulas, programs
from .test_following import games

NEVER = 1 << 60
TUNINGS = [
    Tuning(slicing=slicing, symmetry=symmetry)
    for slicing, symmetry in product((False, True), (False, True))
]


def check_answers(
    signals: Signals, asked: Iterable[Query], small: int = NEVER, fewer: float = 0
) -> None:
    """Compare the answers to all that is *asked*, in all four ways, to the reference's; turned
    positions are at least *fewer* times fewer.
    """
    interpreter, asked = signals.graph.interpreter, list(dict.fromkeys(asked))
    program, scope = interpreter.program, interpreter.scope
    deciding = [
        Deciding(program, scope, asked, interpreter, Meter(), small, tuning) for tuning in TUNINGS
    ]
    for one in asked:
        expected = look_for_reference(signals, Query(one.formula, one.spotlights), Meter())
        answers = [each.answer(one) for each in deciding]
        assert [answer.found for answer in answers] == [expected.trace is not None] * len(
            answers
        ), one
        for answer in answers:
            if answer.trace is not None and expected.trace is not None:
                assert len(answer.trace.steps) == len(expected.trace.steps), one
                replay(
                    interpreter,
                    answer.trace,
                    f.Property("asked", "", "", "possible", one.spotlights, one.formula, None, ""),
                )
        whole, turned, sliced, both = (answer.result.counts.positions for answer in answers)
        if expected.trace is None:
            assert len({bool(answer.result.counts.cut) for answer in answers}) == 1, one
            assert (
                max(answer.result.counts.layers for answer in answers)
                == answers[0].result.counts.layers
            ), one
            assert turned <= whole
            assert both <= sliced <= whole
            if fewer:
                assert whole >= fewer * turned
                assert sliced >= fewer * both


def questions(program: ir.Program) -> Iterator[Query]:
    """Yield all that the catalogue and the claims may look for, without what must eventually
    happen.
    """
    named = [property_named(program, entry.name) for entry in catalogue() if not entry.is_strategy]
    for question in (*named, *(claim.property for claim in claims_of(program))):
        if question.mode != "progress":
            yield from all_queries(program, question)


def check_random(data: st.DataObject, number: int, small: int = NEVER) -> None:
    """Look for random formulas in a random Program."""
    program = data.draw(st.one_of(programs(), games()))
    scope = make_scope(
        program, data.draw(st.sampled_from([2, 3, 3])), {"stack": 2, "queue": 1, "pool": 2}
    )
    graph = explore(Interpreter(program, scope), Meter(Budget(positions=800)))
    assume(not graph.stopped)
    some = [SPOTLIGHTS, SPOTLIGHTS[::2], SPOTLIGHTS[:2], SPOTLIGHTS[:1], SPOTLIGHTS[2:], ()]
    drawn = [data.draw(st.sampled_from(some)) for _ in range(number)]
    check_answers(
        Signals(graph),
        [Query(data.draw(formulas(spotlights)), spotlights) for spotlights in drawn],
        small,
    )


@pytest.mark.slow
@given(st.data())
@tries(8)
def test_random_formulas_of_random_programs(data: st.DataObject) -> None:
    check_random(data, 4)


@pytest.mark.rare
@pytest.mark.slow
@given(st.data())
@tries(15)
def test_random_formulas_of_many_more_programs(data: st.DataObject) -> None:
    """Every formula in all four ways and by the reference: what is asked of one of them alone
    elsewhere is less.
    """
    check_random(data, 8)


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "players"), [*product(game_names(), [2]), ("mtg", 3), ("stack", 3), ("stack", 4)]
)
def test_questions_of_the_games(game: str, players: int) -> None:
    """One in twenty, and of more players others."""
    program = load_game(game)
    scope = make_scope(program, players, {zone.name: 1 for zone in program.zones})
    check_answers(
        Signals(explore(Interpreter(program, scope), Meter())),
        list(questions(program))[players::20],
        20_000,
        1 if game == "netrunner" else players - 0.1,  # where seats have roles none is like another
    )
