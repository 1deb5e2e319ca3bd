"""Notes on how a run was done: on stderr, each note once, after everything."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from rich.console import Group
from rich.table import Table
from rich.text import Text

from .printing import print_page


def tell_notes(notes: Iterable[str]) -> None:
    """Print each of *notes* once, as a sentence."""
    rows = [(Text("note:", "cyan"), Text(_sentence(note))) for note in dict.fromkeys(notes)]
    if not rows:
        return
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for row in rows:
        grid.add_row(*row)
    print_page(Group(grid), sys.stderr)


def _sentence(note: str) -> str:
    return f"{note[:1].upper()}{note[1:].rstrip('.')}."
