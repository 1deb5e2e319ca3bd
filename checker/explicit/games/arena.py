"""Arenas: the game for a property of mode ``enforce``, found position by position and written down
once, in arrays.

In comes the text of `emit.game`, out goes a `PackedArena` with an entry for every choice of
players. Small games are found by CPython; one that grows is carried over to compiled code, which
goes on in the same arrays.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from itertools import product

from ....models.storage.places import cache_folder
from ....properties import formula as f
from ...types.budget import BudgetSpentError, Meter
from ...types.verdict import Counts
from ..emit.game import GameText
from ..layout.layout import Words
from ..moves.hooks import FIRST
from ..native.machine import BEST, QUICK, Machine, NoMachineError
from ..native.memory import Memory, Room
from ..search.interpreted import functions_of
from . import passes
from .kernel import FUNCTIONS, OF_RECORD, STACK, batch, game_text
from .passes import PASS_FUNCTIONS

FEW = 1 << 10
"""How many positions are found by CPython before compiled code is looked for that was kept."""
SMALL = 1 << 12
"""How many positions are found by CPython before anything is compiled."""
LARGE = 1 << 18
"""How many of them before it is compiled as well as can be."""
MOST_NODES = 1 << 30
"""How many nodes a game may have at most: an edge has so much room for each (`passes.SOURCE`), and
a slot of the table for a position.
"""
_STEPS = 1 << 14
"""How many positions are expanded between two looks at the meter, in compiled code; CPython expands
fewer.
"""
_PYTHON_STEPS = 1 << 7


class OpenCutError(Exception):
    """A move was cut of which it is open whether it comes to its end."""


class GameCode:
    """The functions of one text: those of CPython, or compiled once that pays. Arrays are given to
    either as `Memory`.
    """

    def __init__(self, text: GameText) -> None:
        self.source = game_text(text)
        self.words = text.emitted.layout.words
        self.machine: Machine | None = None
        self._looked_for = set[tuple[int, bool]]()

    def __call__(self, name: str, *arguments: Memory | int) -> int:
        """Return what the function *name* does with *arguments*."""
        if self.machine is not None:
            return self.machine.functions[name](
                *(one.address if isinstance(one, Memory) else one for one in arguments)
            )
        return functions_of(self.source)[name](
            *(one.numbers if isinstance(one, Memory) else one for one in arguments)
        )

    @property
    def steps(self) -> int:
        """How many positions are expanded at once."""
        return _PYTHON_STEPS if self.machine is None else _STEPS

    def compile(self, level: int, *, only_kept: bool = False) -> None:
        """Go on in compiled code, if there can be any; with *only_kept* in what was compiled
        before.
        """
        if (level, only_kept) in self._looked_for or (
            self.machine is not None and self.machine.level >= level
        ):
            return
        self._looked_for.add((level, only_kept))
        functions = {**FUNCTIONS, **PASS_FUNCTIONS, "start": self.words + 2}
        with suppress(NoMachineError):
            self.machine = Machine(
                self.source, functions, cache_folder(), level=level, only_kept=only_kept
            )


@dataclass
class PackedArena:
    """The nodes and edges of a game, see `kernel`.

    The positions were found in *layers* layers. *entries* has the node at which it begins for each
    choice of seats, *starts* the edge that leaves each of these nodes.
    """

    text: GameText
    code: GameCode
    room: Room
    positions: Memory
    nodes: Memory
    sources: Memory
    targets: Memory
    tally: Memory
    entries: dict[tuple[int, ...], int]
    starts: dict[int, int]
    layers: int = 1

    @property
    def node_count(self) -> int:
        """How many nodes there are."""
        return self.tally.numbers[passes.NODES]

    @property
    def edges(self) -> int:
        """How many edges there are."""
        return self.tally.numbers[passes.EDGES]

    def words(self, node: int) -> Words | None:
        """Return the position that *node* is, or its twin; None if it is a decision on the way to
        one.
        """
        place, size = self.nodes.numbers[node] >> passes.PLACE, self.text.emitted.layout.words
        begin = (place - 1) * (size + OF_RECORD)
        return tuple(self.positions.numbers[begin : begin + size]) if place else None

    def label(self, edge: int) -> int:
        """Return whose move of which clause *edge* is, as `emit.game` tells it, and 1; 0 of what
        leads to no position, or from its twin.
        """
        return self.sources.numbers[edge] >> passes.LABEL

    def source(self, edge: int) -> int:
        """Return the node that *edge* leaves."""
        return self.sources.numbers[edge] & passes.SOURCE


def arena_of(
    text: GameText, question: f.Property, meter: Meter, *, small: int = SMALL
) -> PackedArena:
    """Return the game for *question*; raises `BudgetSpentError`, and `OpenCutError` where the
    arrays cannot say what becomes of a move.
    """
    search = ArenaSearch(text, question, meter)
    search.find_all(small)
    return search.arena


class ArenaSearch:
    """The search for the *arena* of a game, which has what was found so far."""

    def __init__(self, text: GameText, question: f.Property, meter: Meter) -> None:
        self.question = question
        self.meter = meter
        self.size = text.emitted.layout.words + OF_RECORD
        self.batch = batch(text)
        room = Room(meter)
        self.log, self.most_known, self.most_nodes, self.most_edges = 14, 1 << 13, 1 << 15, 1 << 16
        take = room.take
        self.table = take(1 << self.log, "a table")
        sources, targets = (take(self.most_edges, "edges") for _ in range(2))
        self.arena = PackedArena(
            text,
            GameCode(text),
            room,
            take(self.most_known * self.size, "positions"),
            take(self.most_nodes, "nodes"),
            sources,
            targets,
            take(16, "a tally"),
            {},
            {},
        )
        moves = max(text.emitted.most_moves, 1) * text.emitted.width
        self.out = take(FIRST + (self.batch + 1) * moves + text.emitted.scratch, "a buffer")
        self.stack = take(STACK, "a path")
        self.slots = take(self.out.size, "a buffer")
        self.assuming = sum(
            {"players": passes.PLAYERS, "cards": passes.CARDS, "others": passes.ASSUMED_OTHERS}[who]
            for who in question.assuming
        )

    @property
    def counts(self) -> Counts:
        """How much has been found."""
        cells = self.arena.tally.numbers
        return Counts(
            cells[passes.KNOWN], cells[passes.MOVES], self.arena.layers, cells[passes.CUTS]
        )

    def find_all(self, small: int = SMALL) -> None:
        """Find all; raises what `arena_of` does."""
        self._set_up()
        self._finish_small(small)

    @property
    def _arrays(self) -> tuple[Memory | int, ...]:
        one = self.arena
        return (self.table, self.log, one.positions, one.nodes, one.sources, one.targets, self.out)

    def _set_up(self) -> None:
        """Make the ends of games, and the positions in which plays begin."""
        arena, layout = self.arena, self.arena.text.emitted.layout
        for end, priority in enumerate((2, 1, 1, 1)):
            arena.nodes.numbers[end] = priority << passes.WHOSE_BITS
            arena.sources.numbers[end] = arena.targets.numbers[end] = end
        arena.tally.numbers[passes.NODES] = arena.tally.numbers[passes.EDGES] = passes.FIRST_NODE
        for seats in product(range(layout.players), repeat=len(self.question.spotlights)):
            words = list(layout.initial())
            for number, seat in enumerate(seats):
                layout.extra[f"seat of {number}"].write(words, seat)
            end = functions_of(arena.code.source)["start"](*words, self.out.numbers, FIRST)
            if end > FIRST:
                edge = arena.tally.numbers[passes.EDGES]
                arena.entries[seats] = entry = arena.code(
                    "admit", *self._arrays, arena.tally, FIRST
                )
                arena.starts[entry] = edge

    def _finish_small(self, small: int) -> None:
        """Expand all positions."""
        arena, cells = self.arena, self.arena.tally.numbers
        end = cells[passes.KNOWN]
        while cells[passes.AT] < cells[passes.KNOWN]:
            if cells[passes.AT] == end:
                arena.layers, end = arena.layers + 1, cells[passes.KNOWN]
            for level in (BEST, QUICK) if cells[passes.KNOWN] > FEW else ():
                arena.code.compile(level, only_kept=True)
            if cells[passes.KNOWN] > small:
                arena.code.compile(BEST if cells[passes.KNOWN] > LARGE else QUICK)
            self.meter.grow(cells[passes.KNOWN])
            self.meter.check(arena.layers, cells[passes.KNOWN], cells[passes.MOVES])
            steps, deep = min(arena.code.steps, end - cells[passes.AT]), arena.text.depth + 4
            limits = steps, self.most_known, self.most_nodes, self.most_edges
            if arena.code(
                "grow",
                *self._arrays,
                self.slots,
                self.stack,
                arena.tally,
                *limits,
                self.assuming,
                deep,
            ):
                self._widen(deep)
            if cells[passes.OPEN]:
                raise OpenCutError

    def _widen(self, deep: int) -> None:
        """Take more room where a position, whatever moves it has, might not have enough."""
        arena = self.arena
        cells = self.arena.tally.numbers
        most = self.batch * (self.arena.text.emitted.most_moves + 1)
        enlarge, what = arena.room.enlarge, "what players can enforce"
        if cells[passes.NODES] + most * deep > MOST_NODES:
            raise BudgetSpentError(
                f"a game between players may have {MOST_NODES:,} positions and decisions"
            )
        if cells[passes.KNOWN] + most > self.most_known:
            self.most_known = min(2 * self.most_known + most, MOST_NODES)
            enlarge(arena.positions, self.most_known * self.size, what)
            self.log = (4 * self.most_known // 3).bit_length()
            old, self.table = self.table, arena.room.take(1 << self.log, "a table")
            arena.code("rehash", self.table, self.log, old, 0, old.size)
            arena.room.give_back(old)
        if cells[passes.NODES] + most * deep > self.most_nodes:
            self.most_nodes = min(2 * self.most_nodes + most * deep, MOST_NODES)
            enlarge(arena.nodes, self.most_nodes, what)
        if cells[passes.EDGES] + most * deep > self.most_edges:
            self.most_edges = 2 * self.most_edges + most * deep
            for memory in (arena.sources, arena.targets):
                enlarge(memory, self.most_edges, what)
