"""Suites: a game and its promises -> a few plays that bring about all goals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from typing import NamedTuple

from ...models import ir
from ...properties import formula as f
from ..reference.semantics.explore import explore
from ..reference.semantics.interpreter import Interpreter
from ..run.check import check
from ..types.budget import INTERRUPTED, BudgetSpentError, Meter
from ..types.scope import Scope
from ..types.trace import TraceStep
from .goals import ScenarioGoal, WindowGraph
from .steps import Scenario, Telling

MOST_WINDOWS = 16
"""How many windows a play has at most, so that it can be read."""


class CoveringPlays(NamedTuple):
    """The *plays*, as ways of a `WindowGraph`, that reach *goals* goals between them; *least* is
    how many windows that takes at least. *stopped* says why some goals are missing.
    """

    plays: list[list[int]]
    goals: int
    least: int
    stopped: str


def covering_plays(windows: WindowGraph, meter: Meter) -> CoveringPlays:
    """Return plays from the start that reach every goal of *windows*.

    Each goes on to the goal that is nearest, until it is long or the nearest is nearer from the
    start.
    """
    tour, plays, stopped = _Tour(windows, meter), list[list[int]](), ""
    least = len({(goal.deeds[0], goal.receives) for goal in tour.open if goal.deeds})
    number = len(tour.open)
    try:
        plays += tour.plays()
    except BudgetSpentError as spent:
        stopped = str(spent)
    except KeyboardInterrupt:
        stopped = INTERRUPTED
    return CoveringPlays(plays, number - len(tour.open), least, stopped)


class _Tour:
    def __init__(self, windows: WindowGraph, meter: Meter) -> None:
        self.windows, self.meter = windows, meter
        self.open: dict[ScenarioGoal, list[int]] = defaultdict(list)
        """The goals that no play has reached yet, each with the ways on which it is reached."""
        for way in range(len(windows.edge)):
            for receives in windows.receivers(way):
                for goal in windows.goals(way, receives):
                    self.open[goal].append(way)
        self.left = [0] * len(windows.edge)
        """How many of these goals can still be reached on each way."""
        for ways in self.open.values():
            for way in ways:
                self.left[way] += 1
        self.number = len(self.open)

    def plays(self) -> Iterator[list[int]]:
        while self.open:
            play, number = list[int](), 0
            count = 0
            while count < MOST_WINDOWS and self.open:
                way = self._to_nearest(number)
                if way is None or (play and len(way) > len(self._to_nearest(0) or way)):
                    break
                play += way
                count += self._reached(way)
                number = self.windows.target[way[-1]]
            if not play:
                return
            yield play

    def _to_nearest(self, number: int) -> list[int] | None:
        """Return the way from node *number* to the nearest way with a goal that is open, and on to
        where it is reached: on it the cards cause as little as can be.
        """
        came, done, waiting = {number: -1}, set[int](), [(0, number, -1)]
        while waiting:
            cost, position, by = heappop(waiting)
            if position in done:
                continue
            came[position] = by
            if len(done) % 1024 == 0:
                self.meter.count(self.number - len(self.open), self.number)
            done.add(position)
            for edge in self.windows.ways(position):
                if self.left[edge]:
                    return [*self._way(came, position), edge, *self._on(edge)]
                target = self.windows.target[edge]
                if target not in done:
                    heappush(waiting, (cost + self.windows.cost(edge), target, edge))
        return None

    def _way(self, came: dict[int, int], position: int) -> list[int]:
        way = list[int]()
        while came[position] >= 0:
            way.append(came[position])
            position = self.windows.source[came[position]]
        return way[::-1]

    def _on(self, edge: int) -> list[int]:
        """Return the edges after *edge* to the end of its window, by which most goals are
        reached.
        """

        def gain(receives: str) -> int:
            return sum(goal in self.open for goal in self.windows.goals(edge, receives))

        receives = max(self.windows.receivers(edge), key=gain)
        target = self.windows.target[edge]
        return [] if self.windows.receiver[target] else self.windows.to_end(target, receives)

    def _reached(self, way: list[int]) -> int:
        """Note which goals *way* reaches, and return how many windows it has."""
        window, count = list[int](), 0
        for edge in way:
            window.append(edge)
            receives = self.windows.receiver[self.windows.target[edge]]
            if receives:
                for one in window:
                    for goal in self.windows.goals(one, receives):
                        for other in self.open.pop(goal, ()):
                            self.left[other] -= 1
                window, count = [], count + 1
        return count


@dataclass(frozen=True)
class Suite:
    """Scenarios of *program* within *scope*, which reach *goals* goals; no plays with fewer than
    *least* windows do. *stopped* says why some are missing, empty if none are.
    """

    program: ir.Program
    scope: Scope
    scenarios: tuple[Scenario, ...]
    goals: int
    least: int
    stopped: str

    @property
    def windows(self) -> int:
        """How many windows there are in all scenarios."""
        return sum(len(one.steps) for one in self.scenarios)


def make_suite(
    program: ir.Program, promises: Sequence[f.Property], scope: Scope, meter: Meter
) -> Suite:
    """Return the scenarios of *program*, with the moments that *promises* are about."""
    interpreter = Interpreter(program, scope)
    meter.begin("looking at all positions", share=0.5)
    graph = explore(interpreter, meter)
    plays, found, stopped = CoveringPlays([], 0, 0, ""), list[Scenario](), ""
    meter.begin("making plays")
    try:
        with meter.watching():
            windows, told = WindowGraph(graph), Telling(interpreter)
            plays = covering_plays(windows, meter)
            for at, play in enumerate(plays.plays, 1):
                found.append(told.scenario(at, _trace_steps(windows, play)))
            found += _moments(told, program, promises, scope, found, meter)
    except BudgetSpentError as spent:
        stopped = str(spent)
    except KeyboardInterrupt:
        stopped = INTERRUPTED
    stopped = graph.stopped or plays.stopped or stopped
    return Suite(program, scope, tuple(found), plays.goals, plays.least, stopped)


def _trace_steps(windows: WindowGraph, play: Sequence[int]) -> list[TraceStep]:
    positions = windows.graph.positions
    return [
        TraceStep(windows.move(way), positions[windows.position[windows.target[way]]])
        for way in play
    ]


def _moments(
    told: Telling,
    program: ir.Program,
    promises: Sequence[f.Property],
    scope: Scope,
    known: Sequence[Scenario],
    meter: Meter,
) -> Iterator[Scenario]:
    """Yield scenarios that end where the conditions of *promises* arise; those with the same last
    window as one that is *known* are that one's.

    Raises `BudgetSpentError` or KeyboardInterrupt at the end if some may be missing for that.
    """
    asked = [
        replace(
            promise, mode="possible", body=part.formula, spotlights=part.spotlights,
            about=None, parts=(), lemmas=(), name=f"{promise.name} {number}",
        )
        for promise in promises
        if promise.mode == "always" and not promise.is_of_clauses
        for number, part in enumerate(promise.conditions)
    ]  # fmt: skip
    meter.begin("looking for what promises are about")
    verdicts = check(program, asked, scope, meter.left())
    number, ends = len(known), {_ending(one) for one in known}
    for verdict in verdicts:
        steps = verdict.trace.steps if verdict.trace else ()
        if not steps or verdict.scope.players != scope.players:
            continue  # a promise about a larger table has no moment at this one
        name = verdict.property.name.rpartition(" ")[0]
        one = told.scenario(number + 1, told.to_rest(steps), (name,))
        if _ending(one) not in ends:
            ends.add(_ending(one))
            number += 1
            yield one
    if any(verdict.reason == INTERRUPTED for verdict in verdicts):
        raise KeyboardInterrupt
    meter.left()


def _ending(one: Scenario) -> tuple[object, ...]:
    last = one.steps[-1]
    return last.look, last.does, last.seen, last.receives
