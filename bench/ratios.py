"""What is asked of the explicit engine beside its peers, each as a ratio with a bound, and whether
it is met.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .tools import BY_HAND, COLD, ESTIMATED, GROWING, OURS, SIZED, SPIN, THREADS

LARGE = 8_000_000
"""From this many positions on most bounds are asked for."""
LARGEST = 300_000_000
"""And from this many on one that speaks of memory alone."""


@dataclass(frozen=True)
class Row:
    """What one tool took: seconds to *build*, of the *process* and of the *search*, both of
    processor time, and memory.

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
    """A *value* that is to be at most *most*, in scopes of *least* positions and more."""

    says: str
    value: Callable[[Rows, int], float]
    most: float
    least: int = LARGE


@dataclass(frozen=True)
class Judged:
    """A bound, and its value for an instance."""

    bound: Bound
    value: float

    @property
    def met(self) -> str:
        """Whether it is met."""
        return "met" if self.value <= self.bound.most else "NOT met"

    def __str__(self) -> str:
        return (
            f"{self.bound.says:55s} {self.value:8.3f}  at most {self.bound.most:6.3f}: {self.met}"
        )


def _spin(rows: Rows) -> Row:
    """Return SPIN's fastest."""
    return min((row for row in rows.values() if row.program == SPIN), key=lambda row: row.search)


def _spin_whole(rows: Rows) -> float:
    """Return the least that SPIN takes with compiling its checker."""
    return min(row.build + row.process for row in rows.values() if row.program == SPIN)


BOUNDS = [
    Bound(
        "search, estimated : SPIN's fastest search",
        lambda r, _: r[OURS, ESTIMATED].search / _spin(r).search,
        1 / 8,
    ),
    Bound(
        "search, growing : SPIN's fastest search",
        lambda r, _: r[OURS, GROWING].search / _spin(r).search,
        1 / 5,
    ),
    Bound(
        "process, cached : SPIN's run",
        lambda r, _: r[OURS, ESTIMATED].process / _spin(r).process,
        1 / 4,
    ),
    Bound(
        "process, nothing cached : SPIN's run and compilation",
        lambda r, _: r[OURS, COLD].process / _spin_whole(r),
        1.0,
    ),
    Bound(
        "process, cached : SPIN's run and compilation",
        lambda r, _: r[OURS, ESTIMATED].process / _spin_whole(r),
        1.0,
        least=0,
    ),
    Bound(
        "search, estimated : C++ by hand, growing",
        lambda r, _: r[OURS, ESTIMATED].search / r[BY_HAND, GROWING].search,
        2.0,
    ),
    Bound(
        "search, sized : C++ by hand, sized",
        lambda r, _: r[OURS, SIZED].search / r[BY_HAND, SIZED].search,
        2.0,
    ),
    Bound(
        "search, growing : C++ by hand, growing",
        lambda r, _: r[OURS, GROWING].search / r[BY_HAND, GROWING].search,
        2.0,
    ),
    Bound("bytes a position, growing", lambda r, n: r[OURS, GROWING].mebibytes * 2**20 / n, 32.0),
    Bound(
        "bytes a position, estimated", lambda r, n: r[OURS, ESTIMATED].mebibytes * 2**20 / n, 32.0
    ),
    Bound(
        "search with 2 threads : with 1, by the clock",
        lambda r, _: r[OURS, THREADS].wall / r[OURS, SIZED].wall,
        1 / 1.3,
    ),
    Bound(
        "gigabytes of the largest, estimated",
        lambda r, _: r[OURS, ESTIMATED].mebibytes * 2**20 / 1e9,
        12.0,
        LARGEST,
    ),
]
"""The bounds, in the order in which they are printed."""


def judged(rows: Sequence[Row], positions: int) -> Iterator[Judged]:
    """Yield what became of each bound that is asked for with this many *positions*; those that lack
    a peer are left out.
    """
    named = {(row.program, row.setting): row for row in rows}
    for bound in BOUNDS:
        if positions >= bound.least:
            try:
                yield Judged(bound, bound.value(named, positions))
            except (KeyError, ValueError):
                continue
