"""Zones: items that join, leave and are followed, as text.

The slots of a zone are one field, the first item lowest. Taking an item out closes the gap, and an
unordered zone stays sorted because an item is put after those that do not rank above it. The places
of all zones are numbered together, so that one number says where an item is.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..layout.layout import GONE, LIMIT, LIMITS, Slots
from .state import EmitState
from .values import Values
from .writer import FunctionWriter


class Zones:
    """Writes what happens to zones; the functions for it go to the *module* of the values, unless
    another layout has them there.
    """

    def __init__(self, values: Values) -> None:
        self.layout, self.module, self.values = values.layout, values.module, values
        written = {function.name for function in self.module.functions}
        for bits in sorted({zone.format.bits for zone in self.layout.zones.values()} - {0}):
            self.module.functions += (
                function for function in _slot_functions(bits) if function.name not in written
            )

    def has_room(self, zone: Slots, here: EmitState) -> str:
        """Return the condition that an item can still join *zone*."""
        most = (
            f"(out[{LIMITS}] >> {zone.number * LIMIT} & {(1 << LIMIT) - 1})"
            if self.layout.limited
            else str(zone.size)
        )
        return f"{self.values.length(zone, here)} < {most}"

    def join_zone(
        self, function: FunctionWriter, here: EmitState, zone: Slots, code: str
    ) -> tuple[EmitState, str]:
        """Write that the item *code* joins *zone*, where there is room; return the point after it
        and the item's number.
        """
        bits, slots = zone.format.bits, zone.slots
        if not bits:
            at = function.let("at", self.values.length(zone, here))
        elif zone.order == "unordered":
            items = function.let("z", self.values.field_code(slots, here))
            at = function.let(
                "at", f"rank_{bits}({items}, {self.values.length(zone, here)}, {code})"
            )
            here = self.values.written(
                function, slots, f"inserted_{bits}({items}, {at}, {code})", here
            )
        else:
            at = function.let("at", self.values.length(zone, here))
            word = here.words[slots.word]
            here = here.with_word(
                slots.word, function.let("s", f"{word} | {code} << ({slots.shift} + {at} * {bits})")
            )
        return self._longer(function, here, zone, "+"), at

    def taken(
        self,
        function: FunctionWriter,
        here: EmitState,
        zone: Slots,
        at: str,
        code: str,
        *,
        is_last: bool,
    ) -> EmitState:
        """Write that the item *code*, number *at* of *zone*, leaves it; *is_last* says that none
        comes after it.
        """
        bits, slots = zone.format.bits, zone.slots
        if is_last and bits:
            word = here.words[slots.word]
            here = here.with_word(
                slots.word,
                function.let("s", f"{word} - ({code} << ({slots.shift} + {at} * {bits}))"),
            )
        elif bits:
            here = self.values.written(
                function,
                slots,
                f"removed_{bits}({self.values.field_code(slots, here)}, {at})",
                here,
            )
        return self._longer(function, here, zone, "-")

    def change_item(
        self, function: FunctionWriter, here: EmitState, zone: Slots, at: str, old: str, new: str
    ) -> tuple[EmitState, str]:
        """Write that the item *old*, number *at* of *zone*, becomes *new*; return the point after
        it and the item's number.
        """
        if zone.order == "unordered":
            return self.join_zone(
                function, self.taken(function, here, zone, at, old, is_last=False), zone, new
            )
        if not zone.format.bits or old == new:
            return here, at
        word = here.words[zone.slots.word]
        return here.with_word(
            zone.slots.word,
            function.let(
                "s",
                f"{word} + (({new} - {old}) << ({zone.slots.shift} + {at} * {zone.format.bits}))",
            ),
        ), at

    def _longer(
        self, function: FunctionWriter, here: EmitState, zone: Slots, sign: str
    ) -> EmitState:
        word = zone.length.word
        return here.with_word(
            word, function.let("s", f"{here.words[word]} {sign} {1 << zone.length.shift}")
        )

    # ------------------------------------------------------------------ where items are

    def place(self, zone: Slots, at: str) -> str:
        """Return the number of the place number *at* of *zone*."""
        return f"({zone.first_place} + {at})"

    def is_on(self, place: str, zone: Slots) -> str:
        """Return the condition that *place* is one of *zone*."""
        return f"({zone.first_place} <= {place} < {zone.first_place + zone.size})"

    def after_joining(self, place: str, zone: Slots, at: str) -> str:
        """Return where an item at *place* is after another has joined *zone* as number *at*."""
        if zone.order != "unordered":
            return place
        return f"({place} + 1 if {zone.first_place} + {at} <= {place} < {zone.first_place + zone.size} else {place})"

    def after_changing(self, place: str, zone: Slots, at: str, to_at: str) -> str:
        """Return where an item at *place* is after the one at number *at* of *zone* has become
        another, which is its number *to_at*.
        """
        if zone.order != "unordered":
            return place
        left = self.after_leaving(place, zone, at)
        return f"({self.place(zone, to_at)} if {place} == {self.place(zone, at)} else {self.after_joining(left, zone, to_at)})"

    def after_leaving(self, place: str, zone: Slots, at: str, new: str = str(GONE)) -> str:
        """Return where an item at *place* is after the one at number *at* of *zone* has gone to the
        place *new*.
        """
        here, end = self.place(zone, at), zone.first_place + zone.size
        return f"({new} if {place} == {here} else {place} - 1 if {here} < {place} < {end} else {place})"


def _slot_functions(bits: int) -> Iterable[FunctionWriter]:
    """Return functions of the slots of a zone, *bits* wide each."""
    mask = (1 << bits) - 1
    removed = FunctionWriter(f"removed_{bits}", ("z", "at"))
    removed.line(f"below = at * {bits}")
    removed.line(f"return z & (1 << below) - 1 | z >> below + {bits} << below")
    inserted = FunctionWriter(f"inserted_{bits}", ("z", "at", "code"))
    inserted.line(f"below = at * {bits}")
    inserted.line(f"return z & (1 << below) - 1 | code << below | z >> below << below + {bits}")
    rank = FunctionWriter(f"rank_{bits}", ("z", "length", "code"))
    rank.line("at = 0")
    with rank.block(f"while at < length and z >> at * {bits} & {mask} <= code:"):
        rank.line("at += 1")
    rank.line("return at")
    return removed, inserted, rank
