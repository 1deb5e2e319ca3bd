"""Plays of a solved arena: one on which the winner does what they have chosen, to its end or
round a loop.

The other side may do anything: a shortest play to an end is told, if there is an end; else the
nearest loop that is not long, best one on which nobody acts of whom that is not assumed; else the
first that is met. Against a coalition it is told how the others break what is to hold always, or a
loop from where most of what the goals ask of the past is so (as in `strategies.plays`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..emit.game import BROKEN
from ..layout.layout import Words
from . import passes
from .arena import PackedArena
from .passes import ASSUMED, FIRST_NODE, LOST, OURS, WHOSE_BITS, WON
from .solve import Won

_NEAREST, _AROUND = 200, 5000
"""How many nodes are asked whether they are on a loop, and how many are looked at for each."""
_LOOKED_AT = 1 << 20
"""How many nodes, the nearest ones, are asked whether something is broken there, or how far the
coalition has come.
"""
_STEPS = 1 << 16
_BROKEN = BROKEN << WHOSE_BITS


@dataclass(frozen=True)
class ArenaPlay:
    """The positions of a play, with whose move of which clause led to each (the label of the edge);
    it goes round to number *loop*.
    """

    way: tuple[Words, ...]
    labels: tuple[int, ...]
    loop: int | None


def play_of(arena: PackedArena, won: Won, entry: int, look: Callable[[], None]) -> ArenaPlay:
    """Return a play from *entry* that the winner there wins."""
    plays = _Plays(arena, won, look, ours=bool(won.wins.numbers[entry]))
    try:
        return plays.from_entry(entry)
    finally:
        for memory in (plays.begins, plays.leaving, plays.came, plays.queue):
            arena.room.give_back(memory)


class _Plays:
    def __init__(
        self, arena: PackedArena, won: Won, look: Callable[[], None], *, ours: bool
    ) -> None:
        self.arena = arena
        self.won = won
        self.ours = ours
        self.look = look
        self.end = WON if ours else LOST
        take = arena.room.take
        self.begins, self.leaving = take(arena.node_count + 2, "plays"), take(arena.edges, "plays")
        arena.code(
            "turn",
            arena.sources,
            arena.targets,
            self.begins,
            self.leaving,
            arena.node_count,
            arena.edges,
            1,
        )
        self.came, self.queue = take(arena.node_count, "plays"), take(arena.node_count, "plays")

    def from_entry(self, entry: int) -> ArenaPlay:
        """Return a play from *entry*."""
        cells = self.arena.tally.numbers
        self.queue.numbers[0], self.came.numbers[entry] = entry, -1
        cells[passes.HEAD], cells[passes.TOP] = 0, 1
        given = (
            self.arena.nodes,
            self.won.leads,
            self.begins,
            self.leaving,
            self.won.chooses,
            self.came,
            self.queue,
            self.arena.tally,
        )
        while self.arena.code("reach", *given, int(self.ours), _STEPS):
            self.look()
        reached = self.queue.numbers[: min(cells[passes.TOP], _LOOKED_AT)]
        if (
            not self.ours
            and (
                broken := next(
                    (node for node in reached if self.arena.nodes.numbers[node] & _BROKEN), None
                )
            )
            is not None
        ):
            return self._arena_play(self._way_to(broken), None)
        if self.came.numbers[self.end]:
            return self._arena_play(self._way_to(self.end), None)
        start = entry if self.ours else self._farthest(reached)
        way, loop = (
            self._near_loop(start, calm=True)
            or self._near_loop(start, calm=False)
            or self._first_loop(start)
        )
        way = [*self._way_to(start), *way]
        return self._arena_play([*way, *loop], len(way))

    def _farthest(self, reached: Sequence[int]) -> int:
        """Return the first node of *reached* at whose position most is so of what goals ask of the
        past.
        """
        layout, past = self.arena.text.emitted.layout, self.arena.text.past
        best, most = reached[0], -1
        if (field := layout.extra.get("past")) is None or not past:
            return best
        for node in reached:
            words = self.arena.words(node)
            if words is not None and (so := (field.code_in(words) & past).bit_count()) > most:
                best, most = node, so
        return best

    def _edges(self, node: int) -> list[int]:
        """Return the edges that may be taken from *node*: of the winner those to where it chooses
        to go.
        """
        begins = self.begins.numbers
        leads = self.won.leads.numbers
        chosen = self.won.chooses.numbers[node]
        is_chosen = (self.arena.nodes.numbers[node] & (1 << WHOSE_BITS) - 1 == OURS) == self.ours
        edges = (self.leaving.numbers[at] for at in range(begins[node], begins[node + 1]))
        return [
            edge
            for edge in edges
            if leads[edge] >= FIRST_NODE and (not is_chosen or leads[edge] == chosen)
        ]

    def _way_to(self, node: int) -> list[int]:
        """Return the edges of the shortest way to *node*."""
        way: list[int] = []
        while (edge := self.came.numbers[node] - 1) >= 0:
            way.append(edge)
            node = self.arena.source(edge)
        return way[::-1]

    def _near_loop(self, start: int, *, calm: bool) -> tuple[list[int], list[int]] | None:
        """Return the way from *start* to a near node, and round from there; if *calm* nobody acts
        of whom that is not assumed.
        """
        ways, queue = {start: list[int]()}, [start]
        for node in queue:
            if (loop := self._round(node, calm=calm)) is not None:
                return ways[node], loop
            for edge in self._edges(node) if len(queue) < _NEAREST else ():
                target = self.won.leads.numbers[edge]
                if target not in ways:
                    ways[target] = [*ways[node], edge]
                    queue.append(target)
        return None

    def _round(self, start: int, *, calm: bool) -> list[int] | None:
        """Return a shortest way from *start* back to it, if it is not long."""
        came, queue = dict[int, int](), [start]
        for node in queue:
            for edge in self._edges(node):
                target = self.won.leads.numbers[edge]
                if target in came or (
                    calm and self.arena.nodes.numbers[target] >> WHOSE_BITS & 7 == ASSUMED
                ):
                    continue
                came[target] = edge
                if target == start:
                    way = [edge]
                    while (source := self.arena.source(way[-1])) != start:
                        way.append(came[source])
                    return way[::-1]
                queue.append(target)
            if len(queue) > _AROUND:
                return None
        return None

    def _first_loop(self, node: int) -> tuple[list[int], list[int]]:
        """Return the way on which always the first edge is taken, to where it meets itself, and
        round.
        """
        met, way = dict[int, int](), list[int]()
        while node not in met:
            met[node] = len(way)
            way.append(self._edges(node)[0])
            node = self.won.leads.numbers[way[-1]]
        return way[: met[node]], way[met[node] :]

    def _arena_play(self, edges: list[int], before_loop: int | None) -> ArenaPlay:
        """Return the positions to which *edges* lead; so many of them are before the loop."""
        way, labels, loop = list[Words](), list[int](), None
        for number, edge in enumerate(edges):
            words = self.arena.words(self.arena.targets.numbers[edge])
            label = self.arena.label(edge)
            if words is not None and (label or not way):  # what leaves a twin has no label
                way.append(words)
                labels.append(label)
            if before_loop is not None and number + 1 == before_loop:
                loop = len(way) - 1
        return ArenaPlay(tuple(way), tuple(labels), loop)
