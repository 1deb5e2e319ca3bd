"""Tables that are fitted to the positions to which they lead are those that all positions would
have given.
"""

from __future__ import annotations

from itertools import product
from random import Random
from typing import cast

import pytest

from stacklaw.checker.reference.formulas.signals import Signals
from stacklaw.checker.run.check import check
from stacklaw.checker.strategies.arena import FIRST, LOST, Arena, arena_of
from stacklaw.checker.strategies.forks import Fork, Way, with_forced
from stacklaw.checker.strategies.objective import Objective
from stacklaw.checker.strategies.solve import solve
from stacklaw.checker.tables import sampling, search
from stacklaw.checker.tables.playback import play_back
from stacklaw.checker.tables.sampling import sampled_table
from stacklaw.checker.tables.search import Found, reduced
from stacklaw.checker.types.budget import Meter
from stacklaw.checker.types.graphs import Edges
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Outcome, Verdict
from stacklaw.models.load import load_game
from stacklaw.properties import formula as f
from stacklaw.properties.load import property_named

from .chance_games import random_game, random_question

GAMES = 80


def fitted_to_all(objective: Objective, *, beyond: bool) -> Found | None:
    """Return a table found in the whole game, with all that it does not decide; None if it is not
    won, or by no table.
    """
    arena = arena_of(objective, Meter())
    priority = arena.with_ends(beyond=beyond, open_=False)
    solution = solve(arena.ours, priority, Edges(arena.first, arena.target))
    if not solution.even[FIRST] or arena.is_beyond:
        return None
    return search._Search(arena, solution, priority, Meter(), ours=True).find()


def cost(found: Found) -> int:
    return sum(row.cost for row in found.rows)


@pytest.mark.parametrize("block", range(4))
def test_small_games_by_chance(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(sampling, "FIRST_PART", 1)
    compared = rows = 0
    for seed in range(block * GAMES, (block + 1) * GAMES):
        luck = Random(seed)
        question = random_question(luck, (game := random_game(luck)).players)
        assert question.enforced is not None
        if any(
            goal.kind == "finitely" and not isinstance(goal.formula, f.PlayerEvent)
            for goal in question.enforced.goals
        ):
            continue  # the language has no such goal, and so none is played back
        graph = with_forced(game.graph())
        for seats in product(range(game.players), repeat=len(question.spotlights)):
            objective = Objective(Signals(graph), question, seats)
            for beyond in (False, True):
                if (whole := fitted_to_all(objective, beyond=beyond)) is None:
                    continue
                part = sampled_table(graph.interpreter, question, seats, Meter(), beyond=beyond)
                assert part is not None, (seed, seats)
                assert cost(part[1]) == cost(whole), (seed, seats)
                assert part[1].is_smallest
                assert play_back(objective, part[1].rows, Meter(), beyond=beyond) == part[2]
                compared, rows = compared + 1, rows + len(whole.rows)
    assert compared > GAMES // 2
    assert rows > GAMES // 8


def stalled(players: int, sizes: dict[str, int] | None = None) -> Verdict:
    program = load_game("stack", {"idle": "passes"})
    return check(program, [property_named(program, "stall")], make_scope(program, players, sizes))[
        0
    ]


@pytest.mark.long
@pytest.mark.parametrize(("players", "sizes"), [(2, {}), (2, {"stack": 4, "waiting": 3}), (3, {})])
def test_one_table_stalls_at_every_size_that_was_tried(players: int, sizes: dict[str, int]) -> None:
    verdict = stalled(players, sizes)
    assert verdict.outcome == Outcome.POSSIBLE
    assert verdict.table is not None
    assert verdict.table.is_smallest
    assert sorted((row.when, row.clause, row.choice) for row in verdict.table.rows) == [
        ((), "STK-14", ""), ((), "STK-19", '"do not pay for it"'),
        ((), "STK-19", "t is own hybrid"), ((), "STK-X1/pass", ""),
    ]  # fmt: skip


@pytest.mark.long
def test_what_remembers_is_told_where_cards_may_trigger() -> None:
    program = load_game("stack")
    table = check(program, [property_named(program, "deny_window")], make_scope(program))[0].table
    assert table is not None
    assert {(row.clause, row.choice) for row in table.rows} == {
        ("STK-4", ""), ("STK-5", ""), ("STK-14", ""), ("STK-19", '"do not pay for it"'),
        ("STK-19", "t is own hybrid"),
    }  # fmt: skip
    assert any("since" in condition for row in table.rows for condition in row.when)


@pytest.mark.slow
def test_where_the_smallest_takes_too_long_the_first_that_is_met_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program = load_game("stack", {"triggers": "no"})
    monkeypatch.setattr(search, "MOST_WORK", 1)
    table = check(program, [property_named(program, "deny_window")], make_scope(program))[0].table
    assert table is not None
    assert not table.is_smallest
    assert 4 <= len(table.rows) <= 6


def test_what_counts_on_the_way_is_left_in() -> None:
    """Round and round, by a node with one way on that counts more than the next: without it the
    round would be lost.
    """
    arena = Arena(cast("Objective", None))
    ways: list[Way | None] = [*[None] * FIRST, Fork(by_coalition=True, ways=()), None]
    targets = [[node] for node in range(FIRST)] + [[FIRST + 1, LOST], [FIRST]]
    for node, (way, onward) in enumerate(zip(ways, targets, strict=True)):
        arena.ways.append(way)
        arena.ours.append(node == FIRST)
        arena.priority.append([2, 1, 1, 1, 1, 4][node])
        arena.position.append(0)
        arena.memory.append(0)
        arena.target.extend(onward)
        arena.edge.extend([-1] * len(onward))
        arena.first.append(len(arena.target))
    edges = Edges(arena.first, arena.target)
    at_most, at_least = (
        solve(arena.ours, arena.priority, edges),
        solve(bytearray(len(ways)), arena.priority, edges),
    )
    small, priority = reduced(arena, arena.priority, at_most, at_least)
    assert solve(small.ours, priority, Edges(small.first, small.target)).even[FIRST] == 1
