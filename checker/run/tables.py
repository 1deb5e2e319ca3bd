"""Tables of strategies for every size: what a table wins within the scope, tried with its rows as guards of the rules.

A table that is proved wins for every number of players and every depth: what holds of the guarded rules holds wherever its player sits on
the same seat, and no scope ends anything there. So nothing is left out of the verdict, either.
"""

from __future__ import annotations

from dataclasses import replace

from ..prover.prover import Prover
from ..types.budget import Meter
from ..types.engine import Decision


def proved_table(decision: Decision, prover: Prover, meter: Meter) -> Decision:
    """Return *decision*, if all that its table has to keep is proved without the limit to the scope."""
    if decision.table is None or decision.guarded is None:
        return decision
    attempts = prover.attempt(decision.guarded.program, decision.guarded.properties, meter)
    if any(attempt.proof is None for attempt in attempts):
        return decision
    return replace(decision, reason="", table=replace(decision.table, is_proved=True))
