"""Watching: the mode that follows spotlit items and runs a monitor along, all of it in the position's own words.

In comes a formula with its spotlights, out goes a text whose positions have extra fields: which seat each
player spotlight stands for (chosen at the start), where each item spotlight's item is (`layout.UNSEEN`,
a place, `layout.GONE`), what it is if the formula asks, and the *past*: the monitor's bits. A move that makes
the formula true says so in the header of the buffer.

Whenever an item is put on a zone, each item spotlight that stands for nothing yet may turn to it or not.
What happens within a move is gathered in *marks*, a bit for each statement about moves that the formula makes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...models import ir
from ...properties import formula as f
from .here import Here
from .layout import GONE, UNSEEN, Field, Layout
from .layout import Slots as Zone
from .modes import BITS, Changes, GoOn, Mode, Successors
from .text import Function
from .values import Values
from .zones import Zones

OfMove = f.ItemEvent | f.PlayerEvent | f.Uses | f.SequenceEvent
PASSES, MAY = 1, 2
"""The marks that are always there: the owner has passed; the clause is a may clause."""


class Watched(Successors):
    """The mode of one formula: positions with what is watched in them, each move in every way to watch it."""

    name = "seen"
    threads = ("me", "marks")
    at_start = ("-1", "0")

    def __init__(self, layout: Layout, values: Values, zones: Zones, formula: f.Formula, items: Sequence[str]) -> None:
        self.layout, self.values, self.zones, self.items = layout, values, zones, items
        self.marks: dict[f.Formula, int] = {}
        for node in ir.walk(formula):
            if isinstance(node, f.ItemEvent | f.Uses | f.SequenceEvent):
                self.marks.setdefault(_asked(node), 4 << len(self.marks))

    def place(self, item: str) -> Field:
        """Return the field that says where the spotlit *item* is."""
        return self.layout.extra[f"place of {item}"]

    # ------------------------------------------------------------------ the beginning and the end

    def begin(self, clause: ir.Clause, owner: str) -> tuple[str, ...]:
        """Return the owner, and the marks that the clause itself has."""
        super().begin(clause, owner)
        used = self.marks.get(f.Uses(clause.id), 0)
        return owner, str(used | (MAY if clause.mode == "may" else 0))

    def end(self, function: Function, here: Here, _mode: Mode, _stage: str) -> None:
        """Write what the monitor remembers, and the position unless the formula can never become true from there."""
        past = function.let("past", f"watch({', '.join([*here.words, *here.threads])}, out, n)")
        with function.block(f"if {past} >= 0:"):
            here = self.values.written(function, self.layout.extra["past"], past, here)
            self.store(function, here)

    # ------------------------------------------------------------------ what happens

    def passes(self, function: Function, here: Here) -> Here:
        """Write that the owner passes."""
        return self._marked(function, here, PASSES)

    def put(self, function: Function, here: Here, zone: Zone, at: str, code: str, go_on: GoOn) -> None:
        """Write that a new item has joined *zone*, and what follows for every way to turn the spotlights."""
        here = self._marked(function, here, self._of_events(None, ("is put on", zone.name)))
        if zone.order == "unordered":
            for item in self.items:
                place = function.let("q", self.zones.after_joining(self.values.read(self.place(item), here), zone, at))
                here = self.values.written(function, self.place(item), place, here)
        if not self.items:
            go_on(here)
            return
        for inside in self._turned(function, here, zone, at, code):
            go_on(inside)

    def _turned(self, function: Function, here: Here, zone: Zone, at: str, code: str) -> Iterator[Here]:
        """Open a loop over the ways to turn the spotlights to a new item, and yield the point inside."""
        turn = function.fresh("turn")
        with function.block(f"for {turn} in range({len(self.items) + 1}):"):
            for number, item in enumerate(self.items, 1):
                unseen = self.values.is_code(self.place(item), UNSEEN, here)
                with function.block(f"if {turn} == {number} and not {unseen}:"):
                    function.line("continue")
            for number, item in enumerate(self.items, 1):
                here = self._if_turned(function, here, f"{turn} == {number}", item, self.zones.place(zone, at), code)
                marks = self._of_events(item, ("is put on", zone.name))
                here = self._marked(function, here, marks, f"{turn} == {number}")
            yield here

    def _if_turned(self, function: Function, here: Here, condition: str, item: str, place: str, code: str) -> Here:
        fields = [(self.place(item), place)]
        if f"item {item}" in self.layout.extra:
            fields.append((self.layout.extra[f"item {item}"], code))
        for field, new in fields:
            value = function.let("q", f"({new} if {condition} else {self.values.read(field, here)})")
            here = self.values.written(function, field, value, here)
        return here

    def moved(self, function: Function, here: Here, zone: Zone, at: str, to: Zone, to_at: str) -> Here:
        """Write that an item has gone from one place to another."""
        events, new = (("leaves", zone.name), ("is put on", to.name)), self.zones.place(to, to_at)
        here, was = self._happened(function, here, zone, at, *events)
        for item, place in was:
            left = function.let("q", self.zones.after_leaving(place, zone, at))
            after = f"({new} if {place} == {self.zones.place(zone, at)} else {self.zones.after_joining(left, to, to_at)})"
            here = self.values.written(function, self.place(item), function.let("q", after), here)
        return here

    def left(self, function: Function, here: Here, zone: Zone, at: str, how: str) -> Here:
        """Write that an item has left the game."""
        here, was = self._happened(function, here, zone, at, ("leaves", zone.name), (how, None))
        for item, place in was:
            after = function.let("q", self.zones.after_leaving(place, zone, at, str(GONE)))
            here = self.values.written(function, self.place(item), after, here)
        return here

    def begins_resolving(self, function: Function, here: Here, zone: Zone, at: str) -> Here:
        """Write that an item begins to resolve."""
        return self._happened(function, here, zone, at, ("begins resolving", None))[0]

    def steps(self, function: Function, here: Here, sequence: str, changes: Changes) -> Here:
        """Write what ends and begins of *sequence*."""
        for condition, change in changes:
            what, _, word = change.partition(" ")
            asked = f.SequenceEvent("begins" if word == "begins" else "ends", None if what == "step" else sequence)
            here = self._marked(function, here, self.marks.get(asked, 0), condition)
        return here

    # ------------------------------------------------------------------ marks

    def _happened(
        self, function: Function, here: Here, zone: Zone, at: str, *events: tuple[str, str | None]
    ) -> tuple[Here, list[tuple[str, str]]]:
        """Mark *events* of the item at number *at* of *zone*; return where each spotlit item was before."""
        here = self._marked(function, here, self._of_events(None, *events))
        was = [(item, function.let("q", self.values.read(self.place(item), here))) for item in self.items]
        for item, place in was:
            here = self._marked(function, here, self._of_events(item, *events), f"{place} == {self.zones.place(zone, at)}")
        return here, was

    def _of_events(self, item: str | None, *events: tuple[str, str | None]) -> int:
        """Return the marks of what the formula says of *item* that one of *events* is."""
        marks = 0
        for node, mark in self.marks.items():
            match node:
                case f.ItemEvent(event, who, zone) if who == item:
                    marks |= mark if any(event == word and zone in (None, where) for word, where in events) else 0
                case _:
                    pass
        return marks

    def _marked(self, function: Function, here: Here, marks: int, condition: str = "True") -> Here:
        """Write *marks* where *condition* holds."""
        me, before = here.threads
        if not marks:
            return here
        if condition == "True":
            after = str(int(before) | marks) if before.isdigit() else function.let("marks", f"{before} | {marks}")
        else:
            after = function.let("marks", f"{before} | ({marks} if {condition} else 0)")
        return replace(here, threads=(me, after))


class Telling(Watched):
    """The mode that also tells which move it was: for the few positions of a play, in plain Python.

    After a position come the number of the move in NOTE(move-order), and which of the move's new items
    (from 1) each item spotlight has turned to, `TOLD` bits each, and the bits of the formulas it makes true.
    The number is counted in the buffer's last cell; the new items are counted above the marks.
    """

    def put(self, function: Function, here: Here, zone: Zone, at: str, code: str, go_on: GoOn) -> None:
        """As `Watched.put`; whichever way the spotlights turn, the moves that follow have the same numbers."""
        me, marks = here.threads
        here = replace(here, threads=(me, function.let("marks", f"{marks} + {1 << COUNT}")))
        number = function.let("number", "out[-1]")

        def told(inside: Here) -> None:
            function.line(f"out[-1] = {number}")
            go_on(inside)

        super().put(function, here, zone, at, code, told)

    def _if_turned(self, function: Function, here: Here, condition: str, item: str, place: str, code: str) -> Here:
        me, marks = here.threads
        shift = COUNT + TOLD * (1 + list(self.items).index(item))
        which = f"({marks} >> {COUNT} & {(1 << TOLD) - 1}) << {shift}"
        here = replace(here, threads=(me, function.let("marks", f"{marks} + (({which}) if {condition} else 0)")))
        return super()._if_turned(function, here, condition, item, place, code)

    def end(self, function: Function, here: Here, mode: Mode, stage: str) -> None:
        """Count the move, whether its position is written or not."""
        function.line(f"out[{BITS}] = 0")
        super().end(function, here, mode, stage)
        function.line("out[-1] += 1")

    def store(self, function: Function, here: Here) -> None:
        """Write the position *here* and what is told of its move."""
        super().store(function, here)
        function.line("out[n] = out[-1]")
        function.line(f"out[n + 1] = {here.threads[1]} >> {COUNT + TOLD}")
        function.line(f"out[n + 2] = out[{BITS}]")
        function.line("n += 3")


COUNT, TOLD = 256, 16


def _asked(node: f.ItemEvent | f.Uses | f.SequenceEvent) -> f.Formula:
    """Return what has to be marked for *node*; whose move it is, is asked at the end."""
    return f.Uses(node.clause) if isinstance(node, f.Uses) else node
