"""The garbage collector looks seldom, and rests while a search makes millions of tuples and
numbers, and no cycles.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from .interrupts import INTERRUPTS

_SELDOM = 200_000, 20, 20
"""How many things are made between two looks for garbage, and how many such looks between two at
older ones.
"""


def look_seldom() -> None:
    """Have this process look for garbage less often than Python does: most of what it makes stays,
    and looking took a tenth of a check.
    """
    gc.set_threshold(*_SELDOM)


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the collector, and let it go on afterwards if it was on."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if (
            was_on and not INTERRUPTS.asked
        ):  # what is about to end need not tidy up, which can take seconds
            gc.enable()
