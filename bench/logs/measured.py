"""How fast logs are judged, and in how much memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from time import process_time
from typing import Any

from stacklaw.checker.conform.events import LogEvent
from stacklaw.checker.conform.monitor import ProgramMonitor
from stacklaw.checker.conform.playing import LogStyle, played_log
from stacklaw.checker.types.scope import make_scope
from stacklaw.models import ir
from stacklaw.models.load import load_rules

from .brute import told

_TABLES = [
    ("mtg", 2, 5_000),
    ("mtg", 4, 2_000),
    *((game, 2, 0) for game in ("fow", "fftcg", "zx", "stack", "riftbound", "flesh", "netrunner")),
]  # fmt: skip
"""A game, the players, and how many events a second are asked for."""
_EVENTS = 10_000
_STEPS = 400
_STYLE = LogStyle(quiet=0.85)
_MEMORY_EVENTS = 1_000_000
_PARTS = 20


def speeds(games: Sequence[str], first: int) -> Iterator[dict[str, Any]]:
    """Yield how fast logs are judged of which nothing is known before, table after table."""
    tables = [one for one in _TABLES if one[0] in games]
    for game, players, asked in tables[first:]:
        program = load_rules(game)
        logs = list(_logs(program, players, _EVENTS))
        begun = process_time()
        for log in logs:
            told(ProgramMonitor(program, players), log)
        seconds = process_time() - begun
        events = sum(map(len, logs))
        yield {
            "game": game, "players": players, "events": events,
            "distinct_logs": len(set(map(tuple, logs))), "seconds": round(seconds, 2),
            "a_second": round(events / seconds), "is_missed": events < asked * seconds,
        }  # fmt: skip


def _logs(program: ir.Program, players: int, most: int) -> Iterator[list[LogEvent]]:
    """Yield logs of plays at random, until they have *most* events together."""
    scope, number = make_scope(program, players), 0
    for seed in count():
        log = list(played_log(program, scope, seed, _STEPS, _STYLE))
        yield log
        number += len(log)
        if number >= most:
            return


def memory(games: Sequence[str], first: int) -> Iterator[dict[str, Any]]:
    """Yield, at each part of many logs of the first of *games*, how much memory there is; from
    part number *first* on.
    """
    program = load_rules(games[0])
    part, events, found = 0, 0, 0
    for log in _logs(program, 2, _MEMORY_EVENTS):
        found += len(told(ProgramMonitor(program, 2), log))
        events += len(log)
        if events >= (part + 1) * _MEMORY_EVENTS // _PARTS:
            part += 1
            if part > first:
                yield {
                    "game": games[0], "part": part, "events": events, "found": found,
                    "resident_mib": resident(), "is_missed": bool(found),
                }  # fmt: skip


def resident() -> int:
    """Return how many MiB of memory this process has now."""
    status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:")) // 1024
