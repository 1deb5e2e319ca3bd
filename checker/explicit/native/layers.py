"""Layers: the positions of a search in the order in which they are found.

A `BlockSpan` is a row of positions of one layer in a block of memory; a layer is a list of spans.
Each thread writes what it finds to a block of its own, one layer after the other, and takes another
block when it is full. Blocks whose last span nobody needs any more are used again. A span that has
been written to a log (`log`) can leave its block.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from ...types.budget import BudgetSpentError
from ..layout.layout import Key, as_words
from .memory import Memory, Room

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
        return self.filled(list(chain.from_iterable(map(as_words, keys))))

    def filled(self, numbers: list[int]) -> BlockSpan:
        """Return a span of its own with the words *numbers*."""
        block = self.room.take(len(numbers), "a layer")
        block.numbers[: len(numbers)] = numbers  # type: ignore[assignment]  # mypy takes what a slice gives for what it takes
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
