"""Layout: every part of a position gets its bits, and positions become words and come back.

In comes a Program within a scope, out goes a `Layout`: where each field lies in the one or more
words of a position. A word has 63 bits, not 64, so that it is never negative and numbers of Python
and of the machine are the same; then one text (`emit`) serves both.

Word 0 begins with the stage, whose code is never 0: a word 0 of zero marks an empty slot of a
table. The parameters of all stages share their bits. A zone is its length and a slot for each item
(`format`), and a free slot is zero, so that a position has one packing only. What a `Slice` drops
has no field, and what never changes has a field of no bits.

Formats: which parts of an item are kept somewhere, on a zone or in a field beside them, and
where in its slot each lies.

The parts lie in the order of their rank (kind, controller, attributes), the first highest, so that
sorting items is comparing numbers. A part that has one value only takes no bits and is known all
the same; a part that is not kept is not there.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TypeAlias

from ....models import ir
from ....models.diagnostics import wrong_input
from ....models.frozen import frozen
from ...slicing.slice import ANYWHERE, Slice, whole
from ...slicing.sorts import Scalar, Sort, enum, first_code, player, sort_of
from ...slicing.specialise import Specialiser
from ...types.position import OVER, Item, Position, Value
from ...types.scope import Scope


@frozen
class SlotField:
    """A part of an item: *shift* bits from the low end of its slot; nobody is stored first, as it
    ranks.
    """

    shift: int
    sort: Sort

    @property
    def mask(self) -> int:
        """The bits of the part, at the low end."""
        return (1 << self.sort.bits) - 1

    def pack(self, value: Scalar) -> int:
        """Return *value* as it is stored in its place."""
        code = self.sort.encode(value)
        return (
            (code + 1) % (self.sort.high + 1) if self.sort.is_optional else code - self.sort.low
        ) << self.shift

    def unpack(self, item: int) -> Scalar:
        """Return the value of this part of a packed *item*."""
        stored = item >> self.shift & self.mask
        return self.sort.decode(
            (stored - 1) % (self.sort.high + 1) if self.sort.is_optional else stored + self.sort.low
        )


@frozen
class Format:
    """The *kept* parts of an item, by name, in the order of their rank, and how many *bits* they
    take together.
    """

    kept: tuple[tuple[str, SlotField], ...]
    bits: int

    @cached_property
    def parts(self) -> dict[str, SlotField]:
        """The parts by name."""
        return dict(self.kept)

    @property
    def mask(self) -> int:
        """The bits of an item, at the low end."""
        return (1 << self.bits) - 1


WORD = 63
"""How many bits of a word are used."""
WIDE = 1 << 12
"""How many bits a word has where the usual number is too small and only CPython has to compute with
it.
"""
UNSEEN, GONE, FIRST_PLACE = 0, 1, 2
"""Where an item is that is followed: it has not been put on a zone yet, it has left the game, or
the number of its place.
"""

LIMITS = 11
"""The cell of a buffer's header that has the sizes of zones where a layout leaves them open,
`LIMIT` bits for each by its number.
"""
LIMIT = 8
MOST_LIMITS = WORD // LIMIT

Words = tuple[int, ...]
Key: TypeAlias = "int | Words"
"""A position of one word is a number, of several a tuple of numbers."""
Extra: TypeAlias = "tuple[str, int | Collection[str]]"
"""A field beside those of a `Position`: its name, and its width or the parts that it keeps of an
item.
"""


class TooWideError(Exception):
    """Something has no room in words of this size; the message names it."""


@frozen
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

    def code_in(self, words: Sequence[int]) -> int:
        """Return the code stored in *words*."""
        return (words[self.word] >> self.shift & self.mask) + self.low

    def write(self, words: list[int], code: int) -> None:
        """Store *code* where zero is stored now."""
        if self.bits:
            words[self.word] |= (code - self.low) << self.shift


@frozen
class Slots:
    """A zone: its *length* and its *slots*, one field; *first_place* is the number of its first
    place among those of all zones.

    Its items have a *format*; one just made, to be put there, has the format *made*, which keeps
    also what extra fields ask for.
    """

    name: str
    number: int
    order: str
    size: int
    length: Field
    slots: Field
    first_place: int
    format: Format
    made: Format

    @property
    def end_place(self) -> int:
        """The number behind that of its last place."""
        return self.first_place + self.size

    def has(self, place: str) -> str:
        """Return the condition that *place* is one of its own."""
        return f"({self.first_place} <= {place} < {self.end_place})"


class Layout:
    """Where everything of a position lies that is *kept*; *extra* fields come last, and no
    `Position` has them.

    A word has *word* bits; more than `WORD` are for texts that only CPython runs. *specialiser*
    says what is left of the clauses, if that is known of the same slice in another scope. With
    *limited* the scope has the largest sizes of zones, and the caller of a text says how many items
    there may be; then there are at most `MOST_LIMITS` zones. If the Program has the variable
    `ir.SEATS`, *seats* is its field: the scope has the largest number of players, and each position
    says how many there are.
    """

    def __init__(
        self,
        program: ir.Program,
        scope: Scope,
        extra: Sequence[Extra] = (),
        kept: Slice | None = None,
        *,
        word: int = WORD,
        specialiser: Specialiser | None = None,
        limited: bool = False,
    ) -> None:
        self.word = word
        self.limited = limited
        self.program = program
        self.scope = scope
        self.players = scope.players
        self.slice = kept or whole(program)
        self._used: list[int] = []
        self._left: dict[str, tuple[ir.Clause, ir.Clause]] = {}
        self.specialiser = specialiser or Specialiser(program, scope, self.slice)
        self._ranges = {(zone, part): (low, high) for zone, part, low, high in self.slice.ranges}
        self.representatives = dict(self.slice.kinds)
        self.stages = {
            OVER: 1,
            **{stage.name: number for number, stage in enumerate(program.stages, 2)},
        }
        self.sorts = {v.name: sort_of(v.type, self.players) for v in program.variables}
        self.parameters = {
            stage.name: {p.name: sort_of(p.type, self.players) for p in stage.parameters}
            for stage in program.stages
        }
        self.parts = self._part_sorts()
        self.formats = {
            name: self._format(parts) for name, parts in extra if not isinstance(parts, int)
        }
        self.stage = self._field("the stage", len(self.stages).bit_length())
        self.arguments = self._arguments()
        self.variables = {
            v.name: self._variable(v) for v in program.variables if v.name in self.slice.variables
        }
        self.variables |= {name: Field(0, 0, 0, code) for name, code in self.slice.fixed}
        self.seats = self.variables.get(ir.SEATS)
        self.zones = self._zones()
        self.extra = {
            name: self._field(name, bits if isinstance(bits, int) else self.formats[name].bits)
            for name, bits in extra
        }
        self.words = len(self._used)

    # ------------------------------------------------------------------ where things lie

    def _field(self, what: str, bits: int, low: int = 0) -> Field:
        """Return a free field of *bits*: in the first word that has room, else in a new one."""
        if bits > self.word:
            raise TooWideError(f"{what} takes {bits} bits; a word has {self.word}")
        for word, used in enumerate(self._used):
            if used + bits <= self.word:
                self._used[word] += bits
                return Field(word, used, bits, low)
        self._used.append(bits)
        return Field(len(self._used) - 1, 0, bits, low)

    def _arguments(self) -> dict[str, dict[str, tuple[Field, Sort]]]:
        """Return the fields of each stage's kept parameters; those of two stages may be the same
        bits.
        """
        kept = {
            stage: {
                name: sort for name, sort in sorts.items() if (stage, name) in self.slice.parameters
            }
            for stage, sorts in self.parameters.items()
        }
        self.shared = self._field(
            "the stage's parameters",
            max((sum(s.bits for s in sorts.values()) for sorts in kept.values()), default=0),
        )
        fields: dict[str, dict[str, tuple[Field, Sort]]] = {}
        for stage, sorts in kept.items():
            shift = self.shared.shift
            fields[stage] = {}
            for name, sort in sorts.items():
                fields[stage][name] = Field(self.shared.word, shift, sort.bits, sort.low), sort
                shift += sort.bits
        return fields

    def _variable(self, variable: ir.VariableDeclaration) -> Field:
        """Return the field of *variable*, or of the first player's entry; the entries follow each
        other in one word.
        """
        sort = self.sorts[variable.name]
        field = self._field(
            variable.name, sort.bits * (self.players if variable.each_player else 1), sort.low
        )
        return Field(field.word, field.shift, sort.bits, sort.low)

    def entry(self, name: str, seat: int) -> Field:
        """Return the field of a player's entry of the variable *name*."""
        field = self.variables[name]
        return Field(field.word, field.shift + seat * field.bits, field.bits, field.low)

    def _part_sorts(self) -> dict[str, Sort]:
        """Return the sort of each part of an item on any zone."""
        kinds = tuple(dict.fromkeys(self.representatives[kind.name] for kind in self.program.kinds))
        sorts = {ir.KIND: enum(kinds), ir.CONTROLLER: player(self.players)}
        return sorts | {
            attribute.name: sort_of(attribute.type, self.players)
            for attribute in self.program.attributes
        }

    def _format(self, parts: Collection[str], zone: str = ANYWHERE) -> Format:
        """Return the format of items on *zone* that keeps *parts*, given in the order of their
        rank.
        """
        shift = 0
        kept = dict[str, SlotField]()
        for name, sort in reversed(self.parts.items()):
            if name in parts:
                low, high = self._ranges.get((zone, name), (sort.low, sort.high))
                narrow = sort if sort.is_optional else replace(sort, low=low, high=high)
                kept[name] = SlotField(shift, narrow)
                shift += narrow.bits
        return Format(tuple(reversed(kept.items())), shift)

    def _zones(self) -> dict[str, Slots]:
        sizes = dict(self.scope.sizes)
        place = FIRST_PLACE
        zones = {}
        asked = {name for format_ in self.formats.values() for name in format_.parts}
        for number, zone in enumerate(self.program.zones):
            kept = {name for name in self.parts if (zone.name, name) in self.slice.parts}
            format_ = self._format(kept, zone.name)
            made = self._format(kept | asked, zone.name)
            size = sizes[zone.name]
            length = self._field(zone.name, size.bit_length())
            slots = self._field(zone.name, size * format_.bits)
            zones[zone.name] = Slots(
                zone.name, number, zone.order, size, length, slots, place, format_, made
            )
            place += size
        self.places = place
        return zones

    @cached_property
    def item(self) -> Format:
        """The format of an item of which everything is kept."""
        return self._format(tuple(self.parts))

    @property
    def bits(self) -> int:
        """How many bits a position takes."""
        return sum(self._used)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What the words of a position are called in texts."""
        return tuple(f"s{number}" for number in range(self.words))

    @cached_property
    def bare(self) -> tuple[int, ...]:
        """For each word the bits that belong to no extra field, and those above all fields."""
        masks = [-1] * self.words
        for field in self.extra.values():
            masks[field.word] ^= field.mask << field.shift
        return tuple(masks)

    def left_of(self, clause: ir.Clause) -> ir.Clause:
        """Return what the slice leaves of *clause*."""
        if self.slice.is_whole:
            return clause
        whole, left = self._left.get(clause.id, (None, clause))
        if whole is not clause:
            left = self.specialiser.clause(clause)
            self._left[clause.id] = clause, left
        return left

    @property
    def start(self) -> ir.Go:
        """How the game begins, as far as that is kept."""
        return (
            self.program.start if self.slice.is_whole else self.specialiser.go(self.program.start)
        )

    def with_scope(self, scope: Scope, word: int) -> Layout:
        """Return the layout of the same slice in another *scope*, without extra fields, in words of
        *word* bits.
        """
        return Layout(self.program, scope, (), self.slice, word=word, specialiser=self.specialiser)

    @cached_property
    def stage_names(self) -> dict[int, str]:
        """The stages by their codes."""
        return {code: name for name, code in self.stages.items()}

    # ------------------------------------------------------------------ there and back

    def pack(self, position: Position) -> Words:
        """Return what is kept of *position*, as words; extra fields are zero."""
        words = [0] * self.words
        self.stage.write(words, self.stages[position.stage])
        if position.stage != OVER:
            fields = self.arguments[position.stage]
            for name, argument in zip(
                self.parameters[position.stage], position.arguments, strict=True
            ):
                if name in fields:
                    fields[name][0].write(words, fields[name][1].encode(_single(argument)))
        for variable, value in zip(self.program.variables, position.values, strict=True):
            if variable.name in self.variables:
                sort = self.sorts[variable.name]
                for seat, one in enumerate(value if isinstance(value, tuple) else (value,)):
                    self.entry(variable.name, seat).write(words, sort.encode(one))
        for zone, items in zip(self.zones.values(), position.zones, strict=True):
            zone.length.write(words, len(items))
            codes = [self.pack_item(item, zone.format) for item in items]
            if zone.order == "unordered":
                codes.sort()
            zone.slots.write(
                words, sum(code << number * zone.format.bits for number, code in enumerate(codes))
            )
        return tuple(words)

    def unpack(self, words: Sequence[int]) -> Position:
        """Return the position that *words* are, without their extra fields; everything must have
        been kept.
        """
        if not self.slice.is_whole:
            raise ValueError("words of which something is dropped are no position")
        stage = self.stage_names[self.stage.code_in(words)]
        parameters = self.arguments[stage].values() if stage != OVER else ()
        arguments = tuple(sort.decode(field.code_in(words)) for field, sort in parameters)
        values = tuple(self._value(variable, words) for variable in self.program.variables)
        return Position(
            stage,
            arguments,
            values,
            tuple(self._items(zone, words) for zone in self.zones.values()),
        )

    def _value(self, variable: ir.VariableDeclaration, words: Sequence[int]) -> Value:
        sort = self.sorts[variable.name]
        if variable.each_player:
            return tuple(
                sort.decode(self.entry(variable.name, seat).code_in(words))
                for seat in range(self.players)
            )
        return sort.decode(self.variables[variable.name].code_in(words))

    def _items(self, zone: Slots, words: Sequence[int]) -> tuple[Item, ...]:
        slots = zone.slots.code_in(words)
        bits = zone.format.bits
        return tuple(
            _unpack_item(slots >> at * bits & zone.format.mask, zone.format)
            for at in range(zone.length.code_in(words))
        )

    def pack_item(self, item: Item, format_: Format) -> int:
        """Return *item* as it stands in a slot of that format."""
        values = dict(
            zip(
                self.parts,
                (self.representatives[item.kind], item.controller, *item.attributes),
                strict=True,
            )
        )
        return sum(part.pack(values[name]) for name, part in format_.kept)

    def initial(self, players: int | None = None) -> Words:
        """Return the variables as they are at first, all zones empty and the game not begun; raise
        InputError where one does not fit.

        Where the number of players is left open there are *players* players.
        """
        words = [0] * self.words
        present = players or self.players
        self.stage.write(words, self.stages[OVER])
        for variable in self.program.variables:
            sort = self.sorts[variable.name]
            code = first_code(variable.initial, sort, present)
            if not sort.low <= code <= sort.high:
                message = f"at first {variable.name} is {code}, which is outside its range"
                raise wrong_input("C105", message, self.program.source)
            if variable.name in self.variables:
                for seat in range(self.players if variable.each_player else 1):
                    self.entry(variable.name, seat).write(words, code)
        return tuple(words)


def _unpack_item(packed: int, format_: Format) -> Item:
    kind, controller, *attributes = (part.unpack(packed) for part in format_.parts.values())
    assert isinstance(kind, str)
    assert isinstance(controller, int)
    return Item(kind, controller, tuple(attributes))


def _single(value: Value) -> Scalar:
    assert not isinstance(value, tuple)
    return value


def as_key(words: Words) -> Key:
    """Return words as a key."""
    return words[0] if len(words) == 1 else words


def as_words(key: Key) -> Words:
    """Return a key as words."""
    return (key,) if isinstance(key, int) else key
