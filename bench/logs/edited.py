"""Engines that play an edit of the rules: whether it can be seen, and whether it is."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest
from typing import Any

from stacklaw.checker.conform.events import LogEvent, made
from stacklaw.checker.conform.monitor import ProgramMonitor
from stacklaw.checker.conform.showing import LogStyle
from stacklaw.checker.mutate.edits.edits import Edit, edits_of
from stacklaw.checker.scenarios.steps import Scenario
from stacklaw.checker.scenarios.suite import make_suite
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.scope import make_scope
from stacklaw.models import ir
from stacklaw.models.load import load_rules

from .brute import Brute, first_unexplained, log_of, told

PLAYERS = 2
_EVERY = 7
"""Of a game, one edit in this many is tried first, as edits of a kind lie beside each other."""
_MOST, _MOST_DRIVEN = 3_000, 40_000
"""At most this many positions are looked at: for whether an edit can be seen, and for driven plays.
"""
_QUIET = 0.85
_STEPS = 60
_SIZES = (2, 1)
"""At most this many items lie on a zone: fewer where there are too many positions for all plays."""


def edits_told(games: Sequence[str], first: int) -> Iterator[dict[str, Any]]:
    """Yield what comes of edit after edit, of one game after the other: whether brute force sees
    it, and whether driven plays, and as many events of plays at random, show it; each at the event
    where brute force names it.
    """
    rows = zip_longest(*(_mixed(edits_of(load_rules(game))) for game in games))
    todo = (
        (game, edit)
        for row in rows
        for game, edit in zip(games, row, strict=True)
        if edit and not edit.is_refused
    )
    for game, edit in islice(todo, first, None):
        program = load_rules(game)
        is_seen = _can_be_seen(program, edit.program)
        made_of = {"game": game, "edit": f"{edit.clause}: {edit.words}", "can_be_seen": is_seen}
        driven, is_whole = _driven(edit) if is_seen else ([], True)
        number = sum(len(log) for log in driven)
        by_driven = _noticed(program, driven)
        by_chance = _noticed(program, _by_chance(edit.program, number)) if is_seen else None
        yield {
            **made_of, "is_whole": is_whole, "logs": len(driven), "events": number,
            "driven": by_driven is not None, "at_random": by_chance is not None,
            "at_the_event": bool(by_driven), "is_missed": is_seen and is_whole and not by_driven,
        }  # fmt: skip


def _mixed(edits: Sequence[Edit]) -> list[Edit]:
    return [edit for first in range(_EVERY) for edit in edits[first::_EVERY]]


def _can_be_seen(program: ir.Program, edited: ir.Program) -> bool:
    """Return whether a play of *edited* has a log that no play of *program* explains, within the
    nearest positions of both in its scope: fewer items lie there than brute force has room for.
    """
    played, brute = Brute(edited, PLAYERS), Brute(program, PLAYERS)
    begin = played.interpreter.initial(), brute.initial
    todo, seen = deque([begin]), {begin}
    while todo and len(seen) < _MOST:
        position, states = todo.popleft()
        for move, after in played.interpreter.moves(position).moves:
            then = states
            for event in _shown(played, move, after):
                then = brute.after(then, event)
            if not then:
                return True
            if (after, then) not in seen:
                seen.add((after, then))
                todo.append((after, then))
    return False


def _shown(played: Brute, move: Any, after: Any) -> list[LogEvent]:
    """Return what a log has of *move*, and of where it leads."""
    events = [_without_clause(one) for one in played.showing.of(move, after)]
    return [*events, played.showing.look(after)] if played.interpreter.priority(after) else events


def _without_clause(event: LogEvent) -> LogEvent:
    return LogEvent(event.name, tuple(one for one in event.said if one[0] != "clause"))


def _driven(edit: Edit) -> tuple[list[list[LogEvent]], bool]:
    """Return logs of plays that reach each goal of an engine with this *edit* where little lies on
    the zones, or what it does instead if it comes to none; and whether these are all.
    """
    for size in _SIZES:
        scope = make_scope(edit.program, PLAYERS, {zone.name: size for zone in edit.program.zones})
        suite = make_suite(edit.program, [], scope, Meter(Budget(positions=_MOST_DRIVEN)))
        if not suite.stopped:
            break
    logs = [log_of_play(one) for one in suite.scenarios]
    instead = [log_of(edit.program, PLAYERS, 0, _STEPS, LogStyle(quiet=_QUIET))]
    return logs or instead, not suite.stopped


def log_of_play(one: Scenario) -> list[LogEvent]:
    """Return the log that an engine would write of a scenario."""
    log = [made("players", n=PLAYERS)]
    for number, step in enumerate(one.steps):
        if number and step.holder is not None:
            log.append(step.look)
        log += map(_without_clause, step.seen)
    return log if one.end.get("holder") is None else [*log, one.end]


def _by_chance(program: ir.Program, number: int) -> list[list[LogEvent]]:
    """Return logs of plays at random, with *number* events together."""
    logs, left = list[list[LogEvent]](), number
    while left > 0:
        logs.append(log_of(program, PLAYERS, len(logs), _STEPS, LogStyle(quiet=_QUIET)))
        left -= len(logs[-1])
    return logs


def _noticed(program: ir.Program, logs: Sequence[Sequence[LogEvent]]) -> bool | None:
    """Return whether the first of *logs* that is found to deviate does so at the event that brute
    force names; None if none is.
    """
    for log in logs:
        found = [
            one for one in told(ProgramMonitor(program, PLAYERS), log) if one[0] == "deviation"
        ]
        if found:
            return found[0][1] == first_unexplained(program, PLAYERS, log)
    return None
