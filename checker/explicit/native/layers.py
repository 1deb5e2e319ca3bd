"""Layers: the positions of a search in the order in which they are found, by a team of threads.

A `BlockSpan` is a row of positions of one layer in a block of memory; a layer is a list of spans.
Each thread writes what it finds to a block of its own, one layer after the other, and takes another
block when it is full. A block is used again when its last span is released. A span that has been
written to a `Log` can leave its block.

The log: positions on disk, in the order in which they were found, and never changed once they
are there.

A search writes down what it may have to read again: to go on after it was ended (`journal`), or the
layers it has left when memory is short. A running digest of all that was written tells later
whether the file still says the same.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from io import RawIOBase
from itertools import chain
from pathlib import Path

from ....models.storage.opening import Folder
from ...types.budget import BudgetSpentError
from ..moves.layout import Key, as_words
from .memory import Memory, Room

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


_BYTES = 8


class Log:
    """Positions of *size* words in *file*; *number* of them are there.

    If it is *marked*, the digests of what it had before are known, back to the last that was asked
    for.
    """

    def __init__(self, file: RawIOBase, size: int, *, marked: bool = False) -> None:
        self.file, self.size, self.number = file, size, 0
        self._digest = hashlib.sha256()
        self._marked = marked
        self._marks: dict[int, str] = {}

    @property
    def digest(self) -> str:
        """The digest of all positions in the log."""
        return self._digest.copy().hexdigest()

    def digest_of(self, number: int) -> str:
        """Return the digest of the first *number* positions, and forget those of fewer; raise
        OSError if it is not known.
        """
        self._marks = {at: digest for at, digest in self._marks.items() if at >= number}
        if number != self.number and number not in self._marks:
            raise OSError("the log was not written layer by layer")
        return self.digest if number == self.number else self._marks[number]

    def append(self, span: BlockSpan) -> None:
        """Write the positions of *span*, and note in it where they are; raise OSError if they
        cannot be written.
        """
        assert span.block is not None
        if self._marked:
            self._marks[self.number] = self.digest
        self.file.seek(self.number * self.size * _BYTES)
        view = span.block.view(span.first * self.size, span.number * self.size)
        written = 0
        while written < len(view):
            written += self.file.write(view[written:])
        self._digest.update(view)
        span.at = self.number
        self.number += span.number

    def append_new(self, spans: Iterable[BlockSpan]) -> None:
        """Write those of *spans* that are not in the log."""
        for span in spans:
            if span.at < 0:
                self.append(span)

    def flush(self) -> None:
        """See to it that what was written is on the disk; raise OSError if it is not."""
        os.fsync(self.file.fileno())

    def read(self, first: int, number: int, memory: Memory) -> None:
        """Read *number* positions from number *first* into *memory*; raise OSError if they are not
        there.
        """
        self.file.seek(first * self.size * _BYTES)
        view, done = memory.view(0, number * self.size), 0
        while done < len(view):
            got = self.file.readinto(view[done:])
            if not got:
                raise OSError("the log ends too early")
            done += got

    def recovered(self, number: int, most: int, memory: Memory) -> Iterator[tuple[int, int]]:
        """Read the first *number* positions again, up to *most* at once into *memory*; yield the
        first and how many, each time.

        From then on they are the whole log: what the file has after them was not finished.
        """
        for first in range(0, number, most):
            some = min(most, number - first)
            self.read(first, some, memory)
            self._digest.update(memory.view(0, some * self.size))
            yield first, some
        self.number = number
        self.file.truncate(number * self.size * _BYTES)


def temporary(folder: Path, size: int) -> Log:
    """Return a log in *folder* that only this process can open and that is gone with it; raise
    OSError if there cannot be one.
    """
    with Folder(folder, make=True, shared=True) as there:
        return Log(os.fdopen(there.made_nameless(), "w+b", buffering=0), size)


@contextmanager
def ended_by_disk(stuck: str) -> Iterator[None]:
    """Raise `BudgetSpentError` where a log cannot be written or read; *stuck* is what is so
    then.
    """
    try:
        yield
    except OSError as error:
        raise BudgetSpentError(f"{stuck}: {error.strerror or error}") from None


BLOCK = 1 << 16
"""How many positions a block is meant to hold."""


@dataclass(eq=False)
class BlockSpan:
    """The positions from *first* to *stop* of a block; *ends* says that the block has no more after
    them.

    *at* is the number of the first in the log, -1 if it is not there; *block* is None if the span
    is only there.
    """

    block: Memory | None
    first: int
    stop: int
    ends: bool = False
    at: int = -1

    @property
    def number(self) -> int:
        """How many positions there are."""
        return self.stop - self.first


Layer = list[BlockSpan]


class Blocks:
    """The blocks of a search, each with room for *positions* of *size* words; those given back are
    handed out again.
    """

    def __init__(self, room: Room, size: int, positions: int) -> None:
        self.room, self.size, self.positions = room, size, positions
        self._free: list[Memory] = []
        self._lock = threading.Lock()

    def take(self) -> Memory:
        """Return a block; raise `BudgetSpentError` if there is no room for one."""
        with self._lock:
            return (
                self._free.pop()
                if self._free
                else self.room.take(self.positions * self.size, "a layer")
            )

    def release(self, span: BlockSpan) -> None:
        """Take the memory of *span* from it; if its block ends there, that is free again."""
        block, span.block = span.block, None
        if block is None or not span.ends:
            return
        if block.size == self.positions * self.size:
            self._free.append(block)
        else:
            self.room.give_back(block)

    def trim(self) -> None:
        """Give free blocks back to the system."""
        while self._free:
            self.room.give_back(self._free.pop())

    def packed(self, keys: Iterable[Key]) -> BlockSpan:
        """Return a span of its own with the positions *keys*."""
        numbers = list(chain.from_iterable(map(as_words, keys)))
        block = self.room.take(len(numbers), "a layer")
        # mypy takes what a slice gives for what it takes
        block.numbers[: len(numbers)] = numbers  # type: ignore[assignment]
        return BlockSpan(block, 0, len(numbers) // self.size, ends=True)


class Written:
    """What one thread finds: *spans* finished, and the *block* it writes to, from number *first*
    on.
    """

    def __init__(self, blocks: Blocks) -> None:
        self.blocks, self.spans, self.first = blocks, Layer(), 0
        self.block = blocks.take()

    def next_block(self, found: int) -> bool:
        """Take another block, the present one being full up to number *found*; return False if
        there is no room.
        """
        try:
            block = self.blocks.take()
        except BudgetSpentError:
            return False
        self.spans.append(BlockSpan(self.block, self.first, found, ends=True))
        self.block, self.first = block, 0
        return True

    def cut(self, found: int) -> Layer:
        """Return the spans of what has been written up to number *found* since the last cut."""
        if found > self.first:
            self.spans.append(BlockSpan(self.block, self.first, found))
            self.first = found
        spans, self.spans = self.spans, Layer()
        return spans


def size_of(layer: Layer) -> int:
    """Return how many positions a layer has."""
    return sum(span.number for span in layer)


def spans_of(layer: Layer, most: int) -> Iterator[BlockSpan]:
    """Yield the layer in parts of up to *most* positions."""
    for span in layer:
        for first in range(span.first, span.stop, most):
            at = -1 if span.at < 0 else span.at + first - span.first
            yield BlockSpan(span.block, first, min(first + most, span.stop), at=at)
