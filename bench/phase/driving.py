"""Driven games: whoever has priority mostly does something, and what can answer answers.

Play at random shows little of an engine. What is dumped is one JSON object for each action: who
did it, the prompt it answers, the engine's events, and how things are then.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
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


def dumps_of(game: Any, chance: random.Random, busy: float, most: int) -> Iterator[dict[str, Any]]:
    """Yield what *most* actions in *game* show; *busy* is how often a player does something."""
    active, phase = 0, game.phase
    for _ in range(most):
        prompt, actions = game.waiting_for(), game.actions()
        if not actions:
            return
        action = _chosen(game, prompt, actions, chance, busy)
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
            "action": action.to_dict(),
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


Window = tuple[int, str, str, int]
"""A turn, its phase, what is asked, and whom."""


def windows(game: Any, casts: list[tuple[int, int, str]], turns: int) -> Iterator[Window]:
    """Yield what players are asked in so many *turns*. All pass, play lands and attack, and *casts*
    says who casts which card in which turn.
    """
    left = list(casts)
    while game.turn <= turns:
        prompt, actions = game.waiting_for(), game.actions()
        seat, turn = actor_of(prompt), game.turn
        yield turn, game.phase, prompt["type"], seat
        action = next((one for one in actions if one.kind == "PassPriority"), actions[-1])
        if prompt["type"] == "MulliganDecision":
            action = actions[0]
        for one in actions:
            if one.kind == "PlayLand":
                action = one
            elif one.kind == "CastSpell":
                cast = seat, turn, game.object(one.data["object_id"])["name"]
                if cast in left:
                    left.remove(cast)
                    action = one
        game.apply(seat, action)
