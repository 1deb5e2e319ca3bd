"""What the explicit engine says of formulas is what the reference says: the same answers, plays as
short, and every play replays.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from stacklaw.checker.explicit.decide import Deciding
from stacklaw.checker.questions.questions import Query
from stacklaw.checker.reference.engine import look_for as look_for_reference
from stacklaw.checker.reference.formulas.signals import Signals
from stacklaw.checker.reference.semantics.explore import explore
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.replay.replay import replay
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.models import ir
from stacklaw.models.load import game_names, load_game
from stacklaw.properties import formula as f
from stacklaw.properties.load import catalogue, claims_of, property_named

from ..luck import tries
from ..strategies_ir import SPOTLIGHTS, formulas, programs


def check_answer(
    program: ir.Program,
    scope: Scope,
    signals: Signals,
    question: f.Property,
    formula: f.Formula,
    small: int,
) -> None:
    """Compare the answers for *formula*, which decides *question* or is what it is about."""
    interpreter = signals.graph.interpreter
    query = Query(formula, question.spotlights)
    expected = look_for_reference(signals, query, Meter())
    answer = Deciding(program, scope, [query], interpreter, Meter(), small).answer(query)
    assert (answer.trace is None) == (expected.trace is None), question.name
    if answer.trace is not None and expected.trace is not None:
        assert len(answer.trace.steps) == len(expected.trace.steps), question.name
        replay(
            interpreter,
            answer.trace,
            f.Property(question.name, "", "", "possible", question.spotlights, formula, None, ""),
        )


def check_random(data: st.DataObject, small: int, number: int) -> None:
    """Look for random formulas in a random Program."""
    program = data.draw(programs())
    scope = make_scope(
        program, data.draw(st.sampled_from([2, 2, 3])), {"stack": 2, "queue": 1, "pool": 2}
    )
    graph = explore(Interpreter(program, scope), Meter(Budget(positions=1500)))
    assume(not graph.stopped)
    for _ in range(number):
        spotlights = data.draw(
            st.sampled_from(
                [SPOTLIGHTS, SPOTLIGHTS[::2], SPOTLIGHTS[:2], SPOTLIGHTS[:1], SPOTLIGHTS[2:], ()]
            )
        )
        question = f.Property(
            "random", "", "", "possible", spotlights, data.draw(formulas(spotlights)), None, ""
        )
        check_answer(program, scope, Signals(graph), question, question.body, small)


@pytest.mark.slow
@given(st.data())
@tries(25)
def test_random_formulas_of_random_programs(data: st.DataObject) -> None:
    check_random(data, 1 << 60, 3)


@pytest.mark.slow
@given(st.data())
@tries(8)
def test_random_formulas_in_compiled_code(data: st.DataObject) -> None:
    pytest.importorskip("llvmlite")
    check_random(data, 3, 2)


def questions(program: ir.Program) -> Iterator[f.Property]:
    """Yield the properties of the catalogue that are decided, and the claims, without those about
    every clause.
    """
    for entry in catalogue():
        if not entry.is_strategy:
            yield property_named(program, entry.name)
    yield from (claim.property for claim in claims_of(program))


def check_questions(game: str, every: int) -> None:
    """Compare the answers to one in *every* of a game's properties and claims, in its smallest
    scope.
    """
    program = load_game(game)
    scope = make_scope(program, None, {zone.name: 1 for zone in program.zones})
    signals = Signals(explore(Interpreter(program, scope), Meter()))
    asked = [
        question
        for question in questions(program)
        if all(spotlight.kind != "clause" for spotlight in question.spotlights)
    ]
    for question in asked[::every]:
        wanted = f.Not(question.body) if question.mode == "always" else question.body
        for formula in (wanted, *(condition.formula for condition in question.conditions)):
            check_answer(program, scope, signals, question, formula, 20_000)


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names())
def test_some_properties_of_the_games(game: str) -> None:
    check_questions(game, 24)
