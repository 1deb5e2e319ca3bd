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
from dataclasses import replace

from ....models import ir
from ....properties import formula as f
from ...watching.plan import Mark, plan
from ..moves.dispatch import Zones
from ..moves.hooks import BITS, NUMBER, OWED, Changes, GoOn, MoveHooks
from ..moves.layout import GONE, UNSEEN, Field
from ..moves.layout import Slots as Zone
from ..moves.state import EmitState, FunctionWriter
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

    def __init__(self, zones: Zones, group: Group, *, looks_back: bool) -> None:
        self.layout = zones.layout
        self.values = zones.values
        self.zones = zones
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
        words = self.layout.names
        self.threads = (
            "me",
            "marks",
            *(["used"] if uses else []),
            *(["was"] if looks_back else []),
        )
        self.at_start = (
            "-1",
            str(self.begins),
            *(["0"] if uses else []),
            *(["0"] if looks_back else []),
        )
        self.parameters, self.of_left = (*words, *self.threads, "out", "n"), (*words, "out", "n")

    def place_field(self, item: int) -> Field:
        """Return the field that says where the spotlit *item* is."""
        return self.layout.extra[f"place of {item}"]

    def mark(self, node: Mark, items: Mapping[str, int]) -> int:
        """Return the mark of what a formula with these *items* says of the move."""
        return self.marks[numbered(node, items)]

    # ------------------------------------------------------------------ the beginning and the end

    def on_begin(self, clause: ir.Clause, owner: str) -> tuple[str, ...]:
        """Return the owner, the mark that the clause itself has, and the rest of what is handed
        on.
        """
        super().on_begin(clause, owner)
        threads = [
            owner,
            str({"may": MAY, "must": 0, "chance": CARDS if self.asks_cards else 0}[clause.mode]),
        ]
        if self.clauses:
            threads.append(str(self.clauses.get(clause.id, 0)))
        if "was" in self.threads:
            # The names of the words at the beginning of a move are those of the position left, and
            # nothing is assigned twice.
            threads.append(f"left({', '.join(self.of_left)})")
        return tuple(threads)

    def on_end(
        self, function: FunctionWriter, here: EmitState, _mode: ir.Mode, _stage: str
    ) -> None:
        """Write what the monitor remembers, and the position unless the formula can never become
        true from there.
        """
        past = function.let("past", f"watch({', '.join([*here.words, *here.threads])}, out, n)")
        with function.block(f"if {past} >= 0:"):
            if self.owed:
                self._end_owing(function, here, past)
                return
            if "past" in self.layout.extra:
                here = self.values.written(function, self.layout.extra["past"], past, here)
            self.store(function, here)

    def _end_owing(self, function: FunctionWriter, here: EmitState, past: str) -> None:
        """Write the position once for each way to go on that the buffer's header names
        (`monitor`).
        """
        owed = function.fresh("owed")
        with (
            function.block(f"for {owed} in range({1 << self.owed}):"),
            function.block(f"if out[{OWED} + ({owed} >> 5)] >> ({owed} & 31) & 1 != 0:"),
        ):
            self.store(
                function,
                self.values.written(
                    function, self.layout.extra["past"], f"({past} | {owed})", here
                ),
            )

    # ------------------------------------------------------------------ what happens

    def on_pass(self, function: FunctionWriter, here: EmitState) -> EmitState:
        """Write that the owner passes."""
        return self._marked(function, here, PASSES)

    def on_happening(self, function: FunctionWriter, here: EmitState) -> EmitState:
        """Write that the cards let something happen."""
        return self._marked(function, here, CARDS) if self.asks_cards else here

    def on_choice(self, function: FunctionWriter, here: EmitState, by: ir.Expr | None) -> EmitState:
        """Write that a player makes a choice: a mark for each seat, above all others."""
        if not self.asks_choosers:
            return here
        before = here.threads[1]
        seat = here.threads[0] if by is None else self.values.code(by, here)
        mark = f"({1 << self.choosers} << {seat} if {seat} >= 0 and {seat} < {self.layout.players} else 0)"
        return self._with_marks(here, function.let("marks", f"{before} | {mark}"))

    def on_put(
        self, function: FunctionWriter, here: EmitState, zone: Zone, at: str, code: str, go_on: GoOn
    ) -> None:
        """Write that a new item has joined *zone*, and what follows for every way to turn the
        spotlights.
        """
        here = self._marked(function, here, self._of_events(None, ("is put on", zone.name)))
        if zone.order == "unordered":
            for item in self.items:
                place = function.let(
                    "q",
                    self.zones.after_joining(
                        self.values.field_code(self.place_field(item), here), zone, at
                    ),
                )
                here = self.values.written(function, self.place_field(item), place, here)
        if not self.items:
            go_on(here)
            return
        for inside in self._turned(function, here, zone, at, code):
            go_on(inside)

    def _turned(
        self, function: FunctionWriter, here: EmitState, zone: Zone, at: str, code: str
    ) -> Iterator[EmitState]:
        """Open a loop over the ways to turn the spotlights to a new item, and yield the point
        inside.
        """
        turn = function.fresh("turn")
        with function.block(f"for {turn} in range({len(self.items) + 1}):"):
            for item in self.items:
                unseen = self.values.is_code(self.place_field(item), UNSEEN, here)
                with function.block(f"if {turn} == {item + 1} and not {unseen}:"):
                    function.line("continue")
            for item in self.items:
                here = self._if_turned(
                    function, here, f"{turn} == {item + 1}", item, zone, at, code
                )
                marks = self._of_events(item, ("is put on", zone.name))
                here = self._marked(function, here, marks, f"{turn} == {item + 1}")
            yield here

    def _if_turned(
        self,
        function: FunctionWriter,
        here: EmitState,
        condition: str,
        item: int,
        zone: Zone,
        at: str,
        code: str,
    ) -> EmitState:
        fields = [(self.place_field(item), self.zones.place(zone, at))]
        if (format_ := self.layout.formats.get(f"item {item}")) is not None:
            fields.append(
                (self.layout.extra[f"item {item}"], self.values.converted(code, zone.made, format_))
            )
        for field, new in fields:
            value = function.let(
                "q", f"({new} if {condition} else {self.values.field_code(field, here)})"
            )
            here = self.values.written(function, field, value, here)
        return here

    def on_move(
        self, function: FunctionWriter, here: EmitState, zone: Zone, at: str, to: Zone, to_at: str
    ) -> EmitState:
        """Write that an item has gone from one place to another."""
        events, new = (("leaves", zone.name), ("is put on", to.name)), self.zones.place(to, to_at)
        here, was = self._happened(function, here, zone, at, *events)
        for item, place in was:
            left = function.let("q", self.zones.after_leaving(place, zone, at))
            after = f"({new} if {place} == {self.zones.place(zone, at)} else {self.zones.after_joining(left, to, to_at)})"
            here = self.values.written(
                function, self.place_field(item), function.let("q", after), here
            )
        return here

    def on_change(
        self,
        function: FunctionWriter,
        here: EmitState,
        zone: Zone,
        at: str,
        to_at: str,
        name: str,
        code: str,
    ) -> EmitState:
        """Write that the part *name* of an item has changed, which may now have another number on
        its zone.
        """
        for item in self.items:
            place = function.let("q", self.values.field_code(self.place_field(item), here))
            if (format_ := self.layout.formats.get(f"item {item}")) is not None:
                field = self.layout.extra[f"item {item}"]
                known = function.let("i", self.values.field_code(field, here))
                new = self.values.with_part(known, format_, name, code)
                it = function.let(
                    "i", f"({new} if {place} == {self.zones.place(zone, at)} else {known})"
                )
                here = self.values.written(function, field, it, here)
            after = function.let("q", self.zones.after_changing(place, zone, at, to_at))
            here = self.values.written(function, self.place_field(item), after, here)
        return here

    def on_leave(
        self, function: FunctionWriter, here: EmitState, zone: Zone, at: str, how: str, _code: str
    ) -> EmitState:
        """Write that an item has left the game."""
        here, was = self._happened(function, here, zone, at, ("leaves", zone.name), (how, None))
        for item, place in was:
            after = function.let("q", self.zones.after_leaving(place, zone, at, str(GONE)))
            here = self.values.written(function, self.place_field(item), after, here)
        return here

    def on_resolving(
        self, function: FunctionWriter, here: EmitState, zone: Zone, at: str
    ) -> EmitState:
        """Write that an item begins to resolve."""
        return self._happened(function, here, zone, at, ("begins resolving", None))[0]

    def on_steps(
        self, function: FunctionWriter, here: EmitState, sequence: str, changes: Changes
    ) -> EmitState:
        """Write what ends and begins of *sequence*."""
        for condition, change in changes:
            what, _, word = change.partition(" ")
            asked = f.SequenceEvent(
                "begins" if word == "begins" else "ends", None if what == "step" else sequence
            )
            here = self._marked(function, here, self.marks.get(asked, 0), condition)
        return here

    # ------------------------------------------------------------------ marks

    def _happened(
        self,
        function: FunctionWriter,
        here: EmitState,
        zone: Zone,
        at: str,
        *events: tuple[str, str | None],
    ) -> tuple[EmitState, list[tuple[int, str]]]:
        """Mark *events* of the item at number *at* of *zone*; return where each spotlit item was
        before.
        """
        here = self._marked(function, here, self._of_events(None, *events))
        was = [
            (item, function.let("q", self.values.field_code(self.place_field(item), here)))
            for item in self.items
        ]
        for item, place in was:
            here = self._marked(
                function,
                here,
                self._of_events(item, *events),
                f"{place} == {self.zones.place(zone, at)}",
            )
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

    def _marked(
        self, function: FunctionWriter, here: EmitState, marks: int, condition: str = "True"
    ) -> EmitState:
        """Write *marks* where *condition* holds."""
        before = here.threads[1]
        if not marks:
            return here
        if condition == "True":
            after = (
                str(int(before) | marks)
                if before.isdigit()
                else function.let("marks", f"{before} | {marks}")
            )
        else:
            after = function.let("marks", f"{before} | ({marks} if {condition} else 0)")
        return self._with_marks(here, after)

    def _with_marks(self, here: EmitState, marks: str) -> EmitState:
        me, _, *others = here.threads
        return replace(here, threads=(me, marks, *others))


class MarkingHooks(WatchHooks):
    """The hooks that also say which move it was, and which formulas it makes true.

    After a position come the bits of these, and the number of the move in NOTE(move-order), which
    is counted in the buffer's header.
    """

    def on_put(
        self, function: FunctionWriter, here: EmitState, zone: Zone, at: str, code: str, go_on: GoOn
    ) -> None:
        """As `WatchHooks.on_put`; whichever way the spotlights turn, the moves that follow have the
        same numbers.
        """
        number = function.let("number", f"out[{NUMBER}]")

        def told(inside: EmitState) -> None:
            function.line(f"out[{NUMBER}] = {number}")
            go_on(inside)

        super().on_put(function, here, zone, at, code, told)

    def on_end(self, function: FunctionWriter, here: EmitState, mode: ir.Mode, stage: str) -> None:
        """Count the move, whether its position is written or not."""
        function.line(f"out[{BITS}] = 0")
        super().on_end(function, here, mode, stage)
        function.line(f"out[{NUMBER}] += 1")

    def store(self, function: FunctionWriter, here: EmitState) -> None:
        """Write the position *here*, and what is told of its move."""
        super().store(function, here)
        function.line(f"out[n] = out[{BITS}]")
        function.line(f"out[n + 1] = out[{NUMBER}]")
        function.line("n += 2")


class TellingHooks(MarkingHooks):
    """The hooks that also tell which items are watched: for the few positions of a play, in plain
    Python.

    Last comes which of the move's new items (from 1) each item spotlight has turned to, `TOLD` bits
    each; they are counted above the marks.
    """

    def on_put(
        self, function: FunctionWriter, here: EmitState, zone: Zone, at: str, code: str, go_on: GoOn
    ) -> None:
        """As `MarkingHooks.on_put`, and count the item."""
        counted = self._with_marks(here, function.let("marks", f"{here.threads[1]} + {1 << COUNT}"))
        super().on_put(function, counted, zone, at, code, go_on)

    def _if_turned(
        self,
        function: FunctionWriter,
        here: EmitState,
        condition: str,
        item: int,
        zone: Zone,
        at: str,
        code: str,
    ) -> EmitState:
        marks, shift = here.threads[1], COUNT + TOLD * (1 + item)
        which = f"({marks} >> {COUNT} & {(1 << TOLD) - 1}) << {shift}"
        here = self._with_marks(
            here, function.let("marks", f"{marks} + (({which}) if {condition} else 0)")
        )
        return super()._if_turned(function, here, condition, item, zone, at, code)

    def store(self, function: FunctionWriter, here: EmitState) -> None:
        """As `MarkingHooks.store`, and what the spotlights have turned to."""
        super().store(function, here)
        function.line(f"out[n] = {here.threads[1]} >> {COUNT + TOLD}")
        function.line("n += 1")


COUNT, TOLD = 256, 16
