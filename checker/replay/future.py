"""The replay of a play that breaks what is said of the future: by the definition, over the moments of the play, round and round.

In comes a trace whose moves have been replayed, and the `future` it is to break; out comes nothing, or a `ReplayError`. What is said of
single moments is evaluated along three rounds of the loop; if a round changes nothing that a later moment can see, all rounds after it are
the same, so the play is a word that ends in a word again and again. Nothing is guessed here, and nothing remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from ...properties import formula as f
from ..reference.semantics.interpreter import Interpreter
from ..types.trace import Trace
from .for_ever import ReplayError, gone_round


def replay_future(interpreter: Interpreter, trace: Trace, question: f.Property) -> None:
    """Raise `ReplayError` unless *trace* fits what *question* assumes, and breaks it."""
    assert question.future is not None
    assert isinstance(question.body, f.And)
    evaluator, last = gone_round(interpreter, trace, question), len(trace.steps)
    moments = last + 1 if trace.loop is None else last + 1 + (last - trace.loop)
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
