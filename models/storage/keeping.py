"""Keeping what only saves time: files, made once, and kept in the user's cache folder. The name of
a file is made of all that it depends on.

A file is signed with this user's key (`models.storage.key`). What this key has not signed is made
again instead of used: what is kept becomes code, or decides what is proved, and a file can come
with an archive. Only code that checks what it reads may ask for the rest (`found`). Files are
opened in an open folder (`models.storage.opening`) and appear whole, by renaming, so two processes
at once do each other no harm. When there are too many, the least recently used ones are removed.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..frozen import frozen
from ..trees import Trees
from .key import SIGNED, NoKeyError, digest, own_key
from .opening import NOWHERE, Folder

MOST_FILES, MOST_BYTES = 8_000, 250 << 20
"""More than so much is not kept for long."""
_LEFT = 3 / 4
"""How much of that is left when files are removed."""
_NOW_AND_THEN = "00"
"""How the names of those files begin, one in 256, that bring a look at the folder with them."""
_NAME = re.compile(r"[0-9a-f]{40}\.\w+(\.\w+)?")
"""What is ours in the folder: files that are kept, and those of a process that ended before it
could rename them.
"""
_DIGEST = 32
PROOFS, DECISIONS = "proofs", "decisions"
"""What proofs, and what searches found, are called, which cost most to make again for their
size.
"""
QUICK = 1
"""How well is packed what repeats itself: so the quickest way makes it small."""
_SPARING: list[None] = []
"""Something in it for each that is `sparing` now."""
_MOST_CONTENT = 64 << 20
"""How many bytes one file has at most, and what is packed in it."""


@frozen
class Kept:
    """What a file says; *is_signed* tells that this user's key has signed it, so that it was made
    here.
    """

    content: bytes
    is_signed: bool


def name_of(*parts: str) -> str:
    """Return the name of a file that depends on *parts*."""
    return digest(*parts)[:40]


def kept(file: Path) -> bytes | None:
    """Return what is kept in *file* and signed; None if there is nothing, or nothing to be
    trusted.
    """
    found_there = found(file)
    return found_there.content if found_there is not None and found_there.is_signed else None


def found(file: Path) -> Kept | None:
    """Return what is kept in *file*, signed by this user or not; None if there is nothing, or it is
    damaged.

    Unsigned content can be anything at all: the caller has to check its form as well as what it
    claims.
    """
    try:
        with Folder(file.parent) as folder:
            whole = folder.read(file.name, _MOST_CONTENT)
    except (OSError, ValueError):
        return None
    signature = whole[:SIGNED]
    whole_digest = whole[SIGNED : SIGNED + _DIGEST]
    content = whole[SIGNED + _DIGEST :]
    with suppress(NoKeyError):
        if own_key().has_signed(signature, file.name, content):
            return Kept(content, is_signed=True)
    return Kept(content, is_signed=False) if whole_digest == _digest(file, content) else None


def keep(file: Path, content: bytes, what: str, *, is_checked: bool = False) -> str:
    """Keep *content* in *file*; return what went wrong, empty if nothing did. *what* is what it is
    called in that sentence.

    Without a key only that is kept which its reader checks (*is_checked*).
    """
    if _SPARING and what not in (PROOFS, DECISIONS):
        return ""
    if file.parent == NOWHERE:
        return f"{what} cannot be kept: there is no home folder"
    try:
        signature = own_key().sign(file.name, content)
    except NoKeyError as error:
        if not is_checked:
            return f"{what} cannot be kept: {error}"
        signature = bytes(SIGNED)
    if len(content) > _MOST_CONTENT - SIGNED - _DIGEST:
        return f"{what} cannot be kept: there is too much of it"
    try:
        with Folder(file.parent, make=True) as folder:
            folder.write(file.name, signature + _digest(file, content) + content)
            if file.name.startswith(_NOW_AND_THEN):
                _tidy(folder)
    except (OSError, ValueError) as error:
        return (
            f"{what} cannot be kept in {file.parent}: {getattr(error, 'strerror', None) or error}"
        )
    return ""


@contextmanager
def sparing() -> Iterator[None]:
    """Keep nothing but proofs and decisions meanwhile, so that what is asked once in a while does
    not drive out what is asked every day.
    """
    _SPARING.append(None)
    try:
        yield
    finally:
        _SPARING.pop()


def kept_tree(file: Path, trees: Trees, kind: Any, given: Sequence[object] = ()) -> Any:
    """Return what `keep_tree` has kept in *file*, which is of that *kind*; None if there is nothing
    to be trusted, or it is something else.
    """
    content = kept(file)
    return None if content is None else tree_in(content, trees, kind, given)


def tree_in(content: bytes, trees: Trees, kind: Any, given: Sequence[object] = ()) -> Any:
    """Return what is packed in *content* and of that *kind*; None if it is something else."""
    with suppress(ValueError):
        return trees.from_bytes(unpacked(content), kind, given)
    return None


def keep_tree(
    file: Path,
    trees: Trees,
    value: object,
    what: str,
    given: Sequence[object] = (),
    *,
    level: int = -1,
    is_checked: bool = False,
) -> str:
    """Keep *value* as *trees* tells it to those who have what is *given*, packed as well as *level*
    says; the rest is as `keep` has it.
    """
    return keep(file, packed(trees.as_bytes(value, given), level), what, is_checked=is_checked)


def packed(content: bytes, level: int = -1) -> bytes:
    """Return *content* made small."""
    return zlib.compress(content, level)


def unpacked(content: bytes) -> bytes:
    """Return what *content* was made of by `packed`; raise ValueError if it was not, or if that is
    too much.
    """
    opened = zlib.decompressobj()
    try:
        whole = opened.decompress(content, _MOST_CONTENT)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if not opened.eof:
        raise ValueError("it is not whole, or too much")
    return whole


def _digest(file: Path, content: bytes) -> bytes:
    return sha256(file.name.encode() + content).digest()


def _tidy(folder: Folder) -> None:
    """Remove the files of *folder* that were not used for longest, if there is too much; other
    processes may do so as well.
    """
    there = [
        (max(status.st_atime, status.st_mtime), status.st_size, name)
        for name, status in folder.entries()
        if _NAME.fullmatch(name)
    ]
    files, size = len(there), sum(size for _, size, _ in there)
    if files <= MOST_FILES and size <= MOST_BYTES:
        return
    for _, its_size, name in sorted(there):
        if files <= MOST_FILES * _LEFT and size <= MOST_BYTES * _LEFT:
            break
        with suppress(OSError):
            folder.remove(name)
        files, size = files - 1, size - its_size
