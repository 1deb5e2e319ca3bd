"""The garbage collector rests while a search makes millions of tuples and numbers, and no cycles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from .interrupts import INTERRUPTS


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the collector, and let it go on afterwards if it was on."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on and not INTERRUPTS.asked:  # what is about to end need not tidy up, which can take seconds
            gc.enable()
