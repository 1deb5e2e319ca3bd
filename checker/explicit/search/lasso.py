"""Lassos: whether a formula can be true for ever, or at the end of a play; in a table, too.

In come the positions that a search has found, and what in a position says that it may be part of a
loop (`Rounds`). With these comes the number of a function that finds only the moves of loops
(`monitor.staying`, `owing.keeping`): after them a position may still be part of one, and no
assumption says that they are made only finitely often. Out goes where a play ends, or loops: what
goes on for ever in a finite graph goes round.

A position to which no such move leads is in no loop, and a position to which only such positions
lead is in none either. These are dropped, one after the other. If any are left in the end, each has
a predecessor among them, and there is a loop. That is topological sorting (Kahn, "Topological
sorting of large networks", CACM 1962). As a way to find loops in explored graphs it is known as one
way catch them young (Cerna and Pelanek, "Distributed explicit fair cycle detection", SPIN 2003):
every position is expanded twice, and nothing but a number is kept of it. Only of the rest the moves
are written down, for its strongly connected components: a play can go round for ever and keep what
it owes (`watching.plan`) in those that have a move inside and, for each promise, a position that
does not owe it.

A slice has the plays of what it stands for (`needs`), so both have loops or neither has. One round
there may change what is dropped; but that has finitely many values, and some round comes back to
what was there before. Likewise where positions are turned: to turn is an automorphism of the moves
(`symmetry`), and in each round of turned positions everyone moves on by the same number of seats,
so all sit where they sat after at most as many rounds as there are players (Emerson and Sistla,
"Utilizing symmetry when model checking under fairness assumptions", TOPLAS 1997, follow the seats
beside the quotient; here `lift` does, in the one loop that is told). Neither changes what a formula
says of a moment, so what is owed in one round is owed in each.

Loops in a table: what `lasso` looks for, in compiled code, among the positions of a large
search.

The rest that has no position without predecessors gets numbers, its moves are written down in rows,
and compiled code finds the strongly connected components of these (`native.kernel`). All of it is
in arrays of numbers, asked for before they are taken.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from ctypes import Array, c_int64
from dataclasses import replace
from itertools import accumulate, chain
from typing import TypeAlias

from ....models.frozen import frozen
from ....properties import formula as f
from ...questions.questions import Query
from ...watching.plan import lasting, owing, plan
from ..moves.hooks import BITS, CUT, FIRST, WHICH
from ..moves.layout import Key, Layout, Words, as_key, as_words
from ..native import kernel as cells
from ..native.kernel import COMPONENTS, FOUND_ROUND, INDEX
from ..native.memory import Memory
from .compiled import CHUNK, Compiled
from .interpreted import CHECK_EVERY, Interpreted, functions_of


@frozen
class Rounds:
    """The number of the function that leaves moves of loops, and where a position says what
    matters: *word*, shifted by *shift*.

    In a loop the bits of *mask* are those that are *true* everywhere, and each of the bits *owed*
    is somewhere not set. At an end it is the same, and none of the latter is set.
    """

    which: int
    word: int
    shift: int
    mask: int
    true: int
    owed: int

    def may_stay(self, words: Words) -> bool:
        """Whether the position *words* may be part of a loop."""
        return words[self.word] >> self.shift & self.mask == self.true

    def kept(self, words: Words) -> int:
        """Return the bits of what the position *words* does not owe."""
        return ~words[self.word] >> self.shift & self.owed


@frozen
class PackedLasso:
    """The positions of a play, the last of which is the end, or with a *loop* the one of that
    number once more.

    There are none if the play need not be told.
    """

    way: tuple[Words, ...]
    loop: int | None = None


Numbers: TypeAlias = list[int] | Array[c_int64]


class Loops:
    """The loops that were found, in rows of moves: position *n* has those that lead to
    ``leads[begins[n]:begins[n + 1]]``.

    Positions with the same rank reach each other. The owner of the rows says which position has
    which number, and what it keeps.
    """

    begins: Numbers
    leads: Numbers
    ranks: Numbers
    owed: int

    def position_number(self, words: Words) -> int:
        """Return the number of the position *words*, which is part of a loop."""
        raise NotImplementedError

    def position_words(self, number: int) -> Words:
        """Return the position of that number."""
        raise NotImplementedError

    def kept(self, number: int) -> int:
        """Return the bits of what the position of that number does not owe."""
        raise NotImplementedError

    def least_of(self, layer: int, words_of: Callable[[int], Iterator[Words]]) -> Words | None:
        """Return the smallest position of the *layer* of that number, which has *words_of* it, that
        is part of a loop.
        """
        raise NotImplementedError

    def round_from(self, words: Words, look: Callable[[], None]) -> list[Words]:
        """Return a loop from *words* to *words*, without its beginning, in which each promise is
        somewhere not owed.

        It goes the shortest way to the nearest position that owes less of what is still to be kept,
        and so on, and back.
        """
        first = here = self.position_number(words)
        wanted, way = self.owed & ~self.kept(first), list[int]()
        while wanted or here != first or not way:
            more = self._shortest(here, wanted, first, look)
            for number in more:
                wanted &= ~self.kept(number)
            way, here = way + more, more[-1]
        return [self.position_words(number) for number in way]

    def _shortest(self, start: int, wanted: int, first: int, look: Callable[[], None]) -> list[int]:
        """Return a shortest way of one move or more to what keeps some of *wanted*, or if nothing
        is wanted to *first*.
        """
        # As `types.graphs`, without a call for each of what may be millions of positions.
        came, open_, taken = dict[int, int](), deque([start]), 0
        while open_:
            number = open_.popleft()
            if taken % CHECK_EVERY == 0:
                look()
            taken += 1
            for after in sorted(set(self.leads[self.begins[number] : self.begins[number + 1]])):
                if after in came or self.ranks[after] != self.ranks[start]:
                    continue
                came[after] = number
                if self.kept(after) & wanted if wanted else after == first:
                    way = [after]
                    while (number := came[way[-1]]) != start:
                        way.append(number)
                    return way[::-1]
                open_.append(after)
        raise AssertionError("a component whose positions do not reach each other")


@frozen
class StayResult:
    """The positions in which a play *ends*, or if there are none, whether one *goes_round*, and its
    *loops* if they were looked for.
    """

    ends: tuple[Words, ...] = ()
    goes_round: bool = False
    loops: Loops | None = None

    @property
    def is_play(self) -> bool:
        """Whether there is a play that ends or goes round."""
        return bool(self.ends) or self.goes_round


def remembered(query: Query) -> Query:
    """Return *query* with a formula whose truth is a bit that its monitor remembers last: that of
    an outermost ``since``.
    """
    if not query.for_ever or query.temporal is not None or isinstance(query.formula, f.Since):
        return query
    return replace(query, formula=lasting(query.formula))


def rounds_of(layout: Layout, query: Query, which: int) -> Rounds:
    """Return what positions of *layout* say of *query*; *which* is the number of the function that
    leaves moves of loops.
    """
    past = layout.extra.get("past")
    if query.temporal is None:
        assert past is not None
        is_true = 1 << len(plan(query.formula).bits) - 1
        return Rounds(which, past.word, past.shift, is_true, is_true, 0)
    asked = owing(query.temporal)
    return Rounds(
        which, past.word if past else 0, past.shift if past else 0, asked.once, 0, asked.often
    )


# ------------------------------------------------------------------ in plain Python


def in_python(
    run: Interpreted, rounds: Rounds, known: Collection[Key], look: Callable[[], None]
) -> StayResult:
    """Return what is found among the positions *known*; *look* is called now and then, and may
    raise.
    """
    after: dict[Key, Sequence[Key]] = {}
    ends: list[Words] = []
    for key in known:
        words = as_words(key)
        if not rounds.may_stay(words):
            continue
        if len(after) % CHECK_EVERY == 0:
            look()
        run.out[BITS] = run.out[CUT] = 0
        after[key] = _onward(run, words)
        has_ended = not run.out[BITS] and rounds.kept(words) == rounds.owed
        if has_ended and (not run.out[CUT] or run.is_end(words)):
            ends.append(words)
    if ends:
        return StayResult(tuple(ends))
    rest = _left_over(after)
    if not rest:
        return StayResult()
    loops = _PythonLoops(
        {key: [one for one in after[key] if one in rest] for key in sorted(rest)}, rounds, look
    )
    return StayResult((), bool(loops.positions), loops)


def _onward(run: Interpreted, words: Words) -> Sequence[Key]:
    if run.size > 1:
        return run.outputs(words)
    end = run.function(*words, run.out, FIRST)
    return run.out[FIRST:end]


def _left_over(after: Mapping[Key, Sequence[Key]]) -> set[Key]:
    """Return the positions that are left when those without predecessors have been dropped, one
    after the other.
    """
    counts = dict.fromkeys(after, 0)
    for target in chain.from_iterable(after.values()):
        if target in counts:
            counts[target] += 1
    free = [key for key, number in counts.items() if not number]
    while free:
        key = free.pop()
        del counts[key]
        for target in after[key]:
            if target in counts:
                counts[target] -= 1
                if not counts[target]:
                    free.append(target)
    return set(counts)


class _PythonLoops(Loops):
    """The loops among positions of which *after* says where their moves lead; *positions* are those
    that are part of one.
    """

    def __init__(
        self, after: Mapping[Key, Sequence[Key]], rounds: Rounds, look: Callable[[], None]
    ) -> None:
        self._keys, self._rounds, self.owed = list(after), rounds, rounds.owed
        self._numbers = {key: number for number, key in enumerate(self._keys)}
        size = len(self._keys)
        self.begins = [0, *accumulate(map(len, after.values()))]
        self.leads = [self._numbers[key] for one in after.values() for key in one]
        self.ranks = [0] * size
        tally = [0] * 5
        tally[INDEX], tally[FOUND_ROUND] = 1, size + 1
        going, calls, stack = ([0] * size for _ in range(3))
        components = functions_of(COMPONENTS)["components"]
        while components(self.begins, self.leads, self.ranks, going, calls, stack, tally, size):
            look()
        self.positions = frozenset(self._in_loops())

    def _in_loops(self) -> Iterator[Words]:
        """Yield the positions of the components that have a move inside and keep everything."""
        kept: dict[int, int] = {}
        for number, rank in enumerate(self.ranks):
            if any(
                self.ranks[after] == rank
                for after in self.leads[self.begins[number] : self.begins[number + 1]]
            ):
                kept[rank] = kept.get(rank, 0)
        for number, rank in enumerate(self.ranks):
            if rank in kept:
                kept[rank] |= self.kept(number)
        return (
            as_words(key)
            for key, rank in zip(self._keys, self.ranks, strict=True)
            if kept.get(rank) == self.owed
        )

    def least_of(self, layer: int, words_of: Callable[[int], Iterator[Words]]) -> Words | None:
        """Return the smallest position of *layer* that is part of a loop."""
        return min(self.positions.intersection(words_of(layer)), default=None)

    def position_number(self, words: Words) -> int:
        """Return the number of the position *words*."""
        return self._numbers[as_key(words)]

    def position_words(self, number: int) -> Words:
        """Return the position of that number."""
        return as_words(self._keys[number])

    def kept(self, number: int) -> int:
        """Return the bits of what the position of that number does not owe."""
        return self._rounds.kept(self.position_words(number))


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
        out = self.compiled.workers[0].out
        while at < self.slots:
            stop = min(at + CHUNK, self.slots)
            at = self.functions["count"](
                self.table.memory, self.table.log, at, stop, rounds.word, rounds.shift, rounds.mask,
                rounds.true, rounds.owed, self.counts, out, self.tally,
            )  # fmt: skip
            if at < stop:
                ends.append(self._words_in(at))
                at += 1
            self.look()
        return ends

    def drop(self) -> bool:
        """Drop what is in no loop; return whether there is a rest."""
        stack = self._memory(self.compiled.known + 1, "the positions to drop")
        out, at, rounds = self.compiled.workers[0].out, 0, self.rounds
        while at < self.slots:
            stop = min(at + CHUNK, self.slots)
            at = self.functions["drop"](
                self.table.memory, self.table.log, at, stop, rounds.word, rounds.shift, rounds.mask,
                rounds.true, self.counts, out, stack, self.tally,
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
        tally.numbers[cells.INDEX], tally.numbers[cells.FOUND_ROUND] = 1, number + 1
        arrays = begins, leads, ranks, going, calls, stack, tally
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
        total = 0
        for at in range(0, end, CHUNK):
            total += self.functions[function](*before, at, min(at + CHUNK, end), *after)
            self.look()
        return total

    # ------------------------------------------------------------------ positions

    def least_of(
        self,
        layer: int,
        words_of: Callable[[int], Iterator[Words]],  # noqa: ARG002 - compiled code looks itself
    ) -> Words | None:
        """Return the smallest position of *layer* that is part of a loop."""
        noted = Memory(self.size)
        for block, first, stop in self.compiled.in_memory(self.compiled.layer_of(layer)):
            table = self.table.memory, self.table.log
            self.functions["least"](block, first, stop, *table, self.counts, noted)
            self.look()
        return tuple(noted.numbers[: self.size]) if noted.numbers[0] else None

    def position_number(self, words: Words) -> int:
        """Return the number of the position *words*."""
        noted = Memory(self.size)
        noted.numbers[: self.size] = [*words]
        return (
            self.counts.numbers[self.functions["seek"](self.table.memory, self.table.log, noted)]
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
