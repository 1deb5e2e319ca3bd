"""What was observed, in words: who may do what, what happens, where things come to a stop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from ...checker.diff.observer import MoveMade, Observation, PriorityGiven, SeenEvent, SeenItem
from ...checker.diff.side import Rest
from ...models import ir
from ...models.words import join_words
from ..naming import attribute_words, kind_title, owner_name, player_name

MOST_NAMED = 4
"""How many of what is possible are named; how many more there are is said."""
_HAPPENS = {
    "resolves": "resolves",
    "is removed": "is removed",
    "begins resolving": "begins to resolve",
}


def players_words(seats: Sequence[int]) -> str:
    """Return the players on *seats* as a list: ``A and B``."""
    return join_words([player_name(seat) for seat in seats])


class ObservedWords:
    """Says what was observed, in the words of *program*."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._steps = {
            (s.name, step.name): step.title or step.name
            for s in program.sequences
            for step in s.steps
        }
        self._sequences = {
            sequence.name: sequence.title or sequence.name for sequence in program.sequences
        }

    def observation(self, seen: Observation) -> str:
        """Return what was observed as a part of a sentence."""
        match seen:
            case PriorityGiven(holders):
                return f"{players_words(holders)} {'gets' if len(holders) == 1 else 'get'} priority"
            case MoveMade():
                return self.made(seen)
            case _:
                assert_never(seen)

    def made(self, made: MoveMade) -> str:
        """Return a move as a part of a sentence: ``A may act: A's instant is put on the stack``."""
        who = owner_name(made.owner)
        events = join_words([self.event(event) for event in made.events])
        done = ": ".join(filter(None, [join_words(made.said), events]))
        passes = len(made.events) == 1 and made.events[0].kind == "passes"
        match made.mode:
            case "may" if passes:
                said = f"{who} may pass"
            case "may" if made.said:
                said = f"{who} may {done}"
            case "may":
                said = f"{who} may act: {events or 'nothing that can be seen happens'}"
            case "must" if isinstance(made.owner, int):
                said = f"{who} must make a move: {done}"
            case _:
                said = f"by {who}, {done}"
        choosers = [owner_name(chooser) for chooser in made.choosers if chooser != "rules"]
        is_plural = len(choosers) > 1 or made.choosers[-1:] == ("cards",)
        return (
            f"{said} ({join_words(choosers)} {'choose' if is_plural else 'chooses'})"
            if choosers
            else said
        )

    def event(self, event: SeenEvent) -> str:
        """Return an event as a part of a sentence."""
        item = "" if event.item is None else self.item_words(event.item)
        match event.kind:
            case "put":
                return f"{item} is put on {event.zone}"
            case "move":
                return f"{item} moves from {event.zone} to {event.to_zone}"
            case "changes":
                return f"{item} has changed"
            case "resolves" | "is removed" | "begins resolving":
                return f"{item} {_HAPPENS[event.kind]}"
            case "passes":
                return f"{player_name(event.player or 0)} passes"
            case "step ends" | "step begins":
                return f"the step {event.kind.removeprefix('step ')}: {self._steps.get((event.sequence, event.step), event.step)}"
            case _:
                name = (
                    "the turn"
                    if event.sequence == ir.TURN
                    else self._sequences.get(event.sequence, event.sequence)
                )
                return f"{name} {event.kind.removeprefix('sequence ')}"

    def item_words(self, item: SeenItem) -> str:
        """Return what an item is called: ``A's instant (speed fast)``, with the attributes that are
        not as by default.
        """
        declared = {attribute.name: attribute for attribute in self.program.attributes}
        said = []
        for name, value in item.attributes:
            if declared[name].default != ir.Literal(value):
                is_player = isinstance(declared[name].type, ir.PlayerType)
                words = (
                    player_name(value) if is_player and isinstance(value, int) else _plain(value)
                )
                said.append(attribute_words(name, value, words))
        return f"{player_name(item.controller)}'s {kind_title(self.program, item.kind)}{f' ({join_words(said)})' if said else ''}"

    def rest(self, rest: Rest) -> str:
        """Return how things are where they come to a stop, as a part of a sentence."""
        if rest.is_over:
            return "the game is over"
        if not rest.offers:
            return "nothing is possible: a gap in the rules"
        has = "has" if len(rest.holders) == 1 else "have"
        holds = f"{players_words(rest.holders)} {has} priority and " if rest.holders else ""
        return f"{holds}only this is possible: {self.several(sorted(rest.offers, key=repr))}"

    def several(self, seen: Sequence[Observation]) -> str:
        """Return the first of what was *seen*, and how many more there are."""
        more = f"; and {len(seen) - MOST_NAMED} more" if len(seen) > MOST_NAMED else ""
        return "; ".join(self.observation(one) for one in seen[:MOST_NAMED]) + more


def _plain(value: bool | int | str | None) -> str:
    match value:
        case None:
            return "nobody"
        case bool():
            return "yes" if value else "no"
        case _:
            return str(value)
