"""Replay of what goes on for ever: a lasso, or a play that ends.

In comes a trace whose moves have been replayed, and the `progress` it is to break; out comes
nothing, or a `ReplayError`. The loop is gone round three times and the formula is evaluated by its
definition at all these moments. If one round changes neither the position, nor a spotlit item's
place, nor the truth of any part of the formula that looks back, then all rounds after it are the
same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...properties import formula as f
from ...properties.parts import about, formulas
from ..reference.formulas.evaluate import Evaluator
from ..reference.lasso import acts
from ..reference.semantics.interpreter import Interpreter
from ..types.trace import Trace, TraceStep

ROUNDS = 3


class ReplayError(Exception):
    """A trace is not what an engine says it is: a mistake in this program, not in the ruleset."""


def replay_for_ever(interpreter: Interpreter, trace: Trace, question: f.Property) -> None:
    """Raise `ReplayError` unless *question*'s body is true to the end of *trace*, or for ever in
    its loop.
    """
    evaluator, last = gone_round(interpreter, trace, question), len(trace.steps)
    moments = (
        range(last, last + 1)
        if trace.loop is None
        else range(trace.loop, last + (ROUNDS - 1) * (last - trace.loop) + 1)
    )
    check_true(evaluator, question, moments)


def gone_round(interpreter: Interpreter, trace: Trace, question: f.Property) -> Evaluator:
    """Return the formulas of *trace*, `ROUNDS` times round its loop if it has one.

    Raises `ReplayError` unless it comes to the end of a play, or its loop is one that changes
    nothing and fits what *question* assumes.
    """
    last = len(trace.steps)
    if trace.loop is None:
        if interpreter.allowed(trace.positions[-1]):
            raise ReplayError(
                f"{question.name}: the trace ends at moment {last}, and the play does not"
            )
        return Evaluator(interpreter, trace)
    if not 0 <= trace.loop < last or trace.positions[trace.loop] != trace.positions[last]:
        raise ReplayError(f"{question.name}: the trace does not come back to moment {trace.loop}")
    loop = trace.steps[trace.loop :]
    check_assumed(interpreter, question, loop)
    evaluator = Evaluator(interpreter, replace(trace, steps=trace.steps + loop * (ROUNDS - 1)))
    check_same(evaluator, question, last, last + len(loop))
    return evaluator


def check_assumed(
    interpreter: Interpreter, question: f.Property, again: Sequence[TraceStep]
) -> None:
    """Check that in none of the steps that are made *again* and again anyone acts who *question*
    assumes to end.
    """
    for who in question.assuming:
        if any(acts(who, step.move, interpreter) for step in again):
            raise ReplayError(f"{question.name}: {who} act in what is repeated of the trace")


def check_true(evaluator: Evaluator, question: f.Property, moments: range) -> None:
    """Check that *question*'s body is true at all *moments*."""
    for moment in moments:
        if not evaluator.holds(question.body, moment):
            raise ReplayError(
                f"{question.name}: what is to go on is not so at moment {moment} of the trace"
            )


def check_same(
    evaluator: Evaluator, question: f.Property, first: int, second: int, *, by_zone: bool = False
) -> None:
    """Check that nothing that matters later differs between two moments with the same position, or
    *by_zone* with more items in one.
    """
    lives = [(life[first][1], life[second][1]) for life in evaluator.lives.values()]
    places = [(one and one[:1], other and other[:1]) for one, other in lives] if by_zone else lives
    looking_back = [part for part in formulas(question.body) if about(part) == "past"]
    parts = [part.operand if isinstance(part, f.Previously) else part for part in looking_back]
    truths = [(evaluator.holds(part, first), evaluator.holds(part, second)) for part in parts]
    if any(one != other for one, other in (*places, *truths)):
        raise ReplayError(
            f"{question.name}: a round of the trace's loop changes what the formula remembers"
        )
