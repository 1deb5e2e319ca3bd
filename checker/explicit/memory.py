"""Memory: large arrays of numbers, zero at first, which the system hands out page by page as they are touched."""

from __future__ import annotations

import ctypes
import mmap
import sys

_BYTES = 8
_LARGE = 1 << 22
_PAGES = 1 << 21


class Memory:
    """*size* numbers at *address*."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._map = _mapped(max(size, 1) * _BYTES)
        if size * _BYTES >= _LARGE and hasattr(mmap, "MADV_HUGEPAGE"):
            self._map.madvise(mmap.MADV_HUGEPAGE)
        self.numbers = (ctypes.c_int64 * max(size, 1)).from_buffer(self._map)
        self.address = ctypes.addressof(self.numbers)

    def copied(self, size: int, used: int) -> Memory:
        """Return a memory of another *size* with the first *used* numbers of this one."""
        other = Memory(size)
        ctypes.memmove(other.address, self.address, used * _BYTES)
        return other

    def forget(self, first: int, number: int) -> None:
        """Give the pages of *number* numbers from *first* back; these numbers are not to be read any more."""
        if hasattr(mmap, "MADV_DONTNEED") and first * _BYTES % _PAGES == 0 and number * _BYTES % _PAGES == 0:
            self._map.madvise(mmap.MADV_DONTNEED, first * _BYTES, number * _BYTES)


def _mapped(size: int) -> mmap.mmap:
    if sys.platform == "win32":
        return mmap.mmap(-1, size)
    # Private: large pages are not given to memory that processes could share.
    return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
