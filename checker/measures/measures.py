"""Measures of a game: how many passes and windows an item on the stack sees, followed item by item.

Each has a least and a most, over all plays within a scope, with a play that shows it. Each also has
a most over those plays in which players only pass, and the cards do nothing, once the item is on
the stack: what a card costs that gets no answer.

- passes: from the move that puts an item on the stack to the one in which it resolves;
- windows of a player for an item: how often it becomes that player's turn to decide (they have
  priority, and had none before or made the move before) while it is on the stack; of its
  controller, and of each of the others;
- moves without a player's decision: moves in a row that are no player's and in which no player has
  a choice.

Followed items: every item on the stack from the move that puts it there to its resolution, in
all plays at once.

In comes a graph, out go states: a position with the place of one item, which is on a zone of the
stack. A way through them starts with a move that puts the item there, and ends (`ways.END`) when it
resolves; if it leaves the stack in another way it is not followed any more.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, get_args

from ...models import ir
from ...models.frozen import frozen
from ...models.ir import Program
from ...models.ir.parts import statements
from ...properties import formula as f
from ..process.collector import collector_paused
from ..reference.lasso import acts
from ..reference.semantics.events import follow
from ..reference.semantics.explore import Graph, explore
from ..reference.semantics.expressions import ItemPlace
from ..reference.semantics.interpreter import Interpreter
from ..sliced.interpreter import SlicedInterpreter, lifted, lifted_round
from ..slicing.needs import Slicer
from ..slicing.slice import Slice
from ..slicing.specialise import Specialiser
from ..types.budget import INTERRUPTED, Budget, BudgetSpentError, Meter, OnProgress, nobody
from ..types.engine import need_finished
from ..types.position import Move, Trace
from ..types.scope import Scope
from ..types.verdict import Counts
from .recount import Counted, recount, spotlit
from .ways import END, Start, WeighedWay, WeightedGraph, heaviest, lightest

RESOLVED: ItemPlace = (-1, -1)
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
    place: list[ItemPlace] = field(default_factory=lambda: [RESOLVED])
    edge: array[int] = field(default_factory=lambda: array("l"))
    passes: array[int] = field(default_factory=lambda: array("l"))
    begun: list[tuple[int, int]] = field(default_factory=list)
    passes_begun: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        program = self.graph.interpreter.program
        names = [zone.name for zone in program.zones]
        self.zones = {names.index(zone.name) for zone in program.zones_tagged("stack")}
        self._numbers: dict[tuple[int, ItemPlace], int] = {}
        self._after: dict[tuple[int, ItemPlace], tuple[ItemPlace | None, int]] = {}

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
        self, weights: array[int], begun: list[int], may_be: Sequence[bool]
    ) -> WeightedGraph:
        """Return the states with these *weights* of edges, and of what has *begun*.

        Edges whose labels none *may_be* are turned into loops that weigh nothing, so that edges
        keep their numbers.
        """
        states, label = self.states, self.graph.label
        target, weights = states.target[:], weights[:]
        for state in range(1, states.states):
            for edge in states.edges(state):
                if not may_be[label[self.edge[edge]]]:
                    target[edge], weights[edge] = state, 0
        starts = [
            start._replace(weight=weight)
            for start, weight in zip(states.starts, begun, strict=True)
        ]
        return WeightedGraph(states.first, target, weights, starts)

    def moves_of(self, way: WeighedWay) -> tuple[list[int], int, int]:
        """Return the edges of the graph of a play that goes *way*, the moment at which the item is
        put on the stack, and by which event.
        """
        edge, event = self.begun[way.start]
        before = self.graph.way_to(self.graph.source(edge))
        return [*before, edge, *(self.edge[one] for one in way.edges)], len(before) + 1, event

    # ------------------------------------------------------------------ one item

    def _state(self, position: int, place: ItemPlace) -> int:
        if place == RESOLVED:
            return END
        key = position, place
        state = self._numbers.get(key)
        if state is None:
            state = self._numbers[key] = len(self.place)
            self.position.append(position)
            self.place.append(place)
        return state

    def _new_items(self, move: Move) -> list[tuple[int, ItemPlace, int]]:
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

    def _moved(self, label: int, place: ItemPlace) -> tuple[ItemPlace | None, int]:
        known = self._after.get((label, place))
        if known is None:
            known = self._after[label, place] = self._carried(self.graph.moves[label], 0, place)
        return known

    def _carried(self, move: Move, first: int, place: ItemPlace) -> tuple[ItemPlace | None, int]:
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


def _depths(graph: Graph) -> array[int]:
    """Return how many moves lead to each position at least."""
    depths = array("l", [0]) * len(graph.positions)
    ends = [*graph.layers[1:], len(graph.positions)]
    for depth, (start, end) in enumerate(zip(graph.layers, ends, strict=True)):
        for position in range(start, end):
            depths[position] = depth
    return depths


MeasureName: TypeAlias = Literal["passes", "own windows", "windows of others", "automatic moves"]
ExtremeName: TypeAlias = Literal["fewest", "calm", "most"]
MeasureKey: TypeAlias = tuple[MeasureName, ExtremeName]
EXTREMES: tuple[ExtremeName, ...] = get_args(ExtremeName)
EXPLORING = 0.5


_ITEM = f.Spotlight("item", "i")
_ASKED: tuple[f.Formula, ...] = (
    f.HasPriority(None),
    f.Holds(
        ir.Equal(ir.AttributeOf(ir.Local(_ITEM.name), ir.CONTROLLER), ir.Variable(ir.ACTIVE)),
        (_ITEM.name,),
    ),
)


@frozen
class Extreme:
    """The least or the most: its *value*, and a play that shows it.

    If *again*, there is no most: the moves after moment ``again[0]`` up to ``again[1]`` can be made
    again and again, and *value* is that of the play as it is told.
    """

    value: int
    trace: Trace
    again: tuple[int, int] | None


@frozen
class FoundMeasures:
    """What was measured within *scope*: the *extremes* that some play has, by what is counted, and
    which of it.

    *stopped* says why there may be less, or more, but for what the scope cuts; it is empty if not.
    """

    program: Program
    scope: Scope
    counts: Counts
    extremes: Mapping[MeasureKey, Extreme]
    stopped: str


def find_measures(
    program: Program, scope: Scope, budget: Budget | None = None, on_progress: OnProgress = nobody
) -> FoundMeasures:
    """Return the measures of *program* within *scope*; those that the budget ends before they are
    found are left out.

    Ctrl-C ends the search, not the call. Raises `InputError` if clauses are still to be written.
    """
    need_finished(program)
    meter = Meter(budget or Budget(), on_progress)
    meter.begin("exploring", EXPLORING)
    graph = explore(interpreter_for(program, scope), meter)
    meter.begin("measuring")
    found, stopped = dict[MeasureKey, Extreme](), graph.stopped
    with collector_paused(), meter.watching():
        try:
            for key, extreme in _Measuring(graph, meter).extremes():
                found[key] = extreme
        except BudgetSpentError as spent:
            stopped = stopped or str(spent)
        except KeyboardInterrupt:
            stopped = INTERRUPTED
    return FoundMeasures(program, scope, graph.counts, found, stopped)


class _Measuring:
    def __init__(self, graph: Graph, meter: Meter) -> None:
        self.graph, self.meter = graph, meter
        self.whole = (
            graph.interpreter.whole
            if isinstance(graph.interpreter, SlicedInterpreter)
            else graph.interpreter
        )
        self.items = FollowedItems(graph)
        self.any = [True] * len(graph.moves)
        self.calm = [
            not (acts("players", move, self.whole) or acts("cards", move, self.whole))
            for move in graph.moves
        ]
        """Whether players only pass, and the cards do nothing, in the moves of each label."""

    def extremes(self) -> Iterator[tuple[MeasureKey, Extreme]]:
        """Yield of each measure what some play has at least (fewest), at most if players only pass
        and the cards do nothing (calm), and at most.
        """
        if self.items.zones:
            self.items.follow_all(self.meter)
            counter = _WindowCounter(self.items)
            yield from self._item_extremes("passes", [(self.items.passes, self.items.passes_begun)])
            yield from self._item_extremes("own windows", [counter.weights(0)])
            others = range(1, self.graph.interpreter.scope.players)
            if others:
                yield from self._item_extremes(
                    "windows of others", [counter.weights(away) for away in others]
                )
        yield ("automatic moves", "calm"), self._without_decision(calm=True)
        yield ("automatic moves", "most"), self._without_decision(calm=False)

    def _item_extremes(
        self, name: MeasureName, weights: list[tuple[array[int], list[int]]]
    ) -> Iterator[tuple[MeasureKey, Extreme]]:
        """Yield the extremes with these *weights* of edges and starts, each of them one of several
        that the measure may be taken of.
        """
        for which in EXTREMES:
            find, sign = (lightest, -1) if which == "fewest" else (heaviest, 1)
            ways = []
            for away, (of_edges, begun) in enumerate(weights, 1):
                way = find(
                    self.items.weighted(
                        of_edges, begun, self.calm if which == "calm" else self.any
                    ),
                    self.meter,
                )
                ways += [] if way is None else [(way, away)]
            if ways:
                way, away = max(
                    ways, key=lambda one: (one[0].again is not None, sign * one[0].weight)
                )
                yield (name, which), self._extreme_on(name, way, away)

    def _extreme_on(self, name: MeasureName, way: WeighedWay, away: int) -> Extreme:
        """Return what *way* shows, its play counted again."""
        edges, since, event = self.items.moves_of(way)
        trace, again = self._play(
            edges, None if way.again is None else (since + way.again[0], since + way.again[1])
        )
        trace = replace(trace, spotlights=(("i", spotlit(trace, since, event)),))
        what = Counted(name, since, event, 0 if name == "own windows" else away)
        return Extreme(
            recount(self.whole, trace, what, again, None if again else way.weight), trace, again
        )

    def _play(
        self, edges: list[int], again: tuple[int, int] | None
    ) -> tuple[Trace, tuple[int, int] | None]:
        """Return the play along *edges* on the whole game, and where what is made *again* begins
        and ends there.
        """
        trace, interpreter = self.graph.trace(edges), self.graph.interpreter
        return (
            (lifted(interpreter, trace), None)
            if again is None
            else lifted_round(interpreter, trace, again)
        )

    def _without_decision(self, *, calm: bool) -> Extreme:
        """Return the most moves in a row in which no player decides, if *calm* without anything
        that the cards do.
        """
        graph = self.graph
        weighted, edges = _undecided_moves(graph, self.calm if calm else self.any)
        way = heaviest(weighted, self.meter)
        assert way is not None  # every position is the end of no moves at least
        first = weighted.starts[way.start].state - 1
        before = graph.way_to(first)
        moves = [edges[one] for one in way.edges if weighted.target[one] != END]
        if way.again is not None:
            moves = moves[: way.again[1]]
        around = (
            None if way.again is None else (len(before) + way.again[0], len(before) + way.again[1])
        )
        trace, again = self._play([*before, *moves], around)
        value = recount(
            self.whole,
            trace,
            Counted("automatic moves", calm=calm),
            again,
            None if again else len(moves),
        )
        return Extreme(value, trace, again)


def _undecided_moves(graph: Graph, may_be: Sequence[bool]) -> tuple[WeightedGraph, array[int]]:
    """Return the positions of *graph*, number *n* as state *n* + 1, with moves in which no player
    decides, and the edge each of them is.

    A way may start and end anywhere; an edge to the end has the number -1. Each move weighs 1. Only
    labels that *may_be* there are. What else a player could choose is asked of the rules, which
    have no scope: what that has no room for is a decision all the same.
    """
    found, edges = WeightedGraph(), array("q")
    for position in range(len(graph.positions)):
        if position < graph.expanded:
            allowed = [move for move, _ in graph.allowed(position)]
            for edge in graph.edges(position):
                if may_be[graph.label[edge]] and not _is_decided(
                    graph.moves[graph.label[edge]], allowed
                ):
                    found.target.append(graph.target[edge] + 1)
                    found.weight.append(1)
                    edges.append(edge)
        found.target.append(END)
        found.weight.append(0)
        edges.append(-1)
        found.first.append(len(found.target))
        found.starts.append(Start(position + 1, 0, position))
    return found, edges


def _is_decided(move: Move, others: Sequence[Move]) -> bool:
    """Whether a player decides something in *move*, one of *others* in its position: to make it, or
    one of several things in it.
    """
    if isinstance(move.owner, int):
        return True
    for depth, choice in enumerate(move.choices):
        if isinstance(choice.by, int):
            before = move.clause, move.owner, move.choices[:depth]
            if any(
                (o.clause, o.owner, o.choices[:depth]) == before
                and o.choices[depth : depth + 1] != (choice,)
                for o in others
            ):
                return True
    return False


class _WindowCounter:
    """Weighs the moves of *items* by the windows that they open: a window is a player's turn to
    decide while an item is on the stack.
    """

    def __init__(self, items: FollowedItems) -> None:
        self.items, self.graph = items, items.graph
        interpreter, graph = self.graph.interpreter, self.graph
        self._players = interpreter.scope.players
        self._holders = [
            sum(1 << seat for seat in interpreter.priority(position))
            for position in graph.positions
        ]
        owners = (move.owner for move in graph.moves)
        self._owner = [owner if isinstance(owner, int) else -1 for owner in owners]

    def weights(self, away: int) -> tuple[array[int], list[int]]:
        """Return what each edge and start weighs: 1 if it opens a window of the player *away* seats
        from the item's controller.
        """
        items, graph = self.items, self.graph
        weights = array("l", [0]) * len(items.edge)
        players = [self._controller(state, away) for state in range(len(items.place))]
        for state in range(1, len(items.place)):
            source, player = items.position[state], players[state]
            for edge in items.states.edges(state):
                target = items.states.target[edge]
                if target != END:
                    has, had = (
                        self._holders[position] >> player & 1
                        for position in (items.position[target], source)
                    )
                    weights[edge] = has and (
                        not had or self._owner[graph.label[items.edge[edge]]] == player
                    )
        begun = [
            0 if s.state == END else self._holders[items.position[s.state]] >> players[s.state] & 1
            for s in items.states.starts
        ]
        return weights, begun

    def _controller(self, state: int, away: int) -> int:
        if state == END:
            return 0
        zone, at = self.items.place[state]
        return (
            self.graph.positions[self.items.position[state]].zones[zone][at].controller + away
        ) % self._players


def interpreter_for(program: ir.Program, scope: Scope) -> Interpreter:
    """Return an interpreter that sees all that is measured.

    What is measured asks who has priority, who controls an item, whose each move is and which
    choices players have in it. On positions that look alike in a slice that keeps this, it is the
    same (`sliced.interpreter`). The whole of positions is looked at where a slice would leave out a
    choice in a move that is no player's, as whether there is more than one thing to choose counts,
    and where items are followed on an unordered zone.
    """
    slicer = Slicer(program, scope, choosers=True)
    kept = slicer.slice_for(_ASKED, (_ITEM,))
    ordered = all(zone.order != "unordered" for zone in program.zones_tagged("stack"))
    if not ordered or not _keeps_choices(program, scope, kept):
        return Interpreter(program, scope)
    return SlicedInterpreter(program, scope, slicer, kept)


def _keeps_choices(program: ir.Program, scope: Scope, kept: Slice) -> bool:
    """Whether all choices in the moves that are no player's are left in what *kept* leaves of their
    clauses.
    """
    specialiser = Specialiser(program, scope, kept, choosers=True)
    return all(
        _choices(clause.body) == _choices(left.body)
        for _, clause in program.clauses
        if clause.mode != "may" and (left := specialiser.clause(clause)).guard != ir.NO
    )


def _choices(body: ir.Block) -> int:
    """Return how many choices there are in *body* that may be a player's."""
    return sum(
        isinstance(one, ir.Choose | ir.Branch)
        and one.by != "cards"
        and (isinstance(one, ir.Choose) or len(one.options) > 1)
        for one in statements(body)
    )
