"""Verdicts: what is known of a property, never more than the evidence says (docs/verdicts.md)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ..models.ir import Program
from ..properties.formula import Property
from .scope import Scope
from .trace import Trace


class Outcome(StrEnum):
    """The verdict itself."""

    PROVED = "PROVED"  # for every number of players and every zone size
    HOLDS = "HOLDS"  # exhaustively, within the scope
    BOUNDED = "BOUNDED"  # on every play of up to `Verdict.bound` moves; the search was not finished
    VIOLATED = "VIOLATED"  # `Verdict.trace` breaks it
    POSSIBLE = "POSSIBLE"  # `Verdict.trace` is a witness
    IMPOSSIBLE = "IMPOSSIBLE"  # no play within the scope is a witness
    VACUOUS = "VACUOUS"  # it holds because what it speaks of never happens
    UNKNOWN = "UNKNOWN"  # `Verdict.reason` says why


@dataclass(frozen=True)
class Counts:
    """How much was explored.

    *layers* are those of the breadth-first search, the initial position being the first; *cut* the
    moves not taken because they would exceed a zone's size in the scope.
    """

    positions: int
    moves: int
    layers: int
    cut: int


@dataclass(frozen=True)
class Verdict:
    """The answer to one question about one Program.

    *trace* is the shortest counterexample of VIOLATED, or witness of POSSIBLE, replayed on the
    reference interpreter. *reason* is one sentence for BOUNDED, VACUOUS and UNKNOWN, and the list of dead
    clauses where there is no play to show; empty otherwise. *bound* is the number of moves of BOUNDED.
    """

    program: Program
    property: Property
    outcome: Outcome
    scope: Scope
    counts: Counts
    trace: Trace | None = None
    reason: str = ""
    bound: int | None = None
    engine: str = "reference"
