"""The reference engine: one exploration by the interpreter, and every property decided on its
graph.

What a property asks is written down in `checker.questions`; here each formula it needs is looked
for in the graph.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...models.ir import Program
from ...properties import formula as f
from ..process.collector import collector_paused
from ..questions.questions import Query, SearchResult
from ..questions.questions import decide as decide_question
from ..types.budget import INTERRUPTED, BudgetSpentError, Meter
from ..types.engine import Decision
from ..types.scope import Scope
from ..types.trace import Trace
from ..types.verdict import Counts, Outcome
from .formulas.signals import Signals
from .formulas.watch import Watch, can_scan, scan
from .future import FutureSearch
from .lasso import LassoSearch
from .semantics.explore import explore
from .semantics.graph import Graph
from .semantics.interpreter import Interpreter

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
    graph, formula, spotlights = signals.graph, query.formula, query.spotlights
    try:
        with collector_paused():
            if query.temporal is not None and isinstance(formula, f.And):
                result = FutureSearch(
                    signals, formula, query.temporal, spotlights, query.assuming, meter
                ).find_play()
            elif query.for_ever:
                result = LassoSearch(
                    signals, formula, spotlights, query.assuming, meter
                ).find_play()
            elif can_scan(formula, spotlights):
                trace = scan(signals, formula, spotlights, meter)
                result = SearchResult(
                    trace is not None, graph.complete_layers - 1, graph.stopped, trace
                )
            else:
                result = Watch(signals, formula, spotlights, meter).search()
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
