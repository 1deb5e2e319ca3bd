"""Refuting: the smallest number of players, and with these the smallest zones, at which a property fails, with a shortest play there.

A search of one scope after another by any engine, each play replayed. Plays of a smaller zone are plays of a larger one, so a
property that fails nowhere in the largest zones fails in none of the smaller; of players nothing of the kind is true.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..models.ir import Program
from ..properties.formula import Property
from .budget import Budget
from .engine import Engine
from .run import check
from .scope import MOST_ITEMS, MOST_PLAYERS, Scope
from .verdict import Outcome, Verdict

FOUND = (Outcome.VIOLATED, Outcome.POSSIBLE)
LITTLE = Budget(positions=100_000)
"""What each search may cost: not seconds, so that the answer does not depend on the machine."""
MORE_PLAYERS = 2
"""How many players more than asked for are tried."""


@dataclass(frozen=True)
class Refutation:
    """That a property fails (or that what it calls possible is so), with a shortest play of the smallest scope: the *verdict* there.

    *without* are the scopes of fewer players that were searched to their end: it does not fail in them. *goes_on* says that it
    fails with one player more, too (if there may be one).
    """

    verdict: Verdict
    without: tuple[Scope, ...] = ()
    goes_on: bool = False

    @property
    def sentence(self) -> str:
        """Where it fails, and where it is known not to: ``it fails from 3 players on, with 2 items on stack``."""
        what = "it is possible" if self.verdict.outcome == Outcome.POSSIBLE else "it fails"
        players = self.verdict.scope.players
        where = f"from {players} players on" if self.goes_on else f"with {players} player{'s' * (players != 1)}"
        sizes = [f"{size} item{'s' * (size != 1)} on {zone}" for zone, size in used(self.verdict) if size]
        told = f"{what} {where}{', with ' if sizes else ''}{' and '.join(sizes)}"
        return f"{told}; not with {' or with '.join(str(scope) for scope in self.without)}" if self.without else told


def refute(program: Program, question: Property, scope: Scope, budget: Budget = LITTLE, engine: Engine | None = None) -> Refutation | None:
    """Return where *question* fails first, None if no search finds that it does.

    From the fewest players on, one more each time, up to `MORE_PLAYERS` more than *scope* has; with zones of the sizes of *scope*,
    then of one item more. *budget* is that of each search.
    """
    without: list[Scope] = []
    for players in _players(program, scope):
        for sizes in (dict(scope.sizes), {zone: min(size + 1, MOST_ITEMS) for zone, size in scope.sizes}):
            verdict = _asked(program, question, Scope(players, tuple(sizes.items())), budget, engine)
            if verdict.outcome in FOUND:
                smallest = _smallest(program, question, verdict, budget, engine)
                fewer = tuple(one for one in without if one.players < players)
                return Refutation(smallest, fewer, _goes_on(program, question, smallest.scope, budget, engine))
            if verdict.outcome not in (Outcome.BOUNDED, Outcome.UNKNOWN):
                without = [*(one for one in without if one.players != players), verdict.scope]
            else:
                break  # a larger one would not be searched to its end, either
    return None


def used(verdict: Verdict) -> Iterator[tuple[str, int]]:
    """Yield the most items that each zone has in the play of *verdict*."""
    assert verdict.trace is not None
    positions = verdict.trace.positions
    for number, zone in enumerate(verdict.program.zones):
        yield zone.name, max(len(position.zones[number]) for position in positions)


def _players(program: Program, scope: Scope) -> range:
    least, most = program.players
    return range(least, min(scope.players + MORE_PLAYERS, MOST_PLAYERS, most or MOST_PLAYERS) + 1)


def _asked(program: Program, question: Property, scope: Scope, budget: Budget, engine: Engine | None) -> Verdict:
    return check(program, [question], scope, budget, engine=engine)[0]


def _smallest(program: Program, question: Property, verdict: Verdict, budget: Budget, engine: Engine | None) -> Verdict:
    """Return the verdict for zones none of which may be smaller, given the others, beginning with those the play of *verdict* needs."""
    sizes = {zone: max(size, 1) for zone, size in used(verdict)}
    if sizes != dict(verdict.scope.sizes):
        verdict = _asked(program, question, Scope(verdict.scope.players, tuple(sizes.items())), budget, engine)
    for zone, _ in verdict.scope.sizes:
        while sizes[zone] > 1:
            smaller = Scope(verdict.scope.players, tuple({**sizes, zone: sizes[zone] - 1}.items()))
            other = _asked(program, question, smaller, budget, engine)
            if other.outcome not in FOUND:
                break
            verdict, sizes = other, dict(smaller.sizes)
    return verdict


def _goes_on(program: Program, question: Property, scope: Scope, budget: Budget, engine: Engine | None) -> bool:
    """Whether it fails with one player more, in zones of the same sizes."""
    if program.players[1] is not None and scope.players >= program.players[1]:
        return False
    more = Scope(scope.players + 1, scope.sizes)
    return more.players <= MOST_PLAYERS and _asked(program, question, more, budget, engine).outcome in FOUND
