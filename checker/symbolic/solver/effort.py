"""Effort: how much the solvers may still do for one question, in Z3's resource units.

A solver counts what it does in its context; those of the common context are read there, whoever had a context of its own says
what that took. So the same question is given up at the same place on every machine.
"""

from __future__ import annotations

import z3


class EffortSpentError(Exception):
    """Nothing is left of the effort, or too little for a question."""


class Effort:
    """An effort of so much, of which some is *spent*."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._elsewhere = 0
        self._before = _counted()

    @property
    def spent(self) -> int:
        """What was spent since the beginning."""
        return self._elsewhere + _counted() - self._before

    def add(self, spent: int) -> None:
        """Say that so much was *spent* in a context of its own."""
        self._elsewhere += spent

    def share(self, most: int) -> int:
        """Return how much there is for a question that may take *most*; raises `EffortSpentError` if nothing is left."""
        left = min(most, self.most - self.spent)
        if left <= 0:
            raise EffortSpentError
        return left

    def solver(self, most: int) -> z3.Solver:
        """Return a plain solver that may do so much for each of its questions."""
        solver = z3.SimpleSolver()
        solver.set("rlimit", self.share(most))
        return solver


def _counted() -> int:
    """Return what all solvers of the common context have done."""
    return int(z3.SimpleSolver().statistics().get_key_value("rlimit count"))
