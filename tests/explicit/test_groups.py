"""Formulas that are watched by one text, and step formulas that are looked for in one search, are
answered as if each were alone.
"""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from stacklaw.checker.explicit.decide import Deciding
from stacklaw.checker.explicit.emit.groups import MOST_BITS, Abstraction, groups_of, is_step
from stacklaw.checker.explicit.search import interpreted
from stacklaw.checker.questions.questions import Query, all_queries
from stacklaw.checker.reference.engine import look_for as look_for_reference
from stacklaw.checker.reference.formulas.signals import Signals
from stacklaw.checker.reference.semantics.explore import explore
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.replay.replay import replay
from stacklaw.checker.types.budget import Budget, Meter, Tuning
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.models import ir
from stacklaw.models.load import load_game
from stacklaw.properties import formula as f
from stacklaw.properties.load import claims_of

from ..luck import tries
from ..strategies_ir import SPOTLIGHTS, formulas, programs
from .test_following import games


def check_all(
    program: ir.Program,
    scope: Scope,
    signals: Signals,
    asked: list[Query],
    small: int,
    tuning: Tuning,
) -> None:
    """Compare the answers for all that is *asked*, together, with those of the reference."""
    interpreter = signals.graph.interpreter
    deciding = Deciding(program, scope, asked, interpreter, Meter(), small, tuning)
    for wanted in asked:
        expected = look_for_reference(signals, Query(wanted.formula, wanted.spotlights), Meter())
        looked = deciding.look_for(wanted)
        assert looked.found == expected.found
        assert (looked.trace is not None) == (expected.found and wanted.told)
        if looked.trace is not None and expected.trace is not None:
            assert len(looked.trace.steps) == len(expected.trace.steps)
            question = f.Property(
                "random", "", "", "possible", wanted.spotlights, wanted.formula, None, ""
            )
            replay(interpreter, looked.trace, question)


def drawn(data: st.DataObject, number: int) -> tuple[Signals, list[Query], Tuning]:
    """Return a random game, explored, and random formulas with all kinds of spotlights to be looked
    for at once.
    """
    program = data.draw(st.one_of(programs(), games()))
    scope = make_scope(
        program, data.draw(st.sampled_from([2, 2, 3])), {"stack": 2, "queue": 1, "pool": 2}
    )
    graph = explore(Interpreter(program, scope), Meter(Budget(positions=800)))
    assume(not graph.stopped)
    asked = []
    for _ in range(number):
        spotlights = data.draw(
            st.sampled_from(
                [
                    SPOTLIGHTS,
                    SPOTLIGHTS[::2],
                    SPOTLIGHTS[:2],
                    SPOTLIGHTS[:1],
                    SPOTLIGHTS[2:],
                    SPOTLIGHTS[2:],
                    (),
                ]
            )
        )
        asked.append(Query(data.draw(formulas(spotlights)), spotlights, data.draw(st.booleans())))
    return (
        Signals(graph),
        asked,
        Tuning(slicing=data.draw(st.booleans()), symmetry=data.draw(st.booleans())),
    )


def check_random(data: st.DataObject, small: int, number: int) -> None:
    """Look for random formulas together."""
    signals, asked, tuning = drawn(data, number)
    interpreter = signals.graph.interpreter
    check_all(interpreter.program, interpreter.scope, signals, asked, small, tuning)


@given(st.data())
@tries(20)
def test_random_formulas_together(data: st.DataObject) -> None:
    check_random(data, 1 << 60, 10)


@pytest.mark.rare
@pytest.mark.slow
@given(st.data())
@tries(15)
def test_more_random_formulas_together(data: st.DataObject) -> None:
    check_random(data, 1 << 60, 25)


@pytest.mark.slow
@given(st.data())
@tries(5)
def test_random_formulas_together_in_compiled_code(data: st.DataObject) -> None:
    pytest.importorskip("llvmlite")
    check_random(data, 3, 8)


@pytest.mark.slow
@given(st.data())
@tries(15)
def test_what_a_stopped_search_finds_has_no_shorter_play(data: st.DataObject) -> None:
    signals, asked, tuning = drawn(data, 10)
    interpreter, budget = (
        signals.graph.interpreter,
        Budget(positions=data.draw(st.integers(5, 100))),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(interpreted, "CHECK_EVERY", data.draw(st.integers(1, 8)))
        deciding = Deciding(
            interpreter.program,
            interpreter.scope,
            asked,
            interpreter,
            Meter(budget),
            1 << 60,
            tuning,
        )
        for wanted in asked:
            shortest = look_for_reference(
                signals, Query(wanted.formula, wanted.spotlights), Meter()
            ).trace
            looked = deciding.look_for(wanted)
            if looked.found:
                assert looked.is_shortest
                assert shortest is not None
                assert looked.trace is None or len(looked.trace.steps) == len(shortest.steps)
            else:
                assert shortest is None or (looked.stopped and len(shortest.steps) > looked.moves)


def test_the_clauses_of_a_game_are_one_search() -> None:
    program = load_game("mtg")
    (every,) = [
        claim.property
        for claim in claims_of(program)
        if any(one.kind == "clause" for one in claim.property.spotlights)
    ]
    (group,) = groups_of(((one, Abstraction()) for one in all_queries(program, every)), 2)
    (batch,) = group.batches
    assert len(batch.queries) == len(program.clauses)
    assert batch.told_bits == 0


def test_what_has_no_room_is_looked_for_in_several_searches() -> None:
    once = f.Once(f.SequenceEvent("begins", None))
    stages = [
        Query(f.And((f.AtStage(f"stage {number}"), f.Previously(f.AtStage("over")))), ())
        for number in range(3 * MOST_BITS)
    ]
    steps, other = groups_of([(one, Abstraction()) for one in (*stages, Query(once, ()))], 2)
    assert [len(batch.queries) for batch in steps.batches] == [MOST_BITS] * 3
    assert [len(batch.queries) for batch in other.batches] == [1]
    player = f.Spotlight("player", "p")
    back = Query(f.Previously(f.HasPriority(ir.Local("p"))), (player,))
    assert is_step(back, 2)
    assert not is_step(back, MOST_BITS + 1)
    marks = [
        Query(f.ItemEvent("leaves", None, f"zone {number}"), ()) for number in range(MOST_BITS + 1)
    ]
    assert [
        len(group.queries) for group in groups_of(((one, Abstraction()) for one in marks), 2)
    ] == [MOST_BITS, 1]
