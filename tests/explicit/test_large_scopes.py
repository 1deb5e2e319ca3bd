"""Four players and a stack of six: every game is decided, or says within its budget how far it
came.
"""

from __future__ import annotations

from time import monotonic

import pytest

from stacklaw.checker.run.check import check
from stacklaw.checker.types.budget import Budget
from stacklaw.checker.types.scope import scope_of
from stacklaw.checker.types.verdict import Outcome, Verdict
from stacklaw.models.load import game_names, load_game
from stacklaw.properties.load import catalogue_for, property_named

POSITIONS = 100_000
"""A budget that ends a search at the same position on every machine."""
SECONDS = 1
MOST_SECONDS = 45
"""What a busy machine may take over its budget: for the texts, the plays and the replay of each."""
MOST_PLAYERS = 4


def decided(game: str, budget: Budget) -> list[Verdict]:
    """Return what is known within *budget* of the catalogue's properties of *game*."""
    program = load_game(game)
    players = min(MOST_PLAYERS, program.players[1] or MOST_PLAYERS)
    asked = [property_named(program, entry.name) for entry in catalogue_for(program)]
    verdicts = check(program, asked, scope_of(program, players, 6, {}), budget)
    assert all(verdict.outcome is not Outcome.BOUNDED or verdict.bound for verdict in verdicts)
    return verdicts


@pytest.mark.rare
@pytest.mark.long
@pytest.mark.parametrize("game", game_names())
def test_four_players_and_a_stack_of_six(game: str) -> None:
    verdicts = decided(game, Budget(positions=POSITIONS, seconds=600, mebibytes=4000))
    for verdict in verdicts:
        if verdict.property.mode != "progress" and verdict.outcome is Outcome.UNKNOWN:
            # What only a scope that cuts moves leaves open is not proved here; how to ask is said.
            told = (verdict.property.name, verdict.reason)
            assert verdict.counts.cut, told
            assert "the scope cuts moves: ask with more room" in verdict.reason, told
    assert any(verdict.outcome not in (Outcome.UNKNOWN, Outcome.BOUNDED) for verdict in verdicts)


@pytest.mark.slow
def test_the_largest_ends_in_time() -> None:
    began = monotonic()
    verdicts = decided("stack", Budget(seconds=SECONDS, mebibytes=4000))
    assert monotonic() - began < MOST_SECONDS
    assert any(f"{SECONDS} s" in verdict.reason for verdict in verdicts)
