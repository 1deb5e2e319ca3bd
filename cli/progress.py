"""Progress on stderr, while a search takes longer than a second and somebody is there to see it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from rich.console import Console
from rich.status import Status

from ..checker.budget import OnProgress, Progress

_PATIENCE = 1.0
"""Seconds without progress that nobody minds."""


@contextmanager
def progress(what: str) -> Iterator[OnProgress]:
    """Show how far the search of *what* is, as long as this context lasts."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    status = Status(what, console=Console(stderr=True, highlight=False, markup=False))
    shown, begun = False, monotonic()

    def on_progress(now: Progress) -> None:
        nonlocal shown
        if monotonic() - begun < _PATIENCE:
            return
        if not shown:
            status.start()
            shown = True
        rate = f"{now.rate:,.0f} moves/s"
        status.update(
            f"{what}: {now.what}, layer {now.layer}, {now.positions:,} positions, {now.moves:,} moves, {rate}, {now.mebibytes:,} MiB"
        )

    try:
        yield on_progress
    finally:
        if shown:
            status.stop()
