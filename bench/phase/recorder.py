"""The recorder: what phase.rs shows of its actions, as native events of a log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

STEPS = {
    "Untap": "untap", "Upkeep": "upkeep", "Draw": "draw", "PreCombatMain": "first_main",
    "BeginCombat": "combat", "DeclareAttackers": "attackers", "DeclareBlockers": "blockers",
    "CombatDamage": "damage", "EndCombat": "end_of_combat", "PostCombatMain": "second_main",
    "CombatDamageAgain": "second_damage", "End": "end_step", "Cleanup": "cleanup",
}  # fmt: skip
ASKED = (
    "Priority", "MulliganDecision", "DeclareAttackers", "DeclareBlockers", "AssignCombatDamage",
    "OrderTriggers", "DiscardToHandSize",
    # of what is announced
    "TargetSelection", "TriggerTargetSelection", "MultiTargetSelection", "ModeChoice",
    "AbilityModeChoice", "ModalFaceChoice", "CastingVariantChoice", "AlternativeCastChoice",
    "OptionalCostChoice", "ChooseXValue", "DistributeAmong", "PayCost", "ManaPayment",
    "PhyrexianPayment", "ActivationCostOneOfChoice", "CostTypeChoice", "ChooseManaColor",
    "CrewVehicle", "SaddleMount", "EquipTarget",
)  # fmt: skip
"""Prompts that are no choice of something that resolves."""
_IN_ORDER = ("choice", "act", "resolve", "leave")
"""The engine tells that something resolves before it asks for a choice, or for a spell."""

_Event = dict[str, Any]


def recorded(dumps: Iterable[dict[str, Any]], players: int) -> Iterator[_Event]:
    """Yield the log of a game of *players*, of which these are the *dumps*."""
    yield {"event": "players", "n": players}
    events = (event for dump in dumps for event in _native(dump))
    for is_held, some in groupby(events, lambda one: one["event"] in _IN_ORDER):
        together = list(some)
        yield from sorted(together, key=_rank) if is_held else together


def _rank(event: _Event) -> int:
    return _IN_ORDER.index(event["event"])


def _native(dump: dict[str, Any]) -> Iterator[_Event]:
    """Yield the events that *dump* shows: none if what was announced is taken back."""
    by, prompt, action = dump["actor"], dump["prompt"], dump["action"]["type"]
    has_priority = dump["answers"] == "Priority"
    if action == "CancelCast":
        return
    if action == "PassPriority" and has_priority:  # else it says that all is paid
        yield {"event": "pass", "by": by}
    elif dump["answers"] not in ASKED:
        yield {"event": "choice", "by": by}
    lying = {item["id"]: item for item in dump["stack"]}
    activated = {one["data"]["kind"] for one in dump["events"] if one["type"] == "AbilityActivated"}
    is_mana = has_priority and action == "ActivateAbility" and activated == {"Mana"}
    for event in dump["events"]:
        yield from _told(event["type"], event["data"], lying, is_mana=is_mana)
    if prompt["type"] == "Priority":
        who = prompt["player"]
        stack = [[item["controller"], kind_of(item)] for item in dump["stack"]]
        yield {"event": "priority", "of": who}
        yield {"event": "look", "active": dump["active"], "step": STEPS[dump["phase"]],
               "stack": stack, "holder": who}  # fmt: skip


def _told(name: str, data: _Event, lying: dict[int, Any], *, is_mana: bool) -> Iterator[_Event]:
    """Yield what an event of the engine tells. What mana is made for a cost is part of that."""
    item = lying.get(data.get("object_id", -1))
    match name:
        case "TurnStarted":
            yield {"event": "turn", "of": data["player_id"]}
        case "PhaseChanged":
            yield {"event": "step", "name": STEPS[data["phase"]]}
        case "SpellCast" | "SpellCopied":
            kind = {"kind": kind_of(item)} if item else {}
            yield {"event": "act", "by": data["controller"], **kind}
        case "AbilityActivated" if data["kind"] != "Mana":
            yield {"event": "act", "by": data["player_id"], "kind": "ability"}
        case "StackPushed" if (
            item and item["kind"] == "KeywordAction"
        ):  # of crewing it tells no more
            yield {"event": "act", "by": item["controller"], "kind": "ability"}
        case "NinjutsuActivated":
            yield {"event": "act", "by": data["player_id"], "kind": "ability"}
        case "Foretold":
            yield {"event": "act", "by": data["player_id"], "clause": "117.1c/a"}
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


def kind_of(item: dict[str, Any]) -> str:
    """Return the kind of an *item* of the stack."""
    if item["kind"] != "Spell":
        return "ability"
    if "SplitSecond" in item["keywords"]:
        return "split_spell"
    if "Instant" in item["types"]:
        return "instant"
    return "flash_spell" if "Flash" in item["keywords"] else "sorcery"
