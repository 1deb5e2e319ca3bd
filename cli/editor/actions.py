"""Actions: edits that an editor offers, which are hints put in that compile, and the layout."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lsprotocol import types

from ...models.diagnostics import Diagnostic, InputError
from ...models.printing.format import format_text
from ...models.read import sent
from ...models.source import Source
from ..judging.files import CLAUSES, RULINGS
from .diagnostics import as_told, mistakes_in
from .mending import mended
from .texts import OpenTexts, uri_of


def actions(texts: OpenTexts, path: str, chosen: types.Range) -> list[types.CodeAction]:
    """Return what mends the mistakes on the *chosen* lines of the file at *path*: hints that, once
    put in, take the mistake away and bring no other.
    """
    found = mistakes_in(texts, path, at_once=False)
    return [
        types.CodeAction(
            one.hint,
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[as_told(texts, one)],
            edit=types.WorkspaceEdit(changes={uri_of(path): [_difference(texts, own, new)]}),
            is_preferred=True,
        )
        for one in found
        if one.file == path and chosen.start.line <= one.line - 1 <= chosen.end.line
        for own, new in _mended(texts, path, one, found)
    ]


def _mended(
    texts: OpenTexts, path: str, one: Diagnostic, found: Sequence[Diagnostic]
) -> Iterator[tuple[Source, str]]:
    """Yield the text of the file at *path*, and the same with *one* of the mistakes *found*
    mended.
    """
    own = texts.file(path)
    assert one.source is not None
    whole = mended(one, one.source.text)
    if own is None or whole is None:
        return
    # The lines of the other file are as they were: its own are those before or behind them.
    before = one.source.files.before
    lines, is_rules = whole.splitlines(), path == one.source.files.rules
    others = len(one.source.lines) - before
    new = (
        lines[: len(lines) - others] if is_rules and before else lines[0 if is_rules else before :]
    )
    text = "\n".join(new) + "\n"
    known = [(each.code, each.message) for each in found]
    with sent({path: text}):
        after = [(each.code, each.message) for each in mistakes_in(texts, path, at_once=False)]
    is_new = any(each not in known for each in after)
    if not is_new and after.count((one.code, one.message)) < known.count((one.code, one.message)):
        yield own, text


def layout(texts: OpenTexts, path: str) -> list[types.TextEdit]:
    """Return the edit that writes the file at *path* in the standard layout; none if it cannot be
    read, or is no text of rules.
    """
    own = texts.file(path)
    if own is None or path.endswith((RULINGS, CLAUSES)):
        return []
    try:
        new = format_text(Source.named(path, own.text))
    except InputError:
        return []
    return [] if new == own.text else [_difference(texts, own, new)]


def _difference(texts: OpenTexts, old: Source, new: str) -> types.TextEdit:
    """Return the edit from *old* to *new*: the rows between the first and the last that differ."""
    was, is_now = (re.split(r"(?<=\n)", text) for text in (old.text, new))
    most = min(len(was), len(is_now))
    first = next((at for at in range(most) if was[at] != is_now[at]), most)
    last = next((at for at in range(most - first) if was[-1 - at] != is_now[-1 - at]), most - first)
    end = types.Position(len(was) - last, 0)
    if not last:
        end = types.Position(len(was) - 1, texts.codec.client_num_units(was[-1]))
    where = types.Range(types.Position(first, 0), end)
    return types.TextEdit(where, "".join(is_now[first : len(is_now) - last]))
