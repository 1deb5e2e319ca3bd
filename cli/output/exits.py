"""Exit codes: how a command ends, for shells and CI (docs/cli.md lists them)."""

from __future__ import annotations

import signal
from enum import IntEnum

from ...checker.process.interrupts import INTERRUPTS


class Exit(IntEnum):
    """How a command ends."""

    OK = 0  # all as claimed
    NOT_MET = 1  # a claim is not met
    WRONG_INPUT = 2
    UNDECIDED = 3  # within the budget
    INTERNAL = 70  # a mistake in stacklaw itself (EX_SOFTWARE of sysexits.h)
    INTERRUPTED = 130  # as a shell says of a program ended by Ctrl-C
    BROKEN_PIPE = 141  # as a shell says of a program whose reader went away
    TERMINATED = 143  # as a shell says of a program ended by SIGTERM


_WORST_LAST = (
    Exit.OK,
    Exit.UNDECIDED,
    Exit.NOT_MET,
    Exit.WRONG_INPUT,
    Exit.INTERNAL,
    Exit.INTERRUPTED,
    Exit.TERMINATED,
)


def interrupted() -> Exit:
    """Return how a command ends that somebody has ended."""
    return Exit.TERMINATED if INTERRUPTS.asked == signal.SIGTERM else Exit.INTERRUPTED


def worst(codes: list[Exit]) -> Exit:
    """Return the worst of *codes*: how a command over several rulesets ends."""
    return max(codes, key=_WORST_LAST.index, default=Exit.OK)
