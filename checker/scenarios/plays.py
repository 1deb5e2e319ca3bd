"""Plays: from all goals of a game to a few plays that reach each of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from heapq import heappop, heappush
from typing import NamedTuple

from ..types.budget import INTERRUPTED, BudgetSpentError, Meter
from .goals import ScenarioGoal, WindowGraph

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
