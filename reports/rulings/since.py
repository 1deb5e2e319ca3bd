"""Since: what was found to have changed since a revision, as rows that are accepted, not accepted
or undecided.

In: `SinceReading`s. Out: `ChangesSince`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ...checker.diff.changed_clauses import line_of_edit
from ...checker.rulings.answer import Ruling, RulingStatus
from ...checker.rulings.differing import DifferingQuestion
from ...checker.rulings.file import Accepted
from ...checker.rulings.since import SAME, SinceReading, acceptance
from ...models.source import Source
from ...models.words import settings_words
from .changes import ChangeRow, ChangesSince
from .told import tell_question

_DIFFERENT, _SCOPE = "no", "as far as the scope goes"


def tell_changes(
    found: Sequence[SinceReading],
    accepted: Sequence[Accepted],
    old: Source,
    revision: str,
    file: str,
    words_of: Callable[[SinceReading], Iterator[str]],
) -> ChangesSince:
    """Return what was *found* to have changed since *old*, the text at *revision*.

    What is *accepted* stands in *file*; *words_of* says in words what no question tells.
    """
    rows: dict[tuple[str, str, str], ChangeRow] = {}
    for one in found:
        for row in _rows(one, accepted, old, words_of):
            same = rows.setdefault((row.ask, row.before, row.after), row)
            rows[row.ask, row.before, row.after] = replace(
                same,
                readings=tuple(dict.fromkeys((*same.readings, *row.readings))),
                status=row.status if same.status == "met" else same.status,
            )
    silent = dict.fromkeys(clause for one in found for clause in one.changed.silent)
    return ChangesSince(revision, old.name, file, tuple(rows.values()), tuple(silent))


def undecided(revision: str, was: str, file: str, why: str) -> ChangesSince:
    """Return that nobody knows what changed, for *why*."""
    return ChangesSince(
        revision, was, file, (ChangeRow(SAME, "yes", "", (), (), 0, "undecided", reason=why),)
    )


def _rows(
    one: SinceReading,
    accepted: Sequence[Accepted],
    old: Source,
    words_of: Callable[[SinceReading], Iterator[str]],
) -> Iterator[ChangeRow]:
    reading = settings_words(one.settings)

    def line_of(clauses: Sequence[str]) -> int:
        return line_of_edit(old, one.found.new, list(clauses)) if one.found is not None else 0

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
            (reading,) if reading else (),
            clauses,
            line_of(clauses),
            status,
            reason=reason,
        )
        return replace(made, who=by.who, why=by.why, accepted=by.line) if by else made

    for question, clauses in one.changed.questions:
        told = tell_question(question, clauses)
        made = row(question.question, *_answers(question), clauses, question.after)
        yield replace(made, told=told)
    if one.changed.untold:
        for words in words_of(one):
            yield row(words, "so", _DIFFERENT, (), _DIFFERENT)
    if one.is_cut_short:
        yield ChangeRow(
            SAME, "yes", "", (reading,) if reading else (), (), 0, "undecided", reason=one.undecided
        )
    elif reason := one.undecided:
        yield row(SAME, "yes", _SCOPE, (), _SCOPE, reason=reason)


def _answers(question: DifferingQuestion) -> tuple[str, str]:
    return question.before.value, question.after.value
