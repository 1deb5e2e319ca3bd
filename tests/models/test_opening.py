"""Opening: no link, pipe or folder of somebody else's leads to anything, and a file is there whole
or not at all.
"""

from __future__ import annotations

import errno
import os
import socket
import sys
from pathlib import Path

import pytest

from stacklaw.models.storage.opening import Folder, NotOursError

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="no owners, no descriptors of folders"
)
NOBODY = 54_321
CONTENT = b"content"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "ours"
    path.mkdir(mode=0o700)
    return path


def written(folder: Path) -> bytes:
    with Folder(folder, make=True) as opened:
        opened.write("file", CONTENT)
    with Folder(folder) as opened:
        return opened.read("file", 100)


def test_what_is_written_can_be_read(folder: Path) -> None:
    assert written(folder) == CONTENT
    assert (folder / "file").stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in folder.iterdir()] == ["file"]


def test_folders_are_made_for_this_user_alone(folder: Path) -> None:
    assert written(folder / "one" / "two") == CONTENT
    assert {path.stat().st_mode & 0o777 for path in (folder / "one", folder / "one" / "two")} == {
        0o700
    }


def test_too_much_is_not_read(folder: Path) -> None:
    written(folder)
    with Folder(folder) as opened, pytest.raises(OSError, match="too large"):
        opened.read("file", len(CONTENT) - 1)


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_socket(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # the name of a socket has to be short
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


def a_folder(path: Path) -> None:
    path.mkdir()


def a_link(path: Path) -> None:
    path.with_name("target").write_bytes(CONTENT)
    path.symlink_to("target")


def a_dangling_link(path: Path) -> None:
    path.symlink_to("nowhere")


def a_link_to_a_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def a_file_for_all(path: Path) -> None:
    path.write_bytes(CONTENT)
    path.chmod(0o622)


def anothers(path: Path) -> None:
    path.write_bytes(CONTENT)
    if os.geteuid():
        pytest.skip("only root can give a file away")
    os.chown(path, NOBODY, NOBODY)


ODD = pytest.mark.parametrize(
    "make",
    [
        a_pipe,
        a_socket,
        a_folder,
        a_link,
        a_dangling_link,
        a_link_to_a_device,
        a_file_for_all,
        anothers,
    ],
)


@ODD
def test_what_is_no_file_of_ours_is_not_read(folder: Path, make: object) -> None:
    make(folder / "file")  # type: ignore[operator]
    with Folder(folder) as opened, pytest.raises(OSError):  # noqa: PT011 - of which kind is up to the system
        opened.read("file", 100)


@pytest.mark.parametrize(
    "make", [a_pipe, a_link, a_dangling_link, a_link_to_a_device, a_file_for_all]
)
def test_it_is_written_over_and_never_through(folder: Path, make: object) -> None:
    make(folder / "file")  # type: ignore[operator]
    with Folder(folder) as opened:
        opened.write("file", b"new")
        assert opened.read("file", 100) == b"new"
        assert not (folder / "file").is_symlink()
        (folder / "log").symlink_to("target")
        os.close(opened.made("log"))
    assert (folder / "log").stat().st_size == 0
    assert not (folder / "log").is_symlink()
    assert not (folder / "target").exists() or (folder / "target").read_bytes() == CONTENT


def test_a_folder_that_others_can_write_is_not_used(folder: Path) -> None:
    for mode in (0o770, 0o707, 0o1777):
        folder.chmod(mode)
        with pytest.raises(NotOursError, match="others can write there"):
            written(folder)


def test_a_way_that_others_can_change_is_not_taken(folder: Path) -> None:
    below = folder / "below"
    written(below)
    for mode in (0o770, 0o702):
        folder.chmod(mode)
        with pytest.raises(NotOursError, match="on the way"):
            Folder(below)
    folder.chmod(0o1777)  # as /tmp is: others cannot exchange what is ours there
    assert written(below) == CONTENT


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() != 0, reason="only root can give a folder away"
)
def test_a_folder_of_somebody_elses_on_the_way_is_not_trusted(folder: Path) -> None:
    """They could exchange what is in it between two looks at it: a race, if it were looked at by
    its name.
    """
    below = folder / "below"
    written(below)
    os.chown(folder, NOBODY, NOBODY)
    with pytest.raises(NotOursError, match="somebody else"):
        Folder(below)
    os.chown(folder, 0, 0)
    os.chown(below, NOBODY, NOBODY)
    with pytest.raises(NotOursError, match="somebody else"):
        Folder(below)


def test_links_of_ours_on_the_way_are_followed(folder: Path) -> None:
    written(folder / "far" / "away")
    (folder / "link").symlink_to("far")
    (folder / "absolute").symlink_to(folder / "link" / "away")
    (folder / "round").symlink_to("round")
    for way in ("link/away", "absolute", "far/../link/away"):
        with Folder(folder / way) as opened:
            assert opened.read("file", 100) == CONTENT
    with pytest.raises(OSError) as raised:  # noqa: PT011 - the number says which
        Folder(folder / "round")
    assert raised.value.errno in (errno.ELOOP, errno.ENOTDIR)


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() != 0, reason="only root can give a link away"
)
def test_links_of_somebody_elses_are_not(folder: Path) -> None:
    written(folder / "far")
    (folder / "link").symlink_to("far")
    os.chown(folder / "link", NOBODY, NOBODY, follow_symlinks=False)
    with pytest.raises(NotOursError, match="a link on the way"):
        Folder(folder / "link")


def test_an_open_folder_stays_the_same_when_its_name_is_anothers(folder: Path) -> None:
    """What is checked is what is used: exchanging the name afterwards changes nothing."""
    with Folder(folder / "one", make=True) as opened:
        opened.write("file", CONTENT)
        (folder / "one").rename(folder / "gone")
        (folder / "other").mkdir()
        (folder / "other" / "file").write_bytes(b"planted")
        (folder / "one").symlink_to("other")
        assert opened.read("file", 100) == CONTENT
        opened.write("new", CONTENT)
    assert (folder / "gone" / "new").exists()
    assert not (folder / "other" / "new").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device")
def test_nothing_half_written_is_left_behind(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.open

    def full(name: str, flags: int, *rest: int, dir_fd: int | None = None) -> int:
        descriptor = real(name, flags, *rest, dir_fd=dir_fd)
        if flags & os.O_EXCL:
            os.close(descriptor)
            return real("/dev/full", os.O_WRONLY)
        return descriptor

    written(folder)
    with Folder(folder) as opened, monkeypatch.context() as patch:
        patch.setattr(os, "open", full)
        with pytest.raises(OSError, match="No space left"):
            opened.write("file", b"x" * 100_000)
    assert [entry.name for entry in folder.iterdir()] == ["file"]
    assert (folder / "file").read_bytes() == CONTENT


def test_a_nameless_file_is_nowhere_to_be_found(folder: Path) -> None:
    with Folder(folder) as opened, os.fdopen(opened.made_nameless(), "w+b") as stream:
        stream.write(CONTENT)
        stream.seek(0)
        assert stream.read() == CONTENT
        assert not list(folder.iterdir())


def test_no_descriptor_is_left_open(folder: Path) -> None:
    listed = Path("/proc/self/fd")
    if not listed.exists():
        pytest.skip("the system does not tell")
    written(folder)
    (folder / "link").symlink_to(folder / "nowhere")
    (folder / "dir").mkdir()
    before = len(list(listed.iterdir()))
    for name in ("nothing", "dir", "link"):
        with Folder(folder) as opened, pytest.raises(OSError):  # noqa: PT011 - of which kind is up to the system
            opened.read(name, 100)
        with pytest.raises(OSError):  # noqa: PT011
            Folder(folder / "file" / name)
    with pytest.raises(FileNotFoundError):
        Folder(folder / "link")
    written(folder)
    assert len(list(listed.iterdir())) == before
