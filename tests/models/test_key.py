"""The key: it is made once, this user alone can read it, and where that cannot be said there is
none.
"""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from pathlib import Path

import pytest

from stacklaw.models.storage import key
from stacklaw.models.storage.key import NoKeyError, SigningKey, key_in, own_key
from stacklaw.models.storage.opening import NOWHERE, cache_folder, state_folder

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="there is no key where nobody can be asked who reads it"
)
ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="other systems have other folders")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the user have an empty home folder."""
    for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME", "STACKLAW_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    key._own_key.cache_clear()
    return tmp_path / "home"


def anew() -> SigningKey:
    """Return the key as another process would have it."""
    key._own_key.cache_clear()
    return own_key()


def test_it_is_made_once_and_for_this_user_alone() -> None:
    first = own_key()
    file = state_folder() / "key"
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert anew() == first
    assert [path.name for path in file.parent.iterdir()] == ["key"]
    file.unlink()
    assert anew() != first


def test_a_signature_is_of_one_thing_only() -> None:
    one, other = SigningKey(b"1" * 32), SigningKey(b"2" * 32)
    signature = one.sign("name", b"content")
    assert one.has_signed(signature, "name", b"content")
    assert not one.has_signed(signature, "nam", b"econtent")
    assert not one.has_signed(signature, "name", b"contents")
    assert not one.has_signed(signature[:-1], "name", b"content")
    assert not one.has_signed(bytes(32), "name", b"content")
    assert not other.has_signed(signature, "name", b"content")
    assert one.name != other.name
    assert "1111" not in repr(one)


def test_processes_that_begin_at_once_have_the_same_key() -> None:
    code = "from stacklaw.models.storage.key import own_key; print(own_key().name)"
    processes = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        for _ in range(6)
    ]
    names = {process.communicate(timeout=60)[0].strip() for process in processes}
    assert names == {own_key().name}


def test_two_processes_make_it_at_the_same_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other one is quicker, between our look for the key and our making one."""
    real = secrets.token_bytes
    others = b"o" * 32

    def late(number: int) -> bytes:
        state_folder().joinpath("key").write_bytes(others)
        state_folder().joinpath("key").chmod(0o600)
        return real(number)

    monkeypatch.setattr(secrets, "token_bytes", late)
    assert own_key() == SigningKey(others)


def refused(why: str) -> None:
    key._own_key.cache_clear()
    with pytest.raises(NoKeyError, match=why):
        own_key()


def test_a_key_that_others_can_read_is_none() -> None:
    own_key()
    file = state_folder() / "key"
    for mode in (0o640, 0o604, 0o602):
        file.chmod(mode)
        refused("others can read it")
    file.chmod(0o600)
    file.parent.chmod(0o777)
    refused("others can write there")


def test_a_key_that_is_no_file_is_none(home: Path) -> None:
    own_key()
    file = state_folder() / "key"
    content = file.read_bytes()
    file.unlink()
    os.mkfifo(file, 0o600)
    refused("no file")
    file.unlink()
    (home / "planted").write_bytes(content)
    (home / "planted").chmod(0o600)
    file.symlink_to(home / "planted")
    refused("no key can be had")
    file.unlink()
    file.write_bytes(content[:-1])
    file.chmod(0o600)
    refused("less than 32 bytes")


def test_a_key_of_somebody_elses_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    own_key()
    monkeypatch.setattr(os, "geteuid", lambda: 54_321)
    refused("somebody else")


def test_a_home_that_cannot_be_written_has_none(home: Path) -> None:
    home.write_text("no folder")
    refused("no key can be had")


@ON_LINUX
def test_without_a_home_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOME")
    for raised in (
        RuntimeError("Could not determine home directory."),
        KeyError("getpwuid(): uid not found: 54321"),
    ):

        def homeless(raised: Exception = raised) -> Path:
            raise raised

        monkeypatch.setattr(Path, "home", homeless)
        assert state_folder() == cache_folder() == NOWHERE
        refused("there is no home folder")


@ON_LINUX
def test_folders_that_are_not_absolute_are_ignored(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "here")
    monkeypatch.setenv("XDG_CACHE_HOME", "./there")
    assert state_folder() == home / ".local" / "state" / "stacklaw"
    assert cache_folder() == home / ".cache" / "stacklaw"
    monkeypatch.setenv("HOME", "relative")
    assert state_folder() == NOWHERE


@ON_LINUX
def test_it_lies_where_neither_a_cache_nor_the_package_is(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    monkeypatch.setenv("STACKLAW_CACHE", str(home))
    refused("lies in the cache folder")
    monkeypatch.setenv("STACKLAW_CACHE", str(home / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(Path(key.__file__).parent))
    refused("lies in stacklaw's own folder")


def test_a_key_to_share(tmp_path: Path) -> None:
    file = tmp_path / "shared"
    with pytest.raises(NoKeyError, match="No such file"):
        key_in(file)
    file.write_bytes(b"several words and numbers, enough of them 27182")
    with pytest.raises(NoKeyError, match="others can read it"):
        key_in(file)
    file.chmod(0o600)
    assert key_in(file) == key_in(file)
    assert len(key_in(file).secret) == 32
    made = key_in(tmp_path / "made", make=True)
    assert made == key_in(tmp_path / "made")
