"""The reference engine: one exploration, and every property decided on it, the future too.

What a property asks is written down in `checker.questions`; here each formula it needs is looked
for in the graph.

The future: is there a play with a formula about the future true at its moment 0? If so, one that
goes round, or ends.

In comes a graph and a `formula.Temporal` over the parts of a conjunction, out goes what was found.
The search is that of `lasso`, but it remembers something else: what is owed. That is each
``until``, or negation of one, that has to be true at the next moment for all that was owed at this
one to be true (a tableau: Lichtenstein and Pnueli, 1985; as an automaton: Gerth, Peled, Vardi and
Wolper, "Simple on-the-fly automatic verification of linear temporal logic", 1995).

- Each set that may be owed is tried, and what will do with less is not owed with more.
- An ``until`` is true if its right side is, or its left side is and it is true at the next moment;
  its negation likewise.
- At the last moment of a play that ends no ``until`` is owed; its negation may be.
- In a loop there is, for each ``until``, a moment at which it is not owed, so nothing is put off
  for ever.

Past formulas are the monitor's bits as ever.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias, assert_never

from ...models.ir import Program
from ...properties import formula as f
from ..process.collector import collector_paused
from ..questions.questions import Query, SearchResult
from ..questions.questions import decide as decide_question
from ..types.budget import INTERRUPTED, BudgetSpentError, Meter
from ..types.engine import Decision
from ..types.position import Move, Trace
from ..types.scope import Scope
from ..types.verdict import Counts, Outcome
from .formulas.signals import Signals
from .formulas.watch import NEVER_TRUE, MonitorState, Sight, SightOutcomes, Watch, can_scan, scan
from .lasso import LassoSearch, shortest
from .semantics.explore import Graph, explore
from .semantics.interpreter import Interpreter

if TYPE_CHECKING:
    from networkx import DiGraph


_OWED = 1 << 62
"""The first bit beside the monitor's: for each promise whether it is owed."""
_Promise: TypeAlias = tuple[f.Until, bool]
"""That an ``until`` is true, or if False that it is not."""


class FutureSearch(LassoSearch):
    """The search for a play on which what is temporal of a query is true at moment 0; its formula
    is the conjunction whose parts that speaks of.
    """

    def __init__(self, signals: Signals, query: Query, meter: Meter) -> None:
        super().__init__(signals, query, meter)
        assert query.temporal is not None
        self._whole = query.temporal
        self._promises = [*dict.fromkeys(_promises(query.temporal, is_so=True))]
        self._least: dict[tuple[int | None, tuple[bool, ...]], frozenset[int]] = {}
        self._to_come = sum(is_so << number for number, (_, is_so) in enumerate(self._promises))

    # ------------------------------------------------------------------ what is owed

    def _starts(self) -> Iterator[SightOutcomes]:
        for start in super()._starts():
            for owed in range(1 << len(self._promises)):
                yield SightOutcomes(start.sight._replace(guess=owed), None, start.rows)

    def _sights(self, watched: MonitorState, move: Move) -> Iterator[Sight]:
        """Return every way to watch *move* with everything that may be owed after it."""
        for sight in super()._sights(watched, move):
            for owed in range(1 << len(self._promises)):
                yield sight._replace(guess=owed)

    def _outcome(self, way: SightOutcomes, row: int) -> int:
        """Return the number of the `MonitorState` that *way* comes to in a position of *row*, or
        `NEVER_TRUE` if what it owes is none of the least sets that may be owed then.
        """
        way.outcomes[row] = NEVER_TRUE
        if row >= 0:
            watched, eye, owed = way.sight.watched, self._eye(way.sight.watched), way.sight.guess
            truths, bits = eye.monitor.true_parts(watched.bits & (_OWED - 1), self._now(way, row))
            if owed in self._least_after(
                None if way.move is None else watched.bits // _OWED, truths
            ):
                way.outcomes[row] = self._state_number(watched._replace(bits=bits | owed * _OWED))
        return way.outcomes[row]

    def _least_after(self, before: int | None, truths: tuple[bool, ...]) -> frozenset[int]:
        """Return what may be owed after a moment at which the parts have these *truths* and
        *before* was owed (None: it is the first).
        """
        key = before, truths
        if key not in self._least:
            asked = (
                [(self._whole, True)]
                if before is None
                else [p for number, p in enumerate(self._promises) if before >> number & 1]
            )
            least: list[int] = []
            for owed in sorted(range(1 << len(self._promises)), key=int.bit_count):
                will_do = all(self._truth(one, truths, owed, is_so=is_so) for one, is_so in asked)
                if will_do and not any(other & owed == other for other in least):
                    least.append(owed)
            self._least[key] = frozenset(least)
        return self._least[key]

    def _truth(
        self, temporal: f.Temporal, truths: tuple[bool, ...], owed: int, *, is_so: bool
    ) -> bool:
        """Whether *temporal* is true, or if not *is_so* its negation, where *owed* is what is
        promised of the next moment.
        """
        match temporal:
            case f.PartHolds(number):
                return truths[number] == is_so
            case f.Otherwise(operand):
                return self._truth(operand, truths, owed, is_so=not is_so)
            case f.Together(parts):
                return (all if is_so else any)(
                    self._truth(part, truths, owed, is_so=is_so) for part in parts
                )
            case f.Until():
                left, right = (
                    self._truth(side, truths, owed, is_so=is_so)
                    for side in (temporal.left, temporal.right)
                )
                later = bool(owed >> self._promises.index((temporal, is_so)) & 1)
                return right or (left and later) if is_so else right and (left or later)

    # ------------------------------------------------------------------ what is accepted

    def _is_true(self, state: int) -> bool:
        """Whether the play may end in *state*: nothing is owed there that eventually has to come
        true.
        """
        return self._fair(state) == self._to_come

    def _again(self, state: int) -> Iterator[int]:
        """Yield the states that may come after *state* in a loop."""
        return self._onward(state)

    def _is_loop(self, component: Iterable[int]) -> bool:
        """Whether a play can go round in *component* so that nothing is put off for ever."""
        fair = 0
        for state in component:
            fair |= self._fair(state)
        return fair == self._to_come

    def _fair(self, state: int) -> int:
        """Return which ``until`` are not owed in *state*."""
        return ~(self._watched[state // len(self.graph.positions)].bits // _OWED) & self._to_come

    def _around(self, component: DiGraph[int], first: int) -> list[int]:
        """Return the states of a way from *first* back to it, without *first* at its beginning, on
        which each ``until`` is fair once.
        """
        wanted = self._to_come & ~self._fair(first)
        way, here = list[int](), first
        while wanted:
            steps = shortest(
                component, here, {state for state in component if self._fair(state) & wanted}
            )
            for state in steps:
                wanted &= ~self._fair(state)
            way, here = [*way, *steps], steps[-1]
        return way if way and here == first else [*way, *shortest(component, here, {first})]


def _promises(temporal: f.Temporal, *, is_so: bool) -> Iterator[_Promise]:
    """Yield what *temporal*, or if not *is_so* its negation, may promise of a next moment."""
    match temporal:
        case f.PartHolds():
            return
        case f.Otherwise(operand):
            yield from _promises(operand, is_so=not is_so)
        case f.Together(parts):
            for part in parts:
                yield from _promises(part, is_so=is_so)
        case f.Until(left, right):
            yield from _promises(left, is_so=is_so)
            yield from _promises(right, is_so=is_so)
            yield temporal, is_so
        case _:
            assert_never(temporal)


EXPLORING = 0.7
"""The share of a budget that the exploration may spend; the rest is for the properties."""


class Reference:
    """The engine that every other one is measured against."""

    name = "reference"
    slices = False

    def decide(
        self, program: Program, properties: Sequence[f.Property], scope: Scope, meter: Meter
    ) -> Iterator[tuple[Decision, Counts]]:
        """Yield what is known of each property; after an interruption of the deciding the rest is
        unknown.
        """
        meter.begin("exploring", EXPLORING)
        graph = explore(Interpreter(program, scope), meter)
        signals, counts = Signals(graph), graph.counts
        for number, question in enumerate(properties, 1):
            meter.begin(f"deciding {number} of {len(properties)} ({question.name})")
            if meter.interrupted or meter.is_up:
                meter.interrupted = True
                yield Decision(Outcome.UNKNOWN, question, reason=INTERRUPTED), counts
            else:
                yield decide(signals, question, meter), counts


def decide(signals: Signals, question: f.Property, meter: Meter) -> Decision:
    """Return what *signals*' graph says about *question*."""
    return decide_question(
        signals.graph.interpreter.program, question, lambda query: look_for(signals, query, meter)
    )


def look_for(signals: Signals, query: Query, meter: Meter) -> SearchResult:
    """Return whether *query* is true at some moment of a play in the graph, or stays true if it has
    to, with a play.
    """
    graph = signals.graph
    try:
        with collector_paused():
            if query.temporal is not None:
                result = FutureSearch(signals, query, meter).find_play()
            elif query.for_ever:
                result = LassoSearch(signals, query, meter).find_play()
            elif can_scan(query):
                trace = scan(signals, query, meter)
                result = SearchResult(
                    trace is not None, graph.complete_layers - 1, graph.stopped, trace
                )
            else:
                result = Watch(signals, query, meter).search()
            return replace(result, is_shortest=_is_shortest(graph, result.trace))
    except BudgetSpentError as spent:
        return SearchResult(False, 0, str(spent))
    except KeyboardInterrupt:
        meter.interrupted = True
        return SearchResult(False, 0, INTERRUPTED)


def _is_shortest(graph: Graph, trace: Trace | None) -> bool:
    """Whether no play is shorter than *trace* that shows the same.

    Of a graph that is not complete, a shorter one may lead through positions that are not there;
    one that goes on for ever may come to its loop sooner.
    """
    if trace is None or not graph.stopped:
        return True
    return len(trace.steps) <= graph.complete_layers if trace.loop is None else trace.loop == 0
