"""Brief: the short page of a ruleset with many claims, where those that are as claimed are counted
by kind.

In: a `Record` and its rows that are met. Out: rich renderables. `checked` tells the rest in full.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from ...checker.types.scope import scope_words
from ...models.words import counted, join_words
from ..telling.record import Record, Row
from ..text.page import title_line

if TYPE_CHECKING:
    from rich.console import RenderableType

MANY = 12
"""How many claims that are met are listed, each in a line or two; more are counted."""
_SAID = {
    "PROVED": "PROVED",
    "HOLDS": "HOLDS within the scope only:",
    "VIOLATED": "as the author says:",
    "POSSIBLE": "each shown by a play",
    "IMPOSSIBLE": "IMPOSSIBLE within the scope",
    "VACUOUS": "VACUOUS within the scope",
}
_LISTED = ("HOLDS", "VIOLATED")
"""What is named one by one: what more room could change, and what players may not expect."""
_MOST = 8
_WORDS = ("holds", "lemma", "fails", "possible", "impossible", "vacuous")
_INDENT = 18
_WIDTH = 28


def counted_rows(record: Record) -> list[Row]:
    """Return the claims of *record* that are met, if there are enough of them to be counted, and
    nobody named one.
    """
    met = [row for row in record.claims if row.status == "met"]
    return met if len(met) > MANY and not any(row.asked for row in record.rows) else []


def render_brief_head(record: Record) -> Iterator[RenderableType]:
    """Yield what *record* is about, in two lines."""
    yield title_line(record.name, record.title)
    indent = min(cell_len(record.name) + 2, _MOST)
    yield Text(
        f"{' ' * indent}{scope_words(record.players, record.sizes)}{_options(record)}", "dim"
    )


def _options(record: Record) -> str:
    if not record.settings:
        return ""
    said = record.name.partition("@")[2]
    others = counted(len(record.settings) - said.count("="), "option")
    readings = " (--all-readings)" if record.others else ""
    return f"; {f'{said}, ' if said else ''}{others} as by default{readings}"


def render_groups(rows: Sequence[Row]) -> Iterator[RenderableType]:
    """Yield how many of *rows* there are of each kind of claim and verdict, and the names of those
    that should be known.
    """
    for word in _WORDS:
        groups: dict[str, list[Row]] = {}
        for row in sorted(rows, key=lambda row: [*_SAID].index(row.outcome)):
            if row.expectation == word:
                groups.setdefault(_brief_words(row), []).append(row)
        for place, (said, alike) in enumerate(groups.items()):
            yield Text(f"  {'' if place else word:<10}{len(alike):>4}  ", no_wrap=True).append(
                said, "dim"
            )
            if alike[0].outcome in _LISTED and not alike[0].untried:
                yield from _rows_by_name(alike)


def _brief_words(row: Row) -> str:
    if row.proof is not None:
        return f"{row.outcome} for {row.proof.every}"
    return f"{row.outcome} within the scope; {row.untried}" if row.untried else _SAID[row.outcome]


def _rows_by_name(rows: Sequence[Row]) -> Iterator[RenderableType]:
    """Yield *rows* by name, each with what it says, as far as one line has room; the first of very
    many.
    """
    width = min(max(cell_len(row.name) for row in rows), _WIDTH)
    for row in rows[:_MOST]:
        line = Text(" " * _INDENT, no_wrap=True, overflow="ellipsis").append(
            set_cell_size(row.name, width)
        )
        yield line.append(f"  {row.title}", "dim")
    if len(rows) > _MOST:
        yield Text(f"{' ' * _INDENT}{len(rows) - _MOST} more", "dim")


def is_all_met(record: Record) -> bool:
    """Whether every claim and every ruling of *record* is met, it came to its end, and nothing else
    was asked.
    """
    return (
        not record.interrupted
        and record.changes is None
        and {*(row.status for row in record.claims), *(row.status for row in record.rulings)}
        == {"met"}
    )


def render_counted(record: Record, rows: Sequence[Row]) -> Iterator[RenderableType]:
    """Yield what there is to say of *rows*, the claims of *record* that are met, and how to see
    them.
    """
    if is_all_met(record):
        rulings = [counted(len(record.rulings), "ruling")] if record.rulings else []
        yield Text("All met: ", "green").append(
            f"{join_words([counted(len(rows), 'claim'), *rulings])}.", "not green default"
        )
    else:
        yield Text("Met:", "green")
    yield from (Text(""), *render_groups(rows), Text(""))
    name = next((row.name for row in rows if row.has_play), rows[0].name)
    again = f"{record.command} -p {name}" if record.command else f"-p {name}"
    by = ", by heading" if any(row.heading for row in rows) else ""
    yield Text(f"All of them{by}: --all.   One of them, with its play: ", "dim").append(
        again, "dim"
    )
