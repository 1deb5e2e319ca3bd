"""Ending: a server that another process has begun ends with it, however that ended."""

from __future__ import annotations

import os
import signal
import sys
from threading import Thread


def end_with_stdin() -> None:
    """Have this process end as SIGTERM ends it once whoever holds the other end of stdin is
    gone.
    """
    Thread(target=_watch, name="stdin", daemon=True).start()


def _watch() -> None:
    while sys.stdin.buffer.read(1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
