"""What is asked of the explicit engine beside its peers, each as a ratio with a bound, and whether it is met."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .tools import BY_HAND, COLD, GROWING, OURS, SIZED, SPIN, THREADS

LARGE = 8_000_000
"""From so many positions on all bounds are asked for; below it only those that are marked so."""


@dataclass(frozen=True)
class Row:
    """What one tool took: seconds to *build*, of the *process* and of the *search*, both of processor time, and memory.

    *wall* is the time of the search by the clock: with two threads it is what counts.
    """

    program: str
    setting: str
    build: float
    process: float
    search: float
    wall: float
    mebibytes: float


Rows = Mapping[tuple[str, str], Row]


@dataclass(frozen=True)
class Bound:
    """A *value* that is to be at most *most*; only *at_large* scopes, or at every size."""

    says: str
    value: Callable[[Rows, int], float]
    most: float
    at_large: bool = True


@dataclass(frozen=True)
class Judged:
    """A bound, its value for an instance, and whether it is asked for at that size."""

    bound: Bound
    value: float
    is_asked: bool

    def __str__(self) -> str:
        met = "met" if self.value <= self.bound.most else "NOT met" if self.is_asked else "not met"
        asked = "" if self.is_asked else f", but asked only from {LARGE:,} positions on"
        return f"{self.bound.says:55s} {self.value:8.3f}  at most {self.bound.most:5.3f}: {met}{asked}"


def _spin(rows: Rows) -> Row:
    """Return SPIN's fastest."""
    return min((row for row in rows.values() if row.program == SPIN), key=lambda row: row.search)


def _spin_whole(rows: Rows) -> float:
    """Return the least that SPIN takes with compiling its checker."""
    return min(row.build + row.process for row in rows.values() if row.program == SPIN)


BOUNDS = [
    Bound("search, sized : SPIN's fastest search", lambda r, _: r[OURS, SIZED].search / _spin(r).search, 1 / 8),
    Bound("search, growing : SPIN's fastest search", lambda r, _: r[OURS, GROWING].search / _spin(r).search, 1 / 5),
    Bound("process, cached : SPIN's run", lambda r, _: r[OURS, GROWING].process / _spin(r).process, 1 / 4),
    Bound("process, nothing cached : SPIN's run and compilation", lambda r, _: r[OURS, COLD].process / _spin_whole(r), 1.0),
    Bound("process, cached : SPIN's run and compilation", lambda r, _: r[OURS, GROWING].process / _spin_whole(r), 1.0, at_large=False),
    Bound("search, sized : C++ by hand", lambda r, _: r[OURS, SIZED].search / r[BY_HAND, SIZED].search, 2.0),
    Bound("search, growing : C++ by hand", lambda r, _: r[OURS, GROWING].search / r[BY_HAND, GROWING].search, 2.0),
    Bound("bytes a position, sized : 32", lambda r, n: r[OURS, SIZED].mebibytes * 2**20 / n / 32, 1.0),
    Bound("search with 2 threads : with 1, by the clock", lambda r, _: r[OURS, THREADS].wall / r[OURS, SIZED].wall, 1 / 1.3),
]
"""The bounds, in the order in which they are printed."""


def judged(rows: Sequence[Row], positions: int) -> Iterator[Judged]:
    """Yield what became of each bound; those that lack a peer are left out."""
    named = {(row.program, row.setting): row for row in rows}
    for bound in BOUNDS:
        try:
            value = bound.value(named, positions)
        except (KeyError, ValueError):
            continue
        yield Judged(bound, value, positions >= LARGE or not bound.at_large)
