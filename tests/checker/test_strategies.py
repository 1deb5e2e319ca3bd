"""What players can enforce: small games by chance against a second solver, and rulesets by hand."""

from __future__ import annotations

from array import array
from itertools import product
from pathlib import Path
from random import Random
from typing import Literal

import pytest

from stacklaw import check
from stacklaw.checker.enforcing.on_graph import OWN_CUT
from stacklaw.checker.reference.formulas.signals import Signals
from stacklaw.checker.strategies.arena import FIRST, arena_of
from stacklaw.checker.strategies.forks import with_forced
from stacklaw.checker.strategies.objective import Objective
from stacklaw.checker.strategies.solve import solve
from stacklaw.checker.types.budget import Meter
from stacklaw.checker.types.graphs import Edges
from stacklaw.checker.types.position import Move
from stacklaw.checker.types.verdict import Outcome, Verdict
from stacklaw.properties import formula as f

from ..rulesets import MAY_PUT_OR_END, WHERE_B_PLAYS
from .arena_oracle import can_enforce
from .chance_games import Game, random_game, random_question

GAMES = 40
EngineName = Literal["reference", "explicit"]


@pytest.mark.parametrize("block", range(8))
def test_small_games_by_chance(block: int) -> None:
    compared, won = compare(range(block * GAMES, (block + 1) * GAMES))
    assert compared > GAMES // 2
    assert 0 < won < compared


def test_goals_in_turn() -> None:
    """What has to come again may come at different moments, if the coalition sees to each in
    turn.
    """
    loops = [(Move(f"may{number}", 0, (), ()), 0) for number in range(3)]
    game = Game(2, ["x"], [loops], {f"may{number}": "may" for number in range(3)})
    goals = tuple(f.Goal("leads to", _until_used(f"may{number}")) for number in range(3))
    question = f.Property(
        "asked",
        "",
        "",
        "enforce",
        (f.Spotlight("player", "p"),),
        f.And(()),
        None,
        "",
        enforced=f.Enforced(("p",), goals),
    )
    for seat, is_won in ((0, True), (1, False)):
        assert can_enforce(game, question, (seat,), beyond=False) == is_won
        assert is_solved(game, question, seat) == is_won


def is_solved(game: Game, question: f.Property, seat: int) -> bool:
    arena = arena_of(Objective(Signals(with_forced(game.graph())), question, (seat,)), Meter())
    return bool(
        solve(
            arena.ours, arena.with_ends(beyond=False, open_=False), Edges(arena.first, arena.target)
        ).even[FIRST]
    )


def _until_used(clause: str) -> f.Formula:
    """Return what waits until *clause* is used."""
    unused = f.Not(f.Uses(clause))
    return f.Since(unused, unused)


def compare(seeds: range) -> tuple[int, int]:
    """Compare both ways on the games of *seeds*; return how many questions were compared, and how
    many are won.
    """
    compared = won = 0
    for seed in seeds:
        luck = Random(seed)
        game = random_game(luck)
        question = random_question(luck, game.players)
        signals = Signals(with_forced(game.graph()))
        for seats in product(range(game.players), repeat=len(question.spotlights)):
            for beyond, hope in ((False, False), (True, False), (True, True)):
                expected = can_enforce(game, question, seats, beyond=beyond, hope=hope)
                if expected is None:
                    continue
                arena = arena_of(Objective(signals, question, seats), Meter(), hope=hope)
                solution = solve(
                    arena.ours,
                    arena.with_ends(beyond=beyond, open_=False),
                    Edges(arena.first, arena.target),
                )
                assert bool(solution.even[FIRST]) == expected, (seed, seats, beyond, hope)
                compared, won = compared + 1, won + expected
    return compared, won


@pytest.mark.parametrize("seed", range(100))
def test_parity_games_by_chance(seed: int) -> None:
    luck = Random(seed)
    size = luck.randint(1, 6)
    owner, priority = (
        bytearray(luck.randrange(2) for _ in range(size)),
        bytearray(luck.randrange(5) for _ in range(size)),
    )
    ways = [sorted(luck.sample(range(size), luck.randint(1, min(size, 3)))) for _ in range(size)]
    first, target = array("q", [0]), array("l")
    for one in ways:
        target.extend(one)
        first.append(len(target))
    before = array("l", [luck.choice((node, luck.randrange(size))) for node in target])
    diverted = {
        edge: node for edge, node in enumerate(target) if before[edge] != node or luck.randrange(2)
    }
    solution = solve(owner, priority, Edges(first, before), diverted)
    chosen = [
        one if not owner[node] else [target[solution.edge[node]]] if solution.even[node] else one
        for node, one in enumerate(ways)
    ]
    against = [
        one if owner[node] else [target[solution.edge[node]]] if not solution.even[node] else one
        for node, one in enumerate(ways)
    ]
    for node in range(size):
        greatest = set(
            _greatest_again_and_again(node, chosen if solution.even[node] else against, priority)
        )
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


# ------------------------------------------------------------------ rulesets by hand


@pytest.mark.parametrize(
    ("body", "outcome", "who"),
    [
        # The other player may put one more for ever, which no scope has room for.
        (
            "    for some player p: p can enforce eventually (game is over and p is active)",
            Outcome.UNKNOWN,
            None,
        ),
        # They are assumed to end: then what is enforced is so within the scope.
        (
            "    assuming others act only finitely often\n    for some player p: p can enforce "
            "eventually (game is over and p is active)",
            Outcome.POSSIBLE,
            0,
        ),
        # Of two players who can, the one is told who can even with what the scope cuts.
        ("    for some player p: p can enforce eventually game is over", Outcome.POSSIBLE, 1),
        # What is never to happen does not within the scope.
        (
            "    for some player p: p can enforce never (size of stack is 3 or p is not active)",
            Outcome.POSSIBLE,
            0,
        ),
    ],
)
def test_what_may_be_put_off_for_ever(
    tmp_path: Path, body: str, outcome: Outcome, who: int | None
) -> None:
    verdict = _asked(tmp_path, MAY_PUT_OR_END + "claims\n  possible asked\n" + body)
    assert verdict.outcome == outcome
    assert (verdict.trace.spotlights if verdict.trace else None) == (
        None if who is None else (("p", who),)
    )


def test_one_player_wins_by_what_is_assumed_and_another_by_right(tmp_path: Path) -> None:
    """A would win any goal, because B can do nothing but act; B can do what is asked."""
    acts = """  may 1 "B marks"
    marked := after active
    go play

claims
  possible asked
    assuming others act only finitely often
    for some player p: p can enforce eventually marked is p
"""
    verdict = _asked(tmp_path, acts)
    assert verdict.outcome == Outcome.POSSIBLE
    assert verdict.trace is not None
    assert verdict.trace.spotlights == (("p", 1),)


IMPOSSIBLE_SIZE = """claims
  impossible asked
    for some player p: p can enforce eventually size of stack is {}
"""


@pytest.mark.parametrize("engine", ["reference", "explicit"])
def test_what_more_room_lets_players_enforce_is_not_impossible(
    tmp_path: Path, engine: EngineName
) -> None:
    verdict = _asked(tmp_path, MAY_PUT_OR_END + IMPOSSIBLE_SIZE.format(3), engine)
    assert (verdict.outcome, verdict.table, verdict.trace) == (Outcome.UNKNOWN, None, None)
    assert verdict.reason == "it can be enforced with more room: ask with --scope stack=3"


@pytest.mark.parametrize("engine", ["reference", "explicit"])
def test_no_claim_rests_on_it_that_nobody_enforces_what_takes_more_room_than_was_looked_at(
    tmp_path: Path, engine: EngineName
) -> None:
    verdict = _asked(tmp_path, MAY_PUT_OR_END + IMPOSSIBLE_SIZE.format(9), engine)
    assert verdict.outcome == Outcome.IMPOSSIBLE
    assert verdict.reason == f"{OWN_CUT}; with more room (--scope stack=4) nobody can, either"
    assert [verdict.for_claim(one) for one in ("impossible", "possible", "")] == [
        Outcome.UNKNOWN,
        Outcome.UNKNOWN,
        Outcome.IMPOSSIBLE,
    ]


@pytest.mark.parametrize("engine", ["reference", "explicit"])
def test_where_what_is_cut_decides_nothing_nobody_can_enforce_it(
    tmp_path: Path, engine: EngineName
) -> None:
    """The cards may put more than there is room for, and need not."""
    body = MAY_PUT_OR_END.replace('may 1 "cast"', 'chance 1 "the cards cast"').replace(
        "put spell", "put spell by active"
    )
    verdict = _asked(tmp_path, body + IMPOSSIBLE_SIZE.format(3), engine)
    assert (verdict.outcome, verdict.reason) == (Outcome.IMPOSSIBLE, "")
    assert verdict.counts.cut
    assert verdict.for_claim("impossible") == Outcome.IMPOSSIBLE


def _asked(tmp_path: Path, body: str, engine: EngineName = "explicit") -> Verdict:
    path = tmp_path / "by_hand.rules"
    path.write_text(WHERE_B_PLAYS + body + "\n")
    return check(str(path), "asked", engine=engine)
