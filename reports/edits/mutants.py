"""Mutants and repairs as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from ...models.words import counted, join_words
from ..rulings.changes import toml_text
from ..telling.mutants import MutantRow, RepairRecord, SurveyRecord
from ..text.page import columns, grouped, indented, title_line, to_paste
from ..text.ruling import render_ruling

if TYPE_CHECKING:
    from rich.console import RenderableType


@grouped
def render_repairs(record: RepairRecord) -> Iterator[RenderableType]:
    """Return the whole record."""
    yield Text(f"{record.name}: what would mend {record.property}", "bold")
    yield Text("")
    for number, row in enumerate(record.rows, start=1):
        for place, edit in enumerate(row.edits):
            head = Text(f"{number}. " if not place else "   and ", "bold")
            yield head.append(f"{edit.clause}: {edit.words}", "bold green").append(
                f"  (line {edit.line})" if edit.line else "", "dim"
            )
        if row.parting is not None:
            after = (
                f"Players see a difference after {counted(row.observations, 'observation')}. "
                if row.observations
                else "Players see a difference at once. "
            )
            yield indented(f"{after}{row.parting.sentence} {row.parting.otherwise}", 3)
        yield Text("")
    yield from _ending(record)


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


_STYLES = {
    "unprotected": "bold red",
    "undecided": "yellow",
    "noticed": "green",
    "same": "dim",
    "refused": "dim",
}


@grouped
def render_survey(
    record: SurveyRecord, *, every_edit: bool = False, plays: bool = False, full: bool = False
) -> Iterator[RenderableType]:
    """Return the whole record; with *every_edit* a line for each edit, with *plays* the play of
    each that nothing protects.

    A play is told in *full*, every move, or by its decisions.
    """
    yield title_line(record.name, record.title)
    yield from (Text(f"readings  {'; '.join(record.readings)}", "dim"), Text(""))
    if every_edit:
        yield from (_table(record.rows), Text(""))
    for row in record.rows:
        if row.fate == "unprotected":
            yield from (*_unprotected(row, plays=plays, full=full), Text(""))
    undecided = [row for row in record.rows if row.fate == "undecided"]
    if undecided and not every_edit:
        yield from (Text("Undecided:", "bold yellow"), _table(undecided), Text(""))
    if record.strange:
        yield Text(
            "Noticed, although players cannot tell: the claim asks what only the rules know.",
            "yellow",
        )
        yield from (_table(record.strange), Text(""))
    if record.rulings:
        yield from (*_rulings(record), Text(""))
    yield from summary(record)


def _rulings(record: SurveyRecord) -> Iterator[RenderableType]:
    yield Text(
        "Rulings that would notice them, those that notice most first, with the answers of your "
        "rules as they are. Look each up in your document, say where it stands, and paste it into "
        "the file of rulings:"
    )
    yield from map(to_paste, rulings_to_paste(record))


def rulings_to_paste(record: SurveyRecord) -> Iterator[str]:
    """Yield the lines of the rulings that are suggested, as a file of rulings has them: without a
    source.
    """
    for row in record.rulings:
        yield ""
        yield f"[[ruling]]  # would notice {counted(row.edits, 'edit')}"
        yield f"ask = {toml_text(row.question)}"
        yield f"answer = {toml_text(row.answer)}"
        yield 'source = ""'
        if row.reading != "default":
            yield f'reading = "{row.reading}"'


def _unprotected(row: MutantRow, *, plays: bool, full: bool) -> Iterator[RenderableType]:
    places = [
        f"line {row.line}" if row.line else "",
        "" if row.reading == "default" else f"with {row.reading}",
    ]
    head = Text("unprotected  ", "bold red").append(f"{row.clause}: {row.words}", "bold")
    yield head.append(
        f"  ({', '.join(place for place in places if place)})" if any(places) else "", "dim"
    )
    if row.parting is None:
        return
    if row.question is not None:
        yield indented(Text(row.question.question, "italic"))
        yield indented(f"your rules: {row.question.before.in_line()}", 4)
        yield indented(f"the edited: {row.question.after.in_line()}", 4)
    else:
        yield indented(f"{row.parting.sentence} {row.parting.otherwise}")
    moves = [moment.clause for moment in row.parting.shown.moments[1:]]
    yield indented(Text(f"after {counted(len(moves), 'move')}: {' '.join(moves)}", "dim"))
    if plays:
        yield indented(render_ruling(row.parting.shown, full=full), 4)


def _table(rows: Sequence[MutantRow]) -> RenderableType:
    table = columns("", "")
    table.add_column(overflow="fold")
    for row in rows:
        by = (
            join_words(row.noticed_by) + (f" ({counted(row.moves, 'move')})" if row.moves else "")
            if row.noticed_by
            else row.reason
        )
        table.add_row(
            Text(row.fate, _STYLES[row.fate]), Text(row.clause), Text(row.words), Text(by, "dim")
        )
    return table


def summary(record: SurveyRecord) -> Iterator[Text]:
    """Yield how much is noticed, and by what."""
    if record.stopped:
        yield Text(f"Not all edits were looked at: {record.stopped}.", "bold yellow")
    if record.unsuggested:
        yield Text(
            f"Not everything that would notice more was looked for: {record.unsuggested}.",
            "yellow",
        )
    if record.bare:
        yield Text(
            f"Nothing protects {join_words(record.bare)}: no edit there that changes the game is "
            "noticed.",
            "red",
        )
    if record.is_of_every_claim:
        if record.enough:
            yield Text(
                f"As much is noticed by {counted(len(record.enough), 'claim')} alone: "
                f"{join_words(record.enough)}."
            )
        if record.idle:
            yield Text(f"None of these edits breaks {join_words(record.idle)}.", "yellow")
        if record.open:
            yield Text(
                "Undecided of some of these edits, and broken by no other: "
                f"{join_words(record.open)}.",
                "yellow",
            )
        if record.unasked:
            it = "it" if len(record.unasked) == 1 else "them"
            yield Text(
                f"Not asked, since your rules are not known to meet {it}: "
                f"{join_words(record.unasked)}.",
                "yellow",
            )
    tried = [
        f"{record.count(fate)} {words}" for fate, words in _WORDS.items() if record.count(fate)
    ]
    line = Text(f"{record.name}: ", "bold").append(
        f"{counted(len(record.rows), 'edit')}{': ' if tried else ''}{', '.join(tried)}."
    )
    if record.share is not None:
        line.append(f" Of those that change the game {record.share:.1%} are noticed.", "bold")
    yield line


_WORDS = {
    "noticed": "noticed",
    "unprotected": "unprotected",
    "undecided": "undecided",
    "same": "the same game within the scope",
    "refused": "refused",
}
