"""Searches that go on on disk find what they find in memory, and a disk that fails ends them with
its reason.
"""

from __future__ import annotations

import resource
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacklaw.bench.instances import Instance
from stacklaw.checker.explicit.emit.emit import Emitted, emit
from stacklaw.checker.explicit.engine import Explicit
from stacklaw.checker.explicit.moves.layout import Layout
from stacklaw.checker.explicit.native import journal, kernel, memory, table
from stacklaw.checker.explicit.native.layers import Log
from stacklaw.checker.explicit.native.machine import BEST, QUICK
from stacklaw.checker.explicit.search import compiled, on_disk
from stacklaw.checker.explicit.search import on_disk as disk_kernel
from stacklaw.checker.explicit.search import search as search_module
from stacklaw.checker.explicit.search.compiled import Compiled
from stacklaw.checker.explicit.search.result import Result
from stacklaw.checker.explicit.search.search import search
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.types import budget
from stacklaw.checker.types.budget import INTERRUPTED, Budget, BudgetSpentError, Meter, Tuning
from stacklaw.checker.types.scope import make_scope
from stacklaw.cli.main import run
from stacklaw.models import ir
from stacklaw.models.load import load_game
from stacklaw.properties.load import property_named

from ..luck import tries
from ..strategies_ir import programs
from .test_following import games
from .test_threads import EVERY_BIT, game, watching

pytest.importorskip("llvmlite")
GAMES = [
    ("zx", "D-15"),
    ("fow", "no_second_window"),
    ("stack", "STK-8"),
    ("mtg", "lifo"),
    ("fftcg", "settled_before_priority"),
]


def small(patch: pytest.MonkeyPatch, *, grows: bool = False) -> list[int]:
    """Let everything be small, and no table of a search on disk grow, unless it *grows*; return a
    list that gets what each sweep reads.
    """
    times, plainly = list[int](), on_disk.OnDisk._sweep

    def full(_search: Compiled, _most: int) -> None:
        raise BudgetSpentError("there is no room")

    def sweep(search: on_disk.OnDisk, disk: Any) -> None:
        times.append(disk.log.number - disk.first)
        plainly(search, disk)

    if not grows:
        patch.setattr(on_disk.OnDisk, "_grow", full, raising=False)
    patch.setattr(on_disk.OnDisk, "_sweep", sweep)
    patch.setattr(compiled, "_LEAST_PART", 16)
    patch.setattr(compiled, "BLOCK", 512)
    patch.setattr(compiled, "CHUNK", 256)
    patch.setattr(on_disk, "GATHERED", 1024)
    patch.setattr(kernel, "BUFFERED", 64)
    patch.setattr(kernel, "SLOTS_LOG", 10)
    patch.setattr(budget, "PROGRESS_SECONDS", 0)
    return times


@pytest.fixture
def swept(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Have every search that is compiled go to disk at once; see `small`."""
    return small(monkeypatch)


def there(
    emitted: Emitted,
    folder: Path,
    meter: Meter | None = None,
    threads: int = 1,
    small: int = 10,
    **watched: Any,
) -> Result:
    """Return what a search on disk in *folder* finds, and see that nothing is left there."""
    result = search(
        emitted,
        meter or Meter(),
        small,
        watch=replace(EVERY_BIT, **watched),
        tuning=Tuning(threads, disk=folder),
    )
    assert not list(folder.iterdir())
    return result


def in_memory(emitted: Emitted, **watched: Any) -> Result:
    """Return what a search in memory finds."""
    return search(emitted, Meter(), 10, watch=replace(EVERY_BIT, **watched))


@pytest.mark.parametrize("room", [1 << 13, 1 << 40])
@pytest.mark.parametrize("extra", [0, 60])
def test_it_goes_on_from_its_checkpoint(
    extra: int, room: int, swept: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On disk at once, where the table has no room for what is known, or in memory again."""
    monkeypatch.setattr(journal, "INTERVAL", 0.0)
    one, disk, checkpoints = watching(game(extra)), tmp_path / "disk", tmp_path / "checkpoints"
    how = Tuning(disk=disk, checkpoints=checkpoints)
    expected = in_memory(one)
    begun = search(one, Meter(Budget(positions=9000)), 10, watch=EVERY_BIT, tuning=how)
    assert "9,000 positions" in begun.stopped
    assert swept
    monkeypatch.setattr(memory.Room, "has", lambda _, size: size <= room)
    again = search(
        one,
        Meter(Budget(positions=12_000, mebibytes=100_000)),
        10,
        watch=EVERY_BIT,
        tuning=replace(how, resume=True),
    )
    assert "12,000 positions" in again.stopped
    swept.clear()
    last = search(
        one, Meter(Budget(mebibytes=100_000)), 10, watch=EVERY_BIT, tuning=replace(how, resume=True)
    )
    assert last.note.startswith("it went on from the checkpoint after")
    assert replace(last, note="") == expected
    assert swept
    assert not disk.exists() or not list(disk.iterdir())
    assert [path.name.rpartition(".")[2] for path in checkpoints.iterdir()] == ["json"]


def test_a_log_that_another_has_changed_is_not_gone_on_from(
    swept: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "INTERVAL", 0.0)
    one, how = watching(game()), Tuning(disk=tmp_path, checkpoints=tmp_path)
    expected = in_memory(one)
    search(one, Meter(Budget(positions=9000)), 10, watch=EVERY_BIT, tuning=how)
    (log,) = tmp_path.glob("*.log")
    log.write_bytes(log.read_bytes()[:-8000] + bytes(8000))
    monkeypatch.setattr(memory.Room, "has", lambda _, size: size <= 1 << 13)
    result = search(
        one, Meter(Budget(mebibytes=100_000)), 10, watch=EVERY_BIT, tuning=replace(how, resume=True)
    )
    assert "is damaged; the search began anew" in result.note
    assert replace(result, note="") == expected
    assert swept


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("extra", [0, 60])
def test_it_finds_what_it_finds_in_memory(
    extra: int, threads: int, swept: list[int], tmp_path: Path
) -> None:
    one = watching(game(extra))
    assert one.layout.words == (2 if extra else 1)
    result = there(one, tmp_path, threads=threads)
    assert swept[-1] > 15_000
    assert set(result.plays) == {0, 1, 2}
    assert result == in_memory(one)


def test_layers_that_nobody_asks_for_are_not_kept(swept: list[int], tmp_path: Path) -> None:
    one = watching(game())
    assert there(one, tmp_path, told=0) == in_memory(one, told=0)
    assert swept


def test_a_search_ends_after_the_layer_that_has_all(
    swept: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel, "SLOTS_LOG", 6)
    one = watching(game())
    assert there(one, tmp_path, wanted=0b100) == in_memory(one, wanted=0b100)
    assert swept


@pytest.mark.parametrize("bit", [1, 2])
def test_what_a_layer_had_found_before_it_went(
    bit: int, swept: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plainly, went = Compiled.make_room, list[int]()

    def make_room(search: Compiled) -> None:
        if isinstance(search, on_disk.OnDisk) and search.bits >> bit & 1:
            went.append(len(search.pending) if bit not in search.hits else 0)
            raise BudgetSpentError("there is no room")
        plainly(search)
        for worker in search.workers:
            worker.cells[kernel.MOST_KNOWN] = worker.cells[kernel.KNOWN] + worker.batch_most

    monkeypatch.setattr(Compiled, "make_room", make_room)
    monkeypatch.setattr(on_disk.OnDisk, "_grow", Compiled._grow)
    one = watching(game())
    assert there(one, tmp_path) == in_memory(one)
    assert swept
    assert went[0] > 0


def test_what_is_fresh_may_be_full_in_the_middle_of_a_layer(
    swept: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        on_disk,
        "largest",
        lambda room, size, _positions, least: table.largest(room, size, least, least),
    )
    monkeypatch.setattr(kernel, "SLOTS_LOG", 7)
    one = watching(game(60))
    result = there(one, tmp_path)
    assert len(swept) > result.counts.layers + 50
    assert result == in_memory(one)


@pytest.mark.parametrize("row", ["2_2_1_1", "2_3_1_2", "3_2_1_1"])
def test_rows_of_the_family(row: str, swept: list[int], tmp_path: Path) -> None:
    one = emit(Layout(*Instance.named(row).question()))
    assert there(one, tmp_path) == in_memory(one)
    assert swept


def test_random_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    times, went = small(monkeypatch), list[int]()
    monkeypatch.setattr(kernel, "BUFFERED", 1)
    monkeypatch.setattr(kernel, "SLOTS_LOG", 3)

    @given(st.one_of(programs(), games()))
    @tries(25)
    def look(program: ir.Program) -> None:
        one = emit(Layout(program, make_scope(program, 2, {"stack": 2, "queue": 1, "pool": 2})))
        times.clear()
        assert replace(there(one, tmp_path, small=0), tier="") == replace(in_memory(one), tier="")
        went.append(len(times))

    look()
    assert sum(map(bool, went)) > 5


@pytest.mark.parametrize(("name", "asked"), GAMES)
def test_verdicts_of_the_games(
    name: str, asked: str, swept: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel, "SLOTS_LOG", 5)
    program = load_game(name)
    question, scope = property_named(program, asked), make_scope(program)
    ((expected, there),) = Explicit(Interpreter, 20).decide(program, [question], scope, Meter())
    ((found, here),) = Explicit(Interpreter, 20, Tuning(disk=tmp_path)).decide(
        program, [question], scope, Meter()
    )
    assert swept
    assert (found, here) == (expected, there)


# ------------------------------------------------------------------ memory that is small


def test_it_goes_to_disk_when_memory_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With 300 KiB for all, of which the table has less than half."""
    monkeypatch.setattr(memory, "_MEBIBYTE", 1 << 10)
    monkeypatch.setattr(memory, "memory_in_use", lambda: 0)
    monkeypatch.setattr(budget, "memory_in_use", lambda: 0)
    small(monkeypatch, grows=True)
    one, little = watching(game(60)), Budget(mebibytes=300)
    assert (
        "the memory of 300 MiB has no room"
        in search(one, Meter(little), 10, watch=EVERY_BIT).stopped
    )
    assert there(one, tmp_path, Meter(little)) == in_memory(one)
    nothing = there(one, tmp_path, Meter(Budget(mebibytes=30)))
    assert "no room" in nothing.stopped


# ------------------------------------------------------------------ what goes wrong


def test_a_full_disk_ends_it(swept: list[int], tmp_path: Path) -> None:
    one, before = watching(game()), resource.getrlimit(resource.RLIMIT_FSIZE)
    whole = there(one, tmp_path)
    for most in (100, 30_000, 90_000):
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
        try:
            result = there(one, tmp_path)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert result.stopped == f"the search cannot go on in {tmp_path}: File too large"
        ended_early(result, whole)
    assert swept


@pytest.mark.parametrize("time", [1, 30, 60])
def test_a_disk_that_cannot_be_read_ends_it(
    time: int, swept: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, plainly = watching(game()), Log.read
    whole = there(one, tmp_path)
    left = [time]

    def read(log: Log, first: int, number: int, into: memory.Memory) -> None:
        left[0] -= 1
        if not left[0]:
            raise OSError(5, "Input/output error")
        plainly(log, first, number, into)

    monkeypatch.setattr(Log, "read", read)
    result = there(one, tmp_path, threads=2)
    assert result.stopped == f"the search cannot go on in {tmp_path}: Input/output error"
    ended_early(result, whole)


def test_what_comes_back_otherwise_is_noticed(
    swept: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a file system has promised more than it could write."""
    one, plainly = watching(game(60)), Log.read
    whole = there(one, tmp_path)

    def read(log: Log, first: int, number: int, into: memory.Memory) -> None:
        plainly(log, first, number, into)
        if first <= 12_000 < first + number:
            into.numbers[2 * (12_000 - first)] ^= 1 << 20

    monkeypatch.setattr(Log, "read", read)
    result = there(one, tmp_path)
    assert (
        result.stopped
        == f"the search cannot go on in {tmp_path}: what was written there has changed"
    )
    ended_early(result, whole)


def test_it_is_compiled_again_as_well_as_can_be(
    swept: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_module, "PAYING", 0.05)
    levels, plainly = list[int](), disk_kernel.disk_machine

    def machine(emitted: Emitted, level: int, *, together: bool) -> Any:
        levels.append(level)
        return plainly(emitted, level, together=together)

    monkeypatch.setattr(on_disk, "disk_machine", machine)
    one = watching(game(61))
    assert there(one, tmp_path) == in_memory(one)
    assert levels == [QUICK, BEST]


def test_an_interruption_ends_it(
    swept: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, plainly = watching(game()), on_disk.OnDisk._sweep
    whole = there(one, tmp_path)

    def sweep(search: on_disk.OnDisk, disk: Any) -> None:
        if len(swept) > 120:
            raise KeyboardInterrupt
        plainly(search, disk)

    monkeypatch.setattr(on_disk.OnDisk, "_sweep", sweep)
    swept.clear()
    result = there(one, tmp_path)
    assert result.stopped == INTERRUPTED
    ended_early(result, whole)


def ended_early(result: Result, whole: Result) -> None:
    """See that *result* claims no more than it has found of the *whole*."""
    assert result.complete_layers == result.counts.layers - 1 < whole.complete_layers
    assert 0 < result.counts.positions < whole.counts.positions
    assert all(whole.hits[bit] == moves for bit, moves in result.hits.items())
    assert all(
        moves > result.complete_layers
        for bit, moves in whole.hits.items()
        if bit not in result.hits
    )
    assert all(whole.plays[bit] == play for bit, play in result.plays.items())


def test_what_lies_in_the_folder_is_neither_read_nor_touched(
    swept: list[int], tmp_path: Path
) -> None:
    one, other = watching(game()), tmp_path / "tmp.0"
    other.write_bytes(b"mine")
    result = search(one, Meter(), 10, watch=EVERY_BIT, tuning=Tuning(disk=tmp_path))
    assert swept
    assert result == in_memory(one)
    assert list(tmp_path.iterdir()) == [other]
    assert other.read_bytes() == b"mine"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--disk", "{}/file"], "cannot hold a search: it is a file"),
        (["--disk", "{}/file/below"], "C118"),
        (["--disk", "{}", "--engine", "reference"], "C109"),
    ],
)
def test_what_cannot_be_is_refused(
    options: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    assert run(["check", "zx", *(option.format(tmp_path) for option in options)]) == 2
    assert said in " ".join(capsys.readouterr().err.split())
