"""Edited: what the editor in a browser asks of the files it edits, and the pages that are made of
its texts, in processes that can be ended at any moment.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import replace
from threading import BoundedSemaphore, Event, Thread
from time import monotonic
from typing import Any

from ...checker.prover.workers import TICK, Workers, command_of
from ...models.diagnostics import InputError
from ...models.read import sent
from ...models.shipped import game_source
from ..asking.reading_worker import reading_request, texts_of
from .editing import Editing
from .page_worker import MAKING
from .question import read_object
from .search import PageSearch

EDITED_BOARD = "/board"
EDITED = ("/files", "/disk", "/check", "/save", EDITED_BOARD)
"""What the editor asks for."""
_SECONDS = 120.0
"""So long the verdicts of a text are looked for, where nobody says how long."""
_WINDOWS = 4
"""How many pages are made at once."""
_WAIT = 3.0
_PATIENCE = 0.3
_BEAT = 0.5
"""After how many seconds something is said: so a window that is closed, or types on, is noticed."""


class EditedPages:
    """The pages of the texts that *editing* is about."""

    def __init__(self, editing: Editing) -> None:
        self.editing = editing
        self._free, self._ended = BoundedSemaphore(_WINDOWS), Event()

    def answer(self, path: str, body: bytes) -> object:
        """Return what is asked for at *path*; raises what `Editing` raises."""
        editing = self.editing
        match path:
            case "/files":
                files = editing.opened()
                self._warm({one["name"]: one["text"] for one in files})
                return files
            case "/disk":
                return editing.digests
            case "/save":
                return {"digest": editing.save(body)}
            case _:
                texts, is_whole = editing.texts(body), read_object(body).get("whole") is True
                found = editing.mistakes(texts, at_once=not is_whole)
                return {"mistakes": found, "disk": editing.digests}

    def _warm(self, texts: dict[str, str]) -> None:
        """Read *texts* before anybody types, so that the first key is as quick as others."""
        Thread(
            target=self.editing.mistakes, args=(texts,), kwargs={"at_once": True}, daemon=True
        ).start()

    def end(self) -> None:
        """Let no page be made any more."""
        self._ended.set()

    def pages(
        self, body: bytes, add: Callable[[str, PageSearch], str]
    ) -> Generator[dict[str, Any], None, None]:
        """Return what becomes of the texts in *body*, as it comes: the number that each page gets,
        which *add* takes; what claims and rulings came to; at last why there is no page, if so.

        No process lives longer than this. Raises `WrongQuestionError`.
        """
        return self._pages(self.editing.texts(body), add)

    def _pages(
        self, texts: dict[str, str], add: Callable[[str, PageSearch], str]
    ) -> Generator[dict[str, Any], None, None]:
        if not self._free.acquire(timeout=_WAIT):
            yield {"failed": "Too many windows have a board made: close one."}
            return
        try:
            yield from self._made(texts, add)
        except InputError as error:
            yield {"failed": error.diagnostics[0].as_line}
        finally:
            self._free.release()

    def _made(
        self, texts: dict[str, str], add: Callable[[str, PageSearch], str]
    ) -> Generator[dict[str, Any], None, None]:
        target, asked = self.editing.target, self.editing.asked
        held = self.editing.held(texts)
        with sent(held):
            whole, text = {**texts_of(target), **held}, game_source(target).text
        budget = replace(asked.budget, seconds=asked.budget.seconds or _SECONDS)
        request = reading_request(target, replace(asked, budget=budget), whole)
        heard = monotonic()
        with closing(Workers(command_of(MAKING), _PATIENCE)) as workers:
            workers.give(0, request)
            while not self._ended.is_set():
                said = workers.reply(TICK)
                if said is None:
                    if monotonic() - heard > _BEAT:
                        heard = monotonic()
                        yield {}
                    continue
                reply = said[1]
                if "page" in reply:
                    reply["page"] = add(reply["page"], PageSearch(target, text, asked, whole))
                if "died" in reply:
                    reply["failed"] = (
                        f"The process that makes the board has ended ({reply['died']})."
                    )
                yield reply
                if "progress" not in reply:
                    return
