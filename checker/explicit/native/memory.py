"""Memory: large arrays of numbers, zero at first, which the system hands out page by page as they
are touched.

Who takes one asks a `Room` first, which knows how much a search may have and has taken, touched or
not.
"""

from __future__ import annotations

import ctypes
import mmap
import sys
from math import ceil

from ...types.budget import BudgetSpentError, Meter, memory_in_use

_BYTES = 8
_LARGE = 1 << 22
_PAGES = 1 << 21
_MEBIBYTE = 1 << 20


class Memory:
    """*size* numbers at *address*, which compiled code gets where it is given this."""

    def __init__(self, size: int) -> None:
        self._map = _mapped(max(size, 1) * _BYTES)
        self._have(size)

    def _have(self, size: int) -> None:
        self.size = size
        if size * _BYTES >= _LARGE and hasattr(mmap, "MADV_HUGEPAGE"):
            self._map.madvise(mmap.MADV_HUGEPAGE)
        self.numbers = (ctypes.c_int64 * max(size, 1)).from_buffer(self._map)
        self.address = self._as_parameter_ = ctypes.addressof(self.numbers)

    def enlarge(self, size: int) -> None:
        """Have *size* numbers, at least as many as before. The old ones stay; no views of them may
        be in use. The *address* may change.

        The system moves the pages if it can; else they are copied.
        """
        del self.numbers
        try:
            self._map.resize(size * _BYTES)
        except (BufferError, SystemError):
            old, self._map = self._map, _mapped(size * _BYTES)
            self._map[: len(old)] = old[:]
        finally:
            self._have(len(self._map) // _BYTES)

    def view(self, first: int, number: int) -> memoryview:
        """Return *number* numbers from *first* as bytes."""
        return memoryview(self._map)[first * _BYTES : (first + number) * _BYTES]

    def forget(self, first: int, number: int) -> None:
        """Give the pages of *number* numbers from *first* back; these numbers are not to be read
        any more.
        """
        if (
            hasattr(mmap, "MADV_DONTNEED")
            and first * _BYTES % _PAGES == 0
            and number * _BYTES % _PAGES == 0
        ):
            self._map.madvise(mmap.MADV_DONTNEED, first * _BYTES, number * _BYTES)


class Room:
    """How much memory a search may take within the budget of *meter*; what the process had before
    counts too.

    A *reserve*, a share of what is left beside that, stays free.
    """

    def __init__(self, meter: Meter) -> None:
        self.meter = meter
        self.before = memory_in_use() * _MEBIBYTE
        self.taken = 0
        self.reserve = 0.0

    @property
    def allowed(self) -> float | None:
        """How many bytes the whole process may have; None if there is no bound."""
        return None if self.meter.mebibytes is None else self.meter.mebibytes * _MEBIBYTE

    def has(self, size: int) -> bool:
        """Whether *size* more numbers may be taken."""
        if self.allowed is None:
            return True
        used = max(self.before + self.taken, memory_in_use() * _MEBIBYTE)
        return used + size * _BYTES <= self.allowed - self.reserve * max(
            self.allowed - self.before, 0
        )

    def take(self, size: int, what: str) -> Memory:
        """Return a memory of *size* numbers for *what*; raise `BudgetSpentError` if there is no
        room for it.
        """
        self._make_sure_of(size, what)
        try:
            memory = Memory(size)
        except (OSError, MemoryError):
            raise _too_much(size, what) from None
        self.taken += size * _BYTES
        return memory

    def enlarge(self, memory: Memory, size: int, what: str) -> None:
        """Let *memory* for *what* have *size* numbers (`Memory.enlarge`); raise `BudgetSpentError`
        if there is no room for them.
        """
        more = size - memory.size
        self._make_sure_of(more, what)
        try:
            memory.enlarge(size)
        except (OSError, MemoryError):
            raise _too_much(more, what) from None
        self.taken += more * _BYTES

    def _make_sure_of(self, size: int, what: str) -> None:
        if not self.has(size):
            needed = ceil(10 * size * _BYTES / _MEBIBYTE) / 10
            raise BudgetSpentError(
                f"the memory of {self.meter.budget.mebibytes:,} MiB has no room for {what} of "
                f"{needed:,} MiB"
            )

    def give_back(self, memory: Memory) -> None:
        """Note that *memory* is free again."""
        self.taken -= memory.size * _BYTES


def _too_much(size: int, what: str) -> BudgetSpentError:
    return BudgetSpentError(
        f"the system has no memory for {what} of {size * _BYTES / _MEBIBYTE:,.1f} MiB"
    )


def _mapped(size: int) -> mmap.mmap:
    if sys.platform == "win32":
        return mmap.mmap(-1, size)
    # Private: large pages are not given to memory that processes could share.
    return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
