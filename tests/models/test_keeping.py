"""Keeping: what is kept is trusted only where nobody else can have written it, and the folder does not grow for ever."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from stacklaw.models import keeping
from stacklaw.models.keeping import keep, kept, name_of

LOOKS, LOOKS_NOT = "00", "ff"


def file_of(folder: Path, number: int, begins: str = LOOKS_NOT) -> Path:
    return folder / f"{begins}{name_of(str(number))[2:]}.text"


def filled(folder: Path, number: int, size: int = 100) -> list[Path]:
    """Return so many files kept in *folder*, the oldest first."""
    files = [file_of(folder, n) for n in range(number)]
    for age, file in zip(range(number, 0, -1), files, strict=True):
        assert keep(file, b"x" * size, "text") == ""
        used = file.stat().st_mtime - 1000 * age
        os.utime(file, (used, used))
    return files


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "MOST_FILES", 8)
    monkeypatch.setattr(keeping, "MOST_BYTES", 4_000)


@pytest.mark.usefixtures("few")
def test_too_many_files_are_too_many_until_one_looks(tmp_path: Path) -> None:
    files = filled(tmp_path, 8)
    last = [file_of(tmp_path, 8), file_of(tmp_path, 9, LOOKS)]
    keep(last[0], b"new", "text")
    assert all(file.exists() for file in files)
    keep(last[1], b"new", "text")
    assert {*tmp_path.iterdir()} == {*files[4:], *last}
    assert kept(last[1]) == b"new"


@pytest.mark.usefixtures("few")
def test_files_too_large_together_are_removed(tmp_path: Path) -> None:
    files = filled(tmp_path, 5, 1_000)
    keep(file_of(tmp_path, 5, LOOKS), b"", "text")
    assert [file.exists() for file in files] == [False, False, False, True, True]


@pytest.mark.usefixtures("few")
def test_what_was_read_lately_stays_and_so_does_what_is_not_ours(tmp_path: Path) -> None:
    files = filled(tmp_path, 10)
    os.utime(files[0], (files[9].stat().st_atime, files[0].stat().st_mtime))
    others = [tmp_path / name for name in ("tmp1234", "notes.text", f"{name_of('')}.text.d")]
    others[0].write_bytes(b"")
    others[1].write_bytes(b"x" * 10_000)
    others[2].mkdir()
    for other in others:
        os.utime(other, (0, 0))
    left_behind = Path(f"{files[3]}.abc_1234")
    left_behind.write_bytes(b"half of it")
    os.utime(left_behind, (0, 0))
    keep(file_of(tmp_path, 10, LOOKS), b"", "text")
    assert [file.exists() for file in files] == [True] + [False] * 5 + [True] * 4
    assert not left_behind.exists()
    assert all(other.exists() for other in others)


def test_no_more_than_what_is_allowed_is_a_reason_to_remove_nothing(tmp_path: Path) -> None:
    files = filled(tmp_path, 20)
    keep(file_of(tmp_path, 20, LOOKS), b"", "text")
    assert all(kept(file) for file in files)


def test_processes_that_tidy_at_once_do_each_other_no_harm(tmp_path: Path) -> None:
    filled(tmp_path, 200)
    code = f"""
from pathlib import Path
from stacklaw.models import keeping
keeping.MOST_FILES = 40
for number in range(100):
    file = Path({str(tmp_path)!r}) / f"00{{keeping.name_of(str(number))[2:]}}.text"
    assert keeping.keep(file, b"y", "text") == ""
    assert keeping.kept(file) in (b"y", None)
"""
    processes = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(2)]
    assert [process.wait(60) for process in processes] == [0, 0]
    assert len(list(tmp_path.iterdir())) <= 41


def homeless() -> Path:
    raise RuntimeError("Could not determine home directory.")


def test_where_no_owner_can_be_asked_for_only_the_users_own_folder_is_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "anybody" / f"{name_of('')}.text"
    keep(file, b"content", "text")
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "somebody")
    assert kept(file) is None
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "anybody")
    assert kept(file) == b"content"
    monkeypatch.setattr(Path, "home", homeless)
    assert kept(file) is None
