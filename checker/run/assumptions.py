"""Assumptions: how many of those that a property makes does it need? The fewest under which it
still holds within the scope.

Each choice of them is asked of the engine like a property of its own, those of fewer assumptions
first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from ...models.ir import Program
from ...models.words import join_words
from ...properties.formula import Given, Property
from ..types.budget import INTERRUPTED, BudgetSpentError, Meter
from ..types.engine import Engine
from ..types.verdict import Outcome, Verdict
from .check import check

_HOLD = (Outcome.HOLDS, Outcome.PROVED)


def with_fewest_assumptions(
    program: Program, verdicts: Sequence[Verdict], meter: Meter, engine: Engine
) -> list[Verdict]:
    """Return *verdicts*; each that holds under assumptions says which few of them it needs
    (`Verdict.does_with`).

    Verdicts for which *meter* leaves no time are returned as they are, and so are those that come
    after an interruption.
    """
    found = list(verdicts)
    try:
        for place, verdict in enumerate(found):
            if verdict.outcome in _HOLD and _assumptions(verdict.property):
                meter.begin(f"looking for assumptions, {verdict.property.name}")
                found[place] = replace(
                    verdict, does_with=_does_with(program, verdict, meter, engine)
                )
    except BudgetSpentError:
        pass
    except KeyboardInterrupt:
        meter.interrupted = True
    return found


def _does_with(program: Program, verdict: Verdict, meter: Meter, engine: Engine) -> str:
    """Return the fewest assumptions of *verdict*'s property with which it holds within its scope,
    in a sentence.
    """
    open_: list[str] = []
    for fewer in _choices(verdict.property):
        meter.count(len(open_), 1 << len(_assumptions(verdict.property)))
        (other,) = check(program, [fewer], verdict.scope, meter.left(), engine=engine)
        if other.reason == INTERRUPTED:
            raise KeyboardInterrupt
        if other.outcome in _HOLD:
            return f"It holds within the scope {_under(fewer)}{_open(open_)}."
        if other.outcome != Outcome.VIOLATED:
            open_.append(f"{_under(fewer)} it is {other.outcome}")
    if open_:
        return f"Whether it does with less is open{_open(open_)}."
    return "It takes all that is assumed: with less a play breaks it."


def _choices(question: Property) -> Iterator[Property]:
    """Yield *question* with fewer of its assumptions, those with the fewest first."""
    assumptions = _assumptions(question)
    for number in range(len(assumptions)):
        for chosen in combinations(assumptions, number):
            assuming = tuple(one for one in question.assuming if one in chosen)
            yield replace(
                question,
                assuming=assuming,
                given=tuple(one for one in question.given if one in chosen),
            )


def _assumptions(question: Property) -> tuple[str | Given, ...]:
    return (*question.assuming, *question.given) if question.mode in ("progress", "future") else ()


def _under(question: Property) -> str:
    """Return what *question* assumes, as a part of a sentence."""
    who = (
        [f"that {join_words(question.assuming)} act only finitely often"]
        if question.assuming
        else []
    )
    said = [*who, *(f"`{given.text}`" for given in question.given)]
    return f"assuming {join_words(said)}" if said else "without any assumption"


def _open(said: Sequence[str]) -> str:
    return f"; {join_words(said)}" if said else ""
