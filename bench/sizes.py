"""What was measured as sizes grow: the positions and seconds of searches, and beside them what a
proof for every size took.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, exp, inf, log

from stacklaw.checker.explicit.estimate import Estimate

PLAYERS, DEPTH = "players", "depth of the stack"
"""The axes along which scopes grow."""


@dataclass(frozen=True)
class Point:
    """A scope of a series: its *size* along the axis, what was *estimated*, and what was measured:
    *positions* and *seconds*, or None.
    """

    size: int
    estimated: Estimate | None
    positions: int | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Proving:
    """Seconds to prove *question* of *game* for every size, and those of searches by the size along
    each axis.

    What is hard takes the budget of ``--prove``. *proof* is None where there is no proof; *why*
    says why. A line of searches ends with the first that takes longer than the proof. A search that
    would find too many positions is the last, too, with what it took until then, or `inf` if it was
    not even begun.
    """

    game: str
    question: str
    is_progress: bool
    is_hard: bool
    proof: float | None
    why: str = ""
    searches: Mapping[str, Mapping[int, float]] | None = None

    def crossing(self, axis: str) -> int | None:
        """Return the size along *axis* from which on the proof is cheaper than a search; None if it
        is than none of them.
        """
        return (
            None
            if self.proof is None
            else crossing((self.searches or {}).get(axis, {}), self.proof)
        )


Whole = Mapping[tuple[str, str], Mapping[int, float]]
"""For each game and axis the seconds by size of searches of whole positions, nothing sliced and no
table turned.
"""


def crossing(seconds: Mapping[int, float], proof: float) -> int | None:
    """Return the first size at which a search takes longer than *proof*; between two that were
    measured *seconds* grow as a power.
    """
    first = next(iter(seconds), None)
    if first is not None and seconds[first] > proof:
        return first
    for (low, before), (high, after) in pairwise(seconds.items()):
        if after == inf:
            return high
        if after > proof:
            part = log(proof / before) / log(after / before)
            return min(high, max(low + 1, ceil(exp(log(low) + part * log(high / low)))))
    return None
