"""A pytest fixture: the monitor of an engine's tests, which fails a test that deviates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ..checker.conform.monitor import LogFinding, LogMonitor


@pytest.fixture
def rules_monitor() -> Iterator[Callable[..., LogMonitor]]:
    """Return what makes a `LogMonitor` of a game: ``rules_monitor("mtg", players=2)``.

    At the end of the test what the monitors have seen is judged; a deviation fails the test, told
    as a ruling.
    """
    from ..checker.conform.monitor import LogMonitor  # noqa: PLC0415 - most tests need no monitor

    found: list[tuple[LogMonitor, LogFinding]] = []

    class Keeping(LogMonitor):
        def step(self, event: Mapping[str, object], line: int = 0) -> list[LogFinding]:
            settled = super().step(event, line)
            found.extend((self, one) for one in settled)
            return settled

    begun: list[LogMonitor] = []

    def begin(game: str, **asked: Any) -> LogMonitor:
        begun.append(Keeping(game, **asked))
        return begun[-1]

    yield begin
    found += [(monitor, one) for monitor in begun for one in monitor.finish()]
    if said := [_words(monitor, one) for monitor, one in found if one.kind == "deviation"]:
        pytest.fail("\n".join(said), pytrace=False)


def _words(monitor: LogMonitor, one: LogFinding) -> str:
    from ..reports.logs import deviation_lines  # noqa: PLC0415 - as above
    from ..reports.telling.conformed import LogWords  # noqa: PLC0415 - as above

    told = LogWords(monitor.program, monitor.scope.players).tell(one, {})
    return "\n  ".join(deviation_lines(told))
