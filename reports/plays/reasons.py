"""Reasons why a play decides its question; gaps, where no clause applies.

In: the play with its spotlights, and the property. Out: `Finding`, data. Nothing is known here but
the formula.

Gaps: where no clause applies, which one came nearest, and what stopped it.

A clause whose guard holds is run again by the reference interpreter, up to and past each of its
statements; the one that is reached and not passed stops it. If no guard holds, the clause with the
fewest conditions that are not met came nearest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ...checker.reference.semantics.interpreter import Interpreter
from ...checker.types.position import OVER, Position, SpotlitItem
from ...models import ir
from ...models.ir.analysis import Stopping, guard_parts, passes, stops_in, with_stops
from ...models.words import join_words
from ...properties import formula as f
from ...properties.formula import Property
from ..naming import player_name, players_words
from .annotated import AnnotatedTrace
from .origins import branch_parts, findings, parts_of, with_origin
from .play import Barred, Denial, Finding, Window
from .wording import comes_first

_MOST = 3
"""How many clauses are named at most."""
_FAR = ir.Literal(1_000_000)


def nearest_words(told: AnnotatedTrace, moment: int) -> str:
    """Return which clause of the stage at *moment* came nearest, and what stopped it; it ends a
    sentence that says that none applies.
    """
    stage = told.program.stage(told.trace.positions[moment].stage)
    missing = {
        clause.id: _missing(told, clause, moment)
        for clause in stage.clauses
        if clause.owner.variable is None
    }
    stopped = [
        (clause, _stop(told, clause, moment))
        for clause in stage.clauses
        if missing.get(clause.id) == []
    ]
    near = [(clause, f"{words}{_bars(clause, missing)}") for clause, words in stopped if words]
    if not near:
        least = min((len(parts) for parts in missing.values() if parts), default=0)
        near = [
            (c, f"but {join_words(parts)}")
            for c in stage.clauses
            if (parts := missing.get(c.id)) and len(parts) == least
        ]
    named = [(f"{clause.id} {clause.title}".rstrip(), words) for clause, words in near[:_MOST]]
    if len(near) < 2:
        return "".join(f"; {clause} comes nearest, {words}" for clause, words in named)
    more = f"; and {len(near) - _MOST} more" if len(near) > _MOST else ""
    return f"; nearest come {'; '.join(f'{clause}, {words}' for clause, words in named)}{more}"


def false_guards(told: AnnotatedTrace, moment: int) -> Iterator[tuple[ir.Clause, ir.Expr, str]]:
    """Yield the clauses of the stage at *moment* that do not apply, with the first false part of
    their guard.

    If that says that a clause above it in its block does not apply, with the id of that clause,
    which does.
    """
    position = told.trace.positions[moment]
    possible = {move.clause for move, _ in told.interpreter.allowed(position)}
    for clause in told.program.stage(position.stage).clauses:
        if (
            clause.id not in possible
            and clause.owner.variable is None
            and (false := _false_parts(told, clause, moment))
        ):
            yield clause, *false[0]


def _false_parts(told: AnnotatedTrace, clause: ir.Clause, moment: int) -> list[tuple[ir.Expr, str]]:
    """Return the parts of *clause*'s guard that are false at *moment*, as far as they can be asked:
    one may rely on those before.

    Each has the clause above it that applies because of it, as in `guard_parts`.
    """
    position = told.trace.positions[moment]
    names = tuple(parameter.name for parameter in told.program.stage(position.stage).parameters)
    false: list[tuple[ir.Expr, str]] = []
    for part, above in guard_parts(clause):
        try:
            holds = told.interpreter.evaluate(part, names)(position, position.arguments)
        except (IndexError, TypeError, RuntimeError):
            if not false:
                raise
            continue
        false += [] if holds else [(part, above)]
    return false


def _missing(told: AnnotatedTrace, clause: ir.Clause, moment: int) -> list[str]:
    """Return what is so, and must not be for *clause* to apply at *moment*, in words."""
    names = told.parameters_at(moment)
    false = _false_parts(told, clause, moment)
    words = [
        comes_first(above) if above else told.words.condition(part, names, held=False)
        for part, above in false
    ]
    return list(dict.fromkeys(words))


def _bars(clause: ir.Clause, missing: Mapping[str, Sequence[str]]) -> str:
    """Return, as the end of a sentence, which other clauses lack nothing but that *clause*, which
    is stopped, does not apply.
    """
    barred = [id_ for id_, words in missing.items() if words == [comes_first(clause.id)]]
    return (
        f"; {join_words(barred)} cannot be used, because {comes_first(clause.id)}" if barred else ""
    )


# ------------------------------------------------------------------ the statement that stops a move


def _stop(told: AnnotatedTrace, clause: ir.Clause, moment: int) -> str:
    """Return what stops *clause* at *moment*, where its guard holds; empty if nothing is found to
    stop it.
    """
    for number, stop in enumerate(stops_in(clause.body)):
        if _runs(told, clause, moment, number, past=False) and not _runs(
            told, clause, moment, number, past=True
        ):
            return _stopping_words(told, clause, stop, moment, number)
    return (
        "" if _runs(told, clause, moment, -1, past=True) else "but there is nobody who could use it"
    )


def _runs(
    told: AnnotatedTrace,
    clause: ir.Clause,
    moment: int,
    number: int,
    *,
    past: bool,
    program: ir.Program | None = None,
) -> list[Position]:
    """Return where *clause* leads at *moment*, in zones of any size, if it ends right before stop
    *number*, or *past* it.
    """

    def ended(at: int, stop: Stopping) -> ir.Block:
        return (stop,) if at != number else (stop, ir.GameOver()) if past else (ir.GameOver(),)

    alone = replace(clause, body=with_stops(clause.body, ended))
    rules = program or told.program
    here = told.trace.positions[moment]
    stages = tuple(
        replace(stage, clauses=(alone,) if stage.name == here.stage else ())
        for stage in rules.stages
    )
    return [
        after
        for _, after in Interpreter(replace(rules, stages=stages), told.interpreter.scope).allowed(
            here
        )
    ]


def _stopping_words(
    told: AnnotatedTrace, clause: ir.Clause, stop: Stopping, moment: int, number: int
) -> str:
    """Return in words what *stop*, statement *number* of *clause*, could not do at *moment*."""
    match stop:
        case ir.Assign():
            return _out_of_range(told, clause, stop, moment, number)
        case ir.ForEach():
            done = next((done for done in stop.body if isinstance(done, ir.Assign)), None)
            return "" if done is None else _out_of_range(told, clause, done, moment, number)
        case ir.Choose(_, ir.ItemsOn(zone)) if not told.trace.positions[moment].zones[
            [z.name for z in told.program.zones].index(zone)
        ]:
            return f"but {zone} is empty"
        case _:
            return f"but {told.words.stopped(stop, told.parameters_at(moment))}"


def _out_of_range(
    told: AnnotatedTrace, clause: ir.Clause, stop: ir.Assign, moment: int, number: int
) -> str:
    """Return which number *stop* would have made of its variable, and from where to where it
    goes.
    """
    declared = told.program.variable(stop.variable)
    assert isinstance(declared.type, ir.NumberType)
    low, high = (
        told.interpreter.expressions.constant(bound)
        for bound in (declared.type.low, declared.type.high)
    )
    free = replace(declared, type=ir.NumberType(ir.Subtract(ir.Literal(0), _FAR), _FAR))
    wide = replace(
        told.program,
        variables=tuple(free if one is declared else one for one in told.program.variables),
    )
    at = [one.name for one in told.program.variables].index(stop.variable)
    reached = [
        after.values[at] for after in _runs(told, clause, moment, number, past=True, program=wide)
    ]
    would = sorted({new for value in reached for new in _numbers(value) if not low <= new <= high})
    subject = declared.title or declared.name
    return (
        f"but {subject} would be {would[0]} and goes from {low} to {high}"
        if would
        else f"but {subject} goes from {low} to {high}"
    )


def _numbers(value: object) -> list[int]:
    """Return the numbers in *value*, of one variable or of one that each player has."""
    return [
        one for one in (value if isinstance(value, tuple) else (value,)) if isinstance(one, int)
    ]


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
    if any(player in told.holders_at(moment) for moment in range(first, last + 1)):
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
    had = [moment for moment in range(told.last) if player in told.holders_at(moment)]
    return (had[-1] + 1 if had else 0), ""


def _window(told: AnnotatedTrace, moment: int) -> Window:
    """Return who had priority at *moment*, and by which clause."""
    holders = sorted(told.holders_at(moment))
    by = told.clause_of(moment) if moment else None
    return Window(
        moment, tuple(map(player_name, holders)), by.id if by else "", by.title if by else ""
    )


def _turned(told: AnnotatedTrace, moment: int, player: int) -> Iterator[Barred]:
    """Yield the conditions that sent the move after *moment* elsewhere than to *player*'s
    priority.
    """
    before = told.trace.positions[moment]
    clause = told.clause_of(moment + 1)
    for taken in told.branches_of(moment + 1):
        against = told.branches.against(before, taken, clause.id, player)
        if against is not None:
            words = told.words.condition(against, told.locals_at(moment + 1), held=taken.held)
            yield Barred(
                moment + 1, clause.id, clause.title, (words,), moment + 1, clause.id, clause.title,
                findings(branch_parts(told, against, moment + 1, held=taken.held)),
            )  # fmt: skip


def _guarded(told: AnnotatedTrace, moment: int, player: int) -> Iterator[Barred]:
    """Yield the clauses of the stage at *moment* that would have given *player* priority, with the
    part of the guard that is false.
    """
    position = told.trace.positions[moment]
    if position.stage == OVER:
        return
    by = told.clause_of(moment + 1)
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
                words += f": {players_words(sorted(told.holders_at(moment)))}"
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


def _rivals(told: AnnotatedTrace, moment: int) -> str:
    """Return the clauses that demand different things at *moment*."""
    ids = dict.fromkeys(
        move.clause for move, _ in told.interpreter.allowed(told.trace.positions[moment])
    )
    clauses = [told.interpreter.clauses[clause] for clause in ids]
    return join_words([f"{c.id} ({c.title or c.mode})" for c in clauses if c.mode != "chance"])
