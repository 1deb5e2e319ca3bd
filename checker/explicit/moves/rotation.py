"""Rotation: the text that turns a position until the active player sits in seat 0 (`symmetry` says
why that loses nothing).

In comes a layout, out go functions ``turned_0``, ``turned_1`` and so on, one for each word that has
anything to do with seats; each takes all words of a position and returns its own as it is after
turning. Seats are counted from the active player, entries and sets rotated, controllers and
whatever else of an item is a player counted likewise; unordered zones are sorted anew, and spotlit
items on them go along.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from ....models import ir
from ...slicing.sorts import Sort, player
from .layout import UNSEEN, Field, Format, Layout, Slots
from .state import EmitState, FunctionWriter
from .values import Values

FieldChange: TypeAlias = "tuple[Field, Callable[[FunctionWriter, str], str]]"
"""A field, and what writes its new code, given by how many seats to turn."""


def can_turn(layout: Layout) -> bool:
    """Whether positions of *layout* say who is active; where that is dropped, or never changes,
    there is nothing to turn.
    """
    field = layout.variables.get(ir.ACTIVE)
    return field is not None and field.bits > 0


class Rotation:
    """Writes how positions of one layout are turned; the functions for it go to *module*.

    *items* are the item spotlights whose places and items the layout has, *seats* the player
    spotlights, each with the condition under which it stands for nobody: its field is to stay as it
    is then.
    """

    def __init__(
        self, values: Values, items: Sequence[str] = (), seats: Mapping[str, str] | None = None
    ) -> None:
        self.layout = values.layout
        self.module = values.module
        self.values = values
        self.players = values.players
        self.words = self.layout.names
        self.here = EmitState(self.words)
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

    def turned(self, function: FunctionWriter, here: EmitState) -> EmitState:
        """Write that the position *here* is turned, and return the point after it."""
        given, words = ", ".join(here.words), []
        for number, word in enumerate(here.words):
            words.append(
                function.let("s", f"turned_{number}({given}, out)")
                if number in self.changing
                else word
            )
        return replace(here, words=tuple(words))

    def _write_word(self, number: int) -> None:
        """Write the function of word *number*: every field in it is computed from the position
        before.
        """
        function, here = FunctionWriter(f"turned_{number}", (*self.words, "out")), self.here
        by = function.let("by", self.values.field_code(self.layout.variables[ir.ACTIVE], self.here))
        with function.block(f"if {by} == 0:"):
            function.line(f"return {self.words[number]}")
        for field, write in self.changes:
            if field.word == number:
                here = self.values.written(function, field, write(function, by), here)
        function.line(f"return {here.words[number]}")
        self.module.functions.append(function)

    # ------------------------------------------------------------------ seats

    def _seat(self, sort: Sort, code: str, by: str) -> str:
        """Return the *code* of a player, or of a set of players, turned."""
        if sort.kind == "players":
            return _rotated(code, by, self.players)
        turned = f"(({code} + {self.players} - {by}) % {self.players})"
        return f"({code} if {code} == {self.players} else {turned})" if sort.is_optional else turned

    def _of_variables(self) -> Iterator[FieldChange]:
        for variable in self.layout.program.variables:
            sort, field = self.layout.sorts[variable.name], self.layout.variables.get(variable.name)
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
                lambda _, by: _rotated(
                    self.values.field_code(whole, self.here), f"{by} * {first.bits}", whole.bits
                ),
            )
            return
        for seat in range(self.players):
            yield self.layout.entry(name, seat), partial(self._entry, name, seat, sort)

    def _entry(self, name: str, seat: int, sort: Sort, function: FunctionWriter, by: str) -> str:
        """Return the new entry of *seat*, which is that of the player who comes there."""
        field = self.layout.variables[name]
        who = function.let("p", f"({by} + {seat}) % {self.players}")
        shift = self.values.entry_shift(field, who)
        return self._seat(
            sort, function.let("v", f"{self.words[field.word]} >> {shift} & {field.mask}"), by
        )

    def _stored_seat(self, field: Field, sort: Sort, function: FunctionWriter, by: str) -> str:
        """Return what *field* holds, turned."""
        return self._seat(sort, function.let("v", self.values.field_code(field, self.here)), by)

    def _spotlit_seat(self, field: Field, idle: str, function: FunctionWriter, by: str) -> str:
        """Return the seat of a player spotlight in *field* turned, or what it holds where nobody is
        meant.
        """
        turned = self._stored_seat(field, player(self.players), function, by)
        return (
            f"({self.values.field_code(field, self.here)} if {idle} else {turned})"
            if idle
            else turned
        )

    def _of_stages(self) -> Iterator[FieldChange]:
        """Turn the parameters of whichever stage it is: those of all stages share their bits."""
        function = FunctionWriter("turned_parameters", (*self.words, "by"))
        shared = self.layout.shared
        for stage, parameters in self.layout.arguments.items():
            of_players = [
                (field, sort) for field, sort in parameters.values() if _is_of_players(sort)
            ]
            if not of_players:
                continue
            with function.block(f"if {self.values.at_stage(stage, self.here)}:"):
                here = self.here
                for field, sort in of_players:
                    here = self.values.written(
                        function, field, self._stored_seat(field, sort, function, "by"), here
                    )
                function.line(f"return {self.values.field_code(shared, here)}")
        if function.lines:
            function.line(f"return {self.values.field_code(shared, self.here)}")
            self.module.functions.append(function)
            yield shared, lambda _, by: f"{function.name}({', '.join([*self.words, by])})"

    # ------------------------------------------------------------------ items

    def _item_turner(self, format_: Format) -> str:
        """Return the name of the function that turns an item in *format_*; empty if nothing of it
        changes.
        """
        owned = [(name, part) for name, part in format_.kept if _is_of_players(part.sort)]
        if not owned:
            return ""
        if format_ not in self._items:
            function = FunctionWriter(self.module.unique_name("turned_item"), ("i", "by"))
            kept = format_.mask
            parts = []
            for name, part in owned:
                kept ^= part.mask << part.shift
                code = function.let("v", self.values.part("i", format_, name))
                parts.append(self.values.stored(part, self._seat(part.sort, code, "by")))
            function.line(f"return {' | '.join([f'i & {kept}', *parts])}")
            self.module.functions.append(function)
            self._items[format_] = function.name
        return self._items[format_]

    def _of_zones(self) -> Iterator[FieldChange]:
        for zone in self.layout.zones.values():
            if item := self._item_turner(zone.format):
                name = self._write_zone(zone, item)
                given = f"{self.values.field_code(zone.slots, self.here)}, {self.values.length(zone, self.here)}"
                yield zone.slots, partial(_call, f"{name}({given}, {{by}})")

    def _of_spotlights(
        self, items: Sequence[str], seats: Mapping[str, str]
    ) -> Iterator[FieldChange]:
        layout, extra = self.layout, self.layout.extra
        for name, idle in seats.items():
            yield (
                extra[f"seat of {name}"],
                partial(self._spotlit_seat, extra[f"seat of {name}"], idle),
            )
        sorted_ = [
            zone
            for zone in layout.zones.values()
            if zone.order == "unordered" and self._item_turner(zone.format)
        ]
        if items and sorted_:
            self._write_place(sorted_)
        for name in items:
            place, item = extra[f"place of {name}"], extra.get(f"item {name}")
            if sorted_:
                yield (
                    place,
                    partial(
                        _call,
                        f"turned_place({', '.join(self.words)}, {{by}}, {self.values.field_code(place, self.here)})",
                    ),
                )
            if item is not None and (
                turned := self._item_turner(layout.formats.get(f"item {name}", layout.item))
            ):
                unseen = self.values.is_code(place, UNSEEN, self.here)
                code = self.values.field_code(item, self.here)
                yield item, partial(_call, f"(0 if {unseen} else {turned}({code}, {{by}}))")

    def _write_zone(self, zone: Slots, item: str) -> str:
        """Write the function that turns the slots of *zone*, and return its name; those without an
        order are sorted by insertion.
        """
        bits, mask = zone.format.bits, zone.format.mask
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
        self.module.functions.append(function)
        return function.name

    def _write_place(self, zones: Sequence[Slots]) -> None:
        """Write the function that says where an item at place *q* is after its zone has been sorted
        anew.

        Of items that are alike the first remains the first.
        """
        function = FunctionWriter("turned_place", (*self.words, "by", "q"))
        for zone in zones:
            item, bits, mask = self._item_turner(zone.format), zone.format.bits, zone.format.mask
            with function.block(f"if {zone.first_place} <= q < {zone.first_place + zone.size}:"):
                z = function.let("z", self.values.field_code(zone.slots, self.here))
                code = function.let(
                    "code", f"{item}({z} >> (q - {zone.first_place}) * {bits} & {mask}, by)"
                )
                function.line(f"at = {zone.first_place}")
                with function.block(f"for k in range({self.values.length(zone, self.here)}):"):
                    function.line(f"other = {item}({z} >> k * {bits} & {mask}, by)")
                    with function.block(
                        f"if other < {code} or other == {code} and k < q - {zone.first_place}:"
                    ):
                        function.line("at += 1")
                function.line("return at")
        function.line("return q")
        self.module.functions.append(function)


def _is_of_players(sort: Sort) -> bool:
    return sort.kind in ("player", "players")


def _rotated(code: str, by: str, bits: int) -> str:
    """Return *code*, of *bits*, rotated to the right by so many as *by* says."""
    return f"({code} >> {by} | ({code} & (1 << {by}) - 1) << {bits} - {by})"


def _call(text: str, _: FunctionWriter, by: str) -> str:
    return text.replace("{by}", by)
