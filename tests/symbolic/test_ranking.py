"""What must eventually happen, at every size: what is proved never goes on for ever, and what goes
on for ever is never proved.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from stacklaw.checker.symbolic.encoding.features import Feature
from stacklaw.checker.symbolic.liveness.progress import progress
from stacklaw.checker.symbolic.liveness.ranking import Measure, measure_words, proposal
from stacklaw.checker.symbolic.liveness.termination import (
    PRECISION,
    Termination,
    join_neighbours,
    prove_progress,
    shortened,
)
from stacklaw.checker.symbolic.prove import Unproved
from stacklaw.checker.symbolic.solver.terms import metered
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.properties.load import property_named

CASES = Path(__file__).parent.parent / "properties" / "cases"
FUTURE = ("stack_drains", "round_ends", "turn_ends", "kernel_terminates")


def goes_round() -> str:
    return (CASES / "goes_round.rules").read_text(encoding="utf-8")


def proved(text: str, name: str) -> bool:
    program = load(Source("<test>", text))
    return isinstance(prove_progress(program, property_named(program, name)), Termination)


@pytest.mark.slow
@pytest.mark.parametrize("name", FUTURE)
def test_rules_that_go_round_are_not_proved(name: str) -> None:
    assert not proved(goes_round(), name)


def ended() -> str:
    """Return the rules that go round, mended: what is played is settled at last, and a player has
    priority again.
    """
    text = goes_round()
    first, last = text.rsplit("go settle", 1)
    return f"{first}go decide(active){last}"


def test_what_goes_round_is_proved_once_it_ends() -> None:
    assert proved(ended(), "kernel_terminates")


def test_who_keeps_priority_when_passing_keeps_it_for_ever() -> None:
    text = ended().replace("go decide(after holder)", "go decide(holder)")
    assert not proved(text, "round_ends")
    assert not proved(text, "stack_drains")


def test_a_measure_grows_in_no_sample_and_is_as_cheap_as_can_be() -> None:
    assert proposal([[-1, 5], [0, -1]], [1, 1]) == [6, 1]
    assert proposal([[-1, 0], [0, 0]], [1, 1]) == [1, 0]
    assert proposal([[1, -1], [-1, 1]], [1, 1]) is None


def test_the_moves_that_no_measure_grows_less_with_are_named() -> None:
    program = load(Source("<test>", goes_round()))
    answer = prove_progress(program, property_named(program, "stack_drains"))
    assert isinstance(answer, Unproved)
    assert (
        answer.reason
        == "no ranking was found that one of these clauses lowers and none raises: 3, 4"
    )


def test_no_more_is_done_than_the_budget_allows() -> None:
    program = load(Source("<test>", ended()))
    question = property_named(program, "kernel_terminates")
    needed = prove_progress(program, question)
    assert isinstance(needed, Termination)
    little = prove_progress(program, question, needed.spent // 2)
    assert isinstance(little, Unproved)
    assert little.reason.startswith("no ranking was found")
    assert little.spent < needed.spent


def test_a_ranking_does_without_what_it_does_not_need() -> None:
    program = load(Source("<test>", ended()))
    question = property_named(program, "kernel_terminates")
    found = prove_progress(program, question)
    assert isinstance(found, Termination)
    asked = progress(program, question, PRECISION)
    more = (*found.measures, Measure(()), *found.measures)
    assert (
        shortened(more, asked.steps, asked.system, found.invariant, metered(10_000_000))
        == found.measures
    )
    assert shortened(more, asked.steps, asked.system, found.invariant, metered(0)) == tuple(
        join_neighbours(more)
    )


def test_measures_of_one_thing_become_one_that_orders_as_they_do() -> None:
    dusk, noon, dawn = (
        Feature(f"step is {name}", {}, "step", name) for name in ("dusk", "noon", "dawn")
    )
    items = Measure(((1, Feature("the number of items on stack", {})),))
    day = (Measure(((2, dusk), (1, noon))), Measure(((1, noon), (3, dawn))))
    (one,) = join_neighbours(day)
    assert (
        measure_words(one) == "how far step has to go: 3 for dusk, 2 for noon, 1 for dawn, else 0"
    )
    assert join_neighbours([day[0], items, day[1]]) == [day[0], items, day[1]]
    assert join_neighbours([items, items]) == [items, items]


def test_places_that_count_alike_are_told_together() -> None:
    features = [
        Feature("", {}, "the stage and step", f"{stage} with step dusk")
        for stage in ("check", "decide", "passing")
    ]
    measure = Measure(
        (
            (2, Feature("", {}, "the stage and step", "check with step noon")),
            *((1, feature) for feature in features),
        )
    )
    said = "2 for check with step noon; 1 for check, decide or passing with step dusk; else 0"
    assert measure_words(measure) == f"how far the stage and step have to go: {said}"
