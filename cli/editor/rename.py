"""Rename: a name or id in all places that mean it, if the rules then say the same with it."""

from __future__ import annotations

import re
from contextlib import suppress

from lsprotocol import types

from ...checker.rulings.file import read_rulings, rulings_beside
from ...models.diagnostics import InputError
from ...models.read import read_source, sent
from ..asking.questions import parsed
from ..judging.files import target_of
from .names import NameTable, Occurrence
from .places import name_at
from .texts import OpenTexts

_NAME, _ID = re.compile(r"[A-Za-z_]\w*", re.ASCII), re.compile(r"[A-Za-z0-9][\w.'/-]*", re.ASCII)


class RenameError(Exception):
    """A name cannot be changed; it says why, in a sentence."""


def rename(
    texts: OpenTexts, path: str, position: types.Position, new: str
) -> types.WorkspaceEdit | None:
    """Return the edits that call the name at *position* *new*; None if no name stands there. Raises
    RenameError.
    """
    if (found := name_at(texts, path, position)) is None:
        return None
    names, here = found
    every = _meant(names, here, new)
    _refuse_in_rulings(path, here.word.name)
    _try_out(path, every, new)
    edits: dict[str, list[types.TextEdit]] = {}
    for one in every:
        where = texts.location(one.source, one.word.span)
        edits.setdefault(where.uri, []).append(types.TextEdit(where.range, new))
    return types.WorkspaceEdit(changes=edits)


def _meant(names: NameTable, here: Occurrence, new: str) -> tuple[Occurrence, ...]:
    """Return all places that have to change; raise RenameError if one could be missed, or would
    then mean something else.
    """
    old, declared = here.word.name, names.declarations(here)
    is_id = here.word.space in ("clause", "claim")
    if not (_ID if is_id else _NAME).fullmatch(new):
        raise RenameError(f"`{new}` cannot be {'an id' if is_id else 'a name'}.")
    if not declared:
        raise RenameError(f"`{old}` is declared nowhere in these files.")
    if not is_id and len(declared) > 1:
        raise RenameError(f"`{old}` means more than one thing here.")
    if any(one.word.name == new for one in names.all):
        raise RenameError(f"There is a `{new}` already.")
    return names.references(here)


def _refuse_in_rulings(path: str, old: str) -> None:
    """Raise RenameError if a ruling beside the rules says what an option called *old*, or one with
    such a value, should be.
    """
    filed = rulings_beside(target_of(path))
    with suppress(InputError):
        if filed and any(old in pair for one in read_rulings(filed) for pair in one.reading):
            raise RenameError(f"The rulings say `{old}` of a reading: change it there first.")


def _try_out(path: str, every: tuple[Occurrence, ...], new: str) -> None:
    """Raise RenameError if rules that could be read could not be read with the *new* name, or are
    other rules then.
    """
    old, target = every[0].word.name, target_of(path)
    try:
        before = parsed(target, {}, (), (), with_claims=True)
    except InputError:
        raise RenameError("The rules have mistakes: mend them first.") from None
    changed: dict[str, list[str]] = {}
    for one in sorted(every, key=lambda one: one.word.span.column, reverse=True):
        file, line = one.source.files.place_of(one.word.span.line)
        lines = changed.setdefault(file, read_source(file).text.splitlines(keepends=True))
        text, span = lines[line - 1], one.word.span
        lines[line - 1] = text[: span.column - 1] + new + text[span.end - 1 :]
    try:
        with sent({file: "".join(lines) for file, lines in changed.items()}):
            after = parsed(target, {}, (), (), with_claims=True)
    except InputError as error:
        raise RenameError(error.diagnostics[0].as_line) from None
    new_name = re.compile(rf"(?<![\w./-]){re.escape(new)}(?![\w./-])")
    was, is_now = (new_name.sub(lambda _: old, repr(said[:2])) for said in (before, after))
    if was != is_now:
        raise RenameError(f"With `{new}` the rules would mean something else.")
