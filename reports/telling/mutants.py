"""Mutants and repairs: the record of a survey and of a search, as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...checker.diff.diff import Difference
from ...checker.mutate.apart import KeptQuestion, ToldApart
from ...checker.mutate.judge import JudgedReading
from ...checker.mutate.repair import Repairs
from ...checker.mutate.survey import Judged, Survey
from ...models import ir
from ...models.frozen import frozen
from ...models.options.configure import configure
from ...models.words import settings_words
from ...properties.load import claims_of
from ..rulings.told import AnswerTold, ChangedAnswer, tell_question
from .differences import Parting, parting_of


@frozen
class EditWords:
    """An edit of a *clause* in that *line*, of what *kind*, in *words*."""

    clause: str
    line: int
    kind: str
    words: str


@frozen
class RepairRow:
    """One edit that mends the property, or two that do so together: the *clause* and *line* of
    each, what it does in *words*.

    Players see a difference after *observations* observations.
    """

    edits: tuple[EditWords, ...]
    observations: int
    parting: Parting | None


@frozen
class RepairRecord:
    """The edits that mend *property* of a ruleset, those first that players notice latest; *more*
    are not told.

    *tried*, *pairs* and *undecided* are numbers: of the edits tried, of the pairs tried, and of the
    edits that are undecided. *stopped* says why not all were tried; it is empty if they were.
    """

    name: str
    file: str
    property: str
    rows: tuple[RepairRow, ...]
    more: int
    tried: int
    pairs: int
    undecided: int
    stopped: str


def make_repair_record(
    found: Repairs, program: ir.Program, name: str, apart: Sequence[Difference]
) -> RepairRecord:
    """Return the record of the first of the repairs *found* of the property called *name*: as many
    as are told *apart* from *program*.
    """
    rows = tuple(
        RepairRow(
            tuple(
                EditWords(edit.clause, _line_of(program, edit.clause), edit.kind, edit.words)
                for edit in one.edits
            ),
            one.judgement.observations,
            parting_in(its),
        )
        for one, its in zip(found.mending, apart, strict=False)
    )
    more = len(found.mending) - len(rows)
    return RepairRecord(
        program.name,
        program.source.name,
        name,
        rows,
        more,
        found.tried,
        found.pairs,
        found.undecided,
        found.stopped,
    )


def _line_of(program: ir.Program, name: str) -> int:
    """Return the line of the clause, or of the stage, called *name*; 0 if there is none."""
    lines = {clause.id: clause.span.line for _, clause in program.clauses}
    lines |= {stage.name: stage.span.line for stage in program.stages}
    return lines.get(name, 0)


@frozen
class MutantRow:
    """One edit: of which *clause* in which *line*, of what *kind*, in *words*; its *fate*, the
    claims that notice it, the reading where.

    Of those that nothing protects *parting* is what tells it from the original, and *question* the
    one whose answer it changes; *reason* is why it is undecided.
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
    parting: Parting | None
    question: ChangedAnswer | None


@frozen
class RulingToPaste:
    """A ruling that would notice *edits* edits that nothing protects: the *answer* of the rules
    as they are, without a source.
    """

    question: str
    answer: str
    reading: str
    edits: int


@frozen
class SurveyRecord:
    """What became of all edits of a ruleset: *rows* in the order of the text, and the *share*
    noticed of those that change the game.

    Where every claim was asked, *enough* are those that together notice as much as all, *idle*
    those that no edit breaks, *open* those that are undecided of some edit and that no other
    breaks, *unasked* those that the rules are not known to meet. *bare* are the clauses with edits
    that change the game of which none is noticed. *readings* were looked at. *rulings* would notice
    what nothing protects; *unsuggested* says why not all such were looked for.
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
    unsuggested: str
    rulings: tuple[RulingToPaste, ...]

    def count(self, fate: str) -> int:
        """Return how many edits had this *fate*."""
        return sum(row.fate == fate for row in self.rows)

    @property
    def strange(self) -> tuple[MutantRow, ...]:
        """The edits that a claim notices although no player could."""
        return tuple(row for row in self.rows if row.fate == "noticed" and row.reason)


def make_survey_record(
    survey: Survey,
    apart: Mapping[int, ToldApart],
    kept: Sequence[KeptQuestion] = (),
    *,
    every_claim: bool,
) -> SurveyRecord:
    """Return the record of *survey*; *apart* is what tells each unprotected edit from the original,
    and questions *kept* would notice them.
    """
    rows = tuple(
        _row(survey, one, apart.get(one.number)) for one in survey.judged if one.fate != "absent"
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
        survey.unsuggested,
        tuple(map(_ruling, kept)),
    )


def _ruling(one: KeptQuestion) -> RulingToPaste:
    told = tell_question(one.question)
    return RulingToPaste(
        told.question, _kept_answer(told.before), _reading_words(one.reading), one.edits
    )


def _kept_answer(answer: AnswerTold) -> str:
    """Return *answer* as a file of rulings keeps it: what is caused only then is a part of it."""
    is_of_cards = answer.question.startswith("what may the cards cause")
    then = f"; {answer.detail}" if is_of_cards and answer.detail else ""
    return "; ".join(answer.listed) or f"{answer.head}{then}"


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


def _row(survey: Survey, one: Judged, apart: ToldApart | None) -> MutantRow:
    reading = one.telling
    judgement = one.judgements[reading]
    strange = "nobody at the table can tell the difference" if one.is_strange else ""
    return MutantRow(
        one.edit.clause,
        _line_of(survey.program, one.edit.clause),
        one.edit.kind,
        one.edit.words,
        one.fate,
        one.noticed_by,
        judgement.noticed[0].moves if judgement.noticed else 0,
        _reading_words(reading),
        judgement.reason or strange,
        None if apart is None else parting_in(apart.difference),
        None if apart is None or apart.question is None else tell_question(apart.question),
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
