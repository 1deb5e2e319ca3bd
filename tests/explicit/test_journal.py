"""A search that was ended, in any way, goes on from what it wrote down, and comes to the same end;
what is damaged is not used.
"""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from stacklaw.checker.explicit.native import journal, machine
from stacklaw.checker.explicit.native.layers import Log
from stacklaw.checker.explicit.search.lasso import PackedLasso
from stacklaw.checker.explicit.search.result import Result, SearchGoal, as_result
from stacklaw.checker.explicit.search.search import search
from stacklaw.checker.process.checkpoints import Checkpoints
from stacklaw.checker.types import budget
from stacklaw.checker.types.budget import Budget, Meter, Progress, Tuning
from stacklaw.checker.types.verdict import Counts
from stacklaw.models.storage import key
from stacklaw.models.storage.key import own_key

from .test_threads import EVERY_BIT, game, let_be_small, watching

pytest.importorskip("llvmlite")

WORDS = pytest.mark.parametrize("extra", [0, 60])


@pytest.fixture(autouse=True)
def everything_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write down how far a search is all the time, and look often."""
    monkeypatch.setattr(journal, "INTERVAL", 0.02)
    let_be_small(monkeypatch, 15, 2048)


def ended_at(
    positions: int, folder: Path, extra: int = 0, threads: int = 1, *, resume: bool = False
) -> Result:
    """Search, and press Ctrl-C when more than *positions* positions are known."""

    def interrupt(progress: Progress) -> None:
        if progress.positions > positions:
            raise KeyboardInterrupt

    tuning = Tuning(threads=threads, checkpoints=folder, resume=resume)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(journal, "INTERVAL", 0)
        return search(
            watching(game(extra)), Meter(on_progress=interrupt), 10, watch=EVERY_BIT, tuning=tuning
        )


def resumed(
    folder: Path, extra: int = 0, threads: int = 1, watch: SearchGoal = EVERY_BIT
) -> Result:
    tuning = Tuning(threads=threads, checkpoints=folder, resume=True)
    return search(watching(game(extra)), Meter(), 10, watch=watch, tuning=tuning)


def uninterrupted(extra: int = 0) -> Result:
    return search(watching(game(extra)), Meter(), 10, watch=EVERY_BIT)


def same(one: Result, other: Result) -> bool:
    return (one.counts, one.complete_layers, one.stopped, one.hits, one.plays) == (
        other.counts, other.complete_layers, other.stopped, other.hits, other.plays,
    )  # fmt: skip


@pytest.mark.slow
@WORDS
@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_goes_on_where_it_was(tmp_path: Path, extra: int, threads: int) -> None:
    first = ended_at(5_000, tmp_path, extra, threads)
    assert first.stopped == budget.INTERRUPTED
    second = ended_at(12_000, tmp_path, extra, threads, resume=True)
    assert "went on from the checkpoint" in second.note
    assert first.counts.positions < second.counts.positions
    last = resumed(tmp_path, extra, 3 - threads)
    assert "went on from the checkpoint" in last.note
    assert same(last, uninterrupted(extra))


def test_a_finished_search_is_not_made_again(tmp_path: Path) -> None:
    assert ended_at(5_000, tmp_path).stopped
    assert len(list(tmp_path.iterdir())) == 2
    first = resumed(tmp_path)
    (done,) = tmp_path.iterdir()
    assert done.name.endswith(".done.json")
    assert done.stat().st_size < 100_000
    again = resumed(tmp_path)
    assert "finished before" in again.note
    assert same(first, again)
    other = resumed(tmp_path, watch=SearchGoal(0, 1, 0))
    assert not other.note
    done.write_text(done.read_text().replace("1", "2"))
    anew = resumed(tmp_path)
    assert "finished before" not in anew.note
    assert same(first, anew)


def test_what_other_code_has_found_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A result that was found by a version with a mistake must not outlive the mending."""
    ended_at(5_000, tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(key, "version_of", lambda library: f"another {library}")
        key.code_digest.cache_clear()
        assert "checkpoint" not in resumed(tmp_path).note
        assert "finished before" in resumed(tmp_path).note
    key.code_digest.cache_clear()
    assert "went on from the checkpoint" in resumed(tmp_path).note


def test_short_searches_write_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "INTERVAL", 1000)
    stopped = search(
        watching(game()), Meter(Budget(positions=5_000)), 10, tuning=Tuning(checkpoints=tmp_path)
    )
    assert stopped.stopped
    assert not resumed(tmp_path).stopped
    assert not list(tmp_path.iterdir())


def damaged_log(folder: Path) -> None:
    (file,) = folder.glob("*.log")
    content = bytearray(file.read_bytes())
    content[1000] ^= 1
    file.write_bytes(content)


def short_log(folder: Path) -> None:
    (file,) = folder.glob("*.log")
    file.write_bytes(file.read_bytes()[:-800])


def no_log(folder: Path) -> None:
    next(folder.glob("*.log")).unlink()


def damaged_head(folder: Path) -> None:
    (file,) = folder.glob("*.json")
    file.write_text(file.read_text().replace('"cut": ', '"cut": 1'))


def no_text(folder: Path) -> None:
    (file,) = folder.glob("*.json")
    file.write_bytes(b"\xff\x00 nothing")


def signed(folder: Path, suffix: str = ".json", **changed: Any) -> None:
    """Change what a file says, and sign it again."""
    (file,) = folder.glob(f"*{suffix}")
    files = Checkpoints(folder, own_key())
    content = {**files.get(file.name), **changed}
    files.put(file.name, {name: value for name, value in content.items() if value is not LEFT_OUT})


def of_another_search(folder: Path) -> None:
    signed(folder, key="0" * 64)


def of_another_form(folder: Path) -> None:
    signed(folder, format="1")


def log_of_others(folder: Path) -> None:
    """They could write it while it is read."""
    next(folder.glob("*.log")).chmod(0o666)


def log_by_a_link(folder: Path) -> None:
    (file,) = folder.glob("*.log")
    file.symlink_to(file.rename(folder / "elsewhere"))


def log_is_a_pipe(folder: Path) -> None:
    (file,) = folder.glob("*.log")
    file.unlink()
    os.mkfifo(file, 0o600)


def head_is_a_pipe(folder: Path) -> None:
    (file,) = folder.glob("*.json")
    file.unlink()
    os.mkfifo(file, 0o600)


ODD_FILES = [log_of_others, log_by_a_link, log_is_a_pipe, head_is_a_pipe]


@pytest.mark.slow
@pytest.mark.parametrize(
    "damage",
    [
        damaged_log,
        short_log,
        no_log,
        damaged_head,
        no_text,
        of_another_search,
        of_another_form,
        *ODD_FILES,
    ],
)
def test_what_is_not_good_is_not_used(tmp_path: Path, damage: Any) -> None:
    ended_at(5_000, tmp_path)
    damage(tmp_path)
    result = resumed(tmp_path)
    assert "the search began anew" in result.note
    assert same(result, uninterrupted())


LEFT_OUT: object = type("LeftOut", (), {"__repr__": lambda _: "left out"})()
BAD_NUMBERS = [-1, 1.5, True, "1", None, [], 1 << 64, float("nan"), LEFT_OUT]


def each(name: str, *values: object) -> list[dict[str, Any]]:
    return [{name: value} for value in values]


HEADS = [
    *({name: value} for name in ("moves", "cut", "bits") for value in BAD_NUMBERS),
    *each("layers", LEFT_OUT, [], [1], 7, [1, -1], [1, "1"], [1 << 64, 1], [[1], [1]]),
    *each(
        "pending",
        LEFT_OUT,
        1,
        [1],
        [[1]],
        [[0, 1 << 40]],
        [[-1, 1]],
        [[5, 4]],
        [["0", "1"]],
        [[0, 1, 2]],
        [[0, 1]],
    ),
    *each(
        "hits", LEFT_OUT, [], {"x": 1}, {"64": 1}, {"-1": 1}, {"1": -1}, {"1": "1"}, {"9" * 5000: 1}
    ),
    {"more": 1},
]


@pytest.mark.parametrize("changed", HEADS, ids=str)
def test_what_no_search_has_written_is_refused(changed: dict[str, Any]) -> None:
    """The right key with wrong types, counts or bounds, which would lead the kernel to write
    outside.
    """
    good = {
        "layers": [1, 4, 2],
        "pending": [[2, 3], [3, 5]],
        "moves": 9,
        "cut": 0,
        "bits": 1,
        "hits": {"0": 1},
    }
    assert journal.as_saved(good) is not None
    assert (
        journal.as_saved(
            {name: value for name, value in {**good, **changed}.items() if value is not LEFT_OUT}
        )
        is None
    )


@pytest.mark.parametrize(
    "changed",
    [{"pending": [[0, 1 << 40]]}, {"layers": [1 << 62, 1 << 62]}, {"cut": LEFT_OUT}, {"digest": 7}],
    ids=str,
)
def test_what_is_signed_and_cannot_be_is_not_used(tmp_path: Path, changed: dict[str, Any]) -> None:
    ended_at(5_000, tmp_path)
    signed(tmp_path, **changed)
    result = resumed(tmp_path)
    assert "the search began anew" in result.note
    assert not result.stopped


COUNTS = {"positions": 1, "moves": 2, "layers": 3, "cut": 4}


def lasso(way: object, loop: object) -> dict[str, object]:
    return {"way": way, "loop": loop}


RESULTS = [
    *each("complete_layers", *BAD_NUMBERS),
    *each(
        "counts",
        LEFT_OUT,
        {name: COUNTS[name] for name in ("positions", "moves", "layers")},
        *({**COUNTS, "cut": value} for value in BAD_NUMBERS),
        {**COUNTS, "more": 1},
        7,
    ),
    *each("stopped", LEFT_OUT, "interrupted", 0),
    *each("note", LEFT_OUT, 0),
    *each("tier", LEFT_OUT, "quick", 1),
    *each("hits", LEFT_OUT, [], {"x": 1}, {"1": -1}),
    *each(
        "plays",
        LEFT_OUT,
        [],
        {"x": []},
        {"1": 1},
        {"1": [1]},
        {"1": [[-1]]},
        {"1": [[1] * 9]},
        {"1": [["1"]]},
    ),
    *each("lasso", LEFT_OUT, 1, [], {}, {"way": [[1]]}, lasso([], 0), lasso([[1]], 7)),
    *each("lasso", lasso([[1]], "0"), lasso([["1"]], 0), lasso([[1] * 9], None)),
    {"more": 1},
]


@pytest.mark.parametrize("changed", RESULTS, ids=str)
def test_a_signed_result_that_cannot_be_is_none(changed: dict[str, Any]) -> None:
    good = {
        "counts": COUNTS,
        "complete_layers": 3,
        "stopped": "",
        "tier": "compiled",
        "note": "",
        "hits": {"1": 2},
        "plays": {"1": [[1]]},
        "lasso": lasso([[1]], 0),
    }
    assert as_result(good, 1) == Result(
        Counts(**COUNTS), 3, "", "compiled", "", {1: 2}, {1: ((1,),)}, PackedLasso(((1,),), 0)
    )
    assert as_result({**good, "lasso": None}, 1) is not None
    assert as_result({**good, "lasso": lasso([], None)}, 1) is not None
    assert (
        as_result(
            {name: value for name, value in {**good, **changed}.items() if value is not LEFT_OUT}, 1
        )
        is None
    )


def test_what_lies_in_the_place_of_a_file_is_written_over_and_never_through(tmp_path: Path) -> None:
    ended_at(5_000, tmp_path)
    precious = tmp_path / "precious"
    precious.write_text("mine")
    names = [file.name for file in tmp_path.iterdir() if file != precious]
    for name in names:
        (tmp_path / name).unlink()
        (tmp_path / name).symlink_to(precious)
    ended_at(5_000, tmp_path)
    assert precious.read_text() == "mine"
    assert not any((tmp_path / name).is_symlink() for name in names)


def test_what_was_not_finished_is_cut_off(tmp_path: Path) -> None:
    ended_at(5_000, tmp_path)
    (file,) = tmp_path.glob("*.log")
    with file.open("ab") as log:
        log.write(b"\x01" * 999)
    result = resumed(tmp_path)
    assert "went on from the checkpoint" in result.note
    assert same(result, uninterrupted())


class FullDisk:
    """Lets a log grow to a fixed number of bytes."""

    def __init__(self, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
        append = Log.append

        def full(log: Log, span: Any) -> None:
            if 8 * log.size * log.number > most:
                raise OSError(errno.ENOSPC, "No space left on device")
            append(log, span)

        monkeypatch.setattr(Log, "append", full)


@pytest.mark.parametrize("most", [-1, 60_000])
def test_a_full_disk_ends_the_writing_and_not_the_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(journal, "INTERVAL", 0)
    FullDisk(most, monkeypatch)
    result = resumed(tmp_path)
    assert "no further checkpoint could be written" in result.note
    assert "No space left on device" in result.note
    assert same(result, uninterrupted())


def test_what_was_written_before_the_disk_was_full_is_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        FullDisk(60_000, patch)
        assert "No space left" in ended_at(20_000, tmp_path).note
    result = resumed(tmp_path)
    assert "went on from the checkpoint" in result.note
    assert same(result, uninterrupted())


def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "INTERVAL", 0)
    (tmp_path / "file").write_text("no folder")
    result = resumed(tmp_path / "file")
    assert "no further checkpoint could be written" in result.note
    assert same(result, uninterrupted())


def test_without_a_compiler_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        raise ImportError(f"no {name}")

    monkeypatch.setattr(machine, "import_module", missing)
    result = resumed(tmp_path)
    assert "no checkpoint was found" in result.note
    assert "llvmlite is not there" in result.note
    assert "leaves no checkpoints" in result.note
    assert same(result, uninterrupted())


KILLED = """
import stacklaw
stacklaw.__path__.append({root!r})  # the wheel goes without the tests
from pathlib import Path
from stacklaw.checker.types.budget import Meter
from stacklaw.checker.explicit.native import journal
from stacklaw.checker.explicit.search import compiled
from stacklaw.checker.explicit.search.search import search
from stacklaw.checker.types.budget import Tuning
from stacklaw.tests.explicit.test_threads import EVERY_BIT, game, watching
journal.INTERVAL, compiled.CHUNK = 0.01, 64
print("begins", flush=True)
tuning = Tuning(threads={threads}, checkpoints=Path({folder!r}))
search(watching(game({extra})), Meter(), 10, watch=EVERY_BIT, tuning=tuning)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
@pytest.mark.parametrize("threads", [1, 2])
def test_a_killed_search_goes_on(tmp_path: Path, threads: int) -> None:
    """Kill the process as soon as it has written something, a few times; each goes on where the one
    before was.
    """
    script = KILLED.format(
        root=str(Path(__file__).parents[2]), extra=60, threads=threads, folder=str(tmp_path)
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as process:
        give_up = time.monotonic() + 60
        while (
            not list(tmp_path.glob("*.json"))
            and process.poll() is None
            and time.monotonic() < give_up
        ):
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        assert process.wait(20) == -signal.SIGKILL
    result = resumed(tmp_path, 60, threads)
    assert "went on from the checkpoint" in result.note
    assert same(result, uninterrupted(60))


def test_time_is_up_in_the_middle_of_a_layer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "INTERVAL", 0)
    one = watching(game())
    stopped = search(
        one, Meter(Budget(seconds=0.02)), 10, watch=EVERY_BIT, tuning=Tuning(checkpoints=tmp_path)
    )
    assert "time" in stopped.stopped
    assert (
        stopped.complete_layers == max(stopped.counts.layers - 1, 0) or not stopped.counts.positions
    )
    assert same(resumed(tmp_path), uninterrupted())
