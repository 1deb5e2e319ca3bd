"""Solving: who wins from each node of a parity game, by which edges, and the plays that show it.

Zielonka, "Infinite games on finitely coloured graphs with applications to automata on infinite
trees" (TCS 1998): the nodes from which one side can force a visit to the greatest priority are set
aside, and the rest is solved. If the other side wins somewhere there, all nodes from which it can
force a visit to these are its own. Priorities are few, so the recursion is shallow.

Plays of a solved game: one on which a side does what wins for it, to its end or round its loop.

The other side may do anything. The play told is a shortest one; if there is one that keeps the
assumptions on who acts only finitely often, it is such a play. Against a coalition it shows how the
others break what is to hold always, if they do: from then on the coalition wins only if they act
for ever, which they need not. Else the coalition comes as far as it can: to where most of what a
goal asks of the past is so.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import compress, count

from ...models.frozen import frozen
from ..types.budget import Meter
from ..types.graphs import Edges
from ..types.position import Trace
from .arena import CHECK_EVERY, FIRST, LOST, WON, Arena
from .objective import ASSUMED, BROKEN

_Next = Callable[[int], Iterator[int]]


def play_of(arena: Arena, solution: Solution, meter: Meter, *, ours: bool) -> Trace:
    """Return a play that the coalition wins if it is *ours*, else the others; they win from the
    start as *solution* says.
    """
    looks = count()

    def edges(node: int) -> Iterator[int]:
        """Yield the edges that may be taken: of the side that wins the one it has chosen."""
        if next(looks) % CHECK_EVERY == 0:
            meter.check(1, len(arena.ways), len(arena.target))
        chosen = solution.edge[node] if bool(arena.ours[node]) == ours else -1
        for edge in arena.edges(node) if chosen < 0 else (chosen,):
            if arena.target[edge] >= FIRST or arena.target[edge] == (WON if ours else LOST):
                yield edge

    ways = _ways(arena, edges)
    if (
        not ours
        and (broken := next((node for node in ways if _is_broken(arena, node)), None)) is not None
    ):
        return _trace_along(arena, _back(arena, ways, broken), None)
    ended = next((node for node in ways if node == (WON if ours else LOST)), None)
    if ended is not None:
        return _trace_along(arena, _back(arena, ways, ended), None)
    far = FIRST if ours else _farthest(arena, ways)
    before, onward = _back(arena, ways, far), ways if far == FIRST else _ways(arena, edges, far)
    lasso = _lasso(arena, onward, edges, calm=True) or _lasso(arena, onward, edges, calm=False)
    if lasso is None:  # from there it comes to an end
        before = []
        lasso = _lasso(arena, ways, edges, calm=True) or _lasso(arena, ways, edges, calm=False)
    assert lasso is not None  # the winner does so at an end or by going round
    way, loop = lasso
    return _trace_along(arena, [*before, *way, *loop], len(before) + len(way))


def _is_broken(arena: Arena, node: int) -> bool:
    """Whether what is to hold always has been broken by the time of *node*."""
    return node >= FIRST and arena.objective.memories[arena.memory[node]] == BROKEN


def _farthest(arena: Arena, ways: dict[int, int]) -> int:
    """Return the nearest node of *ways* at which most is remembered as true of what a goal asks of
    the past.
    """
    objective = arena.objective
    places = [place for place, _ in objective.past()]
    true = {
        memory: sum(objective.remembers(memory, *place) for place in places)
        for memory in {arena.memory[node] for node in ways}
    }
    return max((node for node in ways if node >= FIRST), key=lambda node: true[arena.memory[node]])


def _ways(arena: Arena, edges: _Next, start: int = FIRST, *, calm: bool = False) -> dict[int, int]:
    """Return the nodes that can be reached from *start*, nearest first, each with an edge to it.

    If *calm*, those do not act who are assumed to act only finitely often.
    """
    ways, queue = {start: -1}, [start]
    for node in queue:
        for edge in edges(node):
            target = arena.target[edge]
            if target not in ways and not (calm and arena.priority[target] == ASSUMED):
                ways[target] = edge
                queue.append(target)
    return ways


def _lasso(
    arena: Arena, ways: dict[int, int], edges: _Next, *, calm: bool
) -> tuple[list[int], list[int]] | None:
    """Return the edges of a way to a node and from there round to it."""
    for node in _on_loops(arena, ways, edges, calm=calm):
        around = _ways(arena, edges, node, calm=calm)
        closing = next(
            (edge for other in around for edge in edges(other) if arena.target[edge] == node), None
        )
        if closing is not None and not (calm and arena.priority[node] == ASSUMED):
            return _back(arena, ways, node), [*_back(arena, around, arena.source(closing)), closing]
    return None


def _on_loops(arena: Arena, ways: dict[int, int], edges: _Next, *, calm: bool) -> list[int]:
    """Return the nodes of *ways* on loops, nearest first: those that are left when nodes without a
    way on, or back, are taken away.
    """
    left = {
        node for node in ways if node >= FIRST and not (calm and arena.priority[node] == ASSUMED)
    }
    before = -1
    while len(left) != before:
        before = len(left)
        left = {node for node in left if any(arena.target[edge] in left for edge in edges(node))}
        reached = {arena.target[edge] for node in left for edge in edges(node)}
        left &= reached
    return [node for node in ways if node in left]


def _back(arena: Arena, ways: dict[int, int], node: int) -> list[int]:
    """Return the edges by which *ways* lead to *node*."""
    found = []
    while ways[node] >= 0:
        found.append(ways[node])
        node = arena.source(ways[node])
    return found[::-1]


def _trace_along(arena: Arena, edges: list[int], before_loop: int | None) -> Trace:
    """Return the play along *edges*; it goes round from the edge after the first *before_loop*,
    unless that is None.
    """
    objective = arena.objective
    moves = [arena.edge[edge] for edge in edges if arena.edge[edge] >= 0]
    trace = objective.signals.graph.trace(moves)
    loop = (
        None if before_loop is None else sum(arena.edge[edge] >= 0 for edge in edges[:before_loop])
    )
    return Trace(trace.initial, trace.steps, tuple(objective.seats.items()), loop=loop)


@frozen
class Solution:
    """Whether the even side wins from each node (*even*, a byte each), and a winning *edge* of each
    node of the side that wins there.

    Of the nodes of the other side the edge means nothing.
    """

    even: bytearray
    edge: array[int]


def solve(
    owner: bytearray, priority: bytearray, edges: Edges, diverted: Mapping[int, int] | None = None
) -> Solution:
    """Return who wins, even if the greatest *priority* that comes again and again is even.

    Node *n* belongs to even where ``owner[n]`` is 1, and has an edge at least. The edges *diverted*
    lead elsewhere than they did.
    """
    game = _Game(owner, priority, edges, diverted or {})
    game.solve(bytearray(b"\1") * len(owner))
    return Solution(game.even, game.edge)


class _Game:
    def __init__(
        self, owner: bytearray, priority: bytearray, edges: Edges, diverted: Mapping[int, int]
    ) -> None:
        self.owner = owner
        self.priority = priority
        self.first = edges.first
        self.target = edges.target[:]
        self.even, self.edge = bytearray(len(owner)), array("q", [-1]) * len(owner)
        self._edges = edges
        self._diverted: dict[int, list[int]] = {}
        for edge, node in diverted.items():
            if self.target[edge] != node:
                self.target[edge] = node
                self._diverted.setdefault(node, []).append(edge)

    def solve(self, inside: bytearray) -> None:
        """Fill *even* and *edge* for the nodes *inside*, from none of which there is no way on
        inside.
        """
        inside = bytearray(inside)
        while True:
            nodes = list(compress(range(len(inside)), inside))
            if not nodes:
                return
            greatest = max(compress(self.priority, inside))
            side = 1 - greatest % 2
            drawn = self._attracted(
                [node for node in nodes if self.priority[node] == greatest], side, inside
            )
            rest = bytearray(inside)
            for node in drawn:
                rest[node] = 0
            self.solve(rest)
            lost = [node for node in nodes if rest[node] and self.even[node] != side]
            if not lost:
                self._take_all(nodes, drawn, greatest, side, inside)
                return
            for node in self._attracted(lost, 1 - side, inside):
                self.even[node], inside[node] = 1 - side, 0

    def _take_all(
        self, nodes: list[int], drawn: Iterable[int], greatest: int, side: int, inside: bytearray
    ) -> None:
        """Give all of *nodes* to *side*, which may do as it likes where the *greatest* priority
        is.
        """
        for node in nodes:
            self.even[node] = side
        for node in drawn:
            if self.priority[node] == greatest and self.owner[node] == side:
                self.edge[node] = next(
                    e
                    for e in range(self.first[node], self.first[node + 1])
                    if inside[self.target[e]]
                )

    def _attracted(self, goal: list[int], side: int, inside: bytearray) -> list[int]:
        """Return the nodes *inside* from which *side* can force a visit to *goal*, and note by
        which edges.
        """
        found, left, free = list(goal), dict[int, int](), bytearray(inside)
        owner = self.owner
        source = self._edges.source
        target = self.target
        first = self.first
        for node in goal:
            free[node] = 0
        for node in found:
            coming = self._edges.into(node)
            for edge in (*coming, *self._diverted[node]) if node in self._diverted else coming:
                at = source[edge]
                if not free[at] or target[edge] != node:
                    continue
                if owner[at] == side:
                    self.edge[at] = edge
                else:
                    if at not in left:
                        left[at] = sum(map(inside.__getitem__, target[first[at] : first[at + 1]]))
                    left[at] -= 1
                    if left[at]:
                        continue
                free[at] = 0
                found.append(at)
        return found
