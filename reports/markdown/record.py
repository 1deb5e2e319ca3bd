"""A record as Markdown, for the summary of a run in CI: what is not as claimed, each play folded;
what an edit changed for players, and the rulings that are not met.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...models.words import counted, join_words, shortened
from ..naming import shown_path
from ..pictures.mermaid import render_sequence
from ..plays.play import Play
from ..rulings.changes import ChangeRow, ChangesSince, asked, changed_words, since_words, to_accept
from ..rulings.filed import RulingRow, asked_words, row_words, said_words
from ..rulings.text import ruling_page
from ..telling.losses import Cause, causes_of, loss_words, row_names
from ..telling.record import Failed, Record, Status
from ..text.page import plain
from ..text.ruling import render_ruling
from .inline import escaped, folded, table, with_code

_WIDTH = 100
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
    yield "## stacklaw check"
    changes = {record.name: record.changes for record in records if record.changes}
    yield from changed_lines(changes)
    if changes:
        yield from ("", "### Claims and rulings")
    yield from _summary(records, failed)
    letters = left_out = 0
    for record in records:
        causes = causes_of(record)
        rulings = [row for row in record.rulings if row.status != "met"]
        if causes or rulings:
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
        yield from ruling_lines(rulings)
    for one in failed:
        yield from ("", f"### {escaped(one.target)}", "")
        yield from (f"- {with_code(f'{d.place} {d.code} {d.as_line}')}" for d in one.diagnostics)
    if left_out:
        yield from ("", f"_Left out here, for its size: the plays of {left_out} more._")


def _summary(records: Sequence[Record], failed: Sequence[Failed]) -> Iterator[str]:
    """Yield a table of rulesets with how many of their claims and rulings have which status; a
    status that none has is left out.
    """
    counts = [_counts(record) for record in records]
    shown = [s for s in _COUNTED if s in ("met", "not met") or any(one[s] for one in counts)]
    yield from ("", f"| | ruleset | {' | '.join(shown)} |", f"|---|---|{'--:|' * len(shown)}")
    for record, one in zip(records, counts, strict=True):
        numbers = " | ".join(str(one[status]) for status in shown)
        name = f"{escaped(record.name)}: {escaped(record.title)}"
        yield f"| {_said(record, one)} | {name} | {numbers} |"
    for failure in failed:
        yield f"| wrong | {escaped(failure.target)} |{' |' * len(shown)}"


def _counts(record: Record) -> dict[Status, int]:
    rulings: list[Status] = [row.status for row in record.rulings]
    return {status: record.count(status) + rulings.count(status) for status in _COUNTED}


def _said(record: Record, counts: Mapping[Status, int]) -> str:
    """Return in a word or two what became of *record*: of its claims and rulings, then of the
    answers that changed.
    """
    changed = [row.status for row in record.changes.rows] if record.changes else []
    if record.interrupted:
        return "interrupted"
    if counts["not met"]:
        return "NOT MET"
    if "not met" in changed:
        return "NOT ACCEPTED"
    return "undecided" if counts["undecided"] or "undecided" in changed else "met"


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


# ------------------------------------------------------------------ what changed for players


_MOST_LETTERS = 300
_MOST_ROWS, _AT_ONCE = 50, 3
"""How many answers are told, and how many rulings before a reader unfolds the others."""


def changed_lines(changes: Mapping[str, ChangesSince]) -> Iterator[str]:
    """Yield the answers that changed in each ruleset, by its name, and what to write to accept
    those that are not accepted yet.
    """
    if not changes:
        return
    since = since_words(next(iter(changes.values())))
    yield from ("", f"### What changed for players {escaped(since)}")
    for name, one in changes.items():
        if one.rows or one.note:
            yield from ("", f"**{escaped(name)}**: {escaped(changed_words(one))}.")
        yield from _changed(one)
    same = [name for name, one in changes.items() if not one.rows and not one.note]
    if same:
        yield from ("", f"No answer changed in {escaped(join_words(same))}.")


def _changed(changes: ChangesSince) -> Iterator[str]:
    """Yield the answers that changed in one ruleset, and what accepts them."""
    rows = changes.rows[:_MOST_ROWS]
    yield from table(("question", "before", "now", "by"), map(_change_cells, rows))
    if changes.acceptable:
        title = f"Who accepts this says so in {shown_path(changes.file)}"
        yield from folded(title, to_accept(changes.acceptable[:_MOST_ROWS]), "toml")


def _change_cells(row: ChangeRow) -> tuple[str, ...]:
    where = f" (with {join_words(row.readings)})" if row.readings else ""
    accepted = f"accepted by {row.who}" if row.who else "NOT ACCEPTED"
    said = f"undecided: {row.reason}" if row.reason else accepted
    clauses = join_words(row.clauses)
    return f"{asked(row)}{where}", row.before, row.after, "; ".join(filter(None, (clauses, said)))


def ruling_lines(rulings: Sequence[RulingRow]) -> Iterator[str]:
    """Yield *rulings* of one file that are not met: the first as a table, and what the rules say to
    all of them, folded.
    """
    if not rulings:
        return
    statuses = [row.status for row in rulings]
    said = [
        f"{counted(statuses.count(status), 'ruling')} {words}"
        for status, words in (("not met", "NOT MET"), ("undecided", "undecided"))
        if status in statuses
    ]
    yield from ("", f"**{join_words(said)}** in {escaped(shown_path(rulings[0].file))}")
    rows = [
        (str(row.line), asked_words(row), shortened(row.answer, _MOST_LETTERS), row.found)
        for row in rulings[:_AT_ONCE]
    ]
    yield from table(("line", "question", "the file says", "the rules say"), rows)
    more = len(rulings) - _AT_ONCE
    title = "what the rules say, with the plays" + (f", and {more} more" if more > 0 else "")
    yield from folded(title, "\n\n".join(map(_told, rulings[:_MOST_ROWS])))


def _told(row: RulingRow) -> str:
    """Return what the file and the rules say to the question of *row*."""
    head = f"line {row.line}: {asked_words(row)}\nThe file says: {said_words(row)}."
    words = row_words(row)
    found = plain(ruling_page(row.told), _WIDTH).rstrip() if row.told else f"{words}."
    return f"{head}\n{found[:1].upper()}{found[1:]}"
