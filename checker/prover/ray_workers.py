"""Workers on a cluster: requests go to actors of Ray, which say again and again that they live.

That process is the same as on one machine (`workers`), and what crosses is the same too: a request
one way, JSON the other, which are data. A worker that is lost is replaced, and what it had is asked
again, once. A question may take hours, so whether somebody hangs is told by signs of life: the
process beats, and the worker says, while that works, when it heard the last beat.
"""

from __future__ import annotations

import json
import os
import platform
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic, sleep
from typing import Any

from ...models.diagnostics import wrong_input
from ...models.frozen import frozen
from ...models.storage.key import ENGINE, PACKAGE, code_digest
from ..process.ray_start import another_version, most_on_one, ray_at, why_gone
from ..process.serving import Reply, say
from ..types.budget import Cluster
from .workers import Workers, command_of

INTERVAL = 2.0
"""How many seconds pass between two beats."""


def start() -> None:
    """Have this process tell its number on stdout again and again, as progress
    (`checker.prover.workers`), between what else it says.
    """
    threading.Thread(target=_beat, name="beats", daemon=True).start()


def _beat() -> None:
    with suppress(OSError, ValueError):  # the listener is gone
        while True:
            say({"progress": {"process": os.getpid()}})
            sleep(INTERVAL)


_ANSWERS = (*ENGINE, "reports", "cli")
"""The folders whose code has a say in a reply."""
_SHIPPED = "models/games", "models/examples"
_LOOK = 60.0
LATE = 10.0
"""After how many seconds without a sign of life somebody is late."""
_LISTEN = 1.0
"""How many seconds pass between two looks for signs of life, at least."""


class Host:
    """What a worker of the cluster is: it has a process do what the ``main`` of *module* does."""

    def __init__(self, module: str) -> None:
        self._workers = Workers(command_of(module, __name__))
        self._process, self._heard = os.getpid(), monotonic()

    def hello(self) -> tuple[str, str, int]:
        """Return the digest of the code here, the name of the machine, and the number of the
        process.
        """
        return _digest(), platform.node(), os.getpid()

    def do(self, request: bytes) -> bytes:
        """Return what came of *request*, a `Reply`, as JSON."""
        self._heard = monotonic()
        self._workers.give(0, request)
        while (said := self._workers.reply(_LOOK)) is None or "progress" in said[1]:
            if said is not None:
                self._process = said[1]["progress"].get("process", self._process)
                self._heard = monotonic()
        return json.dumps(said[1]).encode()

    def pulse(self) -> tuple[int, float]:
        """Return the number of the process that does what is asked, and how many seconds ago that
        was heard; it may be asked meanwhile.
        """
        return self._process, monotonic() - self._heard


_HAVING_A_SAY = (".rules", ".claims", ".rulings", ".proofs")


def _digest() -> str:
    """Return the digest of all that has a say in a reply: of a game that comes with stacklaw only
    the name goes to a worker.
    """
    shipped = (
        file
        for folder in _SHIPPED
        for file in (PACKAGE / folder).iterdir()
        if file.suffix in _HAVING_A_SAY
    )
    return code_digest(*_ANSWERS, *sorted(file.relative_to(PACKAGE).as_posix() for file in shipped))


@dataclass(eq=False)
class _Begun:
    """A worker: its *actor*, and when each process on its *machine* was *heard*, the actor's first;
    *pulse* is what it owes of that.
    """

    actor: Any
    machine: str = ""
    heard: dict[int, float] = field(default_factory=lambda: {0: monotonic()})
    pulse: Any = None

    @property
    def late(self) -> str:
        """Which process has given no sign of life for long; empty if none."""
        for process, heard in self.heard.items():
            if monotonic() - heard > LATE:
                return (
                    f"process {process} on {self.machine}"
                    if self.machine
                    else "a worker that has not begun"
                )
        return ""


@frozen
class _Given:
    """A *request*, the one of that *place*, which a *host* does *since* then, or will do when it
    *greets*.

    *is_again* if another worker was lost of it.
    """

    place: int
    request: bytes
    host: _Begun
    since: float
    greets: bool
    is_again: bool = False


class RayWorkers:
    """Workers of *cluster* that do what the ``main`` of *module* does, as a `workers.Pool`; raises
    InputError if it cannot be used.

    Who hangs is waited for, but given up, with its request, when that has had *seconds* seconds
    (None: never).
    """

    def __init__(self, cluster: Cluster, module: str, seconds: float | None = None) -> None:
        self._ray, self.number = ray_at(cluster.address, cluster.workers)
        self.on_one_machine = most_on_one(self._ray, self.number)
        self._module, self._seconds, self._listened = module, seconds, monotonic()
        self._idle: list[_Begun] = []
        self._busy: dict[Any, _Given] = {}

    @property
    def busy(self) -> int:
        """How many requests are being done."""
        return len(self._busy)

    @property
    def waits_for(self) -> str:
        """Which process has given no sign of life for long; empty if none."""
        return next((late for given in self._busy.values() if (late := given.host.late)), "")

    def give(self, place: int, request: bytes) -> None:
        """Have *request* done, the one of that *place*, by a worker that is idle or new."""
        if why_gone():
            self._busy[object()] = _Given(place, request, _Begun(None), monotonic(), greets=True)
        elif self._idle:
            self._do(place, request, self._idle.pop())
        else:
            self._greet(place, request)

    def _greet(self, place: int, request: bytes, *, is_again: bool = False) -> None:
        host = _Begun(
            self._ray.remote(num_cpus=1, max_restarts=0, max_concurrency=2)(Host).remote(
                self._module
            )
        )
        self._busy[host.actor.hello.remote()] = _Given(
            place, request, host, monotonic(), greets=True, is_again=is_again
        )

    def _do(self, place: int, request: bytes, host: _Begun, *, is_again: bool = False) -> None:
        host.heard = dict.fromkeys(host.heard, monotonic())
        self._busy[host.actor.do.remote(request)] = _Given(
            place, request, host, monotonic(), greets=False, is_again=is_again
        )

    def reply(self, seconds: float) -> tuple[int, Reply] | None:
        """Return the place of a request that was given and the next reply; None if there is none in
        *seconds* seconds.

        Raises InputError if a worker has other code, or none can begin.
        """
        if why := why_gone():
            return self._gone(why)
        self._listen()
        ready, _ = self._ray.wait(list(self._busy), timeout=seconds)
        if not ready:
            return self._given_up()
        given = self._busy.pop(ready[0])
        try:
            said = self._ray.get(ready[0])
        except self._ray.exceptions.RayError:
            return self._lost(given)
        if given.greets:
            digest, given.host.machine, process = said
            if digest != _digest():
                raise another_version(given.host.machine)
            given.host.heard = {process: monotonic()}
            self._do(given.place, given.request, given.host, is_again=given.is_again)
            return None
        reply: Reply = json.loads(said)
        if "died" in reply:  # the process beside the worker; for who waits it is the same
            return self._lost(given)
        self._idle.append(given.host)
        return given.place, reply

    def _listen(self) -> None:
        """Take the signs of life that there are of who is busy, and ask for others, now and
        then.
        """
        if (now := monotonic()) - self._listened < _LISTEN:
            return
        self._listened = now
        for host in [given.host for given in self._busy.values() if not given.greets]:
            if host.pulse is not None and self._ray.wait([host.pulse], timeout=0)[0]:
                with suppress(
                    self._ray.exceptions.RayError
                ):  # then it is lost, and so is what it does
                    process, silent = self._ray.get(host.pulse)
                    host.heard = {next(iter(host.heard)): now, process: now - silent}
                host.pulse = None
            if host.pulse is None:
                host.pulse = host.actor.pulse.remote()

    def _gone(self, why: str) -> tuple[int, Reply] | None:
        """Return that one more request will get no answer, if there is one."""
        return (self._busy.popitem()[1].place, {"died": why}) if self._busy else None

    def _given_up(self) -> tuple[int, Reply] | None:
        """Give up a request whose time is up and whose worker is late, if there is one."""
        for ticket, given in self._busy.items():
            if (
                self._seconds is not None
                and monotonic() - given.since > self._seconds
                and (late := given.host.late)
            ):
                del self._busy[ticket]
                self._ray.kill(given.host.actor)
                return given.place, {"died": f"{late} gave no sign of life"}
        return None

    def _lost(self, given: _Given) -> tuple[int, Reply] | None:
        """Ask again what a worker had that was lost, or say that it was lost too often."""
        self._ray.kill(given.host.actor)
        if not given.is_again:
            self._greet(given.place, given.request, is_again=True)
            return None
        if given.greets:
            hint = "the same Stacklaw has to be there, and a processor and memory for it"
            raise wrong_input(
                "C117", "the workers of the cluster are lost before they have begun", hint=hint
            )
        return given.place, {"died": "its worker was lost, twice"}

    def last_words(self) -> Iterator[tuple[int, Reply]]:
        """Yield nothing: what is done elsewhere is given no time to end."""
        return iter(())

    def close(self) -> None:
        """End all workers. A later request starts new ones; earlier requests get no answer."""
        for host in (
            [] if why_gone() else [*self._idle, *(given.host for given in self._busy.values())]
        ):
            self._ray.kill(host.actor)
        self._idle, self._busy = [], {}
