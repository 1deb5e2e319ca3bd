"""Deciding what players can enforce: on arrays, and where a table can be had, on the graph of the reference besides.

Both have to come to the same; the graph is made of small games only, or where arrays cannot say what is asked.
"""

from __future__ import annotations

from ...models import ir
from ...properties import formula as f
from ..strategies.decide import decide_enforced as decide_on_graph
from ..types.budget import Meter
from ..types.engine import Decision
from ..types.scope import Scope
from ..types.verdict import Counts, Outcome
from .compact import decide_compactly

MOST_FOR_TABLE = 25_000
"""Of how many packed positions a game may be for which a table is looked for."""
NO_TABLE = f"no table was looked for, of a game of more than {MOST_FOR_TABLE:,} positions"


def decide_enforced(program: ir.Program, question: f.Property, scope: Scope, meter: Meter, *, sliced: bool) -> tuple[Decision, Counts]:
    """Return whether some players can enforce what *question* says, which has the mode ``enforce``, within *scope*.

    If *sliced*, positions are not told apart by what does not matter; the answer is the same.
    """
    found = decide_compactly(program, question, scope, meter, sliced=sliced)
    if found is None:
        return decide_on_graph(program, question, scope, meter, sliced=sliced)
    decision, counts = found
    if decision.outcome is not Outcome.POSSIBLE or counts.positions > MOST_FOR_TABLE:
        return found
    other, others = decide_on_graph(program, question, scope, meter, sliced=sliced)
    if other.outcome is Outcome.UNKNOWN:  # it had no time left
        return found
    if (other.outcome, other.reason) != (decision.outcome, decision.reason):
        raise AssertionError(f"{question.name} is {other.outcome.name} on the graph, and {decision.outcome.name} on arrays")
    return other, others
