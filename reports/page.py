"""The page that texts are printed on: in colour at a terminal, plain and of a fixed width elsewhere."""

from __future__ import annotations

from io import StringIO
from typing import TextIO

from rich.console import Console, RenderableType

PLAIN_WIDTH = 120
"""How wide a text is that no terminal shows: the same everywhere, so that two runs can be compared."""


def print_page(renderable: RenderableType, stream: TextIO) -> None:
    """Print *renderable* on *stream*: as the terminal likes it (NO_COLOR is honoured), or plainly."""
    if stream.isatty():
        Console(file=stream, highlight=False, emoji=False, markup=False).print(renderable)
    else:
        stream.write(plain(renderable))


def width_of(stream: TextIO) -> int:
    """Return how wide the page is."""
    return Console(file=stream).width if stream.isatty() else PLAIN_WIDTH


def plain(renderable: RenderableType, width: int = PLAIN_WIDTH) -> str:
    """Return *renderable* without colours and without blanks at the ends of lines."""
    page = StringIO()
    console = Console(file=page, width=width, color_system=None, force_terminal=False, highlight=False, emoji=False, markup=False)
    console.print(renderable)
    return "".join(f"{line.rstrip()}\n" for line in page.getvalue().splitlines())
