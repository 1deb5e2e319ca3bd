"""The page that texts are printed on: in colour at a terminal, plain and of a fixed width
elsewhere.
"""

from __future__ import annotations

import os
from io import StringIO
from typing import TextIO

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment

from ...models.cleaning import clean

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
            _Harmless(renderable)
        )
    else:
        stream.write(plain(renderable, width_of(stream)))


def width_of(stream: TextIO) -> int:
    """Return how wide the page is."""
    return Console(file=stream).width if stream.isatty() else PLAIN_WIDTH


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
    console.print(_Harmless(renderable))
    return "".join(f"{line.rstrip()}\n" for line in page.getvalue().splitlines())
