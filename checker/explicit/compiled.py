"""The compiled tier: the kernel over a table that grows, with the layers in arrays.

In comes a search that has become large (`interpreted.Grown`), and it goes on where it was. The table
doubles when it is `LOAD` full; the memory for that is asked for before it is taken. Layers are
kept only if they are wanted for the way back to the start.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain

from ..budget import Meter, SpentError, memory_in_use
from . import kernel
from .emit import Emitted
from .interpreted import Grown, Key, as_words, check
from .layout import Words
from .machine import Machine
from .memory import Memory
from .modes import BITS, FIRST, WHICH

CHUNK = 1 << 16
"""How many positions are expanded between two looks at the meter."""
_FIRST_LAYER = 1 << 16
_MEBIBYTE = 1 << 20
_FUNCTIONS = {"expand": 9, "insert": 4, "lead": 7, "make": 7}
"""The functions of a kernel, with the numbers of their parameters; ``start`` comes with them."""


def machine_for(emitted: Emitted, level: int, *, only_kept: bool = False) -> Machine:
    """Return the kernel of *emitted* compiled at *level*, or *only_kept* code; raise `NoMachineError` if there cannot be one."""
    return Machine(kernel.kernel_text(emitted), {**_FUNCTIONS, "start": emitted.layout.words + 2}, level=level, only_kept=only_kept)


def started(machine: Machine, emitted: Emitted, words: Words, which: int) -> tuple[list[Words], int]:
    """Return the position in which a play begins whose variables are those of *words*, and the bits of the formulas true there.

    There is no position if the formula never becomes true.
    """
    out = Memory(kernel.buffer_words(emitted))
    out.numbers[WHICH] = which
    end = machine.functions["start"](*words, out.address, FIRST)
    return ([tuple(out.numbers[FIRST:end])] if end > FIRST else []), out.numbers[BITS]


class Compiled:
    """A search that goes on in compiled code; *expected* is an estimate of how many positions there will be."""

    def __init__(self, machine: Machine, emitted: Emitted, grown: Grown, meter: Meter, expected: int = 0, which: int = 0) -> None:
        self.machine, self.emitted, self.meter, self.size = machine, emitted, meter, emitted.layout.words
        self.batch_most = kernel.batch(emitted) * emitted.most_moves
        self.out, self.slots = Memory(kernel.buffer_words(emitted)), Memory(kernel.buffer_words(emitted))
        self.out.numbers[WHICH] = which
        self.tally = Memory(8)
        self.layers, self.at = grown.layers, grown.at
        self._take_table(self._log_for(max(expected, 2 * len(grown.known))))
        self._insert(_packed(grown.known, self.size), len(grown.known))
        self.layer, self.layer_size = _packed(grown.layer, self.size), len(grown.layer)
        self.following = _packed(grown.following, self.size, _FIRST_LAYER + 2 * self.batch_most)
        cells = self.tally.numbers
        cells[kernel.KNOWN], cells[kernel.MOVES], cells[kernel.CUT] = len(grown.known), grown.moves, grown.cut
        cells[kernel.FOUND], cells[kernel.BITS] = len(grown.following), grown.bits

    @property
    def known(self) -> int:
        """How many positions are known."""
        return self.tally.numbers[kernel.KNOWN]

    @property
    def bits(self) -> int:
        """The bits of the formulas that have been true at some moment."""
        return self.tally.numbers[kernel.BITS]

    def finish_layer(self) -> None:
        """Expand the rest of the present layer."""
        cells, expand = self.tally.numbers, self.machine.functions["expand"]
        while self.at < self.layer_size:
            self._make_room()
            stop = min(self.at + CHUNK, self.layer_size)
            self.at = expand(
                self.table.address, self.log, self.layer.address, self.at, stop,
                self.following.address, self.out.address, self.slots.address, self.tally.address,
            )  # fmt: skip
            check(self.meter, self.layers, cells[kernel.KNOWN], cells[kernel.MOVES])

    def next_layer(self, *, keep: bool) -> bool:
        """Go to the following layer; return False if there is none. The one behind is overwritten unless it is to be kept."""
        found = self.tally.numbers[kernel.FOUND]
        if not found:
            return False
        behind, self.layer = self.layer, self.following
        self.following = Memory(max(self.following.size, behind.size)) if keep or behind.size < self.following.size else behind
        self.layer_size, self.at, self.tally.numbers[kernel.FOUND] = found, 0, 0
        self.layers += 1
        return True

    def leaders(self, layer: Memory, number: int, wanted: Collection[Words]) -> dict[Words, Words]:
        """Return for each of the *wanted* positions the smallest of the *number* positions of *layer* that has a move to it."""
        return dict(zip(wanted, self._smallest("lead", layer, number, wanted), strict=True))

    def makers(self, layer: Memory, number: int, bits: Collection[int]) -> dict[int, Words]:
        """Return for each of *bits* the smallest position of *layer* with a move that makes its formula true."""
        masks = [(1 << bit, *[0] * (self.size - 1)) for bit in bits]
        return dict(zip(bits, self._smallest("make", layer, number, masks), strict=True))

    def _smallest(self, function: str, layer: Memory, number: int, wanted: Collection[Words]) -> list[Words]:
        """Return what a function of the kernel notes for each of *wanted*."""
        targets, noted = _packed(wanted, self.size), Memory(len(wanted) * self.size)
        for at in range(0, number, CHUNK):
            stop = min(at + CHUNK, number)
            self.machine.functions[function](layer.address, at, stop, targets.address, noted.size, noted.address, self.out.address)
        if not all(noted.numbers[:: self.size]):
            raise AssertionError("the search has lost its way back")
        return [tuple(noted.numbers[at : at + self.size]) for at in range(0, noted.size, self.size)]

    # ------------------------------------------------------------------ room

    def _make_room(self) -> None:
        """See to it that at least one batch has room in the table and in the following layer."""
        cells = self.tally.numbers
        if cells[kernel.KNOWN] + self.batch_most > cells[kernel.MOST_KNOWN]:
            old, old_log = self.table, self.log
            self._take_table(max(old_log + 1, self._log_for(cells[kernel.KNOWN])))
            self._move_in(old, 1 << old_log)
        if cells[kernel.FOUND] + self.batch_most > self.following.size // self.size:
            self.following = self.following.copied(2 * self.following.size, cells[kernel.FOUND] * self.size)
        cells[kernel.MOST_FOUND] = self.following.size // self.size

    def _log_for(self, positions: int) -> int:
        """Return the logarithm of the size of a table with room for *positions* and a batch more."""
        log = kernel.SLOTS_LOG
        while positions + self.batch_most > int(kernel.LOAD * (1 << log)):
            log += 1
        return log

    def _take_table(self, log: int) -> None:
        """Take an empty table of two to *log* slots, if the budget has that much memory."""
        allowed, wanted = self.meter.budget.mebibytes, (self.size * 8 << log) // _MEBIBYTE
        if allowed is not None and memory_in_use() + wanted > allowed * self.meter.share:
            raise SpentError(f"the memory of {allowed:,} MiB has no room for a table of {wanted:,} MiB")
        self.table, self.log = Memory(self.size << log), log
        self.tally.numbers[kernel.MOST_KNOWN] = int(kernel.LOAD * (1 << log))

    def _insert(self, positions: Memory, number: int, first: int = 0) -> None:
        """Put *number* positions from number *first* into the table."""
        self.machine.functions["insert"](self.table.address, self.log, positions.address + first * self.size * 8, number)

    def _move_in(self, old: Memory, slots: int) -> None:
        """Put what is in an *old* table into the new one, giving its memory back bit by bit: both are filled from their beginning."""
        part = max(slots >> 5, kernel.BUFFERED)
        for first in range(0, slots, part):
            self._insert(old, part, first)
            old.forget(first * self.size, part * self.size)


def _packed(keys: Iterable[Key] | Sequence[Key], size: int, room: int = 0) -> Memory:
    """Return a memory with the words of *keys*, and *room* for more positions."""
    numbers = list(chain.from_iterable(map(as_words, keys)))
    memory = Memory(len(numbers) + room * size)
    memory.numbers[: len(numbers)] = numbers  # type: ignore[assignment]
    return memory
