"""Apart: what tells an edit from the original, looked for again where nothing protects it, with the
question whose answer it changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from ...models import ir
from ...models.options.configure import configure
from ..diff.changed_clauses import changed_clauses
from ..diff.diff import Difference, difference, scopes_of_both
from ..diff.renaming import NameMap
from ..rulings.changed import question_of
from ..rulings.differing import DifferingQuestion
from ..types.budget import INTERRUPTED, BudgetSpentError, Meter
from .edits.edits import Edit
from .judge import JudgedReading
from .survey import Judged, Survey


@dataclass(frozen=True)
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
            found[one.number] = _told(survey.program, one, meter)
        except KeyboardInterrupt:
            survey.stopped = INTERRUPTED
            meter.hurry()
            found[one.number] = _told(survey.program, one, meter)
    survey.unsuggested = survey.unsuggested or ("" if survey.stopped else meter.why_over)
    return found


def _told(program: ir.Program, one: Judged, meter: Meter) -> ToldApart:
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
