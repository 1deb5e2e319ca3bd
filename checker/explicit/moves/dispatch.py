"""Dispatch: from the stage of a position to its clauses; items that join and leave.

Zones: items that join, leave and are followed, as text.

The slots of a zone are one field, the first item lowest. Taking an item out closes the gap, and an
unordered zone stays sorted because an item is put after those that do not rank above it. The places
of all zones are numbered together, so that one number says where an item is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from ....models import ir
from ...slicing.sorts import Sort, number_sort, player
from .layout import GONE, LIMIT, LIMITS, Layout, Slots
from .state import BoundLocal, EmitState, FunctionWriter, Module
from .values import Values


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


def most_moves(layout: Layout, sights: int = 1) -> int:
    """Return a number of moves that no position exceeds; every ``put`` can be seen in up to
    *sights* ways.
    """
    return max(
        (
            sum(most_of_clause(layout, stage, clause, sights) for clause in stage.clauses)
            for stage in layout.program.stages
        ),
        default=1,
    )


def most_of_clause(layout: Layout, stage: ir.Stage, clause: ir.Clause, sights: int) -> int:
    """Return a number of moves that *clause* of *stage* has nowhere more than."""
    clause = layout.left_of(clause)
    here, owner = EmitState(("s0",), stage.name), clause.owner.variable
    if owner is not None:
        here = here.bind(owner, BoundLocal("", player(layout.players)))
    ended, _ = _of_block(layout, clause.body, here, sights)
    return ended * (layout.players if owner is not None else 1)


def _of_block(layout: Layout, block: ir.Block, here: EmitState, sights: int) -> tuple[int, int]:
    """Return how many ways end in *block*, and how many go on after it."""
    ended, on = 0, 1
    for statement in block:
        match statement:
            case ir.Go() | ir.GameOver():
                ended, on = ended + on, 0
            case ir.If(_, yes, no):
                then = _of_block(layout, yes, here, sights)
                otherwise = _of_block(layout, no, here, sights)
                ended, on = ended + on * max(then[0], otherwise[0]), on * max(then[1], otherwise[1])
            case ir.Branch(options, _):
                ways = [_of_block(layout, option, here, sights) for _, option in options]
                ended += on * sum(way[0] for way in ways)
                on *= sum(way[1] for way in ways)
            case ir.Choose(variable, domain):
                elements, sort = _elements(layout, domain, here)
                here, on = here.bind(variable, BoundLocal("", sort)), on * elements
            case ir.Let(variable, value):
                here = here.bind(
                    variable, BoundLocal("", Values(layout, Module()).sort(value, here))
                )
            case ir.Put():
                on *= sights
            case ir.ForEach():
                pass  # it is done, or the move is not possible
            case ir.Require() | ir.Simple():
                pass
            case _:
                assert_never(statement)
    return ended, on


def _elements(layout: Layout, domain: ir.Domain, here: EmitState) -> tuple[int, Sort | None]:
    """Return how many elements *domain* has at most, and their sort; items have none."""
    match domain:
        case ir.PlayersIn():
            return layout.players, player(layout.players)
        case ir.ItemsOn(zone):
            return layout.zones[zone].size, None
        case ir.NumbersFrom(low, high):
            values = Values(layout, Module())
            span = number_sort(values.bounds(low, here)[0], values.bounds(high, here)[1])
            return max(span.high - span.low + 1, 0), span
        case _:
            assert_never(domain)


def dispatch(layout: Layout, name: str, clauses: dict[str, list[str]]) -> list[FunctionWriter]:
    """Return the functions that call the *clauses* of each stage, and the one, called *name*, that
    calls these.
    """
    words = layout.names
    given, stages = ", ".join([*words, "out", "n"]), []
    whole = FunctionWriter(name, (*words, "out", "n"))
    whole.line(f"stage = {words[layout.stage.word]} >> {layout.stage.shift} & {layout.stage.mask}")
    for number, (stage, called) in enumerate(clauses.items()):
        one = FunctionWriter(f"{name}_of_{number}", whole.parameters)
        for clause in called:
            one.line(f"n = {clause}({given})")
        one.line("return n")
        stages.append(one)
        with whole.block(f"if stage == {layout.stages[stage]}:"):
            whole.line(f"return {one.name}({given})")
    whole.line("return n")
    return [*stages, whole]


def by_number(
    name: str, parameters: Sequence[str], number: str, functions: Sequence[FunctionWriter]
) -> FunctionWriter:
    """Return the function *name* that calls the one of *functions* that *number* says; all have the
    same *parameters*.
    """
    whole = FunctionWriter(name, parameters)
    _choose(
        whole, number, [f"{function.name}({', '.join(parameters)})" for function in functions], 0
    )
    return whole


def _choose(function: FunctionWriter, number: str, calls: Sequence[str], first: int) -> None:
    """Write that of *calls*, the first having number *first*, the one of *number* is made, by
    halving.
    """
    if len(calls) == 1:
        function.line(f"return {calls[0]}")
        return
    half = len(calls) // 2
    with function.block(f"if {number} < {first + half}:"):
        _choose(function, number, calls[:half], first)
    _choose(function, number, calls[half:], first + half)
