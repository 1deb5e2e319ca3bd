"""Deciding what players can enforce: on arrays, and where a table can be had, on the graph of the reference besides.

Both have to come to the same; the graph is made of small games only, or where arrays cannot say what is asked.
"""

from __future__ import annotations

from dataclasses import replace

from ...models import ir
from ...properties import formula as f
from ..strategies.decide import decide_on_graph
from ..types.budget import Meter
from ..types.engine import Decision
from ..types.scope import Scope
from ..types.strategy import MOST_FOR_TABLE, NO_TABLE
from ..types.verdict import Counts, Outcome
from .compact import decide_compactly


def decide_enforced(
    program: ir.Program, question: f.Property, scope: Scope, meter: Meter, *, sliced: bool, packed: bool = True
) -> tuple[Decision, Counts]:
    """Return whether some players can enforce what *question* says, which has the mode ``enforce``, within *scope*.

    If *sliced*, positions are not told apart by what does not matter; unless *packed*, the reference decides alone. The answer is the same.
    """
    found = decide_compactly(program, question, scope, meter, sliced=sliced) if packed else None
    if found is None:
        decision, graph = decide_on_graph(program, question, scope, meter, sliced=sliced)
        return decision, graph.counts
    decision, counts = found
    if decision.outcome is not Outcome.POSSIBLE:
        return found
    if counts.positions > MOST_FOR_TABLE:
        return replace(decision, notes=(*decision.notes, NO_TABLE)), counts
    other, graph = decide_on_graph(program, question, scope, meter, sliced=sliced)
    if (other.outcome, other.reason) == (decision.outcome, decision.reason):
        return other, graph.counts
    if graph.stopped or other.outcome is Outcome.UNKNOWN:  # it had no time left, and says less
        return found
    raise AssertionError(f"{question.name} is {other.outcome.name} on the graph, and {decision.outcome.name} on arrays")
