"""Solving an arena: who wins from each node, and by which edges, all of it on arrays.

Zielonka's algorithm as in `strategies.solve`; a number for each node says in how many of the games
within games it still is, so no game is copied. Each game takes a few passes over nodes and edges,
and one attraction for each set of nodes that one side can hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ....models.frozen import frozen
from ..emit import game
from ..native.memory import Memory
from . import passes
from .arena import PackedArena
from .passes import CUT, OURS, WITHIN_OURS

_EVEN, _ODD, _ALL = 1 << 2 | 1 << 4, 1 << 1 | 1 << 3, (1 << 16) - 1
"""The even priorities that a node may have, and the odd ones, as sets; and what a set has room
for.
"""
_STEPS = 1 << 16
"""How many nodes are looked at between two looks at the meter."""


@frozen
class Won:
    """Who *wins* from each node, 1 the coalition, where each node of the winner *chooses* to go,
    and where edges *lead*.
    """

    wins: Memory
    chooses: Memory
    leads: Memory


class Solving:
    """Solves one *arena* for several questions; *look* is called now and then, and may raise."""

    def __init__(self, arena: PackedArena, look: Callable[[], None]) -> None:
        self.arena = arena
        self.look = look
        self.number = arena.node_count
        self.edges = arena.edges
        self._cut = self._memory("what the scope cuts")
        if arena.tally.numbers[passes.CUTS]:
            self._find_cut()
        self._decided = dict(self._decided_at_once())
        self._edges = dict[bool, _Edges]()
        self._won = dict[tuple[bool, bool], Won]()
        self._hoped = list[Won]()

    def won(self, *, beyond: bool, empty: bool = False) -> Won:
        """Return who wins if to go *beyond* the scope is won, or lost; if *empty* in the game in
        which nothing at all can be enforced.
        """
        beyond = beyond and bool(
            self.arena.tally.numbers[passes.CUTS]
        )  # where nothing is cut it is all the same
        if (beyond, empty) not in self._won:
            if empty not in self._edges:
                self._edges[empty] = self._led(self._cut, empty=empty)
            self._won[beyond, empty] = _Game(
                self, self._edges[empty], beyond=beyond, empty=empty
            ).solved()
        return self._won[beyond, empty]

    def hoped(self) -> Won:
        """Return who wins if the coalition wins on every way that the scope cuts, even if the
        others choose it. With more room only those can win who win here.
        """
        if not self.arena.tally.numbers[passes.CUTS]:
            return self.won(beyond=False)
        if not self._hoped:
            uncut = self._memory("nothing is cut")
            led = self._led(uncut, hopes=True)
            self._hoped.append(_Game(self, led, beyond=True, empty=False).solved())
            self.arena.room.give_back(uncut)
        return self._hoped[0]

    def _led(self, cut: Memory, *, empty: bool = False, hopes: bool = False) -> _Edges:
        """Return where edges lead where *cut* says what the scope cuts, and if it *hopes* that is
        won; if *empty* in the game in which nothing at all can be enforced.
        """
        leads = self.arena.room.take(self.edges, "where edges lead")
        given: dict[str, Memory | int] = {"leads": leads, "levels": cut, "empty": int(empty)}
        for function in ("derive", "hope") if hopes else ("derive",):
            self.arena.call(function, **given, at=0, stop=self.edges)
        for edge, end in self._decided.items() if not empty else ():
            leads.numbers[edge] = end
        return self._turned(leads)

    def _turned(self, leads: Memory) -> _Edges:
        """Return the edges that lead to *leads*."""
        begins = self._memory("edges", 2)
        calls = self.arena.room.take(self.edges, "edges")
        led = _Edges(leads, begins, calls)
        self.arena.call("turn", **vars(led), number=self.number, edges=self.edges, whole=0)
        return led

    def is_beyond(self, entry: int) -> bool:
        """Whether every play from *entry* goes beyond the scope, and nothing is decided before."""
        return bool(self._cut.numbers[entry]) and self.arena.starts[entry] not in self._decided

    def _decided_at_once(self) -> Iterator[tuple[int, int]]:
        """Yield the edges to positions in which plays begin and are decided at once, and how. What
        comes after changes nothing, not even beyond the scope.
        """
        for edge in self.arena.starts.values():
            said = self.arena.nodes.numbers[self.arena.targets.numbers[edge]] >> passes.WHOSE_BITS
            if said & (game.LOST | game.WON):
                yield edge, passes.LOST if said & game.LOST else passes.WON

    def _memory(self, what: str, more: int = 0) -> Memory:
        return self.arena.room.take(self.number + more, what)

    def _find_cut(self) -> None:
        """Mark from where all is cut, or in a move of the coalition one way of others
        (NOTE(cut-branch) in `strategies.forks`).
        """
        edges = self._turned(self.arena.targets)
        game = _Game(self, edges, beyond=False, empty=False)
        unused = game.stamps
        game.stamps = self._cut
        game.following.numbers[0] = CUT
        game.stamps.numbers[CUT] = 1
        game.attract(0, 1, 1, WITHIN_OURS, forcing=1)
        game.stamps = unused
        for memory in (edges.begins, edges.calls, game.winners, game.choices):
            self.arena.room.give_back(memory)
        game.give_back()


@frozen
class _Edges:
    """Where each edge *leads*, and for each node from where: from ``calls[begins[node]]`` on, up to
    that of the next.
    """

    leads: Memory
    begins: Memory
    calls: Memory


class _Game:
    """One game; the functions of its text are given what is called here as there."""

    def __init__(self, solving: Solving, led: _Edges, *, beyond: bool, empty: bool) -> None:
        self.solving = solving
        self.arena = solving.arena
        self.leads = led.leads
        self.begins = led.begins
        self.calls = led.calls
        self.number = solving.number
        self.edges = solving.edges
        self.winners, self.choices, self.priorities, self.levels = (
            self._memory() for _ in range(4)
        )
        self.numbers, self.stamps, self.following = (self._memory() for _ in range(3))
        self._call("prioritize", empty=int(empty))
        self.priorities.numbers[passes.BEYOND] = 2 if beyond else 1
        self.priorities.numbers[passes.WON] = 2
        self.last_stamp = 0

    def _memory(self) -> Memory:
        return self.arena.room.take(self.number, "who wins")

    def _call(self, function: str, **given: int) -> int:
        return self.arena.call(function, **{**vars(self), **given})

    def give_back(self) -> None:
        """Give back what only solving needs."""
        for memory in (self.priorities, self.levels, self.numbers, self.stamps, self.following):
            self.arena.room.give_back(memory)

    def solved(self) -> Won:
        """Return who wins."""
        self.choices.view(0, self.number)[:] = b"\xff" * (8 * self.number)
        present = self._call("present")
        if not present & _EVEN or not present & _ODD:
            self._hold(int(not present & _ODD))
        else:
            self._of_nodes("descend", 0, 1, 0)
            self._solve(1)
        self.give_back()
        return Won(self.winners, self.choices, self.leads)

    def _hold(self, side: int) -> None:
        """Find who wins where *side* wins every play that does not come to an end: the other one
        has to force an end that it wins.
        """
        ends = [end for end in range(passes.FIRST_NODE) if self.priorities.numbers[end] % 2 == side]
        stamp = self._next()
        for number, end in enumerate(ends):
            self.following.numbers[number] = end
            self.stamps.numbers[end] = stamp
        self.attract(0, len(ends), stamp, OURS, forcing=1 - side)
        self._of_nodes("remove", 0, 0, side)
        self._of_nodes("remove", -1, stamp, 1 - side)
        self._keep(-1, -1, side)

    def _keep(self, level: int, priorities: int, side: int) -> None:
        """Note for *side* any way to a node inside, from those nodes inside whose priority is in
        the set *priorities*.
        """
        self._call("keep", level=level, sided=(priorities << 1 | side) & _ALL)

    def _solve(self, level: int) -> None:
        """Find who wins from the nodes of that *level* and above, which are those inside; none is
        when it is done.
        """
        while (priority := self._call("greatest", level=level)) >= 0:
            side = 1 - priority % 2
            stamp = self._next()
            top = self._call("selected", level=level, priority=priority, stamp=stamp)
            self.attract(level, top, stamp, OURS, forcing=side)
            if self._of_nodes("descend", level, stamp, side):
                self._solve(level + 1)
            stamp = self._next()
            top = self._call("lost", level=level, side=side, stamp=stamp)
            if not top:
                self._keep(level, 1 << priority, side)
                self._of_nodes("remove", level, 0, side)
                return
            self.attract(level, top, stamp, OURS, forcing=1 - side)
            self._of_nodes("remove", level, stamp, 1 - side)

    def attract(self, level: int, top: int, stamp: int, whose: int, *, forcing: int) -> None:
        """Stamp the nodes inside from which a visit to the *top* first of the queue can be forced,
        and note by going where.

        It is forced by those nodes that are *whose* if *forcing* is 1, by the others if it is 0.
        """
        cells = self.arena.tally.numbers
        self._call("prepare", level=level, stamp=stamp, whose=whose, forcing=forcing)
        cells[passes.HEAD] = 0
        cells[passes.TOP] = top
        while self._call("attract", stamp=stamp, steps=_STEPS):
            self.solving.look()
        self.solving.look()

    def _of_nodes(self, function: str, level: int, stamp: int, side: int) -> int:
        return self._call(function, level=level, stamped=stamp << 1 | side)

    def _next(self) -> int:
        self.last_stamp += 1
        return self.last_stamp
