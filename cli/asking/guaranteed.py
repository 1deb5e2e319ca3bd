"""Guaranteed: what both sides of an edit promise: the old rules are asked first, and what proves a
promise there is tried on the new rules before any other proof is looked for.

What the old rules are not known to promise at every size is searched on both sides, and tried for
every size only where nothing else decides it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...checker.prover.proof_file import ProofEntry, ProofsBeside, entry_of, proofs_beside
from ...checker.prover.prover import COMPARED, Prover
from ...checker.run.check import check
from ...checker.run.engines import DEFAULT, remembering
from ...checker.types.budget import INTERRUPTED, Meter
from ...checker.types.scope import Scope
from ...checker.types.tuning import Tuning
from ...checker.types.verdict import Verdict
from ...models import ir
from ...properties.formula import Property
from ..output.bounded import with_reasons, within


class AskedSides:
    """Asks the *programs* of an edit, the old rules before the new ones, each within its scope and
    as far as the budget of *meter* goes.

    *targets* are what a command line calls them.
    """

    def __init__(
        self,
        targets: tuple[str, str],
        programs: tuple[ir.Program, ir.Program],
        scopes: tuple[Scope, Scope],
        meter: Meter,
    ) -> None:
        self.programs, self.scopes, self.meter = programs, scopes, meter
        self._beside = [proofs_beside(*side) for side in zip(targets, programs, strict=True)]
        self._of_old: Sequence[Verdict] = ()

    def ask(self, program: ir.Program, questions: Sequence[Property]) -> Sequence[Verdict]:
        """Return the verdicts on *questions* about *program*; raises KeyboardInterrupt."""
        is_old = program is self.programs[0]
        parts = Meter(self.meter.rest(2 if is_old else 1), self.meter.on_progress)
        with within(parts):
            verdicts = check(
                program,
                questions,
                self.scopes[0 if is_old else 1],
                parts.budget,
                parts.on_progress,
                remembering(DEFAULT, Tuning()),
                self._prover_of_old() if is_old else self._prover_of_new(questions),
            )
        verdicts = with_reasons(verdicts)
        if any(verdict.reason == INTERRUPTED for verdict in verdicts):
            raise KeyboardInterrupt
        if is_old:
            self._of_old = verdicts
        return verdicts

    def _prover_of_old(self) -> Prover:
        own = self._beside[0]
        names = own.names if own is not None else frozenset[str]()
        return self._prover(0, (), names or None)

    def _prover_of_new(self, questions: Sequence[Property]) -> Prover:
        proved = {
            verdict.property.name: entry_of(
                verdict.proof.excerpt, verdict.proof.solvers, verdict.proof.spent
            )
            for verdict in self._of_old
            if verdict.proof is not None
        }
        asked = {verdict.property.name for verdict in self._of_old}
        others = {question.name for question in questions} - asked
        return self._prover(1, [*proved.values()], frozenset(proved) | others)

    def _prover(
        self, side: int, entries: Sequence[ProofEntry], only: frozenset[str] | None
    ) -> Prover:
        """Return who proves what holds of a *side* by *entries* and what lies beside both; where
        there is *only* a hope for some, by name, nothing else is tried.
        """
        beside = (self._beside[side], self._beside[1 - side])
        entries = [*entries, *(one for its in beside if its is not None for one in its.entries)]
        program = self.programs[side]
        draft = ProofsBeside(program.name, Path(), program, entries, is_draft=True)
        return Prover(COMPARED, whole=False, beside=draft, only=only)
