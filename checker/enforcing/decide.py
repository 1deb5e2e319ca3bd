"""Deciding what players can enforce: on arrays, and where a table can be had, on the graph of the
reference besides.

Both have to come to the same; the graph is made of small games only, or where arrays cannot say
what is asked. Of larger ones that are won a table is looked for in parts of the graph.
"""

from __future__ import annotations

from dataclasses import replace

from ...models import ir
from ...properties import formula as f
from ..process.collector import collector_paused
from ..strategies.views import interpreter_for
from ..types.budget import Meter
from ..types.engine import Decision
from ..types.scope import Scope
from ..types.strategy import MOST_ON_GRAPH, NO_ANSWER, WITHOUT_PLAY, WITHOUT_TABLE
from ..types.verdict import Counts, Outcome
from .compact import decide_compactly
from .on_graph import decide_on_graph, with_table
from .telling import untold


def decide_enforced(
    program: ir.Program,
    question: f.Property,
    scope: Scope,
    meter: Meter,
    *,
    sliced: bool,
    packed: bool = True,
) -> tuple[Decision, Counts]:
    """Return whether some players can enforce what *question* says, which has the mode ``enforce``,
    within *scope*.

    If *sliced*, positions are not told apart by what does not matter; unless *packed*, the
    reference decides alone. The answer is the same.
    """
    found = decide_compactly(program, question, scope, meter, sliced=sliced) if packed else None
    if found is None:
        decision, graph = decide_on_graph(program, question, scope, meter, sliced=sliced)
        return decision, graph.counts
    decision, counts = found
    if decision.outcome not in (Outcome.POSSIBLE, Outcome.IMPOSSIBLE):
        return found
    is_large = counts.positions > MOST_ON_GRAPH
    if is_large and decision.outcome is Outcome.IMPOSSIBLE:
        return replace(decision, notes=(*decision.notes, NO_ANSWER)), counts
    if over := meter.why_over:
        return untold(decision, WITHOUT_TABLE, over), counts
    if is_large:
        interpreter = interpreter_for(program, scope, question, sliced=sliced)
        with collector_paused():
            return with_table(decision, interpreter, _seats(decision), meter), counts
    other, graph = decide_on_graph(program, question, scope, meter, sliced=sliced)
    if (other.outcome, other.reason) == (decision.outcome, decision.reason):
        return _with_play_of(decision, other), counts if graph.stopped else graph.counts
    if graph.stopped or other.outcome is Outcome.UNKNOWN:  # it had no time left, and says less
        return untold(decision, WITHOUT_TABLE, graph.stopped or other.reason), counts
    two = f"{other.outcome} on the graph, {decision.outcome} on arrays"
    reason = (
        f"two ways of deciding it disagree ({two}); this is a fault of Stacklaw: please report it"
    )
    return replace(decision, outcome=Outcome.UNKNOWN, trace=None, table=None, reason=reason), counts


def _seats(decision: Decision) -> tuple[int, ...]:
    """Return where the players sit who can enforce what the question of *decision* says, in the
    order in which it names them.
    """
    assert decision.trace is not None  # else there is no time left
    at = dict(decision.trace.spotlights)
    return tuple(
        seat
        for spotlight in decision.question.spotlights
        if isinstance(seat := at[spotlight.name], int)
    )


def _with_play_of(decision: Decision, other: Decision) -> Decision:
    """Return *other*, with the play of *decision* if it has none."""
    if other.trace is not None or decision.trace is None:
        return other
    return replace(
        other,
        trace=decision.trace,
        notes=tuple(note for note in other.notes if WITHOUT_PLAY not in note),
    )
