"""Growth: the replay of a play that goes on for ever with more items. The stretch is made again, repeatedly, in zones with room for it.

In comes a trace whose moves have been replayed, and the `progress` it is to break; out comes nothing, or a `ReplayError`. Each time
the same clauses have to be possible with the same owners and choices, and have to lead where they led, with as many items more as
the stretch adds. The formula has to be true at every moment, by its definition. `run.growth` says why that goes on.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from ...models import ir
from ...properties import formula as f
from ..reference.formulas.evaluate import Evaluator
from ..reference.semantics.interpreter import Interpreter
from ..reference.semantics.statements import item_rank
from ..types.position import Event, Position
from ..types.scope import Scope
from ..types.trace import Trace, TraceStep
from .for_ever import ReplayError, check_assumed, check_same, check_true

TIMES = 3
"""How many times the stretch is made after the first."""


def replay_growth(interpreter: Interpreter, trace: Trace, question: f.Property, times: int = TIMES) -> None:
    """Raise `ReplayError` unless the end of *trace* can be made *times* again, and *question*'s body stays true all along."""
    program, first, last = interpreter.program, trace.growth, len(trace.steps)
    if first is None or trace.loop is not None or not 0 <= first < last:
        raise ReplayError(f"{question.name}: the trace has no stretch that could be repeated")
    stretch = trace.steps[first:]
    check_assumed(interpreter, question, stretch)
    sizes = [
        (zone, size + times * len(after)) for (zone, size), after in zip(interpreter.scope.sizes, trace.positions[-1].zones, strict=True)
    ]
    roomy = Interpreter(program, Scope(interpreter.scope.players, tuple(sizes)))
    steps = list(trace.steps)
    for time in range(1, times + 1):
        for number, step in enumerate(stretch, first + 1):
            expected = _with_more(program, trace, step.position, time)
            again = _made_again(roomy, steps[-1].position, step, expected)
            if again is None:
                raise ReplayError(f"{question.name}: move {number} of the trace cannot be made again")
            steps.append(again)
    evaluator = Evaluator(roomy, replace(trace, steps=tuple(steps)))
    check_true(evaluator, question, range(first, len(steps) + 1))
    for time in range(times + 1):
        check_same(evaluator, question, first, first + time * len(stretch), by_zone=True)


def _made_again(interpreter: Interpreter, position: Position, step: TraceStep, expected: Position) -> TraceStep | None:
    """Return the move of *step* as it is made from *position*, if it leads to what is *expected*."""
    wanted = step.move
    for move, target in interpreter.moves(position).moves:
        is_same = (move.clause, move.owner, move.choices) == (wanted.clause, wanted.owner, wanted.choices)
        if is_same and target == expected and [*map(_of_event, move.events)] == [*map(_of_event, wanted.events)]:
            return TraceStep(move, target)
    return None


def _of_event(event: Event) -> Event:
    """Return *event* but for the numbers of its places."""
    return event._replace(at=0, to_at=0)


def _with_more(program: ir.Program, trace: Trace, position: Position, times: int) -> Position:
    """Return *position*, one of the stretch of *trace*, with what the stretch adds so many *times* more."""
    assert trace.growth is not None
    first, last = trace.positions[trace.growth], trace.positions[-1]
    rank = item_rank(program)
    zones = []
    for zone, base, items, after in zip(program.zones, first.zones, position.zones, last.zones, strict=True):
        if base == after:
            zones.append(items)
        elif zone.order == "unordered":
            more = (Counter(after) - Counter(base)).elements()
            zones.append(tuple(sorted([*items, *(item for item in more for _ in range(times))], key=rank)))
        else:
            zones.append((*base, *after[len(base) :] * times, *items[len(base) :]))
    return position._replace(zones=tuple(zones))
