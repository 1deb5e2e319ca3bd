"""Logs of plays at random: right ones, in which an alarm is false, and ones with a fault."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import count
from time import process_time
from typing import Any

from stacklaw.checker.conform.events import SEEN_OF_MOVES, LogEvent, made
from stacklaw.checker.conform.monitor import ProgramMonitor
from stacklaw.checker.conform.showing import LogStyle
from stacklaw.models import ir
from stacklaw.models.load import load_rules
from stacklaw.models.options.cases import other_readings

from .brute import first_unexplained, log_of, told, with_a_fault

STYLES = [
    LogStyle(quiet=0.9),
    LogStyle(frozenset({"sba"}), quiet=0.8),
    LogStyle(frozenset({"trigger", "sba", "choice"}), quiet=0.9),
    LogStyle(frozenset({"pass", "step", "turn"}), quiet=0.9),
    LogStyle(gaps=0.05, quiet=0.8),
    LogStyle(frozenset({"sba", "leave"}), gaps=0.03, quiet=0.9),
    *(LogStyle(frozenset({kind}), quiet=0.85) for kind in sorted(SEEN_OF_MOVES)),
]
"""How logs show plays."""
_STEPS = 80
_FAULTY_STEPS = 22
_FAULTY_PLAYERS = 2
_BRANCH = 6
_ALIKE = 10
"""This many logs in a row share what is remembered of a search."""
_Reading = tuple[tuple[str, str], ...]


def right_logs(games: Sequence[str], first: int) -> Iterator[dict[str, Any]]:
    """Yield what comes of log after log, from number *first* on: some of one reading, table and
    style, then some of another game; half of those in which it can be said with a rollback.
    """
    for number in count(first):
        alike = random.Random(number // _ALIKE)
        game = games[number // _ALIKE % len(games)]
        reading = alike.choice(_readings(game))
        program = _loaded(game, reading)
        least, most = program.players
        players = alike.randint(least, min(most or 4, 4))
        style = alike.choice(STYLES)
        chance = random.Random(number)
        log = log_of(program, players, number, _STEPS, style)
        is_rolled = "priority" not in style.hidden and not style.gaps and chance.random() < 0.5
        if is_rolled:
            log = _rolled_back(log, chance)
        begun = process_time()
        monitor = ProgramMonitor(program, players, style.hidden)
        kinds = [kind for kind, _ in told(monitor, log)]
        said = " ".join(map("=".join, reading))
        yield {
            "log": number, "game": game, "reading": said, "players": players,
            "hidden": sorted(style.hidden), "gaps": style.gaps, "rolled": is_rolled,
            "events": len(log), "windows": monitor.tally.windows, "blind": monitor.tally.blind,
            "alarms": kinds.count("deviation"), "unknown": kinds.count("unknown"),
            "seconds": round(process_time() - begun, 3), "is_missed": bool(kinds),
        }  # fmt: skip


@cache
def _readings(game: str) -> list[_Reading]:
    """Return the readings of *game*, its own first: what they say of its options."""
    return [(), *(tuple(one.items()) for one in other_readings(load_rules(game)))]


@lru_cache(maxsize=1)
def _loaded(game: str, reading: _Reading) -> ir.Program:
    return load_rules(game, dict(reading))


def _rolled_back(log: list[LogEvent], chance: random.Random) -> list[LogEvent]:
    """Return *log* with some events played, taken back, and played again."""
    held = [at for at, one in enumerate(log) if one.name == "priority"]
    if not held:
        return log
    at = chance.choice(held)
    branch = log[at + 1 : at + 1 + chance.randint(1, _BRANCH)]
    back = made("rollback", to=at + 1)  # events are counted from 1
    return [*log[: at + 1], *branch, back, *log[at:]]


def wrong_logs(games: Sequence[str], first: int) -> Iterator[dict[str, Any]]:
    """Yield what comes of logs with one event made wrong: where brute force finds it, and where it
    is told.
    """
    for number in count(first):
        chance = random.Random(number)
        game = games[number % len(games)]
        program, players = load_rules(game), _FAULTY_PLAYERS
        right = log_of(program, players, number, _FAULTY_STEPS, LogStyle(quiet=0.9))
        log = with_a_fault(right, players, chance)
        wanted = first_unexplained(program, players, log)
        found = told(ProgramMonitor(program, players), log)
        at = found[0][1] if found else None
        yield {
            "log": number, "game": game, "players": players, "events": len(log), "wanted": wanted,
            "at": at, "shows": wanted is not None, "is_missed": at != wanted,
        }  # fmt: skip
