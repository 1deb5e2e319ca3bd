"""Editing in a browser: the files of one ruleset, what is asked of them, the pages made of them.

No other file is read or written, and none over a change that the writer does not know of.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from threading import BoundedSemaphore, Event, Lock, Thread
from time import monotonic
from typing import Any

from ...checker.prover.workers import TICK, Workers, command_of
from ...models.diagnostics import Diagnostic, InputError
from ...models.read import MAX_BYTES, decode_source, sent
from ...models.shipped import game_source
from ...models.source import CLAIMS, Span
from ...models.words import clean
from ...reports.files import write_whole
from ..asking.ask import Asked
from ..asking.reading_worker import SentTexts, reading_request, texts_of
from ..judging import RULINGS, mistakes_of, row_of
from .page_worker import MAKING
from .search import PageSearch, WrongQuestionError, read_object

EDITED_BOARD = "/board"
EDITED = ("/files", "/disk", "/check", "/save", EDITED_BOARD)
"""What the editor asks for."""
_SECONDS = 120.0
"""So long the verdicts of a text are looked for, unless a time is given."""
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


_BOM = b"\xef\xbb\xbf"


class ChangedError(Exception):
    """The file says something else by now."""


class Editing:
    """The files of the ruleset *target*, of which this much is *asked*."""

    def __init__(self, target: str, asked: Asked) -> None:
        self.target, self.asked = target, asked
        rules = Path(target.partition("@")[0])
        self.names = tuple(str(rules.with_suffix(one)) for one in (".rules", CLAIMS, RULINGS))
        self._writing = Lock()

    def opened(self) -> list[dict[str, str]]:
        """Return each file: its name, what it says, what tells that from others, and why it cannot
        be edited, if so.
        """
        return [self._opened(name) for name in self.names]

    def _opened(self, name: str) -> dict[str, str]:
        data, text, wrong = b"", "", ""
        try:
            data = _bytes(name) or b""
            text = decode_source(name, data).text
        except InputError as error:
            wrong = error.diagnostics[0].as_line
        except OSError as error:
            wrong = f"It cannot be read: {error.strerror}."
        return {"name": name, "text": text, "digest": self.digest(name), "wrong": clean(wrong)}

    @property
    def digests(self) -> dict[str, str]:
        """What tells what each file says from all else it might say."""
        return {name: self.digest(name) for name in self.names}

    def digest(self, name: str) -> str:
        """Return what tells what the file *name* says from all else; empty if there is none."""
        try:
            data = _bytes(name)
        except OSError:
            return ""
        return "" if data is None else sha256(data).hexdigest()

    # ------------------------------------------------------------------ what is typed

    def texts(self, body: bytes) -> dict[str, str]:
        """Return what *body* says of each file; raises `WrongQuestionError`."""
        said = read_object(body).get("texts")
        if not isinstance(said, dict) or set(said) != {*self.names}:
            raise WrongQuestionError("It has to have a text for each file.")
        if not all(isinstance(text, str) for text in said.values()):
            raise WrongQuestionError("What a file says is a text.")
        return said

    def held(self, texts: Mapping[str, str]) -> SentTexts:
        """Return *texts* as they are read; none where there is neither a file nor a text. Raises
        InputError.
        """
        return {
            name: decode_source(name, text.encode("utf-8", "surrogatepass")).text
            if text or Path(name).exists()
            else None
            for name, text in texts.items()
        }

    def mistakes(self, texts: Mapping[str, str], *, at_once: bool) -> list[dict[str, Any]]:
        """Return what is wrong with *texts*, as the command tells it; *at_once* what is soon
        found.
        """
        try:
            held = self.held(texts)
        except InputError as error:
            return list(self._told(error.diagnostics))
        with sent(held):
            rules, _, rulings = self.names
            found = mistakes_of(rules, at_once=at_once)
            found += () if held[rulings] is None else mistakes_of(rulings, at_once=at_once)
            return list(self._told(found))

    def _told(self, found: Sequence[Diagnostic]) -> Iterator[dict[str, Any]]:
        for one in found:
            row, start, end = 0, 0, 0
            if one.source is not None:
                span = one.span or Span(1, 1, 1)
                row, before = row_of(one.source, span.line)
                start, end = (len(before) + at - 1 for at in (span.column, span.end))
            yield {
                "file": one.file or self.names[0],
                "row": row,
                "start": start,
                "end": max(start, end),
                "severity": one.severity,
                "code": one.code,
                "message": clean(one.message),
                "hint": clean(one.hint),
            }

    # ------------------------------------------------------------------ what is written

    def save(self, body: bytes) -> str:
        """Write the file that *body* names, with the ends of lines that it has; return what tells
        what it says now.

        Raises `WrongQuestionError`; `ChangedError` if it says something else than the writer
        knows; InputError if it cannot be written.
        """
        said = read_object(body)
        name, text, known = (said.get(key) for key in ("file", "text", "digest"))
        if name not in self.names:
            raise WrongQuestionError("No such file is edited here.")
        if not isinstance(text, str) or not isinstance(known, str):
            raise WrongQuestionError("A file is written with its text and its digest.")
        decode_source(name, text.encode("utf-8", "surrogatepass"))
        with self._writing:
            if self.digest(name) != known:
                raise ChangedError(name)
            write_whole(Path(name), _as_before(text, _bytes(name) or b""))
            return self.digest(name)


def _as_before(text: str, before: bytes) -> bytes:
    """Return *text* with the ends of lines, and the mark at the start, that the file had
    *before*.
    """
    ends = "\r\n" if b"\r\n" in before else "\n"
    return _BOM * before.startswith(_BOM) + text.replace("\n", ends).encode()


def _bytes(name: str) -> bytes | None:
    """Return what the file *name* has in it, as far as it may be read; None if there is none."""
    try:
        with Path(name).open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return None
