"""The background: what the claims and rulings of a ruleset come to, decided as `check` decides it,
in a process of its own.

What was decided before is remembered, so most answers come at once. The next key ends the rest.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from ...checker.process.serving import Reply
from ...checker.prover.workers import Workers, command_of
from ...checker.types.budget import Budget
from ...checker.types.tuning import Tuning
from ...reports.telling.record import Record
from ..asking.ask import Asked
from ..asking.reading_worker import READING, answer, reading_request, texts_of

_LAST = 19
_SECONDS = 120.0
"""So long a ruleset is looked at; what is not decided by then is UNKNOWN."""


@dataclass(frozen=True)
class LookedAt:
    """What came of looking at a ruleset: the *record*, and what its files said then."""

    record: Record
    request: bytes


class Looking:
    """Looks at one ruleset at a time, in a process that does what *module* does and comes last."""

    def __init__(self, module: str) -> None:
        self.target = ""
        """The ruleset that is being looked at, empty if none is."""
        self.request = b""
        self._workers = Workers(command_of(module, __name__))

    def begin(self, target: str, request: bytes) -> None:
        """Look at *target*, as *request* says, and at nothing else."""
        self.stop()
        self.target, self.request = target, request
        self._workers.give(0, request)

    def stop(self) -> None:
        """Look at nothing any more."""
        if self.target:
            self.close()

    def close(self) -> None:
        """End the process."""
        self.target = ""
        self._workers.close()

    def replies(self) -> Iterator[Reply]:
        """Yield what is said by now; the last reply ends the looking."""
        while self.target and (said := self._workers.reply(0)) is not None:
            yield said[1]
            self.target = self.target if "progress" in said[1] else ""


class Background(Looking):
    """Looks what claims and rulings come to; *found* has by its rules what came of each ruleset,
    *failed* why nothing did.
    """

    def __init__(self) -> None:
        super().__init__(READING)
        self.found: dict[str, LookedAt] = {}
        self.failed = ""

    def is_stale(self, target: str) -> bool:
        """Whether *target* was not looked at as its files are now; raises InputError."""
        known = self.found.get(target)
        return known is None or known.request != request_of(target)

    def forget(self, target: str) -> None:
        """Do not look at *target*, and keep nothing of it."""
        self.found.pop(target, None)
        if self.target == target:
            self.stop()

    def examine(self, target: str) -> None:
        """Begin to look at *target*, if it is not known already; raises InputError."""
        request = request_of(target)
        is_asked = self.target == target and self.request == request
        if self.is_stale(target) and not is_asked:
            self.begin(target, request)

    def hear(self) -> bool:
        """Return whether something new is known, in part or at last."""
        is_new = False
        for reply in self.replies():
            if "progress" in reply and "answer" not in reply:
                continue
            is_new, self.failed = True, ""
            try:
                found = answer(reply)
                if isinstance(found, Record):
                    self.found[self.target] = LookedAt(found, self.request)
            except RuntimeError as error:
                self.failed = str(error)
        return is_new


def request_of(target: str) -> bytes:
    """Return what is asked about *target*, as its files are now; raises InputError."""
    asked = Asked(Budget(_SECONDS), Tuning())
    return reading_request(target, asked, texts_of(target), is_watched=True)


def start() -> None:
    """Let this process, and what it begins, come last, where a system has an order of them."""
    with suppress(AttributeError, OSError):
        os.nice(_LAST)
