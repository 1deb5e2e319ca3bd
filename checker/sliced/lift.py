"""Lifting: a play of a sliced game made again on the whole of it.

From alike positions there are alike moves, so whichever looks like the next one is made; should there be none, a slice leaves out what
matters, and no play is told.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from ..reference.semantics.interpreter import Interpreter
from ..types.position import Item, Move, Position
from ..types.trace import Trace, TraceStep
from .interpreter import SlicedInterpreter


def lifted(interpreter: Interpreter, trace: Trace) -> Trace:
    """Return a play of the whole game whose positions look like those of *trace*, a play of *interpreter*.

    A loop is gone round until everything is back.
    """
    if not isinstance(interpreter, SlicedInterpreter):
        return trace
    position = initial = interpreter.whole.initial()
    steps: list[TraceStep] = []
    for step in trace.steps:
        steps.append(_alike(interpreter, position, step))
        position = steps[-1].position
    if trace.loop is None:
        return replace(trace, initial=initial, steps=tuple(steps))
    ends = {initial if trace.loop == 0 else steps[trace.loop - 1].position: trace.loop}
    while position not in ends:
        ends[position] = len(steps)
        for step in trace.steps[trace.loop :]:
            steps.append(_alike(interpreter, position, step))
            position = steps[-1].position
    return replace(trace, initial=initial, steps=tuple(steps), loop=ends[position])


def _alike(interpreter: SlicedInterpreter, position: Position, step: TraceStep) -> TraceStep:
    """Return the move of *position* that looks like *step*, if possible with the same choices and steps: some may not matter."""
    wanted = step.move
    alike = [
        TraceStep(move, target)
        for move, target in interpreter.whole.moves(position).moves
        if _shape(move) == _shape(wanted) and interpreter.projection.of(target) == step.position
    ]
    if not alike:
        raise AssertionError(f"{wanted.clause} has no such move here: a slice leaves out what matters")
    return next((one for one in alike if _details(one.move) == _details(wanted)), alike[0])


def _shape(move: Move) -> Hashable:
    """Return what two moves have in common that differ only in what is dropped, as which step begins, and in choices that do not matter."""
    events = tuple((one.kind, one.zone, one.to_zone, one.player) for one in move.events if not one.sequence)
    return move.clause, move.owner, events


def _details(move: Move) -> Hashable:
    choices = tuple((one.by, one.what, None if isinstance(one.value, Item) else one.value) for one in move.choices)
    return choices, tuple((one.kind, one.sequence, one.step) for one in move.events)
