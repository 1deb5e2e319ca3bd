"""Guesses: simple statements about the positions of each stage, and which of them are always true.

All guesses that are true where a play begins are kept as long as every move keeps them, and those that a move breaks
are dropped, until there is none (Flanagan and Leino, "Houdini, an annotation assistant for ESC/Java", FME 2001). What is
left is an invariant; whoever uses it proves it again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import z3

from ...models import ir
from . import terms as t
from .features import Feature
from .frame import Frame, PlayerSet
from .layout import Layout
from .obligations import Invariant
from .system import START, Step, System

EFFORT = 20_000_000
"""How much a solver may do for one move."""


def kept(system: System, guesses: Mapping[str, Sequence[t.Bool]]) -> Invariant:
    """Return which of *guesses* about each stage are always true, with what is known of it."""
    left = {stage: list(of_stage) for stage, of_stage in guesses.items()}
    by_source: dict[str, list[Step]] = {}
    for step in system.steps:
        by_source.setdefault(step.source, []).append(step)
    waiting = list(by_source)
    while waiting:
        source = waiting.pop(0)
        for step in by_source.get(source, []):
            if _drop(step, system, left) and step.target not in waiting:
                waiting.append(step.target)
    return {stage: t.all_of([known, *left[stage]]) for stage, known in system.known.items()}


def _drop(step: Step, system: System, left: dict[str, list[t.Bool]]) -> bool:
    """Drop the guesses about the target of *step* that it does not keep; return whether there were any."""
    solver = z3.SimpleSolver()
    solver.set("rlimit", EFFORT)
    solver.add(step.condition, system.given)
    if step.source != START:
        solver.add(system.known[step.source], *left[step.source])
    cells = tuple(zip(system.cells[step.target], step.after, strict=True))
    there = [(guess, z3.substitute(guess, *cells)) for guess in left[step.target]]
    dropped = False
    while there:
        solver.push()
        solver.add(z3.Not(z3.And([after for _, after in there])))
        answer = solver.check()
        if answer == z3.unsat:
            break
        model = solver.model() if answer == z3.sat else None
        solver.pop()
        true = [] if model is None else [pair for pair in there if z3.is_true(model.eval(pair[1], model_completion=True))]
        there, dropped = true, True
    if dropped:
        left[step.target] = [guess for guess, _ in there]
    return dropped


def guesses(layout: Layout, features: Sequence[Feature], system: System) -> dict[str, list[t.Bool]]:
    """Return what may be always true of each stage: of a feature that it is 0, or 1, or either wherever the formula is true."""
    bit = layout.bits[-1]
    found = {}
    for stage in system.cells:
        single = list(_of_stage(stage, layout, features))
        either = [t.negation(bit), *_turns(stage, layout)]
        found[stage] = [bit, t.negation(bit), *single, *(t.either(one, guess) for one, guess in product(either, single))]
    return found


def _turns(stage: str, layout: Layout) -> Iterator[t.Bool]:
    """Yield that a player whom the stage names is the active one, and that they are not."""
    frame = layout.frame(stage)
    active = frame.values[ir.ACTIVE]
    assert isinstance(active, z3.ArithRef)
    for seat in _seats(stage, frame, layout):
        yield t.equal(seat, active)
        yield t.negation(t.equal(seat, active))


def _seats(stage: str, frame: Frame, layout: Layout) -> list[t.Number]:
    """Return the players whom a position at *stage* names by its parameters."""
    parameters = layout.context.program.stage(stage).parameters
    values = [frame.locals[parameter.name] for parameter in parameters if isinstance(parameter.type, ir.PlayerType)]
    return [value for value in values if isinstance(value, z3.ArithRef)]


def _of_stage(stage: str, layout: Layout, features: Sequence[Feature]) -> Iterator[t.Bool]:
    frame = layout.frame(stage)
    seats = _seats(stage, frame, layout)
    for feature in features:
        term = feature.at(stage)
        if not z3.is_int_value(term) and feature.is_simple:
            yield term == 0
            yield term > 0
    for seat, value in product(seats, frame.values.values()):
        yield from _membership(seat, value, layout)


def _membership(seat: t.Number, value: object, layout: Layout) -> Iterator[t.Bool]:
    if isinstance(value, PlayerSet):
        inside = t.any_of(
            t.both(t.equal(seat, who), is_in) for who, is_in in zip(layout.context.players.tracked, value.members, strict=True)
        )
        yield inside
        yield t.negation(inside)
