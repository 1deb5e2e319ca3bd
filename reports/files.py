"""Files that are written beside what is printed: whole or not at all, and tried before the work for
them begins.

A device or a pipe is written directly. A symbolic link is refused, for somebody else may have made
it, and it may lead to any file.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from ..models.diagnostics import InputError, wrong_input

_DIRECT = ("/dev/", "/proc/")


def check_writable(path: Path) -> None:
    """Raise InputError unless a file can be written at *path*; leave nothing behind."""
    try:
        if is_direct(path):
            if not os.access(path, os.W_OK):
                raise PermissionError(errno.EACCES, "Permission denied")
            return
        _check_writable(path)
        beside, handle = _beside(path)
        os.close(handle)
        beside.unlink()
    except (OSError, ValueError) as error:
        raise unwritable(path, error) from None


def make_folder(folder: Path, code: str, what: str) -> None:
    """Make *folder* if it is not there; raise InputError with *code* if *what* cannot be written in
    it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        problem = "it is a file"
    except OSError as error:
        problem = error.strerror or "it cannot be made"
    else:
        if os.access(folder, os.W_OK | os.X_OK):
            return
        problem = "nothing can be written there"
    raise wrong_input(code, f"The folder `{folder}` cannot hold {what}: {problem}.")


def write_whole(path: Path, content: str | bytes) -> None:
    """Write *content* to *path*; replace what is there only once all of it is written. Raises
    InputError.
    """
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    try:
        if is_direct(path):
            for stream in (sys.stdout, sys.stderr):
                if stream is not None:
                    stream.flush()
            handle = os.open(path, os.O_WRONLY | os.O_APPEND | _unfollowed(path))
            _write(handle, data)
            return
        _check_writable(path)
        beside, handle = _beside(path)
        try:
            _write(handle, data)
            beside.replace(path)
        except BaseException:
            with suppress(OSError):
                beside.unlink()
            raise
    except (OSError, ValueError) as error:
        raise unwritable(path, error) from None


def unwritable(path: Path | str, error: Exception) -> InputError:
    """Return the error that says why *path* cannot be written."""
    why = (error.strerror if isinstance(error, OSError) else "") or str(error)
    return wrong_input("L111", f"`{path}` cannot be written: {why}.")


def is_direct(path: Path) -> bool:
    """Whether *path* is no plain file: a rename would put one in its place. Raise OSError for a
    link, which may lead to any file.
    """
    if os.path.abspath(path).startswith(_DIRECT):  # noqa: PTH100 - a link is not followed
        return path.exists()
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return False
    if stat.S_ISLNK(mode):
        raise OSError(errno.ELOOP, "it is a symbolic link")
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    return not stat.S_ISREG(mode)


def _unfollowed(path: Path) -> int:
    """Return the flag that keeps a link from being followed that has taken the place of *path*;
    that of a device is the system's.
    """
    is_device = os.path.abspath(path).startswith(_DIRECT)  # noqa: PTH100 - as above
    return 0 if is_device else getattr(os, "O_NOFOLLOW", 0)


def _check_writable(path: Path) -> None:
    """Raise OSError if the plain file *path*, or its folder, may not be written."""
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, f"there is no folder {path.parent}")
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "Permission denied")


def _beside(target: Path) -> tuple[Path, int]:
    """Make an empty file beside *target*, with the rights that a new file has, or those of
    *target*.
    """
    beside = target.with_name(f".{token_hex(8)}.stacklaw")
    handle = os.open(
        beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666
    )
    with suppress(OSError):
        os.chmod(beside, stat.S_IMODE(target.lstat().st_mode))  # noqa: PTH101
    return beside, handle


def _write(handle: int, data: bytes) -> None:
    with os.fdopen(handle, "wb") as stream:
        stream.write(data)
