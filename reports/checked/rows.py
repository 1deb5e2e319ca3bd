"""The rows of verdicts and their basis; the short page, which counts what is as claimed.

Brief: the short page of a ruleset with many claims, where those that are as claimed are counted
by kind.

In: a `Record` and its rows that are met. Out: rich renderables. `checked` tells the rest in full.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from ...checker.types.scope import scope_words
from ...checker.types.verdict import KNOW_NO
from ...models.frozen import frozen
from ...models.words import counted, join_words
from ..telling.record import Record, Row, evidence, is_exhaustive, searched
from ..text.page import IN_SHORT, OUTCOME_STYLE, STATUS, columns, title_line

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult


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
    """Return the claims of *record* that are met, if there are enough of them to be counted and
    none was named.
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
            line = columns("")
            line.add_row(f"  {'' if place else word:<10}{len(alike):>4}", Text(said, "dim"))
            yield line
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


@frozen
class Basis:
    """What the verdicts of a record rest on: the *shared* evidence if it is the same for all, else
    a column of positions.

    The column has numbers from *fewest* to *most*. *cut* says for how many of the verdicts the
    scope cut moves: all, some (these have a star), or none. *is_sliced* says that something was
    left out.
    """

    shared: tuple[str, ...]
    is_column: bool = False
    fewest: int = 0
    most: int = 0
    cut: Literal["all", "some", "none"] = "none"
    is_sliced: bool = False

    @classmethod
    def from_rows(cls, rows: Sequence[Row]) -> Basis:
        """Return what *rows* rest on."""
        searches = [row for row in rows if is_exhaustive(row)]
        shared = searched(rows)
        if shared or len(searches) < 2:
            return cls(shared)
        told = [row.counts for row in searches if row.outcome != "UNKNOWN"] or [
            row.counts for row in searches
        ]
        cuts = [counts.cut > 0 for counts in told]
        return cls(
            shared,
            is_column=True,
            fewest=min(counts.positions for counts in told),
            most=max(counts.positions for counts in told),
            cut="all" if all(cuts) else "some" if any(cuts) else "none",
            is_sliced=any(row.sliced for row in searches),
        )

    def column(self, row: Row) -> str:
        """Return how many positions the verdict of *row* rests on, with a star where the scope cut
        moves.
        """
        if row.proof is not None:
            return f"every size{' ' if self.cut == 'some' else ''}"
        if not is_exhaustive(row):
            return ""
        star = "*" if row.counts.cut else " "
        return f"{row.counts.positions:,}{star if self.cut == 'some' else ''}"

    def line(self, row: Row) -> str:
        """Return what a row's verdict rests on besides, empty if the head or the column says it."""
        rests = evidence(row)
        if row.proof is not None:
            return "" if self.is_column or row.outcome == "PROVED" else f"for {row.proof.every}"
        if self.is_column and is_exhaustive(row):
            return rests[0] if row.outcome == "BOUNDED" or row.room else ""
        return "" if self.shared and set(rests) <= set(self.shared) else ", ".join(rests)

    @property
    def head(self) -> str:
        """How much was searched, for the head of the page; empty if each row says it for itself."""
        if self.is_column:
            numbers = (
                counted(self.most, "position")
                if self.fewest == self.most
                else f"{self.fewest:,} to {self.most:,} positions"
            )
            sliced = "; what is irrelevant to it is ignored" if self.is_sliced else ""
            return (
                numbers
                + f" for each property{sliced}"
                + {
                    "all": "; the scope cut moves",
                    "some": "; * the scope cut moves",
                    "none": "",
                }[self.cut]
            )
        if self.shared and self.shared[-1].startswith("the scope"):
            return "; ".join([", ".join(self.shared[:-1]), self.shared[-1]])
        return ", ".join(self.shared)


_GAP = "  "
_NARROW = 100
"""A page of less has no room for the positions of each row: the head has them for all."""
_BESIDE_NAMES = 10
"""A name takes half of the page at most, less this, so that the verdict is always there."""
_LEAST = 16
"""What is said of a row begins below it, where less room is left beside it."""


@frozen
class _Cell:
    words: str
    style: str = ""
    is_number: bool = False


@frozen
class VerdictTable:
    """The *rows*, with how much each rests on where the head does not say it, and *notes* behind
    those that are not met.
    """

    rows: Sequence[Row]
    basis: Basis
    notes: Sequence[str] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the lines."""
        width = options.max_width
        are_claims = any(row.status != "none" for row in self.rows)
        has_positions = self.basis.is_column and width >= _NARROW
        headings = [
            *(("", "claim") if are_claims else ()),
            "property",
            "verdict",
            *(("positions",) if has_positions else ()),
        ]
        table = [
            self._cells(row, width, are_claims=are_claims, has_positions=has_positions)
            for row in self.rows
        ]
        lines = [[_Cell(heading) for heading in headings], *table]
        widths = [max(cell_len(line[at].words) for line in lines) for at in range(len(headings))]
        if self.notes and are_claims:
            widths[0] = max(widths[0], cell_len(STATUS["not met"][0]))
        beside = sum(widths) + len(_GAP) * len(widths)
        said = [_property_words(row, self.basis) for row in self.rows]
        fits = all(
            len(_wrapped(" ".join(words), width - beside, width - beside)) < 3 for words in said
        )
        indent = beside if fits else widths[0] + len(_GAP) if are_claims else 2 * len(_GAP)
        if self.rows:
            heading = "".join(
                _padded(_Cell(words, "", words == "positions"), size)
                for words, size in zip(headings, widths, strict=True)
            )
            yield Text(
                heading + ("what it says" if width - beside >= _LEAST else ""), "dim", no_wrap=True
            )
        notes = list(self.notes)
        for row, cells, words in zip(self.rows, table, said, strict=True):
            if row.status != "not met":
                yield from map(_note, notes)
                notes = []
            first = Text(no_wrap=True, overflow="ellipsis")
            for cell, size in zip(cells, widths, strict=True):
                first.append(_padded(cell, size), cell.style)
            yield from _row_lines(first, words, width, beside, indent)
        yield from map(_note, notes)

    def _cells(self, row: Row, width: int, *, are_claims: bool, has_positions: bool) -> list[_Cell]:
        claim = (
            [_Cell(*STATUS[row.status]), _Cell(row.expectation or "(asked)")] if are_claims else []
        )
        # An unclaimed row is neither good nor bad, and what is met is as it should be.
        verdict = _Cell(
            row.outcome,
            OUTCOME_STYLE[row.outcome] if row.status in ("not met", "undecided") else "",
        )
        positions = [_Cell(self.basis.column(row), "dim", is_number=True)] if has_positions else []
        return [
            *claim,
            _Cell(_cut(row.name, max(width // 2 - _BESIDE_NAMES, _LEAST))),
            verdict,
            *positions,
        ]


def _note(words: str) -> Text:
    return Text(STATUS["not met"][0], STATUS["not met"][1]).append(
        f"{_GAP}{words}", "not bold default"
    )


def _padded(cell: _Cell, size: int) -> str:
    blank = " " * (size - cell_len(cell.words))
    return f"{blank}{cell.words}{_GAP}" if cell.is_number else f"{cell.words}{blank}{_GAP}"


def _property_words(row: Row, basis: Basis) -> tuple[str, str]:
    """Return what the property says; what its author says of it, and what its verdict rests on
    where nothing else says it.
    """
    author = f"(the author: {row.title})" if row.says else ""
    why = row.reason if row.outcome == "VIOLATED" and not row.has_play else ""
    without = "plays that end are left out" if row.without_ends else ""
    rests = [f"({part})" for part in (basis.line(row), without, why) if part]
    return row.says or row.title, " ".join(filter(None, (author, *rests)))


def _row_lines(
    first: Text, said: tuple[str, str], width: int, beside: int, indent: int
) -> Iterator[Text]:
    """Yield *first* with what is *said* beside it and, as far as it goes on, in one line below;
    each half is cut if there is no room.
    """
    room, below = width - beside if width - beside >= _LEAST else 0, width - indent
    words = " ".join(filter(None, said))
    lines = _wrapped(words, room, below)
    if indent < beside and len(lines) > 1 and cell_len(words) <= below:
        lines = ["", words]
    elif len(lines) > 2 and all(said) and room:
        lines = [_cut(said[0], room), said[1]]
    yield first.append(lines[0], "dim")
    if len(lines) > 1:
        yield Text(" " * indent).append(_cut(" ".join(lines[1:]), below), "dim")


def _wrapped(words: str, first: int, other: int) -> list[str]:
    """Return *words* in lines, the first and all others so wide."""
    lines = [""]
    for word in words.split():
        room = first if len(lines) == 1 else other
        longer = f"{lines[-1]} {word}".lstrip()
        if cell_len(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _cut(words: str, size: int) -> str:
    return (
        words if cell_len(words) <= size else f"{set_cell_size(words, max(size - 1, 0)).rstrip()}…"
    )


def render_empty(rows: Sequence[Row]) -> Iterator[Text]:
    """Yield which of *rows* say nothing, and why, in a line for each reason."""
    unfit = [row.name for row in rows if row.reason.startswith("because no play fits")]
    unknown = [row.name for row in rows if row.reason.startswith(KNOW_NO)]
    never = [row.name for row in rows if row.name not in (*unfit, *unknown)]
    whys = (
        ("the rules have nothing that they ask for", unknown),
        ("their condition never arises here", never),
        ("no play fits what they assume", unfit),
    )
    for why, names in whys:
        if names:
            yield Text(f"VACUOUS, since {why}: {join_words(names)}.", "dim")


def legend(rows: Sequence[Row]) -> Iterator[Text]:
    """Yield what those verdicts of *rows* mean that do not say it themselves."""
    for outcome in dict.fromkeys(row.outcome for row in rows):
        if outcome in IN_SHORT:
            yield Text(f"{outcome}: {IN_SHORT[outcome]}", "dim")
