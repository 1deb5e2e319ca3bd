"""Requests to the workers of a cluster: lost ones are asked again, other code is refused;
`../cli/test_questions.py` has Ray itself.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from types import SimpleNamespace
from typing import Any

import pytest

from stacklaw.checker.prover import ray_workers
from stacklaw.checker.prover import ray_workers as beats
from stacklaw.checker.prover.ray_workers import Host, RayWorkers
from stacklaw.checker.prover.workers import Workers, command_of, replies_of
from stacklaw.checker.types import budget
from stacklaw.checker.types.budget import Cluster
from stacklaw.models.diagnostics import InputError
from stacklaw.models.storage import key


class RayError(Exception):
    pass


class DiedError(RayError):
    pass


@dataclass
class FakeRay:
    """A Ray whose actors work in this process: *does* gets the number of the call and the request.
    What it raises is raised to the caller.

    Waiting takes a second. The request ``hang`` is answered after *answers_at* seconds, a *pulse*
    that is None never.
    """

    does: Callable[[int, bytes], bytes]
    calls: int = 0
    hosts: int = 0
    killed: list[Any] = field(default_factory=list)
    greeting: Callable[[], tuple[str, str, int]] = lambda: Host("json").hello()
    pulse: tuple[int, float] | None = (77, 0.0)
    answers_at: int = 0
    seconds: int = 0
    exceptions: Any = field(default_factory=lambda: SimpleNamespace(RayError=RayError))

    def remote(self, **_: Any) -> Callable[[type[Host]], Any]:
        def begin(_module: str) -> Any:
            self.hosts += 1
            pulse = self._call(lambda: self.pulse, lambda: self.pulse is not None)
            return SimpleNamespace(
                hello=self._call(self.greeting), do=self._call(self._do, self._answers), pulse=pulse
            )

        return lambda _kind: SimpleNamespace(remote=begin)

    def _do(self, request: bytes) -> bytes:
        self.calls += 1
        return self.does(self.calls, request)

    def _answers(self, request: bytes) -> bool:
        return request != b"hang" or self.seconds >= self.answers_at

    def _call(self, do: Callable[..., Any], answers: Callable[..., bool] = lambda *_: True) -> Any:
        return SimpleNamespace(
            remote=lambda *given: SimpleTicket(lambda: do(*given), lambda: answers(*given))
        )

    def wait(self, tickets: list[Any], timeout: float) -> tuple[list[Any], list[Any]]:
        self.seconds += timeout > 0
        ready = [ticket for ticket in tickets if ticket.answers()][-1:]
        return ready, [ticket for ticket in tickets if ticket not in ready]

    def get(self, ticket: Any) -> Any:
        return ticket.do()

    def kill(self, host: Any) -> None:
        self.killed.append(host)

    def nodes(self) -> list[dict[str, Any]]:
        return [{"Alive": True, "Resources": {"CPU": 2.0}}, {"Alive": True, "Resources": {}}]


@dataclass(eq=False)
class SimpleTicket:
    do: Callable[[], Any]
    answers: Callable[[], bool]


@pytest.fixture
def begin(monkeypatch: pytest.MonkeyPatch) -> Callable[..., RayWorkers]:
    def begun(ray: FakeRay, seconds: float | None = None) -> RayWorkers:
        monkeypatch.setattr(budget, "find_spec", lambda name: name)
        monkeypatch.setattr(ray_workers, "ray_at", lambda _address, workers: (ray, workers))
        monkeypatch.setattr(ray_workers, "monotonic", lambda: ray.seconds)
        return RayWorkers(Cluster("auto", 3), "json", seconds)

    return begun


def told(request: bytes) -> bytes:
    return json.dumps({"said": request.decode()}).encode()


def all_of(workers: RayWorkers, *requests: bytes) -> dict[int, Any]:
    return dict(replies_of(workers, requests, lambda: None))


def test_each_request_is_done_by_one_of_so_many_workers(
    begin: Callable[[FakeRay], RayWorkers],
) -> None:
    ray = FakeRay(lambda _, request: told(request))
    workers = begin(ray)
    assert (workers.number, workers.on_one_machine) == (3, 2)
    assert all_of(workers, b"a", b"b", b"c", b"d", b"e") == {
        at: {"said": word} for at, word in enumerate("abcde")
    }
    assert ray.hosts <= 3
    assert not ray.killed
    workers.close()
    assert len(ray.killed) == ray.hosts


def test_what_a_lost_worker_had_is_asked_again_once(begin: Callable[[FakeRay], RayWorkers]) -> None:
    lost = list[bytes]()

    def does(_: int, request: bytes) -> bytes:
        if request == b"poison" or (request == b"once" and b"once" not in lost):
            lost.append(request)
            raise DiedError
        return told(request)

    ray = FakeRay(does)
    found = all_of(begin(ray), b"a", b"once", b"poison", b"b")
    assert found == {
        0: {"said": "a"},
        1: {"said": "once"},
        2: {"died": "its worker was lost, twice"},
        3: {"said": "b"},
    }
    assert lost.count(b"once") == 1
    assert lost.count(b"poison") == 2
    assert len(ray.killed) == 3


def test_the_process_beside_a_worker_is_as_good_as_the_worker(
    begin: Callable[[FakeRay], RayWorkers],
) -> None:
    ray = FakeRay(lambda call, request: b'{"died": -9}' if call == 1 else told(request))
    assert all_of(begin(ray), b"a") == {0: {"said": "a"}}
    assert len(ray.killed) == 1


@pytest.mark.parametrize(
    ("pulse", "late"), [(None, os.getpid()), ((77, 99.0), 77)], ids=["worker", "beside"]
)
def test_who_hangs_is_named_and_given_up_when_its_time_is_up(
    pulse: tuple[int, float] | None, late: int, begin: Callable[..., RayWorkers]
) -> None:
    """A worker that does not answer, or the process beside it, which is silent."""
    ray, named = (
        FakeRay(lambda _, request: told(request), pulse=pulse, answers_at=1 << 60),
        list[str](),
    )
    workers = begin(ray, 30.0)
    found = dict(
        replies_of(workers, [b"a", b"hang", b"b"], lambda: named.append(workers.waits_for))
    )
    who = f"process {late} on {platform.node()}"
    assert found == {0: {"said": "a"}, 1: {"died": f"{who} gave no sign of life"}, 2: {"said": "b"}}
    assert set(named) == {"", who}
    assert len(ray.killed) == 1
    assert 30 < ray.seconds < 40


def test_who_lives_is_waited_for_however_long_it_takes(begin: Callable[..., RayWorkers]) -> None:
    ray, named = FakeRay(lambda _, request: told(request), answers_at=1000), set[str]()
    workers = begin(ray, 30.0)
    assert dict(replies_of(workers, [b"hang"], lambda: named.add(workers.waits_for))) == {
        0: {"said": "hang"}
    }
    assert ray.seconds >= 1000
    assert named == {""}


def test_a_process_beside_a_worker_beats_while_it_works(tmp_path: Path) -> None:
    """What it says is told from its beats, which have its number."""
    (tmp_path / "slow.py").write_text(
        "import sys, time\ndef main():\n  time.sleep(1)\n  print('{}', flush=True)\n"
    )
    command = command_of("slow", beats.__name__)
    with closing(
        Workers((*command[:4], json.dumps([str(tmp_path), *json.loads(command[4])]), *command[5:]))
    ) as workers:
        workers.give(0, b"")
        assert workers.reply(20) == (0, {"progress": {"process": workers._all[0].process.pid}})
        assert workers.reply(20) == (0, {})


def test_a_worker_of_another_version_is_refused(begin: Callable[[FakeRay], RayWorkers]) -> None:
    ray = FakeRay(lambda _, request: told(request), greeting=lambda: ("another", "far", 1))
    with pytest.raises(InputError, match=r"C117.*on far runs another version"):
        all_of(begin(ray), b"a")
    assert not ray.calls


def test_a_worker_with_another_text_of_a_game_is_of_another_version(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = ray_workers._digest()
    plainly = key._of_file

    def of_file(file: Path) -> bytes:
        return b"edited" if file.name == "mtg.rules" else plainly(file)

    key.code_digest.cache_clear()
    monkeypatch.setattr(key, "_of_file", of_file)
    assert ray_workers._digest() != here
    key.code_digest.cache_clear()


def test_workers_that_never_begin_are_no_mistake_of_a_question(
    begin: Callable[[FakeRay], RayWorkers],
) -> None:
    def greeting() -> tuple[str, str, int]:
        raise DiedError

    with pytest.raises(InputError, match=r"C117.*lost before they have begun"):
        all_of(begin(FakeRay(lambda _, request: told(request), greeting=greeting)), b"a")


def test_who_asks_no_more_leaves_no_worker(begin: Callable[[FakeRay], RayWorkers]) -> None:
    ray = FakeRay(lambda _, request: told(request))
    coming = replies_of(begin(ray), [b"a", b"b", b"c", b"d"], lambda: None)
    next(coming)
    coming.close()
    assert len(ray.killed) == ray.hosts == 3


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no groups of processes")
def test_a_process_ends_soon_after_the_one_that_has_begun_it(tmp_path: Path) -> None:
    (tmp_path / "endless.py").write_text(
        "import os, sys, time\ndef main():\n  print(os.getpid(), flush=True)\n  time.sleep(100)\n"
    )
    command = command_of("endless")
    path = json.dumps([str(tmp_path), *json.loads(command[4])])
    words = [*command[:4], path, *command[5:]]
    begun = (
        "import subprocess, sys, time\n"
        f"subprocess.Popen({words!r}, start_new_session=True)\ntime.sleep(100)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", begun], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.kill()
    end = monotonic() + 20
    while monotonic() < end and _is_running(pid):
        sleep(0.1)
    assert not _is_running(pid)


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return (
            Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
            != "Z"
        )
    except OSError:
        return False
