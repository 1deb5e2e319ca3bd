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
from dataclasses import dataclass, replace
from typing import NamedTuple, assert_never

from ....models import ir
from ....models.binding.definite import check_clause
from ....models.diagnostics import Report
from ....models.ir.analysis import Stopping, stops_in, use_parts, with_stops
from ....models.ir.parts import expressions
from ...slicing.sorts import player
from ..moves.dispatch import Zones, dispatch, most_moves
from ..moves.hooks import FIRST, Changes, GoOn, MoveHooks
from ..moves.layout import Layout, Slots, TooWideError
from ..moves.moves import ClauseWriter
from ..moves.state import BoundLocal, EmitState, FunctionWriter, Module
from ..moves.values import Values
from .emit import MOST_MOVES, write_program
from .enabled import EnabledWriter, with_room, written_with_room

BITS = 32
_MARK = "\0"
"""Begins the title of a mark, which no text of a ruleset can have in it."""


@dataclass(frozen=True)
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
    records, called = {}, {}
    for stage in layout.program.stages:
        first, records[stage.name], called[stage.name] = FIRST, list[ClauseRecords](), list[str]()
        for clause in stage.clauses:
            of = ClauseRecords(
                clause, 1 if clause.owner.variable is None else layout.players, first, _size(clause)
            )
            first = of.end_word
            records[stage.name].append(of)
            called[stage.name].append(writer.clause(stage, of))
    module.functions += dispatch(writer.layout, "why_not_with_room", called)
    function = FunctionWriter("why_not", (*layout.names, "out", "n"))
    roomy = written_with_room(function, layout, writer.layout, layout.names)
    function.line(f"return why_not_with_room({', '.join(roomy)}, out, n)")
    module.functions.append(function)
    return records


def _size(clause: ir.Clause) -> int:
    bits = 1 + len(use_parts(clause)) + 2 * len(stops_in(clause.body))
    return 1 + -(-bits // BITS)


class _RecordHooks(MoveHooks):
    """The hooks that see how far a move comes: *record* is where the record lies that it is noted
    in.
    """

    name = "why_not"
    threads = ("record",)
    of: ClauseRecords
    """The records of the clause that is being written."""

    def __init__(self) -> None:
        self.marks: dict[ir.Branch, int] = {}

    def on_begin(self, clause: ir.Clause, owner: str) -> tuple[str, ...]:
        """Return where the record of *owner* lies."""
        return (
            str(self.of.first)
            if clause.owner.variable is None
            else f"({self.of.first} + {owner} * {self.of.size})",
        )

    def on_end(
        self, function: FunctionWriter, here: EmitState, _mode: ir.Mode, _stage: str
    ) -> None:
        """Write that a move comes to its end."""
        _note(function, here.threads[0], 0)

    def on_cut(self, _function: FunctionWriter, _here: EmitState, _mode: ir.Mode) -> None:
        """Write nothing: there is room for every move."""

    def on_taken(
        self,
        function: FunctionWriter,
        here: EmitState,
        choice: ir.Choose | ir.Branch,
        _way: BoundLocal | int | None,
    ) -> EmitState:
        """Write that a move comes to a mark, if *choice* is one."""
        if isinstance(choice, ir.Branch) and choice in self.marks:
            _note(function, here.threads[0], self.marks[choice])
        return here

    def mark(self, bit: int) -> ir.Branch:
        """Return a statement that does nothing but to note *bit* of the record."""
        mark = ir.Branch(((f"{_MARK}{bit}", ()),), "cards")
        self.marks[mark] = bit
        return mark


class _RecordWriter:
    """Writes the records of the clauses of *layout*."""

    def __init__(self, layout: Layout, module: Module) -> None:
        self.layout, self.module, self.hooks = layout, module, _RecordHooks()
        self.values = Values(layout, module)
        self.moves = ClauseWriter(Zones(self.values), self.hooks)

    def clause(self, stage: ir.Stage, of: ClauseRecords) -> str:
        """Write the function that writes the records of a clause of *stage*, and return its
        name.
        """
        clause, words = of.clause, self.moves.words
        behind, self.hooks.of = 1 + len(use_parts(clause)), of

        def marked(number: int, stop: Stopping) -> ir.Block:
            come = self.hooks.mark(behind + 2 * number)
            # Behind a `go` there is nothing: that a move gets past it is that it comes to its end.
            return (
                (come, stop)
                if isinstance(stop, ir.Go)
                else (come, stop, self.hooks.mark(behind + 2 * number + 1))
            )

        moves = self.moves.clause(stage, replace(clause, body=with_stops(clause.body, marked)))
        function = FunctionWriter(self.module.unique_name("parts"), (*words, "out", "n"))
        here = EmitState(words, stage.name)
        if clause.owner.variable is not None:
            with function.block(f"for p in range({self.values.present(here)}):"):
                inside = here.bind(
                    clause.owner.variable, BoundLocal("p", player(self.layout.players))
                )
                self._write_false_parts(
                    function, of, inside, function.let("record", f"{of.first} + p * {of.size}"), "p"
                )
        else:
            owner = (
                "-1" if clause.owner.player is None else self.values.code(clause.owner.player, here)
            )
            self._write_false_parts(function, of, here, str(of.first), function.let("owner", owner))
        function.line(f"return {moves}({', '.join(words)}, out, n)")
        self.module.functions.append(function)
        return function.name

    def _write_false_parts(
        self, function: FunctionWriter, of: ClauseRecords, here: EmitState, record: str, owner: str
    ) -> None:
        """Write the beginning of a record: who owns it, and which parts of what has to be so are
        false.
        """
        function.line(f"out[{record}] = {owner} + 1 if {owner} < {self.layout.players} else 0")
        for number in range(1, of.size):
            function.line(f"out[{record} + {number}] = 0")
        for bit, (part, _) in enumerate(use_parts(of.clause), 1):
            # What relies on the parts before it is asked only where it can be: one of those is
            # false where it cannot.
            ends = (
                ()
                if _stands_alone(self.layout.program, part)
                else {one.zone for one in expressions(part) if isinstance(one, ir.EndOf)}
            )
            false = ir.All((*(ir.Not(ir.IsEmpty(zone)) for zone in sorted(ends)), ir.Not(part)))
            with function.block(f"if {self.values.condition(false, here)}:"):
                _note(function, record, bit)


def _note(function: FunctionWriter, record: str, bit: int) -> None:
    at, shift = divmod(bit, BITS)
    function.line(f"out[{record} + {1 + at}] |= {1 << shift}")


def _stands_alone(program: ir.Program, part: ir.Expr) -> bool:
    """Whether *part* can be asked anywhere, whatever stands before it."""
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
