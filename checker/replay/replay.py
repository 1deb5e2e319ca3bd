"""Replay: every trace is played again before anyone sees it.

In comes a trace that some engine calls a counterexample or a witness, out comes nothing, or a
`ReplayError`. Each move is asked of the interpreter again, and the formula is evaluated by its
definition (`reference.formulas.evaluate`), so that a mistake in a search, a monitor or an encoding cannot become a
verdict.
"""

from __future__ import annotations

from ...properties.formula import Property
from ..reference.formulas.evaluate import Evaluator
from ..reference.semantics.interpreter import Interpreter
from ..types.trace import SpotlitItem, Trace
from .for_ever import ReplayError, replay_for_ever
from .future import replay_future
from .growth import replay_growth


def replay(interpreter: Interpreter, trace: Trace, question: Property | None = None) -> None:
    """Raise `ReplayError` unless *trace* is a play, and its last moment decides *question* (which has no clause spotlights)."""
    _replay_moves(interpreter, trace)
    if question is None:
        return
    _check_spotlights(interpreter, trace, question)
    if question.mode == "enforce":
        return  # no play shows what can be enforced: the room of strategies plays its own
    if question.mode == "future":
        replay_future(interpreter, trace, question)
        return
    if question.mode == "progress":
        (replay_for_ever if trace.growth is None else replay_growth)(interpreter, trace, question)
        return
    last = len(trace.steps)
    found = Evaluator(interpreter, trace).holds(question.body, last)
    if found != (question.mode == "possible"):
        raise ReplayError(f"{question.name}: the formula is {'true' if found else 'false'} at moment {last} of the trace")


def _replay_moves(interpreter: Interpreter, trace: Trace) -> None:
    if trace.initial != interpreter.initial():
        raise ReplayError("the trace does not begin with the initial position")
    position = trace.initial
    for number, step in enumerate(trace.steps, 1):
        if (step.move, step.position) not in interpreter.moves(position).moves:
            raise ReplayError(f"move {number} of the trace, by clause {step.move.clause}, is not possible there")
        position = step.position


def _check_spotlights(interpreter: Interpreter, trace: Trace, question: Property) -> None:
    chosen = dict(trace.spotlights)
    if len(chosen) != len(trace.spotlights) or not chosen.keys() <= {spotlight.name for spotlight in question.spotlights}:
        raise ReplayError(f"{question.name}: the trace has other spotlights than the property")
    for spotlight in question.spotlights:
        who = chosen.get(spotlight.name)
        match spotlight.kind, who:
            case ("player", int(seat)) if 0 <= seat < interpreter.scope.players:
                pass
            case ("item", None):
                pass
            case ("item", SpotlitItem() as item) if _is_put(trace, item):
                pass
            case _:
                raise ReplayError(f"{question.name}: spotlight {spotlight.name} stands for {who}")
    items = [(who.since, who.event) for who in chosen.values() if isinstance(who, SpotlitItem)]
    if len(set(items)) != len(items):
        raise ReplayError(f"{question.name}: two spotlights stand for one item")


def _is_put(trace: Trace, item: SpotlitItem) -> bool:
    """Whether *item* is put on a zone where the trace says so."""
    if not 1 <= item.since <= len(trace.steps):
        return False
    events = trace.steps[item.since - 1].move.events
    return 0 <= item.event < len(events) and events[item.event].kind == "put" and events[item.event].item == item.item
