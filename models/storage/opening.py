"""Places of this user's files, and opening what somebody else may have put there.

A `Folder` is opened from the root, one name after the other, each in the one before. On that way
every folder belongs to this user or to the system, and they alone can exchange what is in it. Every
link that is followed belongs to one of them as well. The files in the folder are then opened by its
descriptor, without following links and without waiting for the other end of a pipe. The owner, size
and rights of a file are those of the open one. Files appear whole, by renaming.

Places of this user's files: what may be lost, and what may not.

Without a home folder these places are unknown; `NOWHERE` stands for them, and nothing can be opened
or made in it.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
import sys
from contextlib import suppress
from pathlib import Path

NOWHERE = Path(os.devnull)
"""The folder of a user without one."""


def cache_folder() -> Path:
    """Return where files lie that only save time: ``STACKLAW_CACHE``, or the folder the system has
    for such things.
    """
    if said := os.environ.get("STACKLAW_CACHE"):
        return Path(said)
    if sys.platform == "win32":
        return _under("LOCALAPPDATA", "AppData", "Local", "stacklaw", "cache")
    if sys.platform == "darwin":
        return _under("", "Library", "Caches", "stacklaw")
    return _under("XDG_CACHE_HOME", ".cache", "stacklaw")


def state_folder() -> Path:
    """Return where files lie that belong to this user on this machine, the key
    (`models.storage.key`) among them.
    """
    if sys.platform == "win32":
        return _under("LOCALAPPDATA", "AppData", "Local", "stacklaw", "state")
    if sys.platform == "darwin":
        return _under("", "Library", "Application Support", "stacklaw")
    return _under("XDG_STATE_HOME", ".local", "state", "stacklaw")


def _under(variable: str, *names: str) -> Path:
    """Return the folder *names* of the home folder; a *variable* that says an absolute path stands
    for all before "stacklaw".
    """
    said = os.environ.get(variable, "")
    ours = names[names.index("stacklaw") :]
    if Path(said).is_absolute():  # a relative one is to be ignored, says the XDG specification
        return Path(said, *ours)
    try:
        home = Path.home()
    except (RuntimeError, KeyError):  # no HOME, and this user's number is not in the list of users
        return NOWHERE
    return home.joinpath(*names) if home.is_absolute() else NOWHERE


_OTHERS_WRITE = 0o022
_MOST_LINKS = 40
"""How many links a path may lead through, as for the system itself."""
_IS_LINK = errno.ELOOP, errno.ENOTDIR, errno.EMLINK
"""What the systems say of a link that is not followed."""
_NO_FOLLOW = (
    getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOINHERIT", 0)
)
_FILE = (
    _NO_FOLLOW
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)
_FOLDER = _NO_FOLLOW | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_PATH", os.O_RDONLY)


class NotOursError(OSError):
    """Somebody else could have written it, or exchanged it; the text says why."""

    def __init__(self, why: str, path: str | Path) -> None:
        super().__init__(errno.EPERM, why, str(path))


class Folder:
    """The folder *path*, open; raises OSError if it cannot be, NotOursError if somebody else could
    exchange what is in it.

    With *make* it is made, for this user alone, where it is missing. A *shared* folder is one that
    the user has named: others may write there, and the way to it is not checked. The files in it
    are opened with the same checks as anywhere.
    """

    def __init__(self, path: Path, *, make: bool = False, shared: bool = False) -> None:
        self.path, self._descriptor = path, -1
        if sys.platform == "win32":  # there are no descriptors of folders, and no owners to ask for
            if make:
                path.mkdir(parents=True, exist_ok=True)
        elif shared:
            if make:
                path.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._descriptor = os.open(path, _FOLDER & ~os.O_NOFOLLOW)
        else:
            self._descriptor = _walked(path, make=make)

    def __enter__(self) -> Folder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close it; what was opened in it stays open."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def read(
        self, name: str, most: int, *, mode: int = _OTHERS_WRITE, anybodys: bool = False
    ) -> bytes:
        """Return what the file *name* says, of up to *most* bytes; raise OSError, NotOursError if
        it is not a file of this user's own.

        None of the bits of *mode* may be set in its permissions. With *anybodys* it may be
        anybody's: what it says is checked otherwise.
        """
        descriptor = self.open(name, os.O_RDONLY, mode=mode, anybodys=anybodys)
        with os.fdopen(descriptor, "rb") as stream:
            if os.fstat(descriptor).st_size > most:
                raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), name)
            content = stream.read(most + 1)
        if len(content) > most:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), name)
        return content

    def open(
        self, name: str, flags: int, *, mode: int = _OTHERS_WRITE, anybodys: bool = False
    ) -> int:
        """Return a descriptor of the file *name*, opened with *flags*; raises as `read` does."""
        descriptor = self._open(name, flags)
        try:
            _check_file(os.fstat(descriptor), name, mode, anybodys=anybodys)
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor

    def made(self, name: str) -> int:
        """Return a descriptor of the new file *name*, for reading and writing by this user alone;
        what was there goes. Raises OSError.
        """
        with suppress(FileNotFoundError):
            self.remove(name)
        return self._open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL)

    def made_nameless(self) -> int:
        """Return a descriptor of a new, private file. It goes when it is closed. Raises OSError."""
        name = f"tmp.{secrets.token_hex(8)}"
        descriptor = self._open(
            name, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_TEMPORARY", 0)
        )
        if sys.platform != "win32":
            self.remove(name)
        return descriptor

    def write(
        self, name: str, content: bytes, *, durable: bool = False, anew: bool = False
    ) -> None:
        """Let *content* be the file *name*, whole or not at all, for this user alone; raise OSError
        if it cannot be.

        A *durable* one is on the disk then. With *anew* there is a FileExistsError where there is a
        file of this name.
        """
        beside = f"{name}.{secrets.token_hex(4)}"
        descriptor = self._open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(content)
                stream.flush()
                if durable:
                    os.fsync(descriptor)
            self._rename(beside, name, anew=anew)
        except BaseException:
            with suppress(OSError):
                self.remove(beside)
            raise

    def remove(self, name: str) -> None:
        """Remove the file *name*; raise OSError if it cannot be."""
        if self._descriptor < 0:
            os.unlink(self.path / name)  # noqa: PTH108 - as below
        else:
            os.unlink(name, dir_fd=self._descriptor)

    def entries(self) -> list[tuple[str, os.stat_result]]:
        """Return what is in the folder: the names, with what the system says of each, of links too.
        Raises OSError.
        """
        found = []
        descriptor = (
            -1
            if self._descriptor < 0
            else os.open(".", os.O_RDONLY | os.O_CLOEXEC, dir_fd=self._descriptor)
        )
        try:
            with os.scandir(self.path if descriptor < 0 else descriptor) as entries:
                for entry in entries:
                    with suppress(OSError):
                        found.append((entry.name, entry.stat(follow_symlinks=False)))
        finally:
            if descriptor >= 0:
                os.close(descriptor)
        return found

    def _open(self, name: str, flags: int) -> int:
        if self._descriptor < 0:
            return os.open(self.path / name, flags | _FILE, 0o600)
        return os.open(name, flags | _FILE, 0o600, dir_fd=self._descriptor)

    def _rename(self, one: str, other: str, *, anew: bool) -> None:
        if self._descriptor < 0:
            (os.rename if anew else os.replace)(self.path / one, self.path / other)
            return
        here = self._descriptor
        if anew:
            try:
                os.link(one, other, src_dir_fd=here, dst_dir_fd=here, follow_symlinks=False)
            except FileExistsError:
                raise
            except OSError:
                # A file system without links: who comes last wins, and both read it again.
                pass
            else:
                self.remove(one)
                return
        os.replace(one, other, src_dir_fd=here, dst_dir_fd=here)


def _walked(path: Path, *, make: bool) -> int:
    """Return a descriptor of the folder *path*. Only this user and the system can exchange it or
    write in it.
    """
    whole = Path.cwd() / path
    left, links, way = list(whole.parts[:0:-1]), 0, list[str]()
    here = os.open(whole.anchor, _FOLDER)
    try:
        while left:
            _check_on_the_way(here, Path(whole.anchor, *way))
            name = left.pop()
            try:
                following = _entered(here, name, make=make)
            except OSError as error:
                if error.errno not in _IS_LINK or (links := links + 1) > _MOST_LINKS:
                    raise
                target = Path(_followed(here, name, whole))
                if target.is_absolute():
                    os.close(here)
                    here = -1
                    here, way = os.open(target.anchor, _FOLDER), []
                left += [part for part in target.parts[::-1] if part != target.anchor]
                continue
            os.close(here)
            here = following
            way.append(name)
        _check_end(here, whole)
    except BaseException:
        if here >= 0:
            os.close(here)
        raise
    return here


def _entered(here: int, name: str, *, make: bool) -> int:
    try:
        return os.open(name, _FOLDER, dir_fd=here)
    except FileNotFoundError:
        if not make:
            raise
    with suppress(FileExistsError):  # another process was quicker
        os.mkdir(name, 0o700, dir_fd=here)
    return os.open(name, _FOLDER, dir_fd=here)


def _check_on_the_way(here: int, path: Path) -> None:
    """Raise NotOursError if others can exchange what is in the open folder *here*, the one at
    *path*.

    In a folder with the sticky bit (/tmp) they can make what is new, but not exchange what belongs
    to us or to the system.
    """
    status = os.fstat(here)
    if status.st_uid not in (0, os.geteuid()):
        raise NotOursError(f"{path}, on the way to it, belongs to somebody else", path)
    if status.st_mode & _OTHERS_WRITE and not status.st_mode & stat.S_ISVTX:
        raise NotOursError(f"others can write in {path}, on the way to it", path)


def _check_end(here: int, whole: Path) -> None:
    """Raise NotOursError if the open folder *here* is not this user's alone to write in."""
    status = os.fstat(here)
    if status.st_uid != os.geteuid():
        raise NotOursError("it belongs to somebody else", whole)
    if status.st_mode & _OTHERS_WRITE:
        raise NotOursError("others can write there", whole)


def _check_file(status: os.stat_result, name: str, mode: int, *, anybodys: bool) -> None:
    """Raise NotOursError if an open file of that *status* is none, or one that others have made or
    can write (or read, by *mode*).
    """
    if not stat.S_ISREG(status.st_mode):
        raise NotOursError("it is no file", name)
    if sys.platform == "win32" or anybodys:
        return
    if status.st_uid != os.geteuid():
        raise NotOursError("it belongs to somebody else", name)
    if status.st_mode & mode:
        raise NotOursError(
            "others can write it" if mode == _OTHERS_WRITE else "others can read it", name
        )


def _followed(here: int, name: str, whole: Path) -> str:
    """Return where the link *name* in the folder *here* leads; raise NotOursError if somebody else
    has made it.
    """
    status = os.stat(name, dir_fd=here, follow_symlinks=False)
    if not stat.S_ISLNK(status.st_mode):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(whole))
    if status.st_uid not in (0, os.geteuid()):
        raise NotOursError("a link on the way to it belongs to somebody else", whole)
    return os.readlink(name, dir_fd=here)
