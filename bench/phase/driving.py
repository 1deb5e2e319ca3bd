"""Driven games: the player who has priority mostly does something, and what can answer answers.

Play at random shows little of an engine. What is dumped is one JSON object for each action: who did
it, the prompt it answers, the engine's events, and how things are then.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

AGAIN = "CombatDamageAgain"
_DEEP = 5
"""On a stack so high players pass."""
_KEPT = ("CancelCast", "Concede")


def actor_of(prompt: dict[str, Any]) -> int:
    """Return the seat that *prompt* asks."""
    data = prompt.get("data") or {}
    pending = data.get("pending")
    seat: int = pending[0]["player"] if pending else data.get("player", 0)
    return seat


def dumps_of(
    game: Any, chance: random.Random, busy: float, most: int, mana: float = 0
) -> Iterator[dict[str, Any]]:
    """Yield what *most* actions in *game* show; *busy* is how often a player does something,
    *mana* how often one makes mana for nothing.
    """
    active, phase = 0, game.phase
    for _ in range(most):
        prompt, actions = game.waiting_for(), game.actions()
        if not actions:
            return
        action = _chosen(game, prompt, actions, chance, busy)
        if mana and prompt["type"] == "Priority" and chance.random() < mana:
            action = next(mana_of(game), action)
        actor = actor_of(prompt)
        result = game.apply(actor, action)
        events = [_short(event) for event in result.events]
        for event in events:
            if event["type"] == "TurnStarted":
                active = event["data"]["player_id"]
        phase, before = _phase(game), phase
        if phase == AGAIN != before:
            events.append({"type": "PhaseChanged", "data": {"phase": phase}})
        then = result.waiting_for
        yield {
            "actor": actor,
            "answers": prompt["type"],
            "action": action if isinstance(action, dict) else action.to_dict(),
            "events": events,
            "prompt": {"type": then["type"], "player": actor_of(then)},
            "active": active,
            "phase": phase,
            "stack": [lying(game, entry) for entry in game.stack()],
        }


def _phase(game: Any) -> str:
    """Return the phase it is. The engine tells no event when a second combat damage step begins
    (510.4), but its state says so.
    """
    phase: str = game.phase
    if phase != "CombatDamage":
        return phase
    combat = game.state()["state"]["combat"] or {}
    is_second = combat.get("first_strike_done") and combat.get("regular_damage_done")
    return AGAIN if is_second else phase


def _short(event: dict[str, Any]) -> dict[str, Any]:
    """Return *event* without what it records of an object."""
    data = event.get("data") or {}
    return {"type": event["type"], "data": {k: v for k, v in data.items() if k != "record"}}


def lying(game: Any, entry: dict[str, Any]) -> dict[str, Any]:
    """Return of an *entry* of the stack whose it is, and what."""
    made = {"id": entry["id"], "controller": entry["controller"], "kind": entry["kind"]["type"]}
    if made["kind"] == "Spell":
        card = game.object(entry["id"])
        made["types"], made["keywords"] = card["card_types"]["core_types"], card["keywords"]
    return made


def _chosen(
    game: Any, prompt: dict[str, Any], actions: list[Any], chance: random.Random, busy: float
) -> Any:
    """Return one of *actions*: one that does something, if there is such and the lot says so."""
    if prompt["type"] == "MulliganDecision":
        return next(one for one in actions if one.data["choice"]["type"] == "Keep")
    does = [one for one in actions if one.kind not in ("PassPriority", *_KEPT)]
    if prompt["type"] == "Priority":
        lands = [one for one in does if one.kind == "PlayLand"]
        if lands:
            return lands[0]
        passes = [one for one in actions if one.kind == "PassPriority"]
        if not does or len(game.stack()) >= _DEEP or chance.random() >= busy:
            return passes[0]
    if prompt["type"] in ("DeclareAttackers", "DeclareBlockers") and len(does) > 1:
        does = does[1:] if chance.random() < busy else does[:1]
    return chance.choice(does or actions)


Cast = tuple[int, int, str]
"""A seat, a turn, and the name of a card: it is cast in that turn, or its ability activated."""
Shown = tuple[int, str, str]
"""A turn, its phase, and what is seen: a step begins, or who is asked what above how many items."""


def shown_in(game: Any, casts: Sequence[Cast], turns: int) -> Iterator[Shown]:
    """Yield what is seen in this many *turns*. All pass, play lands and attack, but for *casts*."""
    left, turn = list(casts), game.turn
    while turn <= turns:
        prompt, actions = game.waiting_for(), game.actions()
        seat, height = actor_of(prompt), len(game.stack())
        yield turn, game.phase, f"{prompt['type']}:{seat}" + f"+{height}" * bool(height)
        action = next((one for one in actions if one.kind == "PassPriority"), actions[-1])
        if prompt["type"] == "MulliganDecision":
            action = actions[0]
        action = next((one for one in actions if one.kind == "PlayLand"), action)
        for cast in [one for one in left if one[:2] == (seat, turn)]:
            wanted = cast_of(game, cast[2]) or next(mana_of(game, cast[2]), None)
            if prompt["type"] == "Priority" and wanted:
                left.remove(cast)
                action = wanted
                break
        for event in game.apply(seat, action).events:
            turn += event["type"] == "TurnStarted"
            if event["type"] == "PhaseChanged":
                yield turn, event["data"]["phase"], "step"


_CARD_OF = {
    "CastSpell": "object_id", "ActivateNinjutsu": "ninjutsu_object_id",
    "ActivateAbility": "source_id",
}  # fmt: skip


def cast_of(game: Any, name: str) -> Any:
    """Return the action by which the player who is asked casts the card of that *name*, or
    activates an ability of it; None if there is none.
    """
    casts = ((one, one.data[_CARD_OF[one.kind]]) for one in game.actions() if one.kind in _CARD_OF)
    return next((one for one, card in casts if game.object(card)["name"] == name), None)


def mana_of(game: Any, name: str = "") -> Iterator[dict[str, Any]]:
    """Yield the actions by which the player who is asked makes mana, with a card of that *name* if
    one is given: the engine takes them, but does not list them.
    """
    seat = actor_of(game.waiting_for())
    for one in game.battlefield():
        card = game.object(one["id"])
        is_creature = "Creature" in card["card_types"]["core_types"]
        is_new = is_creature and card.get("summoning_sick")
        is_able = card.get("has_mana_ability") and not (card["tapped"] or is_new)
        if is_able and card["controller"] == seat and name in ("", card["name"]):
            used = {"source_id": card["id"], "ability_index": card["mana_ability_index"]}
            yield {"type": "ActivateAbility", "data": used}
