"""The shortest play of a System, by bounded model checking: longer and longer plays are asked for
until there is one.

Each question asks for plays up to twice as long as those already ruled out; once there is one, for
shorter ones.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import islice

import z3

from ...types.budget import BudgetSpentError, Meter
from ..encoding.system import System
from ..solver import terms as t
from .unrolled import Unrolled, UnrolledLayer

_LEAST = 4
"""Plays are asked for that are so many moves longer at least than those that are known."""
_OF_BITS = (
    "simplify",
    "propagate-values",
    "solve-eqs",
    "elim-uncnstr",
    "simplify",
    "bit-blast",
    "sat",
)
"""What a question about bits goes through: it begins anew with each, and is faster for it."""


class Plays:
    """The plays of *system*: none breaks the property in fewer than *sure* moves; *model* is one of
    so many, if that is known.
    """

    def __init__(self, system: System, sure: int, left: Meter, *, of_bits: bool) -> None:
        self.unrolled = Unrolled(system)
        self.sure, self.left = sure, left
        self.model: z3.ModelRef | None = None
        self._solver = z3.Then(*_OF_BITS).solver() if of_bits else z3.SimpleSolver()
        self._layers: list[UnrolledLayer] = []
        self._coming = self.unrolled.layers(sys.maxsize)

    def find_shortest(self, most: int) -> None:
        """Look for a shortest play, of up to *most* moves; what is known if the budget is spent
        stays known (`BudgetSpentError`).
        """
        while self.sure <= most:
            goal = min(self.sure + max(self.sure, _LEAST), most)
            self._layers += islice(self._coming, goal + 1 - len(self._layers))
            self._solver.add(*self.unrolled.taken())
            asked = self._layers[self.sure :]
            if not asked:
                self.sure = most + 1  # no play is longer
            elif (model := self._play_to(asked)) is not None:
                self._shorten(model)
                return
            else:
                self.sure = asked[-1].number + 1

    def with_also(self, condition: t.Bool) -> z3.ModelRef | None:
        """Return a play of *sure* moves of which *condition* is true, too."""
        return self._play_to(self._layers[self.sure : self.sure + 1], condition)

    def fewest(self, count: t.Integer, least: int) -> int:
        """Return the least value, from *least* on, that *count* has in a play of *sure* moves; who
        does not know says more.
        """
        assert self.model is not None
        most = _numeral_in(self.model, count)
        while least < most:
            middle = (least + most) // 2
            try:
                fits = self.with_also(t.at_most(count, t.number(middle))) is not None
            except BudgetSpentError:
                return most
            least, most = (least, middle) if fits else (middle + 1, most)
        return most

    def _shorten(self, model: z3.ModelRef) -> None:
        """Look for plays that are shorter than that of *model*."""
        while (end := self._breaking_move(model)) > self.sure:
            shorter = self._play_to(self._layers[self.sure : end])
            if shorter is None:
                self.sure = end
            else:
                model = shorter
        self.model = model

    def _breaking_move(self, model: z3.ModelRef) -> int:
        """Return with which move the play of *model* breaks the property first."""
        later = self._layers[self.sure :]
        return next(
            layer.number
            for layer in later
            if z3.is_true(model.eval(layer.broken, model_completion=True))
        )

    def _play_to(
        self, layers: Sequence[UnrolledLayer], condition: t.Bool = t.TRUE
    ) -> z3.ModelRef | None:
        """Return a play that ends in one of *layers*; raises `BudgetSpentError` if the solver does
        not know of any.
        """
        self._solver.push()
        self._solver.add(t.any_of(layer.broken for layer in layers), condition)
        try:
            self._solver.set("rlimit", self.left.allow(self.left.most_units))
            answer = self._solver.check()
            if answer == z3.unknown:
                raise BudgetSpentError
            return self._solver.model() if answer == z3.sat else None
        finally:
            self._solver.pop()


def _numeral_in(model: z3.ModelRef, term: t.Term) -> int:
    value = model.eval(term, model_completion=True)
    assert isinstance(value, z3.IntNumRef)
    return int(value.as_long())
