"""The worker of a shard, in memory or on disk: what it sends, what it has sent before, and how it
accepts what others send.
"""

from __future__ import annotations

from typing import Any

from ..emit.emit import Emitted
from ..native.layers import Blocks, BlockSpan
from ..native.machine import Machine
from ..native.memory import Room
from ..native.table import Table
from ..search.on_disk import DiskWorker
from ..search.worker import SearchWorker
from .kernel import LEAVING, MOST_LEAVING, OWN, PARTS, SENT_LOG, most_accepted

ROWS = 1 << 19
"""How many words all rows of a shard hold together, unless the moves of a few positions take
more.
"""


class Sending:
    """What part *number* of so many *parts* sends, in rows, each with room for what a batch of so
    many (*batch_most*) finds at least.
    """

    def __init__(self, room: Room, size: int, number: int, parts: int, batch_most: int) -> None:
        self.size, self.parts, self.batch_most = size, parts, batch_most
        self.row = max(2 * batch_most, ROWS // (size * parts))
        self.sent = room.take(size << SENT_LOG, "what was sent")
        self.leaving = room.take(self.row * size * parts, "what is sent")
        self.counts = room.take(LEAVING + parts, "a tally")
        self.counts.numbers[OWN], self.counts.numbers[PARTS], self.counts.numbers[MOST_LEAVING] = (
            number,
            parts,
            self.row,
        )

    @property
    def addresses(self) -> tuple[int, ...]:
        """Where the kernel finds it."""
        return self.sent.address, self.leaving.address, self.counts.address

    @property
    def has_room(self) -> bool:
        """Whether what a batch finds has room in every row."""
        return (
            max(self.counts.numbers[LEAVING : LEAVING + self.parts]) + self.batch_most <= self.row
        )

    def taken_rows(self) -> list[bytes]:
        """Return the rows, and begin new ones."""
        rows = []
        for to in range(self.parts):
            number, self.counts.numbers[LEAVING + to] = self.counts.numbers[LEAVING + to], 0
            rows.append(bytes(self.leaving.view(to * self.row * self.size, number * self.size)))
        return rows


class ShardWorker(SearchWorker):
    """The one worker of part *number* of so many *parts*."""

    def __init__(
        self, number: int, parts: int, emitted: Emitted, room: Room, blocks: Blocks, which: int
    ) -> None:
        super().__init__(emitted, room, blocks, which)
        self.sending = Sending(room, blocks.size, number, parts, self.batch_most)
        assert most_accepted(emitted) == self.batch_most

    def expand(self, machine: Machine, table: Table, part: BlockSpan) -> int:
        """Expand *part* of a layer, as far as there is room; return the number of the first
        position not expanded.
        """
        assert part.block is not None
        return machine.functions["expand"](
            table.memory.address, table.log, part.block.address, part.first, part.stop,
            self.written.block.address, self.out.address, self.slots.address, self.tally.address, *self.sending.addresses,
        )  # fmt: skip

    def accept(self, machine: Machine, table: Table, address: int, at: int, stop: int) -> int:
        """Enter the positions at *address* from number *at*, as far as there is room; return the
        number of the first one not entered.
        """
        return machine.functions["accept"](
            table.memory.address,
            table.log,
            address,
            at,
            stop,
            self.written.block.address,
            self.slots.address,
            self.tally.address,
        )


class ShardDiskWorker(DiskWorker):
    """The same on disk; *sending* is that of the worker before."""

    def __init__(self, sending: Sending, *given: Any) -> None:
        super().__init__(*given)
        self.sending, self.more = sending, sending.addresses

    def accept(self, _: Machine, table: Table, address: int, at: int, stop: int) -> int:
        """Do as the worker in memory does."""
        disk, fresh = self.disk, self.disk.fresh
        return disk.machine.functions["accept"](
            table.memory.address,
            table.log,
            address,
            at,
            stop,
            fresh.memory.address,
            fresh.log,
            self.slots.address,
            self.tally.address,
        )
