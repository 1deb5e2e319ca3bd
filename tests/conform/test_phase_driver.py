"""phase.rs, played by scenarios that are made from the rules alone."""

from __future__ import annotations

from collections import Counter

import pytest

from stacklaw.bench.phase.driving import shown_in
from stacklaw.bench.phase.engine import CARDS, RARE, cards_in, new_game
from stacklaw.bench.phase.scenarios import frozen_suite, played

pytest.importorskip("phase", reason="phase-python is not here: pip install -e '.[engines]'")

_GHOSTS = ("Island", "Ghost")


@pytest.mark.long
def test_scenarios_find_what_is_known_and_nothing_else() -> None:
    """117.3b and 117.3c, that mana made between two passes is no action (117.4), and that nobody
    has priority in a cleanup step in which a creature dies (514.3a). Two plays cannot go on, as
    the driver has no card that triggers in a cleanup step.
    """
    found = played(frozen_suite())
    assert Counter((one.clause, one.field) for one in found) == {
        ("608.2", "priority"): 1,
        ("117.1a/a", "priority"): 9,
        ("117.1b", "priority"): 3,
        ("117.1c/a", "priority"): 5,
        ("117.1d", "priority"): 2,
        ("", "stack"): 2,
        ("", "step"): 1,
        ("117.2c/a", "priority"): 2,
        ("", "not played"): 2,
    }
    assert [one.found for one in found if not one.wanted] == [
        "the cards do otherwise: an ability triggers",
    ] * 2


@pytest.mark.slow
def test_what_dies_in_the_cleanup_step_dies_in_the_next_turn() -> None:
    """514.3a: it ought to be performed at once, and the active player to have priority then."""
    cards = [one for one in [*cards_in(CARDS), *cards_in(RARE)] if one["name"] in _GHOSTS]
    game = new_game(cards, 2, seed=2)
    shown = shown_in(game, [(0, 1, "Ghost")], 3)
    assert (3, "End", "Priority:1") in shown
    passes = next(one for one in game.actions() if one.kind == "PassPriority")
    names = [event["type"] for event in game.apply(1, passes).events]
    assert names.index("TurnStarted") < names.index("ZoneChanged")
