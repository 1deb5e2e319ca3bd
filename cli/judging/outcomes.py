"""Outcomes: what a claim or a ruling came to, in the few words that stand beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...checker.rulings.file import read_rulings
from ...models.diagnostics import InputError
from ...models.source import Source
from ...models.words import counted, settings_words
from ...reports.rulings.filed import RulingRow
from ...reports.telling.record import Row


def claim_words(row: Row) -> str:
    """Return what a claim came to, in a few words: the verdict, what it rests on, and whether it is
    as claimed.
    """
    why = f": {row.reason}" if row.reason else ""
    match row.outcome:
        case "PROVED" | "IMPOSSIBLE" if row.proof is not None:
            said = f"{row.outcome} for {row.proof.every}"
        case "HOLDS" | "IMPOSSIBLE":
            said = f"{row.outcome} within the scope"
        case "VIOLATED" | "POSSIBLE" if row.play is not None:
            said = f"{row.outcome} in {counted(row.play.moments[-1].number, 'move')}"
        case _:
            said = f"{row.outcome}{why}"
    head = {"not met": "NOT MET: ", "too small": "too small a scope: "}.get(row.status, "")
    return f"{head}{said}{', as the author says' if row.as_said else ''}"


def ruling_words(row: RulingRow) -> str:
    """Return what a ruling came to: whether the rules say the same, and else what they say."""
    match row.status:
        case "met":
            return "the rules say the same"
        case "not met":
            return f"NOT MET: the rules say {row.found}"
        case _:
            return f"undecided: {row.found}"


def filed_rows(source: Source, rows: Sequence[RulingRow]) -> Iterator[tuple[int, RulingRow | None]]:
    """Yield the line of each ruling that *source* has, and that of *rows* which tells what it came
    to, if any does; nothing if it cannot be read.
    """
    known = {(row.ask, row.reading, row.players): row for row in rows}
    try:
        filed = read_rulings(source)
    except InputError:
        return
    for one in filed:
        asked = " ".join(one.question.split())
        yield one.line, known.get((asked, settings_words(one.reading), one.players))
