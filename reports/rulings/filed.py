"""Filed rulings in words, and an answer as a claim to keep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...checker.claims import kept_claim
from ...checker.prover.prover import Prover
from ...checker.rulings.answer import Ruling, RulingAnswer, RulingStatus
from ...checker.rulings.file import Filed, FiledAnswer
from ...models import ir
from ...models.frozen import frozen
from ...models.words import counted, join_words, settings_words, shortened
from .told import ClauseTold, RulingTold, clause_words, tell_ruling


@frozen
class ClaimTold:
    """The claim for the answer to *question*: its *text*, from the line ``claims`` on, and the
    *outcome*; empty if no formula says it.
    """

    question: str
    name: str
    text: str
    outcome: str
    scope: str


def tell_claim(ruling: Ruling, answer: RulingAnswer, prover: Prover | None = None) -> ClaimTold:
    """Return *answer* as a claim that `check` decides as it was answered; a *prover* tries it for
    every size.
    """
    kept = kept_claim(ruling, answer, prover)
    question, scope = answer.question.text, str(ruling.scope)
    if kept is None:
        return ClaimTold(question, "", "", "", scope)
    text = f"{_heading(ruling.program)}\n{kept.claim.text}"
    players = ruling.scope.players
    if players != dict(ruling.program.scope).get("players", ruling.program.players[0]):
        text += f"\n    needs players {players}"
    return ClaimTold(question, kept.claim.name, text, str(kept.verdict.outcome), scope)


def claim_words(told: ClaimTold, *, is_claim: bool, is_proof: bool) -> str:
    """Return the claim to paste, if *is_claim*, and what became of the proof, if that was asked
    for.
    """
    if not told.text:
        return f"No one claim says this: {told.question.rstrip('?')}?"
    lines = [f"Keep it:\n{told.text}"] if is_claim else []
    if is_proof:
        proved = told.outcome == "PROVED"
        lines.append(
            "PROVED for every size."
            if proved
            else f"{told.outcome} within {told.scope}; not proved for every size."
        )
    return "\n".join(lines)


def _heading(program: ir.Program) -> str:
    """Return the line under which claims on this reading stand."""
    usual = {option.name: option.default for option in program.options}
    other = [f"{name} is {value}" for name, value in program.settings if value != usual.get(name)]
    return f"claims when {join_words(other)}" if other else "claims"


@frozen
class RulingRow:
    """A ruling on *line* of *file*: what it *asks*, its *answer* with the *source* of that, its
    *reading* and number of *players*.

    *status* says whether the rules answer the same. *found* is their answer, or if they give none,
    why not. *told* is that answer with its clauses and its play, where it is another one.
    """

    ask: str
    answer: str
    source: str
    reading: str
    players: int | None
    file: str
    line: int
    status: RulingStatus
    found: str
    told: RulingTold | None = None

    @property
    def place(self) -> str:
        """Where it stands."""
        return f"{self.file}:{self.line}"

    @property
    def clauses(self) -> tuple[ClauseTold, ...]:
        """The clauses that decide what the rules say, where that is told."""
        answers = self.told.answers if self.told else ()
        return tuple(dict.fromkeys(clause for answer in answers for clause in answer.clauses))


def tell_filed(one: FiledAnswer, file: str) -> RulingRow:
    """Return what is told of *one* ruling in *file*."""
    if one.ruling is None:
        return _ruling_row(one.filed, file, one.status, one.refused)
    told = None if one.status == "met" else tell_ruling(one.ruling)
    answers = told.answers if told else ()
    found = " / ".join(answer.in_line(", ") for answer in answers) or one.ruling.value
    return _ruling_row(one.filed, file, one.status, found, told)


def unasked(filed: Filed, file: str, why: str) -> RulingRow:
    """Return what is told of a *filed* ruling in *file* that has not been asked, for *why*, a
    clause.
    """
    return _ruling_row(filed, file, "undecided", why)


def _ruling_row(
    filed: Filed, file: str, status: RulingStatus, found: str, told: RulingTold | None = None
) -> RulingRow:
    reading = settings_words(filed.reading)
    ask, answer, source = (
        " ".join(text.split()) for text in (filed.question, filed.answer, filed.source)
    )
    return RulingRow(
        ask, answer, source, reading, filed.players, file, filed.line, status, found, told
    )


def asked_words(row: RulingRow) -> str:
    """Return the question of *row*, with the reading and the number of players in which it is asked
    where the file says them.
    """
    where = [
        *([row.reading] if row.reading else []),
        *([counted(row.players, "player")] if row.players is not None else []),
    ]
    return f"{shortened(row.ask, _MOST_LETTERS)}{f' ({join_words(where)})' if where else ''}"


def row_words(row: RulingRow) -> str:
    """Return what became of *row* in a line: what the rules answer, by which clause, and what the
    file says.
    """
    if row.told is None:
        return f"{'the rules refuse it' if row.status == 'not met' else 'undecided'}: {row.found}"
    clauses = dict.fromkeys(
        clause_words(clause) for answer in row.told.answers for clause in answer.clauses[:1]
    )
    by = f" ({join_words(list(clauses))})" if clauses else ""
    return (
        f"{'the rules say' if row.status == 'not met' else 'undecided; as far as was seen'}: "
        f"{row.found}{by}"
    )


def loss_words_of(row: RulingRow) -> str:
    """Return the question of *row*, what the rules say and what the file says, in a line."""
    words = row_words(row)
    return f"{asked_words(row)} {words[0].upper()}{words[1:]}; the file says: {said_words(row)}"


def said_words(row: RulingRow) -> str:
    """Return what the file says, and where it has that from."""
    return (
        f"{shortened(row.answer, _MOST_LETTERS)} "
        f"({shortened(row.source, _MOST_LETTERS) if row.source else 'no source'})"
    )


def unsourced(rows: Sequence[RulingRow]) -> str:
    """Return how many of *rows* have no source, as a sentence; empty if all have one."""
    lines = [str(row.line) for row in rows if not row.source]
    have = "has" if len(lines) == 1 else "have"
    where = (
        f"{'line' if len(lines) == 1 else 'lines'} "
        f"{join_words(lines[:_MOST_LINES])}{' and others' if lines[_MOST_LINES:] else ''}"
    )
    return (
        f"{counted(len(lines), 'ruling')} {have} no source ({where}), and so counts for nothing in "
        "mutate."
        if lines
        else ""
    )


_MOST_LINES, _MOST_LETTERS = 8, 300


def counted_rulings(rows: Sequence[RulingRow]) -> Iterator[tuple[RulingStatus, int]]:
    """Yield how many of *rows* have each status that some have."""
    for status in ("met", "not met", "undecided"):
        if number := sum(row.status == status for row in rows):
            yield status, number
