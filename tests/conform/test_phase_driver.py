"""phase.rs, played by scenarios that are made from the rules alone."""

from __future__ import annotations

from typing import Any

import pytest

from stacklaw.bench.phase.engine import game_of
from stacklaw.bench.phase.scenarios import frozen_suite, played
from stacklaw.bench.phase.writing import ALWAYS

pytest.importorskip("phase", reason="phase-python is not here: pip install -e '.[engines]'")

CARDS = [
    *ALWAYS,
    {"name": "Read", "types": "Instant", "cost": "{0}", "text": "Draw a card."},
    {"name": "Rock", "types": "Artifact", "cost": "{0}", "text": "{T}: Add {C}."},
]


@pytest.mark.long
def test_scenarios_find_what_is_known_and_nothing_else() -> None:
    """117.3b and 117.3c, and that mana made between two passes is no action (117.4); what else
    they say is that cards or steps differ.
    """
    found = [one for one in played(frozen_suite()) if one.wanted]
    priority = {one.clause for one in found if one.field == "priority"}
    assert {"608.2", "117.1a/a", "117.3d/c"} <= priority
    assert priority <= {"608.2", "117.1a/a", "117.1b", "117.1c/a", "117.1d", "117.3d/c"}
    assert {one.field for one in found} <= {"priority", "stack"}


@pytest.mark.slow
@pytest.mark.parametrize(("what", "left"), [("mana", 0), ("cast", 2), ("", 0)])
def test_mana_made_between_two_passes_is_no_action(what: str, left: int) -> None:
    """117.4: player 0 casts Read and passes, player 1 makes mana and passes; Read ought to wait.
    It does where player 1 casts something.
    """
    game = game_of(CARDS, [["Read", "Rock"] * 30] * 2, seed=1)

    def do(kind: str, name: str = "") -> None:
        data = game.waiting_for().get("data") or {}
        seat = data["pending"][0]["player"] if "pending" in data else data["player"]
        game.apply(seat, next(one for one in game.actions() if _is_it(game, one, kind, name)))

    while game.waiting_for()["type"] == "MulliganDecision":
        do("MulliganDecision")
    while (game.turn, game.phase) != (2, "PreCombatMain"):
        do("PassPriority")
    for kind in ("CastSpell", "PassPriority", "PassPriority"):
        do(kind, "Rock")
    while (game.turn, game.phase) != (3, "Upkeep"):
        do("PassPriority")
    do("CastSpell", "Read")
    do("PassPriority")
    if what == "mana":
        rock = next(one["id"] for one in game.battlefield() if one["controller"] == 1)
        used = {"source_id": rock, "ability_index": 0}
        game.apply(1, {"type": "ActivateAbility", "data": used})
    elif what == "cast":
        do("CastSpell", "Read")
    do("PassPriority")
    assert len(game.stack()) == left


def _is_it(game: Any, action: Any, kind: str, name: str) -> bool:
    if action.kind != kind:
        return False
    data = action.data or {}
    return kind != "CastSpell" or bool(game.object(data["object_id"])["name"] == name)
