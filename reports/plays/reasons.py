"""Reasons why a play decides its question: the parts of the formula that count, and since when each
of them is as it is.

In: the play with its spotlights, and the property. Out: `Finding`, data. Nothing is known here but
the formula.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from ...models import ir
from ...models.words import join_words
from ...properties import formula as f
from ...properties.formula import Property
from ..naming import player_name
from .annotated import AnnotatedTrace
from .gaps import nearest_words
from .origins import with_origin
from .play import Finding

_EVENTS = (f.ItemEvent, f.PlayerEvent, f.SequenceEvent)


class DecidingPart(NamedTuple):
    """A part of a formula that decides at *moment*, and what is found of it."""

    formula: f.Formula
    moment: int
    finding: Finding


def deciding_parts(told: AnnotatedTrace, question: Property) -> list[DecidingPart]:
    """Return the parts of *question* that decide at the last moment, each once."""
    if question.mode == "future" or question.is_of_clauses:
        return []  # of what comes no moment decides by itself
    return list(dict.fromkeys(_deciding(told, told.words.simplified(question.body), told.last)))


def _deciding(told: AnnotatedTrace, formula: f.Formula, moment: int) -> Iterator[DecidingPart]:
    """Yield the parts of *formula* that make it true or false at *moment*; nothing of what can
    never be otherwise.
    """
    holds = told.truth.holds(formula, moment)
    match formula:
        case f.Holds(ir.Literal()) | f.Not(f.Holds(ir.Literal())):
            return
        case f.And(parts) | f.Or(parts):
            decisive = isinstance(formula, f.Or) == holds
            deciding = [
                part for part in parts if not decisive or told.truth.holds(part, moment) == holds
            ]
            happens = any(isinstance(part, _EVENTS) for part in deciding)
            for part in deciding:
                # Where something happens, what does not happen with the same move needs no telling.
                if not (
                    happens
                    and holds
                    and isinstance(part, f.Not)
                    and isinstance(part.operand, _EVENTS)
                ):
                    yield from _deciding(told, part, moment)
        case f.Not(f.Holds() | f.HasPriority(None) | f.ItemEvent("is put on") | f.On()) if holds:
            yield _part(told, formula, moment, holds)
        case f.Not(operand):
            yield from _deciding(told, operand, moment)
        case f.Previously(operand) if moment > 0:
            yield from _deciding(told, operand, moment - 1)
        case f.Once(operand) if holds:
            yield from _deciding(told, operand, _latest(told, operand, moment))
        case f.Since():
            yield from _since(told, formula, moment, holds)
        case f.Once(operand):
            words = told.words.formula(operand, told.names_at(moment, operand))
            yield DecidingPart(
                formula, moment, Finding(f"{words}, now or at any moment before", False)
            )
        case _:
            yield _part(told, formula, moment, holds)


def _since(
    told: AnnotatedTrace, formula: f.Since, moment: int, holds: bool
) -> Iterator[DecidingPart]:
    """Yield when what *formula* begins with was last so, and what has or has not been so ever
    since.
    """
    left, right = formula.left, formula.right
    since = next(
        (earlier for earlier in range(moment, -1, -1) if told.truth.holds(right, earlier)), None
    )
    if since is None:
        words = told.words.formula(right, told.names_at(moment))
        yield DecidingPart(formula, moment, Finding(f"{words}, now or at any moment before", False))
        return
    yield from _deciding(told, right, since)
    if holds and since < moment:
        words = told.words.formula(left, told.names_at(moment))
        yield DecidingPart(formula, moment, Finding(f"ever since: {words}", True))
    elif not holds:
        broken = next(
            later for later in range(since + 1, moment + 1) if not told.truth.holds(left, later)
        )
        for part in _deciding(told, left, broken):
            yield part._replace(
                finding=replace(part.finding, text=f"after that, {part.finding.text}")
            )


def _latest(told: AnnotatedTrace, formula: f.Formula, moment: int) -> int:
    """Return the last moment up to *moment* at which *formula* is true; there is one."""
    return next(earlier for earlier in range(moment, -1, -1) if told.truth.holds(formula, earlier))


def _part(told: AnnotatedTrace, formula: f.Formula, moment: int, holds: bool) -> DecidingPart:
    words = told.words.formula(formula, told.names_at(moment, formula))
    if holds:
        match formula:
            case f.HasPriority(None):
                words += f": {_holders(told, moment)}"
            case f.Conflict():
                words += f": {_rivals(told, moment)}"
            case f.Gap():
                words += nearest_words(told, moment)
            case _:
                pass
    finding = Finding(words, holds, None if moment == told.last else moment)
    stated = formula.operand if isinstance(formula, f.Not) else formula
    if isinstance(stated, f.Holds | f.HasPriority | f.On | f.IsNext | f.AtStage):
        finding = with_origin(told, finding, formula, moment)
    return DecidingPart(formula, moment, finding)


def _holders(told: AnnotatedTrace, moment: int) -> str:
    return join_words(
        [
            player_name(seat)
            for seat in sorted(told.interpreter.priority(told.trace.positions[moment]))
        ]
    )


def _rivals(told: AnnotatedTrace, moment: int) -> str:
    """Return the clauses that demand different things at *moment*."""
    ids = dict.fromkeys(
        move.clause for move, _ in told.interpreter.allowed(told.trace.positions[moment])
    )
    clauses = [told.interpreter.clauses[clause] for clause in ids]
    return join_words([f"{c.id} ({c.title or c.mode})" for c in clauses if c.mode != "chance"])
