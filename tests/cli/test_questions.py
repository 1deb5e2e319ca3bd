"""Questions that go to the workers of a cluster are answered there as on one machine; with Ray,
where it is installed.
"""

from __future__ import annotations

import json
import os
import platform
import signal
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from stacklaw.checker.prover import ray_workers
from stacklaw.checker.prover.ray_workers import RayWorkers

from .test_all_readings import RULES
from .test_commands import Stacklaw, stacklaw

__all__ = ["stacklaw"]
pytestmark = pytest.mark.skipif(
    find_spec("ray") is None, reason="Ray is not installed: pip install 'stacklaw[cluster]'"
)
CLUSTER = ("--cluster", "auto", "--workers", "2")


@pytest.fixture(autouse=True)
def rules(tmp_path: Path, stacklaw: Stacklaw) -> None:
    (tmp_path / "two.rules").write_text(RULES, encoding="utf-8")
    assert stacklaw("prove", "two.rules", "--property", "lifo")[0] == 0


def test_all_readings(stacklaw: Stacklaw) -> None:
    command = ("check", "met.rules", "two.rules", "--all-readings", "--format", "json")
    there = stacklaw(*command, *CLUSTER)
    assert there == stacklaw(*command)
    assert (there[0], there[2]) == (1, "")
    assert "PROVED" in there[1]


def test_a_comparison(stacklaw: Stacklaw) -> None:
    command = (
        "compare",
        "met.rules",
        "two.rules",
        "two.rules@keeps=next",
        "-p",
        "lifo",
        "-p",
        "hold_priority",
        "--format",
        "json",
    )
    assert stacklaw(*command, *CLUSTER) == stacklaw(*command)


def test_mutants(stacklaw: Stacklaw) -> None:
    command = ("mutate", "met.rules", "--format", "json")
    assert stacklaw(*command, *CLUSTER) == stacklaw(*command)


def test_workers_that_are_killed(stacklaw: Stacklaw, monkeypatch: pytest.MonkeyPatch) -> None:
    """One is asked again; of what kills every worker nothing is known."""
    given, plainly = list[int](), RayWorkers._do

    def do(workers: RayWorkers, place: int, request: bytes, host: Any, **more: Any) -> None:
        plainly(workers, place, request, host, **more)
        if place == 1 or (place == 0 and 0 not in given):
            given.append(place)
            os.kill(next(iter(host.heard)), signal.SIGKILL)

    monkeypatch.setattr(RayWorkers, "_do", do)
    there = json.loads(
        stacklaw("check", "two.rules", "--all-readings", "--format", "json", *CLUSTER)[1]
    )["rulesets"]
    assert sorted(given) == [0, 1, 1]
    assert [any(row["verdict"] == "UNKNOWN" for row in one["rows"]) for one in there] == [
        False,
        True,
        False,
        False,
    ]
    assert {row["reason"] for row in there[1]["rows"]} == {
        "the process that looked at it ended (its worker was lost, twice)"
    }


@pytest.mark.parametrize("which", ["worker", "beside"])
def test_who_hangs_is_named_and_given_up(
    which: str, stacklaw: Stacklaw, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it was asked is UNKNOWN when the time is up; everything else is found."""
    monkeypatch.setattr(ray_workers, "LATE", 3.0)
    stopped, plainly = list[int](), RayWorkers._listen

    def listen(workers: RayWorkers) -> None:
        plainly(workers)
        for given in workers._busy.values():
            heard = list(given.host.heard)
            if given.place == 1 and not stopped and len(heard) == 2:
                stopped.append(heard[which == "beside"])
                os.kill(stopped[0], signal.SIGSTOP)

    monkeypatch.setattr(RayWorkers, "_listen", listen)
    monkeypatch.setattr(ray_workers, "_LISTEN", 0.0)
    _, out, err = stacklaw(
        "check", "two.rules", "--all-readings", "--time", "8", "--format", "json", *CLUSTER
    )
    os.kill(stopped[0], signal.SIGCONT)
    there = json.loads(out)["rulesets"]
    assert [any(row["verdict"] == "UNKNOWN" for row in one["rows"]) for one in there] == [
        False,
        True,
        False,
        False,
    ]
    who = f"process {stopped[0]} on {platform.node()}"
    assert {row["reason"] for row in there[1]["rows"]} == {
        f"the process that looked at it ended ({who} gave no sign of life)"
    }
    assert f"waits for {who}" in err
