"""A survey of mutants as Markdown, for a pull request or a summary: what nothing protects, and
claims that would.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...models.words import counted
from ..edits.mutants import rulings_to_paste, summary
from ..rulings.text import answer_words
from ..telling.mutants import MutantRow, SurveyRecord
from ..text.page import plain
from ..text.ruling import render_ruling
from .inline import escaped, folded, table

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
    if record.rulings:
        yield from folded(
            "Rulings that would notice them, for the file of rulings",
            "\n".join(rulings_to_paste(record)).lstrip("\n"),
        )


def _unprotected(rows: Sequence[MutantRow]) -> Iterator[str]:
    """Yield the first of *rows* of which it is known what players would notice as a table, with
    their plays, folded; then all others, folded.
    """
    noticed = [row for row in rows if row.question or row.parting][:_MOST_ROWS]
    heads = ("edit", "what players would notice", "the rules", "edited")
    yield from table(heads, map(_cells, noticed))
    plays = "\n\n".join(
        f"{row.clause}: {row.words}\n\n{plain(render_ruling(row.parting.shown), _WIDTH).rstrip()}"
        for row in noticed
        if row.parting is not None
    )
    if plays:
        yield from folded("the plays", plays)
    others = [row for row in rows if row not in noticed]
    if others:
        title = f"{counted(len(others), 'edit')}{' more' if noticed else ''} that nothing notices"
        yield from folded(title, "\n".join(map(_edit, others)))


_MOST_ROWS = 10


def _edit(row: MutantRow) -> str:
    place = f" (line {row.line})" if row.line else ""
    where = "" if row.reading == "default" else f" with {row.reading}"
    return f"{row.clause}: {row.words}{place}{where}."


def _cells(row: MutantRow) -> tuple[str, ...]:
    if row.question is not None:
        answers = map(answer_words, (row.question.before, row.question.after))
        return _edit(row), row.question.question, *answers
    said = f"{row.parting.sentence} {row.parting.otherwise}" if row.parting else ""
    return _edit(row), said, "", ""
