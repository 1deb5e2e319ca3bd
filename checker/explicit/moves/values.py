"""Values: the expressions of the Program as expressions of Python over a position's words.

In comes an `ir.Expr`, at an `EmitState`, out goes text: of a condition, or of a value's code
(`sorts`). A field is read with a shift and a mask where it is asked for; nothing is unpacked ahead.
What asks for a loop (`Exists`) becomes a function of its own. What the slice has dropped is
`DROPPED` in the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Self, TypeAlias, assert_never

from ....models import ir
from ....models.ir.analysis import Bounds, bounds_of
from ....models.ir.parts import expressions, locals_in
from ...slicing.slice import DROPPED
from ...slicing.sorts import FLAG, Sort, number_sort, player
from ...slicing.specialise import AnyOn
from .layout import Field, Format, SlotField, Slots
from .state import BoundLocal, EmitState, ZoneSpot

# ------------------------------------------------------------------ texts of numbers
# Nothing is written where that changes nothing.


def by(shift: int) -> str:
    """Return what moves a part of a word *shift* bits down, or up."""
    return f" >> {shift}" if shift > 0 else f" << {-shift}" if shift else ""


def is_number(text: str) -> bool:
    """Whether *text* is a number."""
    return text.removeprefix("-").isdigit()


def plus(text: str, more: int) -> str:
    """Return *text* and *more* added to it."""
    if more == 0:
        return text
    if is_number(text):
        return str(int(text) + more)
    return f"({text} + {more})" if more > 0 else f"({text} - {-more})"


def shifted(word: str, shift: str, mask: int) -> str:
    """Return the part of *word* behind *shift* that *mask* has."""
    return f"({word} >> {shift} & {mask})" if shift != "0" else f"({word} & {mask})"


# ------------------------------------------------------------------ expressions


_Flag: TypeAlias = (
    ir.Not | ir.All | ir.Any | ir.Equal | ir.OneOf | ir.Less | ir.IsEmpty | ir.Contains | ir.Exists
)


class Values(EmitState):
    """What expressions of the Program are at a point."""

    @property
    def players(self) -> int:
        """How many players there are at most."""
        return self.layout.players

    @property
    def present(self) -> str:
        """How many players there are."""
        seats = self.layout.seats
        return str(self.players) if seats is None else self.field_code(seats)

    # ------------------------------------------------------------------ fields

    def field_code(self, field: Field) -> str:
        """Return the code in *field*."""
        if field.bits == 0:
            return str(field.low)
        return plus(
            shifted(self.words[field.word], str(field.shift), field.mask),
            field.low,
        )

    def is_code(self, field: Field | None, code: int) -> str:
        """Return the condition that *field*, if it is kept, holds *code*."""
        if field is None:
            return DROPPED
        stored = code - field.low
        if not 0 <= stored <= field.mask:
            return "False"
        if not field.bits:
            return "True"
        return (
            f"({self.words[field.word]} & {field.mask << field.shift} == {stored << field.shift})"
        )

    def at_stage(self, stage: str) -> str:
        """Return the condition that the position is at *stage*."""
        return self.is_code(self.layout.stage, self.layout.stages[stage])

    def written(self, field: Field, code: str) -> Self:
        """Write *code* to *field*, and return the point after it."""
        word = self.words[field.word]
        rest = (1 << self.layout.word) - 1 ^ field.mask << field.shift
        stored = (
            str(int(code) - field.low << field.shift)
            if is_number(code)
            else f"({plus(code, -field.low)} << {field.shift})"
        )
        value = f"{word} & {rest}" if stored == "0" else f"{word} & {rest} | {stored}"
        return self.with_word(field.word, value) if field.bits else self

    def entry_shift(self, field: Field, seat: str) -> str:
        """Return the shift of a player's entry of a variable whose first entry is *field*."""
        if is_number(seat):
            return str(field.shift + int(seat) * field.bits)
        return (
            f"({field.shift} + {seat} * {field.bits})"
            if field.shift
            else f"({seat} * {field.bits})"
        )

    # ------------------------------------------------------------------ zones and items

    def length(self, zone: Slots) -> str:
        """Return how many items *zone* has."""
        return self.field_code(zone.length)

    def slot(self, zone: Slots, at: str) -> str:
        """Return the item number *at* of *zone*."""
        mask = zone.format.mask
        shift = zone.slots.shift
        bits = zone.format.bits
        if not bits:
            return "0"
        if is_number(at):
            return shifted(self.words[zone.slots.word], str(shift + int(at) * bits), mask)
        return shifted(self.words[zone.slots.word], f"({shift} + {at} * {bits})", mask)

    def end_at(self, zone: Slots) -> str:
        """Return the number of the item next to leave an ordered zone."""
        return f"({self.length(zone)} - 1)" if zone.order == "lifo" else "0"

    def item(self, item: ir.Local | ir.EndOf) -> tuple[str, Format]:
        """Return the slot that holds *item*, and its format."""
        if isinstance(item, ir.EndOf):
            zone = self.layout.zones[item.zone]
            return self.slot(zone, self.end_at(zone)), zone.format
        bound = self.local(item.name)
        assert bound is not None
        return bound.code, bound.format or self.layout.item

    def stored(self, part: SlotField, code: str) -> str:
        """Return *code* as it stands in its part of an item."""
        if part.sort.is_optional:
            code = f"({code} + 1) % {self.players + 1}"
        return (
            f"({plus(code, -part.sort.low)} << {part.shift})"
            if part.shift
            else plus(f"({code})", -part.sort.low)
        )

    def part(self, item: str, format_: Format, name: str) -> str:
        """Return the code of a part of the slot *item*."""
        part = format_.parts.get(name)
        if part is None:
            return DROPPED
        if not part.mask:
            return str(part.sort.low)
        value = shifted(item, str(part.shift), part.mask)
        return (
            f"(({value} + {self.players}) % {self.players + 1})"
            if part.sort.is_optional
            else plus(value, part.sort.low)
        )

    def packed(self, format_: Format, codes: Mapping[str, str]) -> str:
        """Return the slot of an item in *format_* whose parts have *codes*."""
        parts = [self.stored(part, codes[name]) for name, part in format_.kept if part.mask]
        return " | ".join(parts) or "0"

    def with_part(self, item: str, format_: Format, name: str, code: str) -> str:
        """Return the slot *item* in *format_* whose part *name*, if it is kept, has *code*."""
        part = format_.parts.get(name)
        if part is None or not part.mask:
            return item
        return f"({item} & {format_.mask ^ part.mask << part.shift} | {self.stored(part, code)})"

    def converted(self, item: str, from_: Format, to: Format) -> str:
        """Return the slot *item* in another format; parts that move together are moved together."""
        if from_ == to or not to.bits:
            return item if to.bits else "0"
        masks: dict[int, int] = {}
        single = []
        for name, part in to.kept:
            old = from_.parts.get(name)
            if old is not None and old.sort == part.sort:
                masks[old.shift - part.shift] = (
                    masks.get(old.shift - part.shift, 0) | part.mask << part.shift
                )
            elif part.mask:
                single.append(self.stored(part, self.part(item, from_, name)))
        moved = [f"({item}{by(shift)} & {mask})" for shift, mask in masks.items() if mask]
        return f"({' | '.join([*moved, *single])})"

    # ------------------------------------------------------------------ sorts

    def sort(self, expr: ir.Expr) -> Sort | None:
        """Return the sort of *expr*; None for the name of an enum's value, which has the sort of
        what it is compared with.
        """
        match expr:
            case ir.Literal(value):
                return _literal_sort(value, self.players)
            case ir.Local(name):
                bound = self.local(name)
                return bound.sort if bound is not None else self.layout.parameters[self.stage][name]
            case ir.Variable(name) | ir.Entry(name):
                return self.layout.sorts[name]
            case ir.AttributeOf(_, name):
                return self.layout.parts[name]
            case ir.Neighbour():
                return player(self.players)
            case ir.Amount():
                return number_sort(*self.bounds(expr))
            case ir.SomePlayers():
                return Sort("players", 0, (1 << self.players) - 1)
            case ir.YesOrNo():
                return FLAG
            case ir.EndOf() | ir.OptionValue():
                raise ValueError(f"{expr} has no sort")
            case _:
                assert_never(expr)

    def bounds(self, expr: ir.Expr) -> Bounds:
        """Return numbers between which *expr* lies."""
        found = bounds_of(expr, self._bounds)
        assert found is not None
        return found

    def _bounds(self, expr: ir.Expr) -> Bounds:
        if isinstance(expr, ir.Size):
            return 0, self.layout.zones[expr.zone].size
        if isinstance(expr, ir.Count):
            return 0, self.players
        sort = (
            number_sort(self.players, self.players)
            if isinstance(expr, ir.PlayerNumber)
            else self.sort(expr)
        )
        assert sort is not None
        return sort.low, sort.high

    # ------------------------------------------------------------------ codes

    def code(self, expr: ir.Expr, like: Sort | None = None) -> str:
        """Return the code of *expr*; of the name of an enum's value, that of the sort *like*."""
        match expr:
            case ir.Literal(value):
                return self._literal(value, like)
            case ir.OptionValue(name):
                raise ValueError(f"option {name} is still open; configure the Program first")
            case ir.PlayerNumber():
                return self.present
            case ir.Everyone():
                return (
                    str((1 << self.players) - 1)
                    if self.layout.seats is None
                    else f"((1 << {self.present}) - 1)"
                )
            case ir.NoPlayers():
                return "0"
            case ir.NamedValue():
                return self._as(like, expr, self._stored(expr))
            case ir.AttributeOf(item, name):
                return self._as(like, expr, self.part(*self.item(item), name))
            case ir.Neighbour(who, offset):
                players = self.present
                more = (
                    str(offset % self.players)
                    if is_number(players) or offset == 1
                    else f"{players} - 1"
                )
                return f"(({self.code(who)} + {more}) % {players})"
            case ir.With(players, who):
                return f"({self.code(players)} | {self._bit(who)})"
            case ir.Without(players, who):
                return f"({self.code(players)} & ~{self._bit(who)})"
            case ir.Count(players):
                members = self.code(players)
                return (
                    f"({' + '.join(f'(({members}) >> {seat} & 1)' for seat in range(self.players))}"
                    ")"
                )
            case ir.Add(left, right):
                return f"({self.code(left)} + {self.code(right)})"
            case ir.Subtract(left, right):
                return f"({self.code(left)} - {self.code(right)})"
            case ir.Size(zone):
                return self.length(self.layout.zones[zone])
            case ir.EndOf():
                return self.item(expr)[0]
            case ir.YesOrNo():
                return f"(1 if {self._flag(expr)} else 0)"
            case _:
                assert_never(expr)

    def _literal(self, value: bool | int | str | None, like: Sort | None) -> str:
        if isinstance(value, str):
            assert like is not None
            return str(like.encode(value))
        return str(self.players if value is None else int(value))

    def _stored(self, expr: ir.Local | ir.Variable | ir.Entry) -> str:
        if isinstance(expr, ir.Local) and (bound := self.local(expr.name)) is not None:
            return bound.code
        field = self._field(expr)
        if field is None:
            return DROPPED
        if not isinstance(expr, ir.Entry) or not field.bits:
            return self.field_code(field)
        shift = self.entry_shift(field, self.code(expr.player))
        return plus(shifted(self.words[field.word], shift, field.mask), field.low)

    def _field(self, expr: ir.Local | ir.Variable | ir.Entry) -> Field | None:
        """Return the field of a parameter or a variable, or of the first entry of one; None if it
        is dropped.
        """
        if isinstance(expr, ir.Local):
            known = self.layout.arguments[self.stage].get(expr.name)
            return known and known[0]
        return self.layout.variables.get(expr.name)

    def _as(self, like: Sort | None, expr: ir.Expr, code: str) -> str:
        """Return *code*, of an enum of other values than *like*, as a code of *like*; a value it
        does not have is -1.
        """
        sort = self.sort(expr)
        if like is None or sort is None or sort.kind != "enum" or sort.values == like.values:
            return code
        chain = "-1"
        for value in [value for value in sort.values if value in like.values]:
            chain = f"({like.encode(value)} if {code} == {sort.encode(value)} else {chain})"
        return chain

    def _bit(self, who: ir.Expr) -> str:
        seat = self.code(who)
        return str(1 << int(seat)) if is_number(seat) else f"(1 << {seat})"

    # ------------------------------------------------------------------ conditions

    def condition(self, expr: ir.Expr) -> str:
        """Return the condition *expr*."""
        match expr:
            case ir.Literal(value):
                return str(bool(value))
            case ir.Variable():
                return self._not_zero(self._field(expr))
            case ir.Local(name) if self.local(name) is None:
                return self._not_zero(self._field(expr))
            case ir.Local() | ir.Entry() | ir.AttributeOf():
                return f"({self.code(expr)} != 0)"
            case ir.YesOrNo():
                return self._flag(expr)
            case (
                ir.OptionValue() | ir.Amount() | ir.Neighbour() | ir.SomePlayers() | ir.EndOf()
            ):  # fmt: skip
                raise ValueError(f"{expr} is no condition")
            case _:
                assert_never(expr)

    def _not_zero(self, field: Field | None) -> str:
        if field is None or not field.bits:
            return DROPPED if field is None else str(field.low != 0)
        return f"({self.words[field.word]} & {field.mask << field.shift} != 0)"

    def _flag(self, expr: _Flag) -> str:
        match expr:
            case ir.Not(operand):
                return f"(not {self.condition(operand)})"
            case ir.All(parts):
                return (
                    f"({' and '.join(self.condition(part) for part in parts)})" if parts else "True"
                )
            case ir.Any(parts):
                return (
                    f"({' or '.join(self.condition(part) for part in parts)})" if parts else "False"
                )
            case ir.Equal(left, right):
                return self._equal(left, right)
            case ir.OneOf(operand, values):
                return self._one_of(operand, values)
            case ir.Less(left, right):
                return f"({self.code(left)} < {self.code(right)})"
            case ir.IsEmpty(zone):
                return self.is_code(self.layout.zones[zone].length, 0)
            case ir.Contains(players, who):
                return f"({self.code(players)} >> {self.code(who)} & 1 != 0)"
            case ir.Exists():
                return self._exists(expr)
            case _:
                assert_never(expr)

    def _equal(self, left: ir.Expr, right: ir.Expr) -> str:
        if isinstance(left, ir.Literal):
            left, right = right, left
        sort = self.sort(left)
        if isinstance(right, ir.Literal) and isinstance(right.value, str):
            if sort is None:
                return str(left == right)
            if right.value not in sort.values:
                return "False"
        if (
            isinstance(left, ir.Variable)
            and isinstance(right, ir.Literal)
            and left.name in self.layout.variables
        ):
            return self.is_code(
                self.layout.variables[left.name], int(self._literal(right.value, sort))
            )
        return f"({self.code(left)} == {self.code(right, sort)})"

    def _one_of(self, operand: ir.Expr, values: tuple[str, ...]) -> str:
        if isinstance(operand, ir.Literal):
            return str(operand.value in values)
        sort = self.sort(operand)
        assert sort is not None
        known = [value for value in values if value in sort.values]
        if len(known) == len(sort.values):
            return "True"
        if len(known) < 2 or len(sort.values) > 63:
            return (
                f"({' or '.join(self._equal(operand, ir.Literal(value)) for value in known)})"
                if known
                else "False"
            )
        return (
            f"({sum(1 << sort.encode(value) for value in known)} >> {self.code(operand)} & 1 != 0)"
        )

    # ------------------------------------------------------------------ quantifiers

    def _exists(self, expr: ir.Exists) -> str:
        """Return the call of a function that looks for an element."""
        asked = locals_in(expressions(expr))
        used = {name: self.bound[key] for name, key in sorted(self.names.items()) if name in asked}
        inside = self.opened("", [f"x{number}" for number in range(len(used))], self.stage)
        for number, (name, bound) in enumerate(used.items()):
            inside = inside.bind(name, BoundLocal(f"x{number}", bound.sort, format=bound.format))
        for bound in inside.elements(expr.domain, in_turn=False):
            with inside.block(f"if {inside.bind(expr.variable, bound).condition(expr.body)}:"):
                inside.line("return True")
        inside.line("return False")
        given = [*self.words, *(bound.code for bound in used.values())]
        return f"{self.module.shared('exists', inside.function)}({', '.join(given)})"

    def elements(self, domain: ir.Domain, *, in_turn: bool = True) -> Iterator[BoundLocal]:
        """Open a loop over the elements of *domain*, in NOTE(move-order) if *in_turn*, and yield
        the one inside.
        """
        match domain:
            case ir.PlayersIn(players):
                members = self.let("members", self.code(players))
                for seat in self.each_seat(in_turn=in_turn):
                    with self.block(f"if {members} >> {seat} & 1 != 0:"):
                        yield BoundLocal(seat, player(self.players))
            case ir.ItemsOn(name):
                zone = self.layout.zones[name]
                at = self.fresh("at")
                length = self.length(zone)
                any_does = isinstance(domain, AnyOn)
                begin = f"if {length} != 0:" if any_does else f"for {at} in range({length}):"
                with self.block(begin):
                    yield self.bound_item(ZoneSpot(zone, "0" if any_does else at))
            case ir.NumbersFrom(low, high):
                span = number_sort(self.bounds(low)[0], self.bounds(high)[1])
                value = self.fresh("v")
                last = self.code(high)
                with self.block(f"for {value} in range({self.code(low)}, {last} + 1):"):
                    yield BoundLocal(value, span)
            case _:
                assert_never(domain)

    def each_seat(self, *, in_turn: bool = True) -> Iterator[str]:
        """Open a loop over the players, if *in_turn* from the active one on, and yield the name of
        a seat.
        """
        active = self.layout.variables.get(ir.ACTIVE) if in_turn else None
        players = self.present if in_turn else str(self.players)
        number = self.fresh("p" if active is None else "k")
        with self.block(f"for {number} in range({players}):"):
            yield (
                number
                if active is None
                else self.let("p", f"({self.field_code(active)} + {number}) % {players}")
            )

    def bound_item(self, spot: ZoneSpot) -> BoundLocal:
        """Write which item is at *spot*, and return it as a local."""
        zone = spot.zone
        code = self.let("i", self.slot(zone, spot.at))
        return BoundLocal(code, None, spot.place, (zone.name,), zone.format)


def _literal_sort(value: bool | int | str | None, players: int) -> Sort | None:
    if isinstance(value, str):
        return None
    if isinstance(value, bool):
        return FLAG
    return player(players, optional=True) if value is None else number_sort(value, value)
