"""Reasons why a play decides its question, and why a player had no window.

In: the play with its spotlights, and the property. Out: `Finding`, data. Nothing is known here but
the formula.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from ...checker.types.position import OVER
from ...checker.types.trace import SpotlitItem
from ...models import ir
from ...models.ir.analysis import passes
from ...models.words import join_words
from ...properties import formula as f
from ...properties.formula import Property
from ..naming import player_name
from .annotated import AnnotatedTrace
from .gaps import false_guards, nearest_words
from .origins import branch_parts, findings, parts_of, with_origin
from .play import Barred, Denial, Finding, Window
from .wording import comes_first


def denials_of(told: AnnotatedTrace, parts: Sequence[DecidingPart]) -> tuple[Denial, ...]:
    """Return the players who had no window, among those who by the deciding *parts* of the formula
    never had priority.
    """
    players = {
        player: _places_in(part)
        for part in reversed(parts)
        for player in _windows_in(part)
        if player in told.truth.seats
    }
    denials = [
        _denial(told, told.truth.seats[player], places)
        for player, places in reversed(players.items())
    ]
    return tuple(denial for denial in denials if denial is not None)


def _windows_in(part: DecidingPart) -> Iterator[str]:
    """Yield the players who, by *part*, had priority at no moment of a stretch of the play, or at
    none could do anything.
    """
    match part.formula:
        case f.Once(operand) | f.Since(_, operand) if not part.finding.holds:
            yield from _named_in(operand)
        case f.Since(left, _) if part.finding.holds:
            for node in ir.walk(left):
                if isinstance(node, f.Not):
                    yield from _named_in(node.operand)
        case _:
            pass


def _places_in(part: DecidingPart) -> tuple[f.On, ...]:
    """Return where, by *part*, items had to be while somebody has priority."""
    match part.formula:
        case f.Once(f.And(parts)) if not part.finding.holds:
            return tuple(one for one in parts if isinstance(one, f.On))
        case _:
            return ()


def _named_in(formula: f.Formula) -> Iterator[str]:
    """Yield the players of whom *formula* says, not that it is otherwise, that they have priority
    or may do something.
    """
    match formula:
        case f.And(parts) | f.Or(parts):
            for part in parts:
                yield from _named_in(part)
        case f.HasPriority(ir.Local(name)) | f.Enabled(ir.Local(name)):
            yield name
        case _:
            pass


def _denial(told: AnnotatedTrace, player: int, places: Sequence[f.On]) -> Denial | None:
    """Return why *player* had no priority while it counted, which is while items are at their
    *places*; None if they had.
    """
    first, subject = _period(told, player, places)
    last = told.last - 1
    positions = told.trace.positions
    if any(
        player in told.interpreter.priority(positions[moment]) for moment in range(first, last + 1)
    ):
        return None
    windows = [_window(told, moment) for moment in range(first, last + 1)]
    barred: dict[tuple[str, tuple[str, ...]], Barred] = {}
    for moment in range(first, last + 1):
        for one in (*_turned(told, moment, player), *_guarded(told, moment, player)):
            barred[one.clause, one.because] = one
    return Denial(player_name(player), first, last, subject, tuple(windows), tuple(barred.values()))


def _period(told: AnnotatedTrace, player: int, places: Sequence[f.On]) -> tuple[int, str]:
    """Return the first moment at which a window counted, and the item that it was about, if any.

    That is since the last spotlit item was put, or came to its place; where there is none, since
    the player last had priority.
    """
    spots = [
        (spot.since, name) for name, spot in told.trace.spotlights if isinstance(spot, SpotlitItem)
    ]
    if spots:
        since, name = max(spots)
        of_item = [place for place in places if place.item == name]
        came = (
            moment
            for moment in range(since, told.last)
            if all(told.holds(place, moment) for place in of_item)
        )
        return next(came, since), told.names[name]
    positions = told.trace.positions
    had = [
        moment
        for moment in range(told.last)
        if player in told.interpreter.priority(positions[moment])
    ]
    return (had[-1] + 1 if had else 0), ""


def _window(told: AnnotatedTrace, moment: int) -> Window:
    """Return who had priority at *moment*, and by which clause."""
    holders = sorted(told.interpreter.priority(told.trace.positions[moment]))
    clause = told.trace.steps[moment - 1].move.clause if moment else ""
    title = told.interpreter.clauses[clause].title if clause else ""
    return Window(moment, tuple(player_name(seat) for seat in holders), clause, title)


def _turned(told: AnnotatedTrace, moment: int, player: int) -> Iterator[Barred]:
    """Yield the conditions that sent the move after *moment* elsewhere than to *player*'s
    priority.
    """
    before = told.trace.positions[moment]
    clause = told.interpreter.clauses[told.trace.steps[moment].move.clause]
    for taken in told.branches_of(moment + 1):
        against = told.branches.against(before, taken, clause.id, player)
        if against is not None:
            words = told.words.condition(against, told.locals_at(moment + 1), held=taken.held)
            condition = told.closed(against, moment, clause.owner)
            yield Barred(
                moment + 1, clause.id, clause.title, (words,), moment + 1, clause.id, clause.title,
                findings(branch_parts(told, condition, moment + 1, held=taken.held)),
            )  # fmt: skip


def _guarded(told: AnnotatedTrace, moment: int, player: int) -> Iterator[Barred]:
    """Yield the clauses of the stage at *moment* that would have given *player* priority, with the
    part of the guard that is false.
    """
    position = told.trace.positions[moment]
    if position.stage == OVER:
        return
    by = told.interpreter.clauses[told.trace.steps[moment].move.clause]
    for clause, condition, above in false_guards(told, moment):
        if _is_other_deed(clause, by):
            continue
        if told.branches.unguarded_gives_priority(position, clause, player):
            words = told.words.condition(condition, told.parameters_at(moment), held=False)
            if above:
                words = comes_first("it" if above == by.id else above)
            parts = findings(parts_of(told, told.closed(condition, moment), moment))
            yield Barred(
                moment, clause.id, clause.title, (words,), moment + 1, by.id, by.title, parts
            )


def _is_other_deed(clause: ir.Clause, by: ir.Clause) -> bool:
    """Whether *by* was chosen over *clause* by the player whose deeds both are: then no guard of
    *clause* keeps anybody out.

    A deed shuts the other out only by a guard of its own, and if both are passes or none is.
    """
    is_chosen = clause.mode == by.mode == "may" and clause.owner == by.owner
    return is_chosen and (by.guard == ir.YES or passes(by.body) != passes(clause.body))


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
