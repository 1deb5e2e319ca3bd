"""Witnesses: for which values of cells that no move changes a System has a play that breaks the
property.

Spacer is asked for the values themselves: it derives a fact ``broken`` of them from the rules, and
what it derives on the way are the positions of a play. A plain solver then says for which other
values a play through the same stages does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import z3

from ..encoding.system import START, System, Transition
from ..safety.horn import SPACER, clauses, relation
from ..solver import terms as t

_BROKEN = "broken"
_UNITS = 5_000_000
"""How many units a solver may spend to find one more value."""

CellValues = tuple[int, ...]


@dataclass(frozen=True)
class Witness:
    """A play of the encoding that breaks the property where cells have *values*: the *stages* of
    its positions.
    """

    values: CellValues
    stages: tuple[str, ...]


def witness(system: System, cells: Sequence[t.Integer], units: int) -> Witness | None:
    """Return a play that breaks the property and what *cells*, which no move changes, are in it;
    None if so many *units* find none.
    """
    context = z3.Context()
    asked = z3.Fixedpoint(ctx=context)
    asked.set("engine", "spacer")
    asked.set("rlimit", units)
    for name, value in SPACER.items():
        asked.set(name, value)
    relations = {stage: relation(stage, of_stage) for stage, of_stage in system.cells.items()}
    broken = z3.Function(_BROKEN, *(cell.sort() for cell in cells), z3.BoolSort())
    for declared in (*relations.values(), broken):
        asked.register_relation(declared.translate(context))
    for clause in clauses(system, relations, broken(*cells)):
        asked.add_rule(clause.translate(context))
    found = z3.Exists(list(cells), broken(*cells)) if cells else broken()
    try:
        if asked.query(found.translate(context)) != z3.sat:
            return None
        return _witness_of(
            asked.get_answer(), {declared.name(): stage for stage, declared in relations.items()}
        )
    except z3.Z3Exception:
        return None


def _witness_of(derivation: z3.ExprRef, stages: dict[str, str]) -> Witness | None:
    """Return what a derivation says: its facts are the break, and before it the positions, the last
    one first.
    """
    values: CellValues | None = None
    passed: list[str] = []
    seen: set[int] = set()
    todo = [derivation]
    while todo:
        node = todo.pop()
        if node.get_id() in seen or not z3.is_app(node):
            continue
        seen.add(node.get_id())
        name = node.decl().name()
        if name == _BROKEN and all(z3.is_int_value(part) for part in node.children()):
            values = tuple(part.as_long() for part in node.children())
        elif name in stages:
            passed.append(stages[name])
        todo.extend(node.children())
    return None if values is None else Witness(values, tuple(reversed(passed)))


def values_of_play(
    system: System, cells: Sequence[t.Integer], found: Witness, most: int
) -> Iterator[CellValues]:
    """Yield the values of *cells* with which a play through the stages of *found* breaks the
    property, at *most* so many.
    """
    solver = z3.SimpleSolver()
    solver.set("rlimit", _UNITS)
    solver.add(system.given, *_play(system, found.stages))
    for _ in range(most):
        if solver.check() != z3.sat:
            return
        model = solver.model()
        values = tuple(model.eval(cell, model_completion=True).as_long() for cell in cells)
        yield values
        solver.add(
            t.any_of(
                t.negation(t.equal(cell, t.number(value)))
                for cell, value in zip(cells, values, strict=True)
            )
        )


def _play(system: System, stages: Sequence[str]) -> Iterator[t.Bool]:
    """Yield what makes a play through *stages* that ends with a breach."""
    source, named = START, _Named({}, "")
    for number, stage in enumerate(stages):
        there = {
            t.name_of(cell): z3.Const(f"{cell}@{number}", cell.sort())
            for cell in system.cells[stage]
        }
        ways = [step for step in system.steps if (step.source, step.target) == (source, stage)]
        yield t.any_of(_made(step, named, there) for step in ways)
        source, named = stage, _Named(there, f"@{number}")
    yield t.any_of(
        named.term(breach.condition) for breach in system.breaches if breach.source == source
    )


def _made(step: Transition, named: _Named, there: dict[str, t.Term]) -> t.Bool:
    cells = (
        t.equal(cell, named.term(after))
        for cell, after in zip(there.values(), step.after, strict=True)
    )
    return t.all_of([named.term(step.condition), *cells])


@dataclass(frozen=True)
class _Named:
    """What constants are called in a move: cells as in *cells*, whatever else there is with an
    *ending*; nothing changes without one.
    """

    cells: dict[str, t.Term]
    ending: str

    def term(self, term: Any) -> Any:
        """Return *term* with its constants called so."""
        new = (
            (one, self.cells.get(str(one), z3.Const(f"{one}{self.ending}", one.sort())))
            for one in t.constants_of(term)
        )
        return z3.substitute(term, *new) if self.ending else term
