"""A worker, a process that looks for proofs: what goes wrong in a solver goes wrong here, and not
in the process that asks.

Where the system has forks every search for a proof is done in a fork of its own, so that the answer
does not depend on what was asked before. Certificates are rechecked in one fork, one after the
other, which saves a fifth of their time. What that fork rejects, or dies of, is asked again of a
new one; and it ends when it has become large.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module

from ..process.serving import LENGTH, Reply, serve
from ..types.budget import memory_in_use

_LARGE = 300
"""How many megabytes a fork may have taken if it is to do more; those of the games take 100."""
_RARELY = 100_000
"""After how many new objects a fork looks for those that are unreachable: the terms of a proof are
none of them.
"""


def main() -> None:
    """Do requests until there are no more."""
    prepare, do = _doing()
    # A fork need not go through what this process begins with, which would copy it.
    gc.freeze()
    children = Children(do) if hasattr(os, "fork") else None
    if children is None:
        serve(do)
        return
    serve(lambda request: children.answer(request, prepare(request)))
    children.dismiss()


def _doing() -> tuple[Callable[[bytes], bool], Callable[[bytes], Reply]]:
    """Return what reads of a request all that others have in common with it, and says whether one
    fork may do several such; and what does it. Where there is no solver, what says so.
    """
    try:
        do: Callable[[bytes], Reply] = import_module(".handler", __package__).do
        prepare: Callable[[bytes], bool] = import_module(".request", __package__).prepare
    except ModuleNotFoundError as error:
        missing = (
            "Z3 is not installed (`pip install z3-solver`)" if error.name == "z3" else str(error)
        )
    except Exception as error:
        # z3 raises an exception of its own where its library is missing.
        missing = f"{type(error).__name__}: {error}".splitlines()[0]
    else:
        return prepare, do
    return lambda _: False, lambda _: {"missing": missing}


class Children:
    """Processes forked of this one that *do* requests; one is kept for those that may be done after
    others.
    """

    def __init__(self, do: Callable[[bytes], Reply]) -> None:
        self._do = do
        self._kept: _Child | None = None

    def answer(self, request: bytes, is_shared: bool) -> Reply:
        """Return the reply to *request*, from a fork of its own unless it *is_shared*."""
        fork = (self._kept if is_shared else None) or _Child(self._do)
        is_new, reply = fork is not self._kept, fork.answer(request)
        if is_shared and not reply.keys() & {"died", "again"}:
            self._kept = fork
            return reply
        fork.finish()
        if is_new:
            return reply
        self._kept = None
        return self.answer(request, is_shared)

    def dismiss(self) -> None:
        """End the one that is kept, and wait for it, so that its time is added to ours."""
        if self._kept is not None:
            self._kept.finish()


class _Child:
    """A new process that does requests, and may die of one."""

    def __init__(self, do: Callable[[bytes], Reply]) -> None:
        asked, asking = os.pipe()
        told, telling = os.pipe()
        # A later fork has our ends of these pipes, too: this one ends when neither is left.
        self._pid = os.fork()
        if self._pid == 0:
            code = 1
            try:
                os.close(asking)
                os.close(told)
                _let_go()
                gc.set_threshold(_RARELY)
                sys.stdin, sys.stdout = os.fdopen(asked), os.fdopen(telling, "w")
                most = memory_in_use() + _LARGE
                serve(do, lambda: memory_in_use() > most)
                code = 0
            finally:
                os._exit(code)
        os.close(asked)
        os.close(telling)
        self._asking, self._told = os.fdopen(asking, "wb"), os.fdopen(told, "rb")

    def answer(self, request: bytes) -> Reply:
        """Return the reply to *request*, or how the process ended."""
        with suppress(BrokenPipeError):
            self._asking.write(len(request).to_bytes(LENGTH, "big") + request)
            self._asking.flush()
        line = self._told.readline()
        if not line.endswith(b"\n"):
            return {"died": self.finish()}
        reply: Reply = json.loads(line)
        return reply

    def finish(self) -> int:
        """Let the process end, and return its exit code; a negative signal if it died of one."""
        if not self._told.closed:
            with suppress(BrokenPipeError):
                self._asking.close()
            self._told.close()
            self._code = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
        return self._code


def _let_go() -> None:
    """Let go of stdin and stdout: the listener has to see that the worker is gone while this goes
    on.
    """
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nothing, stream)


if __name__ == "__main__":
    main()
