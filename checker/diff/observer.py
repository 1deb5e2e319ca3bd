"""What those at the table can observe of a play: the only thing in which two rulesets are compared.

Observed of a move are its owner, whether it may or must be made, who chooses in it, and its events:
what is put, moved, resolves or leaves (kind, controller, attributes), who passes, which step or
sequence begins or ends; that somebody acts, if it does nothing else. Observed of positions is who
has priority. Not observed are stages, state variables, clauses by their id, places within a zone. A
move of which nothing is observed is *silent*. What players are said to do, by the title of a clause
or of what they choose, is observed where that is asked for.
"""

from __future__ import annotations

from collections.abc import Collection
from copy import copy
from typing import NamedTuple

from ...models import ir
from ...models.ir.parts import statements
from ..types.position import Event, Item, Move
from .renaming import NameMap


class SeenItem(NamedTuple):
    """An item as it lies there: its *kind*, the seat of its *controller*, and those of its
    attributes that both sides know.
    """

    kind: str
    controller: int
    attributes: tuple[tuple[str, bool | int | str | None], ...] = ()


class SeenEvent(NamedTuple):
    """An event, in the words of the old rules: see `checker.types.position.Event`."""

    kind: str
    item: SeenItem | None = None
    zone: str = ""
    to_zone: str = ""
    player: int | None = None
    sequence: str = ""
    step: str = ""


class MoveMade(NamedTuple):
    """A move is made, by a seat, the ``rules`` or the ``cards``, which may or must (*mode*) make
    it; *choosers* are others who choose. *said* is what players are said to do, where that is
    observed.
    """

    owner: int | str
    mode: str
    choosers: tuple[int | str, ...]
    events: tuple[SeenEvent, ...]
    said: tuple[str, ...] = ()


class PriorityGiven(NamedTuple):
    """The players on these seats have priority now, and were not those who had it last."""

    holders: tuple[int, ...]


Observation = MoveMade | PriorityGiven


class Observer:
    """Tells what is observed of the moves of *program*, in the words of the old rules; *shared*
    attributes only, and of what players are said to do *titles* alone.
    """

    def __init__(
        self,
        program: ir.Program,
        renaming: NameMap,
        shared: frozenset[str],
        titles: Collection[str] = (),
    ) -> None:
        self.modes = {clause.id: clause.mode for _, clause in program.clauses}
        self._titles = {clause.id: clause.title for _, clause in program.clauses}
        self._said = frozenset(titles)
        self._old = renaming.old
        self._zones = [renaming.old("zone", zone.name) for zone in program.zones]
        self._attributes = [
            renaming.old("attribute", attribute.name) for attribute in program.attributes
        ]
        self._enums = [isinstance(attribute.type, ir.EnumType) for attribute in program.attributes]
        self._shared = shared
        self._items: dict[Item, SeenItem] = {}
        self._events: dict[Event, SeenEvent] = {}

    def unsaid(self) -> Observer:
        """Return the observer who does not hear what players say."""
        other = copy(self)
        other._said = frozenset()
        return other

    def observed(self, move: Move) -> MoveMade | None:
        """Return what is observed of *move*, None if it is silent."""
        mode, said = self.modes[move.clause], self._said_of(move) if self._said else ()
        if not move.events and mode != "may" and not said:
            return None
        choosers = sorted(
            {choice.by for choice in move.choices if choice.by != move.owner}, key=str
        )
        return MoveMade(
            move.owner,
            mode,
            tuple(choosers),
            tuple(self._event(event) for event in move.events),
            said,
        )

    def _said_of(self, move: Move) -> tuple[str, ...]:
        title = self._titles[move.clause] if self.modes[move.clause] == "may" else ""
        chosen = [
            str(choice.value)
            for choice in move.choices
            if isinstance(choice.by, int) and not choice.what
        ]
        return tuple(one for one in (title, *chosen) if one in self._said)

    def _event(self, event: Event) -> SeenEvent:
        seen = self._events.get(event)
        if seen is None:
            seen = self._events[event] = self._seen_event(event)
        return seen

    def _seen_event(self, event: Event) -> SeenEvent:
        old = self._old
        return SeenEvent(
            event.kind,
            None if event.item is None else self._seen_item(event.item),
            "" if event.zone < 0 else self._zones[event.zone],
            "" if event.to_zone < 0 else self._zones[event.to_zone],
            event.player,
            old("sequence", event.sequence),
            old("step", event.step),
        )

    def _seen_item(self, item: Item) -> SeenItem:
        seen = self._items.get(item)
        if seen is None:
            values = zip(self._attributes, self._enums, item.attributes, strict=True)
            told = sorted(
                (name, self._old("value", value) if is_enum and isinstance(value, str) else value)
                for name, is_enum, value in values
                if name in self._shared
            )
            seen = self._items[item] = SeenItem(
                self._old("kind", item.kind), item.controller, tuple(told)
            )
        return seen


def shared_titles(old: ir.Program, new: ir.Program) -> frozenset[str]:
    """Return what players may do and choose by its titles, as far as both sides have the same."""
    shared = frozenset[str]()
    for titles in (_acts, _options):
        before, after = titles(old), titles(new)
        shared |= before if before == after else frozenset()
    return shared - {""}


def _acts(program: ir.Program) -> frozenset[str]:
    return frozenset(clause.title for _, clause in program.clauses if clause.mode == "may")


def _options(program: ir.Program) -> frozenset[str]:
    """Return among what players choose."""
    return frozenset(
        title
        for _, clause in program.clauses
        for one in statements(clause.body)
        if isinstance(one, ir.Branch) and one.by != "cards"
        for title, _ in one.options
    )


def shared_attributes(old: ir.Program, new: ir.Program, renaming: NameMap) -> frozenset[str]:
    """Return the attributes that items have on both sides, by their old names."""
    return frozenset(attribute.name for attribute in old.attributes) & frozenset(
        renaming.old("attribute", attribute.name) for attribute in new.attributes
    )
