"""The measures of games as text: one table, and the plays that show them. In: `MeasuresRecord`. Out: rich renderables."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import product
from typing import TypeAlias

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ...checker.types.verdict import Outcome
from ...models.words import counted
from ..telling.measures import MEASURE_WORDS, WHICH, ExtremeName, MeasureRow, MeasuresRecord
from ..text.ruling import render_ruling

_Key: TypeAlias = tuple[str, ExtremeName]
_WHICH = {"fewest": "fewest", "calm": "most, all only pass", "most": "most"}


def render_measures(records: Sequence[MeasuresRecord], plays: Collection[int] = ()) -> Group:
    """Return the measures of *records*, a column for each, then the plays of those rows whose numbers *plays* has."""
    keys = _keys(records)
    parts: list[RenderableType] = [_table(records, keys), Text("")]
    parts += [Text(_head(record)) for record in records]
    for record in records:
        if record.stopped:
            parts.append(Text(f"{Outcome.BOUNDED}: {record.name}: {record.stopped}: there may be fewer, and more.", "yellow"))
    if any(record.cut for record in records):
        parts += [Text("* the scope cut moves: what is larger was not looked at. What is unbounded is so in larger scopes, too.", "dim")]
    for number in plays:
        for record in records:
            if row := _row(record, keys[number - 1]):
                parts += [Text(""), Text(f"{number}  {record.name}: {_value(row)} {row.words} ({_WHICH[row.which]}):", "bold"), Text("")]
                parts.append(render_ruling(row.play))
    return Group(*parts)


def rows_of(records: Sequence[MeasuresRecord]) -> int:
    """Return how many rows the table of *records* has."""
    return len(_keys(records))


def _keys(records: Sequence[MeasuresRecord]) -> list[_Key]:
    """Return what some of *records* has, in the order of its rows."""
    found = {(row.name, row.which) for record in records for row in record.rows}
    return [key for key in product(MEASURE_WORDS, WHICH) if key in found]


def _table(records: Sequence[MeasuresRecord], keys: Sequence[_Key]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("", justify="right")
    table.add_column("")
    table.add_column("")
    for record in records:
        table.add_column(f"{record.name}{'*' if record.cut else ''}", justify="right", overflow="fold", min_width=len("unbounded"))
    before = ""
    for number, key in enumerate(keys, 1):
        found = [_row(record, key) for record in records]
        words = next(row.words for row in found if row is not None)
        cells = ["–" if row is None else _value(row) for row in found]
        table.add_row(str(number), "" if words == before else words, _WHICH[key[1]], *cells)
        before = words
    return table


def _row(record: MeasuresRecord, key: _Key) -> MeasureRow | None:
    return next((row for row in record.rows if (row.name, row.which) == key), None)


def _value(row: MeasureRow) -> str:
    return "unbounded" if row.value is None else str(row.value)


def _head(record: MeasuresRecord) -> str:
    return f"{record.name}  {record.title}, {record.scope}: {counted(record.positions, 'position')}, {counted(record.moves, 'move')}"
