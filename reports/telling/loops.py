"""The record of a game's loops, as plain data. Every renderer's only input."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import assert_never

from ...checker.loops.loops import FoundLoops, Loop, LoopKind, WayOut
from ...models import ir
from ...models.ir.parts import statements
from ...models.syntax import NamedSizes
from ...models.words import join_words
from ..naming import moves_words, owner_name
from ..plays.explain import retell
from ..plays.play import Play
from .heading import ScopeHeading, make_heading


@dataclass(frozen=True)
class LeavingRow:
    """*who* can leave (``A``, ``the rules``, ``the cards``), by which *clauses*, and by which
    others that the scope cuts.
    """

    who: str
    clauses: tuple[str, ...]
    beyond: tuple[str, ...]


@dataclass(frozen=True)
class LoopRow:
    """One loop: its *clauses* in the order of a round, those *by_cards* in which the cards do
    something, and who can leave it.

    *moves* has a round, *after* so many it can begin. Of ``progress`` *more* says what each round
    adds.
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


@dataclass(frozen=True)
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
    play = retell(found.program, found.scope, trace, _conclusion(loop, first + 1, len(trace.steps)))
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


def _conclusion(loop: Loop, first: int, last: int) -> str:
    """Return what keeps the loop of moves *first* to *last* up, as a sentence."""
    moves = moves_words(first, last)
    match loop.kind:
        case "forced":
            return f"From here it goes round: {moves} again and again, and nobody can leave it."
        case "cards":
            return f"From here it goes round: {moves} again and again, as long as the cards do something in {join_words(loop.by_cards)}."
        case "optional":
            return f"From here it goes round: {moves} again and again, until somebody leaves."
        case "progress":
            return f"From here it goes on: {moves} can be made twice more, each time with {added_words(loop.more)}."
        case _:
            assert_never(loop.kind)


def added_words(more: Iterable[tuple[str, int]]) -> str:
    """Return what a round adds: ``1 more on stack and 2 more of damage``."""
    return join_words([f"{number:,} more of {name}" for name, number in more])
