"""The records of a game's measures and of its loops, as plain data. Every renderer's only input."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Literal, assert_never

from ...checker.loops.loops import FoundLoops, Loop, LoopKind, WayOut
from ...checker.measures.bounds import FoundBounds, MeasureBound
from ...checker.measures.measures import (
    EXTREMES,
    Extreme,
    ExtremeName,
    FoundMeasures,
    MeasureKey,
    MeasureName,
)
from ...checker.types.budget import INTERRUPTED
from ...models import ir
from ...models.frozen import frozen
from ...models.ir.parts import statements
from ...models.syntax import NamedSizes
from ...models.words import join_words
from ..naming import moves_words, owner_name
from ..plays.explain import retell
from ..plays.play import Play
from .record import ScopeHeading, every_size, make_heading


@frozen
class LeavingRow:
    """*who* can leave (``A``, ``the rules``, ``the cards``), by which *clauses*, and by which
    others that the scope cuts.
    """

    who: str
    clauses: tuple[str, ...]
    beyond: tuple[str, ...]


@frozen
class LoopRow:
    """One loop: its *clauses* in the order of a round, those *by_cards* in which the cards do
    something, and who can leave it.

    A round has *moves* moves, and in *play* the first one begins *after* this many. In a loop of
    *kind* ``progress`` *more* says what each round adds.
    """

    number: int
    kind: LoopKind
    clauses: tuple[str, ...]
    by_cards: tuple[str, ...]
    moves: int
    after: int
    leaving: tuple[LeavingRow, ...]
    more: NamedSizes
    play: Play


@frozen
class LoopsRecord:
    """The loops of a game within a scope; *stopped* and *growth_stopped* say why there may be more,
    of loops and of what only grows.

    *is_endless* says that the rules have neither turns nor an end of the game, so that nothing is
    there to be kept from ending.
    """

    heading: ScopeHeading
    rows: tuple[LoopRow, ...]
    stopped: str
    growth_stopped: str
    is_endless: bool


def make_loops_record(found: FoundLoops) -> LoopsRecord:
    """Return the record of the loops *found*."""
    program = found.program
    rows = tuple(_loop_row(found, number, loop) for number, loop in enumerate(found.loops, 1))
    heading = make_heading(program, program.name, found.scope, found.counts)
    return LoopsRecord(heading, rows, found.stopped, found.growth_stopped, _is_endless(program))


def _is_endless(program: ir.Program) -> bool:
    """Whether *program* has neither turns nor a clause by which the game ends."""
    has_turns = any(sequence.name == ir.TURN for sequence in program.sequences)
    return not has_turns and not any(
        isinstance(one, ir.GameOver)
        for _, clause in program.clauses
        for one in statements(clause.body)
    )


def _loop_row(found: FoundLoops, number: int, loop: Loop) -> LoopRow:
    trace = loop.trace
    first = trace.loop if trace.growth is None else trace.growth
    assert first is not None, "a loop without its beginning"
    play = retell(
        found.program, found.scope, trace, _loop_conclusion(loop, first + 1, len(trace.steps))
    )
    leaving = _leaving(loop.leaving)
    return LoopRow(
        number,
        loop.kind,
        loop.clauses,
        loop.by_cards,
        len(trace.steps) - first,
        first,
        leaving,
        loop.more,
        play,
    )


def _leaving(ways: Iterable[WayOut]) -> tuple[LeavingRow, ...]:
    """Return who can leave by *ways*."""
    inside, beyond = dict[str, list[str]](), dict[str, list[str]]()
    for way in ways:
        (beyond if way.beyond else inside).setdefault(owner_name(way.who), []).append(way.clause)
    rows = []
    for who in dict.fromkeys([*inside, *beyond]):
        here = inside.get(who, [])
        rows.append(
            LeavingRow(
                who,
                tuple(here),
                tuple(clause for clause in beyond.get(who, []) if clause not in here),
            )
        )
    return tuple(rows)


def _loop_conclusion(loop: Loop, first: int, last: int) -> str:
    """Return what keeps the loop of moves *first* to *last* up, as a sentence."""
    moves = moves_words(first, last)
    match loop.kind:
        case "forced":
            return f"From here it goes round: {moves} again and again, and nobody can leave it."
        case "cards":
            return (
                f"From here it goes round: {moves} again and again, as long as the cards do "
                f"something in {join_words(loop.by_cards)}."
            )
        case "optional":
            return f"From here it goes round: {moves} again and again, until somebody leaves."
        case "progress":
            return (
                f"From here it goes on: {moves} can be made twice more, each time with "
                f"{added_words(loop.more)}."
            )
        case _:
            assert_never(loop.kind)


def added_words(more: Iterable[tuple[str, int]]) -> str:
    """Return what a round adds: ``1 more on stack and 2 more of damage``."""
    return join_words([f"{number:,} more of {name}" for name, number in more])


__all__ = ["ExtremeName", "MeasureKey"]
"""What a renderer may know of the checker's."""

MEASURE_WORDS: dict[MeasureName, str] = {
    "passes": "passes until an item on the stack resolves",
    "own windows": "windows for an item of its controller",
    "windows of others": "windows for an item of another player",
    "automatic moves": "moves in a row without a player's decision",
}
WHICH_WORDS: dict[ExtremeName, str] = {
    "fewest": "fewest",
    "calm": "most, if all pass",
    "most": "most",
}
_COUNTED: dict[MeasureName, tuple[str, str]] = {
    "passes": ("pass", "passes"),
    "own windows": ("window", "windows"),
    "windows of others": ("window", "windows"),
    "automatic moves": ("move", "moves"),
}
_ENDS: dict[MeasureName, str] = {
    "passes": "before it resolves",
    "own windows": "of its controller before it resolves",
    "windows of others": "of one other player before it resolves",
    "automatic moves": "in a row in which no player decides anything",
}


@frozen
class BoundRow:
    """A *formula* in the number of players n, below or above (*side*) which no play at any size is,
    if it is *proved*.

    Else *reason* says why that is not known. *attained* are the numbers of players with which a
    play shows it.
    """

    formula: str
    side: Literal["at least", "at most"]
    attained: tuple[int, ...]
    proved: bool
    reason: str

    @property
    def words(self) -> str:
        """The bound: ``at least n``."""
        return f"{self.side} {self.formula}"

    @property
    def sign(self) -> str:
        """The bound as it stands beside a number: ``≥ n``."""
        return f"{'≥' if self.side == 'at least' else '≤'} {self.formula}"

    @property
    def status(self) -> str:
        """What is known of it."""
        players = join_words([str(one) for one in self.attained])
        shown = f"with {players} {'player' if self.attained == (1,) else 'players'}"
        return (
            f"proved; attained {shown}"
            if self.proved
            else f"fits what was found {shown}; not proved: {self.reason}"
        )


@frozen
class MeasureRow:
    """One number: *which* of the measure called *name*, in *words*; *value* is None if it is
    unbounded. *play* shows it.

    *bound* is a formula that comes to it, if proofs were asked for and one fits.
    """

    name: MeasureName
    words: str
    which: ExtremeName
    value: int | None
    play: Play
    bound: BoundRow | None

    @property
    def number(self) -> str:
        """The value in words."""
        return "unbounded" if self.value is None else str(self.value)


@frozen
class MeasuresRecord:
    """The measures of a game within a scope; *stopped* says why there may be less, or more, than
    *rows* say.

    *every* says for which sizes bounds are, in words; it is empty if none were asked for.
    *interrupted* says that somebody ended it.
    """

    heading: ScopeHeading
    rows: tuple[MeasureRow, ...]
    stopped: str
    every: str
    interrupted: bool

    def row(self, key: MeasureKey) -> MeasureRow | None:
        """Return the row of that measure, if there is one."""
        return next((row for row in self.rows if (row.name, row.which) == key), None)


def keys_of(records: Iterable[MeasuresRecord]) -> list[MeasureKey]:
    """Return the keys that any of *records* has a row for, in the order of the rows."""
    found = {(row.name, row.which) for record in records for row in record.rows}
    return [key for key in product(MEASURE_WORDS, EXTREMES) if key in found]


def make_measures_record(
    found: FoundMeasures, name: str, bounds: FoundBounds | None = None
) -> MeasuresRecord:
    """Return the record of what was *found* of the ruleset that is called *name*, with its *bounds*
    if these were asked for.
    """
    of = {} if bounds is None else bounds.bounds
    rows = tuple(_row(found, key, extreme, of.get(key)) for key, extreme in found.extremes.items())
    heading = make_heading(found.program, name, found.scope, found.counts)
    every = "" if bounds is None else every_size(found.program)
    is_interrupted = found.stopped == INTERRUPTED or (bounds is not None and bounds.interrupted)
    return MeasuresRecord(heading, rows, found.stopped, every, is_interrupted)


def _row(
    found: FoundMeasures, key: MeasureKey, extreme: Extreme, bound: MeasureBound | None
) -> MeasureRow:
    name, which = key
    value = None if extreme.again is not None else extreme.value
    play = retell(found.program, found.scope, extreme.trace, _conclusion(name, extreme))
    return MeasureRow(
        name,
        MEASURE_WORDS[name],
        which,
        value,
        play,
        None if bound is None else _bound(found, which, bound),
    )


def _bound(found: FoundMeasures, which: ExtremeName, bound: MeasureBound) -> BoundRow:
    """Return *bound* as it is told: where there is but one number of players, as the number that it
    comes to.
    """
    least, most = found.program.players
    formula = str(bound.formula.for_players(least)) if least == most else bound.formula.words
    return BoundRow(
        formula,
        "at least" if which == "fewest" else "at most",
        bound.attained,
        bound.is_proved,
        bound.reason,
    )


def _conclusion(name: MeasureName, extreme: Extreme) -> str:
    """Return what the play shows, as a sentence."""
    is_one = extreme.value == 1
    said = (
        f"here {'is' if is_one else 'are'} {extreme.value or 'no'} "
        f"{_COUNTED[name][0 if is_one else 1]} {_ENDS[name]}"
    )
    if extreme.again is None:
        return f"{said.capitalize()}."
    first, last = extreme.again[0] + 1, extreme.again[1]
    return f"There is no most: {moves_words(first, last)} can be made again and again; {said}."
