"""Digests: of texts, and of our own code.

What was made by other code is not believed, however much it looks like what this would make:
everything that is kept, or written down to go on with, has the digest of the code in its name
(`keeping.name_of`, `checker.explicit.native.journal`).
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

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
    try:
        return version(library)
    except PackageNotFoundError:
        return ""
