"""The log: positions on disk, in the order in which they were found, and never changed once they
are there.

A search writes down what it may have to read again: to go on after it was ended (`journal`), or the
layers it has left when memory is short. A running digest of all that was written tells later
whether the file still says the same.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from io import RawIOBase
from pathlib import Path

from ....models.storage.opening import Folder
from ...types.budget import BudgetSpentError
from .layers import BlockSpan
from .memory import Memory

_BYTES = 8


class Log:
    """Positions of *size* words in *file*; *number* of them are there.

    If it is *marked*, the digests of what it had before are known, back to the last that was asked
    for.
    """

    def __init__(self, file: RawIOBase, size: int, *, marked: bool = False) -> None:
        self.file, self.size, self.number, self.is_at_end = file, size, 0, True
        self.bytes = 0
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
        if not self.is_at_end:
            self.file.seek(self.bytes)
            self.is_at_end = True
        view = span.block.view(span.first * self.size, span.number * self.size)
        written, self.is_at_end = 0, False
        while written < len(view):
            written += self.file.write(view[written:])
        self._digest.update(view)
        self.is_at_end = True
        span.at = self.number
        self.number += span.number
        self.bytes += len(view)

    def flush(self) -> None:
        """See to it that what was written is on the disk; raise OSError if it is not."""
        os.fsync(self.file.fileno())

    def read(self, first: int, number: int, memory: Memory) -> None:
        """Read *number* positions from number *first* into *memory*; raise OSError if they are not
        there.
        """
        self.is_at_end = False
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
        self.number, self.bytes = number, number * self.size * _BYTES
        self.file.truncate(self.bytes)


def temporary(folder: Path, size: int) -> Log:
    """Return a log in *folder* that nobody else sees and that is gone with this process; raise
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
