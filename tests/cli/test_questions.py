"""Questions that go to the workers of a cluster are answered there as on one machine; with Ray, where it is installed."""

from __future__ import annotations

import json
import os
import signal
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from stacklaw.checker.prover.ray_workers import RayWorkers

from .test_all_readings import RULES
from .test_commands import Stacklaw, stacklaw

__all__ = ["stacklaw"]
pytestmark = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: pip install 'stacklaw[cluster]'")
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
    command = ("compare", "met.rules", "two.rules", "two.rules@keeps=next", "-p", "lifo", "-p", "hold_priority", "--format", "json")
    assert stacklaw(*command, *CLUSTER) == stacklaw(*command)


def test_mutants(stacklaw: Stacklaw) -> None:
    command = ("mutate", "met.rules", "--format", "json")
    assert stacklaw(*command, *CLUSTER) == stacklaw(*command)


def test_workers_that_are_killed(stacklaw: Stacklaw, monkeypatch: pytest.MonkeyPatch) -> None:
    """One is asked again; of what kills every worker nothing is known."""
    given, plainly = list[int](), RayWorkers._do

    def do(workers: RayWorkers, one: Any) -> None:
        pid = workers._ray.get(one.host.__ray_call__.remote(lambda _: os.getpid()))
        plainly(workers, one)
        if one.place == 1 or (one.place == 0 and not given):
            given.append(one.place)
            os.kill(pid, signal.SIGKILL)

    monkeypatch.setattr(RayWorkers, "_do", do)
    there = json.loads(stacklaw("check", "two.rules", "--all-readings", "--format", "json", *CLUSTER)[1])["rulesets"]
    assert sorted(given) == [0, 1, 1]
    assert [any(row["verdict"] == "UNKNOWN" for row in one["rows"]) for one in there] == [False, True, False, False]
    assert {row["reason"] for row in there[1]["rows"]} == {"the process that looked at it ended (its worker was lost, twice)"}
