"""Searching for a page: what it asks is decided as `check` decides it, in a process of its own that
can be ended at any moment.

There is one search at a time. What comes of it are lines of plain data: how far it is, and at last
the answers, or why there are none.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import AbstractContextManager, closing
from threading import Event, Lock
from time import monotonic
from typing import Any

from ...checker.process.serving import Reply
from ...checker.prover.workers import TICK, Workers, command_of
from ...models.diagnostics import InputError
from ...models.read import sent
from ...models.shipped import game_source
from ...reports.page.rows import answers_of
from ..asking.ask import Asked
from ..asking.reading_worker import READING, SentTexts, answer, reading_request, texts_of

_PATIENCE = 1.5
"""How many seconds a process has to end those that it has begun."""
_LAST_WORDS = 5.0
"""How many seconds a search that was stopped may take to say what it has found."""
_BEAT = 0.5
"""After how many seconds something is said, also where there is nothing new: so a page that is
closed is noticed.
"""
CHANGED = "The ruleset has changed since this page was made: begin `stacklaw explore` anew."


class PageSearch:
    """Who decides what a page asks of the ruleset *target*, which has this *text*, beside what is
    *asked* by its server. Its files say these *texts*, if any are given.
    """

    def __init__(
        self, target: str, text: str, asked: Asked, texts: SentTexts | None = None
    ) -> None:
        self.target, self.text, self.asked, self.texts = target, text, asked, texts or {}
        self._free = Lock()
        self._stopped, self._ended = Event(), Event()

    def take_search(self) -> bool:
        """Take the search for oneself, until it is left; return whether nobody else has it. One
        that has answered may still be ending.
        """
        if self._ended.is_set() or not self._free.acquire(timeout=2 * _PATIENCE):
            return False
        self._stopped.clear()
        return True

    def leave(self) -> None:
        """Leave the search to others."""
        self._free.release()

    def stop(self) -> None:
        """Have the present search say what it has found, and end."""
        self._stopped.set()

    def end(self) -> None:
        """Have the present search end, and let no other begin."""
        self._ended.set()

    def stop_all(self) -> None:
        """End all searches, and leave no process."""
        self.end()
        self._free.acquire(timeout=_PATIENCE + 2 * TICK)

    def in_sight(self) -> AbstractContextManager[None]:
        """Have readers of a file meanwhile read what the page is about."""
        return sent(self.texts)

    @property
    def is_changed(self) -> bool:
        """Whether the ruleset is another than that of the page by now."""
        try:
            with self.in_sight():
                return game_source(self.target).text != self.text
        except InputError:
            return True

    def run(self, question: Asked) -> Generator[dict[str, Any], None, None]:
        """Yield how far the search for *question* is, twice a second, what it has found while
        proofs are looked for, and at last what came of it; no process lives longer than this.
        """
        begun = heard = monotonic()
        until, progress = float("inf"), Reply()
        with self.in_sight():
            texts = texts_of(self.target)
        with closing(Workers(command_of(READING), _PATIENCE)) as workers:
            workers.give(0, reading_request(self.target, question, texts, is_watched=True))
            while not self._ended.is_set() and monotonic() < until:
                if self._stopped.is_set() and until == float("inf"):
                    until = monotonic() + _LAST_WORDS
                    workers.interrupt()
                said = workers.reply(TICK)
                if said is not None and "progress" not in said[1]:
                    yield self._answered(said[1])
                    return
                if said is not None and "answer" in said[1] and not self.is_changed:
                    yield {"seconds": round(monotonic() - begun), "found": self._answers(said[1])}
                progress = progress if said is None else {"progress": said[1]["progress"]}
                if monotonic() - heard > _BEAT:
                    heard = monotonic()
                    yield {"seconds": round(heard - begun), **progress}
        yield {"failed": _NOTHING}

    def _answered(self, reply: Reply) -> dict[str, Any]:
        """Return what *reply* comes to."""
        if "died" in reply:
            return {
                "failed": _NOTHING
                if self._stopped.is_set()
                else f"The process that searched has ended ({reply['died']})."
            }
        try:
            found = answer(reply)
        except RuntimeError as error:
            return {"failed": f"The search has failed: {error}"}
        if isinstance(found, tuple):
            return {"failed": " ".join(one.message for one in found)}
        if self.is_changed:
            return {"failed": CHANGED}
        return answers_of(found)

    def _answers(self, reply: Reply) -> dict[str, Any]:
        """Return what *reply* says is found while proofs are still looked for."""
        found = answer(reply)
        return {} if isinstance(found, tuple) else answers_of(found)


_NOTHING = "The search was stopped before it had found anything."
