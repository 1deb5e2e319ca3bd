"""Units: what Z3 counts of what it does, which is the same on every machine.

A solver counts in its context. Those of the common context are read there, by the clock of a
`Meter`; a context of its own charges what that took.
"""

from __future__ import annotations

from itertools import count

import z3

from ...types.budget import Budget, Meter

_COUNTER = z3.SimpleSolver()
"""A solver that is asked nothing but what all of its context have spent."""
_LOOKS = count()
"""Each look at it counts as a unit, so that questions that cost nothing come to an end, too."""


def units_spent() -> int:
    """Return how many units all solvers of the common context have spent so far."""
    return int(_COUNTER.statistics().get_key_value("rlimit count")) + next(_LOOKS)


def metered(units: int) -> Meter:
    """Return a meter for *units* units, which counts what all solvers of the common context do
    from now on.
    """
    return Meter(
        Budget(units=max(units, 1)), clock=units_spent
    )  # without any there would be no bound


def solver_for(meter: Meter, most: int) -> z3.Solver:
    """Return a plain solver that may spend so much for each of its questions; raise
    `BudgetSpentError` if *meter* has nothing left.
    """
    solver = z3.SimpleSolver()
    solver.set("rlimit", meter.allow(most))
    return solver
