"""Shards find what one machine finds, even if any of their workers is lost, at any time;
`test_ray.py` has the same with Ray.
"""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from stacklaw.checker.explicit.cluster import distributed, shard
from stacklaw.checker.explicit.cluster.distributed import Distributed
from stacklaw.checker.explicit.cluster.ray_crew import RayCrew, WorkerLostError
from stacklaw.checker.explicit.cluster.shard import Shard, ShardCounts
from stacklaw.checker.explicit.emit.emit import Emitted
from stacklaw.checker.explicit.native import journal
from stacklaw.checker.explicit.native.layers import Log
from stacklaw.checker.explicit.search.result import Result
from stacklaw.checker.explicit.search.search import search
from stacklaw.checker.explicit.search.tier import Elsewhere, SearchTask
from stacklaw.checker.types import budget
from stacklaw.checker.types.budget import Budget, BudgetSpentError, Meter, Progress, Tuning
from stacklaw.models.diagnostics import InputError

from .test_threads import EVERY_BIT, found, game, let_be_small, watching

pytest.importorskip("llvmlite")


@dataclass(eq=False)
class Asked:
    number: int
    answer: Any
    error: Exception | None = None


class HereCrew(RayCrew):
    """A crew in this process, which answers at once; worker *n* is lost when *lost* says so of the
    number of a step and of *n*.
    """

    def __init__(
        self, parts: int, lost: Callable[[int, int], bool] = lambda _step, _number: False
    ) -> None:
        self.parts, self.lost, self.steps, self.bytes = parts, lost, 0, 0
        self.shards: list[Shard | None] = [Shard() for _ in range(parts)]
        self.times = 0

    def ask(self, number: int, method: str, *arguments: object) -> Asked:
        if self.shards[number] is None:
            return Asked(number, None, WorkerLostError(number))
        try:
            return Asked(number, getattr(self.shards[number], method)(*arguments))
        except Exception as error:
            # As a worker does, it raises what it is asked for when somebody wants the answer.
            return Asked(number, None, error)

    def take_step(
        self,
        number: int,
        earlier: Sequence[bytes],
        rows: Sequence[bytes],
        *,
        advances: bool,
        expands: bool,
    ) -> Asked:
        self.steps += 1
        if self.lost(self.steps, number):
            self.times += 1
            self._end(number)  # everything is gone
        self.bytes += sum(map(len, (*earlier, *rows)))
        return self.ask(number, "take_step", len(earlier), advances, expands, *earlier, *rows)

    def ready(self, tickets: Collection[Asked], seconds: float) -> list[Asked]:
        assert seconds > 0
        return list(tickets)[-1:]  # the order is anybody's guess

    def answer(self, ticket: Asked) -> Any:
        if ticket.error is not None:
            raise ticket.error
        return ticket.answer

    def stepped(self, ticket: Asked) -> tuple[ShardCounts, list[tuple[bytes, int]]]:
        (counts, sizes), *rows = self.answer(ticket)
        return counts, list(zip(rows, sizes, strict=True))

    def replace(self, number: int) -> None:
        self._end(number)
        self.shards[number] = Shard()

    def dismiss(self) -> None:
        for number in range(self.parts):
            self._end(number)

    def _end(self, number: int) -> None:
        if (one := self.shards[number]) is not None:
            one.end()
        self.shards[number] = None


@pytest.fixture(autouse=True)
def everything_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    let_be_small(monkeypatch, 13, 256)
    monkeypatch.setattr(shard, "ROWS", 256)
    monkeypatch.setattr(shard, "STEP", 512)
    monkeypatch.setattr(distributed, "MOST_WAITING", 1024)
    monkeypatch.setattr(distributed, "AT_ONCE", 2)
    monkeypatch.setattr(journal, "INTERVAL", 0.0)


def parted(
    emitted: Emitted,
    crew: HereCrew,
    how: Tuning | None = None,
    meter: Meter | None = None,
    beyond: int = 500,
) -> Result:
    there = Elsewhere(beyond, lambda task: Distributed(crew, task))
    return search(emitted, meter or Meter(), 10, watch=EVERY_BIT, tuning=how, elsewhere=there)


def has_its_result_only(folder: Path) -> None:
    """Hold that no logs are left of a search that has ended."""
    assert [path.suffix for path in folder.iterdir()] == [".json"]


def went_on(result: Result, whole: Result) -> None:
    """Hold that *result* is the *whole*, from a checkpoint on."""
    assert result.note.startswith("it went on from the checkpoint after")
    assert replace(result, note="") == whole


@pytest.mark.parametrize("extra", [0, 60])
def test_the_number_of_shards_changes_nothing(extra: int) -> None:
    one = watching(game(extra))
    expected = found(one, 1)
    assert set(expected.hits) == set(expected.plays) == {0, 1, 2}
    for parts in (1, 2, 3, 4):
        crew = HereCrew(parts)
        assert parted(one, crew) == expected
        assert crew.steps > 50 * parts
        if parts > 1:
            assert 0 < crew.bytes < 8 * one.layout.words * expected.counts.moves


def test_a_search_that_stays_small_stays_here() -> None:
    one, crew = watching(game(scope={"stack": 1})), HereCrew(2)
    assert parted(one, crew, beyond=1_000_000) == found(one, 1)
    assert not crew.steps


def test_a_search_that_ends_early_ends_after_the_same_layer() -> None:
    one, crew = watching(game()), HereCrew(3)
    goal = replace(EVERY_BIT, wanted=0b11)
    there = Elsewhere(0, lambda task: Distributed(crew, task))
    assert search(one, Meter(), 10, watch=goal, elsewhere=there) == search(
        one, Meter(), 10, watch=goal
    )


# ------------------------------------------------------------------ workers that are lost


@pytest.mark.parametrize("when", [{40}, {40, 90}, {41, 42}, {40, 200, 300}])
def test_a_lost_worker_begins_again_at_the_last_barrier(tmp_path: Path, when: set[int]) -> None:
    one = watching(game(60))
    crew = HereCrew(3, lambda step, _: step in when)
    result = parted(one, crew, Tuning(checkpoints=tmp_path))
    assert result == found(one, 1)
    assert crew.times == len(when)
    has_its_result_only(tmp_path)


def test_a_lost_worker_without_checkpoints_ends_it() -> None:
    one, crew = watching(game()), HereCrew(2, lambda step, _: step == 120)
    result, whole = parted(one, crew), found(one, 1)
    assert "worker" in result.stopped
    assert "--checkpoint" in result.stopped
    assert 0 < result.complete_layers == result.counts.layers - 1 < whole.counts.layers
    assert result.counts.positions < whole.counts.positions
    assert all(whole.hits[bit] == moves for bit, moves in result.hits.items())
    assert all(
        moves > result.complete_layers
        for bit, moves in whole.hits.items()
        if bit not in result.hits
    )


def test_a_worker_that_is_lost_again_and_again_ends_it(tmp_path: Path) -> None:
    crew = HereCrew(2, lambda step, number: step > 60 and number == 1)
    result = parted(watching(game()), crew, Tuning(checkpoints=tmp_path))
    assert "4th since anything was written down" in result.stopped


def test_a_log_that_another_has_changed_is_not_gone_on_from(tmp_path: Path) -> None:
    def spoil(step: int, _: int) -> bool:
        if step == 100:
            for log in tmp_path.glob("*-1.log"):
                log.write_bytes(bytes(8) + log.read_bytes()[8:])
        return step == 100

    result = parted(watching(game()), HereCrew(2, spoil), Tuning(checkpoints=tmp_path))
    assert "is damaged" in result.stopped


def test_workers_that_are_lost_before_they_begin_leave_what_was_found_here() -> None:
    crew = HereCrew(2)
    crew.shards[1] = None
    result = parted(watching(game()), crew)
    assert "worker 2 of 2 was lost before it had begun" in result.stopped
    assert result.counts.positions > 500
    assert result.complete_layers == result.counts.layers - 1


class Replacing(HereCrew):
    """A crew of two of which the second is lost once; then it does *replaced* and begins again *on*
    a machine, at first on another one.
    """

    def __init__(self, replaced: Callable[[], None] = lambda: None, on: str = "far") -> None:
        super().__init__(2, lambda step, _: step == 100)
        self.replaced, self.on, self.machines = replaced, on, ["near", "far"]
        self.specs = list[shard.ShardSpec]()

    def ask(self, number: int, method: str, *arguments: Any) -> Asked:
        self.specs += arguments if method == "prepare" else ()
        asked = super().ask(number, method, *arguments)
        if method == "hello":
            asked.answer = asked.answer[0], self.machines[number], 1
        return asked

    def replace(self, number: int) -> None:
        super().replace(number)
        self.machines = [self.on if one == number else "near" for one in range(2)]
        self.replaced()


def test_a_search_that_is_interrupted_while_a_worker_begins_again_is_gone_on_with(
    tmp_path: Path,
) -> None:
    asked = list[bool]()

    def interrupt(_: Progress) -> None:
        if asked:
            raise KeyboardInterrupt

    one, how = watching(game(60)), Tuning(checkpoints=tmp_path)
    stopped = parted(one, Replacing(lambda: asked.append(True)), how, Meter(on_progress=interrupt))
    assert stopped.stopped == budget.INTERRUPTED
    assert stopped.counts.positions > 500
    asked.clear()
    went_on(parted(one, HereCrew(2), replace(how, resume=True)), found(one, 1))


def test_a_worker_that_begins_again_in_another_version_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crew = Replacing(lambda: monkeypatch.setattr(shard, "engine_digest", lambda: "another"))
    result = parted(watching(game(60)), crew, Tuning(checkpoints=tmp_path))
    assert re.search(
        r"worker \d of 2 was lost, and the worker on \w+ runs another version", result.stopped
    )
    assert crew.shards == [None, None]


def test_workers_share_the_memory_of_the_machine_where_one_begins_again(tmp_path: Path) -> None:
    one, crew = watching(game(60)), Replacing(on="near")
    assert parted(
        one, crew, Tuning(checkpoints=tmp_path), Meter(Budget(mebibytes=100_000))
    ) == found(one, 1)
    assert [spec.mebibytes for spec in crew.specs] == [100_000, 100_000, 50_000, 50_000]


def test_whatever_ends_a_search_the_workers_go(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **_more: object) -> None:
        raise ZeroDivisionError

    crew = HereCrew(2)
    monkeypatch.setattr(Shard, "take_step", broken)
    with pytest.raises(ZeroDivisionError):
        parted(watching(game()), crew)
    assert crew.shards == [None, None]


# ------------------------------------------------------------------ workers that are slow


class Slow(HereCrew):
    """A crew of three, the second of which answers nothing from a step on, so *often* as somebody
    looks.
    """

    def __init__(self, often: int, since: int = 40) -> None:
        super().__init__(3)
        self.often, self.since = often, since

    def ready(self, tickets: Collection[Asked], seconds: float) -> list[Asked]:
        if self.steps < self.since or not self.often:
            return super().ready(tickets, seconds)
        self.often -= 1
        return [ticket for ticket in tickets if ticket.number != 1]


def test_a_slow_worker_is_waited_for_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distributed, "LATE", 0.0)
    told: list[Progress] = []
    one = watching(game())
    assert parted(one, Slow(50), meter=Meter(on_progress=told.append)) == found(one, 1)
    assert f"worker 2 of 3 (process {os.getpid()} on {platform.node()})" in {
        now.waits_for for now in told
    }


def test_a_hung_worker_is_not_waited_for_by_who_ends_the_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A play that only it could tell is not told; what is known of the layers before is."""
    monkeypatch.setattr(distributed, "LATE", 0.1)
    monkeypatch.setattr(distributed, "LAST", 0.1)

    def interrupt(now: Progress) -> None:
        if now.waits_for:
            raise KeyboardInterrupt

    crew, whole = Slow(1 << 60, since=250), found(watching(game()), 1)
    result = parted(watching(game()), crew, meter=Meter(on_progress=interrupt))
    assert result.stopped == budget.INTERRUPTED
    assert result.hits
    assert not result.plays
    assert all(whole.hits[bit] == moves for bit, moves in result.hits.items())
    assert crew.shards == [None] * 3


# ------------------------------------------------------------------ budgets, checkpoints, versions


def test_it_goes_on_from_its_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, how = watching(game(60)), Tuning(checkpoints=tmp_path)
    begun = parted(one, HereCrew(2), how, Meter(Budget(positions=9000)))
    assert "9,000 positions" in begun.stopped
    others = parted(one, HereCrew(3), replace(how, resume=True), Meter(Budget(positions=9000)))
    assert "of 2 workers; the search began anew" in others.note
    monkeypatch.setattr(
        journal, "INTERVAL", 1000.0
    )  # what goes on from a checkpoint is long already
    went_on(parted(one, HereCrew(3), replace(how, resume=True)), found(one, 1))
    assert (
        parted(one, HereCrew(3), replace(how, resume=True)).note
        == "it had been finished before, and its result was kept"
    )


def test_nothing_is_left_of_more_workers_than_finish_it(tmp_path: Path) -> None:
    one, how = watching(game(60)), Tuning(checkpoints=tmp_path)
    parted(one, HereCrew(4), how, Meter(Budget(positions=9000)), beyond=0)
    assert len(list(tmp_path.glob("*.log"))) == 4
    alone = search(
        one, Meter(Budget(positions=9000)), 10, watch=EVERY_BIT, tuning=replace(how, resume=True)
    )
    assert "is that of a cluster; the search began anew" in alone.note
    last = parted(one, HereCrew(2), replace(how, resume=True), beyond=0)
    assert replace(last, note="") == found(one, 1)
    has_its_result_only(tmp_path)


@pytest.mark.parametrize(
    ("where", "what", "why"),
    [(shard, "new_log", "Read-only file system"), (Log, "append", "No space left on device")],
)
def test_where_nothing_can_be_written_that_is_noted_and_the_search_goes_on(
    where: object, what: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise OSError(28, why)

    monkeypatch.setattr(where, what, refused)
    one = watching(game())
    result = parted(one, HereCrew(2), Tuning(checkpoints=tmp_path))
    assert result.note == f"no further checkpoint could be written to {tmp_path}: {why}"
    assert replace(result, note="") == found(one, 1)


def test_a_worker_without_memory_ends_it() -> None:
    result = parted(watching(game()), HereCrew(2), meter=Meter(Budget(mebibytes=2)))
    assert "memory" in result.stopped


def test_a_budget_that_ends_before_the_workers_begin_leaves_what_was_found_here() -> None:
    def begin(_: SearchTask) -> Distributed:
        raise BudgetSpentError("the time of 1 s was up")

    one = watching(game())
    result = search(one, Meter(), 10, watch=EVERY_BIT, elsewhere=Elsewhere(500, begin))
    assert result.stopped == "the time of 1 s was up"
    assert result.counts.positions > 500
    assert set(result.plays) == set(result.hits)


def test_progress_is_told_of_all_shards() -> None:
    told: list[Progress] = []
    result = parted(watching(game()), HereCrew(2), meter=Meter(on_progress=told.append))
    assert max(one.positions for one in told) == result.counts.positions
    assert max(one.layer for one in told) == result.counts.layers


def test_a_worker_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distributed, "engine_digest", lambda: "another")
    with pytest.raises(InputError, match=r"C117.*runs another version"):
        parted(watching(game()), HereCrew(2))
