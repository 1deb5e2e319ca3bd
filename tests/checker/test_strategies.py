"""What players can enforce: small games by chance against a second solver, and rulesets by hand."""

from __future__ import annotations

from array import array
from itertools import product
from random import Random

import pytest

from stacklaw.checker.reference.signals import Signals
from stacklaw.checker.strategies.arena import FIRST, arena_of
from stacklaw.checker.strategies.objective import Objective
from stacklaw.checker.strategies.solve import solve
from stacklaw.checker.types.budget import Meter
from stacklaw.checker.types.position import Move
from stacklaw.properties import formula as f

from .arena_oracle import Game, can_enforce, random_game, random_question

GAMES = 40


@pytest.mark.parametrize("block", range(8))
def test_small_games_by_chance(block: int) -> None:
    compared, won = compare(range(block * GAMES, (block + 1) * GAMES))
    assert compared > GAMES // 2
    assert 0 < won < compared


def test_goals_in_turn() -> None:
    """What has to come again may come at different moments, if the coalition sees to each in turn."""
    loops = [(Move(f"may{number}", 0, (), ()), 0) for number in range(3)]
    game = Game(2, ["x"], [loops], {f"may{number}": "may" for number in range(3)})
    goals = tuple(f.Goal("leads to", _until_used(f"may{number}")) for number in range(3))
    question = f.Property(
        "asked", "", "", "enforce", (f.Spotlight("player", "p"),), f.And(()), None, "", enforced=f.Enforced(("p",), goals)
    )
    for seat, is_won in ((0, True), (1, False)):
        assert can_enforce(game, question, (seat,), beyond=False) == is_won
        assert is_solved(game, question, seat) == is_won


def is_solved(game: Game, question: f.Property, seat: int) -> bool:
    arena = arena_of(Objective(Signals(game.graph()), question, (seat,)), Meter())
    return bool(solve(arena.ours, arena.with_ends(beyond=False, open_=False), arena.first, arena.target).even[FIRST])


def _until_used(clause: str) -> f.Formula:
    """Return what waits until *clause* is used."""
    unused = f.Not(f.Uses(clause))
    return f.Since(unused, unused)


def compare(seeds: range) -> tuple[int, int]:
    """Compare both ways on the games of *seeds*; return how many questions were compared, and how many are won."""
    compared = won = 0
    for seed in seeds:
        luck = Random(seed)
        game = random_game(luck)
        question = random_question(luck, game.players)
        signals = Signals(game.graph())
        for seats in product(range(game.players), repeat=len(question.spotlights)):
            arena = arena_of(Objective(signals, question, seats), Meter())
            for beyond in (False, True):
                expected = can_enforce(game, question, seats, beyond=beyond)
                if expected is None:
                    continue
                solution = solve(arena.ours, arena.with_ends(beyond=beyond, open_=False), arena.first, arena.target)
                assert bool(solution.even[FIRST]) == expected, (seed, seats, beyond)
                compared, won = compared + 1, won + expected
    return compared, won


@pytest.mark.parametrize("seed", range(100))
def test_parity_games_by_chance(seed: int) -> None:
    luck = Random(seed)
    size = luck.randint(1, 6)
    owner, priority = bytearray(luck.randrange(2) for _ in range(size)), bytearray(luck.randrange(5) for _ in range(size))
    ways = [sorted(luck.sample(range(size), luck.randint(1, min(size, 3)))) for _ in range(size)]
    first, target = array("q", [0]), array("l")
    for one in ways:
        target.extend(one)
        first.append(len(target))
    solution = solve(owner, priority, first, target)
    chosen = [one if not owner[node] else [target[solution.edge[node]]] if solution.even[node] else one for node, one in enumerate(ways)]
    against = [one if owner[node] else [target[solution.edge[node]]] if not solution.even[node] else one for node, one in enumerate(ways)]
    for node in range(size):
        greatest = set(_greatest_again_and_again(node, chosen if solution.even[node] else against, priority))
        assert greatest
        assert all(number % 2 != solution.even[node] for number in greatest)


def _greatest_again_and_again(start: int, ways: list[list[int]], priority: bytearray) -> list[int]:
    """Return the greatest priorities of the loops that can be reached."""
    found = []

    def go(path: list[int]) -> None:
        for after in ways[path[-1]]:
            if after in path:
                found.append(max(priority[node] for node in path[path.index(after) :]))
            else:
                go([*path, after])

    go([start])
    return found
