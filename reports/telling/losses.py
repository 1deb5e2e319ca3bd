"""Losses: what is not as claimed, in a line, where it breaks, and which claims one and the same
play breaks.

In: `Record`. Out: words and places for reports that others show: SARIF, annotations, Markdown,
JUnit.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Literal

from ...checker.types.verdict import Outcome
from ...models.frozen import frozen
from ...models.words import clean_line, counted, join_words
from ..plays.play import Moment, Play
from .record import Record, Row, evidence

Level = Literal["error", "warning", "note"]
LEVELS: dict[str, Level] = {"not met": "error", "undecided": "warning", "too small": "note"}
"""How grave a row is that is not as claimed, by its status."""
_MOST_PARTS = 3
_MOST_LETTERS = 120


@frozen
class Cause:
    """Why *rows* of one ruleset are not as claimed: one and the same play breaks them, or they have
    the same reason.

    *line* is that of the edit that lets the play through, else where it breaks (`line_of`).
    """

    rows: tuple[Row, ...]
    line: int

    @property
    def play(self) -> Play | None:
        """The play that breaks them, if there is one."""
        return self.rows[0].play

    @property
    def level(self) -> Level:
        """How grave it is."""
        return LEVELS[self.rows[0].status]


def wanting(record: Record) -> tuple[Row, ...]:
    """Return the rows of *record* that are not met or not decided, in their order."""
    return tuple(row for row in record.rows if row.status in LEVELS)


def causes_of(record: Record) -> tuple[Cause, ...]:
    """Return the causes why rows of *record* are not as claimed, each once, the gravest first."""
    alike: dict[Hashable, list[Row]] = {}
    for row in sorted(wanting(record), key=lambda row: list(LEVELS).index(row.status)):
        alike.setdefault(_cause(row), []).append(row)
    return tuple(Cause(tuple(rows), line_of(rows[0])) for rows in alike.values())


def _cause(row: Row) -> Hashable:
    """Return what is the same for two rows just if they have the same cause."""
    if row.play is not None:
        return row.status, row.play.course
    return (
        (row.status, row.reason)
        if row.status != "not met" and row.reason
        else (row.name, row.line, row.condition)
    )


def line_of(row: Row) -> int:
    """Return the line of *row*: of the edit that lets its play through, else where it breaks.

    That is the line of the last move's clause; without one, of its claim; 0 if it has neither.
    """
    return row.edited or breaks_in(row) or row.line


def breaks_in(row: Row) -> int:
    """Return the line of the clause of the last move of the play of *row*, 0 if it has none."""
    return row.play.moments[-1].line if row.play else 0


def title_of(rows: Sequence[Row]) -> str:
    """Return the names of *rows* and what became of them, if it is the same for all: ``own_window
    and lifo lost``.
    """
    became = {_became(row) for row in rows}
    return " ".join([row_names(rows), *(became if len(became) == 1 else ())])


def loss_words(row: Row) -> str:
    """Return what has become of *row* and how: ``own_window lost: A's spell resolves, A had no
    window (3 moves, 1 decision; 1, 3)``.
    """
    said = (
        [_how(row.play)]
        if row.play
        else [part for part in (row.reason, ", ".join(evidence(row))) if part]
    )
    rests = f" ({_length(row.play)})" if row.play else ""
    why = "; ".join(filter(None, said))
    return clean_line(" ".join(f"{title_of([row])}{why and ': '}{why}{rests}".split()))


def _became(row: Row) -> str:
    if row.status in ("undecided", "too small"):
        return row.status
    match row.outcome:
        case Outcome.VIOLATED | Outcome.IMPOSSIBLE:
            return "lost" if row.expectation else f"is {row.outcome}"
        case Outcome.VACUOUS:
            return "is empty"
        case Outcome.POSSIBLE:
            return "is possible"
        case _:
            return "holds, against the claim" if row.expectation else f"is {row.outcome}"


def _how(play: Play) -> str:
    """Return what happens at the end of *play*, and what is amiss in it."""
    if play.again_from is not None:
        return play.conclusion.removeprefix("From here ").removesuffix(".")
    now = [finding.text for finding in play.findings if finding.holds and finding.moment is None]
    if play.denials:
        return ", ".join(
            [
                *now[:1],
                *(
                    f"{player} had no window"
                    for player in dict.fromkeys(d.player for d in play.denials)
                ),
            ]
        )
    said = [
        f.text if f.moment is None else f"{f.text} (at move {f.moment})"
        for f in play.findings
        if f.holds
    ]
    said += [f"not so: {finding.text}" for finding in play.findings if not finding.holds]
    more = len(said) - _MOST_PARTS
    parts = [
        part if len(part) <= _MOST_LETTERS else f"{part[:_MOST_LETTERS].rstrip()}…"
        for part in said[:_MOST_PARTS]
    ]
    return "; ".join(
        [*parts, f"and {more} more"] if more > 0 else parts
    ) or play.conclusion.removesuffix(".")


def _length(play: Play) -> str:
    """Return how long *play* is, and by which clauses somebody decides something in it, and it
    ends.
    """
    decisions = [moment for moment in play.moments if moment.mode == "may"]
    clauses = dict.fromkeys(
        moment.clause for moment in [*decisions, play.moments[-1]] if moment.clause
    )
    counts = [counted(play.moments[-1].number, "move"), counted(len(decisions), "decision")]
    return "; ".join(filter(None, (", ".join(counts[: 2 if decisions else 1]), ", ".join(clauses))))


def move_words(moment: Moment) -> str:
    """Return the move to *moment* in a line: whose it is, by which clause, what is chosen and what
    happens.
    """
    events = " ".join((*moment.choices, *moment.events))
    return clean_line(" ".join(f"{moment.mover}: {moment.clause} {moment.title}. {events}".split()))


def row_names(rows: Sequence[Row]) -> str:
    """Return the names of *rows*, as words."""
    return join_words(list(dict.fromkeys(row.name for row in rows)))
