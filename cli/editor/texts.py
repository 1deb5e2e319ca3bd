"""Texts: the files of rulesets as they stand in the editor, and the mistakes in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from lsprotocol import types
from pygls.uris import from_fs_path
from pygls.workspace import PositionCodec, ServerTextPosition

from ...models.diagnostics import Diagnostic, InputError, codes
from ...models.read import decode_source, read_source, sent
from ...models.shipped import game_source
from ...models.source import CLAIMS, Source, Span
from ..judging import CLAUSES, mistakes_of, row_of, target_of


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
        severity=types.DiagnosticSeverity[one.severity.capitalize()],
        code=one.code,
        source="stacklaw",
    )


def changes_told(
    texts: OpenTexts, path: str, found: Sequence[tuple[int, str]]
) -> list[types.Diagnostic]:
    """Return what was *found* that the edits of the rules at *path* change, in the editor's
    form.
    """
    source = texts.file(path)
    if source is None:
        return []
    return [
        types.Diagnostic(
            texts.range_of(source, _whole(source, max(line, 1))),
            words,
            severity=types.DiagnosticSeverity.Information,
            source="stacklaw",
        )
        for line, words in found
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


class OpenTexts:
    """The texts that are open in an editor, which counts columns as its *codec* says."""

    def __init__(self) -> None:
        self.codec = PositionCodec()
        self.refused: dict[str, tuple[Diagnostic, ...]] = {}
        """What is no text of a bearable size, and why."""
        self._open: dict[str, str | None] = {}

    def hold(self, path: str, text: str) -> None:
        """Have the file at *path* say *text*."""
        self.drop(path)
        try:
            self._open[path] = decode_source(path, text.encode("utf-8", "surrogatepass")).text
        except InputError as error:
            self.refused[path] = error.diagnostics

    def drop(self, path: str) -> None:
        """Have the file at *path* say what it says on disk."""
        self._open.pop(path, None)
        self.refused.pop(path, None)

    def are_open(self, target: str) -> list[str]:
        """Return the open files of the ruleset *target*."""
        return [path for path in (*self._open, *self.refused) if target_of(path) == target]

    def in_sight(self) -> AbstractContextManager[None]:
        """Have readers of a file meanwhile read what the editor has of it."""
        return sent(dict(self._open))

    def rules(self, path: str) -> Source | None:
        """Return the rules that *path* belongs to, with the claims beside them; None if there are
        none that can be read.
        """
        try:
            return game_source(target_of(path))
        except InputError:
            return None

    def file(self, path: str) -> Source | None:
        """Return what the one file at *path* says; None if it cannot be read."""
        try:
            return Source(path, read_source(path).text)
        except InputError:
            return None

    def whole(self, path: str) -> Source | None:
        """Return the text in which the names of the file at *path* stand: the rules with their
        claims, or an inventory; None if it is neither.
        """
        if path.endswith(CLAUSES):
            return self.file(path)
        return self.rules(path) if path.endswith((".rules", CLAIMS)) else None

    # ------------------------------------------------------------------ places

    def range_of(self, source: Source, span: Span | None) -> types.Range:
        """Return *span*, of a text that may be that of two files, in its own one."""
        at = span or Span(1, 1, 1)
        row, before = row_of(source, at.line)
        line = before + source.line(at.line)
        places = []
        for column in (at.column, max(at.end, at.column)):
            there = self.codec.client_num_units(line[: len(before) + column - 1])
            places.append(types.Position(row, there))
        return types.Range(*places)

    def location(self, source: Source, span: Span) -> types.Location:
        """Return where *span* of *source* stands."""
        return types.Location(
            uri_of(source.files.place_of(span.line)[0]), self.range_of(source, span)
        )

    def span_at(self, source: Source, path: str, position: types.Position) -> Span:
        """Return the empty span at *position* of the file at *path*, which *source* has in it."""
        files = source.files
        is_claims = path == files.claims
        rows = source.parts()[-1 if is_claims else 0].text.split("\n")[: position.line + 1]
        row = rows.pop() if len(rows) > position.line else ""
        at = types.Position(0, position.character)
        found: ServerTextPosition = self.codec.position_from_client_units([row], at)
        lines = "\n".join([*rows, f"{row[: found.character]}|"]).splitlines()
        line, column = len(lines) + (files.before if is_claims else 0), len(lines[-1])
        return Span(line, column, column)


def uri_of(path: str) -> str:
    """Return the address of the file at *path*."""
    return from_fs_path(str(Path(path).absolute())) or ""
