"""A survey of mutants as Markdown, for a pull request or a summary: what nothing protects, and claims that would."""

from __future__ import annotations

from collections.abc import Iterator

from ..edits.mutants import claims_to_paste, rulings_to_paste, summary, would_notice
from ..rulings.text import answer_words
from ..telling.mutants import MutantRow, SurveyRecord
from ..text.page import plain
from ..text.ruling import render_ruling
from .inline import folded, words

_WIDTH = 100


def render_survey_markdown(record: SurveyRecord) -> str:
    """Return *record* as Markdown: the share first, then what nothing protects, each play folded, then the claims to paste."""
    return "\n".join(_lines(record)) + "\n"


def _lines(record: SurveyRecord) -> Iterator[str]:
    yield f"## {words(record.name)}: what nothing protects"
    for line in summary(record):
        yield from ("", words(line.plain))
    for row in record.rows:
        if row.fate == "unprotected":
            yield from _unprotected(row)
    undecided = [row for row in record.rows if row.fate == "undecided"]
    if undecided:
        yield from ("", "**Undecided**", "")
        yield from (f"- {words(f'{row.clause}: {row.words}. {row.reason}')}" for row in undecided)
    if record.suggested:
        yield from folded(would_notice(record), "\n".join(claims_to_paste(record)))
    if record.rulings:
        yield from folded("Rulings that would notice them, for the file of rulings", "\n".join(rulings_to_paste(record)))


def _unprotected(row: MutantRow) -> Iterator[str]:
    place = f" (line {row.line})" if row.line else ""
    where = "" if row.reading == "default" else f" with {row.reading}"
    yield from ("", f"**{words(row.clause)}**: {words(f'{row.words}{place}{where}')}")
    if row.suggested:
        yield from ("", f"_{words(f'{row.suggested}, below, would notice it.')}_")
    if row.question is not None:
        told = f"{row.question.question} Your rules: {answer_words(row.question.before)}. Edited: {answer_words(row.question.after)}."
        yield from ("", words(told))
    elif row.parting is not None:
        yield from ("", words(f"{row.parting.sentence} {row.parting.otherwise}"))
    if row.parting is not None:
        yield from folded("the play", plain(render_ruling(row.parting.shown), _WIDTH))
