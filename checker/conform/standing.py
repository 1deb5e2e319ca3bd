"""Standing: where a play may stand, what comes then, and both from another seat of the table."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from ..reference.semantics.statements import item_rank
from ..slicing.symmetry import is_symmetric, turned
from ..types.position import Position
from .events import LogEvent, turned_event
from .showing import Showing

_MOST_KEPT = 20_000


class Standing(NamedTuple):
    """Where a play may stand: a position, and what was *shown* of the move to it and not yet seen
    in the log.
    """

    position: Position
    shown: tuple[LogEvent, ...] = ()


class LogWindow(NamedTuple):
    """A stretch of a log: its *events*, and the *looks* at where it ends.

    *is_whole* says that it ends where somebody has priority.
    """

    events: tuple[LogEvent, ...]
    looks: tuple[LogEvent, ...] = ()
    is_whole: bool = True


class RoundTable:
    """The table of *showing*, which may be turned where no rule names a seat."""

    def __init__(self, showing: Showing) -> None:
        self.program, self.players = showing.program, showing.interpreter.scope.players
        self._unordered = [
            number for number, zone in enumerate(self.program.zones) if zone.order == "unordered"
        ]
        self._rank = item_rank(self.program)
        self._turned: dict[tuple[frozenset[Standing], int], frozenset[Standing]] = {}

    @cached_property
    def _is_round(self) -> bool:
        return is_symmetric(self.program)

    def seat(self, begin: frozenset[Standing]) -> int:
        """Return the seat that may as well be the first: that of the active player of *begin*."""
        seats = {one.position.values[0] for one in begin}
        seat = seats.pop() if len(seats) == 1 and self._is_round else 0
        return seat if isinstance(seat, int) else 0

    def turned(self, standing: frozenset[Standing], by: int) -> frozenset[Standing]:
        """Return *standing* when everyone moves *by* seats towards seat 0."""
        by %= self.players
        if not by:
            return standing
        key = standing, by
        found = self._turned.get(key)
        if found is None:
            if len(self._turned) >= _MOST_KEPT:
                self._turned.clear()
            found = self._turned[key] = frozenset(self._one(one, by) for one in standing)
        return found

    def _one(self, standing: Standing, by: int) -> Standing:
        position, shown = standing
        there = turned(self.program, self.players, position, by)
        zones = list(there.zones)
        for number in self._unordered:
            zones[number] = tuple(sorted(zones[number], key=self._rank))
        there = there._replace(zones=tuple(zones))
        return Standing(there, tuple(turned_event(e, by, self.players) for e in shown))

    def turned_window(self, window: LogWindow, by: int) -> LogWindow:
        """Return *window* when everyone moves *by* seats towards seat 0."""
        if not by:
            return window
        events, looks = (
            tuple(turned_event(one, by, self.players) for one in some)
            for some in (window.events, window.looks)
        )
        return LogWindow(events, looks, window.is_whole)
