"""Four players and a stack of six: every game is decided, or says within its budget how far it came."""

from __future__ import annotations

from time import monotonic

import pytest

from stacklaw.checker.budget import Budget
from stacklaw.checker.run import check
from stacklaw.checker.scope import scope_of
from stacklaw.checker.verdict import Outcome
from stacklaw.models.load import game_names, load_game
from stacklaw.properties.load import catalogue_for, property_named

SECONDS = 15
MOST_SECONDS = 45
"""What a busy machine may take over its budget: for the texts, the plays and the replay of each."""
MOST_PLAYERS = 4


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names())
def test_four_players_and_a_stack_of_six(game: str) -> None:
    program = load_game(game)
    players = min(MOST_PLAYERS, program.players[1] or MOST_PLAYERS)
    scope = scope_of(program, players, 6, {})
    asked = [property_named(program, entry.name) for entry in catalogue_for(program)]
    began = monotonic()
    verdicts = check(program, asked, scope, Budget(seconds=SECONDS, mebibytes=4000))
    assert monotonic() - began < MOST_SECONDS
    for verdict in verdicts:
        if verdict.property.mode != "progress":
            assert verdict.outcome is not Outcome.UNKNOWN, (verdict.property.name, verdict.reason)
        assert verdict.outcome is not Outcome.BOUNDED or verdict.bound
    assert any(verdict.outcome not in (Outcome.UNKNOWN, Outcome.BOUNDED) for verdict in verdicts)
