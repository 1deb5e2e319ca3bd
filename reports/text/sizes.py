"""Sizes and smallest plays as text.

In: the rows of a `Record`. Out: a section on request.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ...checker.types.scope import Scope
from ...models import ir
from ...models.words import counted
from ..telling.record import Row


def render_smallest(rows: Sequence[Row]) -> Iterator[Text | Padding]:
    """Yield where each of *rows* fails first, or how many moves it would take."""
    told = [(row, sentence) for row in rows if (sentence := smallest_words(row))]
    if not told:
        return
    yield Text("The smallest plays:", "bold")
    for row, sentence in told:
        yield Padding(Text(f"{row.name}: {sentence}."), (0, 0, 0, 2))
    yield Text("")


def smallest_words(row: Row) -> str:
    """Return what is known of the smallest play, as a sentence without its full stop; empty if
    nothing is.
    """
    if row.smallest is None:
        what = "shows it" if row.outcome == "IMPOSSIBLE" else "breaks it"
        return (
            f"no play of fewer than {counted(row.least, 'move')} {what}, at any size"
            if row.least > 1
            else ""
        )
    parts = [row.smallest.sentence]
    if row.least and row.smallest.moves is not None:
        known = (
            row.smallest.moves
            if row.play is None
            else min(row.smallest.moves, row.play.moments[-1].number)
        )
        if known < row.smallest.moves:
            parts.append(
                f"{'the shortest' if row.least >= known else 'one'} of any size has {counted(known, 'move')}"
            )
        elif row.least >= known:
            parts.append("no play of any size is shorter")
        if row.least < known:
            parts.append(f"whatever the size, it takes at least {counted(row.least, 'move')}")
    return "; ".join(parts)


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
