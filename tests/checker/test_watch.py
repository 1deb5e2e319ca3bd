"""The monitors and the product search against the definition, on all short plays of random
Programs.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacklaw.checker.questions.questions import Query
from stacklaw.checker.reference.engine import look_for
from stacklaw.checker.reference.formulas.evaluate import Evaluator
from stacklaw.checker.reference.formulas.signals import Signals
from stacklaw.checker.reference.semantics.explore import explore
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.replay.replay import replay
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.position import SpotlitItem, Trace, TraceStep
from stacklaw.checker.types.scope import make_scope
from stacklaw.properties import formula as f

from ..luck import tries
from ..strategies_ir import SPOTLIGHTS, formulas, programs

DEEPEST = 5
MOST_PLAYS = 100


def plays(interpreter: Interpreter) -> Iterator[Trace]:
    """Yield all plays, shorter ones first, up to `DEEPEST` moves and as long as they are few."""
    layer = [Trace(interpreter.initial(), ())]
    for _ in range(DEEPEST + 1):
        yield from layer
        layer = [
            Trace(play.initial, (*play.steps, TraceStep(move, target)))
            for play in layer
            for move, target in interpreter.moves(play.positions[-1]).moves
        ]
        if len(layer) > MOST_PLAYS:
            return


def watched(play: Trace, spotlights: tuple[f.Spotlight, ...], players: int) -> Iterator[Trace]:
    """Yield *play* with everything that its spotlights can stand for."""
    put = [
        SpotlitItem(event.item, moment, number)
        for moment, step in enumerate(play.steps, 1)
        for number, event in enumerate(step.move.events)
        if event.kind == "put" and event.item is not None
    ]
    choices = [
        range(players) if spotlight.kind == "player" else [None, *put] for spotlight in spotlights
    ]
    for chosen in product(*choices):
        items = [who for who in chosen if isinstance(who, SpotlitItem)]
        if len(set(items)) == len(items):
            named = zip((spotlight.name for spotlight in spotlights), chosen, strict=True)
            yield Trace(
                play.initial,
                play.steps,
                tuple((name, who) for name, who in named if who is not None),
            )


@given(st.data())
@tries(40)
def test_the_search_finds_the_shortest_play_that_the_definition_finds(data: st.DataObject) -> None:
    the_search_agrees_with_the_definition(data, 5)


@pytest.mark.rare
@pytest.mark.slow
@given(st.data())
@tries(50)
def test_the_search_finds_it_in_many_more_games(data: st.DataObject) -> None:
    the_search_agrees_with_the_definition(data, 10)


def the_search_agrees_with_the_definition(data: st.DataObject, number: int) -> None:
    """Look for *number* random formulas in a random game, and among all its short plays."""
    program = data.draw(programs())
    interpreter = Interpreter(
        program,
        make_scope(
            program, 2, {"stack": 2, "queue": data.draw(st.sampled_from([1, 2])), "pool": 2}
        ),
    )
    signals = Signals(
        explore(interpreter, Meter(Budget(positions=data.draw(st.sampled_from([20, 3000])))))
    )
    short = list(plays(interpreter))
    for _ in range(number):
        spotlights = data.draw(
            st.sampled_from(
                [SPOTLIGHTS, SPOTLIGHTS[::2], SPOTLIGHTS[:2], SPOTLIGHTS[:1], SPOTLIGHTS[2:], ()]
            )
        )
        formula = data.draw(formulas(spotlights))
        agree(signals, short, formula, spotlights)


def agree(
    signals: Signals, short: list[Trace], formula: f.Formula, spotlights: tuple[f.Spotlight, ...]
) -> None:
    """Hold what the search says of *formula* against the definition, on the *short* plays."""
    interpreter = signals.graph.interpreter
    answer = look_for(signals, Query(formula, spotlights), Meter())
    shortest = None
    for play in short:
        if any(
            Evaluator(interpreter, one).holds(formula, len(play.steps))
            for one in watched(play, spotlights, 2)
        ):
            shortest = len(play.steps)
            break
    if answer.trace is not None:
        replay(
            interpreter,
            answer.trace,
            f.Property("random", "", "", "possible", spotlights, formula, None, ""),
        )
        found, seen = len(answer.trace.steps), signals.graph.complete_layers - 1
        if answer.is_shortest:
            assert shortest == found or (shortest is None and found > len(short[-1].steps))
        else:  # a shorter play may lead through positions that were not explored
            assert signals.graph.stopped
            assert seen + 1 < found
            assert shortest is None or seen < shortest <= found
    else:
        assert shortest is None or (answer.stopped and shortest > answer.moves)
