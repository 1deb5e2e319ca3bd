"""Files that only save time: made once, and kept in the user's cache folder under a name made of all they depend on.

A file holds the digest of its content; what is damaged, or lies where others can write, is not used but made again.
Files appear whole, by renaming, so two processes at once do each other no harm. When there are too many, those that nobody has
used for longest are removed.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

MOST_FILES, MOST_BYTES = 5_000, 100 << 20
"""More than so much is not kept for long."""
_LEFT = 3 / 4
"""How much of that is left when files are removed."""
_NOW_AND_THEN = "00"
"""How the names of those files begin, one in 256, that bring a look at the folder with them."""
_NAME = re.compile(r"[0-9a-f]{40}\.\w+(\.\w+)?")
"""What is ours in the folder: files that are kept, and those of a process that ended before it could rename them."""
_DIGEST = 32


def cache_folder() -> Path:
    """Return where files are kept: ``STACKLAW_CACHE``, or the folder the system has for such things."""
    if said := os.environ.get("STACKLAW_CACHE"):
        return Path(said)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "stacklaw" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "stacklaw"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "stacklaw"


def name_of(*parts: str) -> str:
    """Return the name of a file that depends on *parts*."""
    return sha256("\0".join(parts).encode()).hexdigest()[:40]


def kept(file: Path) -> bytes | None:
    """Return what is kept in *file*; None if there is nothing, or nothing to be trusted."""
    try:
        if not _is_ours(file.parent) or not _is_ours(file):
            return None
        content = file.read_bytes()
    except OSError:
        return None
    digest, content = content[:_DIGEST], content[_DIGEST:]
    return content if digest == _digest(file, content) else None


def _digest(file: Path, content: bytes) -> bytes:
    return sha256(file.name.encode() + content).digest()


def _is_ours(path: Path) -> bool:
    """Whether nobody but this user can have written *path*; where no owner can be asked for, it lies in the user's own folder."""
    if sys.platform == "win32":
        with suppress(RuntimeError):  # nobody knows where that is
            return path.resolve().is_relative_to(Path.home().resolve())
        return False
    status = path.stat()
    return status.st_uid == os.getuid() and not status.st_mode & 0o022


def keep(file: Path, content: bytes, what: str) -> str:
    """Keep *content* in *file*; return what went wrong, empty if nothing did. *what* is what it is called in that sentence."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f"{file.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(_digest(file, content) + content)
            Path(name).replace(file)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        return f"{what} cannot be kept in {file.parent}: {error.strerror or error}"
    if file.name.startswith(_NOW_AND_THEN):
        _tidy(file.parent)
    return ""


def _tidy(folder: Path) -> None:
    """Remove the files of *folder* that were not used for longest, if there is too much; other processes may do so as well."""
    found: list[tuple[float, int, str]] = []
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _NAME.fullmatch(entry.name):
                with suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    found.append((max(status.st_atime, status.st_mtime), status.st_size, entry.path))
    files, size = len(found), sum(size for _, size, _ in found)
    if files <= MOST_FILES and size <= MOST_BYTES:
        return
    for _, its_size, path in sorted(found):
        if files <= MOST_FILES * _LEFT and size <= MOST_BYTES * _LEFT:
            break
        with suppress(OSError):
            Path(path).unlink()
        files, size = files - 1, size - its_size
