"""The page that texts are printed on, in colour at a terminal; the colours of verdicts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from io import StringIO
from typing import ParamSpec, TextIO

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from ...checker.types.verdict import Outcome
from ...models.words import clean
from ..telling.record import Status

IN_SHORT: dict[str, str] = {
    Outcome.VACUOUS: (
        "its condition never arises, the rules know nothing of it, or no play fits what it "
        "assumes. It says nothing, and that is no pass."
    ),
    Outcome.BOUNDED: "nothing breaks it so far; the search was not finished.",
    Outcome.UNKNOWN: "not decided; the reason stands below.",
}
"""What those verdicts mean whose word does not say it."""
STATUS: dict[Status, tuple[str, str]] = {
    "met": ("met", "green"),
    "not met": ("NOT MET", "bold red"),
    "undecided": ("undecided", "yellow"),
    "too small": ("too small", "dim"),
    "answered": ("answered", ""),
    "none": ("", ""),
}
"""The word and the style of each status."""
OUTCOME_STYLE = {
    "PROVED": "green",
    "HOLDS": "green",
    "POSSIBLE": "green",
    "VIOLATED": "red",
    "IMPOSSIBLE": "red",
    "VACUOUS": "yellow",
    "BOUNDED": "yellow",
    "UNKNOWN": "yellow",
}
"""The colour of a verdict where somebody wants the property to hold."""


PLAIN_WIDTH = 120
"""How wide a text is that no terminal shows: the same everywhere, so that two runs can be
compared.
"""


class _Harmless:
    """A renderable without control characters: a ruleset's texts are a stranger's, and no terminal
    may obey them.
    """

    def __init__(self, renderable: RenderableType) -> None:
        self.renderable = renderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self.renderable, options):
            yield Segment(clean(segment.text), segment.style, segment.control)


def print_page(renderable: RenderableType, stream: TextIO) -> None:
    """Print *renderable* on *stream*: as the terminal likes it, or plainly, as everywhere with
    NO_COLOR.
    """
    if stream.isatty() and not os.environ.get("NO_COLOR"):
        Console(file=stream, highlight=False, emoji=False, markup=False).print(
            _Harmless(renderable), crop=False
        )
    else:
        width = Console(file=stream).width if stream.isatty() else PLAIN_WIDTH
        stream.write(plain(renderable, width))


def plain(renderable: RenderableType, width: int = PLAIN_WIDTH) -> str:
    """Return *renderable* without colours and without blanks at the ends of lines."""
    page = StringIO()
    console = Console(
        file=page,
        width=width,
        color_system=None,
        force_terminal=False,
        highlight=False,
        emoji=False,
        markup=False,
    )
    console.print(_Harmless(renderable), crop=False)
    return "".join(f"{line.rstrip()}\n" for line in page.getvalue().splitlines())


_Asked = ParamSpec("_Asked")


def grouped(told: Callable[_Asked, Iterator[RenderableType]]) -> Callable[_Asked, Group]:
    """Make one renderable of all that is *told*."""

    @wraps(told)
    def whole(*args: _Asked.args, **kwargs: _Asked.kwargs) -> Group:
        return Group(*told(*args, **kwargs))

    return whole


def to_paste(text: str) -> Text:
    """Return *text* whole, however wide its lines are: somebody pastes it into a file."""
    return Text(text, no_wrap=True, overflow="ignore")


def indented(said: RenderableType, by: int = 2) -> Padding:
    """Return what is *said*, indented *by* this many columns more; a string is plain text."""
    return Padding(Text(said) if isinstance(said, str) else said, (0, 0, 0, by))


# ------------------------------------------------------------------ tables


def columns(*styles: str) -> Table:
    """Return an empty table: a column in each of these *styles*, whose words stay on one line, and
    a last one whose words do not.
    """
    table = Table.grid(padding=(0, 2))
    for style in styles:
        table.add_column(no_wrap=True, style=style)
    table.add_column(overflow="fold")
    return table


def facts(named: Iterable[tuple[str, str]]) -> Table:
    """Return a table of names and what is said of them, without names that have nothing said of
    them.
    """
    table = columns("dim")
    for name, words in named:
        if words:
            table.add_row(name, Text(words))
    return table


def title_line(name: str, title: str) -> Text:
    """Return the line that says what a text is about."""
    return Text(name, "bold").append(f"  {title}", "not bold")
