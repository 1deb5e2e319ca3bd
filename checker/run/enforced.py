"""Enforced: what becomes of the answer that nobody can enforce something, where the scope cut moves
that might decide it; and whether what somebody can enforce takes acting for ever.

The first is asked with more room. If somebody can there, the answer is open; if nobody could even
if all that is cut there were won, it stands at every larger size. Else it is told of the scopes
that were looked at, and no claim rests on it.
"""

from __future__ import annotations

from dataclasses import replace

from ...models import ir
from ...models.ir import Program
from ...properties import formula as f
from ...properties.formula import Property
from ..enforcing.decide import decide_compactly, decide_enforced
from ..types.budget import BudgetSpentError, Meter
from ..types.engine import Decision
from ..types.scope import Scope
from ..types.verdict import Counts, Outcome
from .cuts import asks, cut_words, larger_sizes, with_more_room

_MOST = 400_000
"""How many packed positions are looked at in each larger scope."""
STALLING = "It takes acting for ever: with `acts only finitely often` beside the goal nobody can."
_LARGER = 2
"""How many larger scopes are looked at, one after the other."""


def enforced(
    program: Program, question: Property, scope: Scope, meter: Meter, *, sliced: bool, packed: bool
) -> tuple[Decision, Counts]:
    """Return whether some players can enforce what *question* says, as `decide_enforced`, and what
    of that rests on moves that were cut.
    """
    decision, counts = decide_enforced(
        program, question, scope, meter, sliced=sliced, packed=packed
    )
    if decision.outcome == Outcome.IMPOSSIBLE and decision.reason:
        decision = _with_more_room(program, decision, scope, meter, sliced=sliced)
    if decision.outcome == Outcome.POSSIBLE and not decision.reason:
        decision = _stalling(program, decision, scope, meter, sliced=sliced)
    return decision, counts


def _stalling(
    program: Program, decision: Decision, scope: Scope, meter: Meter, *, sliced: bool
) -> Decision:
    """Return *decision*, that somebody can enforce something, with a note if nobody can who does
    not act for ever.
    """
    asked = decision.question.enforced
    assert asked is not None
    if any(goal.kind == "finitely" for goal in asked.goals) or meter.why_over:
        return decision
    acts = (f.PlayerEvent("acts", ir.Local(name)) for name in asked.coalition)
    finitely = tuple(f.Goal("finitely", one) for one in acts)
    stricter = replace(decision.question, enforced=replace(asked, goals=(*asked.goals, *finitely)))
    found = _decided(program, stricter, scope, meter, sliced=sliced)
    if found is None or found.outcome != Outcome.IMPOSSIBLE or found.reason:
        return decision
    return replace(decision, notes=(*decision.notes, STALLING))


def _with_more_room(
    program: Program, decision: Decision, scope: Scope, meter: Meter, *, sliced: bool
) -> Decision:
    """Return what *decision*, that nobody can enforce something, comes to with more room than
    *scope* has.
    """
    question, larger, why = decision.question, scope, decision.reason
    sizes, first = larger_sizes(scope, scope), larger_sizes(scope, scope)
    try:
        for _ in range(_LARGER):
            before, larger = larger, with_more_room(program, larger, meter)
            if larger == before:
                break
            first = first or larger_sizes(scope, larger)
            found = _decided(program, question, larger, meter, sliced=sliced)
            if found is None or found.outcome not in (Outcome.POSSIBLE, Outcome.IMPOSSIBLE):
                break
            sizes = larger_sizes(scope, larger)
            if found.outcome == Outcome.POSSIBLE:
                return _open(decision, f"it can be enforced with more room: ask with {asks(sizes)}")
            if not found.reason:
                return replace(decision, reason="")
    except BudgetSpentError:
        pass
    except KeyboardInterrupt:
        meter.interrupted = True
    if not sizes:
        return _open(decision, f"{why}; {cut_words(first)}")
    return replace(decision, reason=f"{why}; with more room ({asks(sizes)}) nobody can, either")


def _decided(
    program: Program, question: Property, scope: Scope, meter: Meter, *, sliced: bool
) -> Decision | None:
    """Return what `decide_compactly` finds of few positions; None if it cannot say."""
    room = Meter(replace(meter.left(), positions=_MOST), meter.on_progress)
    found = decide_compactly(program, question, scope, room, sliced=sliced)
    meter.interrupted |= room.interrupted
    return None if found is None else found[0]


def _open(decision: Decision, reason: str) -> Decision:
    """Return that *decision* is open, for that *reason*."""
    return Decision(Outcome.UNKNOWN, decision.question, reason=reason, sliced=decision.sliced)
