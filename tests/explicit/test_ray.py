"""Searches on Ray itself: workers in processes of their own, which die when somebody kills them;
`test_cluster.py` has the rest.
"""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Timer
from time import monotonic, sleep
from types import SimpleNamespace
from typing import Any

import pytest

from stacklaw.checker.api import check
from stacklaw.checker.explicit.cluster import distributed
from stacklaw.checker.explicit.cluster.distributed import elsewhere
from stacklaw.checker.explicit.cluster.ray_crew import RayCrew, WorkerLostError
from stacklaw.checker.explicit.native import journal
from stacklaw.checker.explicit.search.result import Result
from stacklaw.checker.explicit.search.search import search
from stacklaw.checker.types.budget import BudgetSpentError, Cluster, Meter, Progress, Tuning
from stacklaw.checker.types.verdict import Verdict
from stacklaw.models.diagnostics import InputError

from .test_threads import EVERY_BIT, found, game, watching

pytest.importorskip("llvmlite")
pytestmark = pytest.mark.skipif(
    find_spec("ray") is None, reason="Ray is not installed: pip install 'stacklaw[cluster]'"
)
GAMES = [
    ("zx", "D-15"),
    ("fow", "lifo"),
    ("stack", "STK-8"),
    ("mtg", "lifo"),
    ("fftcg", "settled_before_priority"),
]


def on_ray(workers: int, tuning: Tuning | None = None, meter: Meter | None = None) -> Result:
    there = elsewhere(Cluster("auto", workers, beyond=500), lambda _: 0)
    return search(
        watching(game()), meter or Meter(), 10, watch=EVERY_BIT, tuning=tuning, elsewhere=there
    )


@pytest.mark.parametrize("workers", [4, 3, 2])
def test_the_number_of_workers_changes_nothing(workers: int) -> None:
    assert on_ray(workers) == found(watching(game()), 1)


def test_workers_that_are_killed_in_the_middle_of_a_layer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "INTERVAL", 0.0)
    steps, killed, plainly = [0], list[int](), RayCrew.take_step

    def step(
        crew: RayCrew,
        number: int,
        earlier: Sequence[Any],
        rows: Sequence[Any],
        *,
        advances: bool,
        expands: bool,
    ) -> Any:
        steps[0] += 1
        if steps[0] in (60, 100):
            pid = crew.ray.get(crew._workers[number].__ray_call__.remote(lambda _: os.getpid()))
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)
        return plainly(crew, number, earlier, rows, advances=advances, expands=expands)

    monkeypatch.setattr(RayCrew, "take_step", step)
    assert on_ray(3, Tuning(checkpoints=tmp_path)) == found(watching(game()), 1)
    assert len(set(killed)) == 2


def test_workers_on_disk_of_which_one_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their tables are small, and none of them grows."""
    monkeypatch.setattr(journal, "INTERVAL", 0.0)
    swept, killed, plainly = list[int](), list[int](), RayCrew.ask

    def let_be_small(_: Any) -> None:
        def full(*_: object) -> None:
            raise import_module("stacklaw.checker.types.budget").BudgetSpentError

        vars(import_module("stacklaw.checker.explicit.native.kernel")).update(
            SLOTS_LOG=10, BUFFERED=64
        )
        import_module("stacklaw.checker.explicit.search.on_disk").OnDisk._grow = full

    def ask(crew: RayCrew, number: int, method: str, *arguments: object) -> Any:
        worker = crew._workers[number]
        if method == "prepare":
            crew.ray.get(worker.__ray_call__.remote(let_be_small))
        elif method == "settle_fresh":
            swept.append(number)
            if (tmp_path / "there").exists() and len(swept) > 60 and not killed:
                killed.append(crew.ray.get(worker.__ray_call__.remote(lambda _: os.getpid())))
                os.kill(killed[0], signal.SIGKILL)
        return plainly(crew, number, method, *arguments)

    monkeypatch.setattr(RayCrew, "ask", ask)
    whole = found(watching(game()), 1)
    assert on_ray(2, Tuning(disk=tmp_path / "disk")) == whole
    assert not killed
    assert on_ray(2, Tuning(disk=tmp_path / "disk", checkpoints=tmp_path / "there")) == whole
    assert len(killed) == 1
    assert not list((tmp_path / "disk").iterdir())


def test_a_worker_that_is_stopped_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distributed, "LATE", 0.3)
    steps, stopped, told, plainly = [0], list[int](), list[Progress](), RayCrew.take_step

    def step(
        crew: RayCrew,
        number: int,
        earlier: Sequence[Any],
        rows: Sequence[Any],
        *,
        advances: bool,
        expands: bool,
    ) -> Any:
        steps[0] += 1
        if steps[0] == 60:
            stopped.append(
                crew.ray.get(crew._workers[1].__ray_call__.remote(lambda _: os.getpid()))
            )
            os.kill(stopped[0], signal.SIGSTOP)
            Timer(1.5, os.kill, (stopped[0], signal.SIGCONT)).start()
        return plainly(crew, number, earlier, rows, advances=advances, expands=expands)

    monkeypatch.setattr(RayCrew, "take_step", step)
    assert on_ray(3, meter=Meter(on_progress=told.append)) == found(watching(game()), 1)
    assert f"worker 2 of 3 (process {stopped[0]} on {platform.node()})" in {
        now.waits_for for now in told
    }


def test_a_worker_that_is_killed_with_nothing_written_down(monkeypatch: pytest.MonkeyPatch) -> None:
    plainly = RayCrew.take_step

    def step(
        crew: RayCrew,
        number: int,
        earlier: Sequence[Any],
        rows: Sequence[Any],
        *,
        advances: bool,
        expands: bool,
    ) -> Any:
        crew.ray.kill(crew._workers[number])
        return plainly(crew, number, earlier, rows, advances=advances, expands=expands)

    monkeypatch.setattr(RayCrew, "take_step", step)
    assert "of 2 was lost, and nothing had been written down" in on_ray(2).stopped


def test_a_worker_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distributed, "engine_digest", lambda: "another")
    with pytest.raises(InputError, match="runs another version"):
        on_ray(2)


def test_whatever_becomes_of_a_worker_or_of_a_row_it_is_lost() -> None:
    errors = import_module("ray").exceptions
    row_lost = errors.RayTaskError("step", "", errors.ObjectLostError("0" * 56, None, ""))
    for error in (errors.OutOfMemoryError("too much"), errors.NodeDiedError("gone"), row_lost):
        with pytest.raises(WorkerLostError):
            answering(error)
    with pytest.raises(BudgetSpentError, match="no room"):
        answering(errors.RayTaskError("step", "", BudgetSpentError("no room")))


def answering(error: Exception) -> Any:
    """Return what a crew answers where Ray raises *error*."""

    def get(_: str) -> None:
        raise error

    crew = object.__new__(RayCrew)
    crew.ray, crew._asked = (
        SimpleNamespace(exceptions=import_module("ray").exceptions, get=get),
        {"a ticket": 1},
    )
    return crew.answer("a ticket")


@pytest.mark.parametrize("address", ["127.0.0.1:1", "here", "a:999999"])
def test_nobody_at_the_address(address: str) -> None:
    with pytest.raises(InputError, match=r"nothing answers at|is no address"):
        search(
            watching(game()),
            Meter(),
            10,
            elsewhere=elsewhere(Cluster(address, beyond=500), lambda _: 0),
        )


@pytest.mark.parametrize(("game", "name"), GAMES)
def test_a_game_is_decided_as_on_one_machine(
    game: str, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Slices, symmetry and spotlights are in the text, which is the same; so are plays."""
    assert decided(game, name, Tuning(cluster=Cluster("auto", 2, beyond=0))) == decided(
        game, name, Tuning()
    )
    assert capfd.readouterr() == ("", "")


def decided(game: str, name: str, tuning: Tuning) -> tuple[Any, ...]:
    verdict = check(game, name, engine="explicit", tuning=tuning)
    assert isinstance(verdict, Verdict)
    return verdict.outcome, verdict.trace, verdict.counts, verdict.notes


@pytest.mark.parametrize("which", ["gcs_server", "raylet"])
def test_the_head_of_a_ray_dies(which: str) -> None:
    """In a process of its own, which has no other Ray afterwards: it is told why, and the process
    ends as any other.
    """
    asked = subprocess.run(
        [sys.executable, "-c", _HEADLESS, which],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert f"the {which} of Ray ended" in asked.stdout
    folder = asked.stdout.splitlines()[0]
    until = monotonic() + 10
    while Path(folder).exists() and monotonic() < until:
        sleep(0.1)
    assert folder
    assert not Path(folder).exists()


_HEADLESS = """
import sys
from importlib import import_module
from stacklaw.checker.explicit.cluster.ray_crew import RayCrew
from stacklaw.tests.explicit.test_ray import on_ray
steps, plainly = [], RayCrew.take_step
def step(crew, *asked, **more):
    steps.append(asked)
    node = import_module("ray._private.worker")._global_node
    if len(steps) == 60:
        print(node.get_session_dir_path())
        for one in node.all_processes[sys.argv[1]]:
            one.process.kill()
    return plainly(crew, *asked, **more)
RayCrew.take_step = step
print(on_ray(2).stopped)
"""
