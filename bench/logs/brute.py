"""Logs explained by brute force: every position that can be, event by event, with no windows, no
looking ahead and nothing remembered. And faults put into logs.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from stacklaw.checker.conform.events import LogEvent, made
from stacklaw.checker.conform.monitor import ProgramMonitor
from stacklaw.checker.conform.showing import LogStyle, Showing, played_log
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.types.position import Position
from stacklaw.checker.types.scope import make_scope
from stacklaw.models import ir

PLAYERS = {
    "mtg": (2, 3, 4),
    "stack": (2, 3),
    **dict.fromkeys(
        ("fow", "fftcg", "zx", "fab", "yugioh", "netrunner", "riftbound", "flesh"), (2,)
    ),
}
"""The games whose logs are tried, and at which tables."""
ROOM = 12
"""This many items may lie on all zones together."""
_Explains = tuple[Position, tuple[LogEvent, ...]]
"""A position, and what is still to be seen of the move to it."""


def log_of(
    program: ir.Program, players: int, seed: int, steps: int, style: LogStyle
) -> list[LogEvent]:
    """Return the log of a play at random."""
    return list(played_log(program, make_scope(program, players), seed, steps, style))


def told(monitor: ProgramMonitor, log: Sequence[LogEvent]) -> list[tuple[str, int]]:
    """Return the kind of each thing that is found in *log*, and the number of its event."""
    found = [one for event in log for one in monitor.step_event(event)]
    return [(one.kind, one.number) for one in (*found, *monitor.finish())]


class Brute:
    """Explains logs of *program*."""

    def __init__(self, program: ir.Program, players: int) -> None:
        self.interpreter = Interpreter(program, make_scope(program, players))
        self.showing = Showing(self.interpreter)
        begin = self.interpreter.initial()
        held = [made("priority", of=seat) for seat in self.interpreter.priority(begin)]
        self.initial: frozenset[_Explains] = frozenset(
            {(begin, ()), *((begin, (one,)) for one in held)}
        )

    def after(self, states: frozenset[_Explains], event: LogEvent) -> frozenset[_Explains]:
        """Return what explains *event* after *states*."""
        if event.name != "look":
            return frozenset(self._after(states, event))
        here = {p for p, rest in states if not rest and not self.showing.differs(event, p)}
        return frozenset((p, ()) for p in here if self.interpreter.priority(p))

    def _after(self, states: frozenset[_Explains], event: LogEvent) -> Iterator[_Explains]:
        todo, seen = list(states), set(states)
        while todo:
            position, rest = todo.pop()
            if rest:
                if rest[0].name == event.name and set(event.said) <= set(rest[0].said):
                    yield position, rest[1:]
                continue
            for move, after in self.interpreter.allowed(position):
                then = after, self.showing.of(move, after)
                if then not in seen and sum(map(len, after.zones)) <= ROOM:
                    seen.add(then)
                    todo.append(then)


def first_unexplained(program: ir.Program, players: int, log: Sequence[LogEvent]) -> int | None:
    """Return the number of the first event that no play from the beginning explains."""
    brute = Brute(program, players)
    states = brute.initial
    for number, event in enumerate(log, 1):
        if event.name != "players":
            states = brute.after(states, event)
        if not states:
            return number
    return None


def with_a_fault(log: list[LogEvent], players: int, chance: random.Random) -> list[LogEvent]:
    """Return *log* with one event left out, said twice, or said of another player or step."""
    at = chance.randrange(1, len(log))
    event = log[at]
    how = chance.choice(("left out", "twice", "another", "another"))
    if how == "left out":
        return log[:at] + log[at + 1 :]
    if how == "twice":
        return [*log[:at], event, event, *log[at + 1 :]]
    others = [
        (name, value) for name, value in event.said if name in ("of", "by", "active", "holder")
    ]
    if not others:
        return log[:at] + log[at + 1 :]
    name, value = chance.choice(others)
    said = {**dict(event.said), name: (value + 1) % players if isinstance(value, int) else 0}
    return [*log[:at], made(event.name, **said), *log[at + 1 :]]
