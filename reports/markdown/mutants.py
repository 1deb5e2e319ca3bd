"""A survey of mutants as Markdown, for a pull request or a summary: what nothing protects, and
claims that would.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...models.words import counted
from ..edits.mutants import claims_to_paste, rulings_to_paste, summary, would_notice
from ..rulings.text import answer_words
from ..telling.mutants import MutantRow, SurveyRecord
from ..text.page import plain
from ..text.ruling import render_ruling
from .inline import escaped, folded

_WIDTH = 100


def render_survey_markdown(record: SurveyRecord) -> str:
    """Return *record* as Markdown: the share first, then what nothing protects, each play folded,
    then the claims to paste.
    """
    return "\n".join(_lines(record)) + "\n"


def _lines(record: SurveyRecord) -> Iterator[str]:
    yield f"## {escaped(record.name)}: what nothing protects"
    for line in summary(record):
        yield from ("", escaped(line.plain))
    yield from _unprotected([row for row in record.rows if row.fate == "unprotected"])
    undecided = [row for row in record.rows if row.fate == "undecided"]
    if undecided:
        yield from ("", "**Undecided**", "")
        yield from (f"- {escaped(f'{row.clause}: {row.words}. {row.reason}')}" for row in undecided)
    if record.suggested:
        yield from folded(would_notice(record), "\n".join(claims_to_paste(record)))
    if record.rulings:
        yield from folded(
            "Rulings that would notice them, for the file of rulings",
            "\n".join(rulings_to_paste(record)),
        )


def _unprotected(rows: Sequence[MutantRow]) -> Iterator[str]:
    """Yield the first of *rows* as a table, then their plays, folded."""
    if rows:
        yield from (
            "",
            "| clause | edit | what players would notice | the rules | edited |",
            "|---|---|---|---|---|",
        )
    for row in rows[:_MOST_ROWS]:
        yield f"| {' | '.join(map(escaped, _cells(row)))} |"
    if rows[_MOST_ROWS:]:
        yield from ("", f"And {counted(len(rows) - _MOST_ROWS, 'edit')} more.")
    for row in rows[:_MOST_ROWS]:
        if row.parting is not None:
            yield from folded(
                f"the play: {row.clause}: {row.words}",
                plain(render_ruling(row.parting.shown), _WIDTH),
            )


_MOST_ROWS = 10


def _cells(row: MutantRow) -> tuple[str, ...]:
    place = f" (line {row.line})" if row.line else ""
    where = "" if row.reading == "default" else f" with {row.reading}"
    noticed = f" {row.suggested}, below, would notice it." if row.suggested else ""
    edit = f"{row.words}{place}{where}.{noticed}"
    if row.question is not None:
        return (
            row.clause,
            edit,
            row.question.question,
            answer_words(row.question.before),
            answer_words(row.question.after),
        )
    if row.parting is not None:
        return row.clause, edit, f"{row.parting.sentence} {row.parting.otherwise}", "", ""
    return row.clause, edit, "", "", ""
