"""Shorter rankings: measures that prove an end -> fewer that do the same.

The search takes the measures one after the other, each for the steps that those before it have
left, so a later one may do the work of an earlier one too. One after the other, from the last, is
left out for trial: it is not needed if every step that it might change still makes the first less
that it changes. Then neighbours that tell the values of one thing apart become one: of several such
numbers, the first that counts first, the order is that of one number. Nothing here is believed: the
obligations are asked of what comes out.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import z3

from ...types.budget import BudgetSpentError, Meter
from ..encoding.obligations import Invariant
from ..encoding.system import Rule, System
from ..solver import terms as t
from ..solver.units import solver_for
from .measures import Measure, grows_less

UNITS = 500_000
"""How many units a solver may spend to see that one step does without a measure."""


def shortened(
    measures: Sequence[Measure],
    steps: Sequence[Rule],
    system: System,
    invariant: Invariant,
    meter: Meter,
) -> tuple[Measure, ...]:
    """Return measures that do for *steps* what *measures* do, where *invariant* holds of the
    positions of each stage.

    When what *meter* has is spent the rest stays as it is.
    """
    kept = list(measures)
    with suppress(BudgetSpentError):
        for measure in reversed(measures):
            rest = [other for other in kept if other is not measure]
            if all(_does_without(step, measure, rest, system, invariant, meter) for step in steps):
                kept = rest
    return tuple(join_neighbours(kept))


def _does_without(
    step: Rule,
    measure: Measure,
    rest: Sequence[Measure],
    system: System,
    invariant: Invariant,
    meter: Meter,
) -> bool:
    """Return whether *step* makes the first of the *rest* less that it changes, or has nothing to
    do with *measure*.
    """
    change = measure.change_by(step, system)
    if t.value_of(change) == 0:
        return True
    solver = solver_for(meter, UNITS)
    solver.add(
        invariant[step.source],
        step.condition,
        change != 0,
        t.negation(grows_less(step, system, rest)),
    )
    return bool(solver.check() == z3.unsat)


def join_neighbours(measures: Sequence[Measure]) -> list[Measure]:
    """Return *measures* with neighbours that are about the values of one thing as one measure."""
    found: list[Measure] = []
    for measure in measures:
        if found and (family := _family(measure)) and family == _family(found[-1]):
            found[-1] = _join(found[-1], measure)
        else:
            found.append(measure)
    return found


def _family(measure: Measure) -> str:
    """Return whose values *measure* tells apart, empty if it is not about one thing's values
    alone.
    """
    families = {feature.family for _, feature in measure.parts}
    return families.pop() if len(families) == 1 else ""


def _join(first: Measure, second: Measure) -> Measure:
    """Return the measure that orders the values of one thing as *first* does and, where that makes
    no difference, as *second* does.
    """
    features = {
        feature.value: feature for measure in (first, second) for _, feature in measure.parts
    }
    times = [
        {feature.value: times for times, feature in measure.parts} for measure in (first, second)
    ]
    orders = {value: tuple(of.get(value, 0) for of in times) for value in features}
    ranks = {order: rank for rank, order in enumerate(sorted({(0, 0), *orders.values()}))}
    return Measure(tuple((ranks[orders[value]], feature) for value, feature in features.items()))
