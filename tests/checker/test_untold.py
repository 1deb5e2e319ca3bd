"""What shows a verdict has no say in it: plays and tables that a budget or somebody ends are left
out, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from time import monotonic
from typing import Any

import pytest

from stacklaw.checker.enforcing import decide, on_graph
from stacklaw.checker.enforcing import decide as compact
from stacklaw.checker.enforcing.on_graph import WITHIN
from stacklaw.checker.run.check import check
from stacklaw.checker.run.engines import EngineName, engine_named
from stacklaw.checker.strategies.arena import arena_of
from stacklaw.checker.tables import sampling
from stacklaw.checker.types import budget
from stacklaw.checker.types.budget import INTERRUPTED, Budget
from stacklaw.checker.types.position import NO_ANSWER
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Outcome, Verdict
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.properties.load import claims_of, property_named

from ..rulesets import MAY_PUT_OR_END, WHERE_B_PLAYS

RULES = """
game "Taking turns"
source "a test"
players 2
start ask(active)

state
  due : flag

stage ask(p: player)
  priority p

  may 1 "do it"
    due := yes
    go ask(after p)

  may 2 "undo it"
    due := no
    go ask(after p)

  may 3 "say nothing"
    pass
    go ask(after p)

claims
  possible reached
    for some player p: p can enforce eventually due

  impossible kept
    for some player p: p can enforce eventually (due and previously due)
"""
TIME = Budget(seconds=600)


def verdicts(engine: EngineName) -> list[Verdict]:
    program = load(Source("turns.rules", RULES))
    asked = [property_named(program, name) for name in ("reached", "kept")]
    return check(program, asked, make_scope(program), TIME, engine=engine_named(engine))


def is_spent(monkeypatch: pytest.MonkeyPatch, place: Any, name: str) -> None:
    """Let the time be up as soon as *name* of *place* is called."""
    real = getattr(place, name)

    def late(*args: Any, **named: Any) -> Any:
        monkeypatch.setattr(budget, "monotonic", lambda: monotonic() + 1000)
        return real(*args, **named)

    monkeypatch.setattr(place, name, late)


OUTCOMES = [Outcome.POSSIBLE, Outcome.IMPOSSIBLE]


@pytest.mark.parametrize("engine", ["explicit", "reference"])
def test_whoever_has_time_is_told_everything(engine: EngineName) -> None:
    found = verdicts(engine)
    assert [verdict.outcome for verdict in found] == OUTCOMES
    assert all(
        verdict.trace is not None and verdict.table is not None and not verdict.notes
        for verdict in found
    )


@pytest.mark.parametrize(
    ("engine", "place", "name", "play", "table"),
    [
        ("reference", on_graph, "play_of", False, False),
        ("reference", sampling, "find_table", True, False),
        ("reference", sampling, "play_back", True, False),
        ("explicit", on_graph, "play_of", True, False),
        ("explicit", sampling, "play_back", True, False),
        ("explicit", on_graph, "explore", True, False),
        ("explicit", compact, "play_of", False, False),
    ],
)
def test_what_there_is_no_time_for_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
    engine: EngineName,
    place: Any,
    name: str,
    play: bool,
    table: bool,
) -> None:
    is_spent(monkeypatch, place, name)
    first, second = verdicts(engine)
    assert first.outcome == Outcome.POSSIBLE
    assert (first.trace is not None, first.table is not None) == (play, table)
    expected = [] if play else ["reached is told without a play: the time of 600 s was up"]
    assert list(first.notes) == [
        *expected,
        "reached is told without a table: the time of 600 s was up",
    ]
    assert second.outcome == Outcome.UNKNOWN  # it was not begun


@pytest.mark.parametrize(
    ("place", "name"), [(on_graph, "play_of"), (sampling, "find_table"), (sampling, "play_back")]
)
@pytest.mark.parametrize("engine", ["explicit", "reference"])
def test_who_interrupts_it_keeps_what_is_known(
    monkeypatch: pytest.MonkeyPatch, engine: EngineName, place: Any, name: str
) -> None:
    def interrupted(*_: Any, **__: Any) -> Callable[..., Any]:
        raise KeyboardInterrupt

    monkeypatch.setattr(place, name, interrupted)
    first, second = verdicts(engine)
    assert first.outcome == Outcome.POSSIBLE
    assert first.table is None
    assert f"reached is told without a table: {INTERRUPTED}" in first.notes
    assert (second.outcome, second.reason) == (Outcome.UNKNOWN, INTERRUPTED)


@pytest.mark.parametrize("engine", ["explicit", "reference"])
def test_a_table_that_would_take_more_than_may_be_looked_at_is_not_told(
    monkeypatch: pytest.MonkeyPatch, engine: EngineName
) -> None:
    monkeypatch.setattr(sampling, "FIRST_PART", 1)
    monkeypatch.setattr(sampling, "MOST_SAMPLED", 2)
    first, _ = verdicts(engine)
    assert (first.outcome, first.table) == (Outcome.POSSIBLE, None)
    assert list(first.notes) == [
        "reached is told without a table: 2 positions were not enough to find one"
    ]


def test_a_game_that_is_too_large_as_a_whole_has_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decide, "MOST_ON_GRAPH", 1)
    monkeypatch.setattr(decide, "decide_on_graph", None)  # it is never looked at as a whole
    first, second = verdicts("explicit")
    assert first.table is not None
    assert first.table.is_smallest
    assert [(row.player, row.clause) for row in first.table.rows] == [("p", "1")]
    assert (second.outcome, second.table, second.notes) == (Outcome.IMPOSSIBLE, None, (NO_ANSWER,))


def test_of_a_large_game_there_is_no_table_without_time_for_a_play(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(decide, "MOST_ON_GRAPH", 1)
    is_spent(monkeypatch, compact, "play_of")
    first, _ = verdicts("explicit")
    assert (first.outcome, first.trace, first.table) == (Outcome.POSSIBLE, None, None)
    assert [note.partition(":")[0] for note in first.notes] == [
        "reached is told without a play",
        "reached is told without a table",
    ]


WHILE_B_ENDS = (
    WHERE_B_PLAYS
    + MAY_PUT_OR_END
    + """
claims
  possible reached
    assuming others act only finitely often
    for some player p: p can enforce eventually (game is over and p is active)
"""
)


@pytest.mark.parametrize(
    "why", [budget.BudgetSpentError("the time of 1 s was up"), KeyboardInterrupt()]
)
def test_what_one_player_can_enforce_does_not_wait_for_another(
    monkeypatch: pytest.MonkeyPatch, why: BaseException
) -> None:
    """A can, within the scope; whether B could is not asked any more."""
    program = load(Source("ends.rules", WHILE_B_ENDS))
    asked, scope = [property_named(program, "reached")], make_scope(program)
    (whole,) = check(program, asked, scope, engine=engine_named("reference"))
    assert (whole.outcome, whole.reason) == (Outcome.POSSIBLE, WITHIN)
    calls = count()

    def once(*args: Any, **named: Any) -> Any:
        if next(calls) == 2:  # the game of A, and whether A wins it in vain
            raise why
        return arena_of(*args, **named)

    monkeypatch.setattr(on_graph, "arena_of", once)
    (verdict,) = check(program, asked, scope, engine=engine_named("reference"))
    assert next(calls) == 3
    assert (verdict.outcome, verdict.reason) == (Outcome.POSSIBLE, WITHIN)


def test_two_ways_of_deciding_that_disagree_are_told_as_a_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program = load(Source("taking.rules", RULES))
    question = next(one.property for one in claims_of(program) if one.claim.name == "reached")

    def mistaken(*asked: Any, **how: Any) -> Any:
        decision, graph = on_graph.decide_on_graph(*asked, **how)
        return replace(decision, outcome=Outcome.IMPOSSIBLE, trace=None, table=None), graph

    monkeypatch.setattr(decide, "decide_on_graph", mistaken)
    (verdict,) = check(program, [question], make_scope(program))
    assert verdict.outcome is Outcome.UNKNOWN
    assert "POSSIBLE on arrays" in verdict.reason
    assert "please report it" in verdict.reason
