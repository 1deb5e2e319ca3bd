"""Horn clauses: a System -> an invariant for each of its stages, found by Z3's Spacer (Komuravelli,
Gurfinkel and Chaki, 2014).

Each stage is a relation over its cells and each rule a clause: whoever is at the source gets to the
target. The invariant is a suggestion; `obligations` holds it against the rules with a solver that
knows nothing of Spacer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import z3

from ...types.budget import Meter
from ..encoding.system import START, System
from ..solver import terms as t
from ..solver.projection import TooMuchError, has_quantifiers, without_quantifiers


@dataclass(frozen=True)
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
Relation: TypeAlias = Callable[..., t.Bool]
"""What says of the cells of a stage whether somebody gets there."""


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
        self._clauses: list[t.Bool] = []

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
        if (
            second.invariant is None
        ):  # even if it says that the property is broken: it is so only with what was said of the others
            second = HornResult(None, "Spacer has not said what is kept at every stage")
        return _plain(second)

    def _asked(
        self, known: Mapping[str, t.Bool], settings: Mapping[str, bool], units: int, seed: int
    ) -> HornResult:
        """Return an invariant, if Spacer finds one with *units*; that of some stages is *known*
        already, and is taken as it is.
        """
        asked = (
            _as_clauses(self.system, known)
            if known
            else self._clauses or _as_clauses(self.system, {})
        )
        self._clauses = self._clauses if known else asked
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
                f"Spacer has not decided it within its budget{f': {why}' if len(why) < _LONG else ''}",
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


def _as_clauses(system: System, invariant: Mapping[str, t.Bool]) -> list[t.Bool]:
    """Return the Horn clauses of *system*, where *invariant* says what is kept at some stages."""
    open_ = {
        stage: relation(stage, cells)
        for stage, cells in system.cells.items()
        if stage not in invariant
    }
    known = {stage: _instance(said, system.cells[stage]) for stage, said in invariant.items()}
    return list(clauses(system, {**open_, **known}, t.FALSE))


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


def relation(stage: str, cells: tuple[t.Term, ...]) -> z3.FuncDeclRef:
    """Return the relation of *stage* over its *cells*."""
    return z3.Function(_relation_name(stage), *(cell.sort() for cell in cells), z3.BoolSort())


def clauses(system: System, relations: Mapping[str, Relation], broken: t.Bool) -> Iterator[t.Bool]:
    """Yield the Horn clauses of *system*: one for each step and each breach, which leads to
    *broken*.

    One for each way through a clause would do, and takes Spacer several times as long.
    """

    def at(stage: str, values: tuple[t.Term, ...]) -> t.Bool:
        there = relations[stage]
        return t.applied(there, values) if isinstance(there, z3.FuncDeclRef) else there(*values)

    def reached(source: str, condition: t.Bool) -> t.Bool:
        if source == START:
            return t.both(system.given, condition)
        return t.all_of((at(source, system.cells[source]), system.known[source], condition))

    for step in system.steps:
        body, head = reached(step.source, step.condition), at(step.target, step.after)
        if isinstance(relations[step.target], z3.FuncDeclRef):
            yield t.always_implies(body, head)
        else:
            yield t.always_implies(t.both(body, t.negation(head)), t.FALSE)
    for breach in system.breaches:
        yield t.always_implies(reached(breach.source, breach.condition), broken)


def _instance(said: t.Bool, cells: tuple[t.Term, ...]) -> Relation:
    """Return what is *said* over *cells* as a function of what is in them."""
    return lambda *values: t.replaced(said, cells, values)


def _invariant(meaning: object, cells: tuple[t.Term, ...]) -> t.Bool:
    """Return what Spacer says of a relation, over *cells*; true if it says nothing."""
    if not isinstance(meaning, z3.FuncInterp) or meaning.num_entries():
        return t.TRUE
    value = z3.substitute_vars(meaning.else_value().translate(z3.main_ctx()), *cells)
    assert isinstance(value, z3.BoolRef)
    return value
