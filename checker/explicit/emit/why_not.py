"""Why not: the text that says of a position what keeps each clause of its stage from being used, as
the rules have it.

In comes the layout of a text that tells moves, out goes a function that writes a record for each
clause, of a ``by any`` clause for each player. A record begins with the owner, the seat and 1, or
0; then come its bits, `BITS` in a word: whether a move comes to its end; of each part of what has
to be so (`use_parts`) whether it is false; of each statement that can make a move impossible
(`with_stops`) whether a move comes to it, and whether one gets past it. All of it is asked where
there is room for every move (`cut_moves`), so that no scope has a say in it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ....models import ir
from ....models.binding.definite import check_clause
from ....models.diagnostics import Report
from ....models.ir.analysis import Stopping, stops_in, use_parts, with_stops
from ....models.ir.parts import expressions
from ...slicing.sorts import player
from ..layout.layout import Layout
from ..moves.dispatch import dispatch
from ..moves.hooks import FIRST, MoveHooks
from ..moves.moves import ClauseWriter
from ..moves.state import BoundLocal, EmitState
from ..moves.values import Values
from ..moves.writer import FunctionWriter, Module
from ..moves.zones import Zones
from .cut_moves import with_room, written_with_room

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
