"""The three obligations of an invariant, each a question to a plain solver that has to answer no.

initial: a play can begin outside the invariant; consecution: a move can lead from inside it to outside;
property: a move from inside it, or the beginning, breaks the property. What is `known` of a stage's cells is part of the
invariant, so it is proved with the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

import z3

from . import terms as t
from .system import START, Rule, System

Obligation: TypeAlias = Literal["initial", "consecution", "property"]


@dataclass(frozen=True)
class Failure:
    """An *obligation* that is not met, by the rule of *clause* (empty for the beginning), and what the solver said."""

    obligation: Obligation
    clause: str
    answer: str


def complete(system: System, invariant: Mapping[str, t.Bool]) -> dict[str, t.Bool]:
    """Return *invariant* with what is known of every stage."""
    return {stage: t.both(known, invariant[stage]) for stage, known in system.known.items()}


def first_failure(system: System, invariant: Mapping[str, t.Bool], effort: int) -> Failure | None:
    """Return the first obligation that *invariant* does not meet, None if it meets all of them."""
    for rule in system.rules:
        for obligation, query in queries(rule, system, invariant):
            answer = ask(query, effort)
            if answer != z3.unsat:
                return Failure(obligation, rule.clause, str(answer))
    return None


def queries(rule: Rule, system: System, invariant: Mapping[str, t.Bool]) -> list[tuple[Obligation, t.Bool]]:
    """Return what must not be satisfiable for *rule*."""
    path = rule.condition if rule.source == START else t.both(invariant[rule.source], rule.condition)
    found: list[tuple[Obligation, t.Bool]] = []
    if rule.target:
        there = z3.substitute(invariant[rule.target], *zip(system.cells[rule.target], rule.cells, strict=True))
        found.append(("initial" if rule.source == START else "consecution", t.both(path, t.negation(there))))
    if not t.is_false(rule.bad):
        found.append(("property", t.both(path, rule.bad)))
    return found


def ask(query: t.Bool, effort: int) -> z3.CheckSatResult:
    """Return what a fresh plain solver says of *query*."""
    solver = z3.SimpleSolver()
    solver.set("rlimit", effort)
    solver.add(query)
    return solver.check()
