"""Ranking: measures of which every step makes the first that it changes less.

The next measure must not grow in any step that leaves those before it as they are, and must grow
less in some of them; these are then done with (Bradley, Manna and Sipma, "Linear ranking with
reachability", CAV 2005; Cook, Podelski and Rybalchenko, "Termination proofs for systems code", PLDI
2006). How often each feature is in it is found from samples: a linear program proposes, a plain
solver finds a step that speaks against it, which is a sample more. Where no measure agrees with the
samples, positions that no play comes to are left out: the caller says which
(`Excluding`).

Measures: sums of features, and which of them comes first where a step makes several of them less
or more.

A step eventually ends what it belongs to if the first measure that it changes grows less, and was
above 0 before. No measure can grow less for ever, so there is no play of such steps only that never
ends (a lexicographic ranking function).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from functools import reduce
from math import lcm

import z3

from ....models.frozen import frozen
from ....models.words import join_words
from ...types.budget import Meter
from ..encoding.features import WITH, Feature
from ..encoding.system import Invariant, Rule, System
from ..solver import terms as t
from ..solver.terms import ZERO, TermTuple, solver_for


@frozen
class Measure:
    """A sum of features, each with its factor."""

    parts: tuple[tuple[int, Feature], ...]
    _changes: dict[int, tuple[Rule, t.Integer]] = field(
        default_factory=dict, compare=False, repr=False
    )

    def at_stage(self, stage: str) -> t.Integer:
        """Return the measure as a term over the cells of *stage*."""
        total = ZERO
        for times, feature in self.parts:
            term = feature.at_stage(stage)
            if t.value_of(term) != 0:
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
    answer = t.FALSE
    for measure in reversed(measures):
        change = measure.change_by(step, system)
        less = t.both(t.less(change, ZERO), t.at_most(ZERO, measure.at_stage(step.source)))
        answer = t.either(less, t.both(t.equal(change, ZERO), answer))
    return answer


NOTHING = "There is no move that could be made again and again meanwhile."
EVERY_MOVE = (
    "Every move makes one of these less and leaves those above it as they are; none can grow less "
    "for ever:"
)


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
    return (
        f"how far {name} {'have' if WITH in parts[0][1].value and ' and ' in name else 'has'} to "
        f"go: {between.join([*told, 'else 0'])}"
    )


def _values_in_words(values: list[str]) -> str:
    """Return *values* in words; where there are several with the same, that is said once."""
    groups: dict[str, list[str]] = {}
    for value in values:
        first, with_, rest = value.partition(WITH)
        groups.setdefault(with_ + rest, []).append(first)
    told = [join_words(firsts, "or") + rest for rest, firsts in groups.items()]
    return ", or ".join(told)


UNITS = 5_000_000
"""How much a solver may do to find one step that speaks against a measure."""
MOST_TIMES = 64
"""A feature is in a measure at most so often."""
MOST_ASKED = 24
"""So often it is asked whether a play comes to some position."""
MOST_ROUNDS = 60
"""So often a measure is changed before it is given up."""


@frozen
class StepSample:
    """A step that could be taken: which one, what it adds to each feature, and the cells it is
    taken from.
    """

    step: int
    changes: tuple[int, ...]
    cube: t.Bool


@frozen
class Ranked:
    """The *measures*, or what *resisted*: the steps that no measure makes less, by their clauses;
    *why* if it is for another reason.
    """

    measures: tuple[Measure, ...]
    resisted: tuple[str, ...] = ()
    why: str = ""


Excluding = Callable[[t.Bool, Rule], "Invariant | None"]
"""Returns an invariant that no position has which satisfies a condition, from which a step could be
taken; None if there is none.
"""


class _Changes:
    """What a *step* adds to each feature, as terms."""

    def __init__(self, step: Rule, system: System, features: Sequence[Feature]) -> None:
        self._number = len(features)
        there = [
            number
            for number, feature in enumerate(features)
            if step.source in feature.terms or step.target in feature.terms
        ]
        after = (
            TermTuple([features[number].at_stage(step.target) for number in there])
            .replaced(system.cells[step.target], step.cells)
            .parts
        )
        before = [features[number].at_stage(step.source) for number in there]
        changes = [
            ZERO if one.eq(other) else t.minus(one, other)
            for one, other in zip(after, before, strict=True)
        ]
        self._tuple = TermTuple(changes).simplified()
        self._places = there
        self._terms = {
            number: term
            for number, term in zip(there, self._tuple.parts, strict=True)
            if t.value_of(term) != 0
        }

    def change_of(self, feature: int) -> t.Integer | None:
        """Return what the step adds to a feature; None if it is nothing."""
        return self._terms.get(feature)

    def values(self, model: z3.ModelRef) -> tuple[int, ...]:
        """Return what the step adds to each feature in *model*."""
        found = [0] * self._number
        for place, value in zip(self._places, self._tuple.values(model), strict=True):
            found[place] = value
        return tuple(found)


class UndecidedError(Exception):
    """A solver has not decided whether a step can be taken."""


class Ranking:
    """The search for measures of *steps*, where *invariant* holds of the positions of each stage.

    The last *patient* of them must make no measure more, and need not make any less.
    """

    def __init__(
        self,
        system: System,
        steps: Sequence[Rule],
        features: Sequence[Feature],
        invariant: Invariant,
        exclude: Excluding,
        meter: Meter,
        patient: int = 0,
    ) -> None:
        self.system, self.steps, self.features = system, steps, features
        self.invariant = dict(invariant)
        self.exclude = exclude
        self._strict = len(steps) - patient
        self._meter = meter
        self._measures: list[Measure] = []
        self._reached: set[StepSample] = set()
        self._asked = 0
        self._changes = [_Changes(step, system, features) for step in steps]
        self._solvers = [self._solver(step) for step in steps]
        self._done: set[int] = set()
        self._core_of_last: list[StepSample] = []

    def _solver(self, step: Rule) -> z3.Solver:
        solver = solver_for(self._meter, UNITS)
        solver.add(step.condition, self.invariant[step.source])
        return solver

    # ------------------------------------------------------------------ one measure after the other

    def find(self) -> Ranked:
        """Return measures for all steps, or those that none was found for."""
        while True:
            try:
                samples = self._of_steps_left()
                if all(sample.step >= self._strict for sample in samples):
                    return Ranked(tuple(self._measures))
                measure = self._next(samples)
            except UndecidedError:
                return Ranked((), why="a solver has not decided within its budget what a step does")
            if measure is None:
                return Ranked((), self.resisting)
            self._add(measure)

    @property
    def resisting(self) -> tuple[str, ...]:
        """The clauses of the moves that no measure was found for when one was looked for last."""
        return tuple(dict.fromkeys(self.steps[sample.step].clause for sample in self._core_of_last))

    def _of_steps_left(self) -> list[StepSample]:
        """Return a sample of each step that is not done with."""
        samples = []
        for step in range(len(self.steps)):
            sample = None if step in self._done else self._sample(step, [])
            if sample is None:
                self._done.add(step)
            else:
                samples.append(sample)
        return samples

    def _add(self, measure: Measure) -> None:
        self._measures.append(measure)
        for solver, step in zip(self._solvers, self.steps, strict=True):
            if t.value_of(change := measure.change_by(step, self.system)) != 0:
                solver.add(change == 0)

    def _next(self, samples: list[StepSample]) -> Measure | None:
        """Return a measure that does not grow in any step left and grows less in one; *samples* are
        some of them, and get more.
        """
        while samples:
            for group in self._groups():
                if (measure := self._within(group, samples)) is not None:
                    return measure
            if not self._leave_out(samples):
                return None
        return Measure(())

    def _groups(self) -> Iterator[list[int]]:
        """Yield the features to be tried together: one, those that tell one thing's values apart,
        all.
        """
        families: dict[str, list[int]] = {}
        for number, feature in enumerate(self.features):
            families.setdefault(feature.family or feature.called, []).append(number)
        yield from families.values()
        yield [number for number, feature in enumerate(self.features) if feature.is_simple]

    def _within(self, group: list[int], samples: list[StepSample]) -> Measure | None:
        """Return a measure of the features of *group* only."""
        for _ in range(MOST_ROUNDS):
            times = proposal(
                [[sample.changes[number] for number in group] for sample in samples],
                [self.features[n].cost for n in group],
            )
            if times is None:
                return None
            weights = {number: many for number, many in zip(group, times, strict=True) if many}
            against = list(self._against(weights))
            if not against:
                return Measure(
                    tuple((many, self.features[number]) for number, many in weights.items())
                )
            samples += against
        return None

    def _against(self, weights: dict[int, int]) -> Iterator[StepSample]:
        """Yield steps in which the sum of the features grows."""
        for step, changes in enumerate(self._changes):
            if step in self._done:
                continue
            parts = [
                change * many
                for number, many in weights.items()
                if (change := changes.change_of(number)) is not None
            ]
            if parts and (sample := self._sample(step, [z3.Sum(parts) > 0])) is not None:
                yield sample

    # ------------------------------------------------------------------ samples

    def _sample(self, number: int, conditions: list[t.Bool]) -> StepSample | None:
        """Return a way to take a step that satisfies *conditions*, if there is one."""
        solver = self._solvers[number]
        self._meter.allow(1)
        solver.push()
        solver.add(*conditions)
        answer = solver.check()
        model = solver.model() if answer == z3.sat else None
        solver.pop()
        if answer == z3.unknown:
            raise UndecidedError
        if model is None:
            return None
        changes = self._changes[number].values(model)
        cells = self.system.cells[self.steps[number].source]
        return StepSample(
            number,
            changes,
            t.all_of([t.equal(cell, model.eval(cell, model_completion=True)) for cell in cells]),
        )

    def _leave_out(self, samples: list[StepSample]) -> bool:
        """Leave out those of *samples* that no play comes to; return whether there was one."""
        for sample in self._resisting(samples):
            if sample in self._reached:
                continue
            invariant = self._never(sample)
            if invariant is None:
                self._reached.add(sample)
                continue
            for stage, more in invariant.items():
                self.invariant[stage] = t.both(self.invariant[stage], more)
            for solver, step in zip(self._solvers, self.steps, strict=True):
                solver.add(invariant[step.source])
            samples[:] = [
                other for other in samples if other in self._reached or self._is_left(other)
            ]
            return True
        return False

    def _never(self, sample: StepSample) -> Invariant | None:
        self._asked += 1
        if self._asked > MOST_ASKED:
            return None
        step = self.steps[sample.step]
        changes = self._changes[sample.step]
        alike = [
            change == many
            for number, many in enumerate(sample.changes)
            if (change := changes.change_of(number)) is not None
        ]
        return self.exclude(t.both(step.condition, *alike), step) or self.exclude(sample.cube, step)

    def _is_left(self, sample: StepSample) -> bool:
        solver = solver_for(self._meter, UNITS)
        solver.add(sample.cube, self.invariant[self.steps[sample.step].source])
        return bool(solver.check() != z3.unsat)

    def _resisting(self, samples: list[StepSample]) -> list[StepSample]:
        """Return *samples*, those first that no measure can make less together."""
        self._core_of_last = core = self._core(samples)
        return [*core, *(sample for sample in samples if sample not in core)]

    def _core(self, samples: list[StepSample]) -> list[StepSample]:
        """Return the *samples* because of which no measure falls in one and rises in none; all if
        each can by itself.
        """
        solver = z3.Solver()
        solver.set("core.minimize", True)
        unknown = [z3.Real(f"times {number}") for number in range(len(self.features))]
        solver.add(*(many >= 0 for many in unknown))
        total = []
        for number, sample in enumerate(samples):
            change = z3.Sum(
                [many * by for many, by in zip(unknown, sample.changes, strict=True) if by]
                or [z3.RealVal(0)]
            )
            solver.assert_and_track(change <= 0, f"sample {number}")
            total.append(change)
        solver.add(z3.Sum(total) <= -1)
        if solver.check() != z3.unsat:
            return samples
        names = {str(name) for name in solver.unsat_core()}
        return [
            sample for number, sample in enumerate(samples) if f"sample {number}" in names
        ] or samples


def proposal(samples: list[list[int]], costs: Sequence[int]) -> list[int] | None:
    """Return how often each feature counts in a sum that grows in none of *samples* and shrinks in
    as many as can be; None if in none.
    """
    different = [list(one) for one in dict.fromkeys(tuple(sample) for sample in samples)]
    if all(change >= 0 for sample in different for change in sample):
        return None
    if len(costs) == 1:
        return [1] if all(change <= 0 for (change,) in different) else None
    many = [z3.Real(f"times {number}") for number in range(len(costs))]
    done = _grow_less(different, many)
    return _cheapest(different, many, costs, done) if any(done) else None


def _grow_less(samples: list[list[int]], many: list[z3.ArithRef]) -> list[bool]:
    """Return which of *samples* can grow less together, as many as can be."""
    optimize = z3.Optimize()
    less = [z3.Real(f"less {number}") for number in range(len(samples))]
    optimize.add(*(z3.And(one >= 0, one <= MOST_TIMES) for one in many))
    for sample, amount in zip(samples, less, strict=True):
        optimize.add(amount >= 0, amount <= 1, _sum(many, sample) + amount <= 0)
    optimize.maximize(z3.Sum(less))
    if optimize.check() != z3.sat:
        return [False]
    model = optimize.model()
    return [model.eval(amount, model_completion=True).as_fraction() == 1 for amount in less]


def _cheapest(
    samples: list[list[int]], many: list[z3.ArithRef], costs: Sequence[int], done: list[bool]
) -> list[int] | None:
    """Return the cheapest sum that grows in none of *samples* and grows less where *done* says
    so.
    """
    cheapest = z3.Optimize()
    cheapest.add(*(one >= 0 for one in many))
    for sample, is_less in zip(samples, done, strict=True):
        cheapest.add(_sum(many, sample) <= (-1 if is_less else 0))
    cheapest.minimize(z3.Sum([cost * one for cost, one in zip(costs, many, strict=True)]))
    if cheapest.check() != z3.sat:
        return None
    found = [cheapest.model().eval(one, model_completion=True).as_fraction() for one in many]
    scale = reduce(lcm, (value.denominator for value in found), 1)
    return [int(value * scale) for value in found]


def _sum(many: Sequence[z3.ArithRef], by: Sequence[int]) -> z3.ArithRef:
    return z3.Sum(
        [one * times for one, times in zip(many, by, strict=True) if times] or [z3.RealVal(0)]
    )
