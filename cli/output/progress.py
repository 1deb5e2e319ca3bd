"""Progress on stderr while a search takes long, and the end of its budget."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import wraps
from time import monotonic
from typing import ParamSpec

from rich.console import Console
from rich.status import Status

from ...checker.process.interrupts import INTERRUPTS
from ...checker.types.budget import (
    INTERRUPTED,
    Budget,
    BudgetSpentError,
    Meter,
    OnProgress,
    Progress,
    half_the_memory,
)
from ...checker.types.verdict import Verdict
from .exits import Exit
from .printing import say

_Options = ParamSpec("_Options")


def within(meter: Meter) -> AbstractContextManager[None]:
    """End what is done here, as Ctrl-C does, once the budget of *meter* is more than spent: the
    search then asks too seldom.
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
    """Return *reason*; if a budget, and no interrupt, has ended the search, it names the budget."""
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


_PATIENCE = 1.0
"""After this many seconds progress is shown."""
_SPINNER = 2
"""Columns that the moving mark before the line takes."""
_SOME = 0.01
"""How full a table is, is told from this share on."""
_MINUTE, _HOUR = 60, 3600
_THOUSAND, _MILLION = 10**3, 10**6


_SHOWN: list[Status] = []
"""What stands on the terminal now."""


def hide_progress() -> None:
    """Take what stands on the terminal away, so that something else can be printed; what is told
    next stands there again.
    """
    for status in _SHOWN:
        status.stop()
    _SHOWN.clear()


@contextmanager
def progress(what: str) -> Iterator[OnProgress]:
    """Show how far the search of *what* is, as long as this context lasts."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield _telling_late(what)
        return
    console = Console(stderr=True, highlight=False, markup=False)
    status = Status(what, console=console)
    begun = monotonic()

    def on_progress(now: Progress) -> None:
        elapsed = monotonic() - begun
        if elapsed < _PATIENCE:
            return
        if status not in _SHOWN:
            status.start()
            _SHOWN.append(status)
        status.update(
            _fitting(
                f"{what} {_clock(elapsed)}, {now.what}: ",
                _progress_words(now),
                console.width - _SPINNER,
            )
        )

    try:
        yield on_progress
    finally:
        hide_progress()


@contextmanager
def metered(what: str, budget: Budget) -> Iterator[Meter]:
    """Yield what measures *budget*; how far the search of *what* is, is shown meanwhile."""
    with progress(what) as on_progress:
        yield Meter(budget, on_progress)


def _telling_late(what: str) -> OnProgress:
    """Return what tells once of each that is waited for long, in a line: somebody may look at it
    later.
    """
    told = set[str]()

    def on_progress(now: Progress) -> None:
        if now.waits_for and now.waits_for not in told:
            told.add(now.waits_for)
            say(f"{what}: waits for {now.waits_for}", err=True)

    return on_progress


def _progress_words(now: Progress) -> Sequence[str]:
    """Return what there is to say of *now*, the most important first."""
    waits = [f"waits for {now.waits_for}"] if now.waits_for else []
    if now.parts is not None:
        first = [f"open: {now.open[0]}"] if now.open else []
        return [*waits, "{} of {} questions".format(*now.parts), *first, *now.open[1:]]
    if waits:
        return [*waits, f"{now.positions:,} positions", f"layer {now.layer}"]
    said = [f"{now.positions:,} positions", f"layer {now.layer}"]
    if now.rate:
        said.insert(1, f"{_short(now.rate)} moves/s")
    if now.remaining is not None:
        said.insert(1, f"about {_duration(now.remaining)} left")
    if now.load is not None and now.load >= _SOME:
        said.append(f"table {now.load:.0%} full")
    return [*said, f"{now.mebibytes:,} MiB"]


def _fitting(head: str, said: Sequence[str], width: int) -> str:
    """Return a line of *head* and as much of *said* as *width* columns have room for, but the first
    of it in any case.

    It is never longer: what does not fit on one line of a terminal is not taken away again.
    """
    room = max(width - len(said[0]), 0)
    line = (head if len(head) <= room else f"{head[: max(room - 3, 0)]}…: ") + said[0]
    for words in said[1:]:
        longer = f"{line}, {words}"
        if len(longer) > width:
            break
        line = longer
    return line[:width]


def _clock(seconds: float) -> str:
    """Return a time as ``0:12``, with hours if there are any."""
    hours, rest = divmod(int(seconds), _HOUR)
    minutes, left = divmod(rest, _MINUTE)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


def _duration(seconds: float) -> str:
    """Return a time as people say it, roughly."""
    for unit, name in ((_HOUR, "h"), (_MINUTE, "min")):
        if seconds >= 2 * unit:
            return f"{seconds / unit:,.0f} {name}"
    return f"{seconds:.0f} s"


def _short(number: float) -> str:
    """Return a large number in three digits or so."""
    if number >= _MILLION:
        return f"{number / _MILLION:,.1f} million"
    return f"{number / _THOUSAND:,.0f},000" if number >= _THOUSAND else f"{number:.0f}"
