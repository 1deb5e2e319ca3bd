"""Serving: a process that does requests, ends with its parent, and collects garbage seldom.

In comes, on stdin, each request after its length; out goes, on stdout, a line of JSON for each, and
before it as many as there are about how far it is. What came of a request is a node or a tuple of
such, told as `Trees` do.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import sleep
from typing import Any

from ...models.trees import Trees
from .interrupts import INTERRUPTS

_SELDOM = 50_000, 20, 20
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


LENGTH = 8
"""How many bytes say how long a request is."""
Reply = dict[str, Any]
"""What came of a request: its ``answer`` as data, or ``died``, how the process ended instead (the
exit code, a negative signal, or in words), or in a word of the worker's own why there is none.

What says ``progress`` is no answer yet: the worker goes on.
"""


def requests() -> Iterator[bytes]:
    """Yield one request after the other, until there are no more."""
    while length := sys.stdin.buffer.read(LENGTH):
        yield sys.stdin.buffer.read(int.from_bytes(length, "big"))


def serve(answer: Callable[[bytes], Reply]) -> None:
    """*Answer* one request after the other until there are no more, or somebody ends this."""
    INTERRUPTS.begin()
    try:
        for request in requests():
            say(answer(request))
            INTERRUPTS.check()
    except (KeyboardInterrupt, BrokenPipeError):
        pass  # nobody waits for more
    finally:
        INTERRUPTS.finish()


def say(reply: Reply) -> None:
    """Say *reply* to the client."""
    sys.stdout.buffer.write(json.dumps(reply).encode() + b"\n")
    sys.stdout.buffer.flush()


def answered(trees: Trees, answer: object) -> Reply:
    """Return the reply that has this *answer*."""
    return {"answer": trees.as_bytes(answer).decode()}


def answer_in(trees: Trees, reply: Reply, kind: Any) -> Any:
    """Return the answer in *reply*, which is of that *kind*; None if there is none. Raises
    ValueError if it is of another.
    """
    return trees.from_bytes(reply["answer"].encode(), kind) if "answer" in reply else None
