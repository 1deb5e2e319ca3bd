"""Changed rulings: what an edit changes for players, as the questions whose answers change, clause
by clause.

Of an edit of several clauses each is put into the old rules alone, too: so that one difference does
not hide another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...models import ir
from ...models.diagnostics import InputError
from ...models.wellformed import MalformedProgram, check_wellformed
from ..diff.behaviour import OLD_NEW
from ..diff.changed_clauses import as_said, changed_clauses
from ..diff.diff import Difference
from ..diff.larger import difference_told
from ..types.budget import INTERRUPTED, BudgetSpentError, Meter
from .differing import DifferingQuestion, Sides, differing_question

_MOST_ALONE = 12
"""How many clauses of an edit are looked at alone."""
_MOST_NAMED = 4
"""How many clauses are named that change an answer only together."""


@dataclass(frozen=True)
class ChangedRulings:
    """The *questions* whose answers an edit changes, each with the clauses that change it.

    *silent* are changed clauses that alone change nothing that can be asked within the scope;
    *untold* is how many differences no question was found for. *stopped* says why not all was
    looked for, empty if it was.
    """

    questions: tuple[tuple[DifferingQuestion, tuple[str, ...]], ...] = ()
    silent: tuple[str, ...] = ()
    untold: int = 0
    stopped: str = ""


def changed_rulings(found: Difference, meter: Meter) -> ChangedRulings:
    """Return the questions that tell the two rulesets of *found* apart; the plays that show it are
    its.

    What *meter* leaves no time for, or nobody the patience, is left out.
    """
    changed = changed_clauses(found.old, found.new)
    looked = _Looked()
    try:
        with meter.watching():
            looked.whole = question_of(found, changed)
            for clause in changed[:_MOST_ALONE] if len(changed) > 1 and found.shown else ():
                looked.look_alone(found, clause, meter)
    except BudgetSpentError as spent:
        looked.stopped = str(spent)
    except KeyboardInterrupt:
        looked.stopped = INTERRUPTED
    told, whole = looked.told, looked.whole
    if whole is not None and whole.question not in told:
        together = changed if len(changed) <= _MOST_NAMED else []
        told = {whole.question: (whole, together), **told}
    untold = looked.untold + (whole is None and bool(found.shown))
    questions = tuple((one, tuple(by)) for one, by in told.values())
    return ChangedRulings(questions, tuple(looked.silent), untold, looked.stopped)


@dataclass
class _Looked:
    """What was found so far: the question about the *whole* edit, and those about a clause of it
    alone.
    """

    whole: DifferingQuestion | None = None
    told: dict[str, tuple[DifferingQuestion, list[str]]] = field(default_factory=dict)
    silent: list[str] = field(default_factory=list)
    untold: int = 0
    stopped: str = ""

    def look_alone(self, found: Difference, clause: str, meter: Meter) -> None:
        """Look at *clause* alone; raise `BudgetSpentError` if there is no time for all of it."""
        alone = _alone(found, clause, meter)
        if alone is None:
            return
        question = question_of(alone, [clause])
        if question is not None:
            self.told.setdefault(question.question, (question, []))[1].append(clause)
        elif alone.shown:
            self.untold += 1
        elif alone.compared.stopped:
            raise BudgetSpentError(alone.compared.stopped)
        else:
            self.silent.append(clause)


def question_of(found: Difference, changed: Sequence[str]) -> DifferingQuestion | None:
    """Return the shortest question that tells the two of *found* apart, None if none is found;
    *changed* are clauses that differ.
    """
    plays = [
        (program, one.plays[which])
        for one in found.shown
        for program, which in zip((found.old, found.new), OLD_NEW, strict=True)
    ]
    sides = Sides(found.old, found.new, found.scopes)
    return differing_question(sides, plays, changed) if plays else None


def _alone(found: Difference, clause: str, meter: Meter) -> Difference | None:
    """Return what changing *clause* alone does to the old rules; None if that is no ruleset."""
    alone = _with_clause(found.old, found.new, clause)
    if alone is None:
        return None
    try:
        check_wellformed(alone)
        scopes = found.scopes[0], found.scopes[0]
        return difference_told(found.old, alone, scopes, found.renaming, meter)
    except (InputError, KeyError, MalformedProgram):
        return None


def _with_clause(old: ir.Program, new: ir.Program, clause: str) -> ir.Program | None:
    """Return *old* with *clause* as *new* has it: changed, added to its stage, or gone; and what
    that takes from those below it.
    """
    stages = []
    there = {one.id: (stage.name, one) for stage, one in new.clauses}
    is_in = {one.id: stage.name for stage, one in old.clauses}
    if clause in there and there[clause][0] not in {stage.name for stage in old.stages}:
        return None
    if clause in there and is_in.get(clause, there[clause][0]) != there[clause][0]:
        return None
    for stage in old.stages:
        clauses = [
            there[one.id][1] if one.id == clause and clause in there else one
            for one in stage.clauses
        ]
        if clause not in there:
            clauses = [one for one in clauses if one.id != clause]
        elif clause not in is_in and there[clause][0] == stage.name:
            clauses.append(there[clause][1])
        clauses = [there[one.id][1] if _is_below(clause, one, there) else one for one in clauses]
        stages.append(replace(stage, clauses=tuple(clauses)))
    return replace(old, stages=tuple(stages))


def _is_below(clause: str, one: ir.Clause, there: Mapping[str, tuple[str, ir.Clause]]) -> bool:
    """Whether *one* says itself what it says *there*, below *clause* in a block of which the first
    that applies is used.
    """
    if one.id not in there or as_said(there[one.id][1]) != as_said(one):
        return False
    return clause in {above for above, _ in (*one.above, *there[one.id][1].above)}
