"""Reading a file to a `Source`: bytes checked, decoded, line ends made alike."""

from __future__ import annotations

import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType
from typing import Any

from .diagnostics import wrong_input
from .source import Source, Span

MAX_BYTES = 250_000
MAX_LINES = 10_000
_MOST_DOTS = 50
"""A key of more parts takes TOML long."""
_MOST_BITS = 63


def read_source(path: Path | str) -> Source:
    """Read the text at *path*; raise `InputError` if it is no text of a bearable size."""
    name = str(path)
    if (text := _SENT.get().get(name)) is not None:
        return Source.named(name, text)
    try:
        data = _bytes(Path(path))
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise wrong_input("R020", f"`{name}` cannot be read: {why}.") from error
    return decode_source(name, data)


def exists(path: Path) -> bool:
    """Return whether there is something at *path*."""
    return _SENT.get()[str(path)] is not None if is_sent(path) else path.exists()


@contextmanager
def sent(texts: Mapping[str, str | None]) -> Iterator[None]:
    """Have the files of these names say these *texts* meanwhile, None where there is no file: they
    lie where somebody asks for this. Another thread does not see them.
    """
    before = _SENT.set({**_SENT.get(), **texts})
    try:
        yield
    finally:
        _SENT.reset(before)


def is_sent(path: Path) -> bool:
    """Return whether something was `sent` of *path*."""
    return str(path) in _SENT.get()


def sent_text(path: Path) -> str:
    """Return what was `sent` of *path*; raise FileNotFoundError if that is that there is no such
    file.
    """
    if (text := _SENT.get()[str(path)]) is None:
        raise FileNotFoundError(str(path))
    return text


_SENT: ContextVar[Mapping[str, str | None]] = ContextVar("_SENT", default=MappingProxyType({}))
"""What was `sent` of files, by their names."""
_PIPED: dict[tuple[int, int, int], bytes] = {}
"""What came out of pipes, by what they are: a pipe gives its text once, and a run asks for a text
more than once.
"""


def _bytes(path: Path) -> bytes:
    """Return what is in the file or the pipe *path*, as far as it may be read."""
    pipe = _pipe(path)
    if pipe is not None and pipe in _PIPED:
        return _PIPED[pipe]
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if (pipe := _pipe(path)) is not None:
        _PIPED[pipe] = data
    return data


def _pipe(path: Path) -> tuple[int, int, int] | None:
    """Return what tells the pipe *path*, after what was written to it last, from all others; None
    if it is a file.
    """
    about = path.stat()
    return (about.st_dev, about.st_ino, about.st_mtime_ns) if stat.S_ISFIFO(about.st_mode) else None


def decode_source(name: str, data: bytes) -> Source:
    """Return the text in *data*, the bytes of the file *name*; raise `InputError` if it is none."""
    empty = Source(name, "")
    if len(data) > MAX_BYTES:
        said = (
            f"This file is larger than {MAX_BYTES // 1000} kB, which is more than any ruleset "
            "needs."
        )
        raise wrong_input("R310", said, empty, None, "is it the right file?")
    if b"\0" in data:
        place = _span_at(data, data.index(b"\0"))
        raise wrong_input(
            "R021", "This is not a text: it has a NUL byte.", empty, place, "is it the right file?"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        said = "This byte is not part of a text in UTF-8."
        raise wrong_input(
            "R022", said, empty, _span_at(data, error.start), "save the file as UTF-8"
        ) from error
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.count("\n") > MAX_LINES:
        said = f"This file has more than {MAX_LINES:,} lines, which is more than any ruleset needs."
        raise wrong_input("R310", said, empty, None, "is it the right file?")
    return Source.named(name, text)


def toml_in(source: Source, longest: int = MAX_BYTES) -> dict[str, Any]:
    """Return what the TOML in *source* says, in numbers of a bearable size and texts that are no
    longer than *longest*. Raises ValueError, with why as a clause, if that is not all it says.
    """
    import tomllib  # noqa: PLC0415 - not quick to import

    for number, line in enumerate(source.text.split("\n"), 1):
        if line.count(".") > _MOST_DOTS:
            raise ValueError(f"it has more than {_MOST_DOTS} dots (at line {number})")
    try:
        found = tomllib.loads(source.text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    parts: list[object] = [found]
    while parts:
        match parts.pop():
            case dict() as table:
                parts += [*table, *table.values()]
            case list() as some:
                parts += some
            case str() as text if len(text) <= longest:
                pass
            case int() as number if number.bit_length() <= _MOST_BITS:
                pass
            case float():
                pass
            case other:
                which = {str: "a very long text", int: "a very large number"}
                raise ValueError(f"it has {which.get(type(other), 'a date or a time')}")
    return found


def _span_at(data: bytes, at: int) -> Span:
    line = data.count(b"\n", 0, at) + 1
    column = at - data.rfind(b"\n", 0, at)
    return Span(line, column, column + 1)
