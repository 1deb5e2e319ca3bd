"""The driver of phase.rs: plays scenarios of Magic's short turn on it.

Steps that the short turn leaves out are passed over. What triggers and what state-based actions do
the engine does not tell: what comes onto the stack is seen by its looks.
"""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Sequence
from typing import Any

from stacklaw.checker.conform.events import LogEvent, event_of
from stacklaw.checker.scenarios.driver import CannotError
from stacklaw.checker.scenarios.steps import ScenarioStep

from .driving import actor_of, lying, mana_of
from .engine import game_of
from .recorder import STEPS, kind_of
from .writing import ALWAYS, FLOOD, TOWER, written

_SHORT = ("Draw", "PreCombatMain", "End", "Cleanup")
_COMES = {"act": 1, "trigger": 1, "resolve": -1, "leave": -1}
_LETTERS = string.ascii_letters
_MOST = 400
_FLOODS = 80
_SEEDS = 20


class PhaseDriver:
    """Plays on the engine, with cards that are written for the scenario."""

    def __init__(self) -> None:
        self.game: Any = None

    def fresh(self, players: int, steps: Sequence[ScenarioStep]) -> None:
        """Begin a game whose decks have the cards for *steps*."""
        self.steps, self.number = steps, -1
        self.names, decks, self.table = written(steps, players)
        own = [[TOWER, *(card["name"] for card in deck)] for deck in decks]
        cards = [*ALWAYS, *(card for deck in decks for card in deck)]
        above = [name for names in own for name in names]
        for seed in range(_SEEDS):
            filled = [[*names, *[FLOOD] * _FLOODS] for names in own]
            self.game = game_of(cards, filled, seed, above)
            if self._is_laid():
                return
        raise CannotError("the cards do not come to the table")

    def _is_laid(self) -> bool:
        """Let each player draw all cards and play those of the table, up to the end of a turn of
        the last; return whether they lie there.
        """
        drawn, seats = set[int](), len(self.table)
        last = seats - 1, (seats - 2) % seats  # the next pass ends the turn
        while self.game.turn <= len(self.table):
            active = self.game.turn - 1
            if self.game.phase == "End" and (active, self._asked()) == last:
                return len(drawn) == len(self.table)
            name = None
            is_free = self.game.phase == "PreCombatMain" and not self.game.stack()
            if is_free and self._asked() == active:
                wanted = [FLOOD] if active not in drawn else [TOWER, *self.table[active]]
                name = next((one for one in wanted if self._find(one, "CastSpell")), None)
                if name == FLOOD:
                    drawn.add(active)
            self._apply(self._find(name, "CastSpell") if name else None)
        return False

    # ------------------------------------------------------------------ what a driver does

    def holder(self) -> int | None:
        """Return the seat that has priority."""
        return self._asked()

    def look(self) -> LogEvent:
        """Return how things are."""
        stack = [lying(self.game, one) for one in self.game.stack()]
        return event_of({
            "event": "look", "active": (self.game.turn - 1) % len(self.table),
            "step": STEPS[self.game.phase],
            "stack": [[one["controller"], kind_of(one)] for one in stack], "holder": self._asked(),
        })  # fmt: skip

    def offers(self) -> None:
        """Say nothing: the engine offers what the cards in a hand can do."""

    def seen(self) -> None:
        """Say nothing: the engine does not tell what triggers."""

    def do(self, step: ScenarioStep) -> None:
        """Let the holder do what *step* says. Raises `CannotError` if the cards do otherwise."""
        self.number += 1
        then = next((one.look for one in self.steps[self.number + 1 : self.number + 2]), None)
        name = self.names.get(self.number)
        if step.does is None or step.does.clause == "117.3d":
            self._apply(None)
        else:
            action = self._find(name) or next(mana_of(self.game, name), None) if name else None
            if action is None:
                raise CannotError(f"no card for: {step.does.title}, {', '.join(step.caused)}")
            self._apply(action)
        self._settle()
        if then and then.get("step") != step.look.get("step") and not then.get("stack"):
            self._resolve_all()
        if step.caused or step.does is None or step.does.kind:
            self._need_the_same(step)

    def _need_the_same(self, step: ScenarioStep) -> None:
        """See whether the cards caused what *step* says: the items are there, in any order, and
        what was to die is gone.
        """
        wanted = Counter(step.look.get("stack") or ())
        for one in step.seen:
            if one.get("kind"):
                wanted[one.get("by"), one.get("kind")] += _COMES.get(one.name, 0)
        stays = step.does and step.does.clause == "117.3d" and self.names.get(self.number)
        if +wanted != Counter(self.look().get("stack")) or (stays and self._card(stays)):
            raise CannotError(f"the cards do otherwise: {', '.join(step.caused) or 'nothing'}")

    # ------------------------------------------------------------------ on the engine

    def _asked(self) -> int | None:
        """Return the seat that has priority."""
        prompt = self.game.waiting_for()
        return actor_of(prompt) if prompt["type"] == "Priority" else None

    def _find(self, name: str, kind: str = "") -> Any:
        """Return the action by which the holder plays the card of that *name*, or uses it; with
        *kind* only one of that kind.
        """
        for one in self.game.actions():
            if kind not in ("", one.kind):
                continue
            data = one.data or {}
            card = data.get("object_id", data.get("source_id", data.get("card_id")))
            if card is not None and self.game.object(card)["name"] == name:
                return one
        return None

    def _card(self, name: str) -> Any:
        """Return the card of that *name* on the battlefield."""
        cards = (self.game.object(one["id"]) for one in self.game.battlefield())
        return next((one for one in cards if one["name"] == name), None)

    def _apply(self, action: Any) -> None:
        """Let the player who is asked do *action*, or pass; and answer what that asks."""
        actions = self.game.actions()
        passes = next((one for one in actions if one.kind == "PassPriority"), None)
        self._answer(action or passes or actions[0])
        for _ in range(_MOST):
            if self._asked() is not None:
                return
            actions = [one for one in self.game.actions() if one.kind != "CancelCast"]
            if not actions:
                return
            self._answer(min(actions, key=self._disorder))

    def _disorder(self, action: Any) -> list[int]:
        """Return how *action* orders what triggered together: cards that were written first go onto
        the stack first, so that others can be about them.
        """
        if action.kind != "OrderTriggers":
            return []
        asked = self.game.waiting_for()["data"]["triggers"]
        return [int(asked[at]["source_name"].strip(_LETTERS)) for at in action.data["order"]]

    def _answer(self, action: Any) -> None:
        self.game.apply(actor_of(self.game.waiting_for()), action)

    def _settle(self) -> None:
        """Pass over the steps that the short turn does not have."""
        for _ in range(_MOST):
            if self._asked() is None or self.game.phase in _SHORT:
                return
            self._apply(None)

    def _resolve_all(self) -> None:
        """Let what a card causes whenever a step begins resolve, where it is not wanted."""
        for _ in range(_MOST):
            if not self.game.stack() or self._asked() is None:
                return
            self._apply(None)
