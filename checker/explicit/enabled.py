"""Enabled: who has priority, who may do what, and whether clauses conflict, as text over a position.

Each function is written when it is first asked for, and serves all formulas of a text.
"""

from __future__ import annotations

from ...models import ir
from .dispatch import dispatch
from .here import Here
from .layout import WORD, Layout, TooWideError
from .modes import Mode, Successors
from .moves import Moves
from .text import Function, Module
from .values import Values
from .zones import Zones


class Able(Successors):
    """The mode that finds out what is enabled: *n* gathers bits instead of counting positions.

    For each seat whether it may pass, then whether it may act; then the bits named below. The buffer is not touched.
    """

    name = "able"
    threads = ("me", "passed")

    def __init__(self, players: int) -> None:
        self.players = players
        self.may, self.must, self.any, self.was_cut = (1 << 2 * players + number for number in range(4))
        if 2 * players + 4 > WORD:
            raise TooWideError(f"what is enabled takes {2 * players + 4} bits; a word has {WORD}")

    def begin(self, clause: ir.Clause, owner: str) -> tuple[str, ...]:
        """Return the owner, and that nobody has passed."""
        return owner if clause.mode == "may" else "-1", "0"

    def end(self, function: Function, here: Here, mode: Mode, _stage: str) -> None:
        """Write that the move is enabled."""
        function.line(f"n |= {self.any | {'may': self.may, 'must': self.must, 'chance': 0}[mode]}")
        self._possible(function, here, mode)

    def cut(self, function: Function, here: Here, mode: Mode) -> None:
        """Write that the scope cuts a move; without the scope it were possible."""
        function.line(f"n |= {self.was_cut}")
        self._possible(function, here, mode)

    def _possible(self, function: Function, here: Here, mode: Mode) -> None:
        me, passed = here.threads
        if mode == "may" and me != "-1":
            function.line(f"n |= 1 << {me} if {passed} != 0 else 1 << {self.players} + {me}")

    def passes(self, _function: Function, here: Here) -> Here:
        """Write that the owner passes."""
        return Here(here.words, here.stage, here.names, here.bound, (here.threads[0], "1"))


class Enabled:
    """Writes the functions that formulas need of what is enabled; *bits* are those of `able`."""

    def __init__(self, layout: Layout, module: Module, values: Values, zones: Zones, *, roughly: bool) -> None:
        self.layout, self.module, self.values, self.zones = layout, module, values, zones
        self.bits, self.roughly = Able(layout.players), roughly
        self._moves = Moves(layout, module, values, zones, self.bits)
        self._clauses: dict[str, str] = {}
        self._written: set[str] = set()

    def able(self, here: Here) -> str:
        """Return what is enabled in the position."""
        if self._is_new("able"):
            clauses = {stage.name: [self._clause(stage, clause) for clause in stage.clauses] for stage in self.layout.program.stages}
            self.module.functions += dispatch(self.layout, "able", clauses)
        return f"able({', '.join(here.words)}, out, 0)"

    def possible(self, clause: str, here: Here) -> str:
        """Return the condition that *clause* has a move, or has one that the scope cuts."""
        for stage, one in self.layout.program.clauses:
            if one.id == clause:
                at_stage = self.values.is_code(self.layout.stage, self.layout.stages[stage.name], here)
                return f"({at_stage} and {self._clause(stage, one)}({', '.join(here.words)}, out, 0) != 0)"
        return "False"

    def priority(self, here: Here) -> str:
        """Return the set of players who have priority."""
        if self._is_new("priority"):
            self._write_priority()
        return f"priority({', '.join(here.words)})"

    def conflict(self, able: str, here: Here) -> str:
        """Return the condition that clauses conflict, where *able* is enabled; if *roughly* that they might."""
        if self._is_new("conflict"):
            if self.roughly:
                self._write_several()
            else:
                self._write_conflict()
        both = self.bits.may | self.bits.must
        must_alone = f"({able} & {self.bits.must} != 0 and conflict({', '.join(here.words)}, out, n) != 0)"
        return f"({able} & {both} == {both} or {must_alone})"

    # ------------------------------------------------------------------ functions

    def _is_new(self, name: str) -> bool:
        is_new = name not in self._written
        self._written.add(name)
        return is_new

    def _clause(self, stage: ir.Stage, clause: ir.Clause) -> str:
        """Return the function that tells what *clause* makes possible."""
        if clause.id not in self._clauses:
            self._clauses[clause.id] = self._moves.clause(stage, clause)
        return self._clauses[clause.id]

    def _write_priority(self) -> None:
        words = tuple(f"s{number}" for number in range(self.layout.words))
        function, here = Function("priority", words), Here(words)
        for stage in self.layout.program.stages:
            if stage.priority is None:
                continue
            with function.block(f"if {self.values.is_code(self.layout.stage, self.layout.stages[stage.name], here)}:"):
                inside = Here(words, stage.name)
                sort, code = self.values.sort(stage.priority, inside), self.values.code(stage.priority, inside)
                is_set = sort is not None and sort.kind == "players"
                function.line(f"return {code}" if is_set else f"return 1 << {code} & {(1 << self.layout.players) - 1}")
        function.line("return 0")
        self.module.functions.append(function)

    def _write_several(self) -> None:
        """Write the function that says whether several must clauses are enabled."""
        words = tuple(f"s{number}" for number in range(self.layout.words))
        function, here = Function("conflict", (*words, "out", "n")), Here(words)
        for stage in self.layout.program.stages:
            musts = [clause for clause in stage.clauses if clause.mode == "must"]
            if len(musts) < 2:
                continue
            with function.block(f"if {self.values.is_code(self.layout.stage, self.layout.stages[stage.name], here)}:"):
                able = [f"(1 if {self._clause(stage, clause)}({', '.join(words)}, out, 0) != 0 else 0)" for clause in musts]
                function.line(f"return 1 if {' + '.join(able)} > 1 else 0")
        function.line("return 0")
        self.module.functions.append(function)

    def _write_conflict(self) -> None:
        """Write the function that looks for two must clauses with different outcomes; it uses the buffer behind *n*."""
        moves = Moves(self.layout, self.module, self.values, self.zones, Successors())
        words = moves.words
        function, here = Function("conflict", (*words, "out", "n")), Here(words)
        self.module.functions.append(_differ(self.layout.words))
        function.line("cut = out[0]")
        for stage in self.layout.program.stages:
            musts = [clause for clause in stage.clauses if clause.mode == "must"]
            if len(musts) < 2:
                continue
            with function.block(f"if {self.values.is_code(self.layout.stage, self.layout.stages[stage.name], here)}:"):
                function.line("low = n")
                function.line("high = n")
                function.line("found = 0")
                for clause in musts:
                    function.line("at = high")
                    function.line(f"end = {moves.clause(stage, clause)}({', '.join(words)}, out, at)")
                    with function.block("if low == high:"):
                        function.line("high = end")
                    with function.block("else:"), function.block("if end > at and differ(out, low, high, at, end):"):
                        function.line("found = 1")
                function.line("out[0] = cut")
                function.line("return found")
        function.line("return 0")
        self.module.functions.append(function)


def _differ(size: int) -> Function:
    """Return the function that compares two sets of positions in the buffer, from *a* to *b* and from *c* to *d*."""
    function = Function("differ", ("out", "a", "b", "c", "d"))
    for low, high, other, end in (("a", "b", "c", "d"), ("c", "d", "a", "b")):
        with function.block(f"for i in range({low}, {high}, {size}):"):
            function.line("known = 0")
            same = " and ".join(f"out[i + {number}] == out[j + {number}]" for number in range(size))
            with function.block(f"for j in range({other}, {end}, {size}):"), function.block(f"if {same}:"):
                function.line("known = 1")
            with function.block("if known == 0:"):
                function.line("return True")
    function.line("return False")
    return function
