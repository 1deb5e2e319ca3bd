"""Changes since a revision in words: rows that are accepted or not.

In: `SinceReading`s. Out: `ChangesSince`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...checker.rulings.answer import Ruling, RulingStatus
from ...checker.rulings.file import Accepted, acceptance
from ...models.frozen import frozen
from ...models.source import Source
from ...models.words import counted, join_words, settings_words, shortened
from .told import ChangedAnswer, clause_words, tell_question

if TYPE_CHECKING:  # a check that asks for no changes does not wait for what compares
    from ...checker.diff.diff import Difference
    from ...checker.rulings.since import SinceReading

SAME = "is it the same game?"
"""The question that stands for what no search has decided."""
_DIFFERENT, _SCOPE = "no", "as far as the scope goes"


def tell_changes(
    found: Sequence[SinceReading],
    accepted: Sequence[Accepted],
    old: Source,
    revision: str,
    file: str,
    words_of: Callable[[Difference], Iterator[str]],
    line_of: Callable[[SinceReading, Sequence[str]], int],
) -> ChangesSince:
    """Return what was *found* to have changed since *old*, the text at *revision*.

    What is *accepted* stands in *file*; *words_of* says in words what no question tells, *line_of*
    on which line clauses are changed.
    """
    rows: dict[tuple[str, str, str], ChangeRow] = {}
    for one in found:
        for row in _rows(one, accepted, words_of, line_of):
            same = rows.setdefault((row.ask, row.before, row.after), row)
            rows[row.ask, row.before, row.after] = replace(
                same,
                readings=tuple(dict.fromkeys((*same.readings, *row.readings))),
                status=row.status if same.status == "met" else same.status,
            )
    silent = dict.fromkeys(clause for one in found for clause in one.changed.silent)
    return ChangesSince(revision, old.name, file, tuple(rows.values()), tuple(silent))


def undecided(revision: str, was: str, file: str, why: str) -> ChangesSince:
    """Return that it is not known what changed, for *why*."""
    return ChangesSince(revision, was, file, (_unknown((), why),))


def _unknown(readings: tuple[str, ...], why: str) -> ChangeRow:
    return ChangeRow(SAME, "yes", "", readings, (), 0, "undecided", reason=why)


def _rows(
    one: SinceReading,
    accepted: Sequence[Accepted],
    words_of: Callable[[Difference], Iterator[str]],
    line_of: Callable[[SinceReading, Sequence[str]], int],
) -> Iterator[ChangeRow]:
    readings = tuple(filter(None, [settings_words(one.settings)]))

    def row(
        ask: str,
        before: str,
        after: str,
        clauses: tuple[str, ...],
        answer: Ruling | str,
        reason: str = "",
    ) -> ChangeRow:
        by = acceptance(accepted, ask, answer, one.settings)
        status: RulingStatus = "met" if by else "undecided" if reason else "not met"
        made = ChangeRow(
            ask,
            before,
            after,
            readings,
            clauses,
            line_of(one, clauses),
            status,
            reason=reason,
        )
        return replace(made, who=by.who, why=by.why, accepted=by.line) if by else made

    for question, clauses in one.changed.questions:
        told = tell_question(question, clauses)
        before, after = question.before.value, question.after.value
        made = row(question.question, before, after, clauses, question.after)
        yield replace(made, told=told)
    for untold in one.changed.untold:
        for words in words_of(untold):
            yield row(words, "so", _DIFFERENT, (), _DIFFERENT)
    if one.is_cut_short:
        yield _unknown(readings, one.undecided)
    elif reason := one.undecided:
        yield row(SAME, "yes", _SCOPE, (), _SCOPE, reason=reason)


_MOST_LETTERS = 300
_DIGITS, _FEW_DIGITS = 40, 12


@frozen
class ChangeRow:
    """A question (*ask*) whose answer was *before* and is *after*, in *readings*, by the changed
    *clauses*; on *line* of the rules.

    Its *status* is met if the change is accepted, by *who* and for what reason (*why*), on line
    *accepted* of the file of rulings. It is undecided, for a *reason*, if it is not known whether
    anything changed. *told* has both answers with their plays.
    """

    ask: str
    before: str
    after: str
    readings: tuple[str, ...]
    clauses: tuple[str, ...]
    line: int
    status: RulingStatus
    who: str = ""
    why: str = ""
    accepted: int = 0
    reason: str = ""
    told: ChangedAnswer | None = None


@frozen
class ChangesSince:
    """What an edit changed for players since *revision*, where the ruleset was called *was*: empty
    if it is new, or could not be read.

    *file* is where changed answers are accepted. *silent* are changed clauses that alone change no
    answer.
    """

    revision: str
    was: str
    file: str
    rows: tuple[ChangeRow, ...] = ()
    silent: tuple[str, ...] = ()
    note: str = ""

    @property
    def wanting(self) -> tuple[ChangeRow, ...]:
        """The rows that are not accepted, or not decided."""
        return tuple(row for row in self.rows if row.status != "met")

    @property
    def acceptable(self) -> tuple[ChangeRow, ...]:
        """Those of them that somebody can accept: the rows with an answer after the change."""
        return tuple(row for row in self.wanting if row.after)


def change_words(row: ChangeRow) -> str:
    """Return what changed with *row* in a line."""
    if row.reason:
        return f"Not known whether anything changed: {row.reason}"
    by = f" (by {join_words(row.clauses)})" if row.clauses else ""
    where = f" With {join_words(row.readings)}." if row.readings else ""
    return f"{asked(row)} Before: {row.before}. Now: {_now(row)}{by}.{where}"


def asked(row: ChangeRow) -> str:
    """Return the question of *row*, of bearable length."""
    return shortened(row.ask, _MOST_LETTERS)


def _now(row: ChangeRow) -> str:
    clauses = row.told.after.clauses[:1] if row.told else ()
    return f"{row.after}{''.join(f', {clause_words(clause)}' for clause in clauses)}"


def accepted_words(row: ChangeRow, file: str) -> str:
    """Return who has accepted *row*, where and why; or what to write, as a hint."""
    if row.accepted:
        return (
            f"accepted by {shortened(row.who, _MOST_LETTERS)} ({file}:{row.accepted}): "
            f"{shortened(row.why, _MOST_LETTERS)}"
        )
    return f"not accepted in {file}"


def to_accept(rows: Sequence[ChangeRow]) -> str:
    """Return what accepts *rows* in a file of rulings, but for who does so and why."""
    return "\n".join(
        f"[[accepted]]\nask = {toml_text(row.ask)}\nanswer = {toml_text(row.after)}\nwho = "
        '""\nwhy = ""\n'
        for row in rows
    )


def toml_text(text: str) -> str:
    """Return *text* as TOML writes it: as JSON does, but for one character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def since_words(changes: ChangesSince) -> str:
    """Return since when *changes* are told."""
    is_whole = len(changes.revision) == _DIGITS and changes.revision.isalnum()
    return f"since {changes.revision[:_FEW_DIGITS] if is_whole else changes.revision}"


def changed_words(changes: ChangesSince) -> str:
    """Return how many answers changed, and how many of that are accepted, as a sentence without its
    end.
    """
    if changes.note:
        return changes.note
    if not changes.rows:
        return "no answer changed"
    counts = {
        status: sum(row.status == status for row in changes.rows)
        for status in ("met", "not met", "undecided")
    }
    changed = [row for row in changes.rows if not row.reason]
    said = [counted(len(changed), "answer") + " changed"] if changed else []
    names = {"met": "accepted", "not met": "NOT ACCEPTED", "undecided": "undecided"}
    return ", ".join(
        [*said, *(f"{number} {names[status]}" for status, number in counts.items() if number)]
    )
