"""The record of a run: everything that is told of it, and on what it rests, as plain data.

In: verdicts with what was asked and claimed. Out: `Record`, whose rows say of each property what
was expected, what was found, whether the two agree, and the play that shows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal, assert_never

from ...checker.prover.prover import ELSEWHERE, NOT_TRIED, OPEN, TOO_LONG, UNTRIED
from ...checker.run.cuts import for_claim
from ...checker.types.budget import INTERRUPTED
from ...checker.types.position import StrategyTable
from ...checker.types.scope import Scope
from ...checker.types.verdict import MET, UNDECIDED, Counts, Outcome, Proved, Smallest, Verdict
from ...models import ir
from ...models.diagnostics import Diagnostic
from ...models.frozen import frozen
from ...models.ir import Program
from ...models.ir.parts import statements
from ...models.source import Files
from ...models.syntax import NamedSizes
from ...models.words import counted
from ...properties import formula as f
from ...properties.binding.future import leaves_out_ends
from ...properties.formula import formulas
from ...properties.load import is_of_catalogue
from ...properties.wording import expression_words
from ..plays.branches import BranchesTaken
from ..plays.explain import explain
from ..plays.play import Play
from ..rulings.changes import ChangesSince
from ..rulings.filed import RulingRow
from .roots import Root, roots_of

_EXHAUSTIVE = ("reference", "explicit")
"""The engines whose verdicts rest on the positions they counted."""


def is_exhaustive(row: Row) -> bool:
    """Return whether the verdict of *row* rests on positions that were counted."""
    return row.engine in _EXHAUSTIVE and row.proof is None


def searched(rows: Sequence[Row]) -> tuple[str, ...]:
    """Return how much was searched, if it is the same for every verdict that rests on a search;
    otherwise nothing.
    """
    found = {row.counts for row in rows if is_exhaustive(row)}
    if len(found) != 1 or not all(is_exhaustive(row) or row.proof for row in rows):
        return ()
    return _counted(Outcome.HOLDS, found.pop(), None)


def evidence(row: Row) -> tuple[str, ...]:
    """Return in words how much the verdict of *row* rests on; that the scope cut moves always comes
    last.
    """
    if row.proof:
        return (row.proof.every,)
    room = (f"with {', '.join(f'{name} {size}' for name, size in row.room)}",) if row.room else ()
    return (*room, *_counted(row.outcome, row.counts, row.bound))


def _counted(outcome: Outcome, counts: Counts, bound: int | None) -> tuple[str, ...]:
    positions, moves = counted(counts.positions, "position"), counted(counts.moves, "move")
    match outcome:
        case Outcome.PROVED:
            return ()
        case Outcome.BOUNDED:
            rests = [f"every play of up to {counted(bound or 0, 'move')}", positions]
        case Outcome.HOLDS | Outcome.IMPOSSIBLE | Outcome.VACUOUS:
            rests = [positions, moves, counted(counts.layers, "layer")]
        case Outcome.VIOLATED | Outcome.POSSIBLE | Outcome.UNKNOWN:
            rests = [positions, moves]
        case _:
            assert_never(outcome)
    if counts.cut:
        rests.append(f"the scope cut {counted(counts.cut, 'move')}")
    return tuple(rests)


def left_out(row: Row) -> str:
    """Return as a sentence what was left out of the positions behind *row*'s verdict; empty if
    nothing was.
    """
    seats = "Positions that differ only by a turn of the table count as one."
    parts = [f"Ignored as irrelevant: {'; '.join(row.sliced)}."] if row.sliced else []
    return " ".join([*parts, seats] if row.symmetric else parts)


@frozen
class ScopeHeading:
    """A game, by its *name* on the command line, and the *scope* it was explored within, in words;
    *cut* is how many moves that cuts.
    """

    name: str
    title: str
    players: int
    sizes: NamedSizes
    scope: str
    positions: int
    moves: int
    cut: int

    @property
    def words(self) -> str:
        """The heading as one line."""
        return (
            f"{self.name}  {self.title}, {self.scope}: {counted(self.positions, 'position')}, "
            f"{counted(self.moves, 'move')}"
        )


def make_heading(program: Program, name: str, scope: Scope, counts: Counts) -> ScopeHeading:
    """Return the heading of what was found of *program*, which is called *name*."""
    return ScopeHeading(
        name, program.title, scope.players, scope.sizes, str(scope), counts.positions, counts.moves,
        counts.cut
    )  # fmt: skip


Status = Literal["met", "not met", "undecided", "too small", "answered", "none"]
"""Whether a claim is met. ``too small`` means that less room was asked for than it needs.
``answered`` means that somebody asked by name for what the catalogue asks to be possible. ``none``
is the status of what is neither claimed nor named.
"""

STILL = "still being tried"
"""Of what a proof is looked for while this is told."""
WITH_PROVE = "--prove tries it"
"""Why no proof has been looked for, where only this option is missing."""
_WANTING = (Outcome.VIOLATED, Outcome.IMPOSSIBLE, Outcome.VACUOUS)
"""What is no good answer to what an author asks for and no claim speaks of."""


@frozen
class Answer:
    """One question of a run: its *verdict*, the *claim* it decides if any, and whether it was
    *asked* for by name.
    """

    verdict: Verdict
    claim: ir.Claim | None = None
    asked: bool = False


@frozen
class ProofRecord(Proved):
    """What a row's proof comes with; *every* says in words for which sizes it is.

    *file* is where its certificate was written, empty if nowhere.
    """

    every: str = ""
    file: str = ""


@frozen
class Row:
    """A property, what the ruleset expects of it, and the verdict.

    *expectation* is the claim's word, or empty. *line* is the claim's line in the text of the
    ruleset, 0 if there is no claim. *cites* are the statements of the document that the claim
    stands for. *has_play* says that there is a play; it is told in *play* if somebody may read it.
    *notes*, *sliced*, *symmetric*, *unproved*, *is_shortest*, *least* and *does_with* are those of
    the `Verdict`; *assuming* names who is assumed to act only finitely often, *given* are the
    formulas that are assumed, and plays that end are left out by them if it is *without_ends*.
    *room* are the sizes of its own scope that are larger than those of the record, since it needs
    them. *smallest* is the smallest scope with such a play as *play* is. *title* is the author's
    where the claim has one; then *says* is what the property itself says. It *enforces* something
    if it asks what players can enforce: then *play* is one of theirs, or one against them, and
    *table* how they do it. *asks_gap* if it asks whether any clause applies. *edited* is the line
    of the edit that lets its play through, where the ruleset is held against an earlier one; else
    0. A claim may stand below a *heading*.
    """

    name: str
    title: str
    why: str
    formula: str
    about: str
    expectation: str
    condition: str
    cites: tuple[str, ...]
    line: int
    asked: bool
    status: Status
    outcome: Outcome
    reason: str
    bound: int | None
    engine: str
    counts: Counts
    play: Play | None
    has_play: bool = False
    notes: tuple[str, ...] = ()
    sliced: tuple[str, ...] = ()
    symmetric: bool = False
    assuming: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    without_ends: bool = False
    proof: ProofRecord | None = None
    unproved: str = ""
    is_shortest: bool = True
    smallest: Smallest | None = None
    least: int = 0
    does_with: str = ""
    room: NamedSizes = ()
    says: str = ""
    enforces: bool = False
    table: StrategyTable | None = None
    asks_gap: bool = False
    edited: int = 0
    heading: str = ""

    @property
    def as_said(self) -> str:
        """What stands in place of a verdict that breaks as the author says; empty for others."""
        is_expected = self.status == "met" and self.outcome is Outcome.VIOLATED
        return "fails, as the author says" if is_expected else ""

    @property
    def has_to_be_told(self) -> bool:
        """Whether the play, or why there is none, has to be told: a claim is not met, or somebody
        asked by name.
        """
        return self.asked or self.status == "not met"

    @property
    def untried(self) -> str:
        """Why no proof was looked for, or not to the end, as a clause; empty if one was."""
        if self.unproved in (NOT_TRIED, TOO_LONG, ELSEWHERE):
            return WITH_PROVE
        if self.unproved == OPEN:
            return STILL
        return (
            self.unproved.removeprefix(UNTRIED)
            if self.unproved.startswith((UNTRIED, INTERRUPTED))
            else ""
        )


@frozen
class Failed:
    """A ruleset that could not be used, and why."""

    target: str
    diagnostics: tuple[Diagnostic, ...]


@frozen
class Record:
    """One run over one ruleset; *interrupted* if it was stopped before every row was decided.

    *others* is how many more readings it has that were not looked at, each with another value of
    one option. *roots* say why rows say nothing (`roots`). *command* is what to run to ask the same
    again, empty if it is not known. *warnings* are about parts of the ruleset that are no mistakes,
    and hardly meant. *telling* is the number of the row whose play says most where nothing is
    claimed or named, -1 if there is none. It took *milliseconds* milliseconds, None if that was not
    measured. *rulings* are those of the file beside the ruleset, each asked in its own reading.
    *changes* is what changed for players since a revision.
    """

    name: str
    title: str
    document: str
    files: Files
    settings: tuple[tuple[str, str | int], ...]
    players: int
    sizes: NamedSizes
    rows: tuple[Row, ...]
    interrupted: bool
    others: int
    roots: tuple[Root, ...]
    command: str = ""
    warnings: tuple[Diagnostic, ...] = ()
    telling: int = -1
    milliseconds: int | None = None
    rulings: tuple[RulingRow, ...] = ()
    changes: ChangesSince | None = None

    @property
    def file(self) -> str:
        """The file of the rules."""
        return self.files.rules

    @property
    def claims(self) -> tuple[Row, ...]:
        """The rows that decide a claim."""
        return tuple(row for row in self.rows if row.expectation)

    @property
    def of_scope(self) -> tuple[Diagnostic, ...]:
        """The warnings about the scope, which come before anything is told; they have no place in
        the text.
        """
        return tuple(warning for warning in self.warnings if warning.source is None)

    @property
    def of_text(self) -> tuple[Diagnostic, ...]:
        """The warnings about the text of the ruleset."""
        return tuple(warning for warning in self.warnings if warning.source is not None)

    @property
    def following(self) -> frozenset[int]:
        """The numbers of the rows that say nothing because of a root."""
        return frozenset(number for root in self.roots for number in root.follow)

    @property
    def notes(self) -> tuple[str, ...]:
        """What else there is to say of how the rows were decided, each once."""
        return tuple(dict.fromkeys(note for row in self.rows for note in row.notes))

    def count(self, status: Status) -> int:
        """Return how many rows have *status*."""
        return sum(row.status == status for row in self.rows)


def make_record(
    program: ir.Program,
    scope: Scope,
    answers: Iterable[Answer],
    *,
    interrupted: bool = False,
    others: int = 0,
    unread: bool = False,
) -> Record:
    """Return the record of *answers* about *program* within *scope*, each trace explained.

    If it is to be printed only, a play that no page of text tells is *unread*, and not explained.
    """
    decisions = BranchesTaken(program, scope)
    answers = tuple(
        replace(answer, verdict=for_claim(answer.verdict, _expected(answer))) for answer in answers
    )
    statuses = [_status(answer) for answer in answers]
    roots = roots_of(
        [answer.verdict for answer in answers],
        [at for at, status in enumerate(statuses) if status == "not met"],
    )
    told = {root.row for root in roots} | {
        at
        for at, status in enumerate(statuses)
        if answers[at].asked or status not in ("met", "none")
    }
    if not unread or all(status == "none" for status in statuses):
        told = {*range(len(answers))}
    rows = tuple(
        _row(answer, statuses[at], decisions, is_told=at in told)
        for at, answer in enumerate(answers)
    )
    return Record(
        program.name,
        program.title,
        program.document,
        program.source.files,
        program.settings,
        scope.players,
        scope.sizes,
        rows,
        interrupted,
        others,
        roots,
        telling=_most_telling(answers, rows),
    )


def _most_telling(answers: Sequence[Answer], rows: Sequence[Row]) -> int:
    """Return the number of the row whose play says most, if nothing is claimed or named; -1 if
    there is none.

    A gap comes before a conflict, a player without a window, a loop, anything else; then the
    shortest play comes first, and the shortest formula.
    """
    if any(row.status != "none" for row in rows):
        return -1
    ranked = []
    for number, (answer, row) in enumerate(zip(answers, rows, strict=True)):
        if row.outcome == Outcome.VIOLATED and row.play is not None:
            parts = [*formulas(answer.verdict.property.body)]
            kinds = [
                not any(isinstance(part, kind) for part in parts) for kind in (f.Gap, f.Conflict)
            ]
            ranks = (
                *kinds,
                not row.play.denials,
                row.play.again_from is None,
                len(row.play.moments),
                len(row.formula),
                number,
            )
            ranked.append((ranks, number))
    return min(ranked, default=((), -1))[1]


def _is_question(answer: Answer) -> bool:
    """Whether any answer would do: somebody asks, without a claim."""
    asked = answer.verdict.property
    return (
        answer.asked
        and answer.claim is None
        and asked.is_of_possibility
        and is_of_catalogue(asked.name)
    )


def _expected(answer: Answer) -> str:
    """Return what is expected: what the claim says, or that it is possible if somebody asks for it
    who is not just curious.
    """
    if answer.claim is not None:
        return answer.claim.expect
    return "possible" if answer.asked and not _is_question(answer) else ""


def _status(answer: Answer) -> Status:
    if answer.verdict.lacks:
        return "too small"
    if _lacks_proof(answer.verdict):
        return "undecided"
    return status_of(
        answer.verdict.outcome, answer.claim, asked=answer.asked, is_question=_is_question(answer)
    )


def _row(answer: Answer, status: Status, decisions: BranchesTaken, *, is_told: bool) -> Row:
    """Return the row of one answer with this *status*, of a game whose clauses have these
    *decisions*, with its play if that *is told*.
    """
    verdict, claim, asked = answer.verdict, answer.claim, answer.asked
    condition = (
        expression_words(verdict.program, claim.condition)
        if claim and claim.condition != ir.YES
        else ""
    )
    about = verdict.property
    return Row(
        name=about.name,
        title=(claim.title if claim and claim.title else about.title),
        why=about.why,
        formula=about.text,
        about=about.about_text,
        expectation=claim.expect if claim else "",
        condition=condition,
        cites=claim.cites if claim else (),
        line=claim.span.line if claim else 0,
        asked=asked,
        status=status,
        outcome=verdict.outcome,
        reason=_reason(verdict),
        bound=verdict.bound,
        engine=verdict.engine,
        counts=verdict.counts,
        play=_play(verdict, decisions, status) if is_told else None,
        has_play=verdict.trace is not None,
        notes=verdict.notes,
        sliced=verdict.sliced,
        symmetric=verdict.symmetric,
        assuming=about.assuming,
        given=tuple(given.text for given in about.given),
        without_ends=_leaves_out_ends(about),
        proof=None if verdict.proof is None else make_proof(verdict.program, verdict.proof),
        unproved=verdict.unproved,
        is_shortest=verdict.is_shortest,
        smallest=verdict.smallest,
        least=verdict.least,
        does_with=verdict.does_with,
        room=_room(verdict, decisions.scope),
        says=about.title if claim and claim.title and claim.title != about.title else "",
        enforces=about.mode == "enforce",
        table=verdict.table,
        heading=claim.heading if claim else "",
        asks_gap=about.mode != "future"
        and any(isinstance(part, f.Gap) for part in formulas(about.body)),
    )


def _play(verdict: Verdict, decisions: BranchesTaken, status: Status) -> Play | None:
    """Return the play of *verdict*; that it breaks a claim of that *status* may be expected."""
    play = explain(verdict, decisions if verdict.scope == decisions.scope else None)
    is_expected = status == "met" and verdict.outcome is Outcome.VIOLATED
    return replace(play, ending="expected") if play is not None and is_expected else play


def _lacks_proof(verdict: Verdict) -> bool:
    """Whether *verdict* is what its author claims within the scope, who claims it for every
    size.
    """
    return (
        verdict.property.every_size
        and verdict.proof is None
        and verdict.outcome in (Outcome.HOLDS, Outcome.IMPOSSIBLE)
    )


def _leaves_out_ends(question: f.Property) -> bool:
    """Whether *question* speaks of no play that ends, by what it assumes."""
    parts = question.body.parts if isinstance(question.body, f.And) else ()
    return any(leaves_out_ends(given.formula, parts) for given in question.given)


def _reason(verdict: Verdict) -> str:
    """Return the reason of *verdict*; of what is asked of items that resolve, where no clause has
    one resolve, also that.
    """
    if _lacks_proof(verdict):
        return (
            "it is claimed for every size, and not proved: "
            f"{verdict.unproved or 'no proof was looked for'}"
        )
    if verdict.outcome != Outcome.VACUOUS or not verdict.reason:
        return verdict.reason
    parts = [
        part for condition in verdict.property.conditions for part in formulas(condition.formula)
    ]
    is_asked = any(isinstance(part, f.ItemEvent) and part.event == "resolves" for part in parts)
    done = (one for _, clause in verdict.program.clauses for one in statements(clause.body))
    if not is_asked or any(isinstance(one, ir.Leave) and one.how == "resolves" for one in done):
        return verdict.reason
    return (
        f"{verdict.reason}; no clause has a `resolve`, and what is moved or removed does not "
        "resolve"
    )


def _room(verdict: Verdict, scope: Scope) -> NamedSizes:
    """Return the sizes that *verdict*'s property needs, where they are larger than in *scope*."""
    has = {"players": scope.players, **dict(scope.sizes)}
    return (
        ()
        if verdict.lacks
        else tuple((name, size) for name, size in verdict.property.needs if size > has[name])
    )


def make_proof(program: ir.Program, found: Proved) -> ProofRecord:
    """Return what the proof *found* of *program* rests on."""
    return ProofRecord(**vars(found), every=every_size(program))


def every_size(program: ir.Program) -> str:
    """Return for which sizes a proof about *program* is, in words."""
    least, most = program.players
    if least == most:
        return "every zone size"
    return (
        f"every number of players ({least} {'or more' if most is None else f'to {most}'}) and "
        "every zone size"
    )


def status_of(
    outcome: Outcome, claim: ir.Claim | None, *, asked: bool, is_question: bool = False
) -> Status:
    """Return whether *outcome* is what the claim, or the one who asked, expects; for a question any
    answer is.
    """
    if claim is None and not asked:
        return "none"
    if outcome in UNDECIDED:
        return "undecided"
    if claim is None:
        return "answered" if is_question else "not met" if outcome in _WANTING else "met"
    return "met" if outcome in MET[claim.expect] else "not met"
