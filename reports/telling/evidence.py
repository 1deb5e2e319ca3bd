"""Evidence: how much the verdict of a row rests on, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from ...checker.types.verdict import Counts, Outcome
from ...models.words import counted
from .record import Row

_EXHAUSTIVE = ("reference", "explicit")
"""The engines whose verdicts rest on the positions they counted."""


def is_exhaustive(row: Row) -> bool:
    """Return whether the verdict of *row* rests on positions that were counted."""
    return row.engine in _EXHAUSTIVE and row.proof is None


def searched(rows: Sequence[Row]) -> tuple[str, ...]:
    """Return how much was searched, if it is the same for every verdict that rests on a search;
    otherwise nothing.
    """
    if len({row.counts for row in rows if is_exhaustive(row)}) != 1 or not all(
        is_exhaustive(row) or row.proof for row in rows
    ):
        return ()
    rows = [row for row in rows if is_exhaustive(row)]
    return _counted(Outcome.HOLDS, rows[0].counts, None)


def evidence(row: Row) -> tuple[str, ...]:
    """Return in words how much the verdict of *row* rests on; that the scope cut moves always comes
    last.
    """
    if row.proof:
        return (row.proof.every,)
    room = (f"with {', '.join(f'{name} {size}' for name, size in row.room)}",) if row.room else ()
    return (*room, *_counted(row.outcome, row.counts, row.bound))


def _counted(outcome: Outcome, counts: Counts, bound: int | None) -> tuple[str, ...]:
    match outcome:
        case Outcome.PROVED:
            return ()
        case Outcome.BOUNDED:
            rests = [
                f"every play of up to {counted(bound or 0, 'move')}",
                counted(counts.positions, "position"),
            ]
        case Outcome.HOLDS | Outcome.IMPOSSIBLE | Outcome.VACUOUS:
            rests = [
                counted(counts.positions, "position"),
                counted(counts.moves, "move"),
                counted(counts.layers, "layer"),
            ]
        case Outcome.VIOLATED | Outcome.POSSIBLE | Outcome.UNKNOWN:
            rests = [counted(counts.positions, "position"), counted(counts.moves, "move")]
        case _:
            assert_never(outcome)
    if counts.cut:
        rests.append(f"the scope cut {counted(counts.cut, 'move')}")
    return tuple(rests)


def left_out(row: Row) -> str:
    """Return as a sentence what was left out of the positions behind *row*'s verdict; empty if
    nothing was.
    """
    seats = "Positions that differ only by a turn of the table count as one."
    parts = [f"Ignored as irrelevant: {'; '.join(row.sliced)}."] if row.sliced else []
    return " ".join([*parts, seats] if row.symmetric else parts)
