"""The system: what is asked of Z3. A stage has cells, and rules lead from the cells of one stage to
those of the next.

In a rule everything but the cells of its source is free: what is chosen in the move, and what the
encoding does not know.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import z3

from ..position.weakenings import Weakening
from ..solver import terms as t

START = ""
"""The source of the rules by which a play begins."""


@dataclass(frozen=True)
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


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class Breach:
    """All ways of a *clause* from *source* to break the property: where *condition* holds.

    Without a clause, it is the position at *source* that breaks it.
    """

    clause: str
    source: str
    condition: t.Bool


@dataclass(frozen=True)
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
