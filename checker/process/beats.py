"""Beats: a process that others wait for says again and again that it lives, however long it works;
one that hangs is silent.
"""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from time import sleep

from .serving import say

INTERVAL = 2.0
"""How many seconds pass between two beats."""


def start() -> None:
    """Have this process tell its number on stdout again and again, as progress
    (`checker.prover.workers`), between what else it says.
    """
    threading.Thread(target=_beat, name="beats", daemon=True).start()


def _beat() -> None:
    with suppress(OSError, ValueError):  # nobody listens any more
        while True:
            say({"progress": {"process": os.getpid()}})
            sleep(INTERVAL)
