"""A record as Markdown, for the summary of a run in CI: what is not as claimed, each play
folded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...models.words import join_words
from ..naming import shown_path
from ..pictures.mermaid import render_sequence
from ..plays.play import Play
from ..rulings.changes import ChangesSince, asked, changes_words, to_accept
from ..rulings.filed import RulingRow, loss_words_of
from ..rulings.text import ruling_page
from ..telling.losses import LEVELS, Cause, causes_of, loss_words, row_names
from ..telling.record import Failed, Record, Status
from ..text.page import plain
from ..text.ruling import render_ruling
from .inline import escaped, folded

_WIDTH = 100
_MOST_PLAYS = 50
"""So many rulings are told with their plays."""
MOST_LETTERS = 600_000
"""What the plays may have altogether: GitHub shows no summary of more than a mebibyte."""
_LEVELS = {"error": "NOT MET", "warning": "undecided", "note": "too small"}
_COUNTED: tuple[Status, ...] = ("met", "not met", "undecided", "too small")


def render_records_markdown(records: Sequence[Record], failed: Sequence[Failed] = ()) -> str:
    """Return *records*, and the rulesets that *failed*, as Markdown: a table, then what is not as
    claimed, with its play folded.
    """
    return "\n".join(_lines(records, failed)) + "\n"


def _lines(records: Sequence[Record], failed: Sequence[Failed]) -> Iterator[str]:
    yield from (
        "## stacklaw check",
        "",
        f"| | ruleset | {' | '.join(_COUNTED)} |",
        "|---|---|--:|--:|--:|--:|",
    )
    for record in records:
        others: list[Status] = [row.status for row in record.rulings]
        others += [row.status for row in (record.changes.rows if record.changes else ())]
        counts = [record.count(status) + others.count(status) for status in _COUNTED]
        said = (
            "interrupted"
            if record.interrupted
            else "NOT MET"
            if counts[1]
            else "undecided"
            if counts[2]
            else "met"
        )
        yield f"| {said} | {escaped(record.name)}: {escaped(record.title)} | {' | '.join(map(str, counts))} |"
    for one in failed:
        yield f"| wrong | {escaped(one.target)} | | | | |"
    letters = left_out = 0
    for record in records:
        causes = causes_of(record)
        rulings = [row for row in record.rulings if row.status != "met"]
        if causes or rulings or record.changes:
            yield from ("", f"### {escaped(record.name)}")
        for cause in causes:
            yield from _cause_lines(cause, record)
            if cause.play is None:
                continue
            parts = _played(cause, cause.play) if letters < MOST_LETTERS else []
            letters += sum(map(len, parts))
            if parts and letters <= MOST_LETTERS:
                yield from parts
            else:
                left_out += 1
        yield from _rulings(rulings)
        yield from _change_lines(record.changes)
    for one in failed:
        yield from ("", f"### {escaped(one.target)}", "")
        yield from (f"- {escaped(f'{d.place} {d.code} {d.as_line}')}" for d in one.diagnostics)
    if left_out:
        yield from ("", f"_Left out here, for its size: the plays of {left_out} more._")


def _played(cause: Cause, play: Play) -> list[str]:
    """Return the *play* of *cause*, and a diagram of it, which GitHub and GitLab draw if it is not
    too long.
    """
    names, drawn = row_names(cause.rows), render_sequence(play)
    told = [*folded(f"the play that breaks {names}", plain(render_ruling(play), _WIDTH))]
    return told + (
        [*folded(f"a picture of the play that breaks {names}", drawn, "mermaid")]
        if len(drawn) < _MOST_DRAWN
        else []
    )


_MOST_DRAWN = 20_000


def _rulings(rulings: Sequence[RulingRow]) -> Iterator[str]:
    """Yield what the rules say to *rulings*, the first of them with the play."""
    for number, row in enumerate(rulings):
        yield from (
            "",
            f"**{_LEVELS[LEVELS[row.status]]}** at {escaped(f'{shown_path(row.file)}:{row.line}')}",
            "",
        )
        yield f"- {escaped(loss_words_of(row))}"
        if row.told and number < _MOST_PLAYS:
            yield from folded("what the rules say", plain(ruling_page(row), _WIDTH))


def _change_lines(changes: ChangesSince | None) -> Iterator[str]:
    """Yield the answers that an edit changed, and what to write for those that nobody has
    accepted.
    """
    if changes is None:
        return
    said = changes_words(changes)
    yield from ("", f"**What changed for players** {escaped(said)}.")
    if changes.rows:
        yield from ("", "| | question | before | now | by |", "|---|---|---|---|---|")
    for row in changes.rows[:_MOST_PLAYS]:
        mark = {"met": "accepted", "not met": "NOT ACCEPTED", "undecided": "undecided"}[row.status]
        by = row.reason or row.who or join_words(row.clauses)
        where = f" (with {join_words(row.readings)})" if row.readings else ""
        cells = (mark, f"{asked(row)}{where}", row.before, row.after, by)
        yield f"| {' | '.join(escaped(cell) for cell in cells)} |"
    if changes.acceptable:
        title = f"Who accepts this says so in {shown_path(changes.file)}"
        yield from folded(title, to_accept(changes.acceptable[:_MOST_PLAYS]), "toml")


def _cause_lines(cause: Cause, record: Record) -> Iterator[str]:
    """Yield what *cause* breaks, each claim with its line."""
    file, line = record.files.place_of(cause.line)
    place = shown_path(file) + (f":{line}" if line else "")
    yield from ("", f"**{_LEVELS[cause.level]}** at {escaped(place)}", "")
    for row in cause.rows:
        claim = (
            f"Claimed in {record.files.lines_in_words(row.line)} ({row.expectation})"
            if row.line
            else "Asked for"
        )
        said = f"{claim}: {row.title}" if row.title else f"{claim}."
        yield f"- {escaped(loss_words(row))}. {escaped(said)}"
