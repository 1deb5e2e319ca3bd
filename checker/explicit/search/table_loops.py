"""Loops in a table: what `lasso` looks for, in compiled code, among the positions of a large
search.

The rest that has no position without predecessors gets numbers, its moves are written down in rows,
and compiled code finds the strongly connected components of these (`native.rounds`). All of it is
in arrays of numbers, asked for before they are taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..layout.layout import Words
from ..moves.hooks import WHICH
from ..native import rounds as cells
from ..native.memory import Memory
from .compiled import CHUNK, Compiled
from .lasso import Loops, Rounds, StayResult


def in_machine(
    compiled: Compiled, rounds: Rounds, look: Callable[[], None], *, told: bool
) -> StayResult:
    """Return what is found among the positions in the table of *compiled*, with the loops if they
    are to be *told*.

    *look* is called now and then, and may raise; raises `BudgetSpentError` if there is no room for
    what it takes.
    """
    out = compiled.workers[0].out
    before, out.numbers[WHICH] = out.numbers[WHICH], rounds.which
    table = TableLoops(compiled, rounds, look)
    try:
        ends = table.count()
        if ends:
            return StayResult(tuple(ends))
        if not table.drop():
            return StayResult()
        if not told and not rounds.owed:
            return StayResult(goes_round=True)
        return StayResult((), table.connect(), table)
    finally:
        out.numbers[WHICH] = before
        table.give_back()


class TableLoops(Loops):
    """The table of a search, with a number for every slot: how many moves of those that are left
    lead there, -1 if it was dropped.

    Once the rest is *connected* it is the number of the position in the rows, from 1, of those in
    loops, and 0 of all others.
    """

    def __init__(self, compiled: Compiled, rounds: Rounds, look: Callable[[], None]) -> None:
        self.compiled, self.rounds, self.look, self.owed = compiled, rounds, look, rounds.owed
        self.table = compiled.table
        self.functions = compiled.machine.functions
        self.size = compiled.size
        self.slots, self.size_of_rest = 1 << self.table.log, 0
        self._taken: list[Memory] = []
        self.counts = self._memory(self.slots, "the moves that lead to positions")
        self.tally = self._memory(8, "a tally")

    def _memory(self, size: int, what: str) -> Memory:
        self._taken.append(self.compiled.room.take(size, what))
        return self._taken[-1]

    def give_back(self) -> None:
        """Note that the memory is free again; what stands in it can be read as long as somebody has
        it.
        """
        while self._taken:
            self.compiled.room.give_back(self._taken.pop())

    # ------------------------------------------------------------------ what is in no loop

    def count(self) -> list[Words]:
        """Count the moves to every position; return where plays end."""
        ends, at, rounds = list[Words](), 0, self.rounds
        out = self.compiled.workers[0].out.address
        while at < self.slots:
            stop = min(at + CHUNK, self.slots)
            at = self.functions["count"](
                self.table.memory.address, self.table.log, at, stop, rounds.word, rounds.shift, rounds.mask, rounds.true, rounds.owed,
                self.counts.address, out, self.tally.address,
            )  # fmt: skip
            if at < stop:
                ends.append(self._words_in(at))
                at += 1
            self.look()
        return ends

    def drop(self) -> bool:
        """Drop what is in no loop; return whether there is a rest."""
        stack = self._memory(self.compiled.known + 1, "the positions to drop")
        out, at, rounds = self.compiled.workers[0].out.address, 0, self.rounds
        while at < self.slots:
            stop = min(at + CHUNK, self.slots)
            at = self.functions["drop"](
                self.table.memory.address, self.table.log, at, stop, rounds.word, rounds.shift, rounds.mask, rounds.true,
                self.counts.address, out, stack.address, self.tally.address,
            )  # fmt: skip
            self.look()
        self._taken.remove(stack)
        self.compiled.room.give_back(stack)
        self.size_of_rest = self.tally.numbers[cells.TRUE] - self.tally.numbers[cells.DROPPED]
        return self.size_of_rest > 0

    # ------------------------------------------------------------------ the components of the rest

    def connect(self) -> bool:
        """Find the components of the rest, and leave only those that a play can go round in for
        ever; return whether there are any.
        """
        number, rounds = self.size_of_rest, self.rounds
        positions = self.positions = self._memory(number, "the positions of loops")
        self._in_parts("enumerated", self.slots, self.counts, after=(positions, self.tally))
        begins = self._memory(number + 1, "the moves of loops")
        ranks = self._memory(number, "the parts of loops")
        leads = self._memory(self.tally.numbers[cells.EDGES], "the moves of loops")
        self.begins, self.leads, self.ranks = begins.numbers, leads.numbers, ranks.numbers
        memory, out = self.table.memory, self.compiled.workers[0].out
        self._in_parts(
            "linked",
            number,
            memory,
            self.table.log,
            after=(self.counts, out, positions, begins, leads),
        )
        self._components(begins, leads, ranks)
        kept = self._memory(number, "what loops keep")
        where = rounds.word, rounds.shift, rounds.owed
        self._in_parts(
            "judged", number, memory, after=(*where, positions, begins, leads, ranks, kept, number)
        )
        return (
            self._in_parts(
                "spared",
                number,
                self.counts,
                after=(cells.LOOP | rounds.owed, positions, ranks, kept, number),
            )
            > 0
        )

    def _components(self, begins: Memory, leads: Memory, ranks: Memory) -> None:
        number = self.size_of_rest
        going, calls, stack = (self._memory(number, "the way through loops") for _ in range(3))
        tally = self._memory(8, "a tally")
        tally.numbers[cells.INDEX], tally.numbers[cells.FOUND] = 1, number + 1
        arrays = [memory.address for memory in (begins, leads, ranks, going, calls, stack, tally)]
        while self.functions["components"](*arrays, number):
            self.look()
        for memory in (going, calls, stack):
            self._taken.remove(memory)
            self.compiled.room.give_back(memory)

    def _in_parts(
        self, function: str, end: int, *before: Memory | int, after: tuple[Memory | int, ...]
    ) -> int:
        """Call *function* for every part of what goes up to *end*; return the sum of what
        ``spared`` returns.
        """
        given, then = (
            [one.address if isinstance(one, Memory) else one for one in some]
            for some in (before, after)
        )
        total = 0
        for at in range(0, end, CHUNK):
            total += self.functions[function](*given, at, min(at + CHUNK, end), *then)
            self.look()
        return total

    # ------------------------------------------------------------------ positions

    def least_of(self, layer: int, words_of: Callable[[int], Iterator[Words]]) -> Words | None:  # noqa: ARG002 - compiled code looks itself
        """Return the smallest position of *layer* that is part of a loop."""
        noted = Memory(self.size)
        for block, first, stop in self.compiled.in_memory(self.compiled.layer_of(layer)):
            table = self.table.memory.address, self.table.log
            self.functions["least"](
                block.address, first, stop, *table, self.counts.address, noted.address
            )
            self.look()
        return tuple(noted.numbers[: self.size]) if noted.numbers[0] else None

    def position_number(self, words: Words) -> int:
        """Return the number of the position *words*."""
        noted = Memory(self.size)
        noted.numbers[: self.size] = [*words]
        return (
            self.counts.numbers[
                self.functions["seek"](self.table.memory.address, self.table.log, noted.address)
            ]
            - 1
        )

    def position_words(self, number: int) -> Words:
        """Return the position of that number."""
        return self._words_in(self.positions.numbers[number])

    def kept(self, number: int) -> int:
        """Return the bits of what the position of that number does not owe."""
        word = self.table.memory.numbers[
            self.positions.numbers[number] * self.size + self.rounds.word
        ]
        return ~word >> self.rounds.shift & self.rounds.owed

    def _words_in(self, slot: int) -> Words:
        return tuple(self.table.memory.numbers[slot * self.size : (slot + 1) * self.size])
