"""Growth: how many more positions there are when a zone may hold more items.

In go the samples of small tables (`samples`), out comes G(n, s) / G(n, 1) of one zone for *n*
players and *s* items:

    G(n, s) = sum for l = 0..s of w(l) * [x**l] A(x)**(n / m),    A(x) = sum of g(l) / w(l) * x**l

*g(l)* is how many positions hold *l* items there at the table of *m* players that was measured with
the most items on the zone; *w(l)* is *l!* for sequences of items and 1 for multisets. This is how
labelled and unlabelled structures of independent parts are counted (exponential and ordinary
generating functions: Flajolet and Sedgewick, Analytic Combinatorics, chapters I and II), a player
being a part: with items that never run out it gives (k n)**l arrangements of *l* items, or as many
multisets, and with hands that run out it gives fewer. Items of which nothing says whose they are
may be as many, or as few, as one player's; what the other tables show decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from fractions import Fraction
from itertools import pairwise
from math import factorial, log, sqrt

from .samples import ScopeSample, TableSamples

_CLEARLY = 0.1
"""By how much another law must fit better than the usual one, in logarithms."""


class GrowthLaw(Enum):
    """How more players make more of what is on a zone."""

    SEQUENCES = "sequences"
    MULTISETS = "multisets"
    ALIKE = "alike"  # as many as with one player


class Growth:
    """The growth of the zone of number *zone*."""

    def __init__(self, samples: Sequence[TableSamples], zone: int, *, is_ordered: bool) -> None:
        self.zone, self.is_ordered = zone, is_ordered
        self.source = max(samples, key=lambda one: (one.scopes[-1].sizes[zone], one.players))
        self.others = [one for one in samples if one is not self.source]
        self.law = self._law()

    @property
    def is_measured(self) -> bool:
        """Whether the step from one item to two was measured."""
        return bool(_growths(self.source.scopes, self.zone))

    def logarithm(self, size: int, players: int) -> float:
        """Return log G(players, size) / G(players, 1)."""
        return self._logarithm(1, size, players, self.law) if size > 1 else 0.0

    def _logarithm(self, before: int, after: int, players: int, law: GrowthLaw) -> float:
        histogram = self._continued(after)
        weights = [
            factorial(number) if law is GrowthLaw.SEQUENCES else 1 for number in range(after + 1)
        ]
        exponent = Fraction(1) if law is GrowthLaw.ALIKE else Fraction(players, self.source.players)
        series = power_of(
            [Fraction(one) / weight for one, weight in zip(histogram, weights, strict=True)],
            exponent,
        )
        terms = [
            max(term * weight, Fraction()) for term, weight in zip(series, weights, strict=True)
        ]
        return log(sum(terms)) - log(sum(terms[: before + 1]))

    def _continued(self, size: int) -> list[float]:
        histogram = _histogram(self.source.scopes, self.zone)[: size + 1]
        k = _different(self.source, self.zone, is_ordered=self.is_ordered)
        for number in range(len(histogram), size + 1):
            histogram.append(histogram[-1] * (k if self.is_ordered else (k + number - 1) / number))
        return histogram

    def _law(self) -> GrowthLaw:
        """Return the law that fits what the other tables show of this zone."""
        laws = (
            [GrowthLaw.SEQUENCES, GrowthLaw.MULTISETS, GrowthLaw.ALIKE]
            if self.is_ordered
            else [GrowthLaw.MULTISETS, GrowthLaw.ALIKE]
        )
        seen = [
            (one.players, *growth)
            for one in self.others
            for growth in _growths(one.scopes, self.zone)
        ]
        if seen:
            return min(
                laws,
                key=lambda law: (
                    sum(self._error(law, *one) for one in seen)
                    + (0.0 if law is laws[0] else _CLEARLY)
                ),
            )
        # If two tables show the same items there, no item says whose it is.
        differs = (
            len({one.items[self.zone] for one in [self.source, *self.others]}) > 1
            or not self.others
        )
        return laws[0] if differs else GrowthLaw.MULTISETS

    def _error(
        self, law: GrowthLaw, players: int, before: ScopeSample, after: ScopeSample
    ) -> float:
        size = before.sizes[self.zone]
        return abs(
            self._logarithm(size, size + 1, players, law) - log(after.positions / before.positions)
        )


def _histogram(scopes: Sequence[ScopeSample], zone: int) -> list[float]:
    """Return how the positions divide by the number of items on *zone*, the first two together
    being 1.

    The fullest stratum of a scope is too small, as what leads back to it from fuller ones is cut;
    so from two items on it is what a scope has more than the one before.
    """
    empty, single = scopes[-1].histograms[zone][:2]
    result, total = [empty / (empty + single), single / (empty + single)], 1.0
    for before, after in _growths(scopes, zone):
        grown = total * after.positions / before.positions
        result.append(grown - total)
        total = grown
    return result


def _growths(scopes: Sequence[ScopeSample], zone: int) -> list[tuple[ScopeSample, ScopeSample]]:
    """Return the scopes before and after *zone* grew, from one item to two on."""
    return [
        (before, after)
        for before, after in pairwise(scopes)
        if 0 < before.sizes[zone] < after.sizes[zone]
    ]


def _different(source: TableSamples, zone: int, *, is_ordered: bool) -> float:
    """Return how many items a place on *zone* seems to choose from, by the last two numbers of its
    histogram that were measured.

    With *k* of them there are *k* sequences for each that is an item shorter, and (k + l - 1) / l
    multisets of *l* items.
    """
    growths = _growths(source.scopes, zone)
    if not growths:
        empty, single = source.scopes[-1].histograms[zone][:2]
        return (single / empty if empty else single) if is_ordered else float(source.items[zone])
    before, after = growths[-1]
    size = before.sizes[zone]
    if len(growths) > 1:
        histogram = _histogram(source.scopes, zone)
        ratio = histogram[-1] / histogram[-2] if histogram[-2] > 0 else 0.0
    else:
        # The stratum of single items is too small before (see above), and too large after, being
        # whole now.
        alone = sqrt(before.histograms[zone][1] * after.histograms[zone][1])
        ratio = (after.positions - before.positions) / alone if alone else 0.0
    return ratio if is_ordered else max(ratio * (size + 1) - size, 0.0)


def power_of(series: Sequence[Fraction], exponent: Fraction) -> list[Fraction]:
    """Return the power series raised to *exponent*, divided by its first coefficient (J. C. P.
    Miller's recurrence).

    It is exact: what is lost of a number here would be multiplied with factorials.
    """
    first = series[0] or Fraction(1, 10**9)
    result = [Fraction(1)]
    for number in range(1, len(series)):
        terms = (
            (exponent * at - number + at) * series[at] * result[number - at]
            for at in range(1, number + 1)
        )
        result.append(sum(terms, Fraction()) / (number * first))
    return result
