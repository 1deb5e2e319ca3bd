"""Workers of a search: what each thread of a search has of its own, a buffer, a tally, and a place
for what it finds.
"""

from __future__ import annotations

from ..emit.emit import Emitted
from ..moves.hooks import WHICH
from ..native import kernel
from ..native.layers import Blocks, BlockSpan, Layer, Written
from ..native.machine import Machine
from ..native.memory import Room
from ..native.table import Table


class SearchWorker:
    """One thread of a search, watching the formula of number *which*."""

    def __init__(self, emitted: Emitted, room: Room, blocks: Blocks, which: int) -> None:
        words = kernel.buffer_words(emitted)
        self.out = room.take(words, "a buffer")
        self.slots = room.take(words, "a buffer")
        self.tally = room.take(8, "a tally")
        self.out.numbers[WHICH] = which
        self.cells = self.tally.numbers
        self.cells[kernel.MOST_FOUND] = blocks.positions
        self.batch_most = kernel.batch_most(emitted)
        self.written = Written(blocks)

    @property
    def has_block(self) -> bool:
        """Whether what a batch finds has room in the block."""
        return self.cells[kernel.FOUND] + self.batch_most <= self.cells[kernel.MOST_FOUND]

    @property
    def may_know(self) -> bool:
        """Whether what a batch finds may be put into the table."""
        return self.cells[kernel.KNOWN] + self.batch_most <= self.cells[kernel.MOST_KNOWN]

    def next_block(self) -> bool:
        """Take another block; return False if there is no room for one."""
        if not self.written.next_block(self.cells[kernel.FOUND]):
            return False
        self.cells[kernel.FOUND] = 0
        return True

    def cut(self) -> Layer:
        """Return what has been found since the last cut."""
        return self.written.cut(self.cells[kernel.FOUND])

    def expand(self, machine: Machine, table: Table, part: BlockSpan) -> int:
        """Expand *part* of a layer, as far as there is room; return the number of the first
        position not expanded.
        """
        assert part.block is not None
        return machine.functions["expand"](
            table.memory.address, table.log, part.block.address, part.first, part.stop,
            self.written.block.address, self.out.address, self.slots.address, self.tally.address,
        )  # fmt: skip
