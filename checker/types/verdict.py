"""Verdicts: what is known of a property, never more than the evidence says (docs/verdicts.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Literal

from ...models.frozen import frozen
from ...models.ir import Program
from ...models.syntax import NamedSizes
from ...models.words import counted
from ...properties.formula import Property
from .position import StrategyTable, Trace
from .scope import Scope


class Outcome(StrEnum):
    """The verdict itself."""

    PROVED = "PROVED"  # for every number of players and every zone size
    HOLDS = "HOLDS"  # exhaustively, within the scope
    BOUNDED = "BOUNDED"  # on every play of up to `Verdict.bound` moves; the search was not finished
    VIOLATED = "VIOLATED"  # `Verdict.trace` breaks it
    POSSIBLE = "POSSIBLE"  # `Verdict.trace` is a witness
    IMPOSSIBLE = "IMPOSSIBLE"  # no play within the scope is a witness
    VACUOUS = "VACUOUS"  # it holds because its condition never arises
    UNKNOWN = "UNKNOWN"  # `Verdict.reason` says why


Fate = Literal["kept", "lost", "gained", "vacuous", "never", "unmet", "undecided", "gone"]
"""What an edit makes of a guarantee: ``vacuous`` if it says nothing any more, ``gone`` if it cannot
be asked any more, ``never`` if neither the old nor the new rules give it, ``unmet`` if the new
rules alone claim it, and do not give it.
"""


MET: Mapping[str, tuple[Outcome, ...]] = {
    "holds": (Outcome.HOLDS, Outcome.PROVED),
    "lemma": (Outcome.HOLDS, Outcome.PROVED),
    "fails": (Outcome.VIOLATED,),
    "possible": (Outcome.POSSIBLE,),
    "impossible": (Outcome.IMPOSSIBLE,),
    "vacuous": (Outcome.VACUOUS,),
}
"""What meets a claim, by the word of its expectation."""
KNOW_NO = "because the rules know no"
"""Begins the reason of a question that is VACUOUS since it is about what the rules have no notion
of.
"""
UNDECIDED = (Outcome.BOUNDED, Outcome.UNKNOWN)
_UNMET_BY_NO_PLAY = {"fails": Outcome.HOLDS, "possible": Outcome.IMPOSSIBLE}
"""What says of a claim that it is not met, since no play within the scope shows what it claims."""


@frozen
class Counts:
    """How much was explored to decide one question, the sum over its searches.

    *layers* are those of the breadth-first search (the most of any), the initial position being the
    first; *cut* the moves not taken because they would exceed a zone's size in the scope. A
    position of a slice stands for many.
    """

    positions: int
    moves: int
    layers: int
    cut: int


NOT_EXPLORED = Counts(0, 0, 0, 0)


@frozen
class Proved:
    """What a proof for every size comes with: its *certificate*, a text of *obligations*
    that any solver can check.

    The certificate is empty if it is not to be read.

    *forgets* says in sentences what the proof does without: it is about more plays than the rules
    have. If it was asked for, *invariant* says in sentences what is always true and every move
    keeps, and *rests_on* are the clauses without which the proof would fail; None if that says
    nothing. *lemmas* are those it builds on; their invariants are part of it. *solvers* have found
    every obligation met, and those that *gave_up* were asked as well. *excerpt* is the part of the
    certificate that cannot be made anew; *spent* is how many units finding it took, as far as that
    is known.
    """

    certificate: str
    obligations: int
    forgets: tuple[str, ...]
    invariant: tuple[str, ...] = ()
    rests_on: tuple[str, ...] | None = None
    lemmas: tuple[str, ...] = ()
    solvers: tuple[str, ...] = ("Z3",)
    gave_up: tuple[str, ...] = ()
    excerpt: str = ""
    spent: int = field(default=0, compare=False)


@frozen
class Smallest:
    """The smallest *scope* with a play that breaks a property (or shows what it calls possible):
    fewest players, then smallest zones.

    The shortest play there has *moves* moves; one that goes round for ever has no length.
    *without* are the scopes of fewer players that were searched to their end: there is no such
    play. *goes_on* says that there is one with one player more, too; nothing is known of more
    players than that.

    *sizes* are the most items that each zone has in the play, in the middle of moves too. There may
    be room in *scope* for more than that: where a search of a smaller one does not show it.
    """

    is_possible: bool
    scope: Scope
    sizes: NamedSizes
    moves: int | None
    without: tuple[Scope, ...]
    goes_on: bool

    @property
    def sentence(self) -> str:
        """Where it fails, and where it is known not to: ``it fails with 3 players, with 2 items on
        stack, in 7 moves``.
        """
        what, players = "it is possible" if self.is_possible else "it fails", self.scope.players
        room = dict(self.scope.sizes)
        sizes = [
            _items(zone, size, room.get(zone, 0))
            for zone, size in self.sizes
            if size or room.get(zone, 0) > 1
        ]
        length = "" if self.moves is None else f", in {counted(self.moves, 'move')}"
        more = f", and with {players + 1} players, too" if self.goes_on else ""
        told = (
            f"{what} with "
            f"{counted(players, 'player')}{', with ' if sizes else ''}{' and '.join(sizes)}"
            f"{length}{more}"
        )
        return (
            f"{told}; not with {' or with '.join(str(scope) for scope in self.without)}"
            if self.without
            else told
        )


def _items(zone: str, size: int, room: int) -> str:
    """Return that *size* items are on *zone*, and that there has to be *room* for more if it
    has.
    """
    said = f"{counted(size, 'item')} on {zone}"
    return f"{said} where there is room for {room}" if room > max(size, 1) else said


@frozen
class Verdict:
    """The answer to one question about one Program.

    *trace* is the shortest counterexample of VIOLATED, or witness of POSSIBLE, replayed on the
    reference interpreter. *reason* is one sentence for BOUNDED, VACUOUS and UNKNOWN, and the list
    of dead clauses where there is no play to show; empty otherwise. *bound* is the number of moves
    of BOUNDED.

    *notes* are sentences about how it was decided that are worth knowing and change nothing of the
    verdict: a slower way was taken, a search went on from a checkpoint. *sliced* says in words what
    the positions it was decided on do without, because the question cannot see it; each such
    position stands for many. *symmetric* says that positions which differ only by a turn of the
    table counted as one.

    *is_shortest* says that no play shorter than *trace* shows it; if its budget ended the search
    that found the trace, that may be open.

    *proof* is there if the verdict is so for every number of players and every zone size: if it is
    PROVED, or IMPOSSIBLE at every size. Then *counts* are those of the search that came first.
    *unproved* says why there is no proof if it was sought.

    *is_hidden* says of an UNKNOWN that nothing within any scope decides it: a play might go on for
    ever beyond all of them.

    *lacks* says of an UNKNOWN what the scope has too little of, because less was asked for than the
    property needs.

    *dead* are the clauses that are never used within the scope, if that was asked of each clause.
    *unshown* is what no play within the scope shows although the verdict rests on it (`Decision`).

    *does_with* is a sentence on the fewest assumptions under which it holds, empty if that was not
    asked.

    *smallest* is the smallest scope with such a play as *trace* is, and *least* how many moves such
    a play has at least, at any size; None and 0 if that was not asked, or is not known.

    *table* says how something can be enforced, or how the others prevent it; None if no small one
    was found. With a table, *trace* is a play along it: one on which the coalition succeeds, or one
    on which the others prevent that.
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
    notes: tuple[str, ...] = ()
    sliced: tuple[str, ...] = ()
    symmetric: bool = False
    proof: Proved | None = None
    unproved: str = ""
    is_shortest: bool = True
    is_hidden: bool = False
    lacks: NamedSizes = ()
    dead: tuple[str, ...] = ()
    unshown: tuple[tuple[str, int], ...] = ()
    smallest: Smallest | None = None
    least: int = 0
    does_with: str = ""
    table: StrategyTable | None = None

    def is_of_cut_scope(self) -> bool:
        """Whether it rests on what no play within the scope shows, though the scope cut moves, and
        there is no proof.
        """
        shows_none = (
            self.outcome in (Outcome.HOLDS, Outcome.IMPOSSIBLE) and self.property.mode != "enforce"
        )
        return shows_none and self.counts.cut > 0 and self.proof is None

    def for_claim(self, expectation: str) -> Outcome:
        """Return what it says of a claim with this *expectation*: what a scope that cuts moves does
        not show may be there all the same.
        """
        is_open = self.is_of_cut_scope() and _UNMET_BY_NO_PLAY.get(expectation) == self.outcome
        return (
            Outcome.UNKNOWN
            if is_open or self._may_fail(expectation) or self._may_be_enforced(expectation)
            else self.outcome
        )

    def _may_be_enforced(self, expectation: str) -> bool:
        """Whether a claim rests on the answer that something cannot be enforced, and more room than
        any that was looked at might decide that.
        """
        is_open = (
            self.property.mode == "enforce"
            and self.outcome == Outcome.IMPOSSIBLE
            and bool(self.reason)
        )
        return is_open and expectation in ("possible", "impossible")

    def _may_fail(self, expectation: str) -> bool:
        """Whether it is claimed to fail and only what it says to be about never arises, so that a
        play beyond a scope that cuts moves may break it.
        """
        return (
            expectation == "fails"
            and self.outcome == Outcome.VACUOUS
            and self.counts.cut > 0
            and self.property.apart
        )
