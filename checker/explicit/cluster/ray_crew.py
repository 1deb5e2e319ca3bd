"""Crews on Ray: each worker is an actor with a `Shard`, and rows go from one to another through Ray's object stores.

Ray is begun here, for this process alone, unless the user names one that is there. It passes objects between processes as code, so who
can speak to a Ray can do all that its user can: what is begun here listens on this machine only and keeps its files in a folder that
nobody else can enter, and wants a token that only its own processes have.
"""

from __future__ import annotations

import atexit
import os
import secrets
import shutil
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from ....models.diagnostics import Diagnostic, InputError
from ...process.interrupts import INTERRUPTS
from ...types.tuning import Cluster
from ..search.tier import Elsewhere, Foresee, SearchTask
from .distributed import Distributed, WorkerLostError
from .shard import ROWS, Shard, ShardCounts

_STORE = 8 * ROWS * 8
"""How many bytes of the object store a worker here can fill: its rows under way, and those that wait for it."""
_PATIENCE = 5.0
"""How many seconds somebody at an address has to answer."""
_LEAST_STORE = 100 << 20
_SETTINGS = b"\0\0\0\4\0\0\0\0\0"
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + _SETTINGS
"""How each side begins whom Ray speaks to: HTTP/2 (RFC 9113, 3.4), a frame of settings, the fourth byte of which says so."""


def elsewhere(cluster: Cluster, foresee: Foresee) -> Elsewhere:
    """Return where searches go on that are too large for one machine: on Ray. *foresee* estimates how many positions there will be."""

    def begin(task: SearchTask) -> Distributed:
        crew = RayCrew(cluster)
        try:
            return Distributed(crew, task, foresee(task.take))
        except BaseException:
            crew.end()
            raise

    return Elsewhere(cluster.beyond, begin)


class RayCrew:
    """The workers of *cluster*, as `distributed.Crew` says; raises InputError if it cannot be used."""

    def __init__(self, cluster: Cluster) -> None:
        processors = _begun(cluster.address, cluster.workers or 0)
        self.parts = cluster.workers or processors
        if not processors:
            raise _unusable("it has no processors", "begin it with some: `ray start --num-cpus=N`")
        if self.parts > processors:
            raise _unusable(f"it has {processors} processors, and {self.parts} workers are asked for", "ask for fewer with --workers")
        self.ray: Any = import_module("ray")
        self._actor = self.ray.remote(num_cpus=1, max_restarts=0)(Shard)
        self._workers = [self._actor.remote() for _ in range(self.parts)]
        self._asked: dict[Any, int] = {}
        self._rows: dict[Any, list[Any]] = {}

    def ask(self, number: int, method: str, *arguments: object) -> Any:
        """Have a worker call a *method* of its shard."""
        ticket = getattr(self._workers[number], method).remote(*arguments)
        self._asked[ticket] = number
        return ticket

    def step(self, number: int, rows: Sequence[Any], *, advances: bool, expands: bool) -> Any:
        """Have a worker make a step."""
        ticket, *found = self._workers[number].step.options(num_returns=self.parts + 1).remote(advances, expands, *rows)
        self._asked[ticket], self._rows[ticket] = number, found
        return ticket

    def ready(self, tickets: Collection[Any], seconds: float) -> list[Any]:
        """Return those of *tickets* that have an answer, waiting so many *seconds* for the first."""
        some, _ = self.ray.wait(list(tickets), timeout=seconds)
        return list(self.ray.wait(list(tickets), num_returns=len(tickets), timeout=0)[0]) if some else []

    def answer(self, ticket: Any) -> Any:
        """Return the answer, or raise what the shard has raised; raise `WorkerLostError` if nobody will answer."""
        errors, number = self.ray.exceptions, self._asked.pop(ticket)
        try:
            return self.ray.get(ticket)
        except errors.RayError as error:
            if isinstance(error, errors.RayTaskError) and not isinstance(error.cause, errors.RayError):
                raise error.cause from None
            raise WorkerLostError(number) from None  # or a row that it was to take, with the machine that had it

    def stepped(self, ticket: Any) -> tuple[ShardCounts, list[tuple[Any, int]]]:
        """Return how far a step got, and for each part a row with the number of its bytes; raise as `answer` does."""
        rows = self._rows.pop(ticket)
        counts, sizes = self.answer(ticket)
        return counts, list(zip(rows, sizes, strict=True))

    def replace(self, number: int) -> None:
        """Begin another worker in the place of one that was lost."""
        self.ray.kill(self._workers[number])
        self._workers[number] = self._actor.remote()
        self._asked.clear()
        self._rows.clear()

    def end(self) -> None:
        """Let the workers go."""
        for worker in self._workers:
            self.ray.kill(worker)


_BEGUN: dict[str, int] = {}
"""The Ray that this process speaks to, by its address, with the number of its processors."""


def _begun(address: str, workers: int) -> int:
    """Have this process speak to the Ray at *address*, or to one begun here for so many *workers*; return how many processors it has."""
    address = os.environ.get("RAY_ADDRESS") or "local" if address == "auto" else address
    if address in _BEGUN and not (address == "local" and _BEGUN[address] < workers):
        return _BEGUN[address]
    _BEGUN.clear()
    said: dict[str, Any] = {"address": address, "log_to_driver": False, "configure_logging": False, "logging_level": "ERROR"}
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if address == "local":
        processors = max(workers, os.cpu_count() or 1)
        if "ray" not in sys.modules:  # it reads them once
            os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex()}
        said |= {
            "num_cpus": processors,
            "object_store_memory": max(_LEAST_STORE, processors * _STORE),
            "include_dashboard": False,
            "_node_ip_address": "127.0.0.1",
            "_temp_dir": str(_folder()),
        }
    else:
        _knock(address)
    try:
        with _signals_kept():
            ray: Any = import_module("ray")
            ray.shutdown()
            inside: Any = import_module("ray._private.worker")
            inside._worker_logs_enabled = False  # what becomes of workers we tell ourselves
            ray.init(**said)
        _BEGUN[address] = int(ray.cluster_resources().get("CPU", 0))
    except (ImportError, OSError, RuntimeError, ValueError) as error:
        why = str(error).strip().partition("\n")[0]
        if address == "local":
            raise _unusable(f"Ray cannot be begun: {why}") from None
        raise _unusable(f"the Ray at {address} does not let us in: {why}", "RAY_AUTH_MODE=token, if it asks for a token") from None
    return _BEGUN[address]


def _knock(address: str) -> None:
    """Raise InputError if nobody is at *address*, or somebody who does not speak as Ray does; Ray itself would try for minutes."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        hint = "it is HOST:PORT, as `ray start --head` tells it; `--cluster auto` takes that of RAY_ADDRESS, if it is set"
        raise _unusable(f"`{address}` is no address", hint)
    try:
        with socket.create_connection((host, int(port)), _PATIENCE) as there, there.makefile("rb") as stream:
            if os.environ.get("RAY_USE_TLS", "0") == "1":
                return
            there.sendall(_PREFACE)
            said = stream.read(len(_SETTINGS))
    except (OSError, OverflowError) as error:
        raise _unusable(f"nobody answers at {address}: {error}") from None
    if said[3:4] != _SETTINGS[3:4]:
        raise _unusable(f"what answers at {address} is no Ray")


def _folder() -> Path:
    """Return a folder for Ray's files and sockets that only this user can enter, gone when the process ends."""
    folder = Path(tempfile.mkdtemp(prefix="stacklaw-"))

    def gone() -> None:
        if folder.exists():
            import_module("ray").shutdown()
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(gone)
    INTERRUPTS.at_end.append(gone)
    return folder / "ray"  # Ray lets everybody into its own folder, but nobody gets there


@contextmanager
def _signals_kept() -> Iterator[None]:
    """Keep who handles SIGTERM and Ctrl-C; Ray puts itself there."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _unusable(why: str, hint: str = "docs/cluster.md says how to begin one") -> InputError:
    return InputError([Diagnostic("C117", f"the cluster cannot be used: {why}", hint=hint)])
