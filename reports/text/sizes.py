"""Sizes as text: how many positions would be left without each part of a game. Out:
rich renderables.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group
from rich.table import Table
from rich.text import Text

from ...checker.types.scope import Scope
from ...models import ir


def render_sizes(
    program: ir.Program,
    scope: Scope,
    positions: int,
    found: Sequence[tuple[str, str, int]],
    stopped: str,
) -> Group:
    """Return how many times fewer than *positions* of *program* within *scope* would be left
    without each of what was *found*; *stopped* says why there may be more.
    """
    table = Table.grid(padding=(0, 2, 0, 0))
    for justify in ("left", "left", "right", "right"):
        table.add_column(justify=justify)
    table.add_row("without", "", "positions", "times fewer")
    for what, name, left in found:
        if left < positions:
            table.add_row(what, name, f"{left:,}", f"{positions / left:.1f}")
    parts = [Text(f"{program.name}  {positions:,} positions within {scope}", "bold")]
    parts += [Text(f"Not all were counted: {stopped}.", "yellow")] if stopped else []
    return Group(*parts, Text(""), table)
