"""Completion, and lenses above claims and rulings: what an editor shows beside a text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from lsprotocol import types

from ...models.diagnostics import InputError, Report
from ...models.parsing.mistakes.forms import NAME_AFTER, forms_of
from ...models.parsing.outline import LogicalLine, Place, outline
from ...models.parsing.scan import could_follow, lexicon
from ...models.source import Source, Span
from ...properties.load import catalogue
from ...reports.rulings.filed import RulingRow
from ..judging import CLAUSES, RULINGS, Background, claim_words, filed_rows, ruling_words, target_of
from .hover import walk
from .names import NameTable, names_of_file
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


_STANDS = "x"
"""Stands in the text for the word that is being typed."""
_SORTS = {
    "a stage": ("stage",), "a routine": ("stage",), "a kind of item": ("kind",),
    "a zone": ("zone",), "a step": ("step",), "a sequence": ("sequence",),
    "a sequence, or `resolving`": ("sequence",),
}  # fmt: skip
_VALUES = "option", "sequence", "term", "zone", "state", "attribute"
_AFTER_IS = "kind", "step", "tag", "value"
_KINDS = {
    "stage": types.CompletionItemKind.Function,
    "term": types.CompletionItemKind.Function,
    "clause": types.CompletionItemKind.Reference,
    "statement": types.CompletionItemKind.Reference,
    "": types.CompletionItemKind.Keyword,
}


def completions(
    texts: OpenTexts, path: str, position: types.Position
) -> list[types.CompletionItem]:
    """Return what can stand at *position*: the words of the language with their forms, and
    names.
    """
    rules, names = texts.whole(path), names_of_file(texts, path)
    if rules is None or names is None or path.endswith(CLAUSES):
        return []
    at = texts.span_at(rules, path, position)
    begun = rules.line(at.line)[: at.column - 1]
    for signs in (_IN_IDS, _IN_NAMES):
        word = begun[len(begun.rstrip(signs)) :]
        line = _line_with(rules, at.line, begun.removesuffix(word) + _STANDS)
        before, accepted = (
            could_follow(line) if line and line.place is not Place.LOST else ([], set())
        )
        if line is not None and accepted and (signs == _IN_NAMES or "ID" in accepted):
            where = texts.range_of(rules, Span(at.line, at.column - len(word), at.column))
            found = {item.label: item for item in _items(line, names, before, accepted)}
            for item in found.values():
                item.text_edit = types.TextEdit(where, item.label)
            return list(found.values())
    return []


_IN_NAMES = "".join(filter(str.isalnum, map(chr, range(128)))) + "_"
_IN_IDS = f"{_IN_NAMES}.'/-"


def _line_with(rules: Source, number: int, text: str) -> LogicalLine | None:
    """Return the logical line of *number* up to there, if the line in *rules* were *text*; without
    what stands for the word that is typed.
    """
    lines = rules.lines
    lines = [*lines[: number - 1], text, *lines[number:]]
    changed = Source(rules.name, "\n".join(lines), rules.beside)
    for line in walk(outline(changed, Report(changed)).lines):
        pieces = [piece for piece in line.pieces if piece.number <= number]
        if pieces and pieces[-1].number == number:
            last = replace(pieces[-1], text=pieces[-1].text.removesuffix(_STANDS))
            return replace(line, pieces=[*pieces[:-1], last])
    return None


def _items(
    line: LogicalLine, names: NameTable, before: list[str], accepted: set[str]
) -> Iterator[types.CompletionItem]:
    for text, kind in lexicon().words.items():
        if kind in accepted and text.isalpha():
            forms = "" if before else " | ".join(forms_of(line.place, text))
            yield _item(text, "", forms or "a word of the language")
    last = before[-1] if before else ""
    if "NAME" in accepted:
        sorts = _SORTS.get(NAME_AFTER.get(" ".join(before[-2:]), NAME_AFTER.get(last, "")))
        if sorts is None:
            yield from (
                _item(one.name, "local", "known here") for one in names.local(line.span.line)
            )
        for one in names.declared(*(sorts or (*_VALUES, *(_AFTER_IS if last in _ASKS else ())))):
            yield _item(one.name, one.what, one.what)
    if "ID" in accepted:
        if line.place is Place.CLAIMS and len(before) == 1:
            yield from (_item(entry.name, "claim", entry.title) for entry in catalogue())
            return
        for one in names.declared("clause", "statement"):
            yield _item(one.name, one.what, one.what)


_ASKS = "is", "not", "(", ","


def _item(label: str, what: str, detail: str) -> types.CompletionItem:
    kind = _KINDS.get(what, types.CompletionItemKind.Variable)
    return types.CompletionItem(label, kind=kind, detail=detail)
