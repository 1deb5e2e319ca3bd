"""The tier on disk: a search whose table is full goes on with what it finds next.

In comes a search in compiled code that has no room left. Its table stays as it is, as a filter:
what it has is known. All layers go to a log in a folder that the user names, and so does what is
found later, one run for each layer. Duplicates are looked for late (Korf, "Best-first frontier
search with delayed duplicate detection", AAAI 2004): what a layer leads to and the table has not
goes into a second table, and when the layer ends, or that is full, everything that the log has
since the first was full goes past it. What is left is new.

The log has no name and goes with the process; nothing else is read. With checkpoints the log is
that of the journal, and what it has when a layer ends is where a later search goes on.

The kernel of a search on disk: the emitted text and a search around it whose table is full and
stays as it is.

``expand`` drops what the table has, and enters the rest into the table of *fresh* positions: those
that may be new. ``sweep`` strikes what was found before, read from disk, from these; ``gather``
takes out what is left, which is new, in the order of the slots, and empties the table. As slots go
by the high bits of the hash, each run on disk is in the order in which a later ``sweep`` goes
through the table. Both add up the hashes of what they read or take out, so what was written and
comes back otherwise is noticed.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from ....models.storage.opening import cache_folder
from ...types.budget import BudgetSpentError
from ..emit.emit import Emitted
from ..moves.hooks import WHICH
from ..native import kernel
from ..native.journal import Saved, located
from ..native.kernel import search_text
from ..native.layers import Blocks, BlockSpan, Layer, Log, ended_by_disk, temporary
from ..native.machine import Machine, NoMachineError
from ..native.memory import Memory, Room
from ..native.table import LOAD, Table, largest, log_for
from .compiled import Compiled, SearchWorker

SUM = 7
"""The cell of a tally that has the sum of the hashes of what was swept or gathered."""
SWEEP = 64
"""How many positions are swept before their slots are looked at."""
_EXPAND = """\
def expand(table, log, layer, at, stop, {fresh}, fresh_log, out, slots, tally):
    shift = 64 - log
    last = (1 << log) - 1
    fresh_shift = 64 - fresh_log
    fresh_last = (1 << fresh_log) - 1
    known = tally[{KNOWN}]
    found = tally[{FOUND}]
    moves = 0
    out[{OUT_CUT}] = 0
    out[{OUT_BITS}] = 0
    while at < stop and found + {batch_most} <= tally[{MOST_FOUND}]:
{expanding}
        for k in range({FIRST}, n, {size}):
            h = slot({words:out[k + #]}, 0)
            slots[k] = h
            prefetch(table, (h >> shift) * {size})
            prefetch({fresh}, (h >> fresh_shift) * {size})
        for k in range({FIRST}, n, {size}):
            h = slots[k]
            if place(table, h >> shift, last, {words:out[k + #]}) < 0:
                if entered({fresh}, h >> fresh_shift, fresh_last, {words:out[k + #]}):
                    found += 1
{counting}
    return at
"""
_SETTLE = """\
def sweep(table, log, positions, number, slots, tally):
    shift = 64 - log
    last = (1 << log) - 1
    total = tally[{SUM}]
    for first in range(0, number, {sweep}):
        end = min(first + {sweep}, number)
        for at in range(first, end):
            h = slot({words:positions[at@]}, 0)
            total += h
            slots[at - first] = h >> shift
            prefetch(table, (h >> shift) * {size})
        for at in range(first, end):
            j = place(table, slots[at - first], last, {words:positions[at@]})
            if j >= 0:
                table[j * {size}] = {TAKEN}
    tally[{SUM}] = total
    return 0


def gather(table, at, stop, following, tally):
    found = 0
    total = tally[{SUM}]
    most = tally[{MOST_FOUND}]
    while at < stop and found < most:
        if table[at * {size}] != 0:
            if table[at * {size}] != {TAKEN}:
{lines:                following[found@] = table[at@]}
                total += slot({words:table[at@]}, 0)
                found += 1
            table[at * {size}] = 0
        at += 1
    tally[{FOUND}] = found
    tally[{SUM}] = total
    return at
"""


def disk_machine(emitted: Emitted, level: int, *, together: bool) -> Machine:
    """Return the kernel for *emitted*, compiled at *level*, for several threads if *together*;
    raise `NoMachineError` if it cannot be.
    """
    more = {"fresh": "shared" if together else "fresh"}
    return settling_machine(emitted, level, ("expand",), _EXPAND, more, together=together)


def settling_machine(
    emitted: Emitted, level: int, functions: Sequence[str], expand: str,
    more: Mapping[str, object], *, together: bool = False,
) -> Machine:  # fmt: skip
    """Return what `disk_machine` does with another text for *expand*, which has these *functions*;
    *more* is what its own names mean.
    """
    named = {"SUM": SUM, "sweep": SWEEP, **more}
    text = search_text(emitted, f"{{place}}{expand}\n\n{_SETTLE}", named, together=together)
    return Machine(text, (*functions, "sweep", "gather"), cache_folder(), level=level)


GATHERED = 1 << 18
"""How many positions are written at once."""
_RESERVE = 0.2
"""What share of the memory that a search may take is left for fresh positions, before there are
any.
"""
_SPARE = 0.03
"""What share of it is left for uncounted needs, from then on."""
_ANY = 1 << 62


class OnDisk(Compiled):
    """A search in compiled code as `Compiled` says, that goes on in *folder* when there is no room
    left in memory.
    """

    leap, spare, crowded = (
        63,
        1,
        0.8,
    )  # a filter is asked for what it has not, which is slow in one that is fuller

    def __init__(self, *given: Any, folder: Path, **named: Any) -> None:
        super().__init__(*given, **named)
        self.folder, self.room.reserve = folder, _RESERVE
        self.disk: Disk | None = None

    def make_room(self) -> None:
        """See to it that every thread has room for at least one batch, in memory or in the table of
        what is fresh.
        """
        if self.disk is None:
            try:
                super().make_room()
            except BudgetSpentError:
                self.disk = self._go()
            else:
                return
        disk, most = self.disk, len(self.workers) * self.batch_most
        if not (entered := self.total(kernel.FOUND)):
            disk.fit(most + 2 * self._left * (1 + self.total(kernel.MOVES) // self.known))
        elif entered + most > disk.fresh.most:
            self._settle(disk)
            disk.fit(_ANY)
            entered = 0
        share = (disk.fresh.most - entered) // len(self.workers)
        for worker in self.workers:
            worker.cells[kernel.MOST_FOUND] = worker.cells[kernel.FOUND] + share

    @property
    def _left(self) -> int:
        """How many positions lead to what there is to enter."""
        return sum(part.number for part in self.pending)

    def finish_layer(self) -> bool:
        """Expand the rest of the present layer, and find out what of the following one is new."""
        if self.disk is not None and self.disk.machine.level != self.machine.level:
            self.disk.machine = self._compiled()
        super().finish_layer()
        self.settle_fresh()
        if self.disk is not None and self.journal is not None and self.journal.is_due:
            self.write_down()
        return True

    def write_down(self) -> None:
        """Write down how far the search is; where there is something fresh, which is in no file,
        what was written before has to do.
        """
        if self.disk is None or not self.total(kernel.FOUND):
            super().write_down()

    def resume(self, saved: Saved, digest: str, log: Log, folder: Path) -> None:
        """Go on as `Compiled` does, or with what there is room for in memory, and the rest in the
        *log*.
        """
        number, most = sum(saved.layers), len(self.workers) * self.batch_most
        if self.room.has(self.size * ((1 << log_for(number + most)) + sum(saved.layers[-2:]))):
            super().resume(saved, digest, log, folder)
            return
        self.table = largest(self.room, self.size, number, most)
        self.table.crowd(self.crowded)
        self._recover(saved, digest, log, folder, self.table.most)
        self.disk = self._begin_disk(log, min(number, self.table.most))
        with ended_by_disk(self._stuck):
            self.disk.tally.numbers[SUM] = self._swept(
                self.disk
            )  # of what the digest of the log has shown to be as it was

    # ------------------------------------------------------------------ going to disk

    def _go(self) -> Disk:
        """Write all layers to the log and let the table stay as it is; raise `BudgetSpentError` if
        that cannot be.
        """
        self.following += chain.from_iterable(worker.cut() for worker in self.workers)
        whole = [*self.behind, self.layer, self.following]
        with ended_by_disk(self._stuck):
            log = self._log()
            log.append_new(chain.from_iterable(whole))
            log.flush()
        pending = located(list(self.pending), self.layer)
        self.pending = deque(BlockSpan(None, part.first, part.stop, at=part.at) for part in pending)
        for layer in whole:
            self._release(layer)
        self.blocks.trim()
        return self._begin_disk(log, log.number)

    @property
    def _there(self) -> Path:
        """The folder of the log: that of the checkpoints, if it is to outlive the search."""
        assert self.folder is not None
        return self.folder if self.journal is None else self.journal.folder

    @property
    def _stuck(self) -> str:
        """What is so where the log cannot be written or read."""
        return f"the search cannot go on in {self._there}"

    def _log(self) -> Log:
        """Return the log; raise OSError if there cannot be one."""
        if self.journal is None:
            self.spilled = self.spilled or temporary(self._there, self.size)
            return self.spilled
        self.journal.open()
        assert self.journal.log is not None
        return self.journal.log

    def _begin_disk(self, log: Log, first: int) -> Disk:
        """Let the table, which knows what the *log* has before number *first*, be a filter from now
        on.
        """
        machine, self.room.reserve = self._compiled(), _SPARE
        disk = Disk(self._stuck, machine, log, self.room, first)
        self.workers = [self._worker_after(before, disk) for before in self.workers]
        disk.fresh = largest(
            self.room, self.size, self.table.most, len(self.workers) * self.batch_most
        )
        return disk

    def _compiled(self) -> Machine:
        """Return the kernel for searching on, compiled as well as that for searching in memory."""
        try:
            return self._machine()
        except NoMachineError as error:
            raise BudgetSpentError(str(error)) from None

    def _machine(self) -> Machine:
        return disk_machine(self.emitted, self.machine.level, together=self.team.threads > 1)

    def _worker_after(self, before: SearchWorker, disk: Disk) -> DiskWorker:
        """Return who goes on in the place of the worker *before*."""
        return DiskWorker(before, self.emitted, self.room, self.blocks, disk)

    def settle_fresh(self) -> None:
        """Find out what is new of what may be, where the search is on disk."""
        if self.disk is not None:
            self._settle(self.disk)

    def _settle(self, disk: Disk) -> None:
        """Strike what was known from what is fresh, and write the rest, which is new, to the
        log.
        """
        if not self.total(kernel.FOUND):
            return
        with ended_by_disk(disk.stuck):
            self._sweep(disk)
            for span in disk.gathered():
                disk.log.append(span)
                span.block = None
                self.following.append(span)
                self.workers[0].cells[kernel.KNOWN] += span.number
                self._look()
        for worker in self.workers:
            worker.cells[kernel.FOUND] = 0

    def _sweep(self, disk: Disk) -> None:
        """Strike from what is fresh what the log has; raise OSError if that is not what was written
        there.
        """
        if (self._swept(disk) - disk.tally.numbers[SUM]) % (1 << 64):
            raise OSError("what was written there has changed")

    def _swept(self, disk: Disk) -> int:
        """Strike from what is fresh what the log has, and return the sum of the hashes of that."""
        most, stop = self.blocks.positions, disk.log.number
        left = list(range(disk.first, stop, most))[::-1]
        for worker in self.workers:
            worker.cells[SUM] = 0

        def sweep(number: int) -> None:
            while left:
                try:
                    first = left.pop()
                except IndexError:
                    return
                disk.sweep(self.workers[number], first, min(most, stop - first))
                if number == 0:
                    self._look()

        if len(left) > 1:
            self.team.run(sweep, self._look, left.clear)
        else:
            sweep(0)
        return self.total(SUM)


class Disk:
    """What a search needs beside its table when that is full: the *log*, what is in it before
    number *first* being known to the table.

    *fresh* is the table of what may be new, *stuck* what is so where the log cannot be written or
    read.
    """

    fresh: Table

    def __init__(self, stuck: str, machine: Machine, log: Log, room: Room, first: int) -> None:
        self.stuck = stuck
        self.machine = machine
        self.log = log
        self.first = first
        self.lock = threading.Lock()
        self.buffer = room.take(GATHERED * log.size, "writing to a disk")
        self.tally = room.take(8, "a tally")
        self.tally.numbers[kernel.MOST_FOUND] = GATHERED

    def fit(self, candidates: int) -> None:
        """Let *fresh*, which is empty, be no larger than *candidates* candidates need: all of it is
        looked at when they are gathered.
        """
        most = (self.fresh.memory.size // self.log.size).bit_length() - 1
        self.fresh.log = min(log_for(min(candidates, 1 << most)), most)
        self.fresh.crowd(LOAD)

    def sweep(self, worker: SearchWorker, first: int, number: int) -> None:
        """Let *worker* strike *number* positions of the log from *fresh*, beginning with position
        *first*.
        """
        block, fresh = worker.written.block, self.fresh
        with self.lock:
            self.log.read(first, number, block)
        self.machine.functions["sweep"](
            fresh.memory, fresh.log, block, number, worker.slots, worker.tally
        )

    def gathered(self) -> Iterator[BlockSpan]:
        """Yield what is left in *fresh*, which is empty afterwards; each span is to be done with
        before the next.
        """
        at, slots = 0, 1 << self.fresh.log
        while at < slots:
            at = self.machine.functions["gather"](
                self.fresh.memory, at, slots, self.buffer, self.tally
            )
            if found := self.tally.numbers[kernel.FOUND]:
                yield BlockSpan(self.buffer, 0, found, ends=True)


class DiskWorker(SearchWorker):
    """One thread of a search on *disk*, in the place of the one *before*: it counts what it enters
    into the table of what is fresh.
    """

    def __init__(
        self, before: SearchWorker, emitted: Emitted, room: Room, blocks: Blocks, disk: Disk
    ) -> None:
        super().__init__(emitted, room, blocks, before.out.numbers[WHICH])
        if self.slots.size < SWEEP:
            self.slots = room.take(SWEEP, "a buffer")
        self.disk, self.positions = disk, blocks.positions
        for cell in (kernel.KNOWN, kernel.MOVES, kernel.CUT, kernel.BITS):
            self.cells[cell] = before.cells[cell]
        self.cells[kernel.MOST_KNOWN] = _ANY

    @property
    def into(self) -> tuple[Memory | int, ...]:
        """Where the kernel puts what it finds: the table of what is fresh."""
        return self.disk.fresh.memory, self.disk.fresh.log

    def next_block(self) -> bool:
        """Return False: what it finds is in no block."""
        return False

    def cut(self) -> Layer:
        """Return nothing, for the same reason."""
        return Layer()

    def expand(
        self,
        machine: Machine,  # noqa: ARG002 - the text on disk is another
        table: Table,
        part: BlockSpan,
    ) -> int:
        """Expand *part* of a layer, as far as there is room; return the number of the first
        position not expanded.
        """
        disk, number = self.disk, min(part.number, self.positions)
        with disk.lock, ended_by_disk(disk.stuck):
            disk.log.read(part.at, number, self.written.block)
        there = BlockSpan(self.written.block, 0, number)
        return part.first + super().expand(disk.machine, table, there)
