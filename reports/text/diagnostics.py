"""Diagnostics, mistakes in an input, for people: the place, the line itself with a caret under it, one sentence and a hint.

In: `Diagnostic` values and the width of the page. Out: a rich `Text`, plain when it is printed plainly.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from ...models.cleaning import clean_line
from ...models.diagnostics import Diagnostic
from ...models.source import Source, Span
from ...models.words import counted

_MARGIN = "    "
_MARK = "error"


def render_diagnostics(diagnostics: Sequence[Diagnostic], width: int) -> Text:
    """Return all *diagnostics*, in their order, followed by how many they are if they are several."""
    text = Text()
    for diagnostic in diagnostics:
        text.append_text(_one(diagnostic, width))
        text.append("\n")
    if len(diagnostics) > 1:
        text.append(f"{counted(len(diagnostics), 'error')}\n", "bold")
    text.rstrip()
    return text


def _one(diagnostic: Diagnostic, width: int) -> Text:
    """Return one diagnostic, ending with a line end."""
    text = Text()
    if diagnostic.place:
        text.append(f"{clean_line(diagnostic.place)}: ", "bold")
    text.append(f"{_MARK} {diagnostic.code}", "bold red")
    text.append(f": {clean_line(diagnostic.message)}\n")
    if diagnostic.source is not None and diagnostic.span is not None:
        text.append_text(_quoted(diagnostic.source, diagnostic.span, width))
    if diagnostic.hint:
        text.append(f"{_MARGIN}hint: ", "bold cyan")
        text.append(f"{clean_line(diagnostic.hint)}\n")
    return text


def _quoted(source: Source, span: Span, width: int) -> Text:
    """Return the line of *span* with carets under it; of a long line only the part around the span."""
    line = "".join(character if character.isprintable() else " " for character in source.line(span.line))
    if not line.strip():
        return Text()
    number = str(span.line)
    room = max(width - len(_MARGIN) - len(number) - 3, 20)
    start = span.column - 1
    length = max(min(span.end, len(line) + 1) - span.column, 1)
    first = 0 if len(line) <= room else max(0, min(start - room // 3, len(line) - room + 1))
    shown = line[first : first + room]
    if first:
        shown = "…" + shown[1:]
    if first + room < len(line):
        shown = shown[:-1] + "…"
    carets = "^" * max(min(length, len(shown) - (start - first)), 1)
    text = Text(_MARGIN)
    text.append(f"{number} | ", "dim")
    text.append(f"{shown}\n")
    text.append(f"{_MARGIN}{' ' * len(number)} | ", "dim")
    text.append(f"{' ' * (start - first)}", "")
    text.append(f"{carets}\n", "bold red")
    return text
