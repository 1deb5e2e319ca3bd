"""The system that Z3 is asked about, and the obligations of an invariant and of a ranking.

In a rule everything but the cells of its source is free: what is chosen in the move, and what the
encoding does not know.

The obligations of an invariant and of a ranking, each a question to a plain solver that has to
answer no.

initial: a play can begin outside the invariant; consecution: a move can lead from inside it to
outside; property: a move from inside it, or the beginning, breaks the property. What is `known` of
a stage's cells is part of the invariant, so it is proved with the rest. Of a ranking, bounded: one
of its numbers is below 0 at a position inside the invariant; descent: a move that may be made again
and again, from inside it, does not make the first number less that it changes; patience: such a
move, without which another has to be made, makes the first number more that it changes.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Literal, TypeAlias

import z3

from ....models.frozen import frozen
from ...types.budget import Meter
from ..position.weakenings import Weakening
from ..solver import terms as t
from ..solver.terms import ZERO

Duty: TypeAlias = Literal["initial", "consecution", "property", "bounded", "descent", "patience"]
Invariant: TypeAlias = Mapping[str, t.Bool]
"""What holds of the cells of each stage."""
RECHECK = 200_000_000
"""How many units a solver may spend on one obligation; it needs a thousandth of it."""


@frozen
class Obligation:
    """What must not be: a *duty* of *clause* (empty for the beginning), from *source* to *target*
    where it leads anywhere.

    It is not met if *condition* holds of some cells for which *source* keeps the invariant and
    *goal* is not true; the goal of initial and consecution is the invariant of *target*, of the
    cells *after* the move, and that of property can never be true.
    """

    duty: Duty
    clause: str
    source: str
    target: str
    condition: t.Bool
    after: tuple[t.Term, ...] = ()
    goal: t.Bool = t.FALSE

    def query(self, system: System, invariant: Invariant) -> t.Bool:
        """Return what must not be satisfiable."""
        before = system.given if self.source == START else invariant[self.source]
        there = self.goal
        if self.duty in ("initial", "consecution"):
            there = t.replaced(invariant[self.target], system.cells[self.target], self.after)
        return t.all_of((before, self.condition, t.negation(there)))


@frozen
class Descent:
    """The *steps* that may be taken again and again, and the *ranks*: of each number its terms over
    the cells of the stages.

    The ranks are in their order: each step has to make the first that it changes less. One that is
    *patient* need not change any.
    """

    steps: tuple[Transition, ...]
    ranks: tuple[Mapping[str, t.Integer], ...]
    patient: tuple[Transition, ...]

    @property
    def stages(self) -> list[str]:
        """The stages whose positions the obligations speak of."""
        return list(
            dict.fromkeys(
                stage
                for step in (*self.steps, *self.patient)
                for stage in (step.source, step.target)
            )
        )

    def at_stage(self, stage: str) -> list[t.Integer]:
        """Return the ranks of a position at *stage*."""
        return [rank[stage] for rank in self.ranks]

    def after(self, step: Transition | Obligation, system: System) -> list[t.Integer]:
        """Return the ranks of the position that *step* leads to."""
        return [
            t.replaced(rank, system.cells[step.target], step.after)
            for rank in self.at_stage(step.target)
        ]

    def obligations(self, system: System) -> Iterator[Obligation]:
        """Yield what the ranks have to do: to be never below 0, and to grow less in every step."""
        for stage in dict.fromkeys(
            step.source for step in (*self.steps, *self.patient) if self.ranks
        ):
            yield Obligation(
                "bounded",
                "",
                stage,
                "",
                t.TRUE,
                goal=t.all_of(t.at_most(ZERO, rank) for rank in self.at_stage(stage)),
            )
        for step in self.steps:
            yield step.obligation("descent", self._sinks(step, system))
        for step in self.patient:
            yield step.obligation("patience", self._sinks(step, system, or_stays=True))

    def _sinks(self, step: Transition, system: System, *, or_stays: bool = False) -> t.Bool:
        """Return that *step* makes less, *or_stays*, the first rank that it changes."""
        answer, before = t.truth(or_stays), self.at_stage(step.source)
        for new, old in reversed([*zip(self.after(step, system), before, strict=True)]):
            answer = t.either(t.less(new, old), t.both(t.equal(new, old), answer))
        return answer


@frozen
class Failure:
    """An *obligation* that is not met, and what the solver said."""

    obligation: Obligation
    answer: str


def complete(system: System, invariant: Invariant) -> dict[str, t.Bool]:
    """Return *invariant* with what is known of every stage."""
    return {stage: t.both(known, invariant[stage]) for stage, known in system.known.items()}


def obligations(system: System, descent: Descent | None = None) -> Iterator[Obligation]:
    """Yield what an invariant of *system* has to do, and the ranks of *descent*, if there are
    any.
    """
    for step in system.steps:
        yield step.obligation("initial" if step.source == START else "consecution")
    for breach in system.breaches:
        yield Obligation("property", breach.clause, breach.source, "", breach.condition)
    if descent is not None:
        yield from descent.obligations(system)


def first_failure(
    system: System,
    invariant: Invariant,
    units: int,
    descent: Descent | None = None,
    **settings: int,
) -> Failure | None:
    """Return the first obligation that *invariant*, with the ranks of *descent*, does not meet;
    None if they meet all of them.

    One plain solver with *settings* of Z3 is asked one after the other, and forgets each before the
    next.
    """
    solver = z3.SimpleSolver()
    solver.set(rlimit=units, **settings)
    for obligation in obligations(system, descent):
        solver.push()
        solver.add(obligation.query(system, invariant))
        answer = solver.check()
        solver.pop()
        if answer != z3.unsat:
            return Failure(obligation, str(answer))
    return None


def breaks_nothing(system: System, invariant: Invariant, meter: Meter) -> bool:
    """Whether no move from inside *invariant*, and no position inside it, breaks the property."""
    before = {START: system.given, **invariant}
    return all(
        ask_solver(t.both(before[one.source], one.condition), meter.allow(RECHECK)) == z3.unsat
        for one in system.breaches
    )


def ask_solver(query: t.Bool, units: int) -> z3.CheckSatResult:
    """Return what a fresh plain solver says of *query* with *units* units."""
    solver = z3.SimpleSolver()
    solver.set("rlimit", units)
    solver.add(query)
    return solver.check()


START = ""
"""The source of the rules by which a play begins."""


@frozen
class Rule:
    """A way to make a move: where *condition* holds of the cells of *source*, those of *target*
    become *cells*.

    *bad* is the part of the condition under which the move breaks the property; the move leads on
    nevertheless. *target* is empty where the game is over, *source* and *clause* where a play
    begins.
    """

    clause: str
    source: str
    target: str
    condition: t.Bool
    cells: tuple[t.Term, ...]
    bad: t.Bool


@frozen
class Transition:
    """All ways of a *clause* from *source* to *target*: where *condition* holds, the cells of
    *target* become *after*.

    Where no way changes a cell it is itself in *after*, else a new constant that *condition* speaks
    of.
    """

    clause: str
    source: str
    target: str
    condition: t.Bool
    after: tuple[t.Term, ...]

    def obligation(self, duty: Duty, goal: t.Bool = t.FALSE) -> Obligation:
        """Return the obligation that it has by *duty*."""
        return Obligation(
            duty, self.clause, self.source, self.target, self.condition, self.after, goal
        )


@frozen
class Breach:
    """All ways of a *clause* from *source* to break the property: where *condition* holds.

    Without a clause, it is the position at *source* that breaks it.
    """

    clause: str
    source: str
    condition: t.Bool


@frozen
class System:
    """The *cells* of every stage, what is *known* of them, and the *rules*.

    *of_stages* are the positions that break the property by themselves. *weakenings* are what the
    encoding had to forget, *names* the values that numbers stand for. *given* is what is assumed of
    cells that no move changes, where a play begins.
    """

    cells: dict[str, tuple[t.Term, ...]]
    known: dict[str, t.Bool]
    rules: tuple[Rule, ...]
    of_stages: tuple[Breach, ...]
    weakenings: frozenset[Weakening]
    names: dict[int, str]
    given: t.Bool = t.TRUE

    def is_same(self, other: System) -> bool:
        """Whether *other* has the same rules, breaches and knowledge."""
        return self._terms == other._terms

    @cached_property
    def _terms(self) -> tuple[object, ...]:
        """All that is said, by where Z3 has it."""
        known = tuple((stage, term.ast.value) for stage, term in self.known.items())
        rules = tuple(
            (
                rule.clause,
                rule.source,
                rule.target,
                *(term.ast.value for term in (rule.condition, rule.bad, *rule.cells)),
            )
            for rule in self.rules
        )
        return (
            known,
            rules,
            tuple((breach.source, breach.condition.ast.value) for breach in self.of_stages),
            self.given.ast.value,
        )

    @cached_property
    def steps(self) -> tuple[Transition, ...]:
        """The rules, those of one clause between the same stages joined."""
        return self.merged_rules(self.rules)

    def merged_rules(
        self, rules: Iterable[Rule], needed: Mapping[str, Container[int]] | None = None
    ) -> tuple[Transition, ...]:
        """Return *rules* between the stages of this system, those of one clause between the same
        stages joined.

        Of each target only the *needed* cells, by their places, get a value that the condition
        speaks of; without it, all do.
        """
        groups: dict[tuple[str, str, str], list[Rule]] = {}
        for rule in rules:
            if rule.target:
                groups.setdefault((rule.source, rule.clause, rule.target), []).append(rule)
        return tuple(
            self._merged_step(alike, None if needed is None else needed[alike[0].target])
            for alike in groups.values()
        )

    @cached_property
    def breaches(self) -> tuple[Breach, ...]:
        """How the property can be broken, those of one clause at one stage joined."""
        groups: dict[tuple[str, str], list[t.Bool]] = {}
        for rule in self.rules:
            bad = t.both(rule.condition, rule.bad)
            if not t.is_false(bad):
                groups.setdefault((rule.source, rule.clause), []).append(bad)
        return (
            *(Breach(clause, source, t.any_of(bad)) for (source, clause), bad in groups.items()),
            *self.of_stages,
        )

    def _merged_step(self, rules: list[Rule], needed: Container[int] | None) -> Transition:
        first, cells = rules[0], self.cells[rules[0].target]
        same = [
            all(t.is_same(rule.cells[place], cell) for rule in rules)
            for place, cell in enumerate(cells)
        ]
        after = tuple(
            cell if kept else z3.Const(f"{t.name_of(cell)}'", cell.sort())
            for cell, kept in zip(cells, same, strict=True)
        )
        left_out = [
            kept or (needed is not None and place not in needed) for place, kept in enumerate(same)
        ]
        return Transition(
            first.clause,
            first.source,
            first.target,
            t.any_of(_changes(rules, after, left_out)),
            after,
        )


def _changes(rules: list[Rule], after: tuple[t.Term, ...], same: list[bool]) -> Iterator[t.Bool]:
    for rule in rules:
        new = (
            t.equation(cell, value)
            for cell, value, kept in zip(after, rule.cells, same, strict=True)
            if not kept
        )
        yield t.all_of([rule.condition, *new])
