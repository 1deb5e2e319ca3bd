"""The obligations of an invariant and of a ranking, each a question to a plain solver that has to
answer no.

initial: a play can begin outside the invariant; consecution: a move can lead from inside it to
outside; property: a move from inside it, or the beginning, breaks the property. What is `known` of
a stage's cells is part of the invariant, so it is proved with the rest. Of a ranking, bounded: one
of its numbers is below 0 at a position inside the invariant; descent: a move that may be made again
and again, from inside it, does not make the first number less that it changes; patience: such a
move, without which another has to be made, makes the first number more that it changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import z3

from ..solver import terms as t
from .system import START, System, Transition

Duty: TypeAlias = Literal["initial", "consecution", "property", "bounded", "descent", "patience"]
Invariant: TypeAlias = Mapping[str, t.Bool]
"""What holds of the cells of each stage."""
RECHECK = 200_000_000
"""How many units a solver may spend on one obligation; it needs a thousandth of it."""


@dataclass(frozen=True)
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


@dataclass(frozen=True)
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
                goal=t.all_of(t.at_most(t.number(0), rank) for rank in self.at_stage(stage)),
            )
        for step in self.steps:
            less = is_less(self.after(step, system), self.at_stage(step.source))
            yield Obligation(
                "descent", step.clause, step.source, step.target, step.condition, step.after, less
            )
        for step in self.patient:
            at_most = is_less(self.after(step, system), self.at_stage(step.source), or_same=True)
            yield Obligation(
                "patience",
                step.clause,
                step.source,
                step.target,
                step.condition,
                step.after,
                at_most,
            )


def is_less(
    after: Sequence[t.Integer], before: Sequence[t.Integer], *, or_same: bool = False
) -> t.Bool:
    """Return that the numbers *after* are less than those *before*, *or_same*, in the order in
    which the first that differs counts.
    """
    answer = t.TRUE if or_same else t.FALSE
    for new, old in reversed(list(zip(after, before, strict=True))):
        answer = t.either(t.less(new, old), t.both(t.equal(new, old), answer))
    return answer


@dataclass(frozen=True)
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
        duty: Duty = "initial" if step.source == START else "consecution"
        yield Obligation(duty, step.clause, step.source, step.target, step.condition, step.after)
    for breach in system.breaches:
        yield Obligation("property", breach.clause, breach.source, "", breach.condition)
    if descent is not None:
        yield from descent.obligations(system)


def first_failure(
    system: System, invariant: Invariant, units: int, descent: Descent | None = None
) -> Failure | None:
    """Return the first obligation that *invariant*, with the ranks of *descent*, does not meet;
    None if they meet all of them.

    One plain solver is asked one after the other, and forgets each before the next.
    """
    solver = z3.SimpleSolver()
    solver.set("rlimit", units)
    for obligation in obligations(system, descent):
        solver.push()
        solver.add(obligation.query(system, invariant))
        answer = solver.check()
        solver.pop()
        if answer != z3.unsat:
            return Failure(obligation, str(answer))
    return None


def ask_solver(query: t.Bool, units: int) -> z3.CheckSatResult:
    """Return what a fresh plain solver says of *query* with *units* units."""
    solver = z3.SimpleSolver()
    solver.set("rlimit", units)
    solver.add(query)
    return solver.check()
