"""What was measured as sizes grow: the positions and seconds of searches, and beside them what a proof for every size took."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, exp, log

from stacklaw.checker.explicit.estimate import Estimate

PLAYERS, DEPTH = "players", "depth of the stack"
"""The axes along which scopes grow."""


@dataclass(frozen=True)
class Point:
    """A scope of a series: its *size* along the axis, what was *estimated*, and what was measured: *positions* and *seconds*, or None."""

    size: int
    estimated: Estimate | None
    positions: int | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Proving:
    """Seconds to prove *question* of *game* for every size, and those of searches by the size along each axis.

    *proof* is None where there is no proof; *why* says why. A line of searches ends with the first that takes longer than the proof,
    or before the first that would find too many positions.
    """

    game: str
    question: str
    is_progress: bool
    proof: float | None
    why: str = ""
    searches: Mapping[str, Mapping[int, float]] | None = None

    def crossing(self, axis: str) -> int | None:
        """Return the size along *axis* from which on the proof is quicker, between two that were searched by the logarithm of seconds."""
        seconds = (self.searches or {}).get(axis, {})
        if self.proof is None or not seconds:
            return None
        first = next(iter(seconds))
        if seconds[first] > self.proof:
            return first
        for (low, before), (high, after) in pairwise(seconds.items()):
            if after > self.proof:
                return crossed(low, high, (log(self.proof) - log(before)) / (log(after) - log(before)))
        return None


def crossed(low: int, high: int, part: float) -> int:
    """Return the first whole size after that *part* of the way from *low* to *high*, in equal steps of their logarithm."""
    return min(high, max(low + 1, ceil(exp(log(low) + part * (log(high) - log(low))))))
