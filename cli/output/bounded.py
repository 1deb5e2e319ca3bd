"""Bounded: whatever a command does for a question ends soon after the budget of that is spent, with
the reason that it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

from ...checker.process.interrupts import INTERRUPTS
from ...checker.types.budget import INTERRUPTED, Meter
from ...checker.types.verdict import Verdict


def within(meter: Meter) -> AbstractContextManager[None]:
    """End what is done here, as Ctrl-C does, where the budget of *meter* is spent and nobody has
    asked for long.
    """
    return INTERRUPTS.bounded(meter.beyond)


def why_ended(reason: str) -> str:
    """Return *reason*, in which a budget is named that has ended what nobody has interrupted."""
    return (
        reason.replace(INTERRUPTED, INTERRUPTS.over)
        if INTERRUPTS.over and not INTERRUPTS.asked
        else reason
    )


def with_reasons(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Return *verdicts* with such reasons."""
    return [
        replace(one, reason=why_ended(one.reason), unproved=why_ended(one.unproved))
        for one in verdicts
    ]
