"""API of logs: ``stacklaw.Monitor("mtg").step({"event": "pass", "by": "A"})``."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ...models.load import load_rules
from ...models.source import Source
from .events import LogEvent, event_of
from .maps import MapReading, read_map
from .monitor import MOST_NODES, LogFinding, ProgramMonitor


class LogMonitor(ProgramMonitor):
    """Holds events against the rules of *game*, one after the other.

    *hidden* names the events of moves that are never shown; *most* is how many positions are looked
    at for a window, *set* sets options. The events are those of docs/conform.md.
    """

    def __init__(
        self,
        game: str,
        *,
        players: int | None = None,
        hidden: Collection[str] = (),
        most: int = MOST_NODES,
        set: Mapping[str, str] | None = None,  # noqa: A002 - the word of the command line
        map: str | None = None,  # noqa: A002 - as above
    ) -> None:
        self._reading = None if map is None else MapReading(read_map(Source("map", map)))
        never = self._reading.by.hidden.union(hidden) if self._reading else hidden
        super().__init__(load_rules(game, set), players, never, most)

    def step(self, event: Mapping[str, object], line: int = 0) -> list[LogFinding]:
        """Take the next *event*, and return what it settles: deviations, and what is unknown.

        What a window shows is judged when the next one begins; `finish` judges the last. Raises
        ValueError if *event* is none.
        """
        if self._reading is None:
            return self.step_event(event_of(dict(event)), line)
        events = [
            numbered
            for one in self._reading.events(dict(event))
            for numbered in self._reading.in_order(line, one)
        ]
        return self._judged(events)

    def finish(self) -> list[LogFinding]:
        """Return what is still to be said at the end."""
        held = self._reading.rest() if self._reading else []
        return self._judged(held) + super().finish()

    def _judged(self, events: list[tuple[int, LogEvent]]) -> list[LogFinding]:
        return [found for at, one in events for found in self.step_event(one, at)]
