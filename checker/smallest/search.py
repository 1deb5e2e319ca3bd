"""Searching: the smallest number of players, and with these the smallest zones, at which a property
fails, with a shortest play there.

A search of one scope after another by any engine, each play replayed. Plays of a smaller zone are
plays of a larger one, so a property that fails nowhere in the largest zones fails in none of the
smaller; of players nothing of the kind is true. The smallest zones that a play fits into have room
for what its moves have there in their middle; should a search of these not show it, larger ones are
told.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...models.ir import Program
from ...properties.formula import Property
from ..replay.room import fitting, used
from ..run.check import check
from ..types.budget import INTERRUPTED, Budget
from ..types.engine import Engine
from ..types.scope import MOST_ITEMS, MOST_PLAYERS, Scope
from ..types.verdict import Outcome, Smallest, Verdict

FOUND = (Outcome.VIOLATED, Outcome.POSSIBLE)
LITTLE = Budget(positions=100_000)
"""What each search may cost: not seconds, so that the answer does not depend on the machine."""
MORE_PLAYERS = 2
"""How many players more than asked for are tried."""


@dataclass(frozen=True)
class Refutation:
    """That a property fails (or that what it calls possible is so), with a shortest play of the
    smallest scope: the *verdict* there.

    *without* are the scopes of fewer players that were searched to their end: it does not fail in
    them. *goes_on* says that it fails with one player more, too (if there may be one).
    """

    verdict: Verdict
    without: tuple[Scope, ...] = ()
    goes_on: bool = False

    @property
    def smallest(self) -> Smallest:
        """The scope, with what is known of others."""
        verdict = self.verdict
        assert verdict.trace is not None
        moves = (
            len(verdict.trace.steps) if verdict.trace.loop is verdict.trace.growth is None else None
        )
        is_possible = verdict.outcome == Outcome.POSSIBLE
        return Smallest(
            is_possible,
            verdict.scope,
            used(verdict.program, verdict.trace),
            moves,
            self.without,
            self.goes_on,
        )


def refute(
    program: Program,
    question: Property,
    scope: Scope,
    budget: Budget = LITTLE,
    engine: Engine | None = None,
) -> Refutation | None:
    """Return where *question* fails first, None if no search finds that it does.

    From the fewest players on, one more each time, up to `MORE_PLAYERS` more than *scope* has; with
    zones of the sizes of *scope*, then of one item more. *budget* is that of each search.
    """
    without: list[Scope] = []
    for players in _players(program, scope):
        for sizes in (
            dict(scope.sizes),
            {zone: min(size + 1, MOST_ITEMS) for zone, size in scope.sizes},
        ):
            verdict = search(
                program, question, Scope(players, tuple(sizes.items())), budget, engine
            )
            if verdict.outcome in FOUND:
                return _refutation(
                    verdict, tuple(one for one in without if one.players < players), budget, engine
                )
            if verdict.outcome not in (Outcome.BOUNDED, Outcome.UNKNOWN):
                without = [*(one for one in without if one.players != players), verdict.scope]
            else:
                break  # a larger one would not be searched to its end, either
    return None


def refute_within(
    program: Program,
    question: Property,
    scope: Scope,
    budget: Budget = LITTLE,
    engine: Engine | None = None,
) -> Refutation | None:
    """Return where *question* fails first with so many players as *scope* has, and no more items,
    None if no search finds that it does.
    """
    verdict = search(program, question, scope, budget, engine)
    return _refutation(verdict, (), budget, engine) if verdict.outcome in FOUND else None


def _refutation(
    verdict: Verdict, without: tuple[Scope, ...], budget: Budget, engine: Engine | None
) -> Refutation | None:
    if verdict.trace is None:
        return None  # a clause is dead, and no play shows it
    smallest = _smallest(verdict.program, verdict.property, verdict, budget, engine)
    return Refutation(
        smallest,
        without,
        _goes_on(verdict.program, verdict.property, smallest.scope, budget, engine),
    )


def _players(program: Program, scope: Scope) -> range:
    least, most = program.players
    return range(least, min(scope.players + MORE_PLAYERS, MOST_PLAYERS, most or MOST_PLAYERS) + 1)


def search(
    program: Program, question: Property, scope: Scope, budget: Budget, engine: Engine | None
) -> Verdict:
    """Return the verdict on *question* in *scope*; raises KeyboardInterrupt if somebody has
    interrupted the search for it.
    """
    verdict = check(program, [question], scope, budget, engine=engine)[0]
    if verdict.reason == INTERRUPTED:
        raise KeyboardInterrupt
    return verdict


def _smallest(
    program: Program, question: Property, verdict: Verdict, budget: Budget, engine: Engine | None
) -> Verdict:
    """Return the verdict for zones none of which may be smaller, given the others, beginning with
    those the play of *verdict* needs.
    """
    assert verdict.trace is not None
    fits = fitting(program, verdict.scope.players, verdict.trace)
    if fits != verdict.scope and _is_told(other := search(program, question, fits, budget, engine)):
        verdict = other
    sizes = dict(verdict.scope.sizes)
    for zone, _ in verdict.scope.sizes:
        while sizes[zone] > 1:
            smaller = Scope(verdict.scope.players, tuple({**sizes, zone: sizes[zone] - 1}.items()))
            other = search(program, question, smaller, budget, engine)
            if not _is_told(other):
                break
            verdict, sizes = other, dict(smaller.sizes)
    return verdict


def _is_told(verdict: Verdict) -> bool:
    """Whether *verdict* comes with a play that shows it."""
    return verdict.outcome in FOUND and verdict.trace is not None


def _goes_on(
    program: Program, question: Property, scope: Scope, budget: Budget, engine: Engine | None
) -> bool:
    """Whether it fails with one player more, in zones of the same sizes."""
    if program.players[1] is not None and scope.players >= program.players[1]:
        return False
    more = Scope(scope.players + 1, scope.sizes)
    return (
        more.players <= MOST_PLAYERS
        and search(program, question, more, budget, engine).outcome in FOUND
    )
