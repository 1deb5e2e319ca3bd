"""Rotation: the text that turns a position until the active player sits in seat 0 (`symmetry` says
why that loses nothing).

In comes a layout, out go functions ``turned_0``, ``turned_1`` and so on, one for each word that has
anything to do with seats. Each takes all words of a position and returns its own word as it is
after turning. It counts seats from the active player, also those in controllers and other parts of
items, and rotates entries and sets. It sorts unordered zones anew, and spotlit items on them go
along.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from ....models import ir
from ...slicing.sorts import Sort, player
from .dispatch import EmitPoint
from .layout import UNSEEN, Field, Format, Layout, Slots
from .state import FunctionWriter

FieldChange: TypeAlias = "tuple[Field, Callable[[EmitPoint, str], str]]"
"""A field, and what writes its new code, given where that is written and by how many seats to
turn.
"""


def can_turn(layout: Layout) -> bool:
    """Whether positions of *layout* say who is active; where that is dropped, or never changes,
    there is nothing to turn.
    """
    field = layout.variables.get(ir.ACTIVE)
    return field is not None and field.bits > 0


class Rotation:
    """Writes how positions of one layout are turned, from the point *begin*.

    *items* are the item spotlights whose places and items the layout has, *seats* the player
    spotlights, each with the condition under which it stands for nobody: its field is to stay as it
    is then.
    """

    def __init__(
        self, begin: EmitPoint, items: Sequence[str] = (), seats: Mapping[str, str] | None = None
    ) -> None:
        self.begin = begin
        self.layout = begin.layout
        self.players = begin.players
        self._items: dict[Format, str] = {}
        self.changes = [
            *self._of_variables(),
            *self._of_stages(),
            *self._of_zones(),
            *self._of_spotlights(items, seats or {}),
        ]
        self.changing = {field.word for field, _ in self.changes}
        for word in sorted(self.changing):
            self._write_word(word)

    def turned(self, here: EmitPoint) -> EmitPoint:
        """Write that the position *here* is turned, and return the point after it."""
        given = ", ".join(here.words)
        turned = here
        for number in sorted(self.changing):
            turned = turned.with_word(number, f"turned_{number}({given}, out)")
        return turned

    def _write_word(self, number: int) -> None:
        """Write the function of word *number*: every field in it is computed from the position
        before.
        """
        before = here = self.begin.opened(f"turned_{number}", ("out",))
        by = before.let("by", before.field_code(self.layout.variables[ir.ACTIVE]))
        with before.block(f"if {by} == 0:"):
            before.line(f"return {before.words[number]}")
        for field, write in self.changes:
            if field.word == number:
                here = here.written(field, write(before, by))
        here.line(f"return {here.words[number]}")
        here.closed()

    # ------------------------------------------------------------------ seats

    def _seat(self, sort: Sort, code: str, by: str) -> str:
        """Return the *code* of a player, or of a set of players, turned."""
        if sort.kind == "players":
            return _rotated(code, by, self.players)
        turned = f"(({code} + {self.players} - {by}) % {self.players})"
        return f"({code} if {code} == {self.players} else {turned})" if sort.is_optional else turned

    def _of_variables(self) -> Iterator[FieldChange]:
        for variable in self.layout.program.variables:
            sort = self.layout.sorts[variable.name]
            field = self.layout.variables.get(variable.name)
            if field is None or not field.bits:
                continue
            if variable.each_player:
                yield from self._of_entries(variable.name, sort)
            elif _is_of_players(sort):
                yield field, partial(self._stored_seat, field, sort)

    def _of_entries(self, name: str, sort: Sort) -> Iterator[FieldChange]:
        """Turn the entries of a variable that each player has: all at once, or one by one if they
        are players themselves.
        """
        first = self.layout.variables[name]
        whole = replace(first, bits=first.bits * self.players, low=0)
        if not _is_of_players(sort):
            yield (
                whole,
                lambda here, by: _rotated(
                    here.field_code(whole), f"{by} * {first.bits}", whole.bits
                ),
            )
            return
        for seat in range(self.players):
            yield self.layout.entry(name, seat), partial(self._entry, first, seat, sort)

    def _entry(self, field: Field, seat: int, sort: Sort, here: EmitPoint, by: str) -> str:
        """Return the new entry of *seat*, which is that of the player who comes there."""
        who = here.let("p", f"({by} + {seat}) % {self.players}")
        shift = here.entry_shift(field, who)
        old = here.let("v", f"{here.words[field.word]} >> {shift} & {field.mask}")
        return self._seat(sort, old, by)

    def _stored_seat(
        self, field: Field, sort: Sort, here: EmitPoint, by: str, *, idle: str = ""
    ) -> str:
        """Return what *field* holds turned, or as it is where it is *idle*: nobody is meant."""
        turned = self._seat(sort, here.let("v", here.field_code(field)), by)
        return f"({here.field_code(field)} if {idle} else {turned})" if idle else turned

    def _of_stages(self) -> Iterator[FieldChange]:
        """Turn the parameters of whichever stage it is: those of all stages share their bits."""
        before = self.begin.opened("turned_parameters", ("by",))
        shared = self.layout.shared
        for stage, parameters in self.layout.arguments.items():
            of_players = [
                (field, sort) for field, sort in parameters.values() if _is_of_players(sort)
            ]
            if not of_players:
                continue
            with before.block(f"if {before.at_stage(stage)}:"):
                here = before
                for field, sort in of_players:
                    here = here.written(field, self._stored_seat(field, sort, before, "by"))
                here.line(f"return {here.field_code(shared)}")
        if before.function.lines:
            before.line(f"return {before.field_code(shared)}")
            name = before.closed()
            yield shared, lambda here, by: f"{name}({', '.join([*here.words, by])})"

    # ------------------------------------------------------------------ items

    def _item_turner(self, format_: Format) -> str:
        """Return the name of the function that turns an item in *format_*; empty if nothing of it
        changes.
        """
        owned = [(name, part) for name, part in format_.kept if _is_of_players(part.sort)]
        if not owned:
            return ""
        if format_ not in self._items:
            module = self.begin.module
            kept = format_.mask
            parts = []
            function = FunctionWriter(module.unique_name("turned_item"), ("i", "by"))
            for name, part in owned:
                kept ^= part.mask << part.shift
                code = function.let("v", self.begin.part("i", format_, name))
                parts.append(self.begin.stored(part, self._seat(part.sort, code, "by")))
            function.line(f"return {' | '.join([f'i & {kept}', *parts])}")
            module.functions.append(function)
            self._items[format_] = function.name
        return self._items[format_]

    def _of_zones(self) -> Iterator[FieldChange]:
        for zone in self.layout.zones.values():
            if item := self._item_turner(zone.format):
                yield zone.slots, partial(_turned_zone, self._write_zone(zone, item), zone)

    def _of_spotlights(
        self, items: Sequence[str], seats: Mapping[str, str]
    ) -> Iterator[FieldChange]:
        layout = self.layout
        extra = self.layout.extra
        for name, idle in seats.items():
            field = extra[f"seat of {name}"]
            yield field, partial(self._stored_seat, field, player(self.players), idle=idle)
        sorted_ = [
            zone
            for zone in layout.zones.values()
            if zone.order == "unordered" and self._item_turner(zone.format)
        ]
        if items and sorted_:
            self._write_place(sorted_)
        for name in items:
            place = extra[f"place of {name}"]
            item = extra.get(f"item {name}")
            if sorted_:
                yield place, partial(_turned_place, place)
            if item is not None and (
                turned := self._item_turner(layout.formats.get(f"item {name}", layout.item))
            ):
                yield item, partial(_turned_item, turned, place, item)

    def _write_zone(self, zone: Slots, item: str) -> str:
        """Write the function that turns the slots of *zone*, and return its name; those without an
        order are sorted by insertion.
        """
        bits = zone.format.bits
        mask = zone.format.mask
        function = FunctionWriter(f"turned_zone_{zone.number}", ("z", "length", "by"))
        function.line("turned = 0")
        with function.block("for at in range(length):"):
            function.line(f"code = {item}(z >> at * {bits} & {mask}, by)")
            if zone.order == "unordered":
                function.line(
                    f"turned = inserted_{bits}(turned, rank_{bits}(turned, at, code), code)"
                )
            else:
                function.line(f"turned |= code << at * {bits}")
        function.line("return turned")
        self.begin.module.functions.append(function)
        return function.name

    def _write_place(self, zones: Sequence[Slots]) -> None:
        """Write the function that says where an item at place *q* is after its zone has been sorted
        anew.

        Of items that are alike the first remains the first.
        """
        here = self.begin.opened("turned_place", ("by", "q"))
        for zone in zones:
            item = self._item_turner(zone.format)
            bits = zone.format.bits
            mask = zone.format.mask
            first = zone.first_place
            with here.block(f"if {first} <= q < {zone.end_place}:"):
                z = here.let("z", here.field_code(zone.slots))
                code = here.let("code", f"{item}({z} >> (q - {first}) * {bits} & {mask}, by)")
                here.line(f"at = {first}")
                with here.block(f"for k in range({here.length(zone)}):"):
                    here.line(f"other = {item}({z} >> k * {bits} & {mask}, by)")
                    with here.block(f"if other < {code} or other == {code} and k < q - {first}:"):
                        here.line("at += 1")
                here.line("return at")
        here.line("return q")
        here.closed()


def _turned_zone(name: str, zone: Slots, here: EmitPoint, by: str) -> str:
    return f"{name}({here.field_code(zone.slots)}, {here.length(zone)}, {by})"


def _turned_place(place: Field, here: EmitPoint, by: str) -> str:
    return f"turned_place({', '.join(here.words)}, {by}, {here.field_code(place)})"


def _turned_item(turned: str, place: Field, item: Field, here: EmitPoint, by: str) -> str:
    return f"(0 if {here.is_code(place, UNSEEN)} else {turned}({here.field_code(item)}, {by}))"


def _is_of_players(sort: Sort) -> bool:
    return sort.kind in ("player", "players")


def _rotated(code: str, by: str, bits: int) -> str:
    """Return *code*, of *bits*, rotated to the right by *by*."""
    return f"({code} >> {by} | ({code} & (1 << {by}) - 1) << {bits} - {by})"
