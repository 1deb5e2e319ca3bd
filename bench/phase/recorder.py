"""The recorder: what phase.rs shows of an action, as native events of a log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

STEPS = {
    "Untap": "untap", "Upkeep": "upkeep", "Draw": "draw", "PreCombatMain": "first_main",
    "BeginCombat": "combat", "DeclareAttackers": "attackers", "DeclareBlockers": "blockers",
    "CombatDamage": "damage", "EndCombat": "end_of_combat", "PostCombatMain": "second_main",
    "CombatDamageAgain": "second_damage", "End": "end_step", "Cleanup": "cleanup",
}  # fmt: skip
ASKED = ("Priority", "MulliganDecision", "TargetSelection", "DeclareAttackers", "DeclareBlockers",
         "OrderTriggers", "DiscardToHandSize")  # fmt: skip
"""Prompts that are no choice of something that resolves."""


def kind_of(item: dict[str, Any]) -> str:
    """Return the kind of an *item* of the stack."""
    if item["kind"] != "Spell":
        return "ability"
    if "SplitSecond" in item["keywords"]:
        return "split_spell"
    if "Instant" in item["types"]:
        return "instant"
    return "flash_spell" if "Flash" in item["keywords"] else "sorcery"


def native(dump: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the events that *dump* shows."""
    kinds = {item["id"]: kind_of(item) for item in dump["stack"]}
    by = dump["actor"]
    activated = [one["data"]["kind"] for one in dump["events"] if one["type"] == "AbilityActivated"]
    is_mana = dump["action"]["type"] == "ActivateAbility" and set(activated) == {"Mana"}
    if dump["action"]["type"] == "PassPriority":
        yield {"event": "pass", "by": by}
    elif dump["answers"] not in ASKED:
        yield {"event": "choice", "by": by}
    for event in dump["events"]:
        data = event["data"]
        match event["type"]:
            case "TurnStarted":
                yield {"event": "turn", "of": data["player_id"]}
            case "PhaseChanged":
                yield {"event": "step", "name": STEPS[data["phase"]]}
            case "SpellCast":
                yield {
                    "event": "act",
                    "by": data["controller"],
                    "kind": kinds.get(data["object_id"]),
                }
            case "AbilityActivated" if data["kind"] != "Mana":
                yield {"event": "act", "by": data["player_id"], "kind": "ability"}
            case "AbilityActivated" if is_mana:
                yield {"event": "act", "by": data["player_id"], "clause": "117.1d"}
            case "LandPlayed":
                yield {"event": "act", "by": data["player_id"], "clause": "117.1c/b"}
            case "StackResolved":
                yield {"event": "resolve"}
            case "SpellCountered":
                yield {"event": "leave"}
            case _:
                pass
    if dump["prompt"]["type"] == "Priority":
        who = dump["prompt"]["player"]
        yield {"event": "priority", "of": who}
        stack = [[item["controller"], kind_of(item)] for item in dump["stack"]]
        yield {
            "event": "look",
            "active": dump["active"],
            "step": STEPS[dump["phase"]],
            "stack": stack,
            "holder": who,
        }
