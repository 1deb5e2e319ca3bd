"""Text of a record: the table of verdicts, then the play of each claim that is not met, as a ruling.

In: a `Record`. Out: a rich renderable; `page` prints it in colour or plainly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ...models.words import counted, join_words
from ..naming import more_words
from ..plays.play import Play
from ..telling.record import Record, Row, Status, evidence, is_exhaustive, left_out, searched
from .proofs import proved, render_proofs
from .ruling import render_ruling
from .smallest import render_smallest

_FEW = 5
STATUS: dict[Status, tuple[str, str]] = {
    "met": ("met", "green"),
    "not met": ("NOT MET", "bold red"),
    "undecided": ("undecided", "yellow"),
    "too small": ("too small", "dim"),
    "none": ("", ""),
}
"""The word and the style of each status."""
OUTCOME_STYLE = {
    "PROVED": "green",
    "HOLDS": "green",
    "POSSIBLE": "green",
    "VIOLATED": "red",
    "IMPOSSIBLE": "red",
    "VACUOUS": "yellow",
    "BOUNDED": "yellow",
    "UNKNOWN": "yellow",
}


def render_record(record: Record, *, explain_proofs: bool = False) -> Group:
    """Return the whole record as text; with *explain_proofs* also what each proof rests on, and why there is none."""
    basis = _Basis.of(record.rows)
    parts: list[RenderableType] = [*_head(record, basis), Text("")]
    told = [row for row in record.rows if row.told]
    claims = [row for row in record.rows if row.status != "none"]
    others = [row for row in record.rows if row.status == "none"]
    if claims:
        parts += [_table(claims, basis), Text("")]
    if others:
        parts += [Text("Not claimed:" if claims else "Properties:", "bold"), _table(others, basis), Text("")]
    for row in told:
        parts += [*_detail(row, record), Text("")]
    if explain_proofs:
        parts += render_proofs(record.rows)
    parts += render_smallest(record.rows)
    parts += _undecided(record.rows)
    parts.append(summary(record))
    if record.others:
        parts.append(Text(f"Not looked at: {counted(record.others, 'other reading')}; --all-readings does.", "dim"))
    return Group(*parts)


def _undecided(rows: Sequence[Row]) -> Iterator[Text]:
    """Yield why properties are undecided, once for each reason."""
    names: dict[str, list[str]] = {}
    for row in rows:
        if row.outcome in ("BOUNDED", "UNKNOWN") and not row.told:
            names.setdefault(row.reason or "no reason is known", []).append(row.name)
    for reason, undecided in names.items():
        which = join_words(undecided) if len(undecided) <= _FEW else f"{len(undecided)} properties"
        yield Text(f"Undecided: {which}. The reason: {reason}.".replace("..", "."), "yellow")


def summary(record: Record) -> Text:
    """Return how many claims are met, in one line."""
    claims = sum(row.status != "none" for row in record.rows)
    line = Text(f"{record.name}: ", "bold")
    if record.interrupted:
        line.append("interrupted; this is what was found so far. ", "bold yellow")
    if not claims:
        return line.append("nothing was claimed.")
    line.append(counted(claims, "claim" if claims == len(record.claims) else "question"))
    said = [(f"{number} {words}", style) for status, (words, style) in STATUS.items() if words and (number := record.count(status))]
    for number, (words, style) in enumerate(said):
        line.append(", " if number else ": ").append(words, style)
    return line.append(".")


# ------------------------------------------------------------------ the head and the tables


@dataclass(frozen=True)
class _Basis:
    """What the verdicts of a record rest on: the *shared* evidence if it is the same for all, else a column of positions.

    The column has numbers from *fewest* to *most*. *cut* says for how many of the verdicts the scope cut moves: all, some (these
    have a star), or none. *is_sliced* says that something was left out.
    """

    shared: tuple[str, ...]
    is_column: bool = False
    fewest: int = 0
    most: int = 0
    cut: Literal["all", "some", "none"] = "none"
    is_sliced: bool = False

    @classmethod
    def of(cls, rows: Sequence[Row]) -> _Basis:
        """Return what *rows* rest on."""
        searches = [row for row in rows if is_exhaustive(row)]
        shared = searched(rows)
        if shared or len(searches) < 2:
            return cls(shared)
        told = [row.counts for row in searches if row.outcome != "UNKNOWN"] or [row.counts for row in searches]
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
        """Return how many positions the verdict of *row* rests on, with a star where the scope cut moves."""
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
            numbers = counted(self.most, "position") if self.fewest == self.most else f"{self.fewest:,} to {self.most:,} positions"
            own = ", each question on its own slice" if self.is_sliced else " for a question"
            return numbers + own + {"all": "; the scope cut moves", "some": "; * where the scope cut moves", "none": ""}[self.cut]
        if self.shared and self.shared[-1].startswith("the scope"):
            return "; ".join([", ".join(self.shared[:-1]), self.shared[-1]])
        return ", ".join(self.shared)


def _head(record: Record, basis: _Basis) -> Iterator[RenderableType]:
    """Yield the game, its document, the scope, and how much was searched."""
    yield Text(record.name, "bold").append(f"  {record.title}", "not bold")
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True, style="dim")
    grid.add_column(overflow="fold")
    if record.document:
        grid.add_row("source", record.document)
    if record.settings:
        grid.add_row("options", ", ".join(f"{name}={value}" for name, value in record.settings))
    grid.add_row("scope", ", ".join([counted(record.players, "player"), *(f"{zone} {size}" for zone, size in record.sizes)]))
    if words := basis.head:
        grid.add_row("searched", words)
    if words := proved(record.rows):
        grid.add_row("proved", words)
    yield grid


def _table(rows: Sequence[Row], basis: _Basis) -> Table:
    """Return a table of verdicts; how much was searched only where it is not what the head already says."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    claimed = any(row.status != "none" for row in rows)
    for heading, shown in (("", claimed), ("claim", claimed), ("property", True), ("verdict", True)):
        if shown:
            table.add_column(heading, no_wrap=True)
    if basis.is_column:
        table.add_column("positions", no_wrap=True, justify="right")
    table.add_column("what it says", overflow="fold", ratio=1)
    for row in rows:
        claim = [Text(*STATUS[row.status]), Text(row.expectation or "(asked)")] if claimed else []
        verdict = Text(row.outcome, "" if row.status == "met" else OUTCOME_STYLE[row.outcome])
        positions = [Text(basis.column(row), "dim")] if basis.is_column else []
        rests = basis.line(row)
        title = Text(row.title).append(f"\n{rests}" if rests else "", "dim")
        table.add_row(*claim, Text(row.name), verdict, *positions, title)
    return table


# ------------------------------------------------------------------ one row in detail


def _detail(row: Row, record: Record) -> Iterator[RenderableType]:
    """Yield a row's formula, what was claimed and found, and the play."""
    status, style = STATUS[row.status]
    head = Text(f"{status}: " if row.status in ("not met", "undecided") else "", style)
    yield head.append(f"{row.name} is ", "bold").append(row.outcome, f"bold {OUTCOME_STYLE[row.outcome]}")
    lines = [Text(row.title), Text(row.formula, "italic")]
    if row.assuming:
        lines.append(Text(f"Assuming that {join_words(row.assuming)} act only finitely often."))
    if row.why:
        lines.append(Text(f"Why it matters: {row.why}.".replace("..", ".")))
    lines.append(Text(_claimed(row, record) + _found(row)))
    if row.play is None and row.proof is None and row.asked and (words := left_out(row)):
        lines.append(Text(words))
    yield Padding(Group(*lines), (0, 0, 0, 2))
    if row.play is not None:
        yield Text("")
        yield Padding(render_ruling(row.play), (0, 0, 0, 2))


def _claimed(row: Row, record: Record) -> str:
    """Return what the ruleset claims, as a sentence that ends with a blank; empty if it claims nothing."""
    if not row.expectation:
        return ""
    words = {"holds": "that it holds", "fails": "that it fails", "lemma": "as a lemma, for the proofs of the others"}
    word = words.get(row.expectation, f"that it is {row.expectation}")
    where = f", {record.file}:{row.line}" if row.line else ""
    condition = f" when {row.condition}" if row.condition else ""
    cites = f" ({join_words(row.cites)}{where})" if row.cites else where.replace(", ", " (") + ")" if where else ""
    return f"Claimed{cites}: {word}{condition}. "


def _length(play: Play, *, is_shortest: bool) -> str:
    """Return how long a play is that was found."""
    moves = play.moments[-1].number
    if play.again_from is None:
        return f"the shortest {'' if is_shortest else 'found '}has {counted(moves, 'move')}"
    before = f"{counted(play.again_from, 'move')}, and then " if play.again_from else ""
    more = f", each time with {more_words(play.more)}" if play.more else ""
    return f"it is {before}{counted(moves - play.again_from, 'move')} again and again{more}"


def _found(row: Row) -> str:
    """Return the verdict as a sentence."""
    rests, file = ", ".join(evidence(row)), row.proof.file if row.proof else ""
    certificate = f"; the certificate is {file}" if file else ""
    length = f"; {_length(row.play, is_shortest=row.is_shortest)}" if row.play else ""
    sentences = {
        "PROVED": f"Found: it is proved for {rests}{certificate}",
        "HOLDS": f"Found: it holds on every play within the scope ({rests})",
        "IMPOSSIBLE": f"Found: no play shows it, which is proved for {rests}{certificate}"
        if row.proof
        else f"Found: no play within the scope shows it ({rests})",
        "VIOLATED": f"Found: a play breaks it{length}" if row.play else "Found: it does not hold",
        "POSSIBLE": f"Found: a play shows it{length}" if row.play else "Found: it is possible",
        "VACUOUS": f"Found: it says nothing within the scope{f', {row.reason}' if row.reason else ''}",
        "BOUNDED": f"Not decided: nothing speaks against it on {rests.replace('every play', 'any play', 1)}",
        "UNKNOWN": "Not decided",
    }
    reason = f": {row.reason}" if row.reason and row.outcome != "VACUOUS" else ""
    return f"{sentences[row.outcome]}{reason}.".replace("..", ".")
