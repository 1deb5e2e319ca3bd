"""A search that may not have more memory ends with what it has found; before that it makes the most
of what it may have.
"""

from __future__ import annotations

import errno
import signal
from itertools import pairwise
from typing import Any

import pytest

from stacklaw.checker.explicit.native import memory, table
from stacklaw.checker.explicit.native.layers import Log
from stacklaw.checker.explicit.native.memory import Memory, Room
from stacklaw.checker.explicit.search import compiled
from stacklaw.checker.explicit.search.result import Result, SearchGoal
from stacklaw.checker.explicit.search.search import search
from stacklaw.checker.explicit.search.tier import OnPause
from stacklaw.checker.types.budget import (
    INTERRUPTED,
    Budget,
    BudgetSpentError,
    Meter,
    Progress,
    Tuning,
)

from .test_threads import EVERY_BIT, game, let_be_small, watching

pytest.importorskip("llvmlite")

_MEBIBYTE = 1 << 20
WATCHING = watching(game())


class Bounded(Room):
    """A room of *bytes* bytes, without regard to what the process has; *most* is the most that was
    taken.
    """

    bytes = 0
    most = 0

    def __init__(self, meter: Meter) -> None:
        super().__init__(meter)
        Bounded.most = 0

    def has(self, size: int) -> bool:
        return self.taken + 8 * size <= Bounded.bytes

    def take(self, size: int, what: str) -> Memory:
        taken = super().take(size, what)
        Bounded.most = max(Bounded.most, self.taken)
        return taken


def within(
    size: int, monkeypatch: pytest.MonkeyPatch, watch: SearchGoal = EVERY_BIT, threads: int = 1
) -> Result:
    """Search in *size* bytes."""
    monkeypatch.setattr(compiled, "Room", Bounded)
    monkeypatch.setattr(Bounded, "bytes", size)
    return search(
        WATCHING, Meter(Budget(mebibytes=1 << 20)), 10, watch=watch, tuning=Tuning(threads=threads)
    )


@pytest.fixture(autouse=True)
def everything_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    let_be_small(monkeypatch, 13)


TRIES = 5


@pytest.mark.parametrize("threads", [1, 2])
def test_every_limit_is_kept(monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    """From nothing to enough: what is found only grows, no limit is passed, and what is said to be
    complete is.
    """
    whole = within(1 << 30, monkeypatch, threads=threads)
    needed, results = Bounded.most, list[Result]()
    for size in [0, 100_000, 200_000, *(needed * share // 16 for share in range(4, 16)), needed]:
        # How much several threads need depends on which of them is the quicker one: one that had
        # bad luck tries again.
        for _ in range(1 if threads == 1 else TRIES):
            result = within(size, monkeypatch, threads=threads)
            assert Bounded.most <= size
            if not result.stopped or (
                size < needed and results and result.counts.layers >= results[-1].counts.layers
            ):
                break
        results.append(result)
        if result.stopped:
            assert "has no room for" in result.stopped
            assert all(whole.hits[bit] == moves for bit, moves in result.hits.items())
            assert result.complete_layers < whole.complete_layers
        else:
            assert result == whole
    assert not results[-1].stopped
    assert any(result.stopped for result in results[3:])
    assert all(one.counts.layers <= other.counts.layers for one, other in pairwise(results))


def test_layers_left_behind_are_spilled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is room for the table but not for the layers, they go to disk, and plays are
    found there.
    """
    spilled: list[int] = []
    append = Log.append

    def noting(log: Log, span: Any) -> None:
        append(log, span)
        spilled.append(span.number)

    monkeypatch.setattr(Log, "append", noting)
    whole = within(1 << 30, monkeypatch)
    assert not spilled
    kept = Bounded.most
    result = within(kept - 8 * whole.counts.positions // 2, monkeypatch)
    assert result == whole
    assert sum(spilled) > whole.counts.positions // 3


def test_layers_that_cannot_be_spilled_end_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_log: Log, _span: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Log, "append", full)
    whole = within(1 << 30, monkeypatch)
    result = within(Bounded.most - 8 * whole.counts.positions // 2, monkeypatch)
    assert "has no room for" in result.stopped
    assert "layers could not be spilled" in result.note
    assert "No space left" in result.note


def test_a_table_becomes_crowded_before_the_search_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    loads: list[float] = []
    monkeypatch.setattr(compiled, "Room", Bounded)
    monkeypatch.setattr(Bounded, "bytes", 700_000)

    def note(progress: Progress) -> None:
        loads.append(progress.load or 0)

    result = search(WATCHING, Meter(Budget(mebibytes=1 << 20), note), 10, watch=SearchGoal())
    assert "has no room for a table" in result.stopped
    assert table.LOAD + 0.05 < max(loads) <= table.CROWDED


def test_the_memory_of_the_process_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "memory_in_use", lambda: 90)
    room = Room(Meter(Budget(mebibytes=100)))
    taken = room.take(5 * _MEBIBYTE // 8, "a table")
    with pytest.raises(
        BudgetSpentError, match=r"the memory of 100 MiB has no room for a table of 6\.0 MiB"
    ):
        room.take(6 * _MEBIBYTE // 8, "a table")
    room.give_back(taken)
    room.take(6 * _MEBIBYTE // 8, "a table")
    monkeypatch.setattr(memory, "memory_in_use", lambda: 97)
    with pytest.raises(BudgetSpentError):
        room.take(4 * _MEBIBYTE // 8, "a layer")


def test_a_system_without_memory_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_size: int) -> Memory:
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    monkeypatch.setattr(memory, "Memory", refused)
    result = search(WATCHING, Meter(), 10)
    assert "the system has no memory for" in result.stopped


def test_an_estimate_too_large_for_the_memory_is_only_a_wish(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []

    def foresee(_: OnPause) -> int:
        asked.append(1 << 40)
        return asked[-1]

    monkeypatch.setattr(compiled, "Room", Bounded)
    monkeypatch.setattr(compiled, "_FORESEE_LOG", 0)
    monkeypatch.setattr(Bounded, "bytes", 8_000_000)
    result = search(WATCHING, Meter(Budget(mebibytes=1 << 20)), 10, foresee=foresee)
    assert asked
    assert not result.stopped


def test_what_remains_is_told_when_layers_shrink() -> None:
    expected: list[int | None] = []

    class Noting(Meter):
        def check(self, *told: Any, **_named: Any) -> None:
            expected.append(told[4] if len(told) > 4 else None)

    whole = search(WATCHING, Noting(), 10)
    told = [number for number in expected if number is not None]
    assert told
    assert abs(told[-1] - whole.counts.positions) < whole.counts.positions // 20


def test_a_large_table_grows_to_what_is_foreseen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, when it has to grow; where there is no room for so much it grows as far as there is."""
    monkeypatch.setattr(compiled, "_FORESEE_LOG", 13)
    monkeypatch.setattr(compiled, "Room", Bounded)
    logs: list[int] = []
    sized = table.Table.__init__

    def noted(self: table.Table, room: Room, size: int, log: int) -> None:
        logs.append(log)
        sized(self, room, size, log)

    monkeypatch.setattr(table.Table, "__init__", noted)
    found = []
    for foreseen, room in (
        (0, 1 << 40),
        (300_000, 1 << 40),
        (1 << 80, 1 << 40),
        (300_000, 3 << 20),
    ):
        logs.append(0)
        monkeypatch.setattr(Bounded, "bytes", room)
        asked = [foreseen]

        def foresee(look: OnPause, asked: list[int] = asked) -> int:
            look()
            return asked.pop()

        found.append(
            search(WATCHING, Meter(Budget(mebibytes=1 << 20)), 10, watch=EVERY_BIT, foresee=foresee)
        )
    assert found == found[:1] * 4
    assert logs == [0, 13, 14, 15, 16, 0, 13, 19, 0, 13, 19, 0, 13, 17]


def test_an_estimate_that_takes_long_is_left_by_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found is told, without waiting for how much there may be."""
    monkeypatch.setattr(compiled, "_FORESEE_LOG", 12)
    before = signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # a run in the background ignores Ctrl-C
    asked = []

    def foresee(look: OnPause) -> int:
        asked.append(1)
        signal.raise_signal(signal.SIGINT)
        look()
        raise AssertionError

    try:
        result = search(
            WATCHING, Meter(Budget(mebibytes=1 << 20)), 10, watch=EVERY_BIT, foresee=foresee
        )
    finally:
        signal.signal(signal.SIGINT, before)
    assert (result.stopped, asked) == (INTERRUPTED, [1])
    assert result.counts.positions > 1 << 10


@pytest.mark.parametrize("is_held", [False, True])
def test_what_is_enlarged_keeps_its_numbers(
    *, is_held: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where somebody holds the old numbers the system cannot move them, and they are copied."""
    monkeypatch.setattr(
        "stacklaw.checker.explicit.native.memory.memory_in_use", lambda: 0
    )  # what other tests hold is not the question
    room = Room(Meter(Budget(mebibytes=1000)))
    memory = room.take(1000, "what grows")
    held = memory.numbers if is_held else None
    memory.numbers[:3] = [7, 8, 9]
    room.enlarge(memory, 1 << 20, "what grows")
    assert (memory.size, room.taken) == (1 << 20, 8 << 20)
    assert memory.numbers[:4] == [7, 8, 9, 0]
    assert memory.numbers[-1] == 0
    assert held is None or held[:3] == [7, 8, 9]
    with pytest.raises(BudgetSpentError, match="has no room for what grows"):
        room.enlarge(memory, 1 << 28, "what grows")
    assert memory.numbers[:3] == [7, 8, 9]
