"""Games: the text that says of every move who decides what in it, and what it comes to for those
who want to enforce something.

In comes a property of mode ``enforce``, out goes a text like that of `watched`, in which seats and
the past are fields of positions. After the words of a position come what the move comes to
(``TARGET`` and others), whose move it is and of which clause, and its *path*: a digit for each
choice in it, with who makes it and which way is taken. A move that the scope cuts is written too,
without a position.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import assert_never

from ....models import ir
from ....models.frozen import frozen
from ....models.ir.parts import blocks_of
from ....properties import formula as f
from ...questions.questions import Query
from ...slicing.slice import Slice, undropped, whole
from ...slicing.sorts import player
from ...slicing.specialise import Specialiser
from ...types.position import OVER
from ...types.scope import Scope
from ...watching.plan import plan
from ..moves.dispatch import EmitPoint, first_point, most_moves
from ..moves.hooks import BITS, CUT, GoOn
from ..moves.layout import FIRST_PLACE, WORD, Extra, Layout, Slots, TooWideError
from ..moves.moves import ClauseWriter
from ..moves.state import BoundLocal, FunctionWriter, Module, ZoneSpot
from .emit import Emitted, bounded, write_program
from .enabled import EnabledWriter, is_open, larger_scope
from .groups import FormulaBatch, Group, spotlight_numbers
from .monitor import FormulaMonitor
from .watched import CARDS, MAY, PASSES, WatchHooks

PRIORITY = 7
"""The bits of the priority of the position reached, 1 or 2 (`strategies.objective`)."""
WON, LOST, FORBIDDEN, PLAYERS_ACT, CARDS_ACT, IS_CUT, IS_OPEN, IS_OVER, BROKEN = (
    1 << bit for bit in range(3, 12)
)
"""The bits of what else a move comes to: the play is won or lost with it; what is to happen only
finitely often happens; players, or cards, act; the scope cuts the move, and what becomes of it is
open; the game is over; what is to hold always has been broken.
"""
SAID, WHOSE, PATH, TOLD = range(4)
"""What is told after the words of a position: what the move comes to, its owner (the seat and 1, or
0) above which is the number of its clause, and its path; and how many words that is.
"""
OWNERS = 8
"""The bits of an owner."""
WAYS = 31, 1023
"""Between how many ways any choice may be: a path of small digits has room for more choices."""


class _TooManyWaysError(TooWideError):
    """A choice is between more ways than a digit has room for."""


@frozen
class GameText:
    """What was *emitted*, and how its paths are read.

    A digit of a path has *digit* bits, of which the lowest, *chooser*, say who chooses: the seat
    and 1, or more than there are seats. There are up to *depth*. Of the field ``past`` the bits
    *past* are for what goals ask of the past.
    """

    emitted: Emitted
    digit: int
    chooser: int
    depth: int
    past: int


def write_game(
    program: ir.Program,
    scope: Scope,
    question: f.Property,
    kept: Slice | None,
    *,
    roomy: bool = False,
    word: int = WORD,
) -> GameText:
    """Return the text for *question*, on the slice *kept* (None: all); raise `TooWideError` if
    words of *word* bits have no room.

    If *roomy*, words have room for what the scope cuts, and the text makes each such move to its
    end to see whether the rules allow it. With wider words than `WORD` it is a text for telling
    plays, and says nothing of paths.
    """
    for ways in WAYS[:-1]:
        with suppress(_TooManyWaysError):
            return _written(program, scope, question, kept, ways, roomy=roomy, word=word)
    return _written(program, scope, question, kept, WAYS[-1], roomy=roomy, word=word)


def _written(
    program: ir.Program,
    scope: Scope,
    question: f.Property,
    kept: Slice | None,
    ways: int,
    *,
    roomy: bool,
    word: int,
) -> GameText:
    """Return the text, in which a choice may be between *ways* ways; raise `_TooManyWaysError`
    if one is between more.
    """
    queries = tuple(_query(goal, question) for goal in goals_of(question))
    group = Group(tuple(FormulaBatch((query,)) for query in queries))
    past = sum(len(plan(query.formula).bits) for query in queries)
    extra: list[Extra] = [
        (f"seat of {number}", player(scope.players).bits)
        for number in range(len(question.spotlights))
    ]
    kept = kept or whole(program)
    module = Module()
    specialiser = Specialiser(program, scope, kept, choosers=True)
    extra += [("past", past)] if past else []
    layout = Layout(program, scope, extra, kept, word=word, specialiser=specialiser)
    if roomy:
        larger = larger_scope(layout, (clause for _, clause in program.clauses))
        layout = Layout(program, larger, extra, kept, word=word, specialiser=specialiser)
    begin = first_point(layout, module)
    hooks = GameHooks(layout, group, dict(scope.sizes), ways)
    enabled = EnabledWriter(begin, roughly=False, telling=word > WORD)
    module.functions += [_watch(question, queries, hooks, enabled), _coalition(question, begin)]
    write_program(ClauseWriter(begin, hooks))
    emitted = Emitted(
        layout,
        undropped(str(module)),
        2 * bounded(hooks.most),
        layout.words + TOLD,
        bounded(enabled.scratch),
    )
    return GameText(emitted, hooks.digit, hooks.chooser, hooks.depth, _of_goals(question, queries))


def goals_of(question: f.Property) -> tuple[f.Goal, ...]:
    """Return what *question*, of mode ``enforce``, is about."""
    assert question.enforced is not None
    return question.enforced.goals


def is_compact(question: f.Property) -> bool:
    """Whether the text can be written: goals follow no items, and one at most has to be again and
    again.
    """
    goals = goals_of(question)
    return (
        not any(goal.spotlights for goal in goals)
        and sum(goal.kind == "leads to" for goal in goals) <= 1
    )


def _query(goal: f.Goal, question: f.Property) -> Query:
    """Return *goal* as a formula to watch: what is so once and for all is remembered."""
    match goal.kind:
        case "always" | "eventually":
            formula: f.Formula = f.Once(goal.formula)
        case "leads to" | "finitely":
            formula = goal.formula
        case _:
            assert_never(goal.kind)
    return Query(
        formula,
        question.spotlights,
        assuming=tuple("players" if who == "others" else who for who in question.assuming),
    )


def _of_goals(question: f.Property, queries: tuple[Query, ...]) -> int:
    """Return the bits of the past that are for parts of goals, and not for what is so once and for
    all.
    """
    bits = shift = 0
    for goal, query in zip(goals_of(question), queries, strict=True):
        number = len(plan(query.formula).bits)
        bits |= (1 << number - (goal.kind in ("always", "eventually"))) - 1 << shift
        shift += number
    return bits


class GameHooks(WatchHooks):
    """The hooks that tell of each move who decides what, and what it comes to. Besides the rest
    they hand on the clause and the path.
    """

    name = "played"

    def __init__(self, layout: Layout, group: Group, sizes: Mapping[str, int], ways: int) -> None:
        super().__init__(layout, group, looks_back=False)
        self.asks_cards = True
        self.sizes = sizes
        self.threads = {**self.threads, "clause": "0", "over": "0", "path": "0"}
        self.chooser = (layout.players + 1).bit_length()
        self.most = max(most_moves(layout), 1)
        self.ways = max(
            layout.players, FIRST_PLACE + sum(size for _, size in layout.scope.sizes), ways
        )
        self.digit = self.chooser + self.ways.bit_length()
        self.depth = max(
            (_depth(layout.left_of(clause).body) for _, clause in layout.program.clauses), default=0
        )
        self.tells_paths = layout.word == WORD
        if (
            self.tells_paths and self.depth * self.digit >= WORD
        ) or layout.players + 1 >= 1 << OWNERS:
            raise TooWideError(f"a move may have {self.depth} choices, which take more than a word")

    def on_begin(self, clause: ir.Clause, owner: str) -> Mapping[str, str]:
        """Return the owner, the marks of the clause, its number, and that nothing has been
        chosen.
        """
        self.is_open = is_open(clause, self.layout)
        number = [one.id for _, one in self.layout.program.clauses].index(clause.id)
        return {**super().on_begin(clause, owner), "clause": str(number)}

    def on_taken(
        self, here: EmitPoint, choice: ir.Choose | ir.Branch, way: BoundLocal | int | None
    ) -> EmitPoint:
        """Write a digit of the path."""
        if not self.tells_paths:
            return here
        by = choice.by
        players = self.layout.players
        number = str(way)
        if isinstance(way, BoundLocal):
            number = way.number
            if (
                way.sort is not None
                and way.sort.high - way.sort.low >= 1 << self.digit - self.chooser
            ):
                raise _TooManyWaysError(
                    f"a choice is between {way.sort.high - way.sort.low + 1:,} numbers"
                )
        elif way is not None and way > self.ways:
            raise _TooManyWaysError(f"a choice is between {way:,} ways and more")
        who = str(players + 1)
        if not isinstance(by, str):
            seat = here.threads["me"] if by is None else here.code(by)
            who = f"({seat} + 1 if {seat} >= 0 and {seat} < {players} else {players + 1})"
        digit = f"{number} << {self.chooser} | {who}"
        path = here.let("path", f"{here.threads['path']} << {self.digit} | {digit}")
        return here.with_thread("path", path)

    def on_put(self, here: EmitPoint, spot: ZoneSpot, code: str, go_on: GoOn) -> None:
        """As `WatchHooks.on_put`, and that the zone has more than it has room for."""
        super().on_put(self._with_overflow(here, spot.zone), spot, code, go_on)

    def on_move(self, here: EmitPoint, spot: ZoneSpot, to: ZoneSpot) -> EmitPoint:
        """As `WatchHooks.on_move`, likewise."""
        return super().on_move(self._with_overflow(here, to.zone), spot, to)

    def _with_overflow(self, here: EmitPoint, zone: Slots) -> EmitPoint:
        size = self.sizes[zone.name]
        if zone.size == size:
            return here
        is_over = f"(1 if {here.length(zone)} > {size} else 0)"
        return here.with_thread("over", here.let("over", f"{here.threads['over']} | {is_over}"))

    def on_end(self, here: EmitPoint, _mode: ir.Mode) -> None:
        """Write the position, with what the monitors remember, and what is told of the move."""
        over = here.threads["over"]
        if over == "0":
            self._tell_end(here)
            return
        with here.block(f"if {over} != 0:"):
            self._tell_cut(here, IS_CUT)
        with here.block("else:"):
            self._tell_end(here)

    def _tell_end(self, here: EmitPoint) -> None:
        past = self._watched(here)
        if "past" in self.layout.extra:
            here = here.written(self.layout.extra["past"], past)
        self._tell(here, here.words, f"out[{BITS}]")

    def on_cut(self, here: EmitPoint, mode: ir.Mode) -> None:
        """Write that the scope cuts a move."""
        # These have room beside those that end.
        with here.block(f"if out[{CUT}] < {self.most}:"):
            self._tell_cut(here, IS_CUT | (IS_OPEN if self.is_open else 0))
        super().on_cut(here, mode)

    def _tell_cut(self, here: EmitPoint, said: int) -> None:
        self._tell(here, ("0",) * self.layout.words, str(said))

    def _tell(self, here: EmitPoint, words: tuple[str, ...], said: str) -> None:
        me, clause, path = (here.threads[name] for name in ("me", "clause", "path"))
        here.put_out(*words, said, f"{clause} << {OWNERS} | ({me} + 1)", path)


def _depth(block: ir.Block) -> int:
    """Return how many choices there are at most on a way through *block*."""
    depth = 0
    for statement in block:
        match statement:
            case ir.Choose():
                depth += 1
            case ir.If() | ir.Branch():
                depth += isinstance(statement, ir.Branch)
                depth += max(map(_depth, blocks_of(statement)), default=0)
            case (
                ir.Require() | ir.Let() | ir.ForEach() | ir.Simple() | ir.Go() | ir.GameOver()
            ):  # fmt: skip
                pass
            case _:
                assert_never(statement)
    return depth


def _watch(
    question: f.Property, queries: tuple[Query, ...], hooks: GameHooks, enabled: EnabledWriter
) -> FunctionWriter:
    """Return the function ``watch``, which says what a move comes to, and what is remembered."""
    here = enabled.begin.opened("watch", hooks.parameters)
    shift = 0
    bits = list[str]()
    true: dict[str, list[str]] = {"always": [], "eventually": [], "leads to": [], "finitely": []}
    goals = goals_of(question)
    for goal, query in zip(goals, queries, strict=True):
        writer = FormulaMonitor(query, hooks, enabled, here)
        now, remembered = writer.now(shift)
        true[goal.kind].append(here.let("is", f"(1 if {now} else 0)") + " != 0")
        bits.append(f"({remembered}) << {shift}")
        shift += len(writer.plan.bits)
    broken, done, waiting, forbidden = (
        here.let(name, f"(1 if {word.join(true[kind]) or other} else 0)")
        for name, kind, word, other in (
            ("broken", "always", " or ", "False"),
            ("done", "eventually", " and ", "True"),
            ("waiting", "leads to", " or ", "False"),
            ("forbidden", "finitely", " or ", "False"),
        )
    )
    said = [f"(2 if {broken} == 0 and {done} != 0 and {waiting} == 0 else 1)"]
    if all(goal.kind == "eventually" for goal in goals):
        said.append(f"({WON} if {done} != 0 else 0)")
    if not question.assuming:
        said.append(f"({LOST} if {broken} != 0 else 0)")
    said.append(f"({FORBIDDEN} if {forbidden} != 0 and {broken} == 0 else 0)")
    said.append(f"({BROKEN} if {broken} != 0 else 0)")
    said.append(
        f"({PLAYERS_ACT} if marks & {PASSES | MAY} == {MAY} else 0) | ({CARDS_ACT} if marks & "
        f"{CARDS} != 0 else 0)"
    )
    said.append(f"({IS_OVER} if {here.at_stage(OVER)} else 0)")
    here.line(f"out[{BITS}] = {' | '.join(said)}")
    here.line(f"return {' | '.join(bits) or '0'}")
    return here.function


def _coalition(question: f.Property, begin: EmitPoint) -> FunctionWriter:
    """Return the function ``coalition``, which says of a position which seats are to enforce
    something: a bit for each.
    """
    assert question.enforced is not None
    numbers = spotlight_numbers(Query(f.And(()), question.spotlights), "player")
    here = begin.opened("coalition", ())
    seats = [
        here.field_code(here.layout.extra[f"seat of {numbers[name]}"])
        for name in question.enforced.coalition
    ]
    here.line(f"return {' | '.join(f'1 << {seat}' for seat in seats)}")
    return here.function
