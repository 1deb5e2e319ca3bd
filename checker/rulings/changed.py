"""Changed rulings: what an edit changed for players, as questions; which of that is accepted.

Of an edit of several clauses each is put into the old rules alone, too: so that one difference does
not hide another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...models import ir
from ...models.diagnostics import InputError
from ...models.options.cases import other_readings
from ...models.options.configure import configure
from ...models.wellformed import MalformedProgram, check_wellformed
from ..diff.behaviour import OLD_NEW
from ..diff.changed_clauses import as_said, changed_clauses, edited_parts
from ..diff.diff import Difference, scopes_of_both
from ..diff.larger import difference_told, difference_with_room
from ..diff.renaming import need_common, renaming_of
from ..types.budget import INTERRUPTED, BudgetSpentError, Meter
from .answer import Ruling
from .differing import DifferingQuestion, Sides, differing_question
from .file import Accepted

AskedSize = tuple[int | None, int | None, Mapping[str, int]]
"""How many players, how large a stack, and which sizes of zones somebody asks for."""
SAME = "is it the same game?"
"""The question that stands for what no search has decided."""


@dataclass(frozen=True)
class SinceReading:
    """What changed in the reading of *settings*: *found*, as the questions *changed*; or *why_not*,
    where they cannot be compared.
    """

    settings: tuple[tuple[str, str], ...]
    found: Difference | None
    changed: ChangedRulings
    why_not: str = ""

    @property
    def is_cut_short(self) -> bool:
        """Whether the budget was spent before all was known: nobody can accept that."""
        if self.found is None:
            return False
        return bool(self.changed.stopped or (self.found.compared.stopped and not self.found.shown))

    @property
    def undecided(self) -> str:
        """Why it is not known whether anything changed; empty if it is."""
        if self.found is None:
            return self.why_not
        if self.changed.stopped:
            return f"not all questions were looked for: {self.changed.stopped}"
        if self.found.is_same or self.found.shown:
            return ""
        return (
            self.found.compared.stopped
            or f"nothing differs within the scope; not known for every size: {self.found.why_not}"
        )


def readings_since(
    old: ir.Program,
    new: ir.Program,
    said: Mapping[str, str],
    size: AskedSize,
    meter: Meter,
) -> Iterator[SinceReading]:
    """Yield what changed from *old* to *new*, whose options are open, in the reading that is
    *said*, then in others.

    Of these only those are compared in which a part is edited that is so in none before. *size*
    says how many players there are, how large the stack, and the zones. Where the budget of *meter*
    ends no other is looked at.
    """
    seen: set[str] = set()
    for settings in (
        dict(said),
        *({**said, **other} for other in other_readings(configure(new, said), said)),
    ):
        if not _has(old, settings):
            continue
        before, after = configure(old, settings), configure(new, settings)
        parts = set(edited_parts(before, after))
        if parts <= seen:
            continue
        seen |= parts
        reading = tuple((name, value) for name, value in settings.items() if name not in said)
        try:
            check_wellformed(after)
            found = _between(before, after, size, meter)
        except InputError as error:
            yield SinceReading(reading, None, ChangedRulings(), error.diagnostics[0].message)
            continue
        changed = ChangedRulings() if found.is_same else changed_rulings(found, meter)
        yield SinceReading(reading, found, changed)
        if found.compared.stopped or changed.stopped:
            return


def _has(program: ir.Program, settings: Mapping[str, str]) -> bool:
    """Whether *program* has such options with such values."""
    try:
        configure(program, settings)
    except InputError:
        return False
    return True


def _between(old: ir.Program, new: ir.Program, size: AskedSize, meter: Meter) -> Difference:
    renaming = renaming_of(old, new, {})
    need_common(old, new, renaming)
    zones = {
        zone: number
        for zone, number in size[2].items()
        if zone in {one.name for one in (*old.zones, *new.zones)}
    }
    compare = difference_told if any(size) else difference_with_room
    return compare(
        old, new, scopes_of_both(old, new, renaming, size[0], size[1], zones), renaming, meter
    )


def acceptance(
    accepted: Sequence[Accepted],
    question: str,
    answer: Ruling | str,
    reading: Sequence[tuple[str, str]],
) -> Accepted | None:
    """Return which of *accepted* is of this *question*, in this *reading*, and has the new
    *answer*; None if none has.
    """
    for one in accepted:
        if _comparable(one.question) != _comparable(question) or (
            one.reading and sorted(one.reading) != sorted(reading)
        ):
            continue
        if (
            answer.agrees(one.answer)
            if isinstance(answer, Ruling)
            else _comparable(one.answer) == _comparable(answer)
        ):
            return one
    return None


def _comparable(text: str) -> str:
    return " ".join(text.lower().split()).rstrip("?. ")


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
