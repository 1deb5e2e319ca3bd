"""The record of a survey of mutants: what claims protect, as plain data. Every renderer's only
input.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from ...checker.diff.diff import Difference
from ...checker.mutate.apart import ToldApart
from ...checker.mutate.judge import JudgedReading
from ...checker.mutate.survey import Judged, SuggestedClaim, Survey
from ...models import ir
from ...models.options.configure import configure
from ...models.words import settings_words
from ...properties.load import claims_of
from ..rulings.told import AnswerTold, ChangedAnswer, tell_question
from .differences import Parting, parting_of


@dataclass(frozen=True)
class MutantRow:
    """One edit: of which *clause* in which *line*, of what *kind*, in *words*; its *fate*, the
    claims that notice it, the reading where.

    Of those that nothing protects *parting* is what tells it from the original, *question* the one
    whose answer it changes, and *suggested* the name of a claim that would notice it; *reason* is
    why it is undecided.
    """

    clause: str
    line: int
    kind: str
    words: str
    fate: str
    noticed_by: tuple[str, ...]
    moves: int
    reading: str
    reason: str
    parting: Parting | None = None
    suggested: str = ""
    question: ChangedAnswer | None = None


@dataclass(frozen=True)
class RulingToPaste:
    """A ruling that would notice so many *edits* that nothing protects: the *answer* of the rules
    as they are, without a source.
    """

    question: str
    answer: str
    reading: str
    edits: int


@dataclass(frozen=True)
class SuggestedRow:
    """A claim to paste: its *name*, what is expected, its *formula* and the *condition* on options
    under which it is made.

    It notices so many *edits* that nothing protects; *also* is another scope in which it notices
    one of them, empty if none was found.
    """

    name: str
    expectation: str
    formula: str
    condition: str
    edits: int
    also: str


@dataclass(frozen=True)
class SurveyRecord:
    """What became of all edits of a ruleset: *rows* in the order of the text, and the *share*
    noticed of those that change the game.

    Where every claim was asked, *enough* are those that together notice as much as all, *idle*
    those that no edit breaks, *open* those that are undecided of some edit and that no other
    breaks, *unasked* those that the rules are not known to meet. *bare* are the clauses with edits
    that change the game of which none is noticed. *readings* were looked at. *suggested* are claims
    that would notice some of what nothing protects; *unsuggested* says why not all such were looked
    for.
    """

    name: str
    title: str
    file: str
    readings: tuple[str, ...]
    rows: tuple[MutantRow, ...]
    share: float | None
    idle: tuple[str, ...]
    open: tuple[str, ...]
    unasked: tuple[str, ...]
    enough: tuple[str, ...]
    bare: tuple[str, ...]
    is_of_every_claim: bool
    stopped: str
    suggested: tuple[SuggestedRow, ...] = ()
    unsuggested: str = ""
    rulings: tuple[RulingToPaste, ...] = ()

    def count(self, fate: str) -> int:
        """Return how many edits had this *fate*."""
        return sum(row.fate == fate for row in self.rows)

    @property
    def strange(self) -> tuple[MutantRow, ...]:
        """The edits that a claim notices although no player could."""
        return tuple(row for row in self.rows if row.fate == "noticed" and row.reason)


def make_survey_record(
    survey: Survey, apart: Mapping[int, ToldApart], *, every_claim: bool
) -> SurveyRecord:
    """Return the record of *survey*; *apart* is what tells each unprotected edit from the
    original.
    """
    names = _claim_names(survey)
    rows = tuple(
        _row(survey, one, names, apart.get(one.number))
        for one in survey.judged
        if one.fate != "absent"
    )
    unbroken = survey.unbroken_claims()
    asked = {*unbroken, *(name for one in survey.judged for name in one.noticed_by)}
    named = list(
        dict.fromkeys(
            name for reading in survey.readings for name in _claims(survey.program, reading)
        )
    )
    return SurveyRecord(
        survey.program.name,
        survey.program.title,
        survey.program.source.name,
        tuple(_reading_words(reading) for reading in survey.readings),
        rows,
        survey.share,
        tuple(name for name in named if unbroken.get(name) is True),
        tuple(name for name in named if unbroken.get(name) is False),
        tuple(name for name in named if name not in asked) if every_claim and asked else (),
        tuple(survey.smallest_claims()) if every_claim else (),
        _bare(rows),
        every_claim,
        survey.stopped,
        tuple(
            SuggestedRow(
                name,
                one.expectation,
                one.formula,
                _claim_condition(survey.program, one),
                len(one.numbers),
                one.also,
            )
            for name, one in zip(names, survey.suggested, strict=True)
        ),
        survey.unsuggested,
        _rulings(rows),
    )


def _rulings(rows: Sequence[MutantRow]) -> tuple[RulingToPaste, ...]:
    """Return the rulings that would notice what nothing protects, those that notice most first."""
    asked = Counter(
        (
            row.question.question,
            _kept(row.question.before),
            row.reading,
        )
        for row in rows
        if row.question is not None
    )
    return tuple(RulingToPaste(*told, edits) for told, edits in asked.most_common())


def _kept(answer: AnswerTold) -> str:
    """Return *answer* as a file of rulings keeps it: what is caused only then is a part of it."""
    is_of_cards = answer.question.startswith("what may the cards cause")
    then = f"; {answer.detail}" if is_of_cards and answer.detail else ""
    return "; ".join(answer.listed) or f"{answer.head}{then}"


def _claim_names(survey: Survey) -> list[str]:
    """Return a name for each claim that is suggested: of the clause, and one that no claim has."""
    taken = {claim.name for claim in survey.program.claims}
    names: list[str] = []
    for one in survey.suggested:
        names.append(
            next(
                name
                for number in count(1)
                if (name := f"{one.clause}/kept{number if number > 1 else ''}") not in taken
            )
        )
        taken.add(names[-1])
    return names


def _claim_condition(program: ir.Program, claim: SuggestedClaim) -> str:
    """Return the condition on options under which *claim* is made, as a ruleset writes it."""
    settings = dict(claim.reading.settings)
    values = dict(configure(program, settings).settings)
    return " and ".join(f"{name} is {values[name]}" for name in [*settings, *claim.options])


def _claims(program: ir.Program, reading: JudgedReading) -> list[str]:
    return [typed.claim.name for typed in claims_of(configure(program, dict(reading.settings)))]


def _bare(rows: tuple[MutantRow, ...]) -> tuple[str, ...]:
    """Return the clauses that can be edited so that the game changes, and of which no edit is
    noticed.
    """
    noticed = {row.clause for row in rows if row.fate == "noticed"}
    return tuple(
        dict.fromkeys(
            row.clause for row in rows if row.fate == "unprotected" and row.clause not in noticed
        )
    )


def _reading_words(reading: JudgedReading) -> str:
    return settings_words(reading.settings) or "default"


def _row(survey: Survey, one: Judged, names: Sequence[str], apart: ToldApart | None) -> MutantRow:
    reading = one.telling
    judgement = one.judgements[reading]
    lines = {clause.id: clause.span.line for _, clause in survey.program.clauses}
    lines |= {stage.name: stage.span.line for stage in survey.program.stages}
    strange = "nobody at the table can tell the difference" if one.is_strange else ""
    return MutantRow(
        one.edit.clause,
        lines.get(one.edit.clause, 0),
        one.edit.kind,
        one.edit.words,
        one.fate,
        one.noticed_by,
        judgement.noticed[0].moves if judgement.noticed else 0,
        _reading_words(reading),
        judgement.reason or strange,
        None if apart is None else parting_in(apart.difference),
        next(
            (
                name
                for name, claim in zip(names, survey.suggested, strict=True)
                if _is_noticed(one, claim)
            ),
            "",
        ),
        None if apart is None or apart.question is None else tell_question(apart.question),
    )


def _is_noticed(one: Judged, claim: SuggestedClaim) -> bool:
    return (
        one.number in claim.numbers and one.fate == "unprotected" and one.telling == claim.reading
    )


def parting_in(found: Difference) -> Parting | None:
    """Return the shortest play of *found*, None if there is none."""
    # What the edit lets happen tells more than what it takes away.
    shown = next(
        (one for one in found.shown if one.separation.side == "new"),
        found.shown[0] if found.shown else None,
    )
    return (
        parting_of(found, shown, {"old": "your rules", "new": "the edited rules"})
        if shown is not None
        else None
    )
