"""A difference of rulesets as Markdown, for a pull request."""

from __future__ import annotations

from collections.abc import Iterator

from ...models.words import join_words
from ..edits.differences import FATES, summary
from ..rulings.text import answer_words
from ..telling.differences import DifferenceRecord, GuaranteeRow
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
        (one.question, answer_words(one.before), answer_words(one.after), join_words(one.clauses))
        for one in answers
    ]
    yield from table(("question", "before", "now", "by"), rows)


def _guarantee(row: GuaranteeRow) -> tuple[str, ...]:
    cited = f" ({join_words(row.cites)})" if row.cites else ""
    reason = f" {row.reason}" if row.reason else ""
    said = f"{row.title}{cited}{reason}"
    return row.expectation or "(not claimed)", row.name, row.old or "-", row.new or "-", said
