"""Logs explained by brute force: every position that can be, event by event, with no windows, no
looking ahead and nothing remembered. And faults put into logs.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from stacklaw.checker.conform.events import LogEvent, made
from stacklaw.checker.conform.monitor import ProgramMonitor
from stacklaw.checker.conform.playing import LogStyle, played_log
from stacklaw.checker.conform.showing import Showing
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.types.position import Position
from stacklaw.checker.types.scope import make_scope
from stacklaw.models import ir

PLAYERS = {"mtg": (2, 3, 4), "stack": (2, 3), "fow": (2,), "fftcg": (2,), "zx": (2,), "fab": (2,), "yugioh": (2,)}  # fmt: skip
ROOM = 12


def log_of(
    program: ir.Program, players: int, seed: int, steps: int, style: LogStyle
) -> list[LogEvent]:
    return list(played_log(program, make_scope(program, players), seed, steps, style))


def told(monitor: ProgramMonitor, log: Sequence[LogEvent]) -> list[tuple[str, int]]:
    """Return the kind of each thing that is found in *log*, and the number of its event."""
    found = [one for event in log for one in monitor.step_event(event)]
    return [(one.kind, one.number) for one in (*found, *monitor.finish())]


def first_unexplained(program: ir.Program, players: int, log: Sequence[LogEvent]) -> int | None:
    """Return the number of the first event that no play from the beginning explains."""
    interpreter = Interpreter(program, make_scope(program, players))
    showing = Showing(interpreter)
    states: set[tuple[Position, tuple[LogEvent, ...]]] = {(interpreter.initial(), ())}
    for number, event in enumerate(log, 1):
        if event.name == "players":
            continue
        if event.name == "look":
            here = {p for p, rest in states if not rest and not showing.differs(event, p)}
            states = {(p, ()) for p in here if interpreter.priority(p)}
        else:
            states = set(_after(states, event, interpreter, showing))
        if not states:
            return number
    return None


def _after(
    states: set[tuple[Position, tuple[LogEvent, ...]]],
    event: LogEvent,
    interpreter: Interpreter,
    showing: Showing,
) -> Iterator[tuple[Position, tuple[LogEvent, ...]]]:
    todo, seen = list(states), set(states)
    while todo:
        position, rest = todo.pop()
        if rest:
            if rest[0].name == event.name and set(event.said) <= set(rest[0].said):
                yield position, rest[1:]
            continue
        for move, after in interpreter.allowed(position):
            then = after, showing.of(move, after)
            if then not in seen and sum(map(len, after.zones)) <= ROOM:
                seen.add(then)
                todo.append(then)


def with_a_fault(log: list[LogEvent], players: int, chance: random.Random) -> list[LogEvent]:
    """Return *log* with one event left out, said twice, or said of another player or step."""
    at = chance.randrange(1, len(log))
    event = log[at]
    how = chance.choice(("left out", "twice", "another", "another"))
    if how == "left out":
        return log[:at] + log[at + 1 :]
    if how == "twice":
        return [*log[:at], event, event, *log[at + 1 :]]
    others = [(name, value) for name, value in event.said if name in ("of", "by", "active", "holder")]  # fmt: skip
    if not others:
        return log[:at] + log[at + 1 :]
    name, value = chance.choice(others)
    said = {**dict(event.said), name: (value + 1) % players if isinstance(value, int) else 0}
    return [*log[:at], made(event.name, **said), *log[at + 1 :]]
