"""Windows: why a player had none, where a property is about that: who had priority instead, and
which clause took it away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...checker.types.position import OVER
from ...checker.types.trace import SpotlitItem
from ...models import ir
from ...models.ir.analysis import passes
from ...properties import formula as f
from ..naming import player_name
from .annotated import AnnotatedTrace
from .gaps import false_guards
from .origins import branch_parts, findings, parts_of
from .play import Barred, Denial, Window
from .reasons import DecidingPart
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
