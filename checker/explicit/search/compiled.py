"""The compiled tier: the kernel over a table that grows, by one worker or several.

In comes a search that has become large (`interpreted.Grown`) or was written down (`journal`), and
it goes on where it was. A layer is expanded in parts, and every thread takes the next; between
layers, and where something has to grow, all threads stand still. What one finds first is left to
chance, but not what is found in a layer. All memory is asked for before it is taken
(`memory.Room`). Layers left behind are kept if they are wanted for the way back to the start; where
memory is short they go to a log on disk.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import chain, pairwise
from pathlib import Path

from ....models.storage.opening import cache_folder
from ...process.checkpoints import NotGoodError
from ...types.budget import BudgetSpentError, Meter
from ...types.verdict import Counts
from ..emit.emit import Emitted
from ..moves.hooks import WHICH
from ..moves.layout import Words
from ..native import kernel
from ..native.journal import Journal, Saved
from ..native.layers import (
    BLOCK,
    Blocks,
    BlockSpan,
    Layer,
    Log,
    ThreadTeam,
    Written,
    ended_by_disk,
    size_of,
    spans_of,
    temporary,
)
from ..native.machine import Machine
from ..native.memory import Memory, Room
from ..native.table import CROWDED, Table, largest, log_for
from .interpreted import Grown
from .tier import Foresee, Tier, noted, nothing_foreseen


class SearchWorker:
    """One thread of a search, watching the formula of number *which*; *more* is what its kernel is
    given besides.
    """

    more: tuple[Memory, ...] = ()

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
    def into(self) -> tuple[Memory | int, ...]:
        """Where the kernel puts what it finds."""
        return (self.written.block,)

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
            table.memory, table.log, part.block, part.first, part.stop,
            *self.into, self.out, self.slots, self.tally, *self.more,
        )  # fmt: skip


CHUNK = 1 << 16
"""How many positions are expanded between two looks at the meter, at most."""
_LEAST_PART = 1 << 10
"""How many positions it takes to make a thread start for them."""
_SHRINKING = 4
"""How many layers have to shrink, one after the other, for a guess how it goes on."""
_FORESEE_LOG = 21
"""From how many slots on, two to this, it is worth an estimate to know how large the table will
be.
"""


class Compiled(Tier):
    """A search in compiled code by *threads* threads, whose layers are kept if *keep*, and written
    down if there is a *journal*.

    *hits* are those known so far, for the journal. *take* is called between two parts of the work;
    it raises KeyboardInterrupt if somebody has asked for the end. *foresee* estimates how many
    positions there will be (0: unknown); it is asked once, when a large table has to grow. Each
    thread has a *worker* of its own.
    """

    leap, spare, crowded = 6, 2, CROWDED
    """Two to how much times as large a table may become at once, as an estimate may be wrong; how
    many times its memory has to be free; how full it may be where there is no room for a larger
    one.
    """
    folder: Path | None = None
    """Where layers are spilled (None: to the user's cache)."""

    def __init__(
        self, machine: Machine, emitted: Emitted, meter: Meter, which: int, threads: int, *,
        keep: bool, hits: Mapping[int, int], journal: Journal | None, take: Callable[[], None],
        foresee: Foresee = nothing_foreseen,
        worker: Callable[[Emitted, Room, Blocks, int], SearchWorker] = SearchWorker,
    ) -> None:  # fmt: skip
        self.machine = machine
        self.emitted = emitted
        self.meter = meter
        self.size = emitted.layout.words
        self.keep, self.hits, self.journal, self.take = keep, hits, journal, take
        self.batch_most = kernel.batch_most(emitted)
        self.expected, self.foresee, self.note = 0, foresee, ""
        self.room, self.team = Room(meter), ThreadTeam(threads)
        self.blocks = Blocks(self.room, self.size, max(BLOCK, 2 * self.batch_most))
        self.workers = [worker(emitted, self.room, self.blocks, which) for _ in range(threads)]
        self.behind: list[Layer] = []
        self.layer, self.following, self.pending = Layer(), Layer(), deque[BlockSpan]()
        self.layers = 1
        self._sizes: list[int] = []
        self.spilled: Log | None = None
        self._halted = False

    # ------------------------------------------------------------------ beginning

    def take_over(self, grown: Grown) -> None:
        """Go on with a search that has become large."""
        self._begin_table(2 * len(grown.known), len(grown.known))
        known = self.blocks.packed(grown.known)
        self._insert(known)
        self.blocks.release(known)
        self.behind = [[self.blocks.packed(layer)] for layer in grown.behind]
        self.layer = [self.blocks.packed(grown.layer)]
        self.following = [self.blocks.packed(grown.following)]
        self.layers = grown.layers
        rest = self.layer[0]
        self._expand_later([BlockSpan(rest.block, grown.at, rest.stop)])
        self._begin_counts(len(grown.known), grown.moves, grown.cut, grown.bits)

    def resume(self, saved: Saved, digest: str, log: Log, folder: Path) -> None:
        """Go on with a search that was *saved*, in a *log* in *folder* of that *digest*; raise
        `NotGoodError` if it is of no use.
        """
        number = sum(saved.layers)
        self._begin_table(number, number)
        self._recover(saved, digest, log, folder, number)
        for span in (self.layer[0], self.following[0]):
            self._load(span, log)
        for part in self.pending:
            part.block = self.layer[0].block

    def _recover(self, saved: Saved, digest: str, log: Log, folder: Path, most: int) -> None:
        """Put the first *most* positions of the *log*, which has all layers, into the table; be
        where the search was that was *saved*.
        """
        number = sum(saved.layers)
        memory = self.room.take(CHUNK * self.size, "reading a checkpoint")
        try:
            for first, some in log.recovered(number, CHUNK, memory):
                self.table.insert(self.machine, memory, 0, min(some, max(most - first, 0)))
                self.meter.check(len(saved.layers), number, saved.moves)
        except OSError as error:
            raise NotGoodError(
                f"the log in {folder} cannot be read: {error.strerror or error}"
            ) from None
        finally:
            self.room.give_back(memory)
        if log.digest != digest:
            raise NotGoodError(f"the log in {folder} is damaged")
        ends = [0]
        for size in saved.layers:
            ends.append(ends[-1] + size)
        spans = [
            BlockSpan(None, 0, stop - first, ends=True, at=first) for first, stop in pairwise(ends)
        ]
        self.behind = [[span] for span in spans[:-2]]
        self.layer = [spans[-2]]
        self.following = [spans[-1]]
        self.layers = len(saved.layers) - 1
        start = spans[-2].at
        self._expand_later(
            [
                BlockSpan(None, first - start, stop - start, at=first)
                for first, stop in saved.pending
            ]
        )
        self._begin_counts(number, saved.moves, saved.cut, saved.bits)

    def _begin_counts(self, known: int, moves: int, cut: int, bits: int) -> None:
        cells = self.workers[0].cells
        cells[kernel.KNOWN] = known
        cells[kernel.MOVES] = moves
        cells[kernel.CUT] = cut
        cells[kernel.BITS] = bits

    def _begin_table(self, wished: int, known: int) -> None:
        most = len(self.workers) * self.batch_most
        self.table = largest(self.room, self.size, wished + most, known + most)

    def _load(self, span: BlockSpan, log: Log) -> None:
        span.block = self.room.take(max(span.number, 1) * self.size, "a layer")
        log.read(span.at, span.number, span.block)

    def _insert(self, span: BlockSpan) -> None:
        assert span.block is not None
        self.table.insert(self.machine, span.block, span.first, span.number)

    def release(self) -> None:
        """Let the other threads go, and what was spilled."""
        self.team.dismiss()
        if self.spilled is not None:
            self.spilled.file.close()

    # ------------------------------------------------------------------ how far it is

    def total(self, cell: int) -> int:
        """Return the sum of a cell of all tallies."""
        return sum(worker.cells[cell] for worker in self.workers)

    @property
    def known(self) -> int:
        """How many positions are known."""
        return self.total(kernel.KNOWN)

    @property
    def so_far(self) -> Counts:
        """How much there is so far."""
        return Counts(self.known, self.total(kernel.MOVES), self.layers, self.total(kernel.CUT))

    @property
    def bits(self) -> int:
        """The bits of the formulas that have been true at some moment."""
        bits = 0
        for worker in self.workers:
            bits |= worker.cells[kernel.BITS]
        return bits

    # ------------------------------------------------------------------ layer by layer

    def _expand_later(self, layer: Layer) -> None:
        """Have *layer* expanded, in parts."""
        most = CHUNK
        if (threads := self.team.threads) > 1:
            most = max(_LEAST_PART, min(CHUNK, size_of(layer) // (8 * threads)))
        self.pending = deque(spans_of(layer, most))

    def finish_layer(self) -> bool:
        """Expand the rest of the present layer."""
        while self.pending:
            self.make_room()
            self._halted = False
            if len(self.pending) > 1:
                self.team.run(self._work, self._look, self._halt)
            else:
                self._work(0)
            self._look()
            if self.journal is not None and self.journal.is_due:
                self.write_down()
        return True

    def _work(self, number: int) -> None:
        """Let a thread expand one part after the other, until there is none or it has no room."""
        worker = self.workers[number]
        while not self._halted:
            try:
                part = self.pending.popleft()
            except IndexError:
                return
            if not self.expand_part(worker, part) and (
                not worker.may_know or not (worker.has_block or worker.next_block())
            ):
                return
            if number == 0:
                self._look()

    def expand_part(self, worker: SearchWorker, part: BlockSpan) -> bool:
        """Let *worker* expand *part*; return False if some of it is left, which is the next part
        then.
        """
        at = worker.expand(self.machine, self.table, part)
        if at < part.stop:
            self.pending.appendleft(
                BlockSpan(
                    part.block, at, part.stop, at=-1 if part.at < 0 else part.at + at - part.first
                )
            )
        return at == part.stop

    def _halt(self) -> None:
        self._halted = True

    def _look(self) -> None:
        """Tell how far the search is, and see whether it may go on."""
        self.take()
        known = self.known
        self.meter.grow(known)
        self.meter.check(
            self.layers,
            known,
            self.total(kernel.MOVES),
            min(known / (1 << self.table.log), 1.0),
            self._foreseen(),
        )
        if self.journal is not None and self.journal.is_due:
            self._halted = True

    def _foreseen(self) -> int | None:
        """Return how many positions there will be: as estimated, or if layers go on shrinking as
        they do; None if unknown.
        """
        if self.expected:
            return self.expected
        sizes = self._sizes[-_SHRINKING:]
        if len(sizes) < _SHRINKING or not all(a > b for a, b in pairwise(sizes)):
            return None
        last, ratio = sizes[-1], (sizes[-1] / sizes[0]) ** (1 / (_SHRINKING - 1))
        return self.known + int(last * ratio / (1 - ratio))

    def next_layer(self) -> bool:
        """Go to the following layer; return False if there is none."""
        self.following += chain.from_iterable(worker.cut() for worker in self.workers)
        if not size_of(self.following):
            return False
        self.advance()
        return True

    def advance(self) -> None:
        """Go to the following layer, even if nothing is there."""
        following = [*self.following, *chain.from_iterable(worker.cut() for worker in self.workers)]
        if self.keep or self.journal is not None:
            self.behind.append(self.layer)
        else:
            self._release(self.layer)
        self.layer, self.following = following, Layer()
        self._sizes.append(size_of(following))
        self._expand_later(following)
        self.layers += 1

    def _release(self, layer: Layer) -> None:
        for span in layer:
            self.blocks.release(span)

    # ------------------------------------------------------------------ writing down

    def write_down(self) -> None:
        """Write down how far the search is. Layers left behind that have been written need no
        memory any more.
        """
        assert self.journal is not None
        self.following += chain.from_iterable(worker.cut() for worker in self.workers)
        counts = self.so_far
        counted = {"moves": counts.moves, "cut": counts.cut, "bits": self.bits, "hits": self.hits}
        if self.journal.write(self.behind, self.layer, self.following, list(self.pending), counted):
            if not self.keep:
                self._forget_behind()
            return
        self.note = self.journal.note
        self.spilled, self.journal = self.journal.log, None  # what was written can still be read
        if self.keep:
            return
        self._forget_behind()
        self.behind = []

    def log_layers(self, log: Log) -> None:
        """Write to *log* what it has not of the layers left behind and the present one; those
        behind need no memory then.
        """
        log.append_new(chain(*self.behind, self.layer))
        log.flush()
        self._forget_behind()

    def _forget_behind(self) -> None:
        """Give the memory of the layers left behind back, from the last that has some."""
        for layer in reversed(self.behind):
            if all(span.block is None for span in layer) and layer:
                break
            self._release(layer)

    def _spill(self) -> bool:
        """Write the layers left behind to a log and give their memory back; return False if there
        are none or that cannot be done.
        """
        if not any(span.block is not None for layer in self.behind for span in layer):
            return False
        if self.journal is not None:
            self.write_down()
        if self.journal is None:
            folder = self.folder or cache_folder()
            try:
                log = self.spilled = self.spilled or temporary(folder, self.size)
                log.append_new(chain.from_iterable(self.behind))
            except OSError as error:
                self.note = f"layers could not be spilled to {folder}: {error.strerror or error}"
                return False
        self._forget_behind()
        self.blocks.trim()
        return True

    # ------------------------------------------------------------------ room

    def make_room(self) -> None:
        """See to it that every thread has room for at least one batch in the table and in its
        block.
        """
        most = len(self.workers) * self.batch_most
        if self.known + most > self.table.most:
            self._grow(most)
        for worker in self.workers:
            if (
                not worker.has_block
                and not worker.next_block()
                and not (self._spill() and worker.next_block())
            ):
                self.blocks.take()
        share = (self.table.most - self.known) // len(self.workers)
        for worker in self.workers:
            worker.cells[kernel.MOST_KNOWN] = worker.cells[kernel.KNOWN] + share

    def _grow(self, most: int) -> None:
        """Take a table twice as large, or of the size foreseen; where there is no room even after
        spilling, let this one become crowded.
        """
        old = self.table
        log = max(old.log + 1, log_for(self.known + most))
        if not self.expected and old.log >= _FORESEE_LOG:
            self.expected, self.foresee = self.foresee(self._look), nothing_foreseen
        for foreseen in range(
            min(log_for(self.expected * 5 // 4 + most), old.log + self.leap), log, -1
        ):  # it may be a little low
            if self.room.has(self.spare * self.size << foreseen):
                log = foreseen
                break
        try:
            if not self.room.has(self.size << log):
                self._spill()
            self.table = Table(self.room, self.size, log)
        except BudgetSpentError:
            old.crowd(self.crowded)
            if self.known + most > old.most:
                raise
            return
        self.table.move_from(self.machine, old, self.team)

    # ------------------------------------------------------------------ the way back

    def layer_of(self, number: int) -> Layer:
        """Return a layer by its number: one left behind, the present one, or what is known of the
        next.
        """
        if number < len(self.behind):
            return self.behind[number]
        if number == len(self.behind):
            return self.layer
        self.following += chain.from_iterable(worker.cut() for worker in self.workers)
        return self.following

    def words_of(self, number: int) -> Iterator[Words]:
        """Yield the positions of layer *number*."""
        for block, first, stop in self.in_memory(self.layer_of(number)):
            numbers = block.numbers[first * self.size : stop * self.size]
            yield from zip(*(numbers[at :: self.size] for at in range(self.size)), strict=True)

    def leaders(self, number: int, wanted: Collection[Words]) -> dict[Words, Words]:
        """Return for each of the *wanted* positions the smallest one of layer *number* that has a
        move to it, if any has.
        """
        return noted(wanted, self._smallest("lead", self.layer_of(number), wanted))

    def makers(self, number: int, bits: Collection[int]) -> dict[int, Words]:
        """Return for each of *bits* the smallest position of layer *number* with a move that makes
        its formula true, if any has.
        """
        masks = [(1 << bit, *[0] * (self.size - 1)) for bit in bits]
        return noted(bits, self._smallest("make", self.layer_of(number), masks))

    def _smallest(self, function: str, layer: Layer, wanted: Collection[Words]) -> list[Words]:
        """Return what a function of the kernel notes for each of *wanted*, zeros if nothing."""
        targets, noted = Memory(len(wanted) * self.size), Memory(len(wanted) * self.size)
        targets.numbers[:] = list(chain.from_iterable(wanted))
        for block, first, stop in self.in_memory(layer):
            self.machine.functions[function](
                block, first, stop, targets, noted.size, noted, self.workers[0].out
            )
            self.take()
        return [tuple(noted.numbers[at : at + self.size]) for at in range(0, noted.size, self.size)]

    def in_memory(self, layer: Layer) -> Iterator[tuple[Memory, int, int]]:
        """Yield where the positions of *layer* are, in parts; those on disk are read one part after
        the other.
        """
        log = self.journal.log if self.journal is not None else self.spilled
        buffer = None
        for part in spans_of(layer, CHUNK):
            if part.block is not None:
                yield part.block, part.first, part.stop
                continue
            assert log is not None
            buffer = buffer or Memory(CHUNK * self.size)
            with ended_by_disk("a layer that was written down cannot be read again"):
                log.read(part.at, part.number, buffer)
            yield buffer, 0, part.number
