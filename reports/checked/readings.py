"""Readings as text: what is not as claimed, by reading, and one line that sums up all readings of a
ruleset.

In: the `Record` of each reading, the first of which is the ruleset as it is. Out: a rich
renderable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from ...models.words import counted
from ..telling.losses import loss_words, wanting
from ..telling.record import Record
from ..text.diagnostics import Diagnostics
from ..text.page import STATUS, columns, grouped, indented, title_line
from .ending import render_rulings_of, rulings_summary

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

LEAN = (
    "In the other readings only what no search can decide was tried for every size; --prove tries "
    "everything."
)


@grouped
def render_readings(
    records: Sequence[Record],
    *,
    failed: int = 0,
    left: int = 0,
    without: int = 0,
    is_short: bool = False,
) -> Iterator[RenderableType]:
    """Return what is not as claimed in *records*, of which there is at least one, and how many
    readings are all in all.

    *failed*, *left* and *without* count other readings: those that failed, those left when somebody
    ended it, and those without what was asked. If it *is_short* it is one line.
    """
    if is_short:
        yield _summary(records, failed, left, without)
        return
    first = records[0]
    yield title_line(first.name, first.title)
    lost = [record for record in records if wanting(record)]
    for record in lost:
        yield from (Text(""), Text(record.name, "bold"), indented(_table(record)))
    if lost:
        row = wanting(lost[0])[0]
        yield from (
            Text(""),
            Text(f"`{lost[0].command} -p {row.name}` tells more of the first of them.", "dim"),
        )
    if any(row.untried for record in records[1:] for row in record.rows):
        yield Text(LEAN, "dim")
    if told := [*render_rulings_of(first, full=False)]:
        yield from (Text(""), *told[:-1])
    if first.warnings:
        yield from (Text(""), Diagnostics(first.warnings), Text(""))
    yield _summary(records, failed, left, without)


def _table(record: Record) -> Table:
    """Return a line for each row of *record* that is not as claimed."""
    table = columns("")
    for row in wanting(record):
        claimed = (
            f" ({record.files.lines_in_words(row.line)}: {row.expectation})"
            if row.expectation
            else ""
        )
        table.add_row(Text(*STATUS[row.status]), Text(loss_words(row)).append(claimed, "dim"))
    return table


def _summary(records: Sequence[Record], failed: int, left: int, without: int) -> Text:
    """Return how many claims are met in how many readings, in one line."""
    rows = [row for record in records for row in record.rows if row.status != "none"]
    are_claims = all(row.expectation for row in rows)
    line = Text(f"{records[0].name}: ", "bold")
    if left or any(record.interrupted for record in records):
        line.append(f"interrupted; {counted(left, 'reading')} left. ", "bold yellow")
    line.append(counted(len(records), "reading"))
    if failed:
        line.append(f" and {failed} that cannot be read", "bold red")
    if without:
        line.append(f" and {without} that {'does' if without == 1 else 'do'} not claim it", "dim")
    line.append(
        f", {counted(len(rows), 'claim' if are_claims else 'question')}: "
        if rows
        else "; nothing was claimed"
    )
    for number, (words, style) in enumerate(_verdict_words(records)):
        line.append(", " if number else "").append(words, style)
    if records[0].rulings:
        line.append("; ")
        for words, style in rulings_summary(records[0]):
            line.append(words, style)
    return line.append(".")


def _verdict_words(records: Sequence[Record]) -> Iterator[tuple[str, str]]:
    counts = [
        (sum(record.count(status) for record in records), *shown)
        for status, shown in STATUS.items()
        if shown[0]
    ]
    some = [(number, words, style) for number, words, style in counts if number]
    if len(some) == 1:
        yield f"all {some[0][1]}", some[0][2]
    else:
        yield from ((f"{number:,} {words}", style) for number, words, style in some)
