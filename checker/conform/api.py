"""API of logs: ``stacklaw.Monitor("mtg").step({"event": "pass", "by": "A"})``."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ...models.load import load_rules
from .events import event_of
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
    ) -> None:
        super().__init__(load_rules(game, set), players, hidden, most)

    def step(self, event: Mapping[str, object], line: int = 0) -> list[LogFinding]:
        """Take the next *event*, and return what it settles: deviations, and what is unknown.

        What a window shows is judged when the next one begins; `finish` judges the last. Raises
        ValueError if *event* is none.
        """
        return self.step_event(event_of(dict(event)), line)
