"""Files that only save time: made once, and kept in the user's cache folder under a name made of all they depend on.

A file holds the digest of its content; what is damaged, or lies where others can write, is not used but made again.
Files appear whole, by renaming, so two processes at once do each other no harm.
"""

from __future__ import annotations

import os
import sys
import tempfile
from hashlib import sha256
from pathlib import Path

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
    """Whether nobody but this user can have written *path*."""
    if sys.platform == "win32":
        return True
    status = path.stat()
    return status.st_uid == os.getuid() and not status.st_mode & 0o022


def keep(file: Path, content: bytes, what: str) -> str:
    """Keep *content* in *file*; return what went wrong, empty if nothing did. *what* is what it is called in that sentence."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=file.parent)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(_digest(file, content) + content)
            Path(name).replace(file)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        return f"{what} cannot be kept in {file.parent}: {error.strerror or error}"
    return ""
