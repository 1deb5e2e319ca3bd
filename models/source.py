"""Source: where something stands in a text. The source of a file and spans within it."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from pathlib import PurePath

from .frozen import frozen

CLAIMS = ".claims"
"""How the name of a file of claims ends, which stands beside the rules."""


@frozen
class Files:
    """The files that one text was read from: *rules*, and the *claims* that stand beside them, if
    any.

    The lines of the claims follow those of the rules; *before* is the number of the latter.
    """

    rules: str
    claims: str = ""
    before: int = 0

    def place_of(self, line: int) -> tuple[str, int]:
        """Return the file in which *line* of the text stands, and its number there."""
        return (
            (self.claims, line - self.before)
            if self.claims and line > self.before
            else (self.rules, line)
        )

    def lines_in_words(self, *lines: int) -> str:
        """Return *lines* in words: ``line 12``, or ``lines 3, 4 of mine.claims``."""
        words = []
        for file, group in groupby(map(self.place_of, lines), key=itemgetter(0)):
            numbers = [str(number) for _, number in group]
            of = f" of {PurePath(file).name}" if file == self.claims else ""
            words.append(f"line{'s' if len(numbers) > 1 else ''} {', '.join(numbers)}{of}")
        return " and ".join(words)


@frozen
class Source:
    """One text as it was read: its *name* (a path, or ``<text>``) and its lines.

    *beside* names the file of the claims at its end, and the number of lines before them; it is
    empty where the text was read from one file.
    """

    name: str
    text: str = field(repr=False)
    beside: tuple[str, int] | None = None

    @classmethod
    def named(cls, name: str, text: str) -> Source:
        """Return the *text* of the file *name*, which has nothing but claims if it is called so."""
        return cls(name, text, (name, 0) if name.endswith(CLAIMS) else None)

    @property
    def files(self) -> Files:
        """The files it was read from."""
        return Files(self.name, *(self.beside or ()))

    def with_claims(self, claims: Source) -> Source:
        """Return these rules with the *claims* that stand beside them."""
        rules = self.text if self.text.endswith("\n") else f"{self.text}\n"
        return Source(self.name, rules + claims.text, (claims.name, len(rules.splitlines())))

    def parts(self) -> tuple[Source, ...]:
        """Return its files, one by one."""
        if self.beside is None:
            return (self,)
        lines, (name, before) = self.text.splitlines(keepends=True), self.beside
        return Source(self.name, "".join(lines[:before])), Source(name, "".join(lines[before:]))

    def line(self, number: int) -> str:
        """Return line *number* (from 1), without its line end; empty past the end."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    @cached_property
    def lines(self) -> list[str]:
        """The lines, without their line ends."""
        return self.text.splitlines()


@frozen
class Span:
    """A stretch of one line: *line* and *column* count from 1, *end* is the column after it."""

    line: int
    column: int
    end: int
