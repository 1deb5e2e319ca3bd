"""k-induction: a System -> an invariant that says that nothing bad is near, if that is one
(Sheeran, Singh and Stalmarck, 2000).

A property is k-inductive if no play breaks it within k moves, and none breaks it after k moves that
did not. Then "no k moves from here break it" is kept by every move, and is an invariant as
`obligations` wants it, so that its certificate is like any other. To say it without quantifiers,
what may lead to a breach is computed backwards, a move at a time, and what a move leaves free is
projected out of it.
"""

from __future__ import annotations

from collections.abc import Sequence

import z3

from ...types.budget import Meter
from ..encoding.obligations import complete, first_failure
from ..encoding.system import START, System
from ..solver import terms as t
from ..solver.projection import TooMuchError, project
from ..solver.units import units_spent
from .horn import BROKEN, HornResult

MOST = 8
"""How many moves are looked ahead at most."""
_SHARE = 4
"""One part in this many of what Spacer may do is done here."""
_UNDECIDED = "k-induction has not decided it within its budget"


def induct(system: System, meter: Meter) -> HornResult:
    """Return an invariant that no bad moment has, if the property is k-inductive for a k of at most
    `MOST`, within a part of *meter*.
    """
    with meter.part(meter.most_units // _SHARE, units_spent) as part:
        return _Induction(system, part).found()


class _Induction:
    def __init__(self, system: System, meter: Meter) -> None:
        self.system = system
        self.meter = meter
        self.near: dict[str, list[t.Bool]] = {stage: [] for stage in system.cells}
        """Where a breach is near: what is bad of each stage, in alternatives."""

    def found(self) -> HornResult:
        """Return an invariant, or why there is none."""
        try:
            last = self._breaches()
            for _ in range(MOST):
                for stage, cases in last.items():
                    self.near[stage] += cases
                invariant = {
                    stage: t.negation(t.any_of(cases)) for stage, cases in self.near.items()
                }
                failure = first_failure(
                    self.system, complete(self.system, invariant), max(self.meter.units_left, 1)
                )
                if failure is None:
                    return HornResult(invariant)
                if failure.answer != str(z3.sat):
                    return HornResult(None, _UNDECIDED)
                if failure.obligation.source == START:
                    return HornResult(None, BROKEN, is_broken=True)
                last = self._before(last)
        except TooMuchError:
            return HornResult(None, _UNDECIDED)
        return HornResult(None, f"it is not k-inductive for a k of up to {MOST}")

    def _breaches(self) -> dict[str, list[t.Bool]]:
        """Return where the next move may break it."""
        bad: dict[str, list[t.Bool]] = {stage: [] for stage in self.system.cells}
        for breach in self.system.breaches:
            if breach.source != START:
                bad[breach.source] += self._projected(breach.source, breach.condition, [])
        return bad

    def _before(self, last: dict[str, list[t.Bool]]) -> dict[str, list[t.Bool]]:
        """Return from where a move may lead to what is bad by *last*."""
        earlier: dict[str, list[t.Bool]] = {stage: [] for stage in self.system.cells}
        for step in self.system.steps:
            if step.source != START and last[step.target]:
                there = t.replaced(
                    t.any_of(last[step.target]), self.system.cells[step.target], step.after
                )
                earlier[step.source] += self._projected(
                    step.source, t.both(step.condition, there), earlier[step.source]
                )
        return earlier

    def _projected(self, stage: str, condition: t.Bool, known: Sequence[t.Bool]) -> list[t.Bool]:
        """Return for which cells of *stage* there are values of everything else with *condition*,
        in alternatives beside those *known*.
        """
        cells = {cell.get_id() for cell in self.system.cells[stage]}
        free = [
            constant for constant in t.constants_of(condition) if constant.get_id() not in cells
        ]
        return project(
            condition,
            free,
            self.meter,
            [self.system.known[stage], *map(t.negation, (*self.near[stage], *known))],
        )
