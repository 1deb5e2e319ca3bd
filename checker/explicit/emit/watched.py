"""Watching: the hooks that follow spotlit items and run monitors along, all of it in the position's
own words.

In comes a group of formulas, out goes a text whose positions have extra fields: which seat each
player spotlight stands for (chosen at the start), where each item spotlight's item is
(`layout.UNSEEN`, a place, `layout.GONE`), what it is if the formulas ask, and the *past*: a
monitor's bits. The function ``watch`` goes to that of the formula whose number the buffer's header
says, and a move that makes the formula true says so in the header.

Whenever an item is put on a zone, each item spotlight that stands for nothing yet may turn to it or
not. What happens within a move is gathered in *marks*, a bit for each statement about events that
formulas of the group make.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ....models import ir
from ....properties import formula as f
from ...watching.plan import Mark, plan
from ..moves.dispatch import EmitPoint
from ..moves.hooks import BITS, NUMBER, OWED, Changes, GoOn, MoveHooks
from ..moves.layout import UNSEEN, Field, Layout
from ..moves.state import ZoneSpot
from .groups import Group, asks_who_chooses, marked, numbered

PASSES, MAY, CARDS = 1, 2, 4
"""The marks that are always there: the owner has passed; the clause is a may clause; cards do
something (if a formula asks for it).
"""


class WatchHooks(MoveHooks):
    """The hooks of one group: positions with what is watched in them, each move in every way to
    watch it.

    Besides the state it hands on whose move it is, the marks, the number of the clause if a formula
    asks for one, and what was true of the position left if one *looks_back*. *owed* is how many
    promises about the future a formula may owe; then a move is written once for each way to owe
    some of them. *begins* is the mark of the beginning of a play, where there is no move.
    """

    name = "seen"

    def __init__(self, layout: Layout, group: Group, *, looks_back: bool) -> None:
        self.layout = layout
        self.items = group.items
        self.marks: dict[Mark, int] = {}
        uses: dict[str, None] = {}
        for query in group.queries:
            for node in marked(query):
                self.marks.setdefault(node, 8 << len(self.marks))
            uses |= dict.fromkeys(plan(query.formula).clauses)
        self.asks_cards = any("cards" in query.assuming for query in group.queries)
        self.owed = group.owed
        self.begins = 8 << len(self.marks) if any(query.temporal for query in group.queries) else 0
        self.asks_choosers = any(asks_who_chooses(query.formula) for query in group.queries)
        self.choosers = 4 + len(self.marks)
        self.clauses = {clause: number for number, clause in enumerate(uses, 1)}
        self.threads = {"me": "-1", "marks": str(self.begins)}
        self.threads |= {"used": "0"} if uses else {}
        self.threads |= {"was": "0"} if looks_back else {}

    @property
    def parameters(self) -> tuple[str, ...]:
        """What a function gets that watches a move, besides the position reached."""
        return (*self.threads, "out", "n")

    def place_field(self, item: int) -> Field:
        """Return the field that says where the spotlit *item* is."""
        return self.layout.extra[f"place of {item}"]

    def mark(self, node: Mark, items: Mapping[str, int]) -> int:
        """Return the mark of what a formula with these *items* says of the move."""
        return self.marks[numbered(node, items)]

    # ------------------------------------------------------------------ the beginning and the end

    def on_begin(self, clause: ir.Clause, owner: str) -> Mapping[str, str]:
        """Return the owner, the mark that the clause itself has, and the rest of what is handed
        on.
        """
        super().on_begin(clause, owner)
        marks = {"may": MAY, "must": 0, "chance": CARDS if self.asks_cards else 0}[clause.mode]
        # The names of the words at the beginning of a move are those of the position left, and
        # nothing is assigned twice.
        values = {
            "me": owner,
            "marks": str(marks),
            "used": str(self.clauses.get(clause.id, 0)),
            "was": f"left({', '.join([*self.layout.names, 'out', 'n'])})",
        }
        return {name: values.get(name, first) for name, first in self.threads.items()}

    def on_end(self, here: EmitPoint, _mode: ir.Mode) -> None:
        """Write what the monitor remembers, and the position unless the formula can never become
        true from there.
        """
        past = self._watched(here)
        with here.block(f"if {past} >= 0:"):
            if self.owed:
                self._end_owing(here, past)
                return
            if "past" in self.layout.extra:
                here = here.written(self.layout.extra["past"], past)
            self.store(here)

    def _watched(self, here: EmitPoint) -> str:
        """Write what the function ``watch`` says of a move that ends *here*."""
        given = [*here.words, *here.threads.values(), "out", "n"]
        return here.let("past", f"watch({', '.join(given)})")

    def _end_owing(self, here: EmitPoint, past: str) -> None:
        """Write the position once for each way to go on that the buffer's header names
        (`monitor`).
        """
        owed = here.fresh("owed")
        with (
            here.block(f"for {owed} in range({1 << self.owed}):"),
            here.block(f"if out[{OWED} + ({owed} >> 5)] >> ({owed} & 31) & 1 != 0:"),
        ):
            self.store(here.written(self.layout.extra["past"], f"({past} | {owed})"))

    # ------------------------------------------------------------------ what happens

    def on_pass(self, here: EmitPoint) -> EmitPoint:
        """Write that the owner passes."""
        return self._marked(here, PASSES)

    def on_happening(self, here: EmitPoint) -> EmitPoint:
        """Write that the cards let something happen."""
        return self._marked(here, CARDS) if self.asks_cards else here

    def on_choice(self, here: EmitPoint, by: ir.Expr | None) -> EmitPoint:
        """Write that a player makes a choice: a mark for each seat, above all others."""
        if not self.asks_choosers:
            return here
        seat = here.threads["me"] if by is None else here.code(by)
        is_seat = f"{seat} >= 0 and {seat} < {self.layout.players}"
        mark = f"({1 << self.choosers} << {seat} if {is_seat} else 0)"
        return here.with_thread("marks", here.let("marks", f"{here.threads['marks']} | {mark}"))

    def on_put(self, here: EmitPoint, spot: ZoneSpot, code: str, go_on: GoOn) -> None:
        """Write that a new item has come to *spot*, and what follows for every way to turn the
        spotlights.
        """
        here = self._marked(here, self._of_events(None, ("is put on", spot.zone.name)))
        if spot.zone.order == "unordered":
            for item in self.items:
                field = self.place_field(item)
                place = here.let("q", spot.after_joining(here.field_code(field)))
                here = here.written(field, place)
        if not self.items:
            go_on(here)
            return
        for inside in self._turned(here, spot, code):
            go_on(inside)

    def _turned(self, here: EmitPoint, spot: ZoneSpot, code: str) -> Iterator[EmitPoint]:
        """Open a loop over the ways to turn the spotlights to a new item, and yield the point
        inside.
        """
        turn = here.fresh("turn")
        with here.block(f"for {turn} in range({len(self.items) + 1}):"):
            for item in self.items:
                unseen = here.is_code(self.place_field(item), UNSEEN)
                with here.block(f"if {turn} == {item + 1} and not {unseen}:"):
                    here.line("continue")
            for item in self.items:
                is_turned = f"{turn} == {item + 1}"
                here = self._if_turned(here, is_turned, item, spot, code)
                marks = self._of_events(item, ("is put on", spot.zone.name))
                here = self._marked(here, marks, is_turned)
            yield here

    def _if_turned(
        self, here: EmitPoint, condition: str, item: int, spot: ZoneSpot, code: str
    ) -> EmitPoint:
        fields = [(self.place_field(item), spot.place)]
        if (format_ := self.layout.formats.get(f"item {item}")) is not None:
            known = here.converted(code, spot.zone.made, format_)
            fields.append((self.layout.extra[f"item {item}"], known))
        for field, new in fields:
            value = here.let("q", f"({new} if {condition} else {here.field_code(field)})")
            here = here.written(field, value)
        return here

    def on_move(self, here: EmitPoint, spot: ZoneSpot, to: ZoneSpot) -> EmitPoint:
        """Write that an item has gone from one place to another."""
        events = ("leaves", spot.zone.name), ("is put on", to.zone.name)
        here, was = self._happened(here, spot, *events)
        for item, place in was:
            after = here.let("q", here.after_moving(place, spot, to))
            here = here.written(self.place_field(item), after)
        return here

    def on_change(
        self, here: EmitPoint, spot: ZoneSpot, to: ZoneSpot, name: str, code: str
    ) -> EmitPoint:
        """Write that the part *name* of an item has changed, which may now be at another spot of
        its zone.
        """
        for item in self.items:
            place = here.let("q", here.field_code(self.place_field(item)))
            if (format_ := self.layout.formats.get(f"item {item}")) is not None:
                field = self.layout.extra[f"item {item}"]
                known = here.let("i", here.field_code(field))
                new = here.with_part(known, format_, name, code)
                it = here.let("i", f"({new} if {place} == {spot.place} else {known})")
                here = here.written(field, it)
            after = here.let("q", spot.after_changing(place, to))
            here = here.written(self.place_field(item), after)
        return here

    def on_leave(self, here: EmitPoint, spot: ZoneSpot, how: str, _code: str) -> EmitPoint:
        """Write that an item has left the game."""
        here, was = self._happened(here, spot, ("leaves", spot.zone.name), (how, None))
        for item, place in was:
            after = here.let("q", spot.after_leaving(place))
            here = here.written(self.place_field(item), after)
        return here

    def on_resolving(self, here: EmitPoint, spot: ZoneSpot) -> EmitPoint:
        """Write that an item begins to resolve."""
        return self._happened(here, spot, ("begins resolving", None))[0]

    def on_steps(self, here: EmitPoint, sequence: str, changes: Changes) -> EmitPoint:
        """Write what ends and begins of *sequence*."""
        for condition, change in changes:
            what, _, word = change.partition(" ")
            asked = f.SequenceEvent(
                "begins" if word == "begins" else "ends", None if what == "step" else sequence
            )
            here = self._marked(here, self.marks.get(asked, 0), condition)
        return here

    # ------------------------------------------------------------------ marks

    def _happened(
        self, here: EmitPoint, spot: ZoneSpot, *events: tuple[str, str | None]
    ) -> tuple[EmitPoint, list[tuple[int, str]]]:
        """Mark *events* of the item at *spot*; return where each spotlit item was before."""
        here = self._marked(here, self._of_events(None, *events))
        was = [
            (item, here.let("q", here.field_code(self.place_field(item)))) for item in self.items
        ]
        for item, place in was:
            marks = self._of_events(item, *events)
            here = self._marked(here, marks, f"{place} == {spot.place}")
        return here, was

    def _of_events(self, item: int | None, *events: tuple[str, str | None]) -> int:
        """Return the marks of what the formula says of *item* that one of *events* is."""
        who = None if item is None else str(item)
        of_who = (
            (node, mark)
            for node, mark in self.marks.items()
            if isinstance(node, f.ItemEvent) and node.item == who
        )
        return sum(
            mark
            for node, mark in of_who
            if any(node.event == word and node.zone in (None, where) for word, where in events)
        )

    def _marked(self, here: EmitPoint, marks: int, condition: str = "True") -> EmitPoint:
        """Write *marks* where *condition* holds."""
        before = here.threads["marks"]
        if not marks:
            return here
        if condition != "True":
            after = here.let("marks", f"{before} | ({marks} if {condition} else 0)")
        elif before.isdigit():
            after = str(int(before) | marks)
        else:
            after = here.let("marks", f"{before} | {marks}")
        return here.with_thread("marks", after)


class MarkingHooks(WatchHooks):
    """The hooks that also say which move it was, and which formulas it makes true.

    After a position come the bits of these, and the number of the move in NOTE(move-order), which
    is counted in the buffer's header.
    """

    def on_put(self, here: EmitPoint, spot: ZoneSpot, code: str, go_on: GoOn) -> None:
        """As `WatchHooks.on_put`; whichever way the spotlights turn, the moves that follow have the
        same numbers.
        """
        number = here.let("number", f"out[{NUMBER}]")

        def told(inside: EmitPoint) -> None:
            inside.line(f"out[{NUMBER}] = {number}")
            go_on(inside)

        super().on_put(here, spot, code, told)

    def on_end(self, here: EmitPoint, mode: ir.Mode) -> None:
        """Count the move, whether its position is written or not."""
        here.line(f"out[{BITS}] = 0")
        super().on_end(here, mode)
        here.line(f"out[{NUMBER}] += 1")

    def store(self, here: EmitPoint) -> None:
        """Write the position *here*, and what is told of its move."""
        super().store(here)
        here.put_out(f"out[{BITS}]", f"out[{NUMBER}]")


class TellingHooks(MarkingHooks):
    """The hooks that also tell which items are watched: for the few positions of a play, in plain
    Python.

    Last comes which of the move's new items (from 1) each item spotlight has turned to, `TOLD` bits
    each; they are counted above the marks.
    """

    def on_put(self, here: EmitPoint, spot: ZoneSpot, code: str, go_on: GoOn) -> None:
        """As `MarkingHooks.on_put`, and count the item."""
        marks = here.let("marks", f"{here.threads['marks']} + {1 << COUNT}")
        super().on_put(here.with_thread("marks", marks), spot, code, go_on)

    def _if_turned(
        self, here: EmitPoint, condition: str, item: int, spot: ZoneSpot, code: str
    ) -> EmitPoint:
        marks = here.threads["marks"]
        shift = COUNT + TOLD * (1 + item)
        which = f"({marks} >> {COUNT} & {(1 << TOLD) - 1}) << {shift}"
        after = here.let("marks", f"{marks} + (({which}) if {condition} else 0)")
        return super()._if_turned(here.with_thread("marks", after), condition, item, spot, code)

    def store(self, here: EmitPoint) -> None:
        """As `MarkingHooks.store`, and what the spotlights have turned to."""
        super().store(here)
        here.put_out(f"{here.threads['marks']} >> {COUNT + TOLD}")


COUNT, TOLD = 256, 16
