"""Edits as Markdown, for a pull request or a summary: what a difference of rulesets changes for
players, and which mutants nothing protects from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...models.words import counted, join_words
from ..edits import mutants
from ..edits.differences import FATES, summary
from ..telling.differences import DifferenceRecord, GuaranteeRow
from ..telling.mutants import MutantRow, SurveyRecord
from ..text.page import plain
from ..text.ruling import render_ruling
from .inline import escaped, folded, table

_WIDTH = 100


def render_difference_markdown(record: DifferenceRecord) -> str:
    """Return *record* as Markdown: what is lost, then what players notice; what no question tells
    is told by its plays, folded.
    """
    return "\n".join(_lines(record)) + "\n"


def _lines(record: DifferenceRecord) -> Iterator[str]:
    old, new = escaped(record.old.name), escaped(record.new.name)
    yield f"## {f'{new}: what changed' if old == new else f'{old} → {new}'}"
    yield ""
    yield " ".join(escaped(line.plain) for line in summary(record))
    for fate, (heading, _) in FATES.items():
        if rows := record.fated(fate):
            yield from ("", f"**{heading}**")
            yield from table(("claim", "", "old", "new", "what it says"), map(_guarantee, rows))
    yield from _questions(record)
    shows = record.rulings.untold or not record.rulings.answers
    for parting in record.partings if shows else ():
        other = "new" if parting.side == "old" else "old"
        yield from (
            "",
            f"**What the {parting.side} rules allow and the {other} ones do not.** "
            f"{escaped(parting.sentence)} {escaped(parting.otherwise)}",
        )
        told = parting if parting.is_told_by_one else parting.folded_alike
        yield from folded("the play", plain(render_ruling(told.shown), _WIDTH))
        if not parting.is_told_by_one:
            yield from folded(
                f"the same under the {other} rules", plain(render_ruling(told.beside), _WIDTH)
            )
    for row in record.guarantees:
        if row.play is not None:
            yield from folded(f"how {row.name} is lost", plain(render_ruling(row.play), _WIDTH))
    if record.changes:
        text = "\n".join(
            line
            for change in record.changes
            for line in (f"@@ {change.what} {change.name}: {change.how}", *change.lines)
        )
        yield from folded("what changed in the text", text, "diff")
    for note in record.notes:
        yield from ("", f"_{escaped(note)}_")


def _questions(record: DifferenceRecord) -> Iterator[str]:
    """Yield the questions whose answers are others now, as a table."""
    answers = record.rulings.answers
    if answers:
        yield from ("", "**What players notice**")
    rows = [
        (one.question, one.before.in_line(), one.after.in_line(), join_words(one.clauses))
        for one in answers
    ]
    yield from table(("question", "before", "now", "by"), rows)


def _guarantee(row: GuaranteeRow) -> tuple[str, ...]:
    cited = f" ({join_words(row.cites)})" if row.cites else ""
    reason = f" {row.reason}" if row.reason else ""
    said = f"{row.title}{cited}{reason}"
    return row.expectation or "(not claimed)", row.name, row.old or "-", row.new or "-", said


# ------------------------------------------------------------------ mutants


def render_survey_markdown(record: SurveyRecord) -> str:
    """Return *record* as Markdown: the share first, then what nothing protects, each play folded,
    then the claims to paste.
    """
    return "\n".join(_survey_lines(record)) + "\n"


def _survey_lines(record: SurveyRecord) -> Iterator[str]:
    yield f"## {escaped(record.name)}: what nothing protects"
    for line in mutants.summary(record):
        yield from ("", escaped(line.plain))
    yield from _unprotected([row for row in record.rows if row.fate == "unprotected"])
    undecided = [row for row in record.rows if row.fate == "undecided"]
    if undecided:
        yield from ("", "**Undecided**", "")
        yield from (f"- {escaped(f'{row.clause}: {row.words}. {row.reason}')}" for row in undecided)
    if record.rulings:
        yield from folded(
            "Rulings that would notice them, for the file of rulings",
            "\n".join(mutants.rulings_to_paste(record)).lstrip("\n"),
        )


def _unprotected(rows: Sequence[MutantRow]) -> Iterator[str]:
    """Yield as a table the first *rows* for which it is known what players would notice, with their
    plays, folded; then all others, folded.
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
        asked = row.question
        return _edit(row), asked.question, asked.before.in_line(), asked.after.in_line()
    said = f"{row.parting.sentence} {row.parting.otherwise}" if row.parting else ""
    return _edit(row), said, "", ""
