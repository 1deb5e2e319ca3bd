"""Dispatch: from the stage of a position to its clauses, and how many moves these have at most.

Points of a text: items that join zones, leave them and are followed.

The slots of a zone are one field, the first item lowest. Taking an item out closes the gap, and an
unordered zone stays sorted because an item is put after those that do not rank above it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Self, assert_never

from ....models import ir
from ....models.ir.parts import blocks_of
from ...slicing.sorts import Sort, number_sort, player
from .layout import LIMIT, LIMITS, Layout, Slots
from .state import BoundLocal, FunctionWriter, Module, ZoneSpot
from .values import Values


class EmitPoint(Values):
    """A point in the middle of a move, with what can be said and done there, to zones too."""

    def has_room(self, zone: Slots) -> str:
        """Return the condition that an item can still join *zone*."""
        most = (
            f"(out[{LIMITS}] >> {zone.number * LIMIT} & {(1 << LIMIT) - 1})"
            if self.layout.limited
            else str(zone.size)
        )
        return f"{self.length(zone)} < {most}"

    def join_zone(self, zone: Slots, code: str) -> tuple[Self, ZoneSpot]:
        """Write that the item *code* joins *zone*, where there is room; return the point after it
        and where the item is.
        """
        here = self
        bits = zone.format.bits
        slots = zone.slots
        length = self.length(zone)
        if not bits:
            at = self.let("at", length)
        elif zone.order == "unordered":
            items = self.let("z", self.field_code(slots))
            at = self.let("at", f"rank_{bits}({items}, {length}, {code})")
            here = self.written(slots, f"inserted_{bits}({items}, {at}, {code})")
        else:
            at = self.let("at", length)
            here = self._with_slots(zone, f"| {code} << ({slots.shift} + {at} * {bits})")
        return here._longer(zone, "+"), ZoneSpot(zone, at)

    def taken(self, spot: ZoneSpot, code: str, *, is_last: bool) -> Self:
        """Write that the item *code* leaves its *spot*; *is_last* says that none comes after it."""
        here = self
        zone = spot.zone
        at = spot.at
        bits = zone.format.bits
        slots = zone.slots
        if is_last and bits:
            here = self._with_slots(zone, f"- ({code} << ({slots.shift} + {at} * {bits}))")
        elif bits:
            here = self.written(slots, f"removed_{bits}({self.field_code(slots)}, {at})")
        return here._longer(zone, "-")

    def change_item(self, spot: ZoneSpot, old: str, new: str) -> tuple[Self, ZoneSpot]:
        """Write that the item *old* at *spot* becomes *new*; return the point after it and where
        the item is.
        """
        zone = spot.zone
        if zone.order == "unordered":
            return self.taken(spot, old, is_last=False).join_zone(zone, new)
        if not zone.format.bits or old == new:
            return self, spot
        shift = f"({zone.slots.shift} + {spot.at} * {zone.format.bits})"
        return self._with_slots(zone, f"+ (({new} - {old}) << {shift})"), spot

    def _with_slots(self, zone: Slots, change: str) -> Self:
        word = zone.slots.word
        return self.with_word(word, f"{self.words[word]} {change}")

    def _longer(self, zone: Slots, sign: str) -> Self:
        word = zone.length.word
        return self.with_word(word, f"{self.words[word]} {sign} {1 << zone.length.shift}")

    def after_moving(self, place: str, spot: ZoneSpot, to: ZoneSpot) -> str:
        """Return where an item at *place* is after the one at *spot* has gone *to* another, part of
        which is written.
        """
        joined = to.after_joining(self.let("q", spot.after_leaving(place)))
        return f"({to.place} if {place} == {spot.place} else {joined})"


def first_point(layout: Layout, module: Module) -> EmitPoint:
    """Return a point before all functions of *layout*; those for its zones go to *module*, unless
    another layout has them there.
    """
    written = {function.name for function in module.functions}
    for bits in sorted({zone.format.bits for zone in layout.zones.values()} - {0}):
        module.functions += (
            function for function in _slot_functions(bits) if function.name not in written
        )
    return EmitPoint(layout, module, FunctionWriter("", ()), layout.names)


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
    here: Values = Values(layout, Module(), FunctionWriter("", ()), (), stage.name)
    owner = clause.owner.variable
    if owner is not None:
        here = here.bind(owner, BoundLocal("", player(layout.players)))
    ended, _ = _of_block(clause.body, here, sights)
    return ended * (layout.players if owner is not None else 1)


def _of_block(block: ir.Block, here: Values, sights: int) -> tuple[int, int]:
    """Return how many ways end in *block*, and how many go on after it."""
    ended = 0
    on = 1
    for statement in block:
        match statement:
            case ir.Go() | ir.GameOver():
                ended = ended + on
                on = 0
            case ir.If() | ir.Branch():
                ways = [_of_block(inside, here, sights) for inside in blocks_of(statement)]
                most: Callable[[Iterable[int]], int] = max if isinstance(statement, ir.If) else sum
                ended += on * most(its_ended for its_ended, _ in ways)
                on *= most(its_on for _, its_on in ways)
            case ir.Choose(variable, domain):
                elements, sort = _elements(domain, here)
                here = here.bind(variable, BoundLocal("", sort))
                on = on * elements
            case ir.Let(variable, value):
                here = here.bind(variable, BoundLocal("", here.sort(value)))
            case ir.Put():
                on *= sights
            case ir.ForEach():
                pass  # it is done, or the move is not possible
            case ir.Require() | ir.Simple():
                pass
            case _:
                assert_never(statement)
    return ended, on


def _elements(domain: ir.Domain, here: Values) -> tuple[int, Sort | None]:
    """Return how many elements *domain* has at most, and their sort; items have none."""
    match domain:
        case ir.PlayersIn():
            return here.players, player(here.players)
        case ir.ItemsOn(zone):
            return here.layout.zones[zone].size, None
        case ir.NumbersFrom(low, high):
            span = number_sort(here.bounds(low)[0], here.bounds(high)[1])
            return max(span.high - span.low + 1, 0), span
        case _:
            assert_never(domain)


def dispatch(
    layout: Layout, name: str, write: Callable[[ir.Stage, ir.Clause], str]
) -> list[FunctionWriter]:
    """Return the functions that call those of the clauses of each stage, which *write* writes and
    names, and the one, called *name*, that calls these.
    """
    words = layout.names
    given = ", ".join([*words, "out", "n"])
    stages = []
    whole = FunctionWriter(name, (*words, "out", "n"))
    whole.line(f"stage = {words[layout.stage.word]} >> {layout.stage.shift} & {layout.stage.mask}")
    for number, stage in enumerate(layout.program.stages):
        one = FunctionWriter(f"{name}_of_{number}", whole.parameters)
        for clause in stage.clauses:
            one.line(f"n = {write(stage, clause)}({given})")
        one.line("return n")
        stages.append(one)
        with whole.block(f"if stage == {layout.stages[stage.name]}:"):
            whole.line(f"return {one.name}({given})")
    whole.line("return n")
    return [*stages, whole]


def by_number(name: str, number: str, functions: Sequence[FunctionWriter]) -> FunctionWriter:
    """Return the function *name* that calls the one of *functions* that *number* says; all have the
    same parameters.
    """
    whole = FunctionWriter(name, functions[0].parameters)
    given = ", ".join(whole.parameters)
    _choose(whole, number, [f"{function.name}({given})" for function in functions], 0)
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
