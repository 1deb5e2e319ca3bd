"""The journal of a long search: how far it is, written down every so often, so that a search that was ended can go on.

In a folder of checkpoints there are up to three files for a search, named by a digest of all it depends on: its text,
its starts, what it watches, and this format. The log (`log`) has the positions found, in that order; the head says how many of
them belong to which layer, and what was counted. The log only grows, and the head appears whole, by renaming, after
what it speaks of is on the disk: so whenever the process is killed, the head before is good. A search that is finished
leaves its result instead of both. Files that are damaged, or are those of another search, are not used.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any

from .emit import Emitted
from .layers import Layer, size_of
from .layout import Words
from .log import Log, opened

FORMAT = "1"
"""Part of every name: to be changed when old files should not be read any more."""
INTERVAL = 10.0
"""How many seconds a search goes on before it is written down, and between two times."""


class NotGoodError(Exception):
    """A checkpoint is not used; the message says why, as a clause."""


@dataclass(frozen=True)
class Saved:
    """How far a search was: the sizes of its *layers* in the log, the last two being the present and the following one.

    Of the present one the positions *pending* have not been expanded: pairs of a first and the one after a last, as numbered in the log.
    """

    layers: Sequence[int]
    pending: Sequence[Sequence[int]]
    moves: int
    cut: int
    bits: int
    hits: Mapping[str, int]


class Journal:
    """What is written down in *folder* of the search for *key*, every so many seconds; *note* says what went wrong, if anything did."""

    def __init__(self, folder: Path, key: str, size: int) -> None:
        self.folder, self.key, self.size, self.interval = folder, key, size, INTERVAL
        self.log: Log | None = None
        self.note = ""
        self.is_broken = False
        self._began = self._last = monotonic()

    @property
    def is_long(self) -> bool:
        """Whether the search has been going on for so long that it is worth writing down."""
        return self.log is not None or monotonic() - self._began >= self.interval

    @property
    def is_due(self) -> bool:
        """Whether it is time to write."""
        return not self.is_broken and monotonic() - self._last >= self.interval

    def _file(self, suffix: str) -> Path:
        return self.folder / f"{self.key[:40]}{suffix}"

    # ------------------------------------------------------------------ writing

    def open(self) -> None:
        """Begin a log, if there is none yet; raise OSError if there cannot be one."""
        if self.log is None:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._file(".json").unlink(missing_ok=True)
            self.log = opened(self._file(".log"), self.size, anew=True)

    def write(self, behind: Sequence[Layer], present: Layer, following: Layer, pending: Layer, counted: Mapping[str, Any]) -> bool:
        """Write down how far the search is, *counted* being the rest of a `Saved`; return False, and write no more, if that cannot be."""
        try:
            self.open()
            assert self.log is not None
            layers = [*behind, present, following]
            for layer in layers:
                for span in layer:
                    if span.at < 0:
                        self.log.append(span)
            self.log.flush()
            rest = [[span.at, span.at + span.number] for span in located(pending, present)]
            saved = Saved([size_of(layer) for layer in layers], rest, **counted)
            self._put(".json", {**asdict(saved), "digest": self.log.digest})
        except OSError as error:
            self.is_broken = True
            self.note = f"no further checkpoint could be written to {self.folder}: {error.strerror or error}"
            return False
        finally:
            self._last = monotonic()
        return True

    def finish(self, result: Mapping[str, Any]) -> None:
        """Leave the *result* of a long search in the place of what was written down."""
        if not self.is_long:
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._put(".done.json", result)
        except OSError as error:
            self.note = self.note or f"the result could not be kept in {self.folder}: {error.strerror or error}"
            return
        self.close()
        for suffix in (".json", ".log"):
            self._file(suffix).unlink(missing_ok=True)

    def _put(self, suffix: str, content: Mapping[str, Any]) -> None:
        """Write a file that is there whole or not at all, with the digest of what it says."""
        text = json.dumps({"format": FORMAT, "key": self.key, **content}, sort_keys=True)
        handle, name = tempfile.mkstemp(dir=self.folder)
        try:
            with os.fdopen(handle, "w", encoding="ascii") as stream:
                stream.write(f"{_digest(text)}\n{text}\n")
                stream.flush()
                os.fsync(stream.fileno())
            Path(name).replace(self._file(suffix))
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    # ------------------------------------------------------------------ reading

    def done(self) -> dict[str, Any] | None:
        """Return the result of the search if it was finished before; None if not, or if what is there is not good."""
        try:
            return self._get(".done.json")
        except NotGoodError:
            return None

    @property
    def is_there(self) -> bool:
        """Whether the search was written down."""
        return self._file(".json").exists()

    @property
    def knows_nothing(self) -> bool:
        """Whether no search at all was written down in the folder, finished or not."""
        return not any(self.folder.glob("*.json"))

    def saved(self) -> tuple[Saved, str]:
        """Return how far the search was, and the digest of the log, which is open then; raise `NotGoodError` if it is not good."""
        content = self._get(".json")
        digest = content.pop("digest", "")
        try:
            saved = Saved(**{field.name: content[field.name] for field in fields(Saved)})
        except KeyError as error:
            raise NotGoodError(f"the checkpoint in {self.folder} has no {error}") from None
        self._claim(sum(saved.layers))
        return saved, digest

    def _claim(self, number: int) -> None:
        path = self._file(".log")
        try:
            if path.stat().st_size < number * self.size * 8:
                raise NotGoodError(f"the log in {self.folder} is shorter than it was")
            self.log = opened(path, self.size, anew=False)
        except OSError as error:
            raise NotGoodError(f"the log in {self.folder} cannot be read: {error.strerror or error}") from None

    def close(self) -> None:
        """Write no more to the log; what is written from now on begins anew."""
        if self.log is not None:
            self.log.file.close()
            self.log = None

    def _get(self, suffix: str) -> dict[str, Any]:
        """Return what a file says; raise `NotGoodError` if it is not what was written, or about another search."""
        try:
            digest, _, text = self._file(suffix).read_text(encoding="ascii").rstrip("\n").partition("\n")
        except (OSError, ValueError) as error:
            raise NotGoodError(f"the checkpoint in {self.folder} cannot be read: {error}") from None
        if digest != _digest(text):
            raise NotGoodError(f"the checkpoint in {self.folder} is damaged")
        content: dict[str, Any] = json.loads(text)
        if (content.pop("format", ""), content.pop("key", "")) != (FORMAT, self.key):
            raise NotGoodError(f"the checkpoint in {self.folder} is of another search")
        return content


def key_of(emitted: Emitted, starts: Sequence[Words], *watched: int) -> str:
    """Return the digest of all that a search depends on."""
    layout = emitted.layout
    told = [FORMAT, sys.byteorder, str(layout.words), str(emitted.most_moves), *map(str, watched), *map(str, sorted(starts)), emitted.text]
    return sha256("\0".join(told).encode()).hexdigest()


def located(pending: Layer, layer: Layer) -> Layer:
    """Note in parts of *layer* where they are in the log, as its spans have been written there."""
    for part in pending:
        if part.at < 0:
            whole = next(span for span in layer if span.block is part.block and span.first <= part.first and part.stop <= span.stop)
            part.at = whole.at + part.first - whole.first
    return pending


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
