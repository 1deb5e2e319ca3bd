"""Measured: what the measures of a game come to, from what a command line names to a record."""

from __future__ import annotations

from collections.abc import Mapping

from ...checker.measures.bounds import find_bounds
from ...checker.measures.measures import find_measures
from ...checker.process.interrupts import INTERRUPTS
from ...checker.prover.prover import LARGE, Prover
from ...checker.types.budget import INTERRUPTED, Budget, Meter
from ...checker.types.scope import scope_of
from ...models.load import load_game
from ...reports.telling.measures import MeasuresRecord, make_measures_record
from ..output.notes import tell_notes
from ..output.progress import progress


def measured(
    game: str,
    settings: Mapping[str, str],
    players: int | None,
    stack: int | None,
    sizes: Mapping[str, int],
    budget: Budget,
    *,
    prove: bool = False,
) -> MeasuresRecord:
    """Return the measures of *game* within the scope that is asked for, with bounds for every size if it should *prove* some.

    Ctrl-C ends the search, not the call. Raises InputError.
    """
    program = load_game(game, dict(settings))
    scope = scope_of(program, players, stack, dict(sizes))
    with progress(program.name) as on_progress:
        meter = Meter(budget, on_progress)
        found = find_measures(program, scope, budget, on_progress)
        prover = Prover(LARGE, whole=False)
        bounds = find_bounds(found, prover, meter) if prove and found.stopped != INTERRUPTED else None
        tell_notes(prover.notes)
        with INTERRUPTS.undisturbed():
            return make_measures_record(found, game, bounds)
