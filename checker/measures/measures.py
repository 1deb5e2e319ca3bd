"""Measures of a game: how many passes and windows an item on the stack sees, and how much happens without a decision.

Each has a least and a most, over all plays within a scope, with a play that shows it; and a most over those in which nobody does anything
but pass once the item is on the stack: what a card costs that nobody answers.

- passes: from the move that puts an item on the stack to the one in which it resolves;
- windows of a player for an item: how often it becomes that player's turn to decide (they have priority, and had none before or made the
  move before) while it is on the stack; of its controller, and of each of the others;
- moves without a player's decision: moves in a row that are no player's and in which no player has a choice.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

from ...models.ir import Program
from ..process.collector import collector_paused
from ..reference.semantics.explore import explore
from ..reference.semantics.graph import Graph
from ..sliced.interpreter import SlicedInterpreter
from ..sliced.lift import lifted, lifted_round
from ..types.budget import INTERRUPTED, Budget, BudgetSpentError, Meter, OnProgress, nobody
from ..types.finished import need_finished
from ..types.scope import Scope
from ..types.trace import Trace
from ..types.verdict import Counts
from .decisions import undecided_moves
from .followed import FollowedItems, is_calm
from .recount import Counted, recount, spotlit
from .views import interpreter_for
from .ways import END, WeighedWay, heaviest, lightest
from .windows import WindowCounter

MeasureName: TypeAlias = Literal["passes", "own windows", "windows of others", "moves without a decision"]
ExtremeName: TypeAlias = Literal["fewest", "calm", "most"]
MeasureKey: TypeAlias = tuple[MeasureName, ExtremeName]
EXTREMES: tuple[ExtremeName, ...] = get_args(ExtremeName)
EXPLORING = 0.5


@dataclass(frozen=True)
class Extreme:
    """The least or the most: its *value*, and a play that shows it.

    If *again*, there is no most: the moves after moment ``again[0]`` up to ``again[1]`` can be made again and again, and *value* is that of
    the play as it is told.
    """

    value: int
    trace: Trace
    again: tuple[int, int] | None = None


@dataclass(frozen=True)
class FoundMeasures:
    """What was measured within *scope*: the *extremes* that some play has, by what is counted, and which of it.

    *stopped* says why there may be less, or more, but for what the scope cuts; it is empty if not.
    """

    program: Program
    scope: Scope
    counts: Counts
    extremes: Mapping[MeasureKey, Extreme]
    stopped: str


def find_measures(program: Program, scope: Scope, budget: Budget | None = None, on_progress: OnProgress = nobody) -> FoundMeasures:
    """Return the measures of *program* within *scope*; those that the budget ends before they are found are left out.

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
        self.whole = graph.interpreter.whole if isinstance(graph.interpreter, SlicedInterpreter) else graph.interpreter
        self.items = FollowedItems(graph)
        self.calm = [is_calm(graph, label) for label in range(len(graph.moves))]

    def extremes(self) -> Iterator[tuple[MeasureKey, Extreme]]:
        """Yield what some play has at least (fewest), at most if nobody does anything but pass (calm), and at most, of each measure."""
        if self.items.zones:
            self.items.follow_all(self.meter)
            counter = WindowCounter(self.items)
            yield from self._of_items("passes", [(self.items.passes, self.items.passes_begun)])
            yield from self._of_items("own windows", [counter.weights(0)])
            others = range(1, self.graph.interpreter.scope.players)
            if others:
                yield from self._of_items("windows of others", [counter.weights(away) for away in others])
        yield ("moves without a decision", "calm"), self._without_decision(calm=True)
        yield ("moves without a decision", "most"), self._without_decision(calm=False)

    def _of_items(self, name: MeasureName, weights: list[tuple[array[int], list[int]]]) -> Iterator[tuple[MeasureKey, Extreme]]:
        """Yield the extremes with these *weights* of edges and starts, each of them one of several that the measure may be taken of."""
        for which in EXTREMES:
            find, sign = (lightest, -1) if which == "fewest" else (heaviest, 1)
            ways = []
            for away, (of_edges, begun) in enumerate(weights, 1):
                way = find(self.items.weighted(of_edges, begun, self.calm.__getitem__ if which == "calm" else None), self.meter)
                ways += [] if way is None else [(way, away)]
            if ways:
                way, away = max(ways, key=lambda one: (one[0].again is not None, sign * one[0].weight))
                yield (name, which), self._told(name, way, away)

    def _told(self, name: MeasureName, way: WeighedWay, away: int) -> Extreme:
        """Return what *way* shows, its play counted again."""
        edges, since, event = self.items.moves_of(way)
        trace, again = self._play(edges, None if way.again is None else (since + way.again[0], since + way.again[1]))
        trace = replace(trace, spotlights=(("i", spotlit(trace, since, event)),))
        what = Counted(name, since, event, 0 if name == "own windows" else away)
        return Extreme(recount(self.whole, trace, what, again, None if again else way.weight), trace, again)

    def _play(self, edges: list[int], again: tuple[int, int] | None) -> tuple[Trace, tuple[int, int] | None]:
        """Return the play along *edges* on the whole game, and where what is made *again* begins and ends there."""
        trace, interpreter = self.graph.trace(edges), self.graph.interpreter
        return (lifted(interpreter, trace), None) if again is None else lifted_round(interpreter, trace, again)

    def _without_decision(self, *, calm: bool) -> Extreme:
        """Return the most moves in a row in which no player decides, if *calm* without anything that the cards do."""
        graph = self.graph
        weighted, edges = undecided_moves(graph, self.calm if calm else [True] * len(graph.moves))
        way = heaviest(weighted, self.meter)
        assert way is not None  # every position is the end of no moves at least
        first = weighted.starts[way.start].state - 1
        before = graph.way_to(first)
        moves = [edges[one] for one in way.edges if weighted.target[one] != END]
        if way.again is not None:
            moves = moves[: way.again[1]]
        around = None if way.again is None else (len(before) + way.again[0], len(before) + way.again[1])
        trace, again = self._play([*before, *moves], around)
        value = recount(self.whole, trace, Counted("moves without a decision", calm=calm), again, None if again else len(moves))
        return Extreme(value, trace, again)
