"""Enabled: who has priority, who may do what, and what they might do if the scope were larger.

What is cut is asked again with room for it, for the rules have no scope.
Each function is written when it is first asked for, and serves all formulas of a text.

Cut moves: what the rules allow where the scope cuts a move (NOTE(enabled) in
`reference.formulas.evaluate`).

In comes a layout, out goes one with more room: so much that no move from a position within the
scope can need more. Texts over it cut nothing, and a position of the one is easily written as one
of the other. They are asked only where a move was cut, and only of clauses of which it matters:
where nothing that follows a ``put`` can stop the move, or pass, all is known at the cut itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import assert_never

from ....models import ir
from ....models.ir.analysis import most_joining
from ....models.ir.parts import blocks_of
from ...types.scope import Scope
from ..moves.dispatch import EmitPoint, dispatch, first_point, most_moves
from ..moves.hooks import MoveHooks
from ..moves.layout import WIDE, WORD, Field, Layout, TooWideError
from ..moves.moves import ClauseWriter
from ..moves.state import FunctionWriter


def larger_scope(layout: Layout, clauses: Iterable[ir.Clause]) -> Scope:
    """Return a scope in which no move of *clauses* from a position of *layout* is cut."""
    scope = layout.scope
    bodies = (layout.left_of(clause).body for clause in clauses)
    more = most_joining(bodies, dict(scope.sizes)) | Counter(dict(scope.joining))
    return Scope(scope.players, tuple((zone, size + more[zone]) for zone, size in scope.sizes))


def with_room(layout: Layout, clauses: Iterable[ir.Clause], *, telling: bool) -> Layout:
    """Return a layout for what *layout* keeps, without extra fields, in which no move of *clauses*
    from its positions is cut.

    Raises `TooWideError` if there is none. A text for *telling* runs in CPython only, so its words
    are as wide as it takes.
    """
    scope = larger_scope(layout, clauses)
    try:
        return layout.with_scope(scope, layout.word)
    except TooWideError as error:
        if telling:
            return layout.with_scope(scope, WIDE)
        raise TooWideError(
            f"with room for what the rules allow beyond the scope, {error}"
        ) from error


def written_with_room(here: EmitPoint, roomy: Layout) -> list[str]:
    """Write the position *here* as one of *roomy*, and return the names of its words."""
    parts = [list[str]() for _ in range(roomy.words)]
    for field, to in zip(_fields(here.layout), _fields(roomy), strict=True):
        if field.bits:
            value = f"({here.words[field.word]} >> {field.shift} & {field.mask})"
            parts[to.word].append(f"({value} << {to.shift})" if to.shift else value)
    return [here.let("w", " | ".join(part) or "0") for part in parts]


def _fields(layout: Layout) -> Iterator[Field]:
    """Yield the fields of a position, all entries of a variable as one, in the same order for every
    layout of the same slice.
    """
    yield layout.stage
    yield layout.shared
    for variable in layout.program.variables:
        if variable.name in layout.variables:
            field = layout.variables[variable.name]
            yield Field(
                field.word,
                field.shift,
                field.bits * (layout.players if variable.each_player else 1),
            )
    for zone in layout.zones.values():
        yield zone.length
        yield zone.slots


def is_open(clause: ir.Clause, layout: Layout) -> bool:
    """Whether what becomes of a move of *clause* that the scope cuts has to be looked at: it may
    fail, or pass, after a ``put``.
    """
    return _from(clause.body, layout, has_joined=False) is None


def _from(block: ir.Block, layout: Layout, *, has_joined: bool) -> bool | None:
    """Return whether an item may have joined a zone by the end of *block*; None if it is open what
    becomes of a move after that.
    """
    for statement in block:
        joined = _after(statement, layout, has_joined=has_joined)
        if joined is None:
            return None
        has_joined = joined
    return has_joined


def _after(statement: ir.Statement, layout: Layout, *, has_joined: bool) -> bool | None:
    match statement:
        case ir.Put():
            return True if not has_joined or _is_sure(statement, layout) else None
        case ir.Move():
            return True
        case ir.If() | ir.Branch():
            ways = [_from(block, layout, has_joined=has_joined) for block in blocks_of(statement)]
            return None if None in ways else any(ways)
        case ir.ForEach(body=(ir.Move(),)):
            return True
        case (
            ir.Require() | ir.Choose() | ir.SimpleOfState() | ir.Alter() | ir.Go() | ir.ForEach()
            | ir.Let() | ir.Leave() | ir.BeginResolving() | ir.GameOver()
        ):  # fmt: skip
            return has_joined if not has_joined or _is_sure(statement, layout) else None
        case _:
            assert_never(statement)


def _is_sure(statement: ir.Statement, layout: Layout) -> bool:
    """Whether *statement* is done by every move that comes to it, and is no pass; of a choice that
    is not asked.
    """
    fits = layout.specialiser.fits
    match statement:
        case ir.Require() | ir.Choose() | ir.Pass():
            return False
        case ir.Advance(name):
            return name == ir.TURN
        case ir.Assign(name, _, value):
            return fits(value, layout.sorts[name])
        case ir.Alter(_, name, value):
            return fits(value, layout.parts[name])
        case ir.Put(_, _, attributes):
            sorts = [layout.parts[attribute.name] for attribute in layout.program.attributes]
            return all(fits(value, sort) for value, sort in zip(attributes, sorts, strict=True))
        case ir.Go(stage, arguments):
            return all(
                fits(value, sort)
                for value, sort in zip(arguments, layout.parameters[stage].values(), strict=True)
            )
        case ir.ForEach():
            return all(_is_sure(done, layout) for done in statement.body)
        case (
            ir.Move()
            | ir.If()
            | ir.Branch()
            | ir.Let()
            | ir.Leave()
            | ir.BeginResolving()
            | ir.Plain()
            | ir.GameOver()
        ):
            return True
        case _:
            assert_never(statement)


class EnabledHooks(MoveHooks):
    """The hooks that find out what is enabled: *n* gathers bits instead of counting positions.

    For each seat whether it may pass, then whether it may act; then the bits named below. The
    buffer is not touched. A move that the scope cuts is possible if it is sure to come to its end;
    if that *is_open*, *was_cut* says that there is such a move.
    """

    name = "able"
    threads: Mapping[str, str] = {"me": "-1", "passed": "0"}
    is_open = False
    """Whether that is open of the clause that is being written."""
    has_owner = False
    """Whether anybody asks whose moves those of that clause are."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.players = layout.players
        self.may, self.must, self.any, self.was_cut = (
            1 << 2 * self.players + number for number in range(4)
        )
        if 2 * self.players + 4 > WORD:
            raise TooWideError(
                f"what is enabled takes {2 * self.players + 4} bits; a word has {WORD}"
            )

    def on_begin(self, clause: ir.Clause, owner: str) -> Mapping[str, str]:
        """Return the owner, and that no player has passed."""
        self.is_open = is_open(clause, self.layout)
        self.has_owner = clause.mode == "may" and owner != "-1"
        return {"me": owner if self.has_owner else "-1", "passed": "0"}

    def on_end(self, here: EmitPoint, mode: ir.Mode) -> None:
        """Write that the move is enabled."""
        here.line(f"n |= {self.any | {'may': self.may, 'must': self.must, 'chance': 0}[mode]}")
        me, passed = here.threads.values()
        if self.has_owner:
            here.line(f"n |= 1 << {me} if {passed} != 0 else 1 << {self.players} + {me}")

    def on_cut(self, here: EmitPoint, mode: ir.Mode) -> None:
        """Write that the scope cuts a move."""
        if self.is_open:
            here.line(f"n |= {self.was_cut}")
        else:
            self.on_end(here, mode)

    def on_pass(self, here: EmitPoint) -> EmitPoint:
        """Write that the owner passes."""
        return here.with_thread("passed", "1")


class EnabledWriter:
    """Writes the functions that formulas need of what is enabled; *bits* are those of `able`.

    *scratch* is how many words of the buffer they use behind *n*; *names* has the functions of the
    clauses that were asked for.
    """

    def __init__(self, begin: EmitPoint, *, roughly: bool, telling: bool) -> None:
        self.begin = begin
        self.layout = begin.layout
        self.module = begin.module
        self.bits = EnabledHooks(begin.layout)
        self.roughly = roughly
        self.telling = telling
        self.scratch = 0
        self._moves = ClauseWriter(begin, self.bits)
        self.names: dict[str, str] = {}
        self._written: set[str] = set()

    def able(self, here: EmitPoint) -> str:
        """Return what is enabled in the position."""
        if self._is_new("able"):
            self.module.functions += dispatch(self.layout, "able", self._clause)
        return f"able({', '.join(here.words)}, out, 0)"

    def possible(self, clause: str, here: EmitPoint) -> str:
        """Return the condition that the rules allow a move of *clause*."""
        for stage, one in self.layout.program.clauses:
            if one.id == clause:
                able = f"{self._clause(stage, one)}({', '.join(here.words)}, out, 0)"
                return f"({here.at_stage(stage.name)} and {able} != 0)"
        return "False"

    def priority(self, here: EmitPoint) -> str:
        """Return the set of players who have priority."""
        if self._is_new("priority"):
            self.module.functions.append(self.priority_of(self.layout.program.stages))
        return f"priority({', '.join(here.words)})"

    def conflict(self, able: str, here: EmitPoint) -> str:
        """Return the condition that clauses conflict, where *able* is enabled; if *roughly* that
        they might.
        """
        if self._is_new("conflict"):
            if self.roughly:
                self._write_several()
            else:
                self._write_conflict()
        both = self.bits.may | self.bits.must
        must_alone = (
            f"({able} & {self.bits.must} != 0 and conflict({', '.join(here.words)}, out, n) != 0)"
        )
        return f"({able} & {both} == {both} or {must_alone})"

    def write_end(self) -> bool:
        """Write the function ``is_end``, which says of a position whose moves are all cut whether
        the rules allow none of them.

        Return False, and write nothing, if every such move is sure to come to its end.
        """
        if not self._open:
            return False
        here = self.begin.opened("is_end")
        here.line(f"return 1 if {self.able(here)} & {self.bits.any} == 0 else 0")
        here.closed()
        return True

    # ------------------------------------------------------------------ functions

    def _is_new(self, name: str) -> bool:
        is_new = name not in self._written
        self._written.add(name)
        return is_new

    def _clause(self, stage: ir.Stage, clause: ir.Clause) -> str:
        """Return the function that tells what *clause* makes possible."""
        if clause.id not in self.names:
            self.names[clause.id] = self.clause(stage, clause, to_its_end=clause in self._open)
        return self.names[clause.id]

    def clause(self, stage: ir.Stage, clause: ir.Clause, *, to_its_end: bool) -> str:
        """Write what tells what *clause* makes possible, beyond the scope too if *to_its_end*;
        return the name of the function.
        """
        name = self._moves.clause(stage, clause)
        return self._to_its_end(stage, clause, name) if to_its_end else name

    @cached_property
    def _open(self) -> list[ir.Clause]:
        """The clauses whose moves have to be looked at where the scope cuts them."""
        return [
            clause
            for _, clause in self.layout.program.clauses
            if is_open(self.layout.left_of(clause), self.layout)
        ]

    @cached_property
    def _beyond(self) -> ClauseWriter:
        """What writes the functions of these clauses where there is room for their moves."""
        return self._with_room(self._open, EnabledHooks)

    def _with_room(
        self, clauses: Iterable[ir.Clause], hooks: Callable[[Layout], MoveHooks]
    ) -> ClauseWriter:
        roomy = with_room(self.layout, clauses, telling=self.telling)
        return ClauseWriter(first_point(roomy, self.module), hooks(roomy))

    def _to_its_end(self, stage: ir.Stage, clause: ir.Clause, within: str) -> str:
        """Write the function that tells what *clause* makes possible, and goes beyond the scope
        where that of *within* was cut.
        """
        beyond = self._beyond.clause(stage, clause)
        here = self.begin.opened(self.module.unique_name("allowed", clause.id))
        here.line(f"n = {within}({', '.join(here.words)}, out, n)")
        with here.block(f"if n & {self.bits.was_cut} == 0:"):
            here.line("return n")
        roomy = written_with_room(here, self._beyond.layout)
        here.line(f"return {beyond}({', '.join(roomy)}, out, n - {self.bits.was_cut})")
        return here.closed()

    def priority_of(self, stages: Iterable[ir.Stage]) -> FunctionWriter:
        """Return the function that says who has priority in *stages*."""
        here = self.begin.opened("priority", ())
        for stage in stages:
            if stage.priority is None:
                continue
            with here.block(f"if {here.at_stage(stage.name)}:"):
                inside = replace(here, stage=stage.name)
                sort = inside.sort(stage.priority)
                code = inside.code(stage.priority)
                is_set = sort is not None and sort.kind == "players"
                everyone = (1 << self.layout.players) - 1
                here.line(f"return {code}" if is_set else f"return 1 << {code} & {everyone}")
        here.line("return 0")
        return here.function

    def _write_several(self) -> None:
        """Write the function that says whether several must clauses are enabled."""
        here = self.begin.opened("conflict")
        for stage, musts in self._several_musts():
            with here.block(f"if {here.at_stage(stage.name)}:"):
                able = [
                    f"(1 if {self._clause(stage, clause)}({', '.join(here.words)}, out, 0) != 0 "
                    "else 0)"
                    for clause in musts
                ]
                here.line(f"return 1 if {' + '.join(able)} > 1 else 0")
        here.line("return 0")
        here.closed()

    def _several_musts(self) -> list[tuple[ir.Stage, list[ir.Clause]]]:
        """Return the stages that have several must clauses, with these."""
        stages = [
            (stage, [clause for clause in stage.clauses if clause.mode == "must"])
            for stage in self.layout.program.stages
        ]
        return [(stage, musts) for stage, musts in stages if len(musts) > 1]

    def _write_conflict(self) -> None:
        """Write the function that looks for two must clauses with different outcomes; it uses the
        buffer behind *n*.
        """
        moves = ClauseWriter(self.begin, MoveHooks())
        stages = self._several_musts()
        may_be_cut = [
            clause
            for _, musts in stages
            for clause in musts
            if most_joining([clause.body], dict(self.layout.scope.sizes))
        ]
        roomy = self._with_room(may_be_cut, lambda _: MoveHooks()) if may_be_cut else moves
        self.scratch = max(most_moves(one.layout) * one.layout.words for one in (moves, roomy))
        here = self.begin.opened("conflict")
        here.line("cut = out[0]")
        for stage, musts in stages:
            with here.block(f"if {here.at_stage(stage.name)}:"):
                self._compare(here, moves, stage, musts, here.words)
                if any(clause in may_be_cut for clause in musts):
                    with here.block("if out[0] != cut:"):
                        words = written_with_room(here, roomy.layout)
                        self._compare(here, roomy, stage, musts, words)
                here.line("out[0] = cut")
                here.line("return found")
        here.line("return 0")
        here.closed()

    def _compare(
        self,
        here: EmitPoint,
        moves: ClauseWriter,
        stage: ir.Stage,
        musts: Iterable[ir.Clause],
        words: Iterable[str],
    ) -> None:
        """Write whether two of the *musts* have different outcomes, as those that *moves* writes
        have it: as *found*.
        """
        size = moves.layout.words
        if self._is_new(f"differ {size}"):
            self.module.functions.append(_differ(size))
        given = ", ".join(words)
        here.line("low = n")
        here.line("high = n")
        here.line("found = 0")
        for clause in musts:
            here.line("at = high")
            here.line(f"end = {moves.clause(stage, clause)}({given}, out, at)")
            with here.block("if low == high:"):
                here.line("high = end")
            with (
                here.block("else:"),
                here.block(f"if end > at and differ_{size}(out, low, high, at, end):"),
            ):
                here.line("found = 1")


def _differ(size: int) -> FunctionWriter:
    """Return the function that compares two sets of positions in the buffer, from *a* to *b* and
    from *c* to *d*.
    """
    function = FunctionWriter(f"differ_{size}", ("out", "a", "b", "c", "d"))
    for low, high, other, end in (("a", "b", "c", "d"), ("c", "d", "a", "b")):
        with function.block(f"for i in range({low}, {high}, {size}):"):
            function.line("known = 0")
            same = " and ".join(f"out[i + {number}] == out[j + {number}]" for number in range(size))
            with (
                function.block(f"for j in range({other}, {end}, {size}):"),
                function.block(f"if {same}:"),
            ):
                function.line("known = 1")
            with function.block("if known == 0:"):
                function.line("return True")
    function.line("return False")
    return function
