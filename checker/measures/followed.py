"""Followed items: every item on the stack from the move that puts it there to its resolution, in
all plays at once.

In comes a graph, out go states: a position with the place of one item, which is on a zone of the
stack. A way through them starts with a move that puts the item there, and ends (`ways.END`) when it
resolves; if it leaves the stack in another way it is not followed any more.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass, field

from ..reference.lasso import acts
from ..reference.semantics.events import follow
from ..reference.semantics.graph import Graph
from ..types.budget import Meter
from ..types.position import Move
from .ways import END, Start, WeighedWay, WeightedGraph

_Place = tuple[int, int]
RESOLVED: _Place = (-1, -1)
_CHECK_EVERY = 4096


@dataclass
class FollowedItems:
    """The states of items that are on the stack, and the edges between them.

    *position* and *place* say where each state is, *edge* which edge of the graph an edge here is,
    *passes* how many passes it has while the item is on the stack. *begun* has for each start the
    edge of the graph and the number of its event that puts the item there.
    """

    graph: Graph
    states: WeightedGraph = field(default_factory=WeightedGraph)
    position: array[int] = field(default_factory=lambda: array("l", [-1]))
    place: list[_Place] = field(default_factory=lambda: [RESOLVED])
    edge: array[int] = field(default_factory=lambda: array("l"))
    passes: array[int] = field(default_factory=lambda: array("l"))
    begun: list[tuple[int, int]] = field(default_factory=list)
    passes_begun: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        program = self.graph.interpreter.program
        names = [zone.name for zone in program.zones]
        self.zones = {names.index(zone.name) for zone in program.zones_tagged("stack")}
        self._numbers: dict[tuple[int, _Place], int] = {}
        self._after: dict[tuple[int, _Place], tuple[_Place | None, int]] = {}

    def follow_all(self, meter: Meter) -> None:
        """Find all states that are reached."""
        graph, states = self.graph, self.states
        depth = _depths(graph)
        new = [self._new_items(move) for move in graph.moves]
        for position in range(graph.expanded):
            for edge in graph.edges(position):
                for event, place, passes in new[graph.label[edge]]:
                    state = self._state(graph.target[edge], place)
                    states.starts.append(Start(state, 0, depth[position] + 1))
                    self.begun.append((edge, event))
                    self.passes_begun.append(passes)
        number = 1
        while number < len(self.place):
            if number % _CHECK_EVERY == 0:
                meter.check(1, len(self.place), len(states.target))
            position = self.position[number]
            for edge in graph.edges(position) if position < graph.expanded else ():
                after, passes = self._moved(graph.label[edge], self.place[number])
                if after is not None:
                    states.target.append(self._state(graph.target[edge], after))
                    self.edge.append(edge)
                    self.passes.append(passes)
            states.first.append(len(states.target))
            number += 1

    def weighted(
        self, weights: array[int], begun: list[int], may_take: Callable[[int], bool] | None = None
    ) -> WeightedGraph:
        """Return the states with these *weights* of edges, and of what has *begun*; only with
        labels that a way *may_take*, if given.
        """
        states = self.states
        starts = [
            start._replace(weight=weight)
            for start, weight in zip(states.starts, begun, strict=True)
        ]
        if may_take is not None:
            return WeightedGraph(*self._restricted(weights, may_take), starts)
        return WeightedGraph(states.first, states.target, weights, starts)

    def _restricted(
        self, weights: array[int], may_take: Callable[[int], bool]
    ) -> tuple[array[int], array[int], array[int]]:
        """Return the states with edges that may not be taken turned into loops that weigh nothing,
        so that edges keep their numbers.
        """
        states, label = self.states, self.graph.label
        target, weights = states.target[:], weights[:]
        allowed = [may_take(number) for number in range(len(self.graph.moves))]
        for state in range(1, states.states):
            for edge in states.edges(state):
                if not allowed[label[self.edge[edge]]]:
                    target[edge], weights[edge] = state, 0
        return states.first, target, weights

    def moves_of(self, way: WeighedWay) -> tuple[list[int], int, int]:
        """Return the edges of the graph of a play that goes *way*, the moment at which the item is
        put on the stack, and by which event.
        """
        edge, event = self.begun[way.start]
        before = self.graph.way_to(self.graph.source(edge))
        return [*before, edge, *(self.edge[one] for one in way.edges)], len(before) + 1, event

    # ------------------------------------------------------------------ one item

    def _state(self, position: int, place: _Place) -> int:
        if place == RESOLVED:
            return END
        key = position, place
        state = self._numbers.get(key)
        if state is None:
            state = self._numbers[key] = len(self.place)
            self.position.append(position)
            self.place.append(place)
        return state

    def _new_items(self, move: Move) -> list[tuple[int, _Place, int]]:
        """Return the items that *move* puts on the stack: by which event, where each is after the
        move, and how many passes follow.
        """
        found = []
        for number, event in enumerate(move.events):
            zone, at = (
                (event.to_zone, event.to_at) if event.kind == "move" else (event.zone, event.at)
            )
            is_new = event.kind == "put" or (event.kind == "move" and event.zone not in self.zones)
            if is_new and zone in self.zones:
                place, passes = self._carried(move, number + 1, (zone, at))
                if place is not None:
                    found.append((number, place, passes))
        return found

    def _moved(self, label: int, place: _Place) -> tuple[_Place | None, int]:
        known = self._after.get((label, place))
        if known is None:
            known = self._after[label, place] = self._carried(self.graph.moves[label], 0, place)
        return known

    def _carried(self, move: Move, first: int, place: _Place) -> tuple[_Place | None, int]:
        """Return where an item at *place* is after the events of *move* from number *first* on, and
        how many passes there are in them.
        """
        passes = 0
        for event in move.events[first:]:
            passes += event.kind == "passes"
            if event.kind == "resolves" and place == (event.zone, event.at):
                return RESOLVED, passes
            after = follow(place, event)
            if after is None or after[0] not in self.zones:
                return None, passes
            place = after
        return place, passes


def is_calm(graph: Graph, label: int) -> bool:
    """Whether nobody does anything but pass in the moves of *label*: neither players nor cards."""
    move = graph.moves[label]
    return not (acts("players", move, graph.interpreter) or acts("cards", move, graph.interpreter))


def _depths(graph: Graph) -> array[int]:
    """Return how many moves lead to each position at least."""
    depths = array("l", [0]) * len(graph.positions)
    ends = [*graph.layers[1:], len(graph.positions)]
    for depth, (start, end) in enumerate(zip(graph.layers, ends, strict=True)):
        for position in range(start, end):
            depths[position] = depth
    return depths
