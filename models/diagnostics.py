"""Diagnostics, errors as values: a code and what it means, a place, one sentence, a hint.

Passes gather diagnostics and go on; the first never hides the rest. Only the end of a chain of
passes raises, and then it raises all of them together (`InputError`).

R..: rulesets (R0.. how a text is written, R1.. names and types, R2.. the way through a clause, R3..
limits); P..: properties; C..: questions; L..: command lines; W..: warnings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Literal

from .frozen import frozen
from .source import Source, Span
from .words import did_you_mean

PAGE = Path(__file__).parents[1] / "docs" / "errors.md"
_ENTRY = re.compile(
    r"^### (\w\d{3}) (.+?)\n\n(.+?)\n\n- mistaken: `(.*?)`\n- mended: `(.*?)`\n(?=\n#|\Z)",
    re.MULTILINE | re.DOTALL,
)


@frozen
class Code:
    """One kind of mistake: a *title*, what it means, a *bad* example and the same one *mended*."""

    title: str
    explanation: str
    bad: str
    mended: str


@cache
def codes() -> dict[str, Code]:
    """Return what each code means."""
    return {
        code: Code(title, explanation.replace("\n", " "), *examples)
        for code, title, explanation, *examples in _ENTRY.findall(PAGE.read_text(encoding="utf-8"))
    }


MAX_ERRORS = 100
"""More mistakes are not told."""
MOST_HINTS = 30
"""After this many mistakes no more hints say which words were meant."""


@frozen
class Diagnostic:
    """One mistake in an input; of *severity* warning it is none, and hardly meant.

    *code* is one of `codes`; *message* one sentence; *hint* what to do about it, or empty;
    *span* its place in *source*, or None when the mistake has no place in a text (a bad command
    line option).
    """

    code: str
    message: str
    source: Source | None = None
    span: Span | None = None
    hint: str = ""
    severity: Literal["error", "warning"] = "error"

    @property
    def as_line(self) -> str:
        """What is wrong and what to do about it, on one line: the message, and its hint."""
        return f"{self.message} Hint: {self.hint}" if self.hint else self.message

    @property
    def _there(self) -> tuple[str, int]:
        """The file it is in and the line there, as far as they are known."""
        if self.source is None:
            return "", 0
        return self.source.files.place_of(self.span.line) if self.span else (self.source.name, 0)

    @property
    def place(self) -> str:
        """The place as ``file:line:column``, as far as it is known."""
        file, line = self._there
        return f"{file}:{line}:{self.span.column}" if self.source and self.span else file

    @property
    def file(self) -> str:
        """The file it is in, empty if it has no place in a text."""
        return self._there[0]

    @property
    def line(self) -> int:
        """The line of `file`, 0 if it has no place in one."""
        return self._there[1]


class InputError(Exception):
    """The input cannot be used; *diagnostics* says why, in the order of their places."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__(
            "; ".join(f"{d.place} {d.code} {d.message}".strip() for d in self.diagnostics)
        )


def wrong_input(
    code: str, message: str, source: Source | None = None, span: Span | None = None, hint: str = ""
) -> InputError:
    """Return the error that says this one mistake, as a `Diagnostic` has it."""
    return InputError([Diagnostic(code, message, source, span, hint)])


@dataclass
class Report:
    """Where the passes over one source put what they find; `errors` grows as they run."""

    source: Source
    errors: list[Diagnostic] = field(default_factory=list)
    _said: set[tuple[str, Span | None, str]] = field(default_factory=set, repr=False)

    def add(self, code: str, span: Span | None, message: str, hint: str = "") -> None:
        """Add one mistake at *span*; the same at the same place, as of a term that is used again
        and again, is added once.
        """
        if (code, span, message) not in self._said:
            self._said.add((code, span, message))
            self.errors.append(Diagnostic(code, message, self.source, span, hint))

    def near(self, name: str, known: Iterable[str]) -> str:
        """Return a hint which of the *known* names *name* may be a slip for; empty if none is near,
        or after very many mistakes.
        """
        return did_you_mean(name, known) if len(self.errors) < MOST_HINTS else ""

    def limit(self) -> None:
        """Keep the first `MAX_ERRORS` mistakes, in the order of places, and say so."""
        if len(self.errors) > MAX_ERRORS:
            self.errors.sort(key=_place)
            span = self.errors[MAX_ERRORS].span
            del self.errors[MAX_ERRORS:]
            self.add(
                "R315",
                span,
                f"There are more than {MAX_ERRORS} mistakes; those from here on are not told.",
                "is it the right file?",
            )

    def check(self) -> None:
        """Raise `InputError` with what was found so far, in the order of places, if there is
        anything.
        """
        if any(error.code != "R315" for error in self.errors[MAX_ERRORS:]):
            self.limit()
        if self.errors:
            raise InputError(dict.fromkeys(sorted(self.errors, key=_place)))


def _place(mistake: Diagnostic) -> tuple[int, int]:
    return (mistake.span.line, mistake.span.column) if mistake.span else (0, 0)
