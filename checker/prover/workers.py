"""Workers: processes that do requests, and may die of them.

Requests go in, replies come out as they are ready; a worker that dies of one is replaced for the
next. Nothing that a solver does can hurt the process that asks, and Ctrl-C reaches only that one,
which then ends its workers.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Protocol
from weakref import WeakSet

from ..process import interrupts
from ..process.interrupts import INTERRUPTS
from ..process.serving import LENGTH, Reply

_BEGIN = (
    "import importlib, json, sys; sys.path[:] = "
    "json.loads(sys.argv[1]);[importlib.import_module(name).start() for name in sys.argv[2:-1]]; "
    "importlib.import_module(sys.argv[-1]).main()"
)
PROVING = f"{__package__}.worker"
"""The module of a worker that looks for proofs."""


def command_of(module: str, *beside: str) -> tuple[str, ...]:
    """Return what a worker runs that does what the ``main`` of *module* does, and ``start`` of
    *beside*: it finds modules as we do.
    """
    return sys.executable, "-I", "-c", _BEGIN, json.dumps(sys.path), _PARENT, *beside, module


_PARENT = interrupts.__name__
COMMAND = command_of(PROVING)
"""What a worker runs that looks for proofs."""
_LAST_BREATH = 5
"""How many seconds a process may take to end when it has closed what it speaks through."""
_LAST_WORDS = 0.8
"""How many seconds one that is interrupted may take to say what it has found."""
TICK = 0.1
"""How many seconds pass between two looks at the meter."""


class Pool(Protocol):
    """Who does requests, *number* of them at once, on this machine or elsewhere."""

    number: int
    on_one_machine: int
    """How many of them are on one machine, at most."""

    @property
    def busy(self) -> int:
        """How many requests are being done."""

    @property
    def waits_for(self) -> str:
        """Which of those that do them has given no sign of life for long; empty if none."""

    def give(self, place: int, request: bytes) -> None:
        """Have *request* done, the one of that *place*."""

    def reply(self, seconds: float) -> tuple[int, Reply] | None:
        """Return the place of a request that was given and the next reply; None if there is none in
        *seconds* seconds.
        """

    def last_words(self) -> Iterator[tuple[int, Reply]]:
        """End soon; yield what workers have found that were given time to say so."""

    def close(self) -> None:
        """End all workers. A later request starts new ones; earlier requests get no answer."""


def replies(
    requests: Sequence[bytes],
    number: int,
    tick: Callable[[], None],
    command: Sequence[str] = COMMAND,
    patience: float = 0,
) -> Generator[tuple[int, Reply], None, None]:
    """Yield the place and the reply of each of *requests*, as they come, done by *number* workers
    here.

    No worker lives longer than the iterator. A worker that has begun others gets *patience* seconds
    to end them.
    """
    with closing(Workers(command, patience, number)) as workers:
        yield from replies_of(workers, requests, tick)


def replies_of(
    pool: Pool, requests: Iterable[bytes], tick: Callable[[], None]
) -> Generator[tuple[int, Reply], None, None]:
    """Yield the place and the reply of each of *requests*, as they come, done by *pool*, which
    lives on if all are done.

    They are begun in their order. *tick* is called ten times a second, and may raise. After a
    KeyboardInterrupt, what patient workers have found by then comes before it is raised again.
    """
    left = enumerate(requests)
    try:
        while True:
            while pool.busy < pool.number and (given := next(left, None)) is not None:
                pool.give(*given)
            if not pool.busy:
                return
            tick()
            if (said := pool.reply(TICK)) is not None:
                yield said
    except KeyboardInterrupt:
        yield from pool.last_words()
        raise
    finally:
        if pool.busy:
            pool.close()


class Workers:
    """Processes that each do one request after the other, until this is closed; as a `Pool`,
    *number* at once.
    """

    waits_for = ""

    def __init__(
        self, command: Sequence[str] = COMMAND, patience: float = 0, number: int = 1
    ) -> None:
        self.command = command
        self.patience = patience
        self.number = number
        self.on_one_machine = number
        self._said: SimpleQueue[tuple[_Worker, bytes]] = SimpleQueue()
        self._all: list[_Worker] = []
        self._idle: list[_Worker] = []
        self._busy: dict[_Worker, int] = {}

    @property
    def busy(self) -> int:
        """How many have a request."""
        return len(self._busy)

    def give(self, place: int, request: bytes) -> None:
        """Give *request*, the one of that *place*, to one that is idle or new."""
        worker = self._idle.pop() if self._idle else None
        if worker is None or not worker.is_alive:
            worker = _Worker(self.command, self._said)
            self._all.append(worker)
        self._busy[worker] = place
        worker.give(request)

    def reply(self, seconds: float) -> tuple[int, Reply] | None:
        """Return the place of a request that was given and the next reply; None if there is none in
        *seconds* seconds.
        """
        try:
            worker, line = self._said.get(timeout=seconds) if seconds else self._said.get_nowait()
        except Empty:
            return None
        if worker not in self._busy:
            return None
        reply: Reply = json.loads(line) if line else {"died": worker.process.wait()}
        if "progress" in reply:
            return self._busy[worker], reply
        place = self._busy.pop(worker)
        if line:
            self._idle.append(worker)
        return place, reply

    def interrupt(self) -> None:
        """Ask all workers to end soon; one that has found something may still answer."""
        for worker in self._all:
            worker.process.terminate()

    def last_words(self) -> Iterator[tuple[int, Reply]]:
        """Ask all workers to end, if they have time for that, and yield what they still answer."""
        if self.patience:
            self.interrupt()
        end = monotonic() + min(self.patience, _LAST_WORDS)
        while self._busy and (left := end - monotonic()) > 0:
            said = self.reply(min(left, TICK))
            if said is not None and not said[1].keys() & {"progress", "died"}:
                yield said

    def close(self) -> None:
        """End all workers. A later request starts new ones; earlier requests get no answer."""
        if self.patience:
            self.interrupt()
        for worker in self._idle:
            worker.let_go()
        end = monotonic() + self.patience
        for worker in sorted(self._all, key=self._idle.__contains__):  # the busy ones first
            worker.stop(_LAST_WORDS if worker in self._idle else max(end - monotonic(), 0))
        self._said, self._all, self._idle, self._busy = SimpleQueue(), [], [], {}


_LIVING: WeakSet[_Worker] = WeakSet()


def _end_all() -> None:
    """End all processes that are left, when this one ends."""
    for worker in list(_LIVING):
        worker.kill()


INTERRUPTS.at_end.append(_end_all)


class _Worker:
    """One process; a thread puts what it says into *said*, line by line, and an empty line when it
    has died.
    """

    def __init__(self, command: Sequence[str], said: SimpleQueue[tuple[_Worker, bytes]]) -> None:
        self._is_gone = False
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        _LIVING.add(self)
        Thread(target=self._listen, args=(said,), daemon=True).start()

    @property
    def is_alive(self) -> bool:
        """Whether it can be asked."""
        return self.process.poll() is None

    def give(self, request: bytes) -> None:
        """Give it *request*; if it is dead by then, that is what is said."""
        assert self.process.stdin is not None
        with suppress(OSError):
            self.process.stdin.write(len(request).to_bytes(LENGTH, "big") + request)
            self.process.stdin.flush()

    def stop(self, patience: float = 0) -> None:
        """End it, and all that it has begun, unless it does so itself within *patience* seconds."""
        with suppress(subprocess.TimeoutExpired):
            if patience:
                self.process.wait(patience)
        self.kill()
        self.process.wait()
        self.let_go()

    def let_go(self) -> None:
        """Close its stdin: an idle worker ends, and so does what it has begun."""
        assert self.process.stdin is not None
        with suppress(OSError):
            self.process.stdin.close()

    def kill(self) -> None:
        """End the process, and what it has begun, which may outlive it; that is done once, for
        later the number may be another's.
        """
        if not self._is_gone:
            self._is_gone = True
            with suppress(OSError):
                if hasattr(os, "killpg"):
                    os.killpg(self.process.pid, signal.SIGKILL)
                else:
                    self.process.kill()

    def _listen(self, said: SimpleQueue[tuple[_Worker, bytes]]) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as stream:
            for line in stream:
                if line.endswith(b"\n"):
                    said.put((self, line))
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(_LAST_BREATH)
        self.kill()
        said.put((self, b""))
