"""A worker, a process that looks for proofs: what goes wrong in a solver goes wrong here, and not
in the process that asks.

In comes, on stdin, one request after the other, each after its length in eight bytes; out goes, on
stdout, a line of JSON for each. Every request is done in a fork of its own where the system has
forks, so that the answer does not depend on what was asked before. `checker.workers` is the other
end.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

_RARELY = 100_000
"""After so many new objects a fork looks for those that nobody has: the terms of a proof are none
of them.
"""
LENGTH = 8
"""How many bytes say how long a request is."""
_Reply = dict[str, Any]


def main() -> None:
    """Do requests until there are no more."""
    prepare, do = _doing()
    gc.freeze()  # whoever is forked of this process need not go through what it begins with, which copies it
    while length := sys.stdin.buffer.read(LENGTH):
        request = sys.stdin.buffer.read(int.from_bytes(length, "big"))
        prepare(request)
        reply = _forked(do, request) if hasattr(os, "fork") else do(request)
        sys.stdout.buffer.write(json.dumps(reply).encode() + b"\n")
        sys.stdout.buffer.flush()


def _doing() -> tuple[Callable[[bytes], None], Callable[[bytes], _Reply]]:
    """Return what reads of a request all that others have in common with it, and what does it;
    where there is no solver, what says so.
    """
    try:
        do: Callable[[bytes], _Reply] = import_module(".handler", __package__).do
        prepare: Callable[[bytes], None] = import_module(".request", __package__).prepare
    except ModuleNotFoundError as error:
        missing = (
            "Z3 is not installed (`pip install z3-solver`)" if error.name == "z3" else str(error)
        )
    except Exception as error:
        # z3 raises an exception of its own where its library is missing.
        missing = f"{type(error).__name__}: {error}".splitlines()[0]
    else:
        return prepare, do
    return lambda _: None, lambda _: {"missing": missing}


def _forked(do: Callable[[bytes], _Reply], request: bytes) -> _Reply:
    """Do *request* in a new process, which may die."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(reading)
            _let_go()
            gc.set_threshold(_RARELY)
            with os.fdopen(writing, "wb") as stream:
                stream.write(json.dumps(do(request)).encode())
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        said = stream.read()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code:
        return {"died": code}
    reply: _Reply = json.loads(said)
    return reply


def _let_go() -> None:
    """Have no part in what is said and heard: whoever listens to the worker has to see that it is
    gone while this goes on.
    """
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (sys.stdin, sys.stdout):
        os.dup2(nothing, stream.fileno())


if __name__ == "__main__":
    main()
