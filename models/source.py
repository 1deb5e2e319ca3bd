"""Source: where something stands in a text. The source of a file and spans within it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True)
class Source:
    """One text as it was read: its *name* (a path, or ``<text>``) and its lines."""

    name: str
    text: str = field(repr=False)

    def line(self, number: int) -> str:
        """Return line *number* (from 1), without its line end; empty past the end."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    @cached_property
    def lines(self) -> list[str]:
        """The lines, without their line ends."""
        return self.text.splitlines()


@dataclass(frozen=True)
class Span:
    """A stretch of one line: *line* and *column* count from 1, *end* is the column after it."""

    line: int
    column: int
    end: int
