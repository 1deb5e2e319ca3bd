"""Repairs as text: each edit that mends a property, and what players notice of it."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from ...models.words import counted
from ..telling.repairs import RepairRecord


def render_repairs(record: RepairRecord) -> Group:
    """Return the whole record."""
    parts: list[RenderableType] = [
        Text(f"{record.name}: what would mend {record.property}", "bold"),
        Text(""),
    ]
    for number, row in enumerate(record.rows, start=1):
        for place, edit in enumerate(row.edits):
            parts.append(
                Text(f"{number}. " if not place else "   and ", "bold")
                .append(f"{edit.clause}: {edit.words}", "bold green")
                .append(f"  (line {edit.line})" if edit.line else "", "dim")
            )
        if row.parting is not None:
            after = (
                f"Players notice after {counted(row.observations, 'observation')}. "
                if row.observations
                else "Players notice at once. "
            )
            parts.append(
                Padding(
                    Text(f"{after}{row.parting.sentence} {row.parting.otherwise}"), (0, 0, 0, 3)
                )
            )
        parts.append(Text(""))
    parts += _ending(record)
    return Group(*parts)


def _ending(record: RepairRecord) -> Iterator[Text]:
    if record.stopped:
        yield Text(f"Not everything was tried: {record.stopped}.", "bold yellow")
    mending = len(record.rows) + record.more
    undecided = (
        f" Of {counted(record.undecided, 'edit')} it is undecided." if record.undecided else ""
    )
    match mending:
        case 0:
            said = "none mends it within the scope without losing a claim"
        case 1:
            said = "one mends it and loses no claim"
        case _:
            said = f"{mending} mend it and lose no claim"
    pairs = f" and {counted(record.pairs, 'pair')} of them" if record.pairs else ""
    yield Text(f"{record.name}: of {counted(record.tried, 'edit')}{pairs} {said}.{undecided}")
