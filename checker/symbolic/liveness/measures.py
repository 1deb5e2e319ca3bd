"""Measures: sums of features, and which of them comes first where a step makes several of them less
or more.

A step eventually ends what it belongs to if the first measure that it changes grows less, and was
above 0 before. No measure can grow less for ever, so there is no play of such steps only that never
ends (a lexicographic ranking function).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import z3

from ....models.words import join_words
from ..encoding.features import WITH, Feature
from ..encoding.system import Rule, System
from ..solver import terms as t


@dataclass(frozen=True)
class Measure:
    """A sum of features, each with its factor."""

    parts: tuple[tuple[int, Feature], ...]
    _changes: dict[int, tuple[Rule, t.Integer]] = field(
        default_factory=dict, compare=False, repr=False
    )

    def at_stage(self, stage: str) -> t.Integer:
        """Return the measure as a term over the cells of *stage*."""
        total = t.number(0)
        for times, feature in self.parts:
            term = feature.at_stage(stage)
            if not (z3.is_int_value(term) and term.as_long() == 0):
                total = t.plus(total, term if times == 1 else t.number(times) * term)
        return total

    def change_by(self, step: Rule, system: System) -> t.Integer:
        """Return how much *step* adds to the measure, simplified; it is found once."""
        if id(step) not in self._changes:
            change = z3.simplify(
                t.minus(
                    t.replaced(self.at_stage(step.target), system.cells[step.target], step.cells),
                    self.at_stage(step.source),
                )
            )
            assert isinstance(change, z3.ArithRef)
            self._changes[id(step)] = (step, change)
        return self._changes[id(step)][1]


def in_order(parts: Iterable[tuple[int, Feature]], features: Sequence[Feature]) -> Measure:
    """Return the measure of *parts*, in the order of *features*, so that the same parts make the
    same measure.
    """
    places = {id(feature): place for place, feature in enumerate(features)}
    return Measure(tuple(sorted(parts, key=lambda part: places[id(part[1])])))


def grows_less(step: Rule, system: System, measures: Sequence[Measure]) -> t.Bool:
    """Return that the first of *measures* that *step* changes grows less, and was at least 0 before
    less 1, so not below 0 after.
    """
    zero = t.number(0)
    answer = t.FALSE
    for measure in reversed(measures):
        change = measure.change_by(step, system)
        less = t.both(t.less(change, zero), t.at_most(zero, measure.at_stage(step.source)))
        answer = t.either(less, t.both(t.equal(change, zero), answer))
    return answer


NOTHING = "There is no move that could be made again and again meanwhile."
EVERY_MOVE = "Every move makes one of these less and leaves those above it as they are; none can grow less for ever:"


def in_lines(measures: Sequence[Measure]) -> tuple[str, ...]:
    """Return in words what every move does to *measures*: a line that says so, and one for each."""
    if not measures:
        return (NOTHING,)
    return (
        EVERY_MOVE,
        *(f"{place}. {measure_words(measure)}" for place, measure in enumerate(measures, 1)),
    )


def measure_words(measure: Measure) -> str:
    """Return what *measure* is, in words."""
    families: dict[str, list[tuple[int, Feature]]] = {}
    for times, feature in measure.parts:
        families.setdefault(feature.family or feature.called, []).append((times, feature))
    return " plus ".join(_family(name, parts) for name, parts in families.items())


def _family(name: str, parts: list[tuple[int, Feature]]) -> str:
    if not parts[0][1].family:
        times, feature = parts[0]
        return feature.called if times == 1 else f"{times} times {feature.called}"
    levels: dict[int, list[str]] = {}
    for times, feature in parts:
        levels.setdefault(times, []).append(feature.value)
    told = [
        f"{times} for {_values_in_words(values)}"
        for times, values in sorted(levels.items(), reverse=True)
    ]
    between = "; " if any(len(values) > 1 for values in levels.values()) else ", "
    return f"how far {name} {'have' if WITH in parts[0][1].value and ' and ' in name else 'has'} to go: {between.join([*told, 'else 0'])}"


def _values_in_words(values: list[str]) -> str:
    """Return *values* in words; where there are several with the same, that is said once."""
    groups: dict[str, list[str]] = {}
    for value in values:
        first, with_, rest = value.partition(WITH)
        groups.setdefault(with_ + rest, []).append(first)
    told = [join_words(firsts, "or") + rest for rest, firsts in groups.items()]
    return ", or ".join(told)
