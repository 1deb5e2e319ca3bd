"""Layout: every part of a position gets its bits, and positions become words and come back.

In comes a Program within a scope, out goes a `Layout`: where each field lies in the one or more words of a
position. A word has 63 bits, not 64, so that it is never negative and numbers of Python and of the
machine are the same; then one text (`emit`) serves both.

Word 0 begins with the stage, whose code is never 0: a word 0 of zero marks an empty slot of a table.
The parameters of all stages share their bits. A zone is its length and a slot for each item,
and a free slot is zero, so that a position has one packing only. The parts of an item lie in the order
of their rank (kind, controller, attributes), so that sorting items is comparing numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ...models import ir
from ...models.diagnostics import Diagnostic, InputError
from ..position import OVER, Item, Position
from ..position import Value as AnyValue
from ..scope import Scope
from .sorts import FLAG, Sort, Value, constant, enum, player, sort_of

WORD = 63
"""How many bits of a word are used."""
UNSEEN, GONE, FIRST_PLACE = 0, 1, 2
"""Where an item is that is followed: it has not been put on a zone yet, it has left the game, or the number of its place."""

Words = tuple[int, ...]


class TooWideError(Exception):
    """Something has no room in words of this size; the message names it."""


@dataclass(frozen=True, slots=True)
class Field:
    """*bits* of a word from bit *shift*; what is stored there is the code's distance from *low*."""

    word: int
    shift: int
    bits: int
    low: int = 0

    @property
    def mask(self) -> int:
        """The bits themselves, at the low end."""
        return (1 << self.bits) - 1

    def read(self, words: Sequence[int]) -> int:
        """Return the code stored in *words*."""
        return (words[self.word] >> self.shift & self.mask) + self.low

    def write(self, words: list[int], code: int) -> None:
        """Store *code* where zero is stored now."""
        words[self.word] |= (code - self.low) << self.shift


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an item: *shift* bits from the low end of its slot; nobody is stored first, as it ranks."""

    shift: int
    sort: Sort

    @property
    def mask(self) -> int:
        """The bits of the part, at the low end."""
        return (1 << self.sort.bits) - 1

    def pack(self, value: Value) -> int:
        """Return *value* as it is stored in its place."""
        code = self.sort.encode(value)
        return ((code + 1) % (self.sort.high + 1) if self.sort.is_optional else code - self.sort.low) << self.shift

    def unpack(self, item: int) -> Value:
        """Return the value of this part of a packed *item*."""
        stored = item >> self.shift & self.mask
        return self.sort.decode((stored - 1) % (self.sort.high + 1) if self.sort.is_optional else stored + self.sort.low)


@dataclass(frozen=True, slots=True)
class Slots:
    """A zone: its *length* and its *slots*, one field; *first_place* is the number of its first place among those of all zones."""

    name: str
    number: int
    order: str
    size: int
    length: Field
    slots: Field
    first_place: int


class Layout:
    """Where everything of a position lies; *extra* fields by name and width come last, and no `Position` has them."""

    def __init__(self, program: ir.Program, scope: Scope, extra: Sequence[tuple[str, int]] = ()) -> None:
        self.program, self.scope, self.players = program, scope, scope.players
        self._used: list[int] = []
        self.stages = {OVER: 1, **{stage.name: number for number, stage in enumerate(program.stages, 2)}}
        self.sorts = {v.name: sort_of(v.type, self.players) for v in program.variables}
        self.stage = self._field("the stage", len(self.stages).bit_length())
        self.arguments = self._arguments()
        self.variables = {v.name: self._variable(v) for v in program.variables}
        self.parts, self.item_bits = self._item_parts()
        self.zones = self._zones()
        self.extra = {name: self._field(name, bits) for name, bits in extra}
        self.words = len(self._used)

    # ------------------------------------------------------------------ where things lie

    def _field(self, what: str, bits: int, low: int = 0) -> Field:
        """Return a free field of *bits*: in the first word that has room, else in a new one."""
        if bits > WORD:
            raise TooWideError(f"{what} takes {bits} bits; a word has {WORD}")
        for word, used in enumerate(self._used):
            if used + bits <= WORD:
                self._used[word] += bits
                return Field(word, used, bits, low)
        self._used.append(bits)
        return Field(len(self._used) - 1, 0, bits, low)

    def _arguments(self) -> dict[str, dict[str, tuple[Field, Sort]]]:
        """Return the fields of each stage's parameters; those of two stages may be the same bits."""
        sorts = {stage.name: [(p.name, sort_of(p.type, self.players)) for p in stage.parameters] for stage in self.program.stages}
        self.shared = self._field("the stage's parameters", max((sum(s.bits for _, s in these) for these in sorts.values()), default=0))
        fields: dict[str, dict[str, tuple[Field, Sort]]] = {}
        for stage, these in sorts.items():
            shift, fields[stage] = self.shared.shift, {}
            for name, sort in these:
                fields[stage][name] = Field(self.shared.word, shift, sort.bits, sort.low), sort
                shift += sort.bits
        return fields

    def _variable(self, variable: ir.VariableDeclaration) -> Field:
        """Return the field of *variable*, or of the first player's entry; the entries follow each other in one word."""
        sort = self.sorts[variable.name]
        field = self._field(variable.name, sort.bits * (self.players if variable.each_player else 1), sort.low)
        return Field(field.word, field.shift, sort.bits, sort.low)

    def entry(self, name: str, seat: int) -> Field:
        """Return the field of a player's entry of the variable *name*."""
        field = self.variables[name]
        return Field(field.word, field.shift + seat * field.bits, field.bits, field.low)

    def _item_parts(self) -> tuple[dict[str, Part], int]:
        sorts = {ir.KIND: enum(tuple(kind.name for kind in self.program.kinds)), ir.CONTROLLER: player(self.players)}
        sorts |= {attribute.name: sort_of(attribute.type, self.players) for attribute in self.program.attributes}
        shift, parts = 0, {}
        for name, sort in reversed(sorts.items()):
            parts[name] = Part(shift, sort)
            shift += sort.bits
        return dict(reversed(parts.items())), shift

    def _zones(self) -> dict[str, Slots]:
        sizes, place, zones = dict(self.scope.sizes), FIRST_PLACE, {}
        for number, zone in enumerate(self.program.zones):
            size = sizes[zone.name]
            length, slots = self._field(zone.name, size.bit_length()), self._field(zone.name, size * self.item_bits)
            zones[zone.name] = Slots(zone.name, number, zone.order, size, length, slots, place)
            place += size
        self.places = place
        return zones

    @property
    def bits(self) -> int:
        """How many bits a position takes."""
        return sum(self._used)

    @cached_property
    def stage_names(self) -> dict[int, str]:
        """The stages by their codes."""
        return {code: name for name, code in self.stages.items()}

    # ------------------------------------------------------------------ there and back

    def pack(self, position: Position) -> Words:
        """Return *position* as words; extra fields are zero."""
        words = [0] * self.words
        self.stage.write(words, self.stages[position.stage])
        if position.stage != OVER:
            for (field, sort), argument in zip(self.arguments[position.stage].values(), position.arguments, strict=True):
                field.write(words, sort.encode(_single(argument)))
        for variable, value in zip(self.program.variables, position.values, strict=True):
            sort = self.sorts[variable.name]
            for seat, one in enumerate(value if isinstance(value, tuple) else (value,)):
                self.entry(variable.name, seat).write(words, sort.encode(one))
        for zone, items in zip(self.zones.values(), position.zones, strict=True):
            zone.length.write(words, len(items))
            packed = sum(self.pack_item(item) << number * self.item_bits for number, item in enumerate(items))
            zone.slots.write(words, packed)
        return tuple(words)

    def unpack(self, words: Sequence[int]) -> Position:
        """Return the position that *words* are, whatever their extra fields hold."""
        stage = self.stage_names[self.stage.read(words)]
        parameters = self.arguments[stage].values() if stage != OVER else ()
        arguments = tuple(sort.decode(field.read(words)) for field, sort in parameters)
        values = tuple(self._value(variable, words) for variable in self.program.variables)
        return Position(stage, arguments, values, tuple(self._items(zone, words) for zone in self.zones.values()))

    def _value(self, variable: ir.VariableDeclaration, words: Sequence[int]) -> AnyValue:
        sort = self.sorts[variable.name]
        if variable.each_player:
            return tuple(sort.decode(self.entry(variable.name, seat).read(words)) for seat in range(self.players))
        return sort.decode(self.variables[variable.name].read(words))

    def _items(self, zone: Slots, words: Sequence[int]) -> tuple[Item, ...]:
        slots, mask = zone.slots.read(words), (1 << self.item_bits) - 1
        return tuple(self.unpack_item(slots >> at * self.item_bits & mask) for at in range(zone.length.read(words)))

    def pack_item(self, item: Item) -> int:
        """Return *item* as it stands in a slot."""
        kind, controller, *attributes = self.parts.values()
        packed = kind.pack(item.kind) | controller.pack(item.controller)
        for part, value in zip(attributes, item.attributes, strict=True):
            packed |= part.pack(value)
        return packed

    def unpack_item(self, packed: int) -> Item:
        """Return the item of a slot."""
        kind, controller, *attributes = (part.unpack(packed) for part in self.parts.values())
        assert isinstance(kind, str)
        assert isinstance(controller, int)
        return Item(kind, controller, tuple(attributes))

    def initial(self) -> Words:
        """Return the variables as they are at first, all zones empty and the game not begun; raise InputError where one does not fit."""
        words = [0] * self.words
        self.stage.write(words, self.stages[OVER])
        for variable in self.program.variables:
            sort = self.sorts[variable.name]
            code = _first_code(variable.initial, sort, self.players)
            if not sort.low <= code <= sort.high:
                message = f"at first {variable.name} is {code}, which is outside its range"
                raise InputError([Diagnostic("C105", message, self.program.source)])
            for seat in range(self.players if variable.each_player else 1):
                self.entry(variable.name, seat).write(words, code)
        return tuple(words)


def _single(value: AnyValue) -> Value:
    assert not isinstance(value, tuple)
    return value


def _first_code(initial: ir.Expr, sort: Sort, players: int) -> int:
    match initial:
        case ir.Everyone():
            return (1 << players) - 1
        case ir.NoPlayers():
            return 0
        case ir.Literal(value):
            return int(value) if sort == FLAG and isinstance(value, bool) else sort.encode(value)
        case _:
            return constant(initial, players)
