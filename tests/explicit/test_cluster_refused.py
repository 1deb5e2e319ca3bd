"""What is no cluster, and what no cluster does, is refused in a sentence; none of it needs Ray."""

from __future__ import annotations

import socket
from pathlib import Path
from threading import Thread

import pytest

from stacklaw.checker.explicit.cluster import ray_crew
from stacklaw.checker.process import ray_start
from stacklaw.checker.types import budget
from stacklaw.checker.types.budget import Cluster
from stacklaw.cli.main import run
from stacklaw.models.diagnostics import InputError


def test_without_ray_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(budget, "find_spec", lambda _: None)
    assert run(["check", "zx", "--cluster", "auto"]) == 2
    said = capsys.readouterr().err
    assert "C116" in said
    assert "a cluster needs Ray, which is not installed" in said
    assert "pip install 'stacklaw[cluster]'" in said


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["check", "zx", "--workers", "2"], "say which with --cluster"),
        (["check", "zx", "--cluster", "auto", "--workers", "0"], "C117"),
        (
            ["check", "zx", "--cluster", "auto", "--checkpoint", "{}", "--all-readings"],
            "--checkpoint is of one reading",
        ),
        (
            ["check", "zx", "--cluster", "auto", "--disk", "{}", "--all-readings"],
            "--disk is of one reading",
        ),
        (["check", "zx", "--cluster", "auto", "--engine", "reference"], "C109"),
        (
            ["compare", "zx", "zx", "-p", "lifo", "--cluster", "auto", "--disk", "{}"],
            "--disk is of one search by a whole cluster",
        ),
    ],
)
def test_what_no_cluster_does_is_refused(
    command: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(budget, "find_spec", lambda name: name)
    assert run([part.format(tmp_path) for part in command]) == 2
    assert said in capsys.readouterr().err


def test_a_cluster_without_processors_finds_nothing_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With no worker there would be no position, and nothing that breaks anything."""
    monkeypatch.setattr(budget, "find_spec", lambda name: name)
    monkeypatch.setattr(ray_start, "_begun", lambda _address, _workers: 0)
    with pytest.raises(InputError, match=r"C117.*no processors"):
        ray_crew.RayCrew(Cluster("127.0.0.1:6379"))


@pytest.mark.parametrize("said", [b"HTTP/1.0 400 Bad Request\r\n\r\n", b""])
def test_somebody_else_at_the_address_is_no_cluster(
    said: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "find_spec", lambda name: name)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            there, _ = server.accept()
            with there:
                there.recv(100)
                there.sendall(said)

        thread = Thread(target=answer)
        thread.start()
        with pytest.raises(InputError, match="is no Ray"):
            ray_crew.RayCrew(Cluster(f"127.0.0.1:{server.getsockname()[1]}"))
        thread.join()
