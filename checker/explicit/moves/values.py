"""Values: the expressions of the Program as expressions of Python over a position's words.

In comes an `ir.Expr` and an `EmitState`, out goes text: of a condition, or of a value's code
(`sorts`). A field is read with a shift and a mask where it is asked for; nothing is unpacked ahead.
What asks for a loop (`Exists`) becomes a function of its own. What the slice has dropped is
`DROPPED` in the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias, assert_never

from ....models import ir
from ....models.ir.analysis import Bounds, bounds_of
from ....models.ir.parts import expressions, locals_in
from ...slicing.slice import DROPPED
from ...slicing.sorts import FLAG, Sort, number_sort, player
from .layout import Field, Format, Layout, SlotField, Slots
from .state import BoundLocal, EmitState, FunctionWriter, Module

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
    return f"({word} >> {shift} & {mask})" if shift and shift != "0" else f"({word} & {mask})"


# ------------------------------------------------------------------ expressions


_Flag: TypeAlias = (
    ir.Not | ir.All | ir.Any | ir.Equal | ir.OneOf | ir.Less | ir.IsEmpty | ir.Contains | ir.Exists
)


class Values:
    """Writes the expressions of one Program; the functions they need go to *module*."""

    def __init__(self, layout: Layout, module: Module) -> None:
        self.layout, self.module, self.players = layout, module, layout.players
        self._quantified: dict[tuple[object, ...], str] = {}

    def present(self, here: EmitState) -> str:
        """Return how many players there are."""
        return (
            str(self.players)
            if self.layout.seats is None
            else self.field_code(self.layout.seats, here)
        )

    # ------------------------------------------------------------------ fields

    def field_code(self, field: Field, here: EmitState) -> str:
        """Return the code in *field*."""
        if field.bits == 0:
            return str(field.low)
        return plus(
            shifted(here.words[field.word], str(field.shift) if field.shift else "", field.mask),
            field.low,
        )

    def is_code(self, field: Field, code: int, here: EmitState) -> str:
        """Return the condition that *field* holds *code*."""
        stored = code - field.low
        if not 0 <= stored <= field.mask:
            return "False"
        if not field.bits:
            return "True"
        return (
            f"({here.words[field.word]} & {field.mask << field.shift} == {stored << field.shift})"
        )

    def at_stage(self, stage: str, here: EmitState) -> str:
        """Return the condition that the position is at *stage*."""
        return self.is_code(self.layout.stage, self.layout.stages[stage], here)

    def written(
        self, function: FunctionWriter, field: Field, code: str, here: EmitState
    ) -> EmitState:
        """Write *code* to *field*, and return the point after it."""
        word, rest = here.words[field.word], (1 << self.layout.word) - 1 ^ field.mask << field.shift
        stored = (
            str(int(code) - field.low << field.shift)
            if is_number(code)
            else f"({plus(code, -field.low)} << {field.shift})"
        )
        value = f"{word} & {rest}" if stored == "0" else f"{word} & {rest} | {stored}"
        return here.with_word(field.word, function.let("s", value)) if field.bits else here

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

    def length(self, zone: Slots, here: EmitState) -> str:
        """Return how many items *zone* has."""
        return self.field_code(zone.length, here)

    def slot(self, zone: Slots, at: str, here: EmitState) -> str:
        """Return the item number *at* of *zone*."""
        mask, shift, bits = zone.format.mask, zone.slots.shift, zone.format.bits
        if not bits:
            return "0"
        if is_number(at):
            return shifted(here.words[zone.slots.word], str(shift + int(at) * bits), mask)
        return shifted(here.words[zone.slots.word], f"({shift} + {at} * {bits})", mask)

    def end_at(self, zone: Slots, here: EmitState) -> str:
        """Return the number of the item next to leave an ordered zone."""
        return f"({self.length(zone, here)} - 1)" if zone.order == "lifo" else "0"

    def item(self, item: ir.Local | ir.EndOf, here: EmitState) -> tuple[str, Format]:
        """Return the slot that holds *item*, and its format."""
        if isinstance(item, ir.EndOf):
            zone = self.layout.zones[item.zone]
            return self.slot(zone, self.end_at(zone, here), here), zone.format
        bound = here.local(item.name)
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
        value = shifted(item, str(part.shift) if part.shift else "", part.mask)
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

    def sort(self, expr: ir.Expr, here: EmitState) -> Sort | None:
        """Return the sort of *expr*; None for the name of an enum's value, which has the sort of
        what it is compared with.
        """
        match expr:
            case ir.Literal(value):
                return _literal_sort(value, self.players)
            case ir.Local(name):
                bound = here.local(name)
                return bound.sort if bound is not None else self.layout.parameters[here.stage][name]
            case ir.Variable(name) | ir.Entry(name):
                return self.layout.sorts[name]
            case ir.AttributeOf(_, name):
                return self.layout.parts[name]
            case ir.Neighbour():
                return player(self.players)
            case ir.Amount():
                return number_sort(*self.bounds(expr, here))
            case ir.SomePlayers():
                return Sort("players", 0, (1 << self.players) - 1)
            case ir.YesOrNo():
                return FLAG
            case ir.EndOf() | ir.OptionValue():
                raise ValueError(f"{expr} has no sort")
            case _:
                assert_never(expr)

    def bounds(self, expr: ir.Expr, here: EmitState) -> Bounds:
        """Return numbers between which *expr* lies."""
        found = bounds_of(expr, lambda part: self._bounds(part, here))
        assert found is not None
        return found

    def _bounds(self, expr: ir.Expr, here: EmitState) -> Bounds:
        if isinstance(expr, ir.Size):
            return 0, self.layout.zones[expr.zone].size
        if isinstance(expr, ir.Count):
            return 0, self.players
        sort = (
            number_sort(self.players, self.players)
            if isinstance(expr, ir.PlayerNumber)
            else self.sort(expr, here)
        )
        assert sort is not None
        return sort.low, sort.high

    # ------------------------------------------------------------------ codes

    def code(self, expr: ir.Expr, here: EmitState, like: Sort | None = None) -> str:
        """Return the code of *expr*; of the name of an enum's value, that of the sort *like*."""
        match expr:
            case ir.Literal(value):
                return self._literal(value, like)
            case ir.OptionValue(name):
                raise ValueError(f"option {name} is still open; configure the Program first")
            case ir.PlayerNumber():
                return self.present(here)
            case ir.Everyone():
                return (
                    str((1 << self.players) - 1)
                    if self.layout.seats is None
                    else f"((1 << {self.present(here)}) - 1)"
                )
            case ir.NoPlayers():
                return "0"
            case ir.NamedValue():
                return self._as(like, expr, self._stored(expr, here), here)
            case ir.AttributeOf(item, name):
                return self._as(like, expr, self.part(*self.item(item, here), name), here)
            case ir.Neighbour(who, offset):
                players = self.present(here)
                more = (
                    str(offset % self.players)
                    if is_number(players) or offset == 1
                    else f"{players} - 1"
                )
                return f"(({self.code(who, here)} + {more}) % {players})"
            case ir.With(players, who):
                return f"({self.code(players, here)} | {self._bit(who, here)})"
            case ir.Without(players, who):
                return f"({self.code(players, here)} & ~{self._bit(who, here)})"
            case ir.Count(players):
                members = self.code(players, here)
                return f"({' + '.join(f'(({members}) >> {seat} & 1)' for seat in range(self.players))})"
            case ir.Add(left, right):
                return f"({self.code(left, here)} + {self.code(right, here)})"
            case ir.Subtract(left, right):
                return f"({self.code(left, here)} - {self.code(right, here)})"
            case ir.Size(zone):
                return self.length(self.layout.zones[zone], here)
            case ir.EndOf():
                return self.item(expr, here)[0]
            case ir.YesOrNo():
                return f"(1 if {self._flag(expr, here)} else 0)"
            case _:
                assert_never(expr)

    def _literal(self, value: bool | int | str | None, like: Sort | None) -> str:
        if isinstance(value, str):
            assert like is not None
            return str(like.encode(value))
        return str(self.players if value is None else int(value))

    def _stored(self, expr: ir.Local | ir.Variable | ir.Entry, here: EmitState) -> str:
        match expr:
            case ir.Local(name):
                bound = here.local(name)
                return (
                    bound.code
                    if bound is not None
                    else self._code_or_dropped(self._parameter(name, here), here)
                )
            case ir.Variable(name):
                return self._code_or_dropped(self.layout.variables.get(name), here)
            case ir.Entry(name, who):
                field = self.layout.variables.get(name)
                if field is None or not field.bits:
                    return self._code_or_dropped(field, here)
                return plus(
                    shifted(
                        here.words[field.word],
                        self.entry_shift(field, self.code(who, here)),
                        field.mask,
                    ),
                    field.low,
                )
            case _:
                assert_never(expr)

    def _parameter(self, name: str, here: EmitState) -> Field | None:
        known = self.layout.arguments[here.stage].get(name)
        return known and known[0]

    def _code_or_dropped(self, field: Field | None, here: EmitState) -> str:
        return DROPPED if field is None else self.field_code(field, here)

    def _as(self, like: Sort | None, expr: ir.Expr, code: str, here: EmitState) -> str:
        """Return *code*, of an enum of other values than *like*, as a code of *like*; a value it
        does not have is -1.
        """
        sort = self.sort(expr, here)
        if like is None or sort is None or sort.kind != "enum" or sort.values == like.values:
            return code
        chain = "-1"
        for value in [value for value in sort.values if value in like.values]:
            chain = f"({like.encode(value)} if {code} == {sort.encode(value)} else {chain})"
        return chain

    def _bit(self, who: ir.Expr, here: EmitState) -> str:
        seat = self.code(who, here)
        return str(1 << int(seat)) if is_number(seat) else f"(1 << {seat})"

    # ------------------------------------------------------------------ conditions

    def condition(self, expr: ir.Expr, here: EmitState) -> str:
        """Return the condition *expr*."""
        match expr:
            case ir.Literal(value):
                return str(bool(value))
            case ir.Variable(name):
                return self._not_zero(self.layout.variables.get(name), here)
            case ir.Local(name) if here.local(name) is None:
                return self._not_zero(self._parameter(name, here), here)
            case ir.Local() | ir.Entry() | ir.AttributeOf():
                return f"({self.code(expr, here)} != 0)"
            case ir.YesOrNo():
                return self._flag(expr, here)
            case (
                ir.OptionValue() | ir.Amount() | ir.Neighbour() | ir.SomePlayers() | ir.EndOf()
            ):  # fmt: skip
                raise ValueError(f"{expr} is no condition")
            case _:
                assert_never(expr)

    def _not_zero(self, field: Field | None, here: EmitState) -> str:
        if field is None or not field.bits:
            return DROPPED if field is None else str(field.low != 0)
        return f"({here.words[field.word]} & {field.mask << field.shift} != 0)"

    def _flag(self, expr: _Flag, here: EmitState) -> str:
        match expr:
            case ir.Not(operand):
                return f"(not {self.condition(operand, here)})"
            case ir.All(parts):
                return (
                    f"({' and '.join(self.condition(part, here) for part in parts)})"
                    if parts
                    else "True"
                )
            case ir.Any(parts):
                return (
                    f"({' or '.join(self.condition(part, here) for part in parts)})"
                    if parts
                    else "False"
                )
            case ir.Equal(left, right):
                return self._equal(left, right, here)
            case ir.OneOf(operand, values):
                return self._one_of(operand, values, here)
            case ir.Less(left, right):
                return f"({self.code(left, here)} < {self.code(right, here)})"
            case ir.IsEmpty(zone):
                return self.is_code(self.layout.zones[zone].length, 0, here)
            case ir.Contains(players, who):
                return f"({self.code(players, here)} >> {self.code(who, here)} & 1 != 0)"
            case ir.Exists():
                return self._exists(expr, here)
            case _:
                assert_never(expr)

    def _equal(self, left: ir.Expr, right: ir.Expr, here: EmitState) -> str:
        if isinstance(left, ir.Literal):
            left, right = right, left
        sort = self.sort(left, here)
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
                self.layout.variables[left.name], int(self._literal(right.value, sort)), here
            )
        return f"({self.code(left, here)} == {self.code(right, here, sort)})"

    def _one_of(self, operand: ir.Expr, values: tuple[str, ...], here: EmitState) -> str:
        if isinstance(operand, ir.Literal):
            return str(operand.value in values)
        sort = self.sort(operand, here)
        assert sort is not None
        known = [value for value in values if value in sort.values]
        if len(known) == len(sort.values):
            return "True"
        if len(known) < 2 or len(sort.values) > 63:
            return (
                f"({' or '.join(self._equal(operand, ir.Literal(value), here) for value in known)})"
                if known
                else "False"
            )
        return f"({sum(1 << sort.encode(value) for value in known)} >> {self.code(operand, here)} & 1 != 0)"

    # ------------------------------------------------------------------ quantifiers

    def _exists(self, expr: ir.Exists, here: EmitState) -> str:
        """Return the call of a function that looks for an element."""
        used = sorted(locals_in(expressions(expr)) & here.names.keys())
        key = (expr, here.stage, tuple((name, here.local(name)) for name in used))
        if key not in self._quantified:
            self._quantified[key] = self._quantifier(expr, here, used)
        return f"{self._quantified[key]}({', '.join([*here.words, *(_bound(here, name).code for name in used)])})"

    def _quantifier(self, expr: ir.Exists, here: EmitState, used: list[str]) -> str:
        parameters = [f"x{place}" for place in range(len(used))]
        function = FunctionWriter("", [*self.layout.names, *parameters])
        inside = EmitState(self.layout.names, here.stage)
        for parameter, name in zip(parameters, used, strict=True):
            inside = inside.bind(
                name,
                BoundLocal(parameter, _bound(here, name).sort, format=_bound(here, name).format),
            )
        for head, bound in self.elements(function, expr.domain, inside):
            with (
                function.block(head),
                function.block(
                    f"if {self.condition(expr.body, inside.bind(expr.variable, bound))}:"
                ),
            ):
                function.line("return True")
        function.line("return False")
        return self.module.shared("exists", function)

    def elements(
        self, function: FunctionWriter, domain: ir.Domain, here: EmitState
    ) -> Iterable[tuple[str, BoundLocal]]:
        """Yield the head of a loop over *domain* in any order, with the loop's element."""
        match domain:
            case ir.PlayersIn(players):
                members = function.let("members", self.code(players, here))
                seat = function.fresh("p")
                with function.block(f"for {seat} in range({self.players}):"):
                    yield (
                        f"if {members} >> {seat} & 1 != 0:",
                        BoundLocal(seat, player(self.players)),
                    )
            case ir.ItemsOn(name):
                zone, at = self.layout.zones[name], function.fresh("at")
                with function.block(f"for {at} in range({self.length(zone, here)}):"):
                    yield (
                        "if True:",
                        BoundLocal(
                            function.let("i", self.slot(zone, at, here)), None, format=zone.format
                        ),
                    )
            case ir.NumbersFrom(low, high):
                value = function.fresh("x")
                span = number_sort(self.bounds(low, here)[0], self.bounds(high, here)[1])
                yield (
                    f"for {value} in range({self.code(low, here)}, {self.code(high, here)} + 1):",
                    BoundLocal(value, span),
                )
            case _:
                assert_never(domain)


def _bound(here: EmitState, name: str) -> BoundLocal:
    bound = here.local(name)
    assert bound is not None
    return bound


def _literal_sort(value: bool | int | str | None, players: int) -> Sort | None:
    if isinstance(value, str):
        return None
    if isinstance(value, bool):
        return FLAG
    return player(players, optional=True) if value is None else number_sort(value, value)
