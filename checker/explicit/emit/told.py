"""Told: the text that tells every move of a position, and why other clauses have none.

In comes a layout without extra fields, out goes a text whose moves come in NOTE(move-order). Of
each it writes the words of the position it leads to, then its clause and its owner, how long its
*trail* is, and the trail: two words for each choice and each event, in the order in which they are
made and happen. The first has the number of its *site*, who chooses, and which way or place; the
second the item.

The trail of the move that is being found stands at the beginning of the buffer, behind its header.
What has been written there before a choice is the same for all ways to go on, so it stays where it
is until the next way is taken.

Why not: the text that says of a position what keeps each clause of its stage from being used, as
the rules have it.

In comes the layout of a text that tells moves, out goes a function that writes a record for each
clause, of a ``by any`` clause for each player. A record begins with the owner, the seat and 1, or
0; then come its bits, `BITS` in a word: whether a move comes to its end; of each part of what has
to be so (`use_parts`) whether it is false; of each statement that can make a move impossible
(`with_stops`) whether a move comes to it, and whether one gets past it. All of it is asked where
there is room for every move (`emit.enabled`), so that no scope has a say in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, assert_never

from ....models import ir
from ....models.binding.definite import check_clause
from ....models.diagnostics import Report
from ....models.frozen import frozen
from ....models.ir.analysis import Stopping, stops_in, use_parts, with_stops
from ....models.ir.parts import blocks_of, expressions
from ...slicing.sorts import player
from ..moves.dispatch import EmitPoint, dispatch, first_point, most_moves
from ..moves.hooks import FIRST, Changes, GoOn, MoveHooks
from ..moves.layout import Layout, TooWideError
from ..moves.moves import ClauseWriter
from ..moves.state import BoundLocal, Module, ZoneSpot
from .emit import MOST_MOVES, write_program
from .enabled import EnabledWriter, with_room, written_with_room

BITS = 32
_MARK = "\0"
"""Begins the title of a mark, which no text of a ruleset can have in it."""


@frozen
class ClauseRecords:
    """The records of *clause*: how many there are, one for each player or one, the *first* word of
    the first, and how many each has.
    """

    clause: ir.Clause
    number: int
    first: int
    size: int

    @property
    def end_word(self) -> int:
        """The word behind the last record."""
        return self.first + self.number * self.size


def write_why_not(layout: Layout, module: Module) -> dict[str, list[ClauseRecords]]:
    """Write to *module* the function ``why_not``, of the words of a position of *layout*, and
    return the records that it writes, by stage.

    Raises `TooWideError` if there is no room for every move.
    """
    writer = _RecordWriter(
        with_room(layout, [clause for _, clause in layout.program.clauses], telling=False), module
    )
    records: dict[str, list[ClauseRecords]] = {stage.name: [] for stage in layout.program.stages}

    def of_clause(stage: ir.Stage, clause: ir.Clause) -> str:
        its = records[stage.name]
        first = its[-1].end_word if its else FIRST
        number = 1 if clause.owner.variable is None else layout.players
        its.append(ClauseRecords(clause, number, first, _size(clause)))
        return writer.clause(stage, its[-1])

    module.functions += dispatch(writer.layout, "why_not_with_room", of_clause)
    here = first_point(layout, module).opened("why_not")
    roomy = written_with_room(here, writer.layout)
    here.line(f"return why_not_with_room({', '.join(roomy)}, out, n)")
    here.closed()
    return records


def _size(clause: ir.Clause) -> int:
    bits = 1 + len(use_parts(clause)) + 2 * len(stops_in(clause.body))
    return 1 + -(-bits // BITS)


class _RecordHooks(MoveHooks):
    """The hooks that see how far a move comes: *record* is where the record lies that it is noted
    in.
    """

    name = "why_not"
    threads: Mapping[str, str] = {"record": ""}
    of: ClauseRecords
    """The records of the clause that is being written."""

    def __init__(self) -> None:
        self.marks: dict[ir.Branch, int] = {}

    def on_begin(self, clause: ir.Clause, owner: str) -> Mapping[str, str]:
        """Return where the record of *owner* lies."""
        first = self.of.first
        is_each = clause.owner.variable is not None
        return {"record": f"({first} + {owner} * {self.of.size})" if is_each else str(first)}

    def on_end(self, here: EmitPoint, _mode: ir.Mode) -> None:
        """Write that a move comes to its end."""
        _note(here, here.threads["record"], 0)

    def on_cut(self, _here: EmitPoint, _mode: ir.Mode) -> None:
        """Write nothing: there is room for every move."""

    def on_taken(
        self, here: EmitPoint, choice: ir.Choose | ir.Branch, _way: BoundLocal | int | None
    ) -> EmitPoint:
        """Write that a move comes to a mark, if *choice* is one."""
        if isinstance(choice, ir.Branch) and choice in self.marks:
            _note(here, here.threads["record"], self.marks[choice])
        return here

    def mark(self, bit: int) -> ir.Branch:
        """Return a statement that does nothing but to note *bit* of the record."""
        mark = ir.Branch(((f"{_MARK}{bit}", ()),), "cards")
        self.marks[mark] = bit
        return mark


class _RecordWriter:
    """Writes the records of the clauses of *layout*."""

    def __init__(self, layout: Layout, module: Module) -> None:
        self.layout = layout
        self.hooks = _RecordHooks()
        self.moves = ClauseWriter(first_point(layout, module), self.hooks)

    def clause(self, stage: ir.Stage, of: ClauseRecords) -> str:
        """Write the function that writes the records of a clause of *stage*, and return its
        name.
        """
        clause = of.clause
        begin = self.moves.begin
        behind = 1 + len(use_parts(clause))
        self.hooks.of = of

        def marked(number: int, stop: Stopping) -> ir.Block:
            come = self.hooks.mark(behind + 2 * number)
            # Behind a `go` there is nothing: that a move gets past it is that it comes to its end.
            return (
                (come, stop)
                if isinstance(stop, ir.Go)
                else (come, stop, self.hooks.mark(behind + 2 * number + 1))
            )

        moves = self.moves.clause(stage, replace(clause, body=with_stops(clause.body, marked)))
        here = begin.opened(begin.module.unique_name("parts"), stage=stage.name)
        if clause.owner.variable is not None:
            with here.block(f"for p in range({here.present}):"):
                inside = here.bind(
                    clause.owner.variable, BoundLocal("p", player(self.layout.players))
                )
                record = here.let("record", f"{of.first} + p * {of.size}")
                self._write_false_parts(of, inside, record, "p")
        else:
            owner = "-1" if clause.owner.player is None else here.code(clause.owner.player)
            self._write_false_parts(of, here, str(of.first), here.let("owner", owner))
        here.line(f"return {moves}({', '.join(here.words)}, out, n)")
        return here.closed()

    def _write_false_parts(
        self, of: ClauseRecords, here: EmitPoint, record: str, owner: str
    ) -> None:
        """Write the beginning of a record: who owns it, and which parts of what has to be so are
        false.
        """
        here.line(f"out[{record}] = {owner} + 1 if {owner} < {self.layout.players} else 0")
        for number in range(1, of.size):
            here.line(f"out[{record} + {number}] = 0")
        for bit, (part, _) in enumerate(use_parts(of.clause), 1):
            # What relies on the parts before it is asked only where it can be: one of those is
            # false where it cannot.
            ends = (
                ()
                if _stands_alone(self.layout.program, part)
                else {one.zone for one in expressions(part) if isinstance(one, ir.EndOf)}
            )
            false = ir.All((*(ir.Not(ir.IsEmpty(zone)) for zone in sorted(ends)), ir.Not(part)))
            with here.block(f"if {here.condition(false)}:"):
                _note(here, record, bit)


def _note(here: EmitPoint, record: str, bit: int) -> None:
    at, shift = divmod(bit, BITS)
    here.line(f"out[{record} + {1 + at}] |= {1 << shift}")


def _stands_alone(program: ir.Program, part: ir.Expr) -> bool:
    """Whether *part* can be asked anywhere, independent of what stands before it."""
    report = Report(program.source)
    check_clause(ir.Clause("", "", "must", (), ir.Owner(), part, (ir.GameOver(),)), {}, report)
    return not report.errors


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


@frozen
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
    begin = first_point(layout, module)
    hooks = TellingMoves(layout)
    write_program(ClauseWriter(begin, hooks))
    module.functions.append(
        EnabledWriter(begin, roughly=False, telling=False).priority_of(layout.program.stages)
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
    threads: Mapping[str, str] = {"whose": "0", "end": "0"}

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.sites: dict[Site, int] = {}
        self.clauses = {
            clause.id: number for number, (_, clause) in enumerate(layout.program.clauses)
        }

    def on_begin(self, clause: ir.Clause, owner: str) -> Mapping[str, str]:
        """Return the clause and the owner, and that the trail is empty."""
        return {"whose": f"({self.clauses[clause.id] << OWNERS} | ({owner} + 1))", "end": "0"}

    def store(self, here: EmitPoint) -> None:
        """Write the position *here*, and what is told of the move."""
        end = here.threads["end"]
        here.put_out(*here.words, *here.threads.values())
        k = here.fresh("k")
        with here.block(f"for {k} in range({end}):"):
            here.line(f"out[n + {k}] = out[{FIRST} + {k}]")
        here.line(f"n += {end}")

    # ------------------------------------------------------------------ choices

    def on_taken(
        self, here: EmitPoint, choice: ir.Choose | ir.Branch, way: BoundLocal | int | None
    ) -> EmitPoint:
        """Write who takes which way; of an item, also which it is."""
        who = "0"
        players = self.layout.players
        if not isinstance(choice.by, str):
            seat = (
                f"(({here.threads['whose']} & {(1 << OWNERS) - 1}) - 1)"
                if choice.by is None
                else here.code(choice.by)
            )
            who = f"({seat} + 1 if {seat} >= 0 and {seat} < {players} else 0)"
        if isinstance(way, BoundLocal):
            if way.sort is None:
                zone = self.layout.zones[way.zones[0]]
                site = Site("choose", choice, zone=zone.number)
                at = f"({way.place} - {zone.first_place})"
                return self._trail(here, site, at, way.code, who)
            return self._trail(here, Site("choose", choice, way.sort.low), way.number, who=who)
        return self._trail(here, Site("branch", choice), str(way), who=who)

    # ------------------------------------------------------------------ events

    def on_pass(self, here: EmitPoint) -> EmitPoint:
        """Write that the owner passes."""
        return self._trail(here, Site("passes"))

    def on_put(self, here: EmitPoint, spot: ZoneSpot, code: str, go_on: GoOn) -> None:
        """Write that a new item has come to *spot*."""
        go_on(self._trail(here, Site("put", zone=spot.zone.number), spot.at, code))

    def on_move(self, here: EmitPoint, spot: ZoneSpot, to: ZoneSpot) -> EmitPoint:
        """Write that an item has gone from one place to another."""
        return self._went("move", here, spot, to)

    def on_change(
        self, here: EmitPoint, spot: ZoneSpot, to: ZoneSpot, _name: str, _code: str
    ) -> EmitPoint:
        """Write that an item has become another."""
        return self._went("changes", here, spot, to)

    def _went(self, what: str, here: EmitPoint, spot: ZoneSpot, to: ZoneSpot) -> EmitPoint:
        site = Site(what, zone=spot.zone.number, to_zone=to.zone.number)
        places = f"({spot.at} | {to.at} << {PLACE})"
        return self._trail(here, site, places, here.slot(to.zone, to.at))

    def on_leave(self, here: EmitPoint, spot: ZoneSpot, how: str, code: str) -> EmitPoint:
        """Write that an item has left the game."""
        return self._trail(here, Site(how, zone=spot.zone.number), spot.at, code)

    def on_resolving(self, here: EmitPoint, spot: ZoneSpot) -> EmitPoint:
        """Write that an item begins to resolve."""
        site = Site("begins resolving", zone=spot.zone.number)
        return self._trail(here, site, spot.at, here.slot(spot.zone, spot.at))

    def on_steps(self, here: EmitPoint, sequence: str, changes: Changes) -> EmitPoint:
        """Write what ends and begins of *sequence*."""
        for condition, change in changes:
            here = self._trail(here, Site(change, sequence=sequence), condition=condition)
        return here

    # ------------------------------------------------------------------ the trail

    def _trail(
        self,
        here: EmitPoint,
        site: Site,
        place: str = "0",
        item: str = "0",
        who: str = "0",
        condition: str = "True",
    ) -> EmitPoint:
        """Write one more choice or event behind the others, where *condition* holds."""
        end = here.threads["end"]
        number = self.sites.setdefault(site, len(self.sites))
        with here.block(f"if {condition}:"):
            here.line(
                f"out[{FIRST} + {end}] = {number} | {who} << {SITES} | {place} << {SITES + WHO}"
            )
            here.line(f"out[{FIRST + 1} + {end}] = {item}")
        more = (
            str(int(end) + 2)
            if end.isdigit() and condition == "True"
            else here.let("end", f"{end} + (2 if {condition} else 0)")
        )
        return here.with_thread("end", more)


def _longest(layout: Layout, block: ir.Block) -> int:
    """Return how many choices and events there are at most on a way through *block*."""
    longest = 0
    for statement in block:
        match statement:
            case ir.If() | ir.Branch():
                longest += isinstance(statement, ir.Branch)
                longest += max((_longest(layout, one) for one in blocks_of(statement)), default=0)
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
