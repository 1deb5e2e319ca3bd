"""Actions: edits that an editor offers: hints that compile, the layout, another name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from lsprotocol import types

from ...checker.rulings.file import read_rulings, rulings_beside
from ...models.diagnostics import Diagnostic, InputError
from ...models.frozen import frozen
from ...models.printing.format import format_text
from ...models.read import read_source, sent
from ...models.source import Source, Span
from ..asking.questions import parsed
from ..judging import CLAUSES, RULINGS, target_of
from .names import NameTable, Occurrence, name_at
from .texts import OpenTexts, as_told, mistakes_in, uri_of

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
        before = parsed(target, {})
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
            after = parsed(target, {})
    except InputError as error:
        raise RenameError(error.diagnostics[0].as_line) from None
    new_name = re.compile(rf"(?<![\w./-]){re.escape(new)}(?![\w./-])")
    was, is_now = (new_name.sub(lambda _: old, repr(said[:2])) for said in (before, after))
    if was != is_now:
        raise RenameError(f"With `{new}` the rules would mean something else.")


_CODE = re.compile(r"`([^`]+)`")
_FORM = re.compile(r"[A-Z]{2}|\b[A-Z]\b")


@frozen
class _Mistaken:
    """A text that has mistakes, and the place of one of them."""

    lines: tuple[str, ...]
    span: Span
    about: str

    def with_line(self, new: str) -> str:
        number = self.span.line
        return "\n".join([*self.lines[: number - 1], *new.split("\n"), *self.lines[number:]]) + "\n"

    @property
    def own_line(self) -> str:
        return self.lines[self.span.line - 1]

    @property
    def indent(self) -> str:
        return self.own_line[: len(self.own_line) - len(self.own_line.lstrip())]

    @property
    def marked(self) -> str:
        return self.own_line[self.span.column - 1 : self.span.end - 1]

    def with_marked(self, new: str) -> str:
        line = self.own_line
        return self.with_line(line[: self.span.column - 1] + new + line[self.span.end - 1 :])


def _instead(text: _Mistaken, code: str) -> str:
    """Put *code* in the place of the word that the message speaks of, or of all that is marked."""
    names = [
        name
        for name in _CODE.findall(text.about)
        if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text.marked)
    ]
    return text.with_marked(
        re.sub(rf"(?<!\w){re.escape(names[0])}(?!\w)", lambda _: code, text.marked, count=1)
        if names
        else code
    )


def _in_place(text: _Mistaken, code: str, other: str) -> str | None:
    return text.with_marked(text.marked.replace(other, code, 1)) if other in text.marked else None


def _left_out(text: _Mistaken, code: str = "") -> str:
    return text.with_marked(text.marked.replace(code, "", 1) if code else "")


def _before_the_formula(text: _Mistaken, code: str) -> str:
    return text.with_line(f"{text.indent}{code} {text.own_line.lstrip()}")


RULES: dict[str, Callable[..., str | None]] = {
    r"did you mean `([^`]+)`\?": _instead,
    r"write `([^`]+)` in place of `([^`]+)`": _in_place,
    r"write `([^`]+)` before the formula": _before_the_formula,
    r"write `([^`]+)`": lambda text, code: text.with_marked(code),
    r"leave out `([^`]+)`": _left_out,
    r"leave it out": _left_out,
    r"put above it: `([^`]+)`": lambda text, code: text.with_line(
        f"{text.indent}{code}\n{text.own_line}"
    ),
    r"put below it: `([^`]+)`": lambda text, code: text.with_line(
        f"{text.own_line}\n{text.indent}  {code}"
    ),
    r"(?:add|begin with) a line such as `([^`]+)`": lambda text, code: (
        "\n".join([code, *text.lines]) + "\n"
    ),
}
"""What is to be done with the code of a hint that begins so."""


def mended(mistake: Diagnostic, text: str) -> str | None:
    """Return *text* with the code of the hint of *mistake* put in; None if that is in words."""
    if not mistake.span or "\t" in text:
        return None
    at = _Mistaken(tuple(text.splitlines()), mistake.span, mistake.message)
    for rule, put in RULES.items():
        found = re.match(rf"{rule}(?=$|[;,:])", mistake.hint)
        if found and not any(_FORM.search(code) for code in found.groups()):
            return put(at, *found.groups())
    return None


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
