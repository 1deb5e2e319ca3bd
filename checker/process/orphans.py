"""Orphans: a process that another one has begun ends soon after that one, whatever ends it, and
does no work that nobody waits for.
"""

from __future__ import annotations

import os
import signal
import threading
from time import sleep

_LOOK = 0.5
"""How many seconds pass between two looks at the parent."""
_PATIENCE = 2.0
"""How many seconds it has to tidy up."""


def start() -> None:
    """Have this process, which leads a group of its own, end with that group when its parent has
    ended, where a system has groups.
    """
    if hasattr(os, "killpg"):
        threading.Thread(target=_watch, args=(os.getppid(),), name="orphans", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        sleep(_LOOK)
    os.killpg(os.getpgrp(), signal.SIGTERM)
    sleep(_PATIENCE)
    os.killpg(os.getpgrp(), signal.SIGKILL)
