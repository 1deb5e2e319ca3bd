"""Horn clauses: an invariant for each stage, found by Z3's Spacer, and its inductive core.

Each stage is a relation over its cells. Each rule is a clause: from a position of the source it
gets to one of the target. The invariant is a suggestion; `obligations` holds it against the rules
with a solver that knows nothing of Spacer.

The inductive core: an invariant of a System -> the part of it that the proof needs.

Spacer's invariants hold more than the property asks for. The search gathers the conjuncts that the
property needs, then those that keep these, and so on (an inductive validity core in the sense of
Ghassabani, Gacek and Whalen, 2016). It puts each question to a plain solver with one assumption for
each conjunct; the unsat core, made smaller one by one, says which are needed. What is always known
of a stage's cells counts as one conjunct, which is always there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import z3

from ....models.frozen import frozen
from ...types.budget import Meter
from ..encoding.system import START, Breach, Invariant, System, Transition
from ..solver import terms as t
from ..solver.projection import TooMuchError, has_quantifiers, without_quantifiers

_UNITS = 20_000_000
"""How much a solver may do for one question; they take a thousandth of it."""


@frozen
class InductiveCore:
    """The *conjuncts* of each stage that a proof of *system* needs beside what is known of its
    cells.
    """

    system: System
    conjuncts: Mapping[str, tuple[t.Bool, ...]]

    @property
    def invariant(self) -> Invariant:
        """The invariant: what is known of every stage, and the conjuncts."""
        return {
            stage: t.both(known, *self.conjuncts[stage])
            for stage, known in self.system.known.items()
        }


def inductive_core(system: System, invariant: Invariant) -> InductiveCore:
    """Return the part of *invariant* that the proof needs."""
    return _CoreSearch(system, invariant).done()


class _CoreSearch:
    def __init__(self, system: System, invariant: Invariant) -> None:
        self.system = system
        self.all: dict[str, list[t.Bool]] = {}
        for stage, known in system.known.items():
            of_types = {part.get_id() for part in t.conjuncts(known)}
            self.all[stage] = [
                part for part in t.conjuncts(invariant[stage]) if part.get_id() not in of_types
            ]
        self.needed: dict[str, set[int]] = {stage: set() for stage in system.cells}
        self.todo: list[tuple[str, t.Bool]] = [
            (stage, known) for stage, known in system.known.items()
        ]

    def done(self) -> InductiveCore:
        for breach in self.system.breaches:
            self._need(breach, t.FALSE)
        while self.todo:
            stage, wanted = self.todo.pop(0)
            for step in self.system.steps:
                if step.target == stage:
                    self._need(step, t.replaced(wanted, self.system.cells[stage], step.after))
        chosen = {
            stage: tuple(part for number, part in enumerate(parts) if number in self.needed[stage])
            for stage, parts in self.all.items()
        }
        return InductiveCore(self.system, chosen)

    def _need(self, why: Transition | Breach, wanted: t.Bool) -> None:
        """Say that the conjuncts of the source of *why* are needed without which *wanted* may not
        be true afterwards.
        """
        if why.source == START or t.is_true(wanted):
            return
        facts = t.both(self.system.known[why.source], why.condition, t.negation(wanted))
        there = self.needed[why.source]
        if self._refuted(facts, why.source, there) is not None:
            return
        core = self._refuted(facts, why.source, range(len(self.all[why.source])))
        more = [
            number
            for number in range(len(self.all[why.source]))
            if (core is None or number in core) and number not in there
        ]
        for number in list(more) if core is not None else []:
            fewer = [other for other in more if other != number]
            if self._refuted(facts, why.source, {*there, *fewer}) is not None:
                more = fewer
        there.update(more)
        self.todo += [(why.source, self.all[why.source][number]) for number in more]

    def _refuted(self, facts: t.Bool, stage: str, numbers: set[int] | range) -> set[int] | None:
        """Return which of the conjuncts with *numbers* refute *facts*, None if they do not."""
        solver = z3.SimpleSolver()
        solver.set("rlimit", _UNITS)
        solver.add(facts)
        markers = {number: z3.Bool(f"conjunct!{number}") for number in numbers}
        for number, marker in markers.items():
            solver.add(z3.Implies(marker, self.all[stage][number]))
        if solver.check(*markers.values()) != z3.unsat:
            return None
        core = {marker.get_id() for marker in solver.unsat_core()}
        return {number for number, marker in markers.items() if marker.get_id() in core}


@frozen
class HornResult:
    """An *invariant* for each stage, over its cells; or None, with the *reason*.

    There is none where the property *is_broken*: by a play of the encoding.
    """

    invariant: Mapping[str, t.Bool] | None
    reason: str = ""
    is_broken: bool = False

    @property
    def is_decided(self) -> bool:
        """Whether there is an answer, one way or the other."""
        return self.is_broken or self.invariant is not None


BROKEN = "the encoding has a play that breaks it, which the rules need not have"
_PROJECTION = 1_000_000
"""How much may be done to say an invariant without quantifiers."""
_QUICK = 3_500_000
"""How much is enough for most questions about the games."""
_ONCE = 4_000_000
"""How much is done before it is begun anew."""
_LEAST = 1_000_000
"""How much the stages that were left out may take in any case."""
_LONG = 60
"""Reasons with more letters are not told."""
SPACER: Mapping[str, bool] = {
    "xform.inline_eager": False,
    "xform.inline_linear": False,
    "xform.slice": False,
    "spacer.eq_prop": False,  # with it, proofs about two items take many times as long
}
"""What Spacer is told to do otherwise than it would."""
_INLINED = {**SPACER, "xform.inline_eager": True, "xform.inline_linear": True}


def search(system: System, meter: Meter, seed: int = 0) -> HornResult:
    """Return an invariant that no bad moment has, if Spacer finds one with what *meter* has left.

    Most questions are easy. Of the others, stages without a loop of their own are left out, which
    takes a fraction of the time; what takes long with one seed may be found at once with another,
    so it is begun anew, once.
    """
    asked = _SpacerQuery(system, meter)
    found = asked.at_once(seed)
    for most, chance in ((_ONCE, seed + 1), (meter.most_units, seed)):
        if found.is_decided or meter.units_left <= 0:
            break
        found = asked.without_loopless(most, chance)
    return found


class _SpacerQuery:
    """What Spacer is asked about *system*, with what *meter* has left for all of it."""

    def __init__(self, system: System, meter: Meter) -> None:
        self.system, self.meter = system, meter

    @cached_property
    def _clauses(self) -> list[t.Bool]:
        return list(clauses(self.system, {}))

    @property
    def left(self) -> int:
        """What is left of the budget; with nothing there would be no bound."""
        return max(self.meter.units_left, 1)

    def at_once(self, seed: int) -> HornResult:
        """Return an invariant, if Spacer finds one with little."""
        return _plain(self._asked({}, SPACER, min(self.left, _QUICK), seed))

    def without_loopless(self, most: int, seed: int) -> HornResult:
        """Return what Spacer finds if it may put stages without a loop into those before and after
        them.

        What is kept at such a stage it can then say with quantifiers only. So it is asked again of
        these stages alone, with what it said of the others: there is no loop left to go round.
        """
        first = self._asked({}, _INLINED, min(self.left, most), seed)
        if first.invariant is None:
            return _plain(first)
        plain = {
            stage: said for stage, said in first.invariant.items() if not has_quantifiers(said)
        }
        if len(plain) == len(self.system.cells):
            return _plain(first)
        second = self._asked(plain, SPACER, max(self.left, _LEAST), seed)
        # If it says that the property is broken, it is so only with what was said of the others.
        if second.invariant is None:
            second = HornResult(None, "Spacer has not said what is kept at every stage")
        return _plain(second)

    def _asked(
        self, known: Mapping[str, t.Bool], settings: Mapping[str, bool], units: int, seed: int
    ) -> HornResult:
        """Return an invariant, if Spacer finds one with *units*; that of some stages is *known*
        already, and is taken as it is.
        """
        asked = list(clauses(self.system, known)) if known else self._clauses
        solver = _spacer(asked, settings, units, seed)
        try:
            answer = solver.check()
        except z3.Z3Exception as error:
            self.meter.charge(units)
            return HornResult(None, f"Z3 gave up: {error}")
        self.meter.charge(int(solver.statistics().get_key_value("rlimit count")))
        if answer == z3.unsat:
            return HornResult(None, BROKEN, is_broken=True)
        if answer != z3.sat:
            why = solver.reason_unknown().partition("\n")[
                0
            ]  # now and then, all that it knows follows
            return HornResult(
                None,
                "Spacer has not decided it within its "
                f"budget{f': {why}' if len(why) < _LONG else ''}",
            )
        model = solver.model()
        meanings = {declaration.name(): model[declaration] for declaration in model.decls()}
        found = {
            stage: _invariant(meanings.get(_relation_name(stage)), cells)
            for stage, cells in self.system.cells.items()
        }
        return HornResult({**found, **known})


def _plain(found: HornResult) -> HornResult:
    """Return what was *found*, said so that a plain solver can judge it."""
    if found.invariant is None:
        return found
    try:
        return replace(
            found,
            invariant={
                stage: without_quantifiers(part, _PROJECTION)
                for stage, part in found.invariant.items()
            },
        )
    except TooMuchError:
        return HornResult(
            None, "Spacer's invariant has quantifiers, and a plain solver cannot judge it"
        )


def _spacer(
    asked: Sequence[t.Bool], settings: Mapping[str, bool], units: int, seed: int
) -> z3.Solver:
    """Return Spacer, which is to solve the clauses *asked* and may spend *units* units."""
    context = z3.Context()  # of its own, so that no earlier question has any influence
    solver = z3.SolverFor("HORN", ctx=context)
    solver.set("rlimit", units)
    solver.set("fp.engine", "spacer")
    solver.set("fp.spacer.random_seed", seed)
    for name, value in settings.items():
        solver.set(f"fp.{name}", value)
    for clause in asked:
        solver.add(clause.translate(context))
    return solver


def _relation_name(stage: str) -> str:
    return f"at {stage}"


def clauses(system: System, known: Mapping[str, t.Bool]) -> Iterator[t.Bool]:
    """Yield the Horn clauses of *system*: one for each step and each breach; what is kept at some
    stages is *known*, the others have a relation each.

    One for each way through a clause would do, and takes Spacer several times as long.
    """
    relations = {
        stage: z3.Function(_relation_name(stage), *(cell.sort() for cell in cells), z3.BoolSort())
        for stage, cells in system.cells.items()
        if stage not in known
    }

    def at(stage: str, values: tuple[t.Term, ...]) -> t.Bool:
        if stage in known:
            return t.replaced(known[stage], system.cells[stage], values)
        return t.applied(relations[stage], values)

    def reached(source: str, condition: t.Bool) -> t.Bool:
        if source == START:
            return t.both(system.given, condition)
        return t.all_of((at(source, system.cells[source]), system.known[source], condition))

    for step in system.steps:
        body, head = reached(step.source, step.condition), at(step.target, step.after)
        if step.target in known:
            yield t.always_implies(t.both(body, t.negation(head)), t.FALSE)
        else:
            yield t.always_implies(body, head)
    for breach in system.breaches:
        yield t.always_implies(reached(breach.source, breach.condition), t.FALSE)


def _invariant(meaning: object, cells: tuple[t.Term, ...]) -> t.Bool:
    """Return what Spacer says of a relation, over *cells*; true if it says nothing."""
    if not isinstance(meaning, z3.FuncInterp) or meaning.num_entries():
        return t.TRUE
    value = z3.substitute_vars(meaning.else_value().translate(z3.main_ctx()), *cells)
    assert isinstance(value, z3.BoolRef)
    return value
