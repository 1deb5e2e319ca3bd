"""Measured: what the measures of a game come to, from what a command line names to a record."""

from __future__ import annotations

from dataclasses import replace

from ...checker.measures.bounds import find_bounds
from ...checker.measures.measures import find_measures
from ...checker.process.interrupts import INTERRUPTS
from ...checker.prover.prover import LARGE, Prover
from ...checker.types.budget import INTERRUPTED
from ...models.load import load_rules
from ...reports.telling.measures import MeasuresRecord, make_measures_record
from ..output.printing import tell_notes
from ..output.progress import metered, why_ended, within
from .ask import Asked


def measured(game: str, asked: Asked) -> MeasuresRecord:
    """Return the measures of *game* within the scope that is *asked* for, with bounds for every
    size if it is to prove some.

    Ctrl-C ends the search, not the call. Raises InputError.
    """
    program = load_rules(game, asked.settings)
    scope = asked.scope(program)
    with metered(program.name, asked.budget) as meter:
        prover, bounds = Prover(LARGE, whole=False), None
        with within(meter):
            found = find_measures(program, scope, asked.budget, meter.on_progress)
            if asked.prove and found.stopped != INTERRUPTED:
                bounds = find_bounds(found, prover, meter)
        found = replace(found, stopped=why_ended(found.stopped))
        tell_notes(prover.notes)
        with INTERRUPTS.kept():
            record = make_measures_record(found, game, bounds)
        return replace(record, interrupted=record.interrupted or INTERRUPTS.asked != 0)
