"""Replay: an engine whose play is not what it says is caught."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from stacklaw.checker.replay.replay import ReplayError
from stacklaw.checker.run.check import check
from stacklaw.checker.types.budget import Meter
from stacklaw.checker.types.engine import Decision, Engine
from stacklaw.checker.types.position import SpotlitItem, Trace
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.checker.types.verdict import Counts, Outcome
from stacklaw.models import ir
from stacklaw.properties import formula as f

from .questions import GAME, ITEM, RESOLVES, SCOPE, always, possible, verdict


class Liar:
    """An engine that changes what the reference finds by *lie*."""

    name = "liar"
    slices = True

    def __init__(self, outcome: Outcome, trace: Trace) -> None:
        self.outcome, self.trace = outcome, trace

    def decide(
        self, program: ir.Program, properties: Sequence[f.Property], scope: Scope, meter: Meter
    ) -> Iterator[tuple[Decision, Counts]]:
        assert make_scope(program, scope.players)
        assert not meter.interrupted
        for question in properties:
            yield Decision(self.outcome, question, self.trace), Counts(1, 0, 1, 0)


def true_trace() -> Trace:
    trace = verdict(always(f.Not(RESOLVES), ITEM)).trace
    assert trace is not None
    return trace


def lies() -> dict[str, Trace]:
    trace = true_trace()
    item = dict(trace.spotlights)["i"]
    assert isinstance(item, SpotlitItem)
    first, *rest = trace.steps
    return {
        "is not possible there": replace(
            trace, steps=(replace(first, move=first.move._replace(owner=1)), *rest)
        ),
        "move 2 of the trace": replace(trace, steps=(first, *rest[1:])),
        "does not begin with the initial position": replace(trace, initial=first.position),
        "at moment 3 of the trace": replace(trace, steps=trace.steps[:3]),
        "spotlight i stands for": replace(trace, spotlights=(("i", replace(item, since=2)),)),
        "spotlight i stands for 0": replace(trace, spotlights=(("i", 0),)),
        "other spotlights": replace(trace, spotlights=(("x", item),)),
        "at moment 4 of the trace": replace(trace, spotlights=()),
    }


@pytest.mark.parametrize("complaint", lies())
def test_a_lying_engine_is_caught(complaint: str) -> None:
    """Spin 83: the interpreter makes each play again; what the search has written down does not
    count.
    """
    engine: Engine = Liar(Outcome.VIOLATED, lies()[complaint])
    with pytest.raises(ReplayError, match=complaint):
        check(GAME, [always(f.Not(RESOLVES), ITEM)], SCOPE, engine=engine)


def test_the_truth_is_not() -> None:
    engine: Engine = Liar(Outcome.VIOLATED, true_trace())
    (found,) = check(GAME, [always(f.Not(RESOLVES), ITEM)], SCOPE, engine=engine)
    assert (found.trace, found.engine) == (true_trace(), "liar")


def test_two_spotlights_on_one_item_are_a_lie() -> None:
    trace = true_trace()
    ((_, item),) = trace.spotlights
    question = possible(RESOLVES, ITEM, f.Spotlight("item", "j"))
    with pytest.raises(ReplayError, match="two spotlights stand for one item"):
        check(
            GAME,
            [question],
            SCOPE,
            engine=Liar(Outcome.POSSIBLE, replace(trace, spotlights=(("i", item), ("j", item)))),
        )


def test_an_item_that_was_moved_there_was_not_put_there() -> None:
    """A spotlight turns to an item when that is put on a zone, and to none when one only leaves or
    is moved.
    """
    trace = true_trace()
    events = [
        (moment, number, event)
        for moment, step in enumerate(trace.steps, 1)
        for number, event in enumerate(step.move.events)
    ]
    others = [
        SpotlitItem(event.item, moment, number)
        for moment, number, event in events
        if event.item is not None and event.kind != "put"
    ]
    assert others
    for item in others:
        with pytest.raises(ReplayError, match="spotlight i stands for"):
            check(
                GAME,
                [always(f.Not(RESOLVES), ITEM)],
                SCOPE,
                engine=Liar(Outcome.VIOLATED, replace(trace, spotlights=(("i", item),))),
            )


def test_a_play_that_does_not_show_what_is_possible_is_a_lie() -> None:
    trace = true_trace()
    shorter = replace(trace, steps=trace.steps[:3])
    with pytest.raises(ReplayError, match="at moment 3 of the trace"):
        check(GAME, [possible(RESOLVES, ITEM)], SCOPE, engine=Liar(Outcome.POSSIBLE, shorter))
