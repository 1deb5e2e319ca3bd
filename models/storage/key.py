"""Digests of texts and of our own code, and the key of this user that signs.

It lies where neither archives nor checkouts bring files to, in a file that this user alone can
read. It is made when it is first needed. Where it cannot be kept there is none, and nothing is
believed. Another key can be named, to be shared between machines.

Digests: of texts, and of our own code.

What other code has made is not believed, even if it looks the same. Everything that is kept, or
written down to go on with, has the digest of the code in its name (`keeping.name_of`,
`checker.explicit.native.journal`).
"""

from __future__ import annotations

import os
import secrets
import sys
from contextlib import suppress
from dataclasses import field
from functools import cache
from hashlib import blake2b, sha256
from hmac import compare_digest
from pathlib import Path

from ..frozen import frozen
from .opening import NOWHERE, Folder, cache_folder, state_folder

PACKAGE = Path(__file__).parents[2]
ENGINE = "checker", "models", "properties"
"""The folders whose code can make a difference to a verdict."""
_READ = (".py", ".lark", ".tables", ".props")
"""What code is in, and what it reads: grammars with their tables, and the catalogue of
properties.
"""
_LIBRARIES = "z3-solver", "llvmlite", "lark"
"""The libraries whose answers, code and trees are kept."""


def digest(*parts: str | bytes) -> str:
    """Return the SHA-256 of *parts*, one after the other with a zero between two, in hexadecimal
    digits.
    """
    return sha256(
        b"\0".join(
            part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
            for part in parts
        )
    ).hexdigest()


@cache
def code_digest(*names: str) -> str:
    """Return the digest of the code in the folders, and in the files, of these *names* in the
    package, and of the libraries it uses.
    """
    found = sha256(repr([(library, version_of(library)) for library in _LIBRARIES]).encode())
    for name in names:
        place = PACKAGE / name
        for file in (
            sorted(file for file in place.rglob("*") if file.suffix in _READ)
            if place.is_dir()
            else [place]
        ):
            found.update(f"{file.relative_to(PACKAGE).as_posix()} ".encode() + _of_file(file))
    return found.hexdigest()


def engine_digest() -> str:
    """Return the digest of the engine: of all code that has a say in a verdict."""
    return code_digest(*ENGINE)


@cache
def _of_file(file: Path) -> bytes:
    return sha256(file.read_bytes()).digest()


def version_of(library: str) -> str:
    """Return the version of *library*; empty if it is not installed."""
    from importlib.metadata import (  # noqa: PLC0415 - not quick to import; workers need no version
        PackageNotFoundError,
        version,
    )

    try:
        return version(library)
    except PackageNotFoundError:
        return ""


SIGNED = 32
"""How many bytes a signature has."""
_FILE = "key"
_LEAST, _MOST = 32, 4096
"""How many bytes a file with a key may have; one of ours has the least."""
_OTHERS = 0o077


class NoKeyError(Exception):
    """There is no key; the message says why, as a clause."""


@frozen
class SigningKey:
    """A key; *name* tells it from others and gives nothing of it away."""

    secret: bytes = field(repr=False)

    @property
    def name(self) -> str:
        """Sixteen hexadecimal digits."""
        return self.sign("the name of a key", b"").hex()[:16]

    def sign(self, what: str, content: bytes) -> bytes:
        """Return the signature of *content*, as of *what* it is, in `SIGNED` bytes."""
        told = what.encode()
        digest = blake2b(
            len(told).to_bytes(8, "big") + told,
            key=self.secret,
            digest_size=SIGNED,
            person=b"stacklaw",
        )
        digest.update(content)
        return digest.digest()

    def has_signed(self, signature: bytes, what: str, content: bytes) -> bool:
        """Whether *signature* is that of *content* as *what*."""
        return compare_digest(signature, self.sign(what, content))


def own_key() -> SigningKey:
    """Return the key of this user on this machine, made if there is none; raise NoKeyError if it
    cannot be kept.
    """
    folder = state_folder()
    found = _own_key(folder, cache_folder())
    if isinstance(found, str):
        raise NoKeyError(found)
    return found


def has_key() -> bool:
    """Whether this user has a key on this machine."""
    try:
        own_key()
    except NoKeyError:
        return False
    return True


@cache
def _own_key(folder: Path, cached: Path) -> SigningKey | str:
    """Return the key in *folder*, or why there is none; it is looked for once in a process."""
    if sys.platform == "win32":
        return "this system does not say who can read a file"
    if folder == NOWHERE:
        return "there is no home folder"
    for other, called in ((cached, "the cache folder"), (PACKAGE, "stacklaw's own folder")):
        if Path(os.path.realpath(folder)).is_relative_to(os.path.realpath(other)):
            return f"{folder} lies in {called}"
    try:
        return key_in(folder / _FILE, make=True)
    except NoKeyError as error:
        return str(error)


def key_in(file: Path, *, make: bool = False) -> SigningKey:
    """Return the key in *file*, which with *make* is made if it is not there; raise NoKeyError if
    there is none, or others can read it.
    """
    try:
        with Folder(file.parent, make=make) as folder:
            try:
                content = folder.read(file.name, _MOST, mode=_OTHERS)
            except FileNotFoundError:
                if not make:
                    raise
                with suppress(FileExistsError):  # another process was quicker
                    folder.write(file.name, secrets.token_bytes(_LEAST), durable=True, anew=True)
                content = folder.read(file.name, _MOST, mode=_OTHERS)
    except (OSError, ValueError) as error:
        raise NoKeyError(
            f"no key can be had from {file}: {getattr(error, 'strerror', None) or error}"
        ) from None
    if len(content) < _LEAST:
        raise NoKeyError(f"no key can be had from {file}: it has less than {_LEAST} bytes")
    return SigningKey(
        content if len(content) == _LEAST else blake2b(content, digest_size=_LEAST).digest()
    )
