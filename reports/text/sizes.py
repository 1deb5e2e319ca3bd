"""Sizes, measures, smallest plays and loops as text.

In: the rows of a `Record`. Out: a section on request.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from ...checker.types.scope import Scope
from ...checker.types.verdict import Outcome
from ...models import ir
from ...models.words import counted, join_words
from ..telling.measures import (
    MEASURE_WORDS,
    WHICH_WORDS,
    LeavingRow,
    LoopRow,
    LoopsRecord,
    MeasureKey,
    MeasuresRecord,
    added_words,
    keys_of,
)
from ..telling.record import Row
from .page import grouped, indented
from .ruling import render_ruling

if TYPE_CHECKING:
    from rich.console import RenderableType


@grouped
def render_measures(
    records: Sequence[MeasuresRecord], plays: Collection[int]
) -> Iterator[RenderableType]:
    """Return the measures of *records*, a column for each, then the plays of those rows whose
    numbers *plays* has.
    """
    keys = keys_of(records)
    yield from (_table(records, keys), Text(""))
    yield from [Text(record.heading.words) for record in records]
    for record in records:
        if record.stopped:
            yield Text(
                f"{Outcome.BOUNDED}: {record.heading.name}: {record.stopped}: there may be fewer, "
                "and more.",
                "yellow",
            )
    if any(record.heading.cut for record in records):
        yield Text(
            "* the scope cut moves: what is larger was not looked at. What is unbounded is so in "
            "larger scopes, too.",
            "dim",
        )
    for record in records:
        if record.every:
            yield from (Text(""), *_bounds(record, keys))
    for number in plays:
        for record in records:
            if row := record.row(keys[number - 1]):
                yield from (
                    Text(""),
                    Text(
                        f"{number}  {record.heading.name}: {row.number} {row.words} "
                        f"({WHICH_WORDS[row.which]}):",
                        "bold",
                    ),
                    Text(""),
                )
                yield render_ruling(row.play)


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


_KINDS = {
    "forced": (
        "Forced by the rules",
        "nobody at the table can leave these, if the cards do nothing",
    ),
    "cards": ("Kept up by cards", "they have to do something in every round"),
    "optional": ("Optional", "somebody can leave these"),
    "progress": (
        "Progress",
        "no loops: each round ends where it began, with more of something",
    ),
}


@grouped
def render_loops(record: LoopsRecord, plays: Collection[int] = ()) -> Iterator[RenderableType]:
    """Return the loops of *record*, kind by kind, then the play of each that is forced, and of
    those whose numbers *plays* has.
    """
    yield Text(record.heading.words, "bold")
    if record.is_endless:
        yield from (
            Text(""),
            Text(
                "These rules have no turns and no end of the game: only a gap in them, or what "
                "the scope"
                " cuts, may lead out of a loop.",
                "yellow",
            ),
        )
    for kind, (title, meaning) in _KINDS.items():
        yield from (Text(""), Text.assemble((title, "bold"), f": {meaning}."))
        rows = [row for row in record.rows if row.kind == kind]
        for row in rows:
            yield from _loop_lines(row)
        if not rows:
            yield Text("  none within the scope")
        if stopped := record.growth_stopped if kind == "progress" else record.stopped:
            yield Text(f"  {Outcome.BOUNDED}: there may be more: {stopped}.", "yellow")
    if record.heading.cut:
        yield from (
            Text(""),
            Text(
                f"The scope cuts {counted(record.heading.cut, 'move')}: what they lead to was not "
                "looked at.",
                "dim",
            ),
        )
    for row in record.rows:
        if row.kind == "forced" or row.number in plays:
            yield from (
                Text(""),
                Text(f"Loop {row.number}:", "bold"),
                Text(""),
                render_ruling(row.play),
            )


def _loop_lines(row: LoopRow) -> Iterator[RenderableType]:
    """Yield the lines of *row*."""
    yield indented(f"{row.number:>2}  {' '.join(row.clauses)}")
    length = f"a round of {counted(row.moves, 'move')}, first after {counted(row.after, 'move')}"
    added = f", adds {added_words(row.more)}" if row.more else ""
    cards = f"; the cards do something in {join_words(row.by_cards)}" if row.by_cards else ""
    yield indented(f"{length}{added}{cards}", 6)
    if row.leaving:
        yield indented(f"can leave: {'; '.join(map(_leaving_words, row.leaving))}", 6)


def _leaving_words(leaving: LeavingRow) -> str:
    said = [f"by {', '.join(leaving.clauses)}"] if leaving.clauses else []
    said += [f"with more room by {', '.join(leaving.beyond)}"] if leaving.beyond else []
    return f"{leaving.who} {', '.join(said)}"


def render_smallest(rows: Sequence[Row]) -> Iterator[RenderableType]:
    """Yield where each of *rows* fails first, or how many moves it would take."""
    told = [(row, sentence) for row in rows if (sentence := smallest_words(row))]
    if not told:
        return
    yield Text("The smallest plays:", "bold")
    for row, sentence in told:
        yield indented(f"{row.name}: {sentence}.")
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
                f"{'the shortest' if row.least >= known else 'one'} of any size has "
                f"{counted(known, 'move')}"
            )
        elif row.least >= known:
            parts.append("no play of any size is shorter")
        if row.least < known:
            parts.append(f"whatever the size, it takes at least {counted(row.least, 'move')}")
    return "; ".join(parts)


@grouped
def render_sizes(
    program: ir.Program,
    scope: Scope,
    positions: int,
    found: Sequence[tuple[str, str, int]],
    stopped: str,
) -> Iterator[RenderableType]:
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
    yield Text(f"{program.name}  {positions:,} positions within {scope}", "bold")
    yield from [Text(f"Not all were counted: {stopped}.", "yellow")] if stopped else []
    yield from (Text(""), table)
