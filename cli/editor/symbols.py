"""Symbols: what a file declares, as a tree, and which lines fold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types

from ...models.diagnostics import Report
from ...models.parsing.outline import LogicalLine, outline
from ...models.source import Source
from ..judging.files import CLAUSES, RULINGS
from .hover import walk
from .names import words_of
from .texts import OpenTexts

_KINDS = {
    "stage": types.SymbolKind.Class,
    "clause": types.SymbolKind.Method,
    "claim": types.SymbolKind.Property,
    "term": types.SymbolKind.Function,
    "option": types.SymbolKind.Enum,
    "sequence": types.SymbolKind.Enum,
}


def symbols(texts: OpenTexts, path: str) -> list[types.DocumentSymbol]:
    """Return what the file at *path* declares."""
    source = texts.file(path)
    return [] if source is None else [*_below(texts, source, _outlined(source))]


def folds(texts: OpenTexts, path: str) -> list[types.FoldingRange]:
    """Return the blocks of the file at *path*, from their first lines to their last."""
    source = texts.file(path)
    return [
        types.FoldingRange(
            texts.range_of(source, line.span).start.line, _last_row(texts, source, line)
        )
        for line in walk(_outlined(source) if source else ())
        if source and line.children
    ]


def _outlined(source: Source) -> Sequence[LogicalLine]:
    if source.name.endswith((RULINGS, CLAUSES)):
        return ()
    return outline(source, Report(source)).lines


def _last_row(texts: OpenTexts, source: Source, line: LogicalLine) -> int:
    """Return the row on which *line* ends, with all below it."""
    while line.children:
        line = line.children[-1]
    return texts.range_of(source, line.pieces[-1].span).start.line


def _below(
    texts: OpenTexts, source: Source, lines: Sequence[LogicalLine]
) -> Iterator[types.DocumentSymbol]:
    for line in lines:
        inside = [*_below(texts, source, line.children)]
        words = words_of(line.place, line.language, tuple(line.pieces))
        declared = [one for one in words if one.declares and not one.reach and one.what != "tag"]
        if not declared and not (inside and line.opens):
            yield from inside
            continue
        text = line.pieces[0].text
        start = texts.range_of(source, line.span).start
        whole = types.Range(start, types.Position(_last_row(texts, source, line) + 1, 0))
        yield types.DocumentSymbol(
            declared[0].name if declared else text,
            _KINDS.get(declared[0].what if declared else "", types.SymbolKind.Variable),
            whole,
            texts.range_of(source, declared[0].span if declared else line.span),
            detail=text,
            children=inside,
        )
