"""Memory: large arrays of numbers, zero at first, which the system hands out page by page as they are touched."""

from __future__ import annotations

import ctypes
import mmap

_BYTES = 8
_LARGE = 1 << 22


class Memory:
    """*size* numbers at *address*."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._map = mmap.mmap(-1, max(size, 1) * _BYTES)
        if size * _BYTES >= _LARGE and hasattr(mmap, "MADV_HUGEPAGE"):
            self._map.madvise(mmap.MADV_HUGEPAGE)
        self.numbers = (ctypes.c_int64 * max(size, 1)).from_buffer(self._map)
        self.address = ctypes.addressof(self.numbers)

    def copied(self, size: int, used: int) -> Memory:
        """Return a memory of another *size* with the first *used* numbers of this one."""
        other = Memory(size)
        ctypes.memmove(other.address, self.address, used * _BYTES)
        return other
