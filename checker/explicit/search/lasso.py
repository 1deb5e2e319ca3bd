"""Lassos: whether a formula can be true from some moment on for ever, or at the end of a play that ends.

In come the positions that a search has found, in which the monitor's last bit says whether the formula is true (`remembered`), and the
number of the function that leaves only those moves after which it is true and which nobody is assumed to make only
finitely often (`monitor.staying`). Out goes where a play ends with the formula true, or the positions that have such moves
round a loop: in a finite graph, what goes on for ever goes round.

Positions to which no such move leads are in no loop, nor is what only they lead to: they are dropped, one after the other, until none is
left or each of the rest has a predecessor in the rest, and then there is a loop. That is topological sorting (Kahn,
"Topological sorting of large networks", CACM 1962), which as a way to find loops in explored graphs is known as one way catch them young
(Cerna and Pelanek, "Distributed explicit fair cycle detection", SPIN 2003): every position is expanded twice, and nothing but a number
is kept of it. Only if there is a loop is one looked for, among the positions of the rest.

A slice has the plays of what it stands for (`needs`), so both have loops or neither has. One round there may change what is
dropped; but that has finitely many values, and some round comes back to what was there before. Likewise where positions are
turned: to turn is an automorphism of the moves (`symmetry`), and in each round of turned positions everyone moves on by the same number
of seats, so that after at most as many rounds as there are players all sit where they sat (Emerson and Sistla, "Utilizing
symmetry when model checking under fairness assumptions", TOPLAS 1997, follow the seats beside the quotient; here `lift` does, in the
one loop that is told).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from ....properties import formula as f
from ...questions.questions import Query
from ...watching.plan import lasting, plan
from ..layout.layout import Key, Layout, Words, as_key, as_words
from ..moves.hooks import BITS, CUT, FIRST, WHICH
from ..native import kernel
from .compiled import CHUNK, Compiled
from .interpreted import CHECK_EVERY, Interpreted

if TYPE_CHECKING:
    from networkx import DiGraph

_MOST = 100_000
"""Among how many positions the loop that is told is the best; of more any loop is."""


@dataclass(frozen=True)
class Rounds:
    """The number of the function `monitor.staying`, and where a position says whether the formula is true."""

    which: int
    word: int
    bit: int


@dataclass(frozen=True)
class PackedLasso:
    """The positions of a play, the last of which is the end, or with a *loop* the one of that number once more.

    There are none if the play need not be told.
    """

    way: tuple[Words, ...]
    loop: int | None = None


@dataclass(frozen=True)
class StayResult:
    """The positions in which a play *ends*, or if there are none, those of *rounds*: loops, and ways from one loop to others."""

    ends: tuple[Words, ...] = ()
    rounds: frozenset[Words] = frozenset()

    @property
    def is_play(self) -> bool:
        """Whether there is a play on which the formula stays true."""
        return bool(self.ends or self.rounds)


def remembered(query: Query) -> Query:
    """Return *query* with a formula whose truth is a bit that its monitor remembers last: that of an outermost ``since``."""
    if not query.for_ever or isinstance(query.formula, f.Since):
        return query
    return replace(query, formula=lasting(query.formula))


def rounds_of(layout: Layout, query: Query, which: int) -> Rounds:
    """Return where positions of *layout* say that *query* is true; *which* is the number of the function that leaves moves of loops."""
    past = layout.extra["past"]
    return Rounds(which, past.word, past.shift + len(plan(query.formula).bits) - 1)


# ------------------------------------------------------------------ in plain Python


def in_python(run: Interpreted, rounds: Rounds, known: Collection[Key], look: Callable[[], None]) -> StayResult:
    """Return what is found among the positions *known*; *look* is called now and then, and may raise."""
    after: dict[Key, Sequence[Key]] = {}
    ends: list[Words] = []
    for key in known:
        words = as_words(key)
        if not words[rounds.word] >> rounds.bit & 1:
            continue
        if len(after) % CHECK_EVERY == 0:
            look()
        run.out[BITS] = run.out[CUT] = 0
        after[key] = _onward(run, words)
        if not after[key] and not run.out[BITS] and (not run.out[CUT] or run.is_end(words)):
            ends.append(words)
    if ends:
        return StayResult(tuple(ends))
    return StayResult((), frozenset(map(as_words, _rest(after))))


def _onward(run: Interpreted, words: Words) -> Sequence[Key]:
    if run.size > 1:
        return run.outputs(words)
    end = run.function(*words, run.out, FIRST)
    return run.out[FIRST:end]


def _rest(after: Mapping[Key, Sequence[Key]]) -> set[Key]:
    """Return the positions that are left when those without predecessors have been dropped, one after the other."""
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


# ------------------------------------------------------------------ in compiled code


def in_machine(compiled: Compiled, rounds: Rounds, look: Callable[[], None]) -> StayResult:
    """Return what is found among the positions in the table of *compiled*; raise `BudgetSpentError` if there is no room for it."""
    out = compiled.workers[0].out
    before, out.numbers[WHICH] = out.numbers[WHICH], rounds.which
    table = _Table(compiled, rounds, look)
    try:
        ends = table.count()
        if ends:
            return StayResult(tuple(ends))
        return StayResult((), frozenset(table.rest() if table.drop() else ()))
    finally:
        out.numbers[WHICH] = before
        table.end()


class _Table:
    """The table of a search, with a number for every slot: how many moves of those that are left lead there, -1 if it was dropped."""

    def __init__(self, compiled: Compiled, rounds: Rounds, look: Callable[[], None]) -> None:
        self.compiled, self.rounds, self.look = compiled, rounds, look
        self.table, self.functions, self.size = compiled.table, compiled.machine.functions, compiled.size
        self.slots = 1 << self.table.log
        self.counts = compiled.room.take(self.slots, "the moves that lead to positions")
        self.stack = compiled.room.take(compiled.known + 1, "the positions to drop")
        self.tally = compiled.room.take(8, "a tally")

    def end(self) -> None:
        """Give the memory back."""
        for memory in (self.counts, self.stack, self.tally):
            self.compiled.room.give_back(memory)

    def count(self) -> list[Words]:
        """Count the moves to every position; return where plays end."""
        ends, at = [], 0
        while at < self.slots:
            stop = min(at + CHUNK, self.slots)
            at = self._call("count", at, stop, self.counts.address, self.compiled.workers[0].out.address, self.tally.address)
            if at < stop:
                ends.append(self._words(at))
                at += 1
            self.look()
        return ends

    def drop(self) -> bool:
        """Drop what is in no loop; return whether there is a rest."""
        out, at = self.compiled.workers[0].out.address, 0
        while at < self.slots:
            stop = min(at + CHUNK, self.slots)
            at = self._call("drop", at, stop, self.counts.address, out, self.stack.address, self.tally.address)
            self.look()
        return self.tally.numbers[kernel.TRUE] > self.tally.numbers[kernel.DROPPED]

    def rest(self) -> Iterator[Words]:
        """Yield the positions of the rest."""
        for first in range(0, self.slots, CHUNK):
            counts = self.counts.numbers[first : min(first + CHUNK, self.slots)]
            yield from (self._words(first + at) for at, number in enumerate(counts) if number > 0)

    def _call(self, function: str, at: int, stop: int, *others: int) -> int:
        table, rounds = self.table, self.rounds
        return self.functions[function](table.memory.address, table.log, at, stop, rounds.word, rounds.bit, *others)

    def _words(self, at: int) -> Words:
        return tuple(self.table.memory.numbers[at * self.size : (at + 1) * self.size])


# ------------------------------------------------------------------ the loop that is told


class Loops:
    """The loops among the *rounds* that were found; *run* finds the moves that are part of them."""

    def __init__(self, run: Interpreted, rounds: Iterable[Words]) -> None:
        import networkx as nx  # noqa: PLC0415 - only here, and not quick to import

        self.run, inside = run, set(map(as_key, rounds))
        if len(inside) > _MOST:
            inside = set(self._any_loop(inside))
        self.graph: DiGraph[Key] = nx.DiGraph()
        for key in sorted(inside):
            self.graph.add_edges_from((key, after) for after in _onward(run, as_words(key)) if after in inside)
        components = nx.strongly_connected_components(self.graph)
        self._of = {key: component for component in components for key in component if len(component) > 1 or self.graph.has_edge(key, key)}

    @property
    def positions(self) -> frozenset[Words]:
        """The positions that a loop goes through."""
        return frozenset(map(as_words, self._of))

    def round_from(self, first: Words) -> list[Words]:
        """Return a shortest loop from *first* to *first*, without its beginning."""
        import networkx as nx  # noqa: PLC0415 - only here, and not quick to import

        key = as_key(first)
        component = self.graph.subgraph(self._of[key])
        backs = nx.single_target_shortest_path(component, key)
        return [as_words(one) for one in min((backs[after] for after in component.successors(key)), key=len)]

    def _any_loop(self, inside: set[Key]) -> list[Key]:
        """Return the positions of some loop: whoever goes back and back comes to where they were."""
        leads: dict[Key, Key] = {}
        for key in sorted(inside):
            for after in _onward(self.run, as_words(key)):
                if after in inside:
                    leads.setdefault(after, key)
        key, met = min(inside), dict[Key, None]()
        while key not in met:
            met[key] = None
            key = leads[key]
        way = list(met)
        return way[way.index(key) :]
