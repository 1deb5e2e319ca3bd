"""Lenses: above each claim and each ruling, what it came to when it was looked at last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lsprotocol import types

from ...models.diagnostics import InputError
from ...models.source import Source, Span
from ...reports.rulings.filed import RulingRow
from ..judging.background import Background
from ..judging.files import CLAUSES, RULINGS, target_of
from ..judging.outcomes import claim_words, filed_rows, ruling_words
from .places import names_of_file
from .texts import OpenTexts

SHOW = "stacklaw.showPlay"
"""The command that puts a play on a board."""
_NOT_YET, _ELSEWHERE = "not looked at yet", "of another reading, not looked at"


def lenses(texts: OpenTexts, path: str, background: Background) -> list[types.CodeLens]:
    """Return what is said above the claims or rulings of the file at *path*."""
    source = texts.file(path)
    if source is None or path.endswith(CLAUSES):
        return []
    said = (
        _rulings(source, background) if path.endswith(RULINGS) else _claims(texts, path, background)
    )
    found = []
    for span, words, place in said:
        at = texts.range_of(source, span)
        found.append(types.CodeLens(at, types.Command(words, "")))
        if place:
            show = types.Command("show the play", SHOW, arguments=[path, place])
            found.append(types.CodeLens(at, show))
    return found


def _claims(texts: OpenTexts, path: str, background: Background) -> Iterator[tuple[Span, str, str]]:
    """Yield what is said of each claim: by its line, or by its name where the text is another."""
    names, target = names_of_file(texts, path), target_of(path)
    known, when = background.found.get(target), _when(background, target)
    rows = {
        row.name if when else row.line: (claim_words(row) + when, f"#show-V{number}" * row.has_play)
        for number, row in enumerate(known.record.rows if known else ())
        if row.expectation
    }
    claims = [one for one in names.all if one.word.what == "claim"] if names else []
    often = Counter(one.word.name for one in claims)
    for one in claims:
        name, span = one.word.name, one.word.span
        file, line = one.source.files.place_of(span.line)
        if file == path:
            key = (name if often[name] == 1 else "") if when else span.line
            words, place = rows.get(key, (_NOT_YET if when else _ELSEWHERE, ""))
            yield Span(line, span.column, span.end), words, place


def _rulings(source: Source, background: Background) -> Iterator[tuple[Span, str, str]]:
    target = target_of(source.name)
    known, when = background.found.get(target), _when(background, target)
    for line, row in filed_rows(source, known.record.rulings if known else ()):
        words, place = (_NOT_YET, "") if row is None else (ruling_words(row) + when, _link(row))
        yield Span(line, 1, len(source.line(line)) + 1), words, place


def _when(background: Background, target: str) -> str:
    """Return that something was said of other rules than those that stand there."""
    try:
        is_stale = background.is_stale(target)
    except InputError:
        is_stale = True
    return ", before the last edits" if is_stale else ""


def _link(row: RulingRow) -> str:
    return next((one.link for one in row.told.answers if one.link), "") if row.told else ""
