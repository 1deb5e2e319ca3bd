"""Mending: a text with the code of a hint put in, as the hint begins to say."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ...models.diagnostics import Diagnostic
from ...models.source import Span

_CODE = re.compile(r"`([^`]+)`")
_FORM = re.compile(r"[A-Z]{2}|\b[A-Z]\b")


@dataclass(frozen=True)
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
