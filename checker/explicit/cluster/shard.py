"""Shards: one part of the positions of a search, on any worker of a cluster, and its kernel.

In come rows of positions that other shards have found, out go rows of those that belong to others.
A row is the words of its positions, as the machine has them. All shards go through a layer before
any goes to the next (`distributed`). A shard writes a log for itself; the leader of the search
knows its digest. A shard that has no room left goes on on disk (`search.on_disk`). Then it knows
what is new only when it has looked: at the end of a layer, at the latest.

The kernel of a shard: the emitted text and a search around it that keeps to its own part of the
positions.

A position belongs to the part that the low bits of its hash name; its slot is made of the high
ones. ``expand`` enters the positions of its own part, as on one machine. It puts each other one
into the row of *leaving* for its part, unless the small table *sent* has it. That table holds whole
positions that were sent before, each in the one place that its hash gives it, so a position is held
back only if it was sent. ``accept`` enters what other parts have sent. A shard whose table is full
has another kernel: there both functions enter what the table lacks into the table of fresh
positions (`search.on_disk`).
"""

from __future__ import annotations

import ctypes
import os
import platform
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from textwrap import indent
from typing import Any

from ....models.frozen import frozen
from ....models.storage.key import engine_digest
from ....models.storage.opening import cache_folder
from ...process.checkpoints import NotGoodError, new_log, opened_log
from ...types.budget import Budget, BudgetSpentError, Meter
from ..emit.emit import Emitted
from ..moves.layout import Words
from ..native import kernel
from ..native.journal import Saved
from ..native.kernel import Each, batch_most, each_of, search_text
from ..native.layers import Blocks, Log, size_of
from ..native.machine import BEST, Machine, NoMachineError
from ..native.memory import Room
from ..search.compiled import Compiled, SearchWorker
from ..search.interpreted import begun
from ..search.on_disk import Disk, DiskWorker, OnDisk, settling_machine

OWN, PARTS, MOST_LEAVING, LEAVING = range(4)
"""The cells of *counts*: the number of this part, how many there are, how long a row is, and from
here on how long each row has become.
"""
SENT_LOG = 17
"""Two to this many positions are remembered as sent: a few MiB, of which most stays in the caches
of the processor.
"""
_PART_BITS = 24
"""How many of the low bits of a hash say to which part a position belongs."""
_ACCEPTED = 256
"""How many positions are accepted before their slots are looked at, at most."""
_FUNCTIONS = "expand", "accept", "insert", "lead", "make", "part"
_EXPAND = """\
def part({words:s#}, parts):
    return (slot({words:s#}, 0) & {PART_MASK}) * parts >> {PART_BITS}


def expand(table, log, layer, at, stop, {into}, out, slots, tally, sent, leaving, counts):
    shift = 64 - log
    last = (1 << log) - 1
{beginning}
    own = counts[{OWN}]
    parts = counts[{PARTS}]
    row = counts[{MOST_LEAVING}]
    room = row
    known = tally[{KNOWN}]
    found = tally[{FOUND}]
    moves = 0
    out[{OUT_CUT}] = 0
    out[{OUT_BITS}] = 0
    for to in range(parts):
        room = min(room, row - counts[{LEAVING} + to])
    most = min(tally[{MOST_KNOWN}] - known, tally[{MOST_FOUND}] - found) + found
    while at < stop and room >= {batch_most} and found + {batch_most} <= most:
{expanding}
        for k in range({FIRST}, n, {size}):
            h = slot({words:out[k + #]}, 0)
            slots[k] = h
            if (h & {PART_MASK}) * parts >> {PART_BITS} == own:
                prefetch(table, (h >> shift) * {size})
{prefetching}
            else:
                prefetch(sent, (h >> {PART_BITS} & {SENT_MASK}) * {size})
        for k in range({FIRST}, n, {size}):
            h = slots[k]
            to = (h & {PART_MASK}) * parts >> {PART_BITS}
            if to == own:
{entering}
            else:
                j = (h >> {PART_BITS} & {SENT_MASK}) * {size}
                if {any:sent[j + #] != out[k + #]}:
                    m = counts[{LEAVING} + to]
                    counts[{LEAVING} + to] = m + 1
                    room = min(room, row - m - 1)
                    m = (to * row + m) * {size}
{lines:                    sent[j + #] = out[k + #]
                    leaving[m + #] = out[k + #]}
{counting}
    return at


def accept(table, log, positions, at, stop, {into}, slots, tally):
    shift = 64 - log
    last = (1 << log) - 1
{beginning}
    known = tally[{KNOWN}]
    found = tally[{FOUND}]
    while (at < stop and known + {batch_most} <= tally[{MOST_KNOWN}]
           and found + {batch_most} <= tally[{MOST_FOUND}]):
        end = min(at + {accepted}, stop)
        for k in range(at, end):
            h = slot({words:positions[k@]}, 0)
            slots[k - at] = h
            prefetch(table, (h >> shift) * {size})
{prefetching_accepted}
        for k in range(at, end):
            h = slots[k - at]
{accepting}
        at = end
    tally[{KNOWN}] = known
    tally[{FOUND}] = found
    return at
"""


_IN_MEMORY = {
    "into": "following",
    "beginning": "",
    "prefetching": "",
    "entering": """\
if entered(table, h >> shift, last, {words:{found}}):
{lines:    following[found@] = {found}}
    found += 1
    known += 1
""",
}
_ON_DISK = {
    "into": "fresh, fresh_log",
    "beginning": """\
    fresh_shift = 64 - fresh_log
    fresh_last = (1 << fresh_log) - 1
""",
    "prefetching": "prefetch(fresh, (h >> fresh_shift) * {size})",
    "entering": """\
if place(table, h >> shift, last, {words:{found}}) < 0:
    if entered(fresh, h >> fresh_shift, fresh_last, {words:{found}}):
        found += 1
""",
}


def _shard_names(emitted: Emitted, where: Mapping[str, str]) -> dict[str, object]:
    """Return what stands in the text of a shard for names of its own, *where* saying what is
    another text in memory and on disk.
    """
    each = each_of(emitted.layout.words)

    def said(name: str, depth: int, found: str = "") -> str:
        return indent(where[name].format(found=found, **each).rstrip(), " " * depth)

    return {
        "PART_BITS": _PART_BITS,
        "PART_MASK": (1 << _PART_BITS) - 1,
        "SENT_MASK": (1 << SENT_LOG) - 1,
        "OWN": OWN,
        "PARTS": PARTS,
        "MOST_LEAVING": MOST_LEAVING,
        "LEAVING": LEAVING,
        "any": Each(emitted.layout.words, " or "),
        "accepted": min(_ACCEPTED, batch_most(emitted)),
        "into": where["into"],
        "beginning": said("beginning", 0),
        "prefetching": said("prefetching", 16),
        "prefetching_accepted": said("prefetching", 12),
        "entering": said("entering", 16, "out[k + #]"),
        "accepting": said("entering", 12, "positions[k@]"),
    }


def shard_machine(emitted: Emitted) -> Machine:
    """Return the kernel of a shard, compiled; raise `NoMachineError` if there cannot be one."""
    text = search_text(emitted, _EXPAND, _shard_names(emitted, _IN_MEMORY))
    return Machine(text, _FUNCTIONS, cache_folder(), level=BEST)


def shard_disk_machine(emitted: Emitted) -> Machine:
    """Return the kernel of a shard whose table is full, as `shard_machine` does."""
    return settling_machine(
        emitted, BEST, ("expand", "accept"), _EXPAND, _shard_names(emitted, _ON_DISK)
    )


ROWS = 1 << 19
"""How many words all rows of a shard hold together, unless the moves of a few positions take
more.
"""


# ------------------------------------------------------------------ what is sent and accepted


class Sending:
    """What part *number* of *parts* parts sends, in rows. Each row has room for at least what a
    batch finds (*batch_most*).
    """

    def __init__(self, room: Room, size: int, number: int, parts: int, batch_most: int) -> None:
        self.size, self.parts, self.batch_most = size, parts, batch_most
        self.row = max(2 * batch_most, ROWS // (size * parts))
        self.sent = room.take(size << SENT_LOG, "what was sent")
        self.leaving = room.take(self.row * size * parts, "what is sent")
        self.counts = room.take(LEAVING + parts, "a tally")
        self.counts.numbers[OWN] = number
        self.counts.numbers[PARTS] = parts
        self.counts.numbers[MOST_LEAVING] = self.row

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
    """The one worker of part *number* of *parts* parts."""

    def __init__(
        self, number: int, parts: int, emitted: Emitted, room: Room, blocks: Blocks, which: int
    ) -> None:
        super().__init__(emitted, room, blocks, which)
        self.sending = Sending(room, blocks.size, number, parts, self.batch_most)
        self.more = self.sending.sent, self.sending.leaving, self.sending.counts


class ShardDiskWorker(DiskWorker):
    """The same on disk, in the place of the worker *before*."""

    def __init__(self, before: ShardWorker, *given: Any) -> None:
        super().__init__(before, *given)
        self.sending, self.more = before.sending, before.more


STEP = 1 << 18
"""How many positions are expanded before a shard tells how far it is, at most."""


@frozen
class ShardSpec:
    """What a shard is to do: part *number* of *parts* parts of the search in *emitted* that
    watches the formula of number *which*.

    It may have *mebibytes* MiB (None: any). Layers are kept if *keep*, and written to the file
    *log* if there is one. *expected* is an estimate of its positions, 0 if there is none. What it
    has no memory for goes on in the folder *disk* (None: it ends).
    """

    emitted: Emitted
    which: int
    number: int
    parts: int
    keep: bool
    mebibytes: int | None
    log: Path | None
    expected: int
    disk: Path | None


@frozen
class ShardCounts:
    """How far a shard is: what it knows, has made and seen, and whether positions of its layer are
    *left* to expand.

    *began* is how many it knew when its layer began, *fresh* how many it has found that it may
    know.
    """

    known: int = 0
    moves: int = 0
    cut: int = 0
    bits: int = 0
    left: bool = False
    began: int = 0
    fresh: int = 0


class Shard:
    """One shard; it is told what it is by `prepare`, so that a worker of another version can say so
    before.
    """

    def __init__(self) -> None:
        self.compiled: Compiled | None = None

    def hello(self) -> tuple[str, str, int]:
        """Return the digest of the engine here, the name of the machine, and the number of the
        process.
        """
        return engine_digest(), platform.node(), os.getpid()

    def prepare(self, spec: ShardSpec) -> None:
        """Make ready for *spec*; raise BudgetSpentError if nothing can be compiled here."""
        self.spec, self.size = spec, spec.emitted.layout.words
        try:
            self.machine = shard_machine(spec.emitted)
        except NoMachineError as error:
            raise BudgetSpentError(
                f"a worker on {platform.node()} has no compiled code: {error}"
            ) from None

    def begin(self, starts: Sequence[Words]) -> ShardCounts:
        """Begin with those of the positions *starts* that belong here."""
        self._make()
        mine = [
            words
            for words in starts
            if self.machine.functions["part"](*words, self.spec.parts) == self.spec.number
        ]
        self._compiled.take_over(begun(mine))
        if self.spec.log is not None:
            self._compiled.spilled = Log(new_log(self.spec.log), self.size, marked=True)
        return self._first_counts()

    def resume(self, saved: Saved, digest: str) -> ShardCounts:
        """Go back, or on, to what was *saved*, if the log has that *digest*; raise NotGoodError if
        it is of no use.
        """
        spec = self.spec
        assert spec.log is not None
        self._make()
        try:
            log = Log(opened_log(spec.log), self.size, marked=True)
        except OSError as error:
            raise NotGoodError(
                f"the log in {spec.log.parent} cannot be read on {platform.node()}: "
                f"{error.strerror or error}"
            ) from None
        self._compiled.spilled = log
        self._compiled.resume(saved, digest, log, spec.log.parent)
        return self._first_counts()

    def _make(self) -> None:
        spec = self.spec
        self.end()
        kind = partial(ShardOnDisk, folder=spec.disk, log=spec.log) if spec.disk else Compiled
        self.compiled = kind(
            self.machine, spec.emitted, Meter(Budget(mebibytes=spec.mebibytes)), spec.which, 1,
            keep=spec.keep or spec.log is not None, hits={}, journal=None, take=lambda: None,
            foresee=lambda _: spec.expected, worker=partial(ShardWorker, spec.number, spec.parts),
        )  # fmt: skip

    @property
    def worker(self) -> ShardWorker | ShardDiskWorker:
        """Who expands and accepts; another one when the search goes to disk."""
        (one,) = self._compiled.workers
        assert isinstance(one, (ShardWorker, ShardDiskWorker))
        return one

    @property
    def _compiled(self) -> Compiled:
        assert self.compiled is not None
        return self.compiled

    # ------------------------------------------------------------------ layer by layer

    def take_step(
        self, earlier: int, advances: bool, expands: bool, *rows: bytes
    ) -> tuple[Any, ...]:
        """Accept the first *earlier* of *rows*, go to the next layer if this *advances*, accept
        the others, go on if it *expands*.

        Return how far it is with the numbers of bytes of the rows that leave, and then these, one
        for each part.
        """
        for row in rows[:earlier]:
            self._accept(row)
        if advances:
            self._compiled.advance()
            self._began = self.worker.cells[kernel.KNOWN]
        for row in rows[earlier:]:
            self._accept(row)
        compiled, sending, done = self._compiled, self.worker.sending, 0
        while expands and compiled.pending and sending.has_room and done < STEP:
            compiled.make_room()
            part = compiled.pending.popleft()
            compiled.expand_part(self.worker, part)
            done += part.number
        leaves = not compiled.pending or not sending.has_room
        found = sending.taken_rows() if leaves else [b""] * self.spec.parts
        return (self._counts(), list(map(len, found))), *found

    def _accept(self, row: bytes) -> None:
        """Enter the positions of *row*, as far as there is room at a time."""
        address = ctypes.cast(ctypes.c_char_p(row), ctypes.c_void_p).value
        number = len(row) // (8 * self.size)
        at = 0
        assert address is not None
        while at < number:
            self._compiled.make_room()
            worker, table = self.worker, self._compiled.table
            machine = worker.disk.machine if isinstance(worker, ShardDiskWorker) else self.machine
            at = machine.functions["accept"](
                table.memory, table.log, address, at, number, *worker.into, worker.slots,
                worker.tally
            )  # fmt: skip

    def settle_fresh(self) -> ShardCounts:
        """Find out what is new of what may be."""
        assert isinstance(self.compiled, ShardOnDisk)
        self.compiled.settle_fresh()
        return self._counts()

    def _first_counts(self) -> ShardCounts:
        self._began = self.worker.cells[kernel.KNOWN]
        return self._counts()

    def _counts(self) -> ShardCounts:
        cells = self.worker.cells
        here = cells[kernel.KNOWN], cells[kernel.MOVES], cells[kernel.CUT], cells[kernel.BITS]
        fresh = cells[kernel.FOUND] if isinstance(self.worker, ShardDiskWorker) else 0
        return ShardCounts(*here, left=bool(self._compiled.pending), began=self._began, fresh=fresh)

    # ------------------------------------------------------- the way back, and what is written down

    def makers(self, number: int, bits: Collection[int]) -> dict[int, Words]:
        """Return what `Compiled.makers` finds here."""
        return self._compiled.makers(number, bits)

    def leaders(self, number: int, wanted: Collection[Words]) -> dict[Words, Words]:
        """Return what `Compiled.leaders` finds here."""
        return self._compiled.leaders(number, wanted)

    def write_down(self) -> tuple[list[int], str]:
        """Write all layers up to the present one to the log; return their sizes and the digest of
        the log, or raise OSError.
        """
        compiled = self._compiled
        assert compiled.spilled is not None
        compiled.log_layers(compiled.spilled)
        sizes = [size_of(layer) for layer in (*compiled.behind, compiled.layer)]
        return sizes, compiled.spilled.digest_of(
            sum(sizes)
        )  # on disk some of the following layer may be there, too

    def end(self) -> None:
        """Let go of all that was found."""
        if self.compiled is not None:
            self.compiled.release()
        self.compiled = None


class ShardOnDisk(OnDisk):
    """The search of a shard that goes on in *folder* when there is no room left, or in its *log* if
    there is one.
    """

    def __init__(self, *given: Any, log: Path | None, **named: Any) -> None:
        super().__init__(*given, **named)
        self._logged = log

    @property
    def _stuck(self) -> str:
        """What is so where the log cannot be written or read, and on which machine."""
        return (
            "the search cannot go on in "
            f"{self._there if self._logged is None else self._logged.parent} on {platform.node()}"
        )

    @property
    def _left(self) -> int:
        """How many positions lead to what there is to enter: what others send comes from as many as
        this shard has.
        """
        return size_of(self.layer)

    def advance(self) -> None:
        """Go to the following layer, which is what is new."""
        self.settle_fresh()
        super().advance()

    def _look(self) -> None:
        """Do nothing: who leads the search looks at the meter."""

    def _machine(self) -> Machine:
        return shard_disk_machine(self.emitted)

    def _worker_after(self, before: SearchWorker, disk: Disk) -> DiskWorker:
        assert isinstance(before, ShardWorker)
        return ShardDiskWorker(before, self.emitted, self.room, self.blocks, disk)
