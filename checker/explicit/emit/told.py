"""Told: the text that tells every move of a whole position: whose it is, by which clause, what is
chosen in it, and what happens.

In comes a layout without extra fields, out goes a text whose moves come in NOTE(move-order). Of
each it writes the words of the position it leads to, then its clause and its owner, how long its
*trail* is, and the trail: two words for each choice and each event, in the order in which they are
made and happen. The first has the number of its *site*, who chooses, and which way or place; the
second the item.

The trail of the move that is being found stands at the beginning of the buffer, behind its header.
What has been written there before a choice is the same for all ways to go on, so it stays where it
is until the next way is taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, assert_never

from ....models import ir
from ..layout.layout import Layout, Slots, TooWideError
from ..moves.branching import most_moves
from ..moves.hooks import FIRST, Changes, GoOn, MoveHooks
from ..moves.moves import ClauseWriter
from ..moves.state import BoundLocal, EmitState
from ..moves.values import Values
from ..moves.writer import FunctionWriter, Module
from ..moves.zones import Zones
from .emit import MOST_MOVES, write_program
from .enabled import EnabledWriter
from .why_not import ClauseRecords, write_why_not

OWNERS = 8
"""The bits of an owner, the seat and 1, or 0; above it is the number of the clause."""
SITES, WHO, PLACE = 16, 8, 8
"""The bits of a site, of who chooses (the seat and 1, or 0), and of a place: what is chosen, or
where an item was; above is where it is.
"""
_READ = """
def told(positions, out):
    return successors({words}, out, {first})


def holders(positions):
    return priority({words})


def begun(positions, out):
    return start({words}, out, {first})
"""
_READ_WHY = """
def why(positions, out):
    return why_not({words}, out, 0)
"""
"""The functions for hosts without numbers of 64 bits: the position lies in an array."""
TOLD, WHY = ("told", "holders", "begun"), "why"


class Site(NamedTuple):
    """A place of the rules where something is chosen or happens.

    *what* is ``choose`` or ``branch``, with the *choice* and the number *low* from which ways
    count, or the kind of an event, with its zones and its sequence.
    """

    what: str
    choice: ir.Choose | ir.Branch | None = None
    low: int = 0
    zone: int = -1
    to_zone: int = -1
    sequence: str = ""


@dataclass(frozen=True)
class ToldText:
    """The *text* for *layout*, its *sites* by their numbers, where moves begin in the buffer, and
    how many words that has.

    *why_not* are the records that it writes of why clauses of a stage cannot be used, none if there
    is no room for that. The caller can call the functions *exported*.
    """

    text: str
    layout: Layout
    sites: tuple[Site, ...]
    first: int
    buffer: int
    why_not: Mapping[str, Sequence[ClauseRecords]]

    @property
    def exported(self) -> tuple[str, ...]:
        """The names of these functions."""
        return (*TOLD, WHY) if self.why_not else TOLD


def emit_told(layout: Layout, *, explains: bool) -> ToldText:
    """Return the text that tells the moves of *layout*'s Program, whole, and if it *explains* what
    keeps the other clauses from being used.

    Raises `TooWideError` if there is no room for that.
    """
    module = Module()
    zones = Zones(Values(layout, module))
    hooks = TellingMoves(zones.values)
    write_program(ClauseWriter(zones, hooks))
    module.functions.append(
        EnabledWriter(zones, roughly=False, telling=False).priority_of(layout.program.stages)
    )
    why_not = write_why_not(layout, module) if explains else {}
    longest = 2 * max(
        (_longest(layout, clause.body) for _, clause in layout.program.clauses), default=0
    )
    first = FIRST + longest
    ends = [of.end_word for records in why_not.values() for of in records]
    buffer = max((first + max(most_moves(layout), 1) * (layout.words + 2 + longest), *ends))
    if buffer > MOST_MOVES:
        raise TooWideError(
            f"the moves of a position may take {buffer:,} words; a buffer has {MOST_MOVES:,}"
        )
    read = f"{_READ}\n{_READ_WHY}" if explains else _READ
    read = read.format(
        words=", ".join(f"positions[{number}]" for number in range(layout.words)), first=first
    )
    return ToldText(f"{module}\n{read}", layout, tuple(hooks.sites), first, buffer, why_not)


class TellingMoves(MoveHooks):
    """The hooks that tell everything of a move. Besides the state they hand on its owner and
    clause, and how long its trail is.
    """

    name = "told"
    threads = ("whose", "end")
    at_start = ("0", "0")

    def __init__(self, values: Values) -> None:
        self.layout, self.values = values.layout, values
        self.sites: dict[Site, int] = {}
        self.clauses = {
            clause.id: number for number, (_, clause) in enumerate(self.layout.program.clauses)
        }
        self.zones = {zone.name: zone.number for zone in self.layout.zones.values()}

    def on_begin(self, clause: ir.Clause, owner: str) -> tuple[str, ...]:
        """Return the clause and the owner, and that the trail is empty."""
        return f"({self.clauses[clause.id] << OWNERS} | ({owner} + 1))", "0"

    def store(self, function: FunctionWriter, here: EmitState) -> None:
        """Write the position *here*, and what is told of the move."""
        whose, end = here.threads
        for number, word in enumerate((*here.words, whose, end)):
            function.line(f"out[n + {number}] = {word}" if number else f"out[n] = {word}")
        function.line(f"n += {len(here.words) + 2}")
        k = function.fresh("k")
        with function.block(f"for {k} in range({end}):"):
            function.line(f"out[n + {k}] = out[{FIRST} + {k}]")
        function.line(f"n += {end}")

    # ------------------------------------------------------------------ choices

    def on_taken(
        self,
        function: FunctionWriter,
        here: EmitState,
        choice: ir.Choose | ir.Branch,
        way: BoundLocal | int | None,
    ) -> EmitState:
        """Write who takes which way; of an item, also which it is."""
        who, players = "0", self.layout.players
        if not isinstance(choice.by, str):
            seat = (
                f"(({here.threads[0]} & {(1 << OWNERS) - 1}) - 1)"
                if choice.by is None
                else self.values.code(choice.by, here)
            )
            who = f"({seat} + 1 if {seat} >= 0 and {seat} < {players} else 0)"
        if isinstance(way, BoundLocal):
            if way.sort is None:
                zone = self.layout.zones[way.zones[0]]
                site = Site("choose", choice, zone=zone.number)
                at = f"({way.place} - {zone.first_place})"
                return self._trail(function, here, site, at, way.code, who)
            return self._trail(
                function, here, Site("choose", choice, way.sort.low), way.number, who=who
            )
        return self._trail(function, here, Site("branch", choice), str(way), who=who)

    # ------------------------------------------------------------------ events

    def on_pass(self, function: FunctionWriter, here: EmitState) -> EmitState:
        """Write that the owner passes."""
        return self._trail(function, here, Site("passes"))

    def on_put(
        self,
        function: FunctionWriter,
        here: EmitState,
        zone: Slots,
        at: str,
        code: str,
        go_on: GoOn,
    ) -> None:
        """Write that a new item has joined *zone*."""
        go_on(self._trail(function, here, Site("put", zone=zone.number), at, code))

    def on_move(
        self, function: FunctionWriter, here: EmitState, zone: Slots, at: str, to: Slots, to_at: str
    ) -> EmitState:
        """Write that an item has gone from one place to another."""
        site = Site("move", zone=zone.number, to_zone=to.number)
        return self._trail(
            function, here, site, f"({at} | {to_at} << {PLACE})", self.values.slot(to, to_at, here)
        )

    def on_change(
        self,
        function: FunctionWriter,
        here: EmitState,
        zone: Slots,
        at: str,
        to_at: str,
        _name: str,
        _code: str,
    ) -> EmitState:
        """Write that an item has become another."""
        site = Site("changes", zone=zone.number, to_zone=zone.number)
        return self._trail(
            function,
            here,
            site,
            f"({at} | {to_at} << {PLACE})",
            self.values.slot(zone, to_at, here),
        )

    def on_leave(
        self, function: FunctionWriter, here: EmitState, zone: Slots, at: str, how: str, code: str
    ) -> EmitState:
        """Write that an item has left the game."""
        return self._trail(function, here, Site(how, zone=zone.number), at, code)

    def on_resolving(
        self, function: FunctionWriter, here: EmitState, zone: Slots, at: str
    ) -> EmitState:
        """Write that an item begins to resolve."""
        return self._trail(
            function,
            here,
            Site("begins resolving", zone=zone.number),
            at,
            self.values.slot(zone, at, here),
        )

    def on_steps(
        self, function: FunctionWriter, here: EmitState, sequence: str, changes: Changes
    ) -> EmitState:
        """Write what ends and begins of *sequence*."""
        for condition, change in changes:
            here = self._trail(function, here, Site(change, sequence=sequence), condition=condition)
        return here

    # ------------------------------------------------------------------ the trail

    def _trail(
        self,
        function: FunctionWriter,
        here: EmitState,
        site: Site,
        place: str = "0",
        item: str = "0",
        who: str = "0",
        condition: str = "True",
    ) -> EmitState:
        """Write one more choice or event behind the others, where *condition* holds."""
        whose, end = here.threads
        number = self.sites.setdefault(site, len(self.sites))
        with function.block(f"if {condition}:"):
            function.line(
                f"out[{FIRST} + {end}] = {number} | {who} << {SITES} | {place} << {SITES + WHO}"
            )
            function.line(f"out[{FIRST + 1} + {end}] = {item}")
        more = (
            str(int(end) + 2)
            if end.isdigit() and condition == "True"
            else function.let("end", f"{end} + (2 if {condition} else 0)")
        )
        return replace(here, threads=(whose, more))


def _longest(layout: Layout, block: ir.Block) -> int:
    """Return how many choices and events there are at most on a way through *block*."""
    longest = 0
    for statement in block:
        match statement:
            case ir.If(_, yes, no):
                longest += max(_longest(layout, yes), _longest(layout, no))
            case ir.Branch(options, _):
                longest += 1 + max((_longest(layout, option) for _, option in options), default=0)
            case ir.ForEach(_, domain):
                times = (
                    layout.zones[domain.zone].size
                    if isinstance(domain, ir.ItemsOn)
                    else layout.players
                )
                longest += times * _longest(layout, statement.body)
            case ir.Advance() | ir.StepTo():
                longest += 4
            case ir.Choose() | ir.SimpleOfItem() | ir.Pass():
                longest += 1
            case ir.Require() | ir.Let() | ir.Assign() | ir.Go() | ir.GameOver():
                pass
            case _:
                assert_never(statement)
    return longest
