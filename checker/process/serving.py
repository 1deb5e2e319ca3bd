"""Serving: a process that does requests, one after the other. `checker.prover.workers` is the other
end.

In comes, on stdin, each request after its length; out goes, on stdout, a line of JSON for each, and
before it as many as there are about how far it is. What came of a request is a node or a tuple of
such, told as `Trees` do.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from ...models.trees import Trees
from .interrupts import INTERRUPTS

LENGTH = 8
"""How many bytes say how long a request is."""
Reply = dict[str, Any]
"""What came of a request: its ``answer`` as data, or ``died``, how the process ended instead (the
exit code, a negative signal, or in words), or in a word of the worker's own why there is none.

What says ``progress`` is no answer yet: the worker goes on.
"""


def serve(answer: Callable[[bytes], Reply], is_full: Callable[[], bool] = lambda: False) -> None:
    """*Answer* one request after the other until there are no more, or this process *is full*."""
    while not is_full() and (length := sys.stdin.buffer.read(LENGTH)):
        say(answer(sys.stdin.buffer.read(int.from_bytes(length, "big"))))


def serve_until_ended(answer: Callable[[bytes], Reply]) -> None:
    """*Answer* requests until there are no more, or a signal ends this process."""
    INTERRUPTS.begin()

    def is_ended() -> bool:
        INTERRUPTS.check()
        return False

    try:
        serve(answer, is_ended)
    except (KeyboardInterrupt, BrokenPipeError):
        pass  # the reader is gone
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
