"""Claimed: an answer as a claim to keep beside the rules, in words."""

from __future__ import annotations

from dataclasses import dataclass

from ...checker.claims import kept_claim
from ...checker.prover.prover import Prover
from ...checker.rulings.answer import Ruling, RulingAnswer
from ...models import ir
from ...models.words import join_words


@dataclass(frozen=True)
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
