"""Diagnostics, mistakes in an input, for people: the place, the line itself with a caret under it,
one sentence and a hint.

In: `Diagnostic` values and the width of the page. Out: a rich `Text`, plain when it is printed
plainly.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from rich.text import Text

from ...models.diagnostics import Diagnostic
from ...models.words import clean_line, counted

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

_MARGIN = "    "
_STYLES = {"error": "red", "warning": "yellow"}


class Diagnostics:
    """Diagnostics in their order, as wide as the page they are printed on, followed by how many
    they are if they are several.
    """

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = diagnostics

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield them all."""
        text, told = Text(), self.diagnostics
        for diagnostic in told:
            text.append_text(_one(diagnostic, options.max_width)).append("\n")
        if len(told) > 1:
            text.append(f"{counted(len(told), told[0].severity)}\n", "bold")
        text.rstrip()
        yield text


def _one(diagnostic: Diagnostic, width: int) -> Text:
    """Return one diagnostic, ending with a line end."""
    text = Text()
    if diagnostic.place:
        text.append(f"{clean_line(diagnostic.place)}: ", "bold")
    text.append(f"{diagnostic.severity} {diagnostic.code}", f"bold {_STYLES[diagnostic.severity]}")
    text.append(f": {clean_line(diagnostic.message)}\n")
    if diagnostic.source is not None and diagnostic.span is not None:
        text.append_text(_quoted(diagnostic, width))
    if diagnostic.hint:
        text.append(f"{_MARGIN}hint: ", "bold cyan")
        room = max(width - len(_MARGIN) - len("hint: "), 20)
        lines = wrap(
            clean_line(diagnostic.hint), room, break_long_words=False, break_on_hyphens=False
        )
        text.append(f"\n{_MARGIN}".join(lines) + "\n")
    return text


def _quoted(diagnostic: Diagnostic, width: int) -> Text:
    """Return the line of *diagnostic*, which has a place, with carets under it; of a long line only
    the part around the place.
    """
    source, span = diagnostic.source, diagnostic.span
    assert source is not None
    assert span is not None
    line = "".join(
        character if character.isprintable() else " " for character in source.line(span.line)
    )
    if not line.strip():
        return Text()
    number = str(diagnostic.line)
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
    text.append(f"{carets}\n", f"bold {_STYLES[diagnostic.severity]}")
    return text
