"""The map of MTG Arena, on logs that are made of simulated plays, as Arena tells what happens; none
was recorded.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from stacklaw.checker.conform.events import LogEvent
from stacklaw.checker.conform.logs import Conformed, LogQuestion, conformed
from stacklaw.checker.conform.maps import read_map
from stacklaw.checker.conform.showing import Showing, edited_as
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.situations.line import Referee
from stacklaw.checker.types.scope import make_scope
from stacklaw.models import ir
from stacklaw.models.load import load_rules
from stacklaw.models.shipped import map_source

MAGIC = load_rules("mtg", {"length": "full"})
STEPS = {name: word for word, name in read_map(map_source("arena")).names.items()} | {
    "second_damage": "Step_CombatDamage"
}
TYPES = {"instant": ["CardType_Instant"], "sorcery": ["CardType_Sorcery"], "ability": []}
COMBAT = "combat", "attackers", "blockers", "damage", "second_damage", "end_of_combat"
STACK, GRAVEYARD = 27, 33
Line = dict[str, Any]


def windows(program: ir.Program, seed: int) -> Iterator[tuple[list[LogEvent], LogEvent]]:
    """Yield what happens up to each look, and the look, in a play in which players mostly pass."""
    chance, referee = random.Random(seed), Referee(Interpreter(program, make_scope(program)))
    showing, position = Showing(referee.interpreter), referee.interpreter.initial()
    events: list[LogEvent] = []
    for _ in range(600):
        found = referee.within(position).moves or referee.moves(position)
        if chance.random() < 0.9:
            found = [one for one in found if referee.is_quiet(one[0])] or found
        passes = [one for one in found if referee.is_pass(one[0])]
        move, position = chance.choice(passes if chance.random() < 0.7 and passes else found)
        events += showing.of(move, position)
        if referee.holders(position):
            yield events, showing.look(position)
            events = []


class Arena:
    """Tells a play as Arena does: each message only what has changed."""

    def __init__(self) -> None:
        self.lying: list[tuple[int, tuple[int, str]]] = []
        self.number, self.turn = 100, Line()

    def message(self, events: Sequence[LogEvent], look: LogEvent) -> Line:
        """Return the message that tells *events*, and how things are at the *look* after them."""
        new, gone = self._moved(look.get("stack"))
        annotations = [one for event in events for one in self._told(event)]
        said: Line = {"type": "GameStateType_Diff", "annotations": annotations}
        objects = [self._object(number, item, STACK) for number, item in new]
        objects += [self._object(n, item, GRAVEYARD) for n, item in gone if item[1] != "ability"]
        said |= {"gameObjects": objects} if objects else {}
        deleted = [number for number, item in gone if item[1] == "ability"]
        said |= {"diffDeletedInstanceIds": deleted} if deleted else {}
        turn = self._turn(look)
        said |= {"turnInfo": turn} if turn != self.turn else {}
        self.turn = turn
        return {"type": "GREMessageType_GameStateMessage", "gameStateMessage": said}

    def _moved(self, stack: Sequence[tuple[int, str]]) -> tuple[list[Any], list[Any]]:
        """Have the *stack* lie there; return what is new on it, and what is gone."""
        pairs = enumerate(zip(self.lying, stack, strict=False))
        least = min(len(self.lying), len(stack))
        same = next((at for at, (old, item) in pairs if old[1] != item), least)
        new = list(enumerate(stack[same:], self.number))
        gone, self.lying = self.lying[same:], self.lying[:same] + new
        self.number += len(new)
        return new, gone

    @staticmethod
    def _object(number: int, item: tuple[int, str], zone: int) -> Line:
        whose, kind = item
        sort = "GameObjectType_Ability" if kind == "ability" else "GameObjectType_Card"
        return {"instanceId": number, "type": sort, "zoneId": zone, "cardTypes": TYPES[kind],
                "controllerSeatId": whose + 1, "ownerSeatId": whose + 1}  # fmt: skip

    def _told(self, event: LogEvent) -> Iterator[Line]:
        if event.name == "act":
            kind, by = event.get("kind"), event.get("by")
            sort = 4 if kind is None else 2 if kind == "ability" else 1
            cast = [n for n, item in self.lying if item == (by, kind)]
            details = [{"key": "actionType", "valueInt32": [sort]}]
            yield {"type": ["AnnotationType_UserActionTaken"], "affectorId": by + 1,
                   "affectedIds": cast[-1:], "details": details}  # fmt: skip
        elif event.name == "trigger":
            made = [n for n, item in self.lying if item == (event.get("by"), "ability")]
            yield {"type": ["AnnotationType_AbilityInstanceCreated"], "affectorId": 7,
                   "affectedIds": made[-1:]}  # fmt: skip
        elif event.name == "resolve":
            yield {"type": ["AnnotationType_ResolutionComplete"], "affectorId": 1}

    @staticmethod
    def _turn(look: LogEvent) -> Line:
        word, step = STEPS[look.get("step")], look.get("step")
        where = (
            {"phase": word} if word.startswith("Phase") else {"phase": "Phase_Other", "step": word}
        )
        where |= {"phase": "Phase_Combat"} if step in COMBAT else {}
        return where | {
            "activePlayer": look.get("active") + 1,
            "priorityPlayer": look.get("holder") + 1,
        }


def arena_log(program: ir.Program, seed: int) -> Iterator[str]:
    """Yield the lines of a play as they stand in Player.log."""
    arena = Arena()
    yield "[UnityCrossThreadLogger]26/11/2026 21:00:00: Match to X: GreToClientEvent"
    for number, (events, look) in enumerate(windows(program, seed)):
        messages = [arena.message(events, look)]
        if (
            number % 3 == 0
        ):  # what is said again is nothing new, and of other messages nothing is read
            messages += [arena.message([], look), {"type": "GREMessageType_UIMessage"}]
        yield json.dumps({"greToClientEvent": {"greToClientMessages": messages}})


def judged(program: ir.Program, seed: int, folder: Path) -> Conformed:
    """Return what comes of a play of *program*, told as Arena does, by Magic's rules."""
    by, path = read_map(map_source("arena")), folder / "Player.log"
    path.write_text("\n".join(arena_log(program, seed)) + "\n", encoding="utf-8")
    return conformed(MAGIC, path, LogQuestion(2, by.hidden, map=by))


@pytest.mark.slow
def test_the_plays_come_to_every_step_with_priority() -> None:
    steps = {look.get("step") for seed in range(4) for _, look in windows(MAGIC, seed)}
    assert {*STEPS} - steps <= {"cleanup"}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_a_log_of_arena_is_read(seed: int, tmp_path: Path) -> None:
    found = judged(MAGIC, seed, tmp_path)
    assert not found.found, found.found[:1]
    assert found.tally.windows > 40
    assert found.tally.explained == found.tally.windows


@pytest.mark.slow
def test_what_is_wrong_in_a_log_of_arena_is_named(tmp_path: Path) -> None:
    wrong = edited_as(MAGIC, "608.2: go check(after active), not (active)")
    found = judged(wrong, 0, tmp_path)
    assert {of[0] for of in found.classes} == {"608.2"}
    assert not found.unknown
