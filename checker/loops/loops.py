"""The loops of a turn: which clauses keep one going, the smallest such sets, and what leaves them.

A loop is a stretch of play between two ends of turns that comes back to the position in which it
began. It uses its clauses, and `CARDS` if the cards do something in it. Of the sets that loops use,
only those without a smaller one in them are told.

Minimal sets: what a graph's loops use at least.

Nodes are taken out one after the other, as states are when an automaton becomes a regular
expression (Brzozowski and McCluskey, "Signal flow graph techniques for sequential circuit state
diagrams", 1963). An edge has not an expression but the smallest sets that a way along it can use;
two edges through the node that goes become one, their sets joined. A way back to where it began is
a loop. A way that uses all that some loop uses is forgotten, for it is part of none of the smallest
loops.

Leaving: by which moves players, the rules or the cards get out of a loop, to where the turn can
end.

What the cards might do besides is not looked at here: players in a loop cannot count on it. A move
that the scope cuts may lead out of the loop: where it leads is not known.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Literal, TypeAlias, get_args

from ...models.frozen import frozen
from ...models.ir import Program
from ...models.options.configure import reached
from ...models.syntax import NamedSizes
from ..process.collector import collector_paused
from ..reference.lasso import acts
from ..reference.semantics.explore import Graph, explore
from ..reference.semantics.interpreter import Interpreter
from ..replay.replay import ReplayError, replay
from ..types.budget import INTERRUPTED, Budget, BudgetSpentError, Meter, OnProgress, nobody
from ..types.engine import need_finished
from ..types.graphs import shortest_way
from ..types.position import OVER, Move, Trace
from ..types.scope import Scope
from ..types.verdict import Counts
from .progress import CARDS, Growing, Stretches, find_growing

MOST_UNIONS = 2_000_000
"""How many ways are joined at most: not seconds, so that the answer does not depend on the
machine.
"""
TOO_MANY = f"the bound of {MOST_UNIONS:,} joined ways was reached"


def minimal_sets(
    edges: Mapping[int, Mapping[int, set[int]]], meter: Meter
) -> tuple[list[int], str]:
    """Return the smallest sets that a loop of *edges* can use, by source and target, and why there
    may be more; empty if there are not.

    If there may be more, each is the set of a loop all the same.
    """
    elimination = _Elimination(edges, meter)
    try:
        elimination.eliminate()
    except BudgetSpentError as spent:
        return elimination.found, str(spent)
    return elimination.found, ""


class _Elimination:
    """The graph as far as it is left, and the *found* sets."""

    def __init__(self, edges: Mapping[int, Mapping[int, set[int]]], meter: Meter) -> None:
        self.found: list[int] = []
        self._meter, self._unions = meter, 0
        self._after: dict[int, dict[int, list[int]]] = {}
        self._before: dict[int, set[int]] = {}
        for source, targets in edges.items():
            for target, uses in targets.items():
                for use in sorted(uses):
                    self._add(source, target, use)

    def eliminate(self) -> None:
        """Take out every node, those first that few ways lead through."""
        queue = [(self._cost(node), node) for node in self._after.keys() | self._before.keys()]
        heapq.heapify(queue)
        left = {node for _, node in queue}
        while queue:
            cost, node = heapq.heappop(queue)
            if node not in left:
                continue
            if cost != self._cost(node):
                heapq.heappush(queue, (self._cost(node), node))
                continue
            left.discard(node)
            self._take_out(node)

    def _cost(self, node: int) -> int:
        return len(self._before.get(node, ())) * len(self._after.get(node, ()))

    def _take_out(self, node: int) -> None:
        after, before = self._after.pop(node, {}), self._before.pop(node, set())
        for target in after:
            self._before[target].discard(node)
        for source in sorted(before):
            first = self._after[source].pop(node)
            for target, second in after.items():
                self._meter.check(0, len(self._after), self._unions)
                for one in first:
                    for other in second:
                        self._add(source, target, one | other)

    def _add(self, source: int, target: int, use: int) -> None:
        """Add a way that uses *use*, unless another says as much."""
        self._unions += 1
        if self._unions > MOST_UNIONS:
            raise BudgetSpentError(TOO_MANY)
        if any(known & use == known for known in self.found):
            return
        if source == target:
            self.found = [*(known for known in self.found if known & use != use), use]
            return
        cell = self._after.setdefault(source, {}).setdefault(target, [])
        self._before.setdefault(target, set()).add(source)
        if not any(known & use == known for known in cell):
            cell[:] = [*(known for known in cell if known & use != use), use]


@frozen
class WayOut:
    """*who* decides on the move (a seat, the ``rules`` or the ``cards``), its *clause*, and whether
    it lies *beyond* the scope.
    """

    who: int | Literal["rules", "cards"]
    clause: str
    beyond: bool = False


class Exits:
    """The ways out of the loops of one graph."""

    def __init__(self, stretches: Stretches) -> None:
        self._stretches, self._graph = stretches, stretches.graph

    def out_of(self, component: set[int], within: int) -> set[WayOut]:
        """Return the ways out of a *component* whose moves use only what is *within*."""
        return {way for position in component for way in self._from(position, component, within)}

    def _from(self, position: int, component: set[int], within: int) -> Iterator[WayOut]:
        graph = self._graph
        inside = {
            edge
            for edge, _, target in self._stretches.moves_within(position, within)
            if target in component
        }
        for edge in graph.edges(position):
            label = graph.label[edge]
            gets_out = self._stretches.ends_turn[label] or graph.target[edge] not in self._trapped
            if edge not in inside and gets_out and not self._stretches.uses[label] & CARDS:
                move = graph.moves[label]
                yield WayOut(_decider(graph, move), move.clause)
        for move in _beyond(graph, position):
            yield WayOut(_decider(graph, move), move.clause, beyond=True)

    @cached_property
    def _trapped(self) -> set[int]:
        """The positions from which no play comes to the end of the turn, if the cards do
        nothing.
        """
        came = defaultdict[int, list[int]](list)
        out = []
        for position in range(len(self._graph.positions)):
            if self._gets_out(position):
                out.append(position)
            for _, use, target in self._stretches.moves_within(position):
                if not use & CARDS:
                    came[target].append(position)
        free, everywhere = reached(out, came.__getitem__), range(len(self._graph.positions))
        # A move beyond the scope is asked of the rules, which takes long: only where nothing else
        # leads out.
        beyond = [one for one in everywhere if one not in free and _beyond(self._graph, one)]
        free |= reached(beyond, came.__getitem__)
        return {one for one in everywhere if one not in free}

    def _gets_out(self, position: int) -> bool:
        """Whether the play ends in *position*, or the turn ends by its next move, or *position* was
        not expanded.
        """
        graph, stretches = self._graph, self._stretches
        if (
            position >= graph.expanded
            or graph.positions[position].stage == OVER
            or not graph.edges(position)
        ):
            return True
        labels = (graph.label[edge] for edge in graph.edges(position))
        return any(
            stretches.ends_turn[label] and not stretches.uses[label] & CARDS for label in labels
        )


def _beyond(graph: Graph, position: int) -> list[Move]:
    """Return the moves of *position* that only the scope cuts, and in which the cards do
    nothing.
    """
    inside = {(move, graph.positions[target]) for move, target in graph.successors(position)}
    return [
        move
        for move, target in graph.allowed(position)
        if (move, target) not in inside and not acts("cards", move, graph.interpreter)
    ]


def _decider(graph: Graph, move: Move) -> int | Literal["rules", "cards"]:
    """Return who decides that *move* is made: who may make it, or who chooses first in what the
    rules demand.
    """
    if graph.interpreter.clauses[move.clause].mode == "may":
        return move.owner
    return next(
        (choice.by for choice in move.choices if choice.by != "rules"),
        move.owner if move.owner == "cards" else "rules",
    )


LoopKind: TypeAlias = Literal["forced", "cards", "optional", "progress"]
"""What keeps a loop up: ``forced``, no player can leave it, if the cards do nothing; ``cards``,
they have to do something in every round; ``optional``, somebody can leave it. ``progress`` is no
loop: each round adds something (`progress`).
"""
EXPLORING = 0.5


_Ways = Mapping[int, Sequence[tuple[int, int]]]
"""For each node, what each of its edges uses, and where it leads: to a node."""


@frozen
class Loop:
    """One set of *clauses*, in the order of the round that *trace* ends with; in those *by_cards*
    the cards do something.

    *leaving* are the moves after which the loop need not go on. Of ``progress`` *more* says what
    each round adds.
    """

    kind: LoopKind
    clauses: tuple[str, ...]
    by_cards: tuple[str, ...]
    trace: Trace
    leaving: tuple[WayOut, ...] = ()
    more: NamedSizes = ()


@frozen
class FoundLoops:
    """What was found within *scope*.

    *stopped* says why there may be more loops, or smaller sets, and *growth_stopped* why there may
    be more stretches that grow; both are empty if there are not.
    """

    program: Program
    scope: Scope
    counts: Counts
    loops: tuple[Loop, ...]
    stopped: str
    growth_stopped: str


def find_loops(
    program: Program, scope: Scope, budget: Budget | None = None, on_progress: OnProgress = nobody
) -> FoundLoops:
    """Return the loops of *program* within *scope*, forced ones first.

    Ctrl-C and a spent budget end the search, not the call: `FoundLoops.stopped` says so. Raises
    `InputError` if clauses are still to be written.
    """
    need_finished(program)
    meter = Meter(budget or Budget(), on_progress)
    meter.begin("exploring", EXPLORING)
    graph = explore(Interpreter(program, scope), meter)
    finder = _Finder(graph, meter)
    with collector_paused(), meter.watching():
        try:
            finder.find()
        except BudgetSpentError as spent:
            finder.growth_stopped = str(spent)
        except KeyboardInterrupt:
            finder.growth_stopped = INTERRUPTED
    if not finder.is_complete:
        finder.stopped = finder.stopped or finder.growth_stopped
    return FoundLoops(
        program,
        scope,
        graph.counts,
        tuple(finder.found),
        finder.stopped,
        finder.stopped or finder.growth_stopped,
    )


_ORDER: tuple[LoopKind, ...] = get_args(LoopKind)


class _Finder:
    """The search in one *graph*: what it has *found*; whether it *is_complete*, as to loops; why
    not, and why not as to what grows.
    """

    def __init__(self, graph: Graph, meter: Meter) -> None:
        self.found: list[Loop] = []
        self.is_complete, self.stopped, self.growth_stopped = False, graph.stopped, ""
        self._graph, self._meter = graph, meter
        self._stretches = Stretches(graph)
        self._exits = Exits(self._stretches)

    def find(self) -> None:
        """Find loops, then what only grows."""
        components = self._stretches.components()
        among = sorted(position for component in components for position in component)
        self._meter.begin("looking for loops", (1 + EXPLORING) / 2)
        try:
            for uses in self._sets(components, among):
                self.found.append(self._loop(uses, among))
        finally:
            self.found.sort(
                key=lambda loop: (_ORDER.index(loop.kind), len(loop.clauses), loop.clauses)
            )
        self.is_complete = True
        self._meter.begin("looking for stretches that grow")
        growing, self.growth_stopped = find_growing(self._stretches, self._meter)
        self.found += sorted(
            map(self._growing, growing), key=lambda loop: (len(loop.clauses), loop.clauses)
        )

    def _sets(self, components: list[set[int]], among: list[int]) -> list[int]:
        """Return the smallest sets that loops of *components* use."""
        which = {
            position: number
            for number, component in enumerate(components)
            for position in component
        }
        ways = {
            position: [
                (use, target)
                for _, use, target in self._stretches.moves_within(position)
                if which.get(target) == which[position]
            ]
            for position in among
        }
        sets, bound = minimal_sets(_quotient(ways, self._meter), self._meter)
        if bound:
            self.stopped = self.stopped or bound
            sets = list(dict.fromkeys(self._shrunk(uses, among) for uses in sets))
        return sets

    def _shrunk(self, uses: int, among: list[int]) -> int:
        """Return a smallest set among *uses* that has a loop."""
        for bit in (1 << number for number in range(uses.bit_length())):
            if uses & bit and self._stretches.components(uses & ~bit, among):
                uses &= ~bit
        return uses

    def _loop(self, uses: int, among: list[int]) -> Loop:
        """Return a loop that uses exactly *uses*: one without a way out, if there is one."""
        self._meter.check(0, len(self._graph.positions), len(self.found))
        chosen, leaving = None, set[WayOut]()
        for component in self._stretches.components(uses, among):
            ways = self._exits.out_of(component, uses)
            if chosen is None or not ways:
                chosen, leaving = component, ways
            if not ways or uses & CARDS:
                break
        assert chosen is not None, "a set of clauses without its loop"
        kind: LoopKind = "cards" if uses & CARDS else "optional" if leaving else "forced"
        first = min(chosen)
        way, around = self._graph.way_to(first), self._around(first, chosen, uses)
        trace = replace(self._graph.trace([*way, *around]), loop=len(way))
        self._replay(trace, uses)
        return Loop(
            kind,
            *self._used(trace, len(way)),
            trace,
            tuple(sorted(leaving, key=lambda way: (str(way.who), way.beyond, way.clause))),
        )

    def _around(self, first: int, component: set[int], uses: int) -> list[int]:
        """Return the edges of a shortest way from *first* back to it."""
        steps = self._stretches.moves_within
        return shortest_way(
            first,
            lambda position: (
                (edge, target) for edge, _, target in steps(position, uses) if target in component
            ),
            lambda position: position == first,
        )

    def _growing(self, growing: Growing) -> Loop:
        assert growing.trace.growth is not None
        replay(self._graph.interpreter, growing.trace)
        return Loop(
            "progress",
            *self._used(growing.trace, growing.trace.growth),
            growing.trace,
            more=growing.more,
        )

    def _used(self, trace: Trace, first: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the clauses of the moves of *trace* after moment *first*, and those of them in
        which the cards do something.
        """
        moves = [step.move for step in trace.steps[first:]]
        by_cards = (move.clause for move in moves if acts("cards", move, self._graph.interpreter))
        return tuple(dict.fromkeys(move.clause for move in moves)), tuple(dict.fromkeys(by_cards))

    def _replay(self, trace: Trace, uses: int) -> None:
        """Hold *trace* against the interpreter: a play, that comes back to where its loop begins,
        with clauses of *uses* alone.
        """
        replay(self._graph.interpreter, trace)
        assert trace.loop is not None
        if trace.positions[trace.loop] != trace.positions[-1]:
            raise ReplayError(f"the loop does not come back to moment {trace.loop}")
        bits = self._stretches.bit_of
        if any(not bits[step.move.clause] & uses for step in trace.steps[trace.loop :]):
            raise ReplayError("the loop has a clause that is not one of its own")


def _quotient(ways: _Ways, meter: Meter) -> dict[int, dict[int, set[int]]]:
    """Return for each class of the nodes of *ways* to which classes it leads, and what the edges
    there use.

    This is the quotient by bisimulation: positions that allow the same sets of clauses, move by
    move, become one class. In a finite graph the sets of members that loops can have are the same
    before and after, but for what they have too much: a loop of classes is an endless way through
    positions, which comes back to one of them; and each loop of positions is one of classes.
    Coarsest partition by refinement (Kanellakis and Smolka, "CCS expressions, finite state
    processes, and three problems of equivalence", Information and Computation 86, 1990). Raises
    `BudgetSpentError` if *meter* ends it.
    """
    classes, number = dict.fromkeys(ways, 0), 1
    while True:
        meter.check(0, len(ways), number)
        numbers: dict[tuple[int, frozenset[tuple[int, int]]], int] = {}
        refined = {}
        for node, edges in ways.items():
            signature = classes[node], frozenset([(use, classes[target]) for use, target in edges])
            refined[node] = numbers.setdefault(signature, len(numbers))
        if len(numbers) == number:
            return {of: _grouped(edges) for (of, edges) in numbers}
        classes, number = refined, len(numbers)


def _grouped(edges: frozenset[tuple[int, int]]) -> dict[int, set[int]]:
    """Return what the *edges* to each class use."""
    grouped: dict[int, set[int]] = {}
    for use, target in edges:
        grouped.setdefault(target, set()).add(use)
    return grouped
