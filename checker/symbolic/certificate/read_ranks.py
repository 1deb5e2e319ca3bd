"""Reading rankings: numbers of positions, as terms -> measures, sums of the features that the encoder knows.

A ranking may speak of nothing but the position of the rules, since each move is looked at where its own player is spotlit (`features`).
So what is read is no term but how often each feature is in it; a term that is no sum of features raises `UnreadableError`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import z3

from ..encoding.features import Feature
from ..liveness.measures import Measure
from ..solver import terms as t
from .smtlib import UnreadableError

Parts = Counter[tuple[int, int]]
"""The summands at one stage, with how many of each there are: how often it is added, and where Z3 has it."""
_ONE = t.number(1).ast.value


def measure_of(rank: Mapping[str, t.Integer], features: Sequence[Feature]) -> Measure:
    """Return the sum of *features* that *rank*, a term for each stage, is."""
    there = {stage: _known(features, stage) for stage in rank}
    left = {stage: Counter(_summands(term, there[stage])) for stage, term in rank.items()}
    found: list[tuple[int, Feature]] = []
    for feature in sorted(features, key=lambda one: -len(one.terms)):
        parts = {stage: part for stage in rank if (part := _part(feature.at(stage))) is not None}
        times = _times(parts, left)
        if times:
            found.append((times, feature))
            for stage, (many, place) in parts.items():
                left[stage][times * many, place] -= 1
    if any(many for parts_left in left.values() for many in parts_left.values()):
        raise UnreadableError("its ranking is no sum of the numbers that the engine knows of a position")
    places = {id(feature): place for place, feature in enumerate(features)}
    return Measure(tuple(sorted(found, key=lambda part: places[id(part[1])])))


def _known(features: Sequence[Feature], stage: str) -> set[int]:
    return {part[1] for feature in features if (part := _part(feature.at(stage))) is not None}


def _part(term: t.Integer) -> tuple[int, int] | None:
    """Return *term* as a number of times that something is added; None if it is 0."""
    value = t.value_of(term)
    if value is None:
        return 1, term.ast.value
    return (value, _ONE) if value else None


def _times(parts: Mapping[str, tuple[int, int]], left: Mapping[str, Parts]) -> int:
    """Return how often what adds *parts* is among the summands that are *left* at each stage; 0 if it is not."""
    if not parts:
        return 0
    stage, (many, place) = next(iter(parts.items()))
    for (times, where), number in left[stage].items():
        if where == place and number and times % many == 0 and times // many > 0:
            rest = times // many
            if all(left[other][rest * by, there] > 0 for other, (by, there) in parts.items()):
                return rest
    return 0


def _summands(term: t.Term, known: set[int]) -> Iterator[tuple[int, int]]:
    """Yield the summands of *term*, which are among those *known*: how often each is added, and where Z3 has it."""
    while True:
        last = term
        if is_sum := z3.is_add(term) and term.num_args() == 2 and term.ast.value not in known:
            term, last = term.children()
        times = 1
        if z3.is_mul(last) and last.num_args() == 2 and last.ast.value not in known and (by := _value(last.arg(0))) is not None:
            times, last = by, last.arg(1)
        value = _value(last)
        if value is None:
            yield times, last.ast.value
        elif times * value:
            yield times * value, _ONE
        if not is_sum:
            return


def _value(term: t.Term) -> int | None:
    return t.value_of(term) if isinstance(term, z3.ArithRef) else None
