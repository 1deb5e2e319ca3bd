"""Apart: what tells an edit from the original, looked for again where nothing protects it, with the
question whose answer it changes; and the few questions that notice as many edits as can be.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TypeAlias

from ...models import ir
from ...models.diagnostics import InputError
from ...models.frozen import frozen
from ...models.options.configure import configure
from ..diff.changes import changed_clauses
from ..diff.diff import Difference, difference, scopes_of_both
from ..diff.same import NameMap
from ..rulings.ask import ask
from ..rulings.differing import DifferingQuestion, question_of
from ..types.budget import INTERRUPTED, BudgetSpentError, Meter
from .edits.edits import Edit
from .judge import JudgedReading
from .survey import Judged, Survey, covering


@frozen
class ToldApart:
    """The *difference* that an edit makes, as far as there was time, and the shortest *question*
    whose answer it changes; None if no form of question tells it, or there was no time.
    """

    difference: Difference
    question: DifferingQuestion | None


def told_apart(survey: Survey, meter: Meter) -> Mapping[int, ToldApart]:
    """Return, by number, what tells each edit that nothing protects from the original; *survey*
    says that it was stopped if Ctrl-C hurries this.
    """
    found = {}
    for one in survey.fated("unprotected"):
        try:
            found[one.number] = _told_apart(survey.program, one, meter)
        except KeyboardInterrupt:
            survey.stopped = INTERRUPTED
            meter.hurry()
            found[one.number] = _told_apart(survey.program, one, meter)
    survey.unsuggested = survey.unsuggested or ("" if survey.stopped else meter.why_over)
    return found


@frozen
class KeptQuestion:
    """A *question* to ask in *reading*, whose answer *edits* edits change that no question before
    it notices.
    """

    question: DifferingQuestion
    reading: JudgedReading
    edits: int


def questions_to_keep(
    survey: Survey, apart: Mapping[int, ToldApart], meter: Meter
) -> tuple[KeptQuestion, ...]:
    """Return questions that notice as many edits as those of all of *apart*: those first that
    notice most.

    Each is asked of each edit of its reading, as far as *meter* leaves time.
    """
    asked: dict[_Asked, DifferingQuestion] = {}
    noticed: dict[_Asked, set[int]] = {}
    told = [(one, apart[one.number]) for one in survey.judged if one.number in apart]
    for one, its in told:
        if its.question is not None:
            key = one.telling, its.question.question
            asked.setdefault(key, its.question)
            noticed.setdefault(key, set()).add(one.number)
    with meter.watching(), suppress(BudgetSpentError, KeyboardInterrupt):
        for one, its in told[: _MOST_ASKED // max(len(asked), 1)]:
            for key, question in asked.items():
                if key[0] == one.telling and _notices(question, its.difference.new):
                    noticed[key].add(one.number)
    return tuple(KeptQuestion(asked[key], key[0], edits) for key, edits in covering(noticed))


_Asked: TypeAlias = tuple[JudgedReading, str]
_MOST_ASKED = 5_000
"""How many times questions are asked of edits whose own they are not."""


def _notices(question: DifferingQuestion, edited: ir.Program) -> bool:
    """Return whether *edited* answers *question* otherwise, or not at all."""
    try:
        answer = ask(edited, question.question, question.before.scope).value
    except InputError:
        return True
    return answer != question.before.value


def _told_apart(program: ir.Program, one: Judged, meter: Meter) -> ToldApart:
    its = difference_of(program, one.edit, one.telling, meter)
    question = None
    with meter.watching(), suppress(BudgetSpentError):
        question = question_of(its, changed_clauses(its.old, its.new))
    return ToldApart(its, question)


def difference_of(
    program: ir.Program, edit: Edit, reading: JudgedReading, meter: Meter
) -> Difference:
    """Return the shortest play that tells *program* and its *edit* apart, as far as there is
    time.
    """
    old, new = (configure(one, dict(reading.settings)) for one in (program, edit.program))
    scopes = scopes_of_both(
        old, new, NameMap(), reading.players, reading.stack, dict(reading.sizes)
    )
    return difference(old, new, scopes, NameMap(), meter, wanted=1)
