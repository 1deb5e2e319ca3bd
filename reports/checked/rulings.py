"""The rulings of a checked ruleset that its rules answer otherwise, or not at all, each with their
answer and the play.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from ...models.words import counted
from ..rulings.filed import RulingRow, asked_words, counted_rulings, said_words, unsourced
from ..rulings.text import answer_lines
from ..telling.record import Record
from ..text.page import STATUS, indented

if TYPE_CHECKING:
    from rich.console import RenderableType

_MOST = 20


def render_rulings_of(record: Record, *, full: bool) -> Iterator[RenderableType]:
    """Yield the rulings of *record* that are not met, or not decided, and how many have no source;
    plays are told in *full* or in short.
    """
    wanting = [row for row in record.rulings if row.status != "met"]
    for row in wanting[:_MOST]:
        yield from (*_ruling_lines(row, full=full), Text(""))
    if wanting[_MOST:]:
        more = counted(len(wanting) - _MOST, "more ruling")
        yield from (Text(f"{more} not met or undecided: --format json has all.", "dim"), Text(""))
    if without := unsourced(record.rulings):
        yield from (Text(without, "dim"), Text(""))


def _ruling_lines(row: RulingRow, *, full: bool) -> Iterator[RenderableType]:
    words, style = STATUS[row.status]
    yield (
        Text(f"{words}: ", style)
        .append(asked_words(row), "bold")
        .append(f"  ({row.place})", "not bold dim")
    )
    if row.told is None:
        what = "The rules refuse it" if row.status == "not met" else "Not asked"
        yield indented(f"The file says: {said_words(row)}.")
        yield indented(f"{what}: {row.found}")
        return
    yield indented(f"The file says: {said_words(row)}.  The rules say:")
    for answer in row.told.answers:
        yield from map(indented, answer_lines(answer, row.told.players, full=full))


def rulings_summary(record: Record) -> Iterator[tuple[str, str]]:
    """Yield the parts of how many rulings are met, each with its style, and where those are that
    are not.
    """
    counts = list(counted_rulings(record.rulings))
    yield counted(len(record.rulings), "ruling"), ""
    for place, (status, number) in enumerate(counts):
        words, style = STATUS[status]
        all_ = len(counts) == 1 and number > 1
        yield (", " if place else ": "), ""
        yield f"all {words}" if all_ else f"{number} {words}", style
    lines = [str(row.line) for row in record.rulings if row.status == "not met"]
    if lines:
        more = f" and {len(lines) - _FEW} more" if len(lines) > _FEW else ""
        yield f" ({record.rulings[0].file}:{', '.join(lines[:_FEW])}{more})", "bold red"


_FEW = 5
