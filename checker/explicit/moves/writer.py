"""Writers of text: Python functions written line by line, the same text for the same Program every
time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from ....models.storage.digests import digest

INDENT = "    "
DIGITS = 24
"""How many digits of its digest tell a function from all others: no two of any text have the
same.
"""


@dataclass
class FunctionWriter:
    """A function that is being written; *names* counts the local names given out so far."""

    name: str
    parameters: Sequence[str]
    lines: list[str] = field(default_factory=list)
    depth: int = 1
    names: int = 0

    def line(self, text: str) -> None:
        """Write a line at the present depth."""
        self.lines.append(INDENT * self.depth + text)

    def let(self, name: str, value: str) -> str:
        """Give *value* a new name that begins with *name*, and return it."""
        new = self.fresh(name)
        self.line(f"{new} = {value}")
        return new

    def fresh(self, name: str) -> str:
        """Return a name nothing has yet."""
        self.names += 1
        return f"{name}_{self.names}"

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Write *head*, and what is written inside one level deeper."""
        self.line(head)
        before, self.depth = len(self.lines), self.depth + 1
        yield
        if len(self.lines) == before:
            self.line("pass")
        self.depth -= 1

    def __str__(self) -> str:
        return "\n".join([f"def {self.name}({', '.join(self.parameters)}):", *self.lines, ""])


@dataclass
class Module:
    """The functions finished so far, each after those it calls unless they call each other, and the
    last number of each name.
    """

    functions: list[FunctionWriter] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    _shared: set[str] = field(default_factory=set)

    def shared(self, word: str, function: FunctionWriter) -> str:
        """Add *function*, unless it is there already, and return its name: *word* and a digest, so
        that it has it in every text.
        """
        function.name = ""
        function.name = f"{word}_{digest(str(function))[:DIGITS]}"
        if function.name not in self._shared:
            self._shared.add(function.name)
            self.functions.append(function)
        return function.name

    def taken_back(self, number: int) -> list[FunctionWriter]:
        """Remove the functions after the first *number*, and return them."""
        taken, self.functions[number:] = self.functions[number:], []
        self._shared -= {function.name for function in taken}
        return taken

    def unique_name(self, word: str, clause: str = "") -> str:
        """Return a name for a function; one of a *clause* is called as in a text in which only
        other clauses are others.
        """
        stem = re.sub("[^0-9A-Za-z]", "_", f"{word}_{clause}" if clause else word)
        self.numbers[stem] = self.numbers.get(stem, 0) + 1
        return f"{stem}_{self.numbers[stem]}"

    def __str__(self) -> str:
        return "\n\n".join(map(str, self.functions))
