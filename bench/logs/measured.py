"""How fast logs are judged, and in how much memory."""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from time import process_time
from typing import Any

from stacklaw.checker.conform.events import LogEvent, event_of
from stacklaw.checker.conform.monitor import ProgramMonitor, forget
from stacklaw.checker.conform.showing import LogStyle, played_log
from stacklaw.checker.types.scope import make_scope
from stacklaw.models import ir
from stacklaw.models.load import load_rules

from ..phase.recorder import recorded
from .brute import told

_TABLES = [
    ("mtg", 2, 5_000),
    ("mtg", 4, 2_000),
    *((game, 2, 0) for game in ("fow", "fftcg", "zx", "stack", "riftbound", "flesh", "netrunner")),
]  # fmt: skip
"""A game, the players, and how many events a second are asked for."""
_ENGINE, _OF_ENGINE = "mtg (phase.rs)", 10_000
_READING = {"length": "full", "flash": "yes", "split_second": "yes"}
_RECORDED = Path(__file__).parents[2] / "tests" / "conform" / "phase"
_TIMES = 3
"""So often each is measured; the best time counts, as others use the machine."""
_Logs = list[list[LogEvent]]
_Judged = tuple[ir.Program, Sequence[str], _Logs]
"""A game, which events its logs never show, and the logs."""
_EVENTS = 10_000
_STEPS = 400
_STYLE = LogStyle(quiet=0.85)
_MEMORY_EVENTS = 1_000_000
_PARTS = 40


def speeds(games: Sequence[str], first: int) -> Iterator[dict[str, Any]]:
    """Yield how fast logs are judged of which nothing is known before, table after table: those of
    plays at random, and for Magic those that an engine has written.
    """
    tables: list[tuple[str, int, int, Callable[[], _Judged]]] = [
        (game, players, asked, partial(_played, game, players)) for game, players, asked in _TABLES
    ]
    tables += [(_ENGINE, n, _OF_ENGINE, partial(_recorded, n)) for n in (2, 3, 4)]
    for name, players, asked, judged in [one for one in tables if one[0].split()[0] in games][
        first:
    ]:
        program, hidden, logs = judged()
        seconds = min(_seconds(program, players, hidden, logs) for _ in range(_TIMES))
        events = sum(map(len, logs))
        yield {
            "game": name, "players": players, "events": events,
            "distinct_logs": len(set(map(tuple, logs))), "seconds": round(seconds, 2),
            "a_second": round(events / seconds), "is_missed": events < asked * seconds,
        }  # fmt: skip


def _played(game: str, players: int) -> _Judged:
    program = load_rules(game)
    return program, (), list(_logs(program, players, _EVENTS))


def _recorded(players: int) -> _Judged:
    logs = _Logs()
    for file in sorted(_RECORDED.glob(f"{players}_*.xz")):
        with lzma.open(file, "rt", encoding="utf-8") as lines:
            dumps = map(json.loads, lines)
            logs.append([*map(event_of, recorded(dumps, players=players))])
    return load_rules(_ENGINE.split(maxsplit=1)[0], _READING), ("trigger", "sba"), logs


def _seconds(program: ir.Program, players: int, hidden: Sequence[str], logs: _Logs) -> float:
    """Return the processor time that judging *logs* takes where nothing is known before."""
    forget()
    begun = process_time()
    for log in logs:
        told(ProgramMonitor(program, players, hidden), log)
    return process_time() - begun


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
