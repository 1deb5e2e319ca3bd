"""Repair: which single edits of a ruleset make a property hold that does not, and lose no claim that is met.

The edits are those that people make by mistake (`edits`), since what was done by mistake is undone by another of them, and `additions`.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...models.diagnostics import Diagnostic, InputError
from ...models.load import opened
from ..types.budget import INTERRUPTED, BudgetSpentError, Meter
from ..types.finished import need_finished
from .additions import additions_to
from .edits import Edit, edits_of
from .judge import Judge, Judgement
from .request import JudgedReading, JudgeRequest
from .survey import judged


@dataclass(frozen=True)
class Repairs:
    """The edits that mend a property, each with its judgement, those that players notice latest first, of so many that were *tried*.

    *undecided* is of how many it is not known whether they do. *stopped* says why not all were tried.
    """

    mending: tuple[tuple[Edit, Judgement], ...]
    tried: int
    undecided: int
    stopped: str = ""


def repairs(reading: JudgedReading, name: str, meter: Meter) -> Repairs:
    """Return the edits of *reading*'s ruleset that mend the property called *name*; raises `InputError` (C114) if it needs none."""
    program = opened(reading.source)
    need_finished(program)
    judge = Judge(program, dict(reading.settings), reading.players, reading.stack, dict(reading.sizes))
    if judge.is_met(name):
        raise InputError(
            [
                Diagnostic(
                    "C114",
                    f"{name} is met within the scope, so there is nothing to repair",
                    hint="ask for a larger scope, or another property",
                )
            ]
        )
    edits = edits_of(program) + additions_to(program)
    found: dict[int, Judgement] = {}
    stopped = ""
    meter.begin("trying repairs")
    try:
        found.update(judged([JudgeRequest(reading, number, mends=name) for number in range(len(edits))], meter))
    except BudgetSpentError as spent:
        stopped = str(spent)
    except KeyboardInterrupt:
        stopped = INTERRUPTED
    mending = [(edits[number], found[number]) for number in sorted(found) if found[number].fate == "mended"]
    mending.sort(key=lambda one: -one[1].observations)
    return Repairs(tuple(mending), len(found), sum(one.fate == "undecided" for one in found.values()), stopped)
