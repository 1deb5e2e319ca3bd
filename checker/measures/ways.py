"""Ways: the least and the most that a way through a graph can weigh.

In comes a graph with weighted edges and the states in which a way may start; out goes a way to the
end that weighs least, or most. Where a loop on the way weighs something there is no most, and the
way goes round it once.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import NamedTuple

from ...models.frozen import frozen
from ...models.options.configure import reached
from ..types.budget import Meter
from ..types.graphs import Edges

END = 0
"""The state in which every way ends."""
_CHECK_EVERY = 4096


class Start(NamedTuple):
    """A way may start in *state*, and weighs so much by then; to come there takes *moves*."""

    state: int
    weight: int
    moves: int


@dataclass
class WeightedGraph:
    """States with weighted edges: those of state *n* are ``first[n]`` to ``first[n + 1]``; the
    first state is `END`.
    """

    first: array[int] = field(default_factory=lambda: array("q", [0, 0]))
    target: array[int] = field(default_factory=lambda: array("l"))
    weight: array[int] = field(default_factory=lambda: array("l"))
    starts: list[Start] = field(default_factory=list)

    @property
    def states(self) -> int:
        """How many there are."""
        return len(self.first) - 1

    def edges(self, state: int) -> range:
        """Return the numbers of the edges of *state*."""
        return range(self.first[state], self.first[state + 1])


@frozen
class WeighedWay:
    """A way to the end: the number of its *start*, its *edges*, and what it weighs.

    With *again* the edges from number ``again[0]`` up to ``again[1]`` can be gone again and again,
    and weigh something each time.
    """

    start: int
    edges: tuple[int, ...]
    weight: int
    again: tuple[int, int] | None = None


def lightest(graph: WeightedGraph, meter: Meter) -> WeighedWay | None:
    """Return a way that weighs least, and of those a shortest; None if none comes to the end."""
    heap: list[tuple[int, int, int, int]] = []
    for number, start in enumerate(graph.starts):
        heappush(heap, (start.weight, start.moves, start.state, -1 - number))
    came: dict[int, int] = {}
    sources = Edges(graph.first, graph.target).source
    while heap:
        weight, moves, state, by = heappop(heap)
        if state in came:
            continue
        came[state] = by
        if len(came) % _CHECK_EVERY == 0:
            meter.check(1, len(came), len(heap))
        if state == END:
            edges = list[int]()
            while by >= 0:
                edges.append(by)
                by = came[sources[by]]
            return WeighedWay(-1 - by, tuple(reversed(edges)), weight)
        for edge in graph.edges(state):
            if graph.target[edge] not in came:
                heappush(heap, (weight + graph.weight[edge], moves + 1, graph.target[edge], edge))
    return None


def heaviest(graph: WeightedGraph, meter: Meter) -> WeighedWay | None:
    """Return a way that weighs most, or that goes round a loop that weighs something; None if none
    comes to the end.
    """
    return _Heaviest(graph, meter).find()


class _Heaviest:
    """Loops are looked for among the states from which a way comes to the end, by strongly
    connected component.

    networkx finds them as Tarjan does, each after all that it leads to: so what is heaviest from
    there is known.
    """

    def __init__(self, graph: WeightedGraph, meter: Meter) -> None:
        self.graph, self.meter = graph, meter
        edges = Edges(graph.first, graph.target)
        self.sources = edges.source
        self.ending = reached([END], lambda state: map(self.sources.__getitem__, edges.into(state)))
        self.part = array("l", [-1]) * graph.states
        self.parts: list[list[int]] = []
        self._find_parts()

    def find(self) -> WeighedWay | None:
        """Return the way."""
        starts = [
            (start, number)
            for number, start in enumerate(self.graph.starts)
            if start.state in self.ending
        ]
        if not starts:
            return None
        if (way := self._around(starts)) is not None:
            return way
        best = self._best()
        (state, weight, _), number = max(
            starts,
            key=lambda one: (one[0].weight + best[self.part[one[0].state]][0], -one[0].moves),
        )
        edges = list[int]()
        while state != END:
            part = self.part[state]
            edge = best[part][1]
            inside = self._shortest_within(part, state, self.sources[edge])
            edges += [*inside, edge]
            state = self.graph.target[edge]
        return WeighedWay(
            number, tuple(edges), weight + sum(self.graph.weight[edge] for edge in edges)
        )

    def _onward(self, state: int) -> Iterable[int]:
        return (edge for edge in self.graph.edges(state) if self.graph.target[edge] in self.ending)

    def _in(self, edge: int, part: int) -> bool:
        return self.part[self.graph.target[edge]] == part

    def _find_parts(self) -> None:
        """Find the strongly connected components of the states from which a way ends, those first
        that the others lead to.
        """
        import networkx as nx  # noqa: PLC0415 - not quick to import

        found: nx.DiGraph[int] = nx.DiGraph()
        for state in range(self.graph.states):
            if state % _CHECK_EVERY == 0:
                self.meter.check(1, state, len(self.graph.target))
            if state in self.ending:
                found.add_node(state)
                found.add_edges_from(
                    (state, self.graph.target[edge]) for edge in self._onward(state)
                )
        for number, states in enumerate(nx.strongly_connected_components(found)):
            self.parts.append(sorted(states))
            for state in states:
                self.part[state] = number

    def _best(self) -> list[tuple[int, int]]:
        """Return the most that a way can weigh from each component, and the edge by which it leaves
        that; no loop weighs anything.
        """
        best: list[tuple[int, int]] = []
        for number, states in enumerate(self.parts):
            if states == [END]:
                best.append((0, -1))
                continue
            leaving = (
                (edge, self.part[self.graph.target[edge]])
                for state in states
                for edge in self._onward(state)
            )
            ways = (
                ((self.graph.weight[edge] + best[after][0]), edge)
                for edge, after in leaving
                if after != number
            )
            best.append(max(ways, key=lambda way: way[0]))
        return best

    def _around(self, starts: list[tuple[Start, int]]) -> WeighedWay | None:
        """Return a way from one of the *starts* once round a loop that weighs something, and to the
        end; None if there is no such loop.
        """
        heavy = self._heavy()
        began = {
            start.state: (number, start.weight)
            for start, number in sorted(starts, key=lambda one: -one[0].moves)
        }
        first = sorted(began, key=lambda state: self.graph.starts[began[state][0]].moves)
        stem = self._way(first, heavy.__contains__, lambda _: True) if heavy else None
        if stem is None:
            return None
        turning, edges = stem
        number, weight = began[self.sources[edges[0]] if edges else turning]
        part, loop_edge = self.part[turning], heavy[turning]
        back = self._shortest_within(part, self.graph.target[loop_edge], turning)
        rest = self._way([turning], lambda other: other == END, lambda _: True)
        assert rest is not None
        way = (*edges, loop_edge, *back, *rest[1])
        again = len(edges), len(edges) + 1 + len(back)
        return WeighedWay(number, way, weight + sum(self.graph.weight[edge] for edge in way), again)

    def _heavy(self) -> dict[int, int]:
        """Return the states from which an edge that weighs something goes on in a loop, each with
        such an edge.
        """
        return {
            state: edge
            for number, states in enumerate(self.parts)
            for state in states
            for edge in self._onward(state)
            if self.graph.weight[edge] and self._in(edge, number)
        }

    def _shortest_within(self, part: int, state: int, to: int) -> list[int]:
        """Return the edges of a shortest way from *state* to another of the same component."""
        way = self._way([state], lambda other: other == to, lambda edge: self._in(edge, part))
        assert way is not None
        return way[1]

    def _way(
        self, first: list[int], is_goal: Callable[[int], bool], may_take: Callable[[int], bool]
    ) -> tuple[int, list[int]] | None:
        """Return the goal that is nearest to one of the *first* states, and the edges of a way
        there; None if there is none.
        """
        came, queue = dict.fromkeys(first, -1), list(first)
        for one in queue:
            if is_goal(one):
                goal, edges = one, list[int]()
                while (edge := came[one]) >= 0:
                    edges.append(edge)
                    one = self.sources[edge]
                return goal, edges[::-1]
            for edge in self._onward(one):
                after = self.graph.target[edge]
                if after not in came and may_take(edge):
                    came[after] = edge
                    queue.append(after)
        return None
