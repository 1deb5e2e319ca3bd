"""Asking: verdicts with their evidence, and everything else that is asked of a game."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import stacklaw
from stacklaw.checker.prover.prover import Prover
from stacklaw.checker.questions.questions import SearchResult, decide
from stacklaw.checker.run.check import explore, full_zones, simulate, why_over
from stacklaw.checker.types.position import Item, SpotlitItem
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Counts, Outcome
from stacklaw.models import ir
from stacklaw.models.diagnostics import InputError
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.properties import formula as f

from ..tiny import clock
from .questions import (
    CLAUSE,
    GAME,
    ITEM,
    RESOLVES,
    RESPONSE_WINDOW,
    SCOPE,
    always,
    clauses,
    possible,
    verdict,
)

# ------------------------------------------------------------------ verdicts


def test_what_holds_says_in_which_scope_and_how_much_was_looked_at() -> None:
    found = verdict(RESPONSE_WINDOW)
    assert found.outcome is Outcome.HOLDS
    assert (found.scope, found.counts, found.trace, found.engine) == (
        SCOPE,
        Counts(23, 30, 8, 8),
        None,
        "reference",
    )


def test_what_is_broken_comes_with_the_shortest_play_and_its_spotlights() -> None:
    found = verdict(always(f.Not(RESOLVES), ITEM))
    assert found.outcome is Outcome.VIOLATED
    assert clauses(found.trace) == ["1.1", "1.2", "1.2", "1.3"]
    assert found.trace is not None
    assert found.trace.spotlights == (("i", SpotlitItem(Item("spell", 0), since=1, event=0)),)


def test_two_item_spotlights_are_two_items() -> None:
    j = f.Spotlight("item", "j")
    assert clauses(
        verdict(possible(f.And((f.On("i", "stack"), f.On("j", "stack"))), ITEM, j)).trace
    ) == ["1.1", "1.1"]
    assert (
        verdict(possible(f.And((f.IsNext("i", "stack"), f.IsNext("j", "stack"))), ITEM, j)).outcome
        is Outcome.IMPOSSIBLE
    )


def test_a_moment_of_the_start_can_decide() -> None:
    assert clauses(verdict(always(f.Not(f.HasPriority(ir.Literal(0))))).trace) == []
    assert clauses(verdict(possible(f.Not(f.Once(f.PlayerEvent("passes", None))))).trace) == []


def test_witnesses_and_their_absence() -> None:
    assert clauses(verdict(possible(f.GameIsOver())).trace) == ["1.2", "1.2"]
    assert verdict(possible(f.Gap())).outcome is Outcome.IMPOSSIBLE


def test_vacuous_is_no_holds() -> None:
    never = f.AtStage("nowhere")
    found = verdict(always(f.Not(f.And((never, f.GameIsOver()))), about=never), prover=Prover())
    assert (found.outcome, found.reason) == (
        Outcome.VACUOUS,
        "because its condition never arises: the subject",
    )


def test_every_clause_is_a_question_of_its_own() -> None:
    assert verdict(possible(f.Uses("c"), CLAUSE)).outcome is Outcome.HOLDS
    found = verdict(
        possible(f.And((f.Uses("c"), f.ItemEvent("resolves", None))), CLAUSE), prover=Prover()
    )
    assert (found.outcome, found.trace, found.reason) == (
        Outcome.VIOLATED,
        None,
        "not possible for 1.1, 1.2 at any size",
    )
    found = verdict(always(f.Not(f.Uses("c")), CLAUSE))
    assert clauses(found.trace) == ["1.1"]
    assert found.reason == "broken for 1.1, 1.2, 1.3; the play is for 1.1"


def test_of_clauses_that_are_open_the_least_bound_is_told() -> None:
    moves = iter((5, 3, 4))
    answer = decide(
        GAME,
        always(f.Not(f.Uses("c")), CLAUSE),
        lambda _: SearchResult(False, next(moves), "no time"),
    )
    assert (answer.outcome, answer.bound) == (Outcome.BOUNDED, 3)


def test_a_player_named_by_the_position_is_the_one_it_names_there() -> None:
    passes = f.PlayerEvent("passes", ir.Variable(ir.ACTIVE))
    assert clauses(verdict(possible(passes)).trace) == ["1.2"]
    assert (
        verdict(possible(f.And((passes, f.PlayerEvent("acts", None))))).outcome
        is Outcome.IMPOSSIBLE
    )


# ----------------------------------------------------------- exploring, playing, asking from Python


def test_exploring_counts_how_often_each_clause_fires() -> None:
    explored = explore(GAME, SCOPE)
    assert (explored.counts, dict(explored.fired), explored.stopped) == (
        Counts(23, 30, 8, 8),
        {"1.1": 8, "1.2": 16, "1.3": 6},
        "",
    )


def test_a_seed_is_a_play() -> None:
    play = simulate(clock(), make_scope(clock()), seed=1, steps=5)
    assert clauses(play) == ["tick", "tock"] * 2 + ["tick"]
    plays = [simulate(GAME, SCOPE, seed, 30) for seed in range(20)]
    assert plays == [simulate(GAME, SCOPE, seed, 30) for seed in range(20)]
    assert len({tuple(clauses(play)) for play in plays}) > 3


def test_a_play_that_the_scope_ends_says_how_much_room_the_next_move_takes() -> None:
    text = """
game "Filling up"
players 2
start go_on
items
  card "card"
zones
  hand in any order
  deck in any order
stage go_on
  may 1 "draw one or two"
    by active
    put card on hand
    maybe put card on hand
    go go_on
"""
    program = load(Source("filling.rules", text))
    scope = make_scope(program, sizes={"hand": 3})
    play = simulate(program, scope, seed=1, steps=10)
    assert why_over(program, scope, play) == "scope"
    assert full_zones(program, scope, play) == (("hand", 4),)


@pytest.mark.slow
def test_the_python_front_door() -> None:
    found = stacklaw.check("mtg", "hold_priority", stack=1, sizes={"waiting": 1})
    assert found.scope.sizes == (("stack", 1), ("waiting", 1))
    assert found.outcome in (Outcome.POSSIBLE, Outcome.IMPOSSIBLE)
    with pytest.raises(InputError, match="C102"):
        stacklaw.check("mtg", "hold_priority", players=1)


def test_the_package_alone_is_light() -> None:
    code = (
        "import sys, stacklaw; print([name for name in sys.modules if "
        "name.startswith(('stacklaw.', 'lark', 'z3', 'networkx'))])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["0", "1", "4242"])
def test_nothing_depends_on_hashes(seed: str) -> None:
    code = """
import stacklaw
names = ("hold_priority", "one_chance", "response_window")
found = [stacklaw.check("mtg", name, stack=1, sizes={"waiting": 1}) for name in names]
print([(str(v.outcome), v.counts, v.trace) for v in found])
"""
    env = {**os.environ, "PYTHONHASHSEED": seed}
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env
    )
    found = [
        stacklaw.check("mtg", name, stack=1, sizes={"waiting": 1})
        for name in ("hold_priority", "one_chance", "response_window")
    ]
    assert ran.stdout.strip() == str([(str(v.outcome), v.counts, v.trace) for v in found])
