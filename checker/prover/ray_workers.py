"""Workers on a cluster: requests go to actors of Ray, each of which has a process beside it that does them.

That process is the same as on one machine (`workers`), and what crosses is the same too: a request one way, JSON the other, which are data.
A worker that is lost is replaced, and what it had is asked again, once.
"""

from __future__ import annotations

import json
import platform
from dataclasses import dataclass, replace
from typing import Any

from ...models.diagnostics import Diagnostic, InputError
from ...models.storage.digests import ENGINE, PACKAGE, code_digest
from ..process.ray_start import another_version, most_on_one, ray_at
from ..types.tuning import Cluster
from .workers import Reply, Workers, command_of

_ANSWERS = (*ENGINE, "reports", "cli")
"""The folders whose code has a say in a reply."""
_SHIPPED = "models/games", "models/examples"
_LOOK = 60.0


class Host:
    """What a worker of the cluster is: it has a process do what the ``main`` of *module* does."""

    def __init__(self, module: str) -> None:
        self._workers = Workers(command_of(module))

    def hello(self) -> tuple[str, str]:
        """Return the digest of the code here, and the name of the machine."""
        return _digest(), platform.node()

    def do(self, request: bytes) -> bytes:
        """Return what came of *request*, a `Reply`, as JSON."""
        self._workers.give(0, request)
        while (said := self._workers.reply(_LOOK)) is None or "progress" in said[1]:
            pass
        return json.dumps(said[1]).encode()


def _digest() -> str:
    """Return the digest of all that has a say in a reply: of a game that comes with stacklaw only the name goes to a worker."""
    shipped = (file for folder in _SHIPPED for file in (PACKAGE / folder).iterdir() if file.suffix in (".rules", ".proofs"))
    return code_digest(*_ANSWERS, *sorted(file.relative_to(PACKAGE).as_posix() for file in shipped))


@dataclass(frozen=True)
class _Given:
    """A *request*, the one of that *place*, which a *host* does, or will do when it *greets*; *is_again* if another was lost of it."""

    place: int
    request: bytes
    host: Any
    greets: bool
    is_again: bool = False


class RayWorkers:
    """Workers of *cluster* that do what the ``main`` of *module* does, as a `workers.Pool`; raises InputError if it cannot be used."""

    def __init__(self, cluster: Cluster, module: str) -> None:
        self._ray, self.number = ray_at(cluster.address, cluster.workers)
        self.on_one_machine = most_on_one(self._ray, self.number)
        self._module = module
        self._idle: list[Any] = []
        self._busy: dict[Any, _Given] = {}

    @property
    def busy(self) -> int:
        """How many requests are being done."""
        return len(self._busy)

    def give(self, place: int, request: bytes) -> None:
        """Have *request* done, the one of that *place*, by a worker that is idle or new."""
        if self._idle:
            self._do(_Given(place, request, self._idle.pop(), greets=False))
        else:
            self._greet(_Given(place, request, None, greets=True))

    def _greet(self, given: _Given) -> None:
        host = self._ray.remote(num_cpus=1, max_restarts=0)(Host).remote(self._module)
        self._busy[host.hello.remote()] = replace(given, host=host, greets=True)

    def _do(self, given: _Given) -> None:
        self._busy[given.host.do.remote(given.request)] = replace(given, greets=False)

    def reply(self, seconds: float) -> tuple[int, Reply] | None:
        """Return the place of a request that was given and the next reply; None if there is none in so many *seconds*.

        Raises InputError if a worker has other code, or none can begin.
        """
        ready, _ = self._ray.wait(list(self._busy), timeout=seconds)
        if not ready:
            return None
        given = self._busy.pop(ready[0])
        try:
            said = self._ray.get(ready[0])
        except self._ray.exceptions.RayError:
            return self._lost(given)
        if given.greets:
            digest, machine = said
            if digest != _digest():
                raise another_version(machine)
            self._do(given)
            return None
        reply: Reply = json.loads(said)
        if "died" in reply:  # the process beside the worker; for who waits it is the same
            return self._lost(given)
        self._idle.append(given.host)
        return given.place, reply

    def _lost(self, given: _Given) -> tuple[int, Reply] | None:
        """Ask again what a worker had that was lost, or say that it was lost too often."""
        self._ray.kill(given.host)
        if not given.is_again:
            self._greet(replace(given, is_again=True))
            return None
        if given.greets:
            hint = "the same Stacklaw has to be there, and a processor and memory for it"
            raise InputError([Diagnostic("C117", "the workers of the cluster are lost before they have begun", hint=hint)])
        return given.place, {"died": "its worker was lost, twice"}

    def close(self) -> None:
        """End all workers. A later request starts new ones; earlier requests get no answer."""
        for host in [*self._idle, *(given.host for given in self._busy.values())]:
            self._ray.kill(host)
        self._idle, self._busy = [], {}
