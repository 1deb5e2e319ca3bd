"""The inductive core: an invariant of a System -> the part of it that the proof needs.

Spacer's invariants hold more than the property asks for. The conjuncts that the property needs are
gathered, then those that these need to be kept, and so on (an inductive validity core in the sense
of Ghassabani, Gacek and Whalen, 2016): each question is put to a plain solver with one assumption
for each conjunct, and its unsat core, made smaller one by one, says which are needed. What is
always known of a stage's cells counts as one conjunct, which is always there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import z3

from ..encoding.obligations import Invariant
from ..encoding.system import START, Breach, System, Transition
from ..solver import terms as t

_UNITS = 20_000_000
"""How much a solver may do for one question; they take a thousandth of it."""


@dataclass(frozen=True)
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
