"""Termination: a Program and a property of mode ``progress`` -> a Proof that no play breaks it, at
any size; or what resists.

The proof is an invariant like any other, of a system whose bad moments are the ends at which the
formula is true and the steps, none of which may fail to make a measure less.

The measures are found one after the other, each for the steps that those before it have left
(`ranking`). So a later one may do the work of an earlier one, which is then left out; and
neighbours that tell the values of one thing apart become one. Nothing here is believed: the
obligations are asked of what comes out.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property

import z3

from ....models import ir
from ....models.frozen import frozen
from ....properties import formula as f
from ...types.budget import BudgetSpentError, Meter
from ..encoding.encode import Precision
from ..encoding.features import features
from ..encoding.system import (
    RECHECK,
    Breach,
    Descent,
    Invariant,
    Rule,
    System,
    breaks_nothing,
    complete,
    first_failure,
)
from ..position.weakenings import UnsupportedError
from ..prove import UNITS, Proof, Unproved, attempts_at
from ..safety.horn import HornResult, search
from ..safety.houdini import always_true, simple_candidates
from ..safety.suggest import NO_LEMMA, of_lemmas
from ..solver import terms as t
from ..solver.projection import linear
from ..solver.terms import metered, solver_for, units_spent
from .progress import ProgressProblem, progress, ways_to_ask
from .ranking import Measure, Ranked, Ranking, grows_less, in_order

SPENT = "no ranking was found within its budget"
LEMMA = 5_000_000
"""How many units Spacer may spend to see that no play comes to a position."""
PRECISION = Precision(seats=True, attributes=True, counts=True, sets=True)


@frozen
class Termination(Proof):
    """A proof that the *steps* come to an end, by *measures* that *patient* steps do not undo;
    *by_anyone* if each is its mover's.
    """

    steps: tuple[Rule, ...] = ()
    patient: tuple[Rule, ...] = ()
    measures: tuple[Measure, ...] = ()
    by_anyone: bool = False

    @cached_property
    def descent(self) -> Descent:
        """The steps, and the measures as ranks of the positions of each stage."""
        return descent(self.system, self.steps, self.measures, self.patient)


def descent(
    system: System, steps: Sequence[Rule], measures: Sequence[Measure], patient: Sequence[Rule] = ()
) -> Descent:
    """Return what comes to an end where every one of *steps* makes the first of *measures* less
    that it changes, and no *patient* one more.

    Each rank is a sum in one order, so that it is the same whichever features it was put together
    from.
    """
    ranks = tuple(
        {stage: linear(measure.at_stage(stage)).term for stage in system.cells}
        for measure in measures
    )
    needed: dict[str, set[int]] = {}
    for stage, cells in system.cells.items():
        spoken_of = {
            constant.ast.value for constant in t.constants_of(*(rank[stage] for rank in ranks))
        }
        needed[stage] = {place for place, cell in enumerate(cells) if cell.ast.value in spoken_of}
    return Descent(system.merged_rules(steps, needed), ranks, system.merged_rules(patient, needed))


def prove_progress(
    program: ir.Program, question: f.Property, units: int = UNITS
) -> Termination | Unproved:
    """Return a proof of *question*, which asks what must eventually happen, for every size, or what
    resisted; *units* are for all of it.
    """
    left, is_finite = metered(units), False
    attempts = attempts_at(question, units)
    for asked in attempts:
        with left.part(units // len(attempts), units_spent) as part:
            found = _attempt(program, asked, part)
        if isinstance(found, Termination):
            break
        is_finite |= found.is_finite
        found = replace(found, is_finite=is_finite)
    return replace(found, spent=left.units)


def _attempt(program: ir.Program, question: f.Property, left: Meter) -> Termination | Unproved:
    """Return a proof of *question* with its lemmas, in one of the ways to ask, or what resisted in
    the last of them.
    """
    found: Termination | Unproved = Unproved(SPENT)
    try:
        for way in ways_to_ask(question):
            is_finite = isinstance(found, Unproved) and found.is_finite
            found = _prove(program, question, way, left)
            if isinstance(found, Termination):
                break
            found = replace(found, is_finite=found.is_finite or is_finite)
    except UnsupportedError as error:
        found = Unproved(f"proofs do not support this: {error}")
    except BudgetSpentError:
        found = Unproved(SPENT)
    return found


def _prove(
    program: ir.Program, question: f.Property, way: int, left: Meter
) -> Termination | Unproved:
    plain = progress(program, question, PRECISION, way)
    known = features(plain.encoding.layout)
    held, lemmas = of_lemmas(plain.encoding, plain.system, left)
    if question.lemmas and not lemmas:
        return Unproved(NO_LEMMA)
    simple = always_true(
        plain.system, simple_candidates(plain.encoding.layout, known, plain.system), left
    )
    asked = plain.with_known(
        {stage: t.both(said, held.get(stage, t.TRUE)) for stage, said in simple.items()}, left
    )
    ends = _no_bad_end(asked.system, left)
    if ends.invariant is None:
        return Unproved(
            f"a play may end before what must eventually happen: {ends.reason}",
            is_finite=_is_finite(plain, asked, left),
        )
    ranked = _ranked(plain, asked, ends.invariant, left)
    if isinstance(ranked, Unproved):
        return ranked
    invariant, measures = ranked
    return Termination(
        program, question, plain.system, invariant, PRECISION, lemmas=lemmas,
        steps=plain.steps, patient=plain.patient, measures=measures, by_anyone=plain.by_anyone,
    )  # fmt: skip


def _is_finite(plain: ProgressProblem, asked: ProgressProblem, left: Meter) -> bool:
    """Whether what is *asked* is proved of all plays that go on for ever, though perhaps not of
    those that end.
    """
    try:
        ranked = _ranked(
            _without_ends(plain),
            _without_ends(asked),
            dict.fromkeys(asked.system.cells, t.TRUE),
            left,
        )
    except BudgetSpentError:
        return False
    return not isinstance(ranked, Unproved)


def _without_ends(asked: ProgressProblem) -> ProgressProblem:
    """Return *asked* with nothing bad in it: what goes on for ever is all that is left to be
    asked.
    """
    rules = tuple(replace(rule, bad=t.FALSE) for rule in asked.system.rules)
    return replace(asked, system=replace(asked.system, rules=rules, of_stages=()))


def _ranked(
    plain: ProgressProblem, asked: ProgressProblem, invariant: Invariant, left: Meter
) -> tuple[Invariant, tuple[Measure, ...]] | Unproved:
    """Return an invariant with a ranking that meet all obligations of *plain*, or what resisted.

    In *asked* more is known of positions; *invariant* is one of it, and nothing in it is bad.
    """
    known = features(asked.encoding.layout)
    invariant = complete(asked.system, invariant)
    steps = (*asked.steps, *asked.patient)
    ranking = Ranking(
        asked.system,
        steps,
        known,
        invariant,
        lambda what, step: _never(asked, what, step, left),
        left,
        len(asked.patient),
    )
    try:
        ranked = ranking.find()
    except BudgetSpentError:
        ranked = Ranked((), ranking.resisting, "" if ranking.resisting else SPENT)
    if ranked.resisted or ranked.why:
        clauses = ", ".join(ranked.resisted)
        return Unproved(
            ranked.why
            or f"no ranking was found that one of these clauses lowers and none raises: {clauses}"
        )
    found = shortened(ranked.measures, steps, asked.system, ranking.invariant, left)
    measures = tuple(in_order(measure.parts, known) for measure in found)
    failure = first_failure(
        plain.system,
        ranking.invariant,
        RECHECK,
        descent(plain.system, plain.steps, measures, plain.patient),
    )
    if failure is not None:
        return Unproved(
            f"the {failure.obligation.duty} obligation fails for "
            f"{failure.obligation.clause or 'the start'}"
        )
    return ranking.invariant, measures


def _no_bad_end(system: System, left: Meter) -> HornResult:
    """Return an invariant that no bad end has: what is known already, if that is enough, else what
    Spacer finds.
    """
    if breaks_nothing(system, system.known, left):
        return HornResult(dict.fromkeys(system.cells, t.TRUE))
    return _spacer_finds(system, left.most_units, left)


def _spacer_finds(system: System, most: int, left: Meter) -> HornResult:
    """Return what Spacer finds with what is *left*, and *most* at that."""
    with left.part(left.allow(most)) as part:
        return search(system, part)


def _never(asked: ProgressProblem, condition: t.Bool, step: Rule, left: Meter) -> Invariant | None:
    """Return an invariant that no position has in which *condition* is true, at the source of
    *step*.
    """
    there = (Breach("", step.source, condition),)
    system = replace(_without_ends(asked).system, of_stages=there)
    return _spacer_finds(system, LEMMA, left).invariant


# ------------------------------------------------------------------ fewer measures


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
