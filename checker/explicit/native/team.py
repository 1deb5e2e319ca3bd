"""A team: threads that do one thing together, while the main one looks whether they may go on."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait

_LOOK = 0.05
"""How many seconds the main thread waits for the others before it looks again."""


class ThreadTeam:
    """*threads* threads, of which the one that asks for something is number 0."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._others = ThreadPoolExecutor(threads - 1, "stacklaw") if threads > 1 else None

    def run(
        self, work: Callable[[int], None], look: Callable[[], None], halt: Callable[[], None]
    ) -> None:
        """Let all do *work*, which gets their numbers, and *look* meanwhile; if that raises, *halt*
        them, and raise it when they have.
        """
        if self._others is None:
            work(0)
            return
        running = [self._others.submit(work, number) for number in range(1, self.threads)]
        try:
            work(0)
            while wait(running, _LOOK).not_done:
                look()
        except BaseException:
            halt()
            wait(running)
            raise
        for one in running:
            one.result()

    def dismiss(self) -> None:
        """Let the others go."""
        if self._others is not None:
            self._others.shutdown()
