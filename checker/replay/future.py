"""The replay of a play that breaks what is said of the future: by the definition, over the moments of the play, round and round.

In comes a trace whose moves have been replayed, and the `future` it is to break; out comes nothing, or a `ReplayError`. What is said of
single moments is evaluated along three rounds of the loop; if a round changes nothing that a later moment can see, all rounds after it are
the same, so the play is a word that ends in a word again and again. Nothing is guessed here, and nothing remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from ...properties import formula as f
from ..reference.formulas.evaluate import Evaluator
from ..reference.lasso import acts
from ..reference.semantics.interpreter import Interpreter
from ..types.trace import Trace
from .for_ever import ReplayError, check_same

ROUNDS = 3


def replay_future(interpreter: Interpreter, trace: Trace, question: f.Property) -> None:
    """Raise `ReplayError` unless *trace* fits what *question* assumes, and breaks it."""
    assert question.future is not None
    assert isinstance(question.body, f.And)
    last = len(trace.steps)
    if trace.loop is None:
        if interpreter.allowed(trace.positions[-1]):
            raise ReplayError(f"{question.name}: the trace ends at moment {last}, and the play does not")
        evaluator, moments = Evaluator(interpreter, trace), last + 1
    else:
        if not 0 <= trace.loop < last or trace.positions[trace.loop] != trace.positions[last]:
            raise ReplayError(f"{question.name}: the trace does not come back to moment {trace.loop}")
        loop = trace.steps[trace.loop :]
        if any(acts(who, step.move, interpreter) for who in question.assuming for step in loop):
            raise ReplayError(f"{question.name}: somebody acts in the loop of the trace who is assumed to end")
        evaluator = Evaluator(interpreter, replace(trace, steps=trace.steps + loop * (ROUNDS - 1)))
        check_same(evaluator, question, last, last + len(loop))
        moments = last + 1 + len(loop)
    truths = [tuple(evaluator.holds(part, moment) for part in question.body.parts) for moment in range(moments)]
    again = None if trace.loop is None else last + 1
    for given in question.given:
        if not true_along(given.formula, truths, again)[0]:
            raise ReplayError(f"{question.name}: the trace does not fit what is assumed: {given.text}")
    if true_along(question.future, truths, again)[0]:
        raise ReplayError(f"{question.name}: the formula is true at moment 0 of the trace")


def true_along(temporal: f.Temporal, truths: Sequence[Sequence[bool]], again: int | None) -> list[bool]:
    """Return at which moments *temporal* is true, its parts having the *truths* there: the definition.

    After the last moment comes number *again*, and so on for ever; with None the last moment is the last of all.
    """
    match temporal:
        case f.PartHolds(number):
            return [bool(truth[number]) for truth in truths]
        case f.Otherwise(operand):
            return [not true for true in true_along(operand, truths, again)]
        case f.Together(parts):
            columns = [true_along(part, truths, again) for part in parts]
            return [all(column[moment] for column in columns) for moment in range(len(truths))]
        case f.Until(left, right):
            lefts, rights = true_along(left, truths, again), true_along(right, truths, again)
            return [_comes(lefts, rights, moment, again) for moment in range(len(truths))]
        case _:
            assert_never(temporal)


def _comes(lefts: Sequence[bool], rights: Sequence[bool], moment: int, again: int | None) -> bool:
    """Whether, from *moment* on, something is right before something is not left."""
    met = set[int]()
    while moment not in met:
        if rights[moment]:
            return True
        if not lefts[moment]:
            return False
        met.add(moment)
        following = moment + 1 if moment + 1 < len(lefts) else again
        if following is None:
            return False
        moment = following
    return False
