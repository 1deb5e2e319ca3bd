"""Reading rankings: numbers of positions, as terms -> measures, sums of the features that the
encoder knows.

A ranking may speak of nothing but the position of the rules, since each move is looked at where its
own player is spotlit (`features`). So what is read is no term but how often each feature is in it;
a term that is no sum of features raises `UnreadableError`. Which features they are is a question of
linear arithmetic: what is written of each stage adds up to what they do, whatever the order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import z3

from ..encoding.features import Feature
from ..liveness.measures import Measure, in_order
from ..solver import terms as t
from ..solver.linear import LinearSum, linear
from .read_terms import read_term
from .smtlib import UnreadableError, commands

UNITS = 20_000_000
"""How much a solver may do to find the features of one number."""
NO_SUM = "its ranking is no sum of the numbers that the engine knows of a position"
_Place = tuple[str, int]
"""A stage, and something that is added up there."""


@dataclass
class KnownFeatures:
    """The *features* of an encoding, each with what it adds up, as that is read from a file."""

    features: Sequence[Feature]
    _sums: dict[int, LinearSum] = field(default_factory=dict)

    def measure(self, rank: Mapping[str, t.Integer]) -> Measure:
        """Return the sum of features that *rank*, a term for each stage of which it says anything,
        is; raise `UnreadableError`.
        """
        wanted = {
            (stage, place): times
            for stage, term in rank.items()
            for place, times in _linear_sum(term).times.items()
        }
        adds = _only_of(
            wanted,
            {
                number: dict(self._adds(feature, rank))
                for number, feature in enumerate(self.features)
            },
        )
        if {*wanted} - {place for added in adds.values() for place in added}:
            raise UnreadableError(NO_SUM)
        return in_order(
            ((times, self.features[number]) for number, times in self._times(wanted, adds)),
            self.features,
        )

    def _adds(
        self, feature: Feature, rank: Mapping[str, t.Integer]
    ) -> Iterator[tuple[_Place, int]]:
        """Yield what *feature* adds up at the stages of *rank*, each with how often."""
        for stage in rank:
            term = feature.at_stage(stage)
            if term.ast.value not in self._sums:
                self._sums[term.ast.value] = linear(_as_read(term))
            yield from (
                ((stage, place), times) for place, times in self._sums[term.ast.value].times.items()
            )

    def _times(
        self, wanted: Mapping[_Place, int], adds: Mapping[int, Mapping[_Place, int]]
    ) -> Iterator[tuple[int, int]]:
        """Yield the numbers of the features that add up to what is *wanted*, the cheapest such,
        each with how often it is added.
        """
        solver = z3.Optimize()
        solver.set("rlimit", UNITS)
        many = {number: z3.Int(f"times {number}") for number in adds}
        solver.add(*(one >= 0 for one in many.values()))
        sums: dict[_Place, list[z3.ArithRef]] = {}
        for number, added in adds.items():
            for place, times in added.items():
                sums.setdefault(place, []).append(many[number] * times)
        solver.add(*(z3.Sum(parts) == wanted.get(place, 0) for place, parts in sums.items()))
        solver.minimize(
            z3.Sum(
                [z3.IntVal(0), *(self.features[number].cost * one for number, one in many.items())]
            )
        )
        if solver.check() != z3.sat:
            raise UnreadableError(NO_SUM)
        model = solver.model()
        for number, one in many.items():
            times = model.eval(one, model_completion=True).as_long()
            if times:
                yield number, times


def _linear_sum(term: t.Integer) -> LinearSum:
    try:
        return linear(term)
    except ValueError as error:
        raise UnreadableError(NO_SUM) from error


def _as_read(term: t.Integer) -> t.Integer:
    """Return *term* as it is when it has been written down and read: Z3 leaves parentheses out."""
    ((_, written),) = commands(f"(rank {term.sexpr()})")
    read = read_term(
        written, {t.name_of(constant): constant for constant in t.constants_of(term)}, "Int"
    )
    assert isinstance(read, z3.ArithRef)
    return read


def _only_of(
    wanted: Mapping[_Place, int], adds: Mapping[int, Mapping[_Place, int]]
) -> dict[int, Mapping[_Place, int]]:
    """Return those of *adds* that add anything, and nothing that is not *wanted* and that no other
    takes away.
    """
    taken = {place for added in adds.values() for place, times in added.items() if times < 0}
    return {
        number: added
        for number, added in adds.items()
        if added and all(place in wanted or place in taken for place in added)
    }
