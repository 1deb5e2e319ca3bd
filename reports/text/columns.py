"""Columns: the tables without lines that texts are made of, and the line above them."""

from __future__ import annotations

from collections.abc import Iterable

from rich.table import Table
from rich.text import Text


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
    """Return a table of names and what is said of them, without those of which there is nothing to
    say.
    """
    table = columns("dim")
    for name, words in named:
        if words:
            table.add_row(name, Text(words))
    return table


def title_line(name: str, title: str) -> Text:
    """Return the line that says what a text is about."""
    return Text(name, "bold").append(f"  {title}", "not bold")
