"""The three obligations of an invariant, each a question to a plain solver that has to answer no.

initial: a play can begin outside the invariant; consecution: a move can lead from inside it to outside;
property: a move from inside it, or the beginning, breaks the property. What is `known` of a stage's cells is part of the
invariant, so it is proved with the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

import z3

from . import terms as t
from .system import START, System

Duty: TypeAlias = Literal["initial", "consecution", "property"]
Invariant: TypeAlias = Mapping[str, t.Bool]
"""What holds of the cells of each stage."""
RECHECK = 200_000_000
"""How much a solver may do for one obligation; it needs a thousandth of it."""


@dataclass(frozen=True)
class Obligation:
    """What must not be: a *duty* of *clause* (empty for the beginning), from *source* to *target* where it leads anywhere.

    It is not met if *condition* holds of some cells for which *source* keeps the invariant and *after* does not.
    """

    duty: Duty
    clause: str
    source: str
    target: str
    condition: t.Bool
    after: tuple[t.Term, ...] = ()

    def query(self, system: System, invariant: Invariant) -> t.Bool:
        """Return what must not be satisfiable."""
        before = system.given if self.source == START else invariant[self.source]
        there = t.FALSE
        if self.target:
            there = z3.substitute(invariant[self.target], *zip(system.cells[self.target], self.after, strict=True))
        return t.all_of((before, self.condition, t.negation(there)))


@dataclass(frozen=True)
class Failure:
    """An *obligation* that is not met, and what the solver said."""

    obligation: Obligation
    answer: str


def complete(system: System, invariant: Invariant) -> dict[str, t.Bool]:
    """Return *invariant* with what is known of every stage."""
    return {stage: t.both(known, invariant[stage]) for stage, known in system.known.items()}


def obligations(system: System) -> Iterator[Obligation]:
    """Yield what an invariant of *system* has to do."""
    for step in system.steps:
        duty: Duty = "initial" if step.source == START else "consecution"
        yield Obligation(duty, step.clause, step.source, step.target, step.condition, step.after)
    for breach in system.breaches:
        yield Obligation("property", breach.clause, breach.source, "", breach.condition)


def first_failure(system: System, invariant: Invariant, effort: int) -> Failure | None:
    """Return the first obligation that *invariant* does not meet, None if it meets all of them."""
    for obligation in obligations(system):
        answer = ask(obligation.query(system, invariant), effort)
        if answer != z3.unsat:
            return Failure(obligation, str(answer))
    return None


def ask(query: t.Bool, effort: int) -> z3.CheckSatResult:
    """Return what a fresh plain solver says of *query*."""
    solver = z3.SimpleSolver()
    solver.set("rlimit", effort)
    solver.add(query)
    return solver.check()
