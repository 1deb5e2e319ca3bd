"""The head of the page: the game, its document, its options, the scope, and how much was searched and proved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from ...models.words import counted
from ..telling.record import Record
from ..text.proofs import proved
from .basis import Basis

if TYPE_CHECKING:
    from rich.console import RenderableType


def render_head(record: Record, basis: Basis) -> Iterator[RenderableType]:
    """Yield what *record* is about, and what its verdicts rest on."""
    yield Text(record.name, "bold").append(f"  {record.title}", "not bold")
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True, style="dim")
    grid.add_column(overflow="fold")
    said = [
        ("source", record.document),
        ("options", ", ".join(f"{name}={value}" for name, value in record.settings)),
        ("scope", ", ".join([counted(record.players, "player"), *(f"{zone} {size}" for zone, size in record.sizes)])),
        ("searched", basis.head),
        ("proved", proved(record.rows)),
    ]
    for name, words in said:
        if words:
            grid.add_row(name, words)
    yield grid
