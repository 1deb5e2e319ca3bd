"""Telling: what shows a verdict that is known already, as far as the budget goes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..types.budget import INTERRUPTED, BudgetSpentError, Meter
from ..types.engine import Decision


def within_budget(
    decision: Decision, meter: Meter, without: str, tell: Callable[[], Decision]
) -> Decision:
    """Return what *tell* makes of *decision*; if the budget or somebody ends that, the same with a
    note *without* what it is, and why.
    """
    try:
        if not (reason := meter.why_over):
            return tell()
    except BudgetSpentError as spent:
        reason = str(spent)
    except KeyboardInterrupt:
        meter.interrupted, reason = True, INTERRUPTED
    return untold(decision, without, reason)


def untold(decision: Decision, without: str, reason: str) -> Decision:
    """Return *decision* with a note that it is told *without* something, for a *reason*."""
    return replace(
        decision, notes=(*decision.notes, f"{decision.question.name} is {without}: {reason}")
    )
