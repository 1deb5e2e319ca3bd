"""A worker, a process that looks for proofs: what goes wrong in a solver goes wrong here, and not
in the process that asks.

Every request is done in a fork of its own where the system has forks, so that the answer does not
depend on what was asked before.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Callable
from importlib import import_module

from ..process.serving import Reply, requests, say

_RARELY = 100_000
"""After how many new objects a fork looks for those that nobody has: the terms of a proof are none
of them.
"""


def main() -> None:
    """Do requests until there are no more."""
    prepare, do = _doing()
    gc.freeze()  # whoever is forked of this process need not go through what it begins with, which copies it
    for request in requests():
        prepare(request)
        say(_forked(do, request) if hasattr(os, "fork") else do(request))


def _doing() -> tuple[Callable[[bytes], None], Callable[[bytes], Reply]]:
    """Return what reads of a request all that others have in common with it, and what does it;
    where there is no solver, what says so.
    """
    try:
        do: Callable[[bytes], Reply] = import_module(".handler", __package__).do
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


def _forked(do: Callable[[bytes], Reply], request: bytes) -> Reply:
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
    reply: Reply = json.loads(said)
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
