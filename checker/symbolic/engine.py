"""The symbolic engine: what a search found to hold within a scope, tried for every size.

In comes a decision of an exhaustive engine, out goes what is known after trying to prove it: PROVED, for every number of players
and every zone size, with the proof; or the same decision with the reason why there is no proof. A proof alone would not say that
what the property speaks of ever happens; the search has said so, or found it VACUOUS.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ...models.ir import Program
from ...properties.formula import Property
from ..engine import Decision
from ..verdict import Outcome
from .prove import EFFORT, Proof, Unproved, prove


@dataclass(frozen=True)
class Attempt:
    """What is known of a property after it was tried: a *decision*, with the *proof* if there is one, else *reason* why not.

    A question whether something is possible stays IMPOSSIBLE; the proof then says that it is so at every size.
    """

    decision: Decision
    proof: Proof | None = None
    reason: str = ""


class Symbolic:
    """Proofs for every size, with at most so much *effort* (Z3's resource units) for each encoding of a property."""

    name = "symbolic"

    def __init__(self, effort: int = EFFORT) -> None:
        self.effort = effort

    def strengthen(self, program: Program, decisions: Iterable[Decision]) -> Iterator[Attempt]:
        """Yield, for each of *decisions* of an exhaustive engine, what is known after it was tried for every size."""
        for decision in decisions:
            yield self.attempt(program, decision)

    def attempt(self, program: Program, decision: Decision) -> Attempt:
        """Return what is known of the property of *decision* after it was tried; only HOLDS and IMPOSSIBLE are."""
        if decision.outcome not in (Outcome.HOLDS, Outcome.IMPOSSIBLE):
            return Attempt(decision, reason=f"{decision.outcome} is not for a proof to better")
        answer = self.prove(program, decision.question)
        if isinstance(answer, Unproved):
            return Attempt(decision, reason=answer.reason)
        better = Outcome.PROVED if decision.outcome == Outcome.HOLDS else Outcome.IMPOSSIBLE
        return Attempt(replace(decision, outcome=better), answer)

    def prove(self, program: Program, question: Property) -> Proof | Unproved:
        """Return a proof that *question* holds at every size, whether or not what it speaks of ever happens; or why there is none."""
        return prove(program, question, self.effort)
