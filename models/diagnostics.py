"""Errors as values: a code, a place, one sentence in the designer's words, and a hint.

Passes gather diagnostics and go on; the first never hides the rest. Only the end of a chain of
passes raises, and then it raises all of them together (`InputError`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from .source import Source, Span


@dataclass(frozen=True)
class Code:
    """One kind of mistake: a *title*, what it means, a *bad* example and the same one *mended*."""

    title: str
    explanation: str
    bad: str
    mended: str


@dataclass(frozen=True)
class Diagnostic:
    """One mistake in an input.

    *code* is a key of a code table (`models.codes.CODES`, `properties.codes.CODES`); *message* one
    sentence; *hint* what to do about it, or empty; *span* its place in *source*, or None when the
    mistake has no place in a text (a bad command line option).
    """

    code: str
    message: str
    source: Source | None = None
    span: Span | None = None
    hint: str = ""

    @property
    def place(self) -> str:
        """The place as ``file:line:column``, as far as it is known."""
        if self.source is None:
            return ""
        if self.span is None:
            return self.source.name
        return f"{self.source.name}:{self.span.line}:{self.span.column}"


class InputError(Exception):
    """The input cannot be used; *diagnostics* says why, in the order of their places."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("; ".join(f"{d.place} {d.code} {d.message}".strip() for d in self.diagnostics))


@dataclass
class Report:
    """Where the passes over one source put what they find; `errors` grows as they run."""

    source: Source
    errors: list[Diagnostic] = field(default_factory=list)

    def add(self, code: str, span: Span | None, message: str, hint: str = "") -> None:
        """Add one mistake at *span*."""
        self.errors.append(Diagnostic(code, message, self.source, span, hint))

    def check(self) -> None:
        """Raise `InputError` with everything found so far, in the order of places, if there is anything."""
        if self.errors:
            ordered = sorted(self.errors, key=lambda d: (d.span.line, d.span.column) if d.span else (0, 0))
            raise InputError(dict.fromkeys(ordered))
