"""Lifting: a play of a sliced game made again on the whole of it.

From alike positions there are alike moves, so whichever looks like the next one is made; should
there be none, a slice leaves out what matters, and no play is told.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from ..reference.semantics.interpreter import Interpreter
from ..types.position import Item, Move, Position
from ..types.trace import Trace, TraceStep
from .interpreter import SlicedInterpreter


def lifted(interpreter: Interpreter, trace: Trace) -> Trace:
    """Return a play of the whole game whose positions look like those of *trace*, a play of
    *interpreter*.

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


def lifted_round(
    interpreter: Interpreter, trace: Trace, again: tuple[int, int]
) -> tuple[Trace, tuple[int, int]]:
    """Return a play of the whole game likewise, in which what *trace* does between two moments can
    be made *again* and again.

    With it comes where that begins and ends in the new play.
    """
    if not isinstance(interpreter, SlicedInterpreter):
        return trace, again
    lasso = lifted(interpreter, replace(trace, steps=trace.steps[: again[1]], loop=again[0]))
    assert lasso.loop is not None
    steps = list(lasso.steps)
    for step in trace.steps[again[1] :]:
        steps.append(_alike(interpreter, steps[-1].position, step))
    return replace(lasso, steps=tuple(steps), loop=None), (lasso.loop, len(lasso.steps))


def _alike(interpreter: SlicedInterpreter, position: Position, step: TraceStep) -> TraceStep:
    """Return the move of *position* that looks like *step*, if possible with the same choices and
    steps: some may not matter.
    """
    wanted = step.move
    alike = [
        TraceStep(move, target)
        for move, target in interpreter.whole.moves(position).moves
        if _shape(interpreter, move) == _shape(interpreter, wanted)
        and interpreter.projection.project(target) == step.position
    ]
    if not alike:
        raise AssertionError(
            f"{wanted.clause} has no such move here: a slice leaves out what matters"
        )
    return next((one for one in alike if _details(one.move) == _details(wanted)), alike[0])


def _shape(interpreter: SlicedInterpreter, move: Move) -> Hashable:
    """Return what two moves have in common that differ only in what is dropped, as which step
    begins, and in choices that do not matter.
    """
    ordered = [zone.order != "unordered" for zone in interpreter.program.zones]

    def place(zone: int, at: int) -> tuple[int, int]:
        return zone, at if zone >= 0 and ordered[zone] else -1

    events = [
        (one.kind, place(one.zone, one.at), place(one.to_zone, one.to_at), one.player)
        for one in move.events
        if not one.sequence
    ]
    return move.clause, move.owner, tuple(events)


def _details(move: Move) -> Hashable:
    choices = tuple(
        (one.by, one.what, None if isinstance(one.value, Item) else one.value)
        for one in move.choices
    )
    return choices, tuple((one.kind, one.sequence, one.step) for one in move.events)
