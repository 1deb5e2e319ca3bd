"""Shards that have no room left go on on disk, and find what is found in memory; `test_ray.py` has
the same with Ray.
"""

from __future__ import annotations

import platform
import resource
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stacklaw.checker.explicit.cluster import shard
from stacklaw.checker.explicit.cluster import shard as cluster_kernel
from stacklaw.checker.explicit.native import kernel, memory, table
from stacklaw.checker.explicit.native.layers import Log
from stacklaw.checker.explicit.search import on_disk
from stacklaw.checker.explicit.search.result import Result
from stacklaw.checker.types import budget
from stacklaw.checker.types.budget import Budget, Meter, Tuning

from . import test_disk
from .test_cluster import Asked, HereCrew, everything_is_small, has_its_result_only, parted, went_on
from .test_disk import ended_early
from .test_threads import found, game, watching

__all__ = ["everything_is_small"]
pytest.importorskip("llvmlite")


@pytest.fixture(autouse=True)
def little_is_known_as_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (cluster_kernel, shard):
        monkeypatch.setattr(module, "SENT_LOG", 8)


@pytest.fixture
def swept(everything_is_small: None, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    return test_disk.small(monkeypatch)


@pytest.mark.parametrize(("parts", "extra"), [(1, 0), (2, 60), (3, 0)])
def test_the_number_of_shards_changes_nothing(
    parts: int, extra: int, swept: list[int], tmp_path: Path
) -> None:
    one = watching(game(extra))
    assert parted(one, HereCrew(parts), Tuning(disk=tmp_path)) == found(one, 1)
    assert len(swept) > 50
    assert not list(tmp_path.iterdir())


def test_it_goes_to_disk_when_memory_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With 300 KiB for each of three; or with any for the first, which is in memory while others
    are on disk.
    """
    monkeypatch.setattr(memory, "_MEBIBYTE", 1 << 10)
    monkeypatch.setattr(memory, "memory_in_use", lambda: 0)
    monkeypatch.setattr(budget, "memory_in_use", lambda: 0)
    times, one, little = (
        test_disk.small(monkeypatch, grows=True),
        watching(game(60)),
        Budget(mebibytes=900),
    )
    whole = found(one, 1)
    assert "has no room" in parted(one, HereCrew(3), meter=Meter(little)).stopped
    for crew in (HereCrew(3), OneIsLarge(3)):
        assert parted(one, crew, Tuning(disk=tmp_path), Meter(little)) == whole
        assert times
        times.clear()


class OneIsLarge(HereCrew):
    """A crew of which the first worker has more memory than it needs."""

    def ask(self, number: int, method: str, *arguments: Any) -> Asked:
        if method == "prepare" and number == 0:
            arguments = (replace(arguments[0], mebibytes=None),)
        return super().ask(number, method, *arguments)


def test_what_is_fresh_may_be_full_in_the_middle_of_a_layer(
    swept: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        on_disk,
        "largest",
        lambda room, size, _positions, least: table.largest(room, size, least, least),
    )
    monkeypatch.setattr(kernel, "SLOTS_LOG", 7)
    one = watching(game())
    result = parted(one, HereCrew(2), Tuning(disk=tmp_path))
    assert len(swept) > 2 * result.counts.layers + 50
    assert result == found(one, 1)


@pytest.mark.parametrize("when", [{40}, {90, 91}])
def test_a_lost_worker_begins_again_at_the_last_barrier(
    when: set[int], swept: list[int], tmp_path: Path
) -> None:
    one, disk = watching(game()), tmp_path / "disk"
    crew = HereCrew(2, lambda step, _: step in when)
    assert parted(one, crew, Tuning(checkpoints=tmp_path / "there", disk=disk)) == found(one, 1)
    assert swept
    assert crew.times == len(when)
    has_its_result_only(tmp_path / "there")
    assert not disk.exists() or not list(disk.iterdir())


@pytest.mark.parametrize("positions", [3000, 6000, 9000, 12_000])
def test_a_search_that_stops_within_a_layer_goes_on_from_where_that_began(
    positions: int, swept: list[int], tmp_path: Path
) -> None:
    """Then the logs of shards on disk have some of the following layer, too."""
    one, how = watching(game()), Tuning(checkpoints=tmp_path, disk=tmp_path)
    assert parted(one, HereCrew(2), how, Meter(Budget(positions=positions))).stopped
    assert swept
    went_on(
        parted(one, HereCrew(2), replace(how, resume=True), Meter(Budget(mebibytes=100_000))),
        found(one, 1),
    )


@pytest.mark.parametrize("room", [1 << 13, 1 << 40])
def test_it_goes_on_from_its_checkpoint(
    room: int, swept: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On disk at once, where the tables have no room for what is known, or in memory again."""
    one, how = watching(game()), Tuning(checkpoints=tmp_path, disk=tmp_path)
    whole = found(one, 1)
    assert "9,000 positions" in parted(one, HereCrew(2), how, Meter(Budget(positions=9000))).stopped
    swept.clear()
    monkeypatch.setattr(memory.Room, "has", lambda _, size: size <= room)
    went_on(
        parted(one, HereCrew(2), replace(how, resume=True), Meter(Budget(mebibytes=100_000))), whole
    )
    assert swept


def test_a_full_disk_ends_it(swept: list[int], tmp_path: Path) -> None:
    """What it says names the machine whose disk it is."""
    one, before = watching(game()), resource.getrlimit(resource.RLIMIT_FSIZE)
    whole = found(one, 1)
    for most in (100, 50_000):
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
        try:
            result = parted(one, HereCrew(2), Tuning(disk=tmp_path), beyond=0)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert (
            result.stopped
            == f"the search cannot go on in {tmp_path} on {platform.node()}: File too large"
        )
        ended_early(result, whole)


def test_a_disk_that_cannot_be_read_any_more_ends_it(
    swept: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No play is told then, for its positions are there."""
    one, plainly, left = watching(game()), Log.read, [60]

    def read(log: Log, first: int, number: int, into: memory.Memory) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(5, "Input/output error")
        plainly(log, first, number, into)

    def stopped(result: Result) -> None:
        assert "Input/output error" in result.stopped
        assert result.hits
        assert not result.plays

    monkeypatch.setattr(Log, "read", read)
    stopped(parted(one, HereCrew(2), Tuning(disk=tmp_path)))
    left[0] = 60
    stopped(test_disk.there(one, tmp_path))
