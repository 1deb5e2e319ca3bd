"""Keeping: what is kept is trusted only where this user alone can have written it, and the folder
does not grow for ever.
"""

from __future__ import annotations

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from stacklaw.models.storage import keeping
from stacklaw.models.storage.keeping import (
    PROOFS,
    Kept,
    found,
    keep,
    kept,
    name_of,
    packed,
    sparing,
    unpacked,
)
from stacklaw.models.storage.key import SIGNED, NoKeyError, SigningKey

LOOKS, LOOKS_NOT = "00", "ff"


def file_of(folder: Path, number: int, begins: str = LOOKS_NOT) -> Path:
    return folder / f"{begins}{name_of(str(number))[2:]}.text"


def filled(folder: Path, number: int, size: int = 100) -> list[Path]:
    """Return *number* files kept in *folder*, the oldest first."""
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
from stacklaw.models.storage import keeping
keeping.MOST_FILES = 40
for number in range(100):
    file = Path({str(tmp_path)!r}) / f"00{{keeping.name_of(str(number))[2:]}}.text"
    assert keeping.keep(file, b"y", "text") == ""
    assert keeping.kept(file) in (b"y", None)
"""
    processes = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(2)]
    assert [process.wait(60) for process in processes] == [0, 0]
    assert len(list(tmp_path.iterdir())) <= 41


@pytest.fixture
def keyless(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_key() -> SigningKey:
        raise NoKeyError("there is no home folder")

    monkeypatch.setattr(keeping, "own_key", no_key)


def planted(file: Path, content: bytes) -> None:
    """Write *content* as it would be kept, but for the key."""
    file.write_bytes(bytes(SIGNED) + sha256(file.name.encode() + content).digest() + content)
    file.chmod(0o600)


def test_what_was_not_signed_here_is_not_used(tmp_path: Path) -> None:
    file, other = file_of(tmp_path, 1), file_of(tmp_path, 2)
    keep(file, b"content", "text")
    assert found(file) == Kept(b"content", is_signed=True)
    other.write_bytes(file.read_bytes())
    other.chmod(0o600)
    assert (kept(other), found(other)) == (None, None)
    planted(file, b"planted")
    assert kept(file) is None
    assert found(file) == Kept(b"planted", is_signed=False)
    file.write_bytes(sha256(file.name.encode() + b"planted").digest() + b"planted")
    assert (kept(file), found(file)) == (None, None)


def test_what_another_key_has_signed_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = file_of(tmp_path, 1)
    keep(file, b"content", "text")
    monkeypatch.setattr(keeping, "own_key", lambda: SigningKey(b"another key".ljust(32)))
    assert kept(file) is None
    assert keep(file, b"new", "text") == ""
    assert kept(file) == b"new"


@pytest.mark.usefixtures("keyless")
def test_without_a_key_only_what_is_checked_is_kept(tmp_path: Path) -> None:
    code, proof = file_of(tmp_path, 1), file_of(tmp_path, 2)
    assert (
        keep(code, b"code", "compiled code")
        == "compiled code cannot be kept: there is no home folder"
    )
    assert keep(proof, b"proof", "proofs", is_checked=True) == ""
    assert [file.name for file in tmp_path.iterdir()] == [proof.name]
    assert kept(proof) is None
    assert found(proof) == Kept(b"proof", is_signed=False)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """No process writes to it, so opening it as a file would wait for ever."""
    file = file_of(tmp_path, 1)
    os.mkfifo(file, 0o600)
    code = (
        "from pathlib import Path; from stacklaw.models.storage.keeping import kept; "
        f"print(kept(Path({str(file)!r})))"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", code], timeout=30, capture_output=True, text=True, check=True
        ).stdout
        == "None\n"
    )
    assert keep(file, b"content", "text") == ""
    assert kept(file) == b"content"


def test_no_home_is_no_reason_to_end(tmp_path: Path) -> None:
    """With no HOME, and a user whose number is not in the list of users."""
    code = """
import pathlib
def homeless(): raise RuntimeError("Could not determine home directory.")
pathlib.Path.home = homeless
from stacklaw.models.storage.keeping import keep, kept, name_of
from stacklaw.models.storage.opening import cache_folder
file = cache_folder() / name_of("x")
print(kept(file), keep(file, b"", "text"))
"""
    gone = ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "STACKLAW_CACHE", "LOCALAPPDATA")
    environment = {name: value for name, value in os.environ.items() if name not in gone}
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == "None text cannot be kept: there is no home folder\n"


def test_what_is_packed_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    content = b"x" * 1000
    assert unpacked(packed(content)) == content
    for damaged in (b"", packed(content)[:-5], b"no zlib"):
        with pytest.raises(ValueError):  # noqa: PT011 - what it says is up to zlib
            unpacked(damaged)
    monkeypatch.setattr(keeping, "_MOST_CONTENT", 999)
    with pytest.raises(ValueError, match="too much"):
        unpacked(packed(content))


def test_whoever_is_sparing_keeps_proofs_alone(tmp_path: Path) -> None:
    text, proof = file_of(tmp_path, 1), file_of(tmp_path, 2)
    with sparing():
        assert keep(text, b"a", "texts") == ""
        assert keep(proof, b"b", PROOFS) == ""
    assert (kept(text), kept(proof)) == (None, b"b")
    keep(text, b"a", "texts")
    assert kept(text) == b"a"
