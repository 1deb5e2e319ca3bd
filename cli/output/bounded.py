"""Bounded: whatever a command does for a question ends soon after the budget of that is spent, with
the reason that it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import wraps
from typing import ParamSpec

from ...checker.process.interrupts import INTERRUPTS
from ...checker.types.budget import (
    INTERRUPTED,
    Budget,
    BudgetSpentError,
    Meter,
    half_the_memory,
)
from ...checker.types.verdict import Verdict
from .exits import Exit
from .printing import say

_Options = ParamSpec("_Options")


def within(meter: Meter) -> AbstractContextManager[None]:
    """End what is done here, as Ctrl-C does, where the budget of *meter* is spent and nobody has
    asked for long.
    """
    return INTERRUPTS.bounded(meter.beyond)


def within_memory(command: Callable[_Options, int]) -> Callable[_Options, int]:
    """Return *command*, which takes no budget, so that it takes half of the memory at most."""

    @wraps(command)
    def bounded(*options: _Options.args, **more: _Options.kwargs) -> int:
        try:
            with Meter(Budget(mebibytes=half_the_memory())).watching():
                return command(*options, **more)
        except BudgetSpentError as spent:
            say(f"{spent}.", err=True)
            return Exit.UNDECIDED

    return bounded


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
