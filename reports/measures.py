"""The measures of games as text: one table, and the plays that show them. In: `MeasuresRecord`.
Out: rich renderables.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ..checker.types.verdict import Outcome
from .telling.measures import MEASURE_WORDS, WHICH_WORDS, MeasureKey, MeasuresRecord, keys_of
from .text.ruling import render_ruling


def render_measures(records: Sequence[MeasuresRecord], plays: Collection[int]) -> Group:
    """Return the measures of *records*, a column for each, then the plays of those rows whose
    numbers *plays* has.
    """
    keys = keys_of(records)
    parts: list[RenderableType] = [_table(records, keys), Text("")]
    parts += [Text(record.heading.words) for record in records]
    for record in records:
        if record.stopped:
            parts.append(
                Text(
                    f"{Outcome.BOUNDED}: {record.heading.name}: {record.stopped}: there may be fewer, and more.",
                    "yellow",
                )
            )
    if any(record.heading.cut for record in records):
        parts += [
            Text(
                "* the scope cut moves: what is larger was not looked at. What is unbounded is so in larger scopes, too.",
                "dim",
            )
        ]
    for record in records:
        if record.every:
            parts += [Text(""), *_bounds(record, keys)]
    for number in plays:
        for record in records:
            if row := record.row(keys[number - 1]):
                parts += [
                    Text(""),
                    Text(
                        f"{number}  {record.heading.name}: {row.number} {row.words} ({WHICH_WORDS[row.which]}):",
                        "bold",
                    ),
                    Text(""),
                ]
                parts.append(render_ruling(row.play))
    return Group(*parts)


def _bounds(record: MeasuresRecord, keys: Sequence[MeasureKey]) -> list[RenderableType]:
    """Return what is known of *record* for all sizes, a line for each row that a formula fits."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for justify in ("right", "left", "left"):
        table.add_column(justify=justify, overflow="fold")
    for number, key in enumerate(keys, 1):
        if (row := record.row(key)) is not None and row.bound is not None:
            table.add_row(
                str(number),
                row.bound.words,
                Text(row.bound.status, "" if row.bound.proved else "yellow"),
            )
    said = (
        f"for {record.every}"
        if table.row_count
        else "no number is a formula in the number of players"
    )
    return [Text(f"{record.heading.name}: {said}", "bold"), *([table] if table.row_count else [])]


def rows_of(records: Sequence[MeasuresRecord]) -> int:
    """Return how many rows the table of *records* has."""
    return len(keys_of(records))


def _table(records: Sequence[MeasuresRecord], keys: Sequence[MeasureKey]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("", justify="right")
    table.add_column("")
    table.add_column("")
    for record in records:
        table.add_column(
            f"{record.heading.name}{'*' if record.heading.cut else ''}",
            justify="right",
            overflow="fold",
            min_width=len("unbounded"),
        )
    before = ""
    for number, key in enumerate(keys, 1):
        found = [record.row(key) for record in records]
        words = MEASURE_WORDS[key[0]]
        cells = ["–" if row is None else row.number for row in found]
        table.add_row(str(number), "" if words == before else words, WHICH_WORDS[key[1]], *cells)
        before = words
    return table
