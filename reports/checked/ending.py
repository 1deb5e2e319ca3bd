"""The ending of the page: what is undecided, the rulings beside the rules, what to run and what to
paste next, the warnings, and one line that sums up.

A page that was printed while proofs were still looked for ends anew with what they have changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from ...models.words import clean_line, counted, join_words
from ..rulings.changes import changed_words, since_words
from ..rulings.filed import RulingRow, asked_words, counted_rulings, said_words, unsourced
from ..rulings.text import ruling_page
from ..telling.record import Record, Row
from ..text.diagnostics import Diagnostics
from ..text.page import STATUS, facts, grouped, indented, to_paste
from ..text.proofs import proved_words
from .rows import Basis, VerdictTable, counted_rows, render_counted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ...models.diagnostics import Diagnostic

_FEW, _MOST_RULINGS = 5, 20
_WORD = {
    "PROVED": "holds",
    "HOLDS": "holds",
    "VIOLATED": "fails",
    "POSSIBLE": "possible",
    "IMPOSSIBLE": "impossible",
}
"""The claim that says what was found. What says nothing is not worth a claim, and what is undecided
cannot be claimed.
"""


def commands(record: Record) -> Iterator[Text]:
    """Yield the command that tells the play of a violated property without a claim."""
    shown = {root.row for root in record.roots} | {record.telling}
    rows = [
        row
        for number, row in enumerate(record.rows)
        if number not in shown and row.status == "none" and _is_broken(row)
    ]
    if rows and record.command:
        others = f", and so for {join_words([row.name for row in rows[1:]])}" if rows[1:] else ""
        yield Text(
            f"How is {rows[0].name} violated? `{record.command} -p {rows[0].name}` tells the "
            f"play{others}."
        )


def _is_broken(row: Row) -> bool:
    return row.outcome == "VIOLATED" and row.has_play


def claims_block(record: Record) -> Iterator[Text]:
    """Yield a block of claims to paste into a ruleset that has none: what was found, as it is."""
    if any(row.status != "none" or row.expectation for row in record.rows) or record.interrupted:
        return
    rows = [row for row in record.rows if row.outcome in _WORD and not _may_be_possible(row)]
    if not rows:
        return
    width = max(len(_WORD[row.outcome]) for row in rows)
    settings = record.name.partition("@")[2].split(",") if "@" in record.name else []
    when = " and ".join(
        f"{option} is {value}"
        for option, _, value in (setting.partition("=") for setting in settings)
    )
    said = (
        f"These claims say what was found. Paste them at the end of {record.file}, and each later "
        "check tells what has changed. "
    )
    yield Text(
        f"{said}Where you want another answer, write that one: with `holds` in the place of "
        "`fails` the play is told."
    )
    yield Text("")
    yield to_paste(f"claims{f' when {when}' if when else ''}")
    for row in rows:
        yield to_paste(f"  {_WORD[row.outcome].ljust(width)}  {row.name}")
    yield Text("")


def _may_be_possible(row: Row) -> bool:
    """Whether only a scope that cuts moves says that it is impossible."""
    return row.outcome == "IMPOSSIBLE" and row.counts.cut > 0 and row.proof is None


def render_undecided(rows: Sequence[Row]) -> Iterator[Text]:
    """Yield why properties are undecided, once for each reason."""
    names: dict[str, list[str]] = {}
    for row in rows:
        if (
            row.status == "undecided" or row.outcome in ("BOUNDED", "UNKNOWN")
        ) and not row.has_to_be_told:
            names.setdefault(row.reason or "no reason is known", []).append(row.name)
    for reason, undecided in names.items():
        which = join_words(undecided) if len(undecided) <= _FEW else f"{len(undecided)} properties"
        yield Text(f"Undecided: {which}. The reason: {reason}.".replace("..", "."), "yellow")


def render_warnings(warnings: Sequence[Diagnostic]) -> Iterator[RenderableType]:
    """Yield what is no mistake in the ruleset, and hardly meant."""
    if warnings:
        yield from (Diagnostics(warnings), Text(""))


def summary(record: Record) -> Text:
    """Return how many claims and rulings are met, and which are not, in one line."""
    rows = [row for row in record.rows if row.status != "none"]
    rulings = record.rulings
    line = Text(f"{record.name}: ", "bold")
    if record.interrupted:
        line.append("interrupted; this is what was found so far. ", "bold yellow")
    if rows:
        line.append(counted(len(rows), "claim" if len(rows) == len(record.claims) else "question"))
        if rulings and {*(row.status for row in rows), *(row.status for row in rulings)} == {"met"}:
            line.append(f", {counted(len(rulings), 'ruling')}")
            rulings = ()
        said = [
            (status, number)
            for status in STATUS
            if status != "none" and (number := record.count(status))
        ]
        said.sort(key=lambda one: one[0] == "not met")
        for place, (status, number) in enumerate(said):
            words, style = STATUS[status]
            line.append(", " if place else ": ")
            are_all = (
                status == "met" and number == len(rows) and len(rows) + len(record.rulings) > 1
            )
            line.append(f"all {words}" if are_all else f"{number} {words}", style)
        line.append(_which(record), "bold red")
    elif not rulings:
        line.append("nothing was claimed")
    if rulings:
        line.append("; " if rows else "")
        for words, style in rulings_summary(record):
            line.append(words, style)
    line.append(".")
    if record.changes is not None:
        line.append(
            f" {_sentence(since_words(record.changes))}: {changed_words(record.changes)}.",
            "bold red" if record.changes.wanting else "",
        )
    if record.warnings:
        line.append(f" {counted(len(record.warnings), 'warning')}.", "yellow")
    if record.others:
        line.append(
            f" {counted(record.others, 'other reading')} not looked at (--all-readings).", "dim"
        )
    return line


def _sentence(words: str) -> str:
    return clean_line(f"{words[:1].upper()}{words[1:]}")


def _which(record: Record) -> str:
    """Return which claims are not met, what follows from one cause as a number."""
    following = record.following
    names = dict.fromkeys(
        row.name
        for number, row in enumerate(record.rows)
        if row.status == "not met" and number not in following
    )
    shown = [*names][:_FEW]
    parts = [*shown, *([f"{len(names) - _FEW} more"] if len(names) > _FEW else [])]
    for root in record.roots:
        cause = record.rows[root.row].name if root.row >= 0 else f"clause {root.clauses[0].id}"
        parts = [
            f"{name} (and {len(root.follow)} because of it)" if name == cause else name
            for name in parts
        ]
        parts += (
            []
            if cause in shown
            else [
                f"{f'{len(root.follow)} ' if len(record.roots) > 1 or names else ''}because of "
                f"{cause}"
            ]
        )
    because = ": " if names else " "
    return f"{because}{join_words(parts)}" if parts else ""


@grouped
def render_since(
    shown: Record, record: Record, *, all_rows: bool = False
) -> Iterator[RenderableType]:
    """Return what *record* says that was not known yet when *shown* was printed: of each row, or of
    each kind if they are counted.
    """
    rows = [*zip(shown.rows, record.rows, strict=True)]
    decided = [row for before, row in rows if row.status != before.status]
    proved = [row for before, row in rows if row.proof and not before.proof and row not in decided]
    unproved = [row for row in record.rows if row.unproved and not row.untried]
    yield Text("")
    if decided:
        yield from (VerdictTable(decided, Basis.from_rows(record.rows)), Text(""))
    if counted := [] if all_rows else counted_rows(record):
        yield from (*render_counted(record, counted), Text(""))
    elif proved:
        yield from (Text(f"Proved since: {_names(proved)}."), Text(""))
    if unproved and not counted:
        yield from (
            Text(f"Tried and not proved (--explain-proofs says why): {_names(unproved)}."),
            Text(""),
        )
    yield from (facts([("proved", proved_words(record.rows))]), Text(""))
    yield from (*render_undecided(record.rows), summary(record))


def _names(rows: Sequence[Row]) -> str:
    return join_words([*dict.fromkeys(row.name for row in rows)])


# ------------------------------------------------------------------ the rulings beside the rules


def render_rulings_of(record: Record, *, full: bool) -> Iterator[RenderableType]:
    """Yield the rulings of *record* that are not met, or not decided, and how many have no source;
    plays are told in *full* or in short.
    """
    wanting = [row for row in record.rulings if row.status != "met"]
    for row in wanting[:_MOST_RULINGS]:
        yield from (*_ruling_lines(row, full=full), Text(""))
    if wanting[_MOST_RULINGS:]:
        more = counted(len(wanting) - _MOST_RULINGS, "more ruling")
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
    yield indented(ruling_page(row.told, full=full))


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
