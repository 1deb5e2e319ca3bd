"""The board: the page of a ruleset, served as `explore` serves it, for the plays of its claims."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress

_SECONDS = 120


class Boards:
    """The pages that are served, by their rules."""

    def __init__(self) -> None:
        self._served: dict[str, tuple[str, Process, str]] = {}

    async def address(self, target: str, text: str) -> str:
        """Return where the page of *target*, whose files say *text*, is served; empty if it cannot
        be.
        """
        known = self._served.get(target)
        if known is not None and known[0] == text and known[1].returncode is None:
            return known[2]
        self._unserve(target)
        command = sys.executable, "-m", "stacklaw", "explore", target, "--beside-editor"
        # It ends when this process, however it ended, no longer holds its stdin.
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL
        )
        assert process.stdout is not None
        try:
            line = await asyncio.wait_for(process.stdout.readline(), _SECONDS)
        except TimeoutError:
            line = b""
        address = line.decode().strip()
        self._served[target] = text, process, address
        return address

    def close(self) -> None:
        """Serve nothing any more."""
        for target in [*self._served]:
            self._unserve(target)

    def _unserve(self, target: str) -> None:
        if target in self._served:
            with suppress(ProcessLookupError):
                self._served.pop(target)[1].terminate()
