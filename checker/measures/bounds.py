"""Bounds: what a measure is at least, or at most, as a formula in the number of players n, proved
for all of them where that succeeds.

    FoundMeasures, of other numbers of players too --fitting--> candidates --prover-->
    `MeasureBound`s

A formula fits if no number that was found contradicts it. Whether it is a bound only a proof says;
whether it is attained, and with how many players, only the plays say. Other numbers of players are
looked at in the smallest zones. A most that is another one there depends on the zones, so no
formula in n fits; a least may well be larger there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from ...models import ir
from ..prover.kept import Attempt
from ..prover.prover import Prover
from ..types.budget import INTERRUPTED, BudgetSpentError, Meter
from ..types.scope import make_scope
from .candidates import BoundCandidate, LinearFormula, candidates_for
from .measures import Extreme, FoundMeasures, MeasureKey, find_measures

PLAYERS = (2, 3, 4)
"""With how many players a game is looked at besides."""
MOST_POSITIONS = 100_000
"""How many positions of each of these are looked at."""


@dataclass(frozen=True)
class MeasureBound:
    """A *formula* that fits: a bound of every play at every size if it *is_proved*; else *reason*
    says why that is not known.

    *attained* are the numbers of players with which a play was found that has exactly so many.
    """

    formula: LinearFormula
    attained: tuple[int, ...]
    is_proved: bool
    reason: str


@dataclass(frozen=True)
class FoundBounds:
    """The *bounds* of measures, by what they are of; *interrupted* says that somebody ended the
    search for them.
    """

    bounds: Mapping[MeasureKey, MeasureBound]
    interrupted: bool


def find_bounds(found: FoundMeasures, prover: Prover, meter: Meter) -> FoundBounds:
    """Return bounds of what was *found*, as far as formulas fit, each tried for every size by
    *prover*.

    If the budget of *meter* or Ctrl-C ends that, the reasons of those that were not tried say so.
    """
    runs = [found]
    try:
        for run in _others(found, meter):
            runs.append(run)
            if run.stopped == INTERRUPTED:
                return FoundBounds({}, interrupted=True)
    except BudgetSpentError:
        pass  # the prover finds no time left either, and its reasons say so
    waiting = {
        key: candidates
        for key in found.extremes
        if (candidates := _fitting(found.program, key, runs))
    }
    bounds = dict[MeasureKey, MeasureBound]()
    while waiting and not meter.interrupted:
        # The first candidate about each measure at once, then the next about those without a proof.
        asked = {key: candidates.pop(0) for key, candidates in waiting.items()}
        attempts = prover.attempt(
            found.program, [candidate.question for candidate in asked.values()], meter
        )
        for (key, candidate), attempt in zip(asked.items(), attempts, strict=True):
            if attempt.proof is not None or key not in bounds:
                bounds[key] = _bound(key, candidate, attempt, runs)
        waiting = {
            key: candidates
            for key, candidates in waiting.items()
            if candidates and not bounds[key].is_proved
        }
    return FoundBounds(bounds, meter.interrupted)


def _others(found: FoundMeasures, meter: Meter) -> Iterator[FoundMeasures]:
    """Yield what is found with other numbers of players, and with that of *found*, each in the
    smallest zones.
    """
    program, (least, most) = found.program, found.program.players
    for players in sorted({*PLAYERS, found.scope.players}):
        if players < least or (most is not None and players > most):
            continue
        scope = make_scope(program, players, {zone.name: 1 for zone in program.zones})
        if (scope.players, scope.sizes) != (found.scope.players, found.scope.sizes):
            yield find_measures(
                program, scope, replace(meter.left(), positions=MOST_POSITIONS), meter.on_progress
            )


def _fitting(
    program: ir.Program, key: MeasureKey, runs: list[FoundMeasures]
) -> list[BoundCandidate]:
    """Return the candidates about a measure that none of *runs* contradicts, the first of which has
    the number that they are about.
    """
    extreme, players = runs[0].extremes[key], runs[0].scope.players
    if extreme.again is not None:
        return []
    return [
        candidate
        for candidate in candidates_for(program, *key, extreme.value, players)
        if _matches_runs(candidate.formula, key, runs)
    ]


def _matches_runs(formula: LinearFormula, key: MeasureKey, runs: list[FoundMeasures]) -> bool:
    known = [
        (one, formula.for_players(run.scope.players), run.stopped)
        for run in runs
        if (one := run.extremes.get(key)) is not None
    ]
    if key[1] == "fewest":
        return all(one.value >= value for one, value, _ in known)
    return all(
        one.again is None and (one.value == value or (stopped and one.value < value))
        for one, value, stopped in known
    )


def _is(extreme: Extreme, value: int) -> bool:
    return extreme.again is None and extreme.value == value


def _bound(
    key: MeasureKey, candidate: BoundCandidate, attempt: Attempt, runs: list[FoundMeasures]
) -> MeasureBound:
    formula = candidate.formula
    shown = {
        run.scope.players
        for run in runs
        if key in run.extremes and _is(run.extremes[key], formula.for_players(run.scope.players))
    }
    return MeasureBound(formula, tuple(sorted(shown)), attempt.proof is not None, attempt.reason)
