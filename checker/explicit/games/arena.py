"""Arenas: the game for a property of mode ``enforce``, found position by position and written down once, in arrays.

In comes the text of `emit.game`, out goes a `PackedArena` with an entry for every choice of players. Small games are found by CPython; one
that grows is carried over to compiled code, which goes on in the same arrays.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from itertools import product

from ....models.storage.places import cache_folder
from ....properties import formula as f
from ...types.budget import Meter
from ...types.verdict import Counts
from ..emit.game import GameText
from ..layout.layout import Words
from ..moves.hooks import FIRST
from ..native.machine import BEST, QUICK, Machine, NoMachineError
from ..native.memory import Memory, Room
from ..search.interpreted import functions_of
from . import passes
from .kernel import FUNCTIONS, STACK, game_text
from .passes import PASS_FUNCTIONS

SMALL = 1 << 12
"""How many positions are found by CPython before anything is compiled."""
LARGE = 1 << 18
"""How many of them before it is compiled as well as can be."""
_STEPS = 1 << 14
"""How many positions are expanded between two looks at the meter, in compiled code; CPython expands fewer."""
_PYTHON_STEPS = 1 << 7


class OpenCutError(Exception):
    """A move was cut of which it is open whether it comes to its end."""


class GameCode:
    """The functions of one text: those of CPython, or compiled once that pays. Arrays are given to either as `Memory`."""

    def __init__(self, text: GameText) -> None:
        self.source = game_text(text)
        self.words = text.emitted.layout.words
        self.machine: Machine | None = None
        self._is_missing = False

    def __call__(self, name: str, *arguments: Memory | int) -> int:
        """Return what the function *name* does with *arguments*."""
        if self.machine is not None:
            return self.machine.functions[name](*(one.address if isinstance(one, Memory) else one for one in arguments))
        return functions_of(self.source)[name](*(one.numbers if isinstance(one, Memory) else one for one in arguments))

    @property
    def steps(self) -> int:
        """How many positions are expanded at once."""
        return _PYTHON_STEPS if self.machine is None else _STEPS

    def compile(self, level: int) -> None:
        """Go on in compiled code, if there can be any."""
        if self._is_missing or (self.machine is not None and self.machine.level >= level):
            return
        try:
            self.machine = Machine(self.source, {**FUNCTIONS, **PASS_FUNCTIONS, "start": self.words + 2}, cache_folder(), level=level)
        except NoMachineError:
            self._is_missing = True


@dataclass
class PackedArena:
    """The nodes and edges of a game, see `kernel`.

    The positions were found in so many *layers*. *entries* has the node at which it begins for each choice of seats, *starts* the edge that
    leaves each of these nodes. *labels* says of edges to positions whose move of which clause they are, as `emit.game` tells it, and 1; of
    others 0.
    """

    text: GameText
    code: GameCode
    room: Room
    positions: Memory
    nodes: Memory
    places: Memory
    sources: Memory
    targets: Memory
    labels: Memory
    tally: Memory
    entries: dict[tuple[int, ...], int]
    starts: dict[int, int]
    layers: int = 1

    @property
    def number(self) -> int:
        """How many nodes there are."""
        return self.tally.numbers[passes.NODES]

    @property
    def edges(self) -> int:
        """How many edges there are."""
        return self.tally.numbers[passes.EDGES]

    def words(self, node: int) -> Words | None:
        """Return the position that *node* is; None if it is a decision on the way to one."""
        place, size = self.places.numbers[node], self.text.emitted.layout.words
        return None if place < 0 else tuple(self.positions.numbers[place * size : (place + 1) * size])


def arena_of(text: GameText, question: f.Property, meter: Meter, *, small: int = SMALL) -> PackedArena:
    """Return the game for *question*; raises `BudgetSpentError`, and `OpenCutError` where the arrays cannot say what becomes of a move."""
    search = ArenaSearch(text, question, meter)
    search.run(small)
    return search.arena


class ArenaSearch:
    """The search for the *arena* of a game, which has what was found so far."""

    def __init__(self, text: GameText, question: f.Property, meter: Meter) -> None:
        self.question, self.meter, self.size = question, meter, text.emitted.layout.words
        room = Room(meter)
        self.log, self.most_known, self.most_nodes, self.most_edges = 14, 1 << 13, 1 << 15, 1 << 16
        take = room.take
        self.table, self.numbers = take(1 << self.log, "a table"), take(self.most_known, "positions")
        nodes, places = take(self.most_nodes, "nodes"), take(self.most_nodes, "nodes")
        sources, targets, labels = (take(self.most_edges, "edges") for _ in range(3))
        self.arena = PackedArena(
            text,
            GameCode(text),
            room,
            take(self.most_known * self.size, "positions"),
            nodes,
            places,
            sources,
            targets,
            labels,
            take(16, "a tally"),
            {},
            {},
        )
        self.buffer = FIRST + max(text.emitted.most_moves, 1) * text.emitted.width
        self.out, self.stack = take(self.buffer + text.emitted.scratch + self.buffer, "a buffer"), take(STACK, "a path")
        self.assuming = sum(
            {"players": passes.PLAYERS, "cards": passes.CARDS, "others": passes.ASSUMED_OTHERS}[who] for who in question.assuming
        )

    @property
    def counts(self) -> Counts:
        """How much has been found."""
        cells = self.arena.tally.numbers
        return Counts(cells[passes.KNOWN], cells[passes.MOVES], self.arena.layers, cells[passes.CUTS])

    def run(self, small: int = SMALL) -> None:
        """Find all; raises what `arena_of` does."""
        self._begin()
        self._finish(small)

    @property
    def _arrays(self) -> tuple[Memory | int, ...]:
        one = self.arena
        return (self.table, self.log, one.positions, self.numbers, one.nodes, one.places, one.sources, one.targets, one.labels, self.out)

    def _begin(self) -> None:
        """Make the ends of games, and the positions in which plays begin."""
        arena, layout = self.arena, self.arena.text.emitted.layout
        for end, priority in enumerate((2, 1, 1, 1)):
            arena.nodes.numbers[end], arena.places.numbers[end] = priority << passes.WHOSE_BITS, -1
            arena.sources.numbers[end] = arena.targets.numbers[end] = end
        arena.tally.numbers[passes.NODES] = arena.tally.numbers[passes.EDGES] = passes.FIRST_NODE
        for seats in product(range(layout.players), repeat=len(self.question.spotlights)):
            words = list(layout.initial())
            for number, seat in enumerate(seats):
                layout.extra[f"seat of {number}"].write(words, seat)
            end = functions_of(arena.code.source)["start"](*words, self.out.numbers, FIRST)
            if end > FIRST:
                edge = arena.tally.numbers[passes.EDGES]
                arena.entries[seats] = entry = arena.code("admit", *self._arrays, arena.tally, FIRST)
                arena.starts[entry] = edge

    def _finish(self, small: int) -> None:
        """Expand all positions."""
        arena, cells = self.arena, self.arena.tally.numbers
        end = cells[passes.KNOWN]
        while cells[passes.AT] < cells[passes.KNOWN]:
            if cells[passes.AT] == end:
                arena.layers, end = arena.layers + 1, cells[passes.KNOWN]
            if cells[passes.KNOWN] > small:
                arena.code.compile(BEST if cells[passes.KNOWN] > LARGE else QUICK)
            self.meter.grow(cells[passes.KNOWN])
            self.meter.check(arena.layers, cells[passes.KNOWN], cells[passes.MOVES])
            limits = self.most_known, self.most_nodes, self.most_edges
            deep = arena.text.depth + 4
            if arena.code(
                "grow", *self._arrays, self.stack, arena.tally, min(arena.code.steps, end - cells[passes.AT]), *limits, self.assuming, deep
            ):
                self._widen(deep)
            if cells[passes.OPEN]:
                raise OpenCutError

    def _widen(self, deep: int) -> None:
        """Take more room where a position, whatever moves it has, might not have enough."""
        arena, cells, most = self.arena, self.arena.tally.numbers, self.arena.text.emitted.most_moves + 1
        if cells[passes.KNOWN] + most > self.most_known:
            self.most_known = 2 * self.most_known + most
            arena.positions = self._larger(arena.positions, self.most_known * self.size)
            self.numbers = self._larger(self.numbers, self.most_known)
            self.log = (2 * self.most_known).bit_length()
            arena.room.give_back(self.table)
            self.table = arena.room.take(1 << self.log, "a table")
            arena.code("rehash", self.table, self.log, arena.positions, cells[passes.KNOWN], 0)
        if cells[passes.NODES] + most * deep > self.most_nodes:
            self.most_nodes = 2 * self.most_nodes + most * deep
            arena.nodes, arena.places = self._larger(arena.nodes, self.most_nodes), self._larger(arena.places, self.most_nodes)
        if cells[passes.EDGES] + most * deep > self.most_edges:
            self.most_edges = 2 * self.most_edges + most * deep
            arena.sources, arena.targets = self._larger(arena.sources, self.most_edges), self._larger(arena.targets, self.most_edges)
            arena.labels = self._larger(arena.labels, self.most_edges)

    def _larger(self, memory: Memory, size: int) -> Memory:
        larger = self.arena.room.take(size, "what players can enforce")
        ctypes.memmove(larger.address, memory.address, memory.size * 8)
        self.arena.room.give_back(memory)
        return larger
