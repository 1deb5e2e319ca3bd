"""Plays of a solved arena: one on which the winner does what they have chosen; lifted to the game.

The other side may do anything. The play told is a shortest one to an end, if there is an end; else
the nearest loop that is not long, best a loop without acts that are assumed to happen only finitely
often; else the first loop that is met. Against a coalition the play shows how the others break what
is to hold always, or it ends in a loop from where most of what the goals ask of the past is so (as
in `strategies.solve`).

Lifting: a packed play becomes one of the game, with everything in it; each move is made again by
a *player*, who knows the rules.

The text for whole positions tells whose each move is, in NOTE(move-order), so it goes beside the
moves of the player. Alike positions have alike moves (`slicing.needs`), so any move that looks like
the next one is made; without one no play is told.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....models.frozen import frozen
from ...types.position import Trace, TraceStep
from ..emit.game import BROKEN, IS_CUT, SAID, WHOSE, GameText
from ..moves.layout import Layout, Words
from ..search.interpreted import Interpreted
from ..search.lift import Player
from . import passes
from .arena import PackedArena
from .passes import ASSUMED, FIRST_NODE, LOST, OURS, WHOSE_BITS, WON
from .solve import Won


def lifted(whole: GameText, searched: Layout, play: ArenaPlay, player: Player) -> Trace:
    """Return the play of the game that looks like *play*, of positions of the layout *searched*; a
    loop is gone round until all is back.
    """
    return _Lifting(whole, searched, player).lift(play)


class _Lifting:
    def __init__(self, whole: GameText, searched: Layout, player: Player) -> None:
        self.layout = whole.emitted.layout
        self.searched = searched
        self.player = player
        self.run = Interpreted(whole.emitted)
        self.same = [name for name in searched.extra if name in self.layout.extra]
        self.steps: list[TraceStep] = []

    def lift(self, play: ArenaPlay) -> Trace:
        """Return the whole *play*."""
        first = here = self._start_of(play.way[0])
        for words, label in zip(play.way[1:], play.labels[1:], strict=True):
            here = self._after(here, words, label)
        loop = None
        if play.loop is not None:
            round_ = list(zip(play.way[play.loop + 1 :], play.labels[play.loop + 1 :], strict=True))
            at = self.layout.unpack(first), *(step.position for step in self.steps)
            met = {at[play.loop]: play.loop}
            while (position := self.layout.unpack(here)) not in met:
                met[position] = len(self.steps)
                for words, label in round_:
                    here = self._after(here, words, label)
            loop = met[position]
        return Trace(self.layout.unpack(first), tuple(self.steps), loop=loop)

    def _start_of(self, wanted: Words) -> Words:
        words = list(self.layout.initial())
        for name, field in self.layout.extra.items():
            if name.startswith("seat of "):
                field.write(words, self.searched.extra[name].code_in(wanted))
        size = self.layout.words
        return next(
            told[:size]
            for told in self.run.started(tuple(words))
            if self._is_like(told[:size], wanted)
        )

    def _after(self, here: Words, wanted: Words, label: int) -> Words:
        """Make the move from *here* that looks like the one to *wanted* of *label*; return the
        position after it.
        """
        size = self.layout.words
        moves = self.player.moves(self.layout.unpack(here)).moves
        told = [one for one in self.run.outputs(here) if not one[size + SAID] & IS_CUT]
        for one, (move, target) in zip(told, moves, strict=True):
            if one[size + WHOSE] + 1 == label and self._is_like(one[:size], wanted):
                if self.layout.unpack(one) != target:
                    raise AssertionError(f"{move.clause} leads elsewhere")
                self.steps.append(TraceStep(move, target))
                return one[:size]
        raise AssertionError(
            "no move looks like the one that was found: a slice leaves out what matters"
        )

    def _is_like(self, words: Words, wanted: Words) -> bool:
        if any(
            self.layout.extra[name].code_in(words) != self.searched.extra[name].code_in(wanted)
            for name in self.same
        ):
            return False
        bare = self.searched.pack(self.layout.unpack(words))
        return all(
            word == other & mask
            for word, other, mask in zip(bare, wanted, self.searched.bare, strict=True)
        )


_NEAREST, _AROUND = 200, 5000
"""How many nodes are asked whether they are on a loop, and how many are looked at for each."""
_LOOKED_AT = 1 << 20
"""How many nodes, the nearest ones, are asked whether something is broken there, or how far the
coalition has come.
"""
_STEPS = 1 << 16
_BROKEN = BROKEN << WHOSE_BITS


@frozen
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
        self.begins = take(arena.node_count + 2, "plays")
        self.leaving = take(arena.edges, "plays")
        arena.call(
            "turn", leads=arena.sources, sources=arena.targets, begins=self.begins,
            calls=self.leaving, number=arena.node_count, edges=arena.edges, whole=1,
        )  # fmt: skip
        self.came = take(arena.node_count, "plays")
        self.queue = take(arena.node_count, "plays")

    def from_entry(self, entry: int) -> ArenaPlay:
        """Return a play from *entry*."""
        cells = self.arena.tally.numbers
        self.queue.numbers[0] = entry
        self.came.numbers[entry] = -1
        cells[passes.HEAD] = 0
        cells[passes.TOP] = 1
        while self.arena.call("reach", **vars(self.won), **vars(self), steps=_STEPS):
            self.look()
        reached = self.queue.numbers[: min(cells[passes.TOP], _LOOKED_AT)]
        nodes = self.arena.nodes.numbers
        ends = [] if self.ours else [node for node in reached if nodes[node] & _BROKEN][:1]
        ends += [self.end] if self.came.numbers[self.end] else []
        if ends:
            return self._arena_play(self._way_to(ends[0]), None)
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
        layout = self.arena.text.emitted.layout
        past = self.arena.text.past
        best = reached[0]
        most = -1
        if (field := layout.extra.get("past")) is None or not past:
            return best
        for node in reached:
            words = self.arena.words(node)
            if words is not None and (so := (field.code_in(words) & past).bit_count()) > most:
                best = node
                most = so
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
        """Return the way from *start* to a near node, and round from there. If *calm*, the loop is
        free of acts that are assumed to happen only finitely often.
        """
        ways = {start: list[int]()}
        queue = [start]
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
        came = dict[int, int]()
        queue = [start]
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
        met = dict[int, int]()
        way = list[int]()
        while node not in met:
            met[node] = len(way)
            way.append(self._edges(node)[0])
            node = self.won.leads.numbers[way[-1]]
        return way[: met[node]], way[met[node] :]

    def _arena_play(self, edges: list[int], before_loop: int | None) -> ArenaPlay:
        """Return the play along *edges*, of which the first *before_loop* lie before its loop, if
        it has one.
        """
        way = list[Words]()
        labels = list[int]()
        loop = None
        for number, edge in enumerate(edges):
            words = self.arena.words(self.arena.targets.numbers[edge])
            label = self.arena.label(edge)
            if words is not None and (label or not way):  # what leaves a twin has no label
                way.append(words)
                labels.append(label)
            if before_loop is not None and number + 1 == before_loop:
                loop = len(way) - 1
        return ArenaPlay(tuple(way), tuple(labels), loop)
