"""Suggestions: an Encoding -> an invariant for it, found by Spacer, by Houdini and k-induction.

What the lemmas of a question say is proved in the order of their declaration, each with those
before it, and in the very system in which the question is then asked. So the invariant that comes
out has the lemmas' own in it, and nothing is taken for granted: it meets the obligations of the
system by itself, or it is none. A lemma that is not proved is not used.

Candidates say what may always be true at each stage: what the question and its lemmas say, as far
as the cells tell; whether a zone is empty; which of its values a variable has not; of items, where
one is if another is somewhere, and which of two is the next to leave.

k-induction: a System -> an invariant that says that nothing bad is near, if that is one
(Sheeran, Singh and Stalmarck, 2000).

A property is k-inductive if no play breaks it within k moves, and none breaks it after k moves that
did not. Then "no k moves from here break it" is kept by every move, and is an invariant as
`obligations` wants it, so that its certificate is like any other. To say it without quantifiers,
what may lead to a breach is computed backwards, a move at a time, and what a move leaves free is
projected out of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, combinations, product

import z3

from ....models import ir
from ....properties.formula import about
from ...types.budget import BudgetSpentError, Meter
from ...watching.plan import And, Atom, Before, Not, Old, Said, asked_in
from ..encoding.encode import Encoding
from ..encoding.formulas import EncodedMoment, EncodedPosition
from ..encoding.system import (
    RECHECK,
    START,
    Invariant,
    System,
    breaks_nothing,
    complete,
    first_failure,
)
from ..position.frame import GONE, UNSEEN, SymbolicFrame
from ..solver import terms as t
from ..solver.projection import TooMuchError, project
from ..solver.terms import ZERO, units_spent
from .horn import BROKEN, HornResult, inductive_core, search
from .houdini import absent, always_true, values

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


_FIRST = 8_000_000
"""What Spacer may do of a question about two items before candidates are tried."""
_QUICK = 2_000_000
"""With fewer units k-induction comes first."""
_UNTRIED = HornResult(None)
NO_LEMMA = "no lemma is proved in this encoding"


def suggest(encoded: Encoding, system: System, meter: Meter) -> tuple[HornResult, tuple[str, ...]]:
    """Return an invariant of *system*, that of *encoded*, if one is found with what *meter* has
    left for it and its lemmas together; with that of the lemmas in it whose names come with it.
    """
    invariant, proved = of_lemmas(encoded, system, meter)
    if encoded.lemmas and not proved:
        return HornResult(None, NO_LEMMA), ()
    known = _knowing(system, invariant)
    is_of_items = len(encoded.layout.context.items) > 1 and meter.units_left > _FIRST
    found = (
        _of_items(encoded, known, meter)
        if is_of_items
        else _search(known, encoded.layout.bits, meter)
    )
    if found.invariant is None:
        return found, ()
    return HornResult(_both(invariant, found.invariant)), proved


def of_lemmas(encoded: Encoding, system: System, meter: Meter) -> tuple[Invariant, tuple[str, ...]]:
    """Return an invariant of *system*, that of *encoded*, which has those of its lemmas in it that
    are proved; and their names.
    """
    invariant = _kept(system, candidates(encoded) if encoded.lemmas else {}, meter) or {}
    proved = list[str]()
    for name, lemma in encoded.lemmas:
        if meter.units_left <= 0:
            break
        found = _search(
            _knowing(replace(encoded, asked=lemma).system(), invariant), encoded.layout.bits, meter
        )
        if found.invariant is not None:
            invariant = _both(invariant, found.invariant)
            proved.append(name)
    return invariant, tuple(dict.fromkeys(proved))


def _of_items(encoded: Encoding, system: System, meter: Meter) -> HornResult:
    """Return what is found of a question about two items or more: what Spacer does not find soon,
    candidates may tell.
    """
    with meter.part(_FIRST) as part:
        soon = search(system, part)
    if soon.is_decided:
        return soon
    held = _kept(system, candidates(encoded, of_items=True), meter)
    if held is not None and first_failure(system, held, RECHECK) is None:
        return HornResult(inductive_core(system, held).invariant)
    return _search(system, encoded.layout.bits, meter)


def _kept(
    system: System, candidates: Mapping[str, Sequence[t.Bool]], meter: Meter
) -> Invariant | None:
    """Return which of *candidates* are always true, with what is known; None if that takes more
    than *meter* has left.
    """
    with meter.part(meter.units_left, units_spent) as part, suppress(BudgetSpentError):
        return always_true(system, candidates, part) if candidates else None
    return None


def _knowing(system: System, invariant: Mapping[str, t.Bool]) -> System:
    """Return *system* where *invariant* is known of its stages."""
    return replace(system, known=_both(system.known, invariant)) if invariant else system


def _both(one: Mapping[str, t.Bool], other: Mapping[str, t.Bool]) -> dict[str, t.Bool]:
    return {
        stage: t.both(one.get(stage, t.TRUE), other.get(stage, t.TRUE))
        for stage in {**one, **other}
    }


def _search(system: System, bits: Sequence[t.Bool], meter: Meter) -> HornResult:
    """Return an invariant of *system*, with what *meter* has left: Spacer's, or where it gives up
    one of the *bits*, or of k-induction.

    What is asked of positions often depends on nothing but what values the cells can have, which is
    found at once. Where little may be spent k-induction comes first: it answers most questions in
    less time than it takes to ask Spacer, which says more in its answers.
    """
    units, is_quick = meter.units_left, meter.most_units < _QUICK
    more = induct(system, meter) if is_quick else _UNTRIED
    if more.is_decided:
        return more
    with meter.part(units, units_spent) as left:
        found = _values_alone(system, left) if system.of_stages else None
        if found is not None:
            return found
        with left.part(left.units_left) as part:
            found = search(system, part)
        if found.is_decided:
            return found
        if not is_quick:
            more = recall(system, bits, left)
            more = more if more.is_decided else induct(system, left)
    return more if more.is_decided else HornResult(None, f"{found.reason}; {more.reason}")


def _values_alone(system: System, left: Meter) -> HornResult | None:
    """Return the invariant that says what values the cells can have, if that is enough."""
    try:
        invariant = values(system, left)
        is_enough = breaks_nothing(system, complete(system, invariant), left)
    except BudgetSpentError:
        return None
    return HornResult(invariant) if is_enough else None


# ------------------------------------------------------------------ what is remembered
# What a formula asks of the past often comes down to which steps have been, and where the game is
# now: "if the step is the last one, the middle one was". All such pairs are held against the moves
# together, as in `houdini`; Spacer may look for them one by one for long.

_RECALL_SHARE = 2
"""One part in this many of what Spacer may do is done here."""
_RECALL_LEAST = 5_000_000
"""With fewer units it is not begun."""
_RECALL_UNDECIDED = "what is remembered beside each value of a cell is not enough"


def recall(system: System, bits: Sequence[t.Bool], meter: Meter) -> HornResult:
    """Return the invariant that pairs each of *bits*, cells of every stage, with the values of the
    others, if it is enough.

    The search for it ends soon after a part of *meter* is spent. Leaving out what the proof does
    not need comes on top of that.
    """
    units = meter.most_units // _RECALL_SHARE
    if not bits or units < _RECALL_LEAST:
        return HornResult(None, _RECALL_UNDECIDED)
    with meter.part(units, units_spent) as part, suppress(BudgetSpentError):
        found = absent(system, part)
        known = {
            stage: t.all_of([system.known[stage], *always]) for stage, (always, _) in found.items()
        }
        pairs = {stage: _pairs(sometimes, bits) for stage, (_, sometimes) in found.items()}
        invariant = always_true(replace(system, known=known), pairs, part)
        if first_failure(system, invariant, RECHECK) is None:
            return HornResult(inductive_core(system, invariant).invariant)
    return HornResult(None, _RECALL_UNDECIDED)


def _pairs(literals: Sequence[t.Bool], bits: Sequence[t.Bool]) -> list[t.Bool]:
    """Return each of the *literals* where a bit is, or is not."""
    signed = [sign for bit in bits for sign in (bit, t.negation(bit))]
    pairs = (t.either(sign, literal) for sign, literal in product(signed, literals))
    return _without_doubles(pairs)


# ------------------------------------------------------------------ candidates


def candidates(encoded: Encoding, *, of_items: bool = False) -> dict[str, list[t.Bool]]:
    """Return the simple candidates about each stage of *encoded*, and those about two items
    (*of_items*).
    """
    return {
        stage.name: _without_doubles(
            chain(
                _simple(encoded, stage.name), _about_items(encoded, stage.name) if of_items else ()
            )
        )
        for stage in encoded.program.stages
    }


def _without_doubles(all_candidates: Iterable[t.Bool]) -> list[t.Bool]:
    different = {one.get_id(): one for one in all_candidates}
    return [one for one in different.values() if not t.is_true(one)]


def _simple(encoded: Encoding, stage: str) -> Iterator[t.Bool]:
    for asked in (*(lemma for _, lemma in encoded.lemmas), encoded.asked):
        yield from _candidates_of(encoded, stage, asked)
    layout = encoded.layout
    frame = layout.frame(stage)
    for size in frame.sizes.values():
        yield t.equal(size, ZERO)
        yield t.less(ZERO, size)
    for variable in layout.variables:
        value = frame.values[variable.name]
        if isinstance(variable.type, ir.EnumType) and isinstance(value, z3.ArithRef):
            yield from (
                t.negation(t.equal(value, layout.context.code(name)))
                for name in variable.type.values
            )
        elif isinstance(value, z3.BoolRef):
            yield value
            yield t.negation(value)


def _candidates_of(encoded: Encoding, stage: str, said: Said) -> Iterator[t.Bool]:
    """Yield what *said* comes to by the cells of *stage* alone, if that is anything."""
    if any(
        about(part.leaf) == "move" if isinstance(part, Atom) else isinstance(part, Before | Old)
        for part in asked_in(said)
    ):
        return  # what else is asked of the past is in a bit
    layout = encoded.layout
    frame = layout.frame(stage)
    term = encoded.monitor.truth(
        EncodedMoment(
            EncodedPosition(frame, stage, tuple(frame.locals.values())), new=[*layout.bits]
        ),
        said,
    )
    cells = {cell.get_id() for cell in layout.constants(stage)}
    if all(constant.get_id() in cells for constant in t.constants_of(term)):
        yield term


def _about_items(encoded: Encoding, stage: str) -> Iterator[t.Bool]:
    literals = [
        part
        for literal in _literals(encoded.layout.frame(stage))
        for part in (literal, t.negation(literal))
    ]
    for unless in _unless(encoded, stage):
        yield unless
        yield from (t.either(unless, literal) for literal in literals)
        yield from (t.any_of((unless, one, other)) for one, other in combinations(literals, 2))


def _unless(encoded: Encoding, stage: str) -> Iterator[t.Bool]:
    """Yield what has to be false for a candidate about items to be of use: a part of what would
    break the question.
    """
    asked = encoded.asked
    bad = asked.operand if isinstance(asked, Not) else Not(asked)
    parts = bad.parts if isinstance(bad, And) else (bad,)
    yield t.negation(
        t.all_of([said for part in parts for said in _candidates_of(encoded, stage, part)])
    )
    yield from map(t.negation, encoded.layout.bits)


def _literals(frame: SymbolicFrame) -> Iterator[t.Bool]:
    """Yield where each spotlit item may be, and which of two on one ordered zone leaves first."""
    orders = frame.context.orders
    for name, spot in frame.spots.items():
        yield from (frame.on(name, zone) for zone in orders)
        yield from (t.equal(spot.where, t.number(place)) for place in (GONE, UNSEEN))
    for one, other in combinations(frame.spots, 2):
        first = (
            frame.first[one, other]
            if frame.first
            else t.less(frame.spots[one].place, frame.spots[other].place)
        )
        for zone in (zone for zone, order in orders.items() if order != "unordered"):
            together = t.both(frame.on(one, zone), frame.on(other, zone))
            yield t.both(together, first)
            yield t.both(together, t.negation(first))
