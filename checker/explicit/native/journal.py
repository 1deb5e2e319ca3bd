"""The journal of a long search: how far it is, written down every so often, so that a search that
was ended can go on.

In a folder of checkpoints there are up to three files for a search, named by a digest of all it
depends on: its text, its starts, what it watches, the code of the engine, and this format. The log
(`Log`) has the positions found, in that order; the head says how many of them belong to which
layer, and what was counted. The log only grows, and the head appears whole, by renaming, after what
it speaks of is on the disk: so whenever the process is killed, the head before is good. A search
that is finished leaves its result instead of both. Of a search that is parted among shards the logs
are written first, each by its shard, and then one head for all, the barrier. Files that are
damaged, not signed with the key, or those of another search, are not used.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import Any, TypeAlias, TypeVar

from ....models.frozen import frozen
from ....models.storage.key import digest, engine_digest
from ...process.checkpoints import Checkpoints, NotGoodError, new_log, opened_log
from ..emit.emit import Emitted
from ..moves.layout import Words
from .layers import Layer, Log, size_of

_T = TypeVar("_T")

FORMAT = "3"
"""Part of every name: to be changed when old files should not be read any more."""
PARTED = ".parts.json"
"""How the name of the head ends of a search that is parted among shards, each with a log of its
own.
"""
INTERVAL = 10.0
"""How many seconds a search goes on before it is written down, and between two times."""


@frozen
class Saved:
    """How far a search was: the sizes of its *layers* in the log, the last two being the present
    and the following one.

    Of the present one the positions *pending* have not been expanded: pairs of a first and the one
    after a last, as numbered in the log.
    """

    layers: Sequence[int]
    pending: Sequence[Sequence[int]]
    moves: int
    cut: int
    bits: int
    hits: Mapping[int, int]


class Journal:
    """What is written down among *files* of the search for *key*, every few seconds; *note* says
    what went wrong, if anything did.
    """

    def __init__(self, files: Checkpoints, key: str, size: int) -> None:
        self.files, self.key, self.size, self.interval = files, key, size, INTERVAL
        self.log: Log | None = None
        self.note = ""
        self.is_broken = self._has_parts = False
        self._began = self._last = monotonic()

    @property
    def is_long(self) -> bool:
        """Whether the search has been going on for so long that it is worth writing down."""
        return self.log is not None or self._has_parts or monotonic() - self._began >= self.interval

    @property
    def is_due(self) -> bool:
        """Whether it is time to write."""
        return not self.is_broken and monotonic() - self._last >= self.interval

    @property
    def folder(self) -> Path:
        """The folder it is written in."""
        return self.files.path

    def _file(self, suffix: str) -> str:
        return f"{self.key[:40]}{suffix}"

    # ------------------------------------------------------------------ writing

    def open(self) -> None:
        """Begin a log, if there is none yet; raise OSError if there cannot be one."""
        if self.log is None:
            self.files.remove(self._file(".json"))
            self.log = Log(new_log(self.files.path / self._file(".log")), self.size)

    def write(
        self,
        behind: Sequence[Layer],
        present: Layer,
        following: Layer,
        pending: Layer,
        counted: Mapping[str, Any],
    ) -> bool:
        """Write down how far the search is, *counted* being the rest of a `Saved`; return False,
        and write no more, if that cannot be.
        """
        try:
            self.open()
            assert self.log is not None
            layers = [*behind, present, following]
            self.log.append_new(chain.from_iterable(layers))
            self.log.flush()
            rest = [[span.at, span.at + span.number] for span in located(pending, present)]
            saved = Saved([size_of(layer) for layer in layers], rest, **counted)
            self.files.put(
                self._file(".json"), {"key": self.key, **asdict(saved), "digest": self.log.digest}
            )
        except OSError as error:
            self.give_up(error.strerror or str(error))
            return False
        finally:
            self._last = monotonic()
        return True

    def finish(self, result: Any) -> None:
        """Leave the *result* of a long search in the place of what was written down."""
        if not self.is_long:
            return
        try:
            self.files.put(self._file(".done.json"), {"key": self.key, **asdict(result)})
            self.close()
            self.files.remove_others(self._file(".done.json"), self._file(""))
        except OSError as error:
            self.note = (
                self.note
                or f"the result could not be kept in {self.folder}: {error.strerror or error}"
            )

    # ------------------------------------------------------------------ the shards of a search

    def write_parts(self, barrier: Barrier) -> bool:
        """Write down how far the shards of a search are, whose logs are written; return False, and
        write no more, if that cannot be.
        """
        try:
            self.files.put(self._file(PARTED), {"key": self.key, **asdict(barrier)})
            self._has_parts = True
        except OSError as error:
            self.give_up(error.strerror or str(error))
        finally:
            self._last = monotonic()
        return not self.is_broken

    def give_up(self, why: str) -> None:
        """Write no more, and note *why*."""
        self.is_broken = True
        self.note = f"no further checkpoint could be written to {self.folder}: {why}"

    def parts_saved(self) -> dict[str, Any]:
        """Return how far the shards were; raise `NotGoodError` if it is not what was written, or
        about another search.
        """
        content = self._get(PARTED)
        self._has_parts = True
        return content

    def log_of(self, part: int) -> Path:
        """Return where the log of a shard is."""
        return self.folder / self._file(f"-{part}.log")

    # ------------------------------------------------------------------ reading

    def done(self) -> dict[str, Any] | None:
        """Return the result of the search if it was finished before; None if not, or if what is
        there is not good.
        """
        try:
            return self._get(".done.json")
        except NotGoodError:
            return None

    @property
    def is_there(self) -> bool:
        """Whether the search was written down."""
        return self._file(".json") in self.files.names()

    @property
    def is_parted(self) -> bool:
        """Whether a search of several shards was written down."""
        return self._file(PARTED) in self.files.names()

    @property
    def knows_nothing(self) -> bool:
        """Whether no search at all was written down in the folder, finished or not."""
        return not self.files.names()

    def saved(self) -> tuple[Saved, str]:
        """Return how far the search was, and the digest of the log, which is open then; raise
        `NotGoodError` if it is not good.
        """
        content = self._get(".json")
        of_log = content.pop("digest", "")
        saved = as_saved(content)
        if saved is None:
            raise NotGoodError(f"the checkpoint in {self.folder} says what no search has written")
        self._claim(sum(saved.layers))
        return saved, of_log

    def _claim(self, number: int) -> None:
        try:
            file = opened_log(self.files.path / self._file(".log"))
        except OSError as error:
            raise NotGoodError(
                f"the log in {self.folder} cannot be read: {error.strerror or error}"
            ) from None
        if file.seek(0, 2) < number * self.size * 8:
            file.close()
            raise NotGoodError(f"the log in {self.folder} is shorter than it was")
        self.log = Log(file, self.size)

    def close(self) -> None:
        """Write no more to the log; what is written from now on begins anew."""
        if self.log is not None:
            self.log.file.close()
            self.log = None

    def _get(self, suffix: str) -> dict[str, Any]:
        """Return what a file says; raise `NotGoodError` if it is not what was written, or about
        another search.
        """
        content = self.files.get(self._file(suffix))
        if content.pop("key", "") != self.key:
            raise NotGoodError(f"the checkpoint in {self.folder} is of another search")
        return content


def as_saved(content: dict[str, Any]) -> Saved | None:
    """Return what *content* says if a search can have written it: every number in its bounds, what
    is pending within the present layer.
    """
    if not _IS_SAVED(content) or len(content["layers"]) < 2:
        return None
    saved = Saved(**content | {"hits": numbered(content["hits"])})
    last = sum(saved.layers[:-1])
    if not all(last - saved.layers[-2] <= begin <= stop <= last for begin, stop in saved.pending):
        return None
    return saved


def key_of(emitted: Emitted, starts: Sequence[Words], *watched: int) -> str:
    """Return the digest of all that a search depends on, our own code too, as what other code has
    found may be a mistake.
    """
    layout, made_by = emitted.layout, [FORMAT, engine_digest(), sys.byteorder]
    told = [
        *made_by,
        str(layout.words),
        str(emitted.most_moves),
        *map(str, watched),
        *map(str, sorted(starts)),
        emitted.text,
    ]
    return digest(*told)


def located(pending: Layer, layer: Layer) -> Layer:
    """Note in parts of *layer* where they are in the log, as its spans have been written there."""
    for part in pending:
        if part.at < 0:
            whole = next(
                span
                for span in layer
                if span.block is part.block and span.first <= part.first and part.stop <= span.stop
            )
            part.at = whole.at + part.first - whole.first
    return pending


# ------------------------------------------------------------------ all shards


@frozen
class Barrier:
    """The sizes of the *layers* in the log of each shard, up to the present one, and the *digests*
    of these; the rest as in a `Saved`.
    """

    layers: Sequence[Sequence[int]]
    digests: Sequence[str]
    moves: int
    cut: int
    bits: int
    hits: Mapping[int, int]


def read_barrier(journal: Journal, parts: int) -> Barrier:
    """Return the last barrier in *journal*; raise `NotGoodError` if it is not of *parts* parts,
    or says what no search has written.
    """
    content = journal.parts_saved()
    if not _IS_BARRIER(content):
        raise NotGoodError(f"the checkpoint in {journal.folder} says what no search has written")
    barrier = Barrier(**content | {"hits": numbered(content["hits"])})
    layers = barrier.layers
    if len(set(map(len, layers))) != 1 or not all(layers) or len(barrier.digests) != len(layers):
        raise NotGoodError(f"the checkpoint in {journal.folder} says what no search has written")
    if len(layers) != parts:
        raise NotGoodError(f"the checkpoint in {journal.folder} is of {len(layers)} workers")
    return barrier


def saved_of(barrier: Barrier, number: int) -> tuple[Saved, str]:
    """Return what shard *number* goes on from, and the digest of its log. What was counted together
    is counted on by the first.
    """
    layers = barrier.layers[number]
    stop = sum(layers)
    counted = (barrier.moves, barrier.cut, barrier.bits) if number == 0 else (0, 0, 0)
    return Saved([*layers, 0], [[stop - layers[-1], stop]], *counted, {}), barrier.digests[number]


# ------------------------------------------------------------------ what a file can say


WORD = 64
"""How many bits a word has, and how many formulas are watched at most."""
Shape: TypeAlias = Callable[[Any], bool]
"""Whether plain data is of some form."""


def is_count(value: Any) -> bool:
    """Whether *value* is a number that something can have been counted to, or a word."""
    return value.__class__ is int and 0 <= value < 1 << WORD


def list_of(each: Shape) -> Shape:
    """Return whether data is a list of such data as *each* is."""
    return lambda value: isinstance(value, list) and all(map(each, value))


def row_of(each: Shape, number: int) -> Shape:
    """Return whether data is a list of *number* such data."""
    return lambda value: list_of(each)(value) and len(value) == number


def by_bits(each: Shape) -> Shape:
    """Return whether data says such data of formulas by their numbers (`numbered`)."""
    return lambda value: (
        isinstance(value, dict)
        and all(
            bit.isascii() and bit.isdigit() and len(bit) <= 2 and int(bit) < WORD and each(its)
            for bit, its in value.items()
        )
    )


def fields_of(**fields: Shape) -> Shape:
    """Return whether data has just these *fields*."""
    return lambda value: (
        isinstance(value, dict)
        and value.keys() == fields.keys()
        and all(fits(value[name]) for name, fits in fields.items())
    )


def numbered(said: Mapping[str, _T]) -> dict[int, _T]:
    """Return what is *said* of formulas by their numbers, which JSON writes as texts."""
    return {int(bit): its for bit, its in said.items()}


_COUNTED = {"moves": is_count, "cut": is_count, "bits": is_count, "hits": by_bits(is_count)}
_COUNTS = list_of(is_count)
_IS_SAVED = fields_of(layers=_COUNTS, pending=list_of(row_of(is_count, 2)), **_COUNTED)
_IS_BARRIER = fields_of(
    layers=list_of(_COUNTS), digests=list_of(lambda one: isinstance(one, str)), **_COUNTED
)
