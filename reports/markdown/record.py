"""A record as Markdown, for the summary of a run in CI: what is not as claimed, each play
folded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..naming import shown_path
from ..pictures.mermaid import render_sequence
from ..plays.play import Play
from ..telling.losses import Cause, causes_of, loss_words, row_names
from ..telling.record import Failed, Record, Status
from ..text.page import plain
from ..text.ruling import render_ruling
from .changes import changed_lines, ruling_lines
from .inline import escaped, folded, with_code

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
