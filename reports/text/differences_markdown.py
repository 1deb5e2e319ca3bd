"""A difference of rulesets as Markdown, for a pull request."""

from __future__ import annotations

from collections.abc import Iterator

from ...models.words import join_words
from ..telling.differences import DifferenceRecord
from .differences import FATES, summary
from .page import plain
from .ruling import render_ruling

_WIDTH = 100


def render_difference_markdown(record: DifferenceRecord) -> str:
    """Return *record* as Markdown: what is lost first, the plays folded."""
    return "\n".join(_lines(record)) + "\n"


def _lines(record: DifferenceRecord) -> Iterator[str]:
    yield f"## {_cell(record.old.name)} → {_cell(record.new.name)}"
    yield ""
    yield " ".join(line.plain for line in summary(record))
    for fate, (heading, _) in FATES.items():
        rows = record.fated(fate)
        if rows:
            yield from ("", f"**{heading}**", "", "| claim | | old | new | what it says |", "|---|---|---|---|---|")
            for row in rows:
                cited = f" ({join_words(row.cites)})" if row.cites else ""
                reason = f" {row.reason}" if row.reason else ""
                cells = (row.expectation or "(not claimed)", row.name, row.old or "-", row.new or "-", f"{row.title}{cited}{reason}")
                yield f"| {' | '.join(map(_cell, cells))} |"
    for parting in record.partings:
        other = "new" if parting.side == "old" else "old"
        yield from (
            "",
            f"**What the {parting.side} rules allow and the {other} ones do not.** {_cell(parting.sentence)} {_cell(parting.otherwise)}",
        )
        yield from _folded("the play", plain(render_ruling(parting.shown), _WIDTH))
        if not parting.is_told_by_one:
            yield from _folded(f"the same under the {other} rules", plain(render_ruling(parting.beside), _WIDTH))
    for row in record.guarantees:
        if row.play is not None:
            yield from _folded(f"how {row.name} is lost", plain(render_ruling(row.play), _WIDTH))
    if record.changes:
        text = "\n".join(line for change in record.changes for line in (f"@@ {change.what} {change.name}: {change.how}", *change.lines))
        yield from _folded("what changed in the text", text, "diff")
    for note in record.notes:
        yield from ("", f"_{_cell(note)}_")


def _folded(title: str, text: str, kind: str = "text") -> Iterator[str]:
    fence = "`" * max(3, max((len(run) for run in text.split() if set(run) == {"`"}), default=0) + 1)
    yield from ("", f"<details><summary>{_cell(title)}</summary>", "", f"{fence}{kind}", text.rstrip(), fence, "", "</details>")


def _cell(text: str) -> str:
    """Return *text* as it can stand in a line of Markdown, and means nothing to it."""
    for sign in "\\`*_[]<>|":
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())
