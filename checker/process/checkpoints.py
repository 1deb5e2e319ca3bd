"""A folder of checkpoints: small files that say how far a search was, or what came of it, and long
ones with the positions it found.

Others may write in such a folder, and it may come from another machine. So what a small file says
is signed (`models.storage.key`), and a long one is what a digest in a small one says. Of what is
not signed nothing is used.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import Any, NoReturn

from ...models.storage.key import SigningKey, digest
from ...models.storage.opening import Folder

FORMAT = "2"
"""To be changed when old files should not be read any more."""
_MOST = 64 << 20
"""How many bytes a small file has at most."""


class NotGoodError(Exception):
    """A checkpoint is not used; the message says why, as a clause."""


class NotSignedError(NotGoodError):
    """A checkpoint is whole, but was not signed with this key: it is another machine's, or
    forged.
    """


class Checkpoints:
    """The *folder* of checkpoints that are signed with *key*."""

    def __init__(self, folder: Path, key: SigningKey) -> None:
        self.path, self.key = folder, key

    def put(self, name: str, content: Mapping[str, Any]) -> None:
        """Write a small file that is there whole or not at all; raise OSError if it cannot be."""
        text = json.dumps({"format": FORMAT, **content}, sort_keys=True).encode("ascii")
        signature = self.key.sign(_what(name), text).hex()
        with self._folder(make=True) as folder:
            folder.write(
                name,
                b"%s %s %s\n%s\n"
                % (digest(text).encode(), self.key.name.encode(), signature.encode(), text),
                durable=True,
            )

    def get(self, name: str) -> dict[str, Any]:
        """Return what a small file says; raise `NotGoodError` if it is damaged, NotSignedError if
        this key has not signed it.
        """
        try:
            with self._folder() as folder:
                whole = folder.read(name, _MOST, anybodys=True)
        except OSError as error:
            raise NotGoodError(
                f"the checkpoint in {self.path} cannot be read: {error.strerror or error}"
            ) from None
        begins, _, text = whole.removesuffix(b"\n").partition(b"\n")
        said, *signed = begins.split(b" ")
        if said != digest(text).encode():
            raise NotGoodError(f"the checkpoint in {self.path} is damaged")
        if not self._has_signed(name, signed, text):
            raise NotSignedError(f"the checkpoint in {self.path} was not signed with this key")
        try:
            content = json.loads(text, parse_float=_refused, parse_constant=_refused)
        except (ValueError, RecursionError):
            raise NotGoodError(f"the checkpoint in {self.path} cannot be understood") from None
        if not isinstance(content, dict) or content.pop("format", "") != FORMAT:
            raise NotGoodError(f"the checkpoint in {self.path} is of another form")
        return content

    def _has_signed(self, name: str, signed: list[bytes], text: bytes) -> bool:
        if len(signed) != 2 or signed[0] != self.key.name.encode():
            return False
        try:
            return self.key.has_signed(bytes.fromhex(signed[1].decode()), _what(name), text)
        except ValueError:
            return False

    def names(self) -> list[str]:
        """Return the names of the small files that there are."""
        with suppress(OSError), self._folder() as folder:
            return sorted(name for name, _ in folder.entries() if name.endswith(".json"))
        return []

    def not_signed(self) -> list[str]:
        """Return the names of those that are whole and that this key has not signed."""
        found = []
        for name in self.names():
            try:
                self.get(name)
            except NotSignedError:
                found.append(name)
            except NotGoodError:
                continue
        return found

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        with suppress(FileNotFoundError), self._folder() as folder:
            folder.remove(name)

    def remove_others(self, name: str, beginning: str) -> None:
        """Remove all files whose names begin so, but for *name*; raise OSError if one cannot be
        removed.
        """
        with self._folder() as folder:
            for other, _ in folder.entries():
                if other.startswith(beginning) and other != name:
                    with suppress(FileNotFoundError):
                        folder.remove(other)

    def _folder(self, *, make: bool = False) -> Folder:
        return Folder(self.path, make=make, shared=True)


def new_log(path: Path) -> FileIO:
    """Return a new long file at *path*, open, in the place of what was there; raise OSError if
    there cannot be one.
    """
    with Folder(path.parent, make=True, shared=True) as folder:
        return os.fdopen(folder.made(path.name), "w+b", buffering=0)


def opened_log(path: Path) -> FileIO:
    """Return the long file at *path*, open; raise OSError if there is none, or if others could
    write it while it is read.
    """
    with Folder(path.parent, shared=True) as folder:
        return os.fdopen(folder.open(path.name, os.O_RDWR), "r+b", buffering=0)


def _what(name: str) -> str:
    return f"checkpoint {name}"


def _refused(text: str) -> NoReturn:
    raise ValueError(f"{text} is no whole number")
