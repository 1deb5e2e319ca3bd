"""Diagnostics: the mistakes in a file and the warnings about it, as the command tells them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lsprotocol import types

from ...models.diagnostics import Diagnostic, codes
from ...models.source import Source, Span
from ..judging.mistakes import mistakes_of
from ..judging.since import ChangedLine
from .texts import OpenTexts, uri_of

_SEVERITY = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
}


def mistakes_in(texts: OpenTexts, path: str, *, at_once: bool) -> tuple[Diagnostic, ...]:
    """Return what `mistakes_of` tells of the file at *path*, or why it is no text."""
    return texts.refused.get(path) or mistakes_of(path, at_once=at_once)


def by_file(
    texts: OpenTexts, path: str, found: Sequence[Diagnostic]
) -> Mapping[str, list[types.Diagnostic]]:
    """Return what was *found* in the file at *path*, or in those beside it, by their addresses;
    what has no place stands on the first line of *path*.
    """
    told: dict[str, list[types.Diagnostic]] = {}
    for one in found:
        told.setdefault(uri_of(one.file or path), []).append(as_told(texts, one))
    return told


def as_told(texts: OpenTexts, one: Diagnostic) -> types.Diagnostic:
    """Return *one* mistake in the editor's form: the message, its hint on a line below."""
    at = types.Range(types.Position(0, 0), types.Position(0, 0))
    hint = f"\nHint: {one.hint}" if one.hint else ""
    return types.Diagnostic(
        at if one.source is None else texts.range_of(one.source, one.span),
        one.message + hint,
        severity=_SEVERITY[one.severity],
        code=one.code,
        source="stacklaw",
    )


def changes_told(
    texts: OpenTexts, path: str, found: Sequence[ChangedLine]
) -> list[types.Diagnostic]:
    """Return what was *found* that the edits of the rules at *path* change, in the editor's
    form.
    """
    source = texts.file(path)
    if source is None:
        return []
    return [
        types.Diagnostic(
            texts.range_of(source, _whole(source, max(one.line, 1))),
            one.words,
            severity=types.DiagnosticSeverity.Information,
            source="stacklaw",
        )
        for one in found
    ]


def _whole(source: Source, line: int) -> Span:
    """Return the span of what *line* of *source* says."""
    text = source.line(line)
    return Span(line, len(text) - len(text.lstrip()) + 1, len(text.rstrip()) + 1)


def explained(code: str) -> str:
    """Return what the page of errors says of *code*, as Markdown; empty if it says nothing."""
    said = codes().get(code)
    if said is None:
        return ""
    shown = "".join(
        f"\n\n{head}:\n```rules\n{example.strip()}\n```"
        for head, example in (("Mistaken", said.bad), ("Mended", said.mended))
        if example
    )
    return f"**{code}** {said.title}\n\n{said.explanation}{shown}"
