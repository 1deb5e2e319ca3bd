"""Proving cases: for which values of options does a property hold? The one query to the prover that
speaks of all of them at once.

A Program that leaves options open + a property + cases of the options --worker--> proofs, each with
the cases it is about
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import Any

from ...models import ir
from ...models.options.cases import Case
from ...properties.formula import Property
from ..prover.kept import Proofs, proof_from
from ..prover.prover import Prover
from ..prover.request import ToProve, ToProveWhich, request_data
from ..prover.workers import Reply, replies
from ..types.budget import INTERRUPTED, BudgetSpentError, Meter
from ..types.verdict import Proved


@dataclass(frozen=True)
class CaseProof:
    """A *proof* that is about *cases* of the options."""

    cases: tuple[Case, ...]
    proof: Proved


@dataclass(frozen=True)
class CaseVerdicts:
    """What is proved for every size: *proofs*, and the reason for each case that is *unproved*."""

    proofs: tuple[CaseProof, ...] = ()
    unproved: Mapping[Case, str] = field(default_factory=dict)

    def proof_of(self, case: Case) -> Proved | None:
        """Return the proof that is about *case*, None if there is none."""
        return next((one.proof for one in self.proofs if case in one.cases), None)


def prove_cases(
    prover: Prover, program: ir.Program, question: Property, cases: Sequence[Case], meter: Meter
) -> CaseVerdicts:
    """Return for which of *cases* of the options that *program* leaves open *question* is proved
    for every size by *prover*.
    """
    if not cases:
        return CaseVerdicts()
    kept, what = (
        Proofs(program, prover.folder),
        f"{cases} with {prover.budget.each}{' in words' * prover.explain}{' seen twice' * prover.second}",
    )
    if (known := kept.of_cases(question, what)) is not None:
        with suppress(ValueError, KeyError, TypeError):  # it is nothing that was said here
            return _cases_proved(known, cases)
    said = _case_reply(prover, program, question, cases, meter)
    if "proofs" not in said:
        return CaseVerdicts((), dict.fromkeys(cases, said["reason"]))
    kept.add_cases(question, what, said)
    prover.notes.extend([kept.note] if kept.note else [])
    return _cases_proved(said, cases)


def _cases_proved(said: dict[str, Any], cases: Sequence[Case]) -> CaseVerdicts:
    """Return what is *said* of *cases* as plain data; raise ValueError, KeyError or TypeError if it
    says nothing of each.
    """
    proofs = tuple(
        CaseProof(tuple(tuple(case) for case in about), proof_from(proof))
        for about, proof in said["proofs"]
    )
    unproved = {tuple(case): str(reason) for case, reason in said["unproved"]}
    if {case for proof in proofs for case in proof.cases} | set(unproved) != set(cases):
        raise ValueError("it is said of other cases")
    return CaseVerdicts(proofs, unproved)


def _case_reply(
    prover: Prover, program: ir.Program, question: Property, cases: Sequence[Case], meter: Meter
) -> dict[str, Any]:
    """Return what a worker says, or the *reason* why it says nothing."""
    request = request_data(
        ToProveWhich(
            ToProve(program, question, prover.budget.each, prover.explain, prover.second),
            tuple(cases),
        )
    )
    reply: Reply = {}
    try:
        meter.begin("proving")
        with closing(replies([request], 1, lambda: meter.count(0, 1), prover.command)) as coming:
            for _, said in coming:
                reply = said
    except BudgetSpentError as spent:
        return {"reason": str(spent)}
    except KeyboardInterrupt:
        meter.interrupted = True
        return {"reason": INTERRUPTED}
    if "proofs" not in reply:
        reply = {"reason": _failure(reply)}
        prover.notes.append(f"nothing was proved of several values at once, for {reply['reason']}")
    return reply


def _failure(reply: Reply) -> str:
    if "missing" in reply:
        return f"there is no solver: {reply['missing']}"
    return (
        "the process that looked for a proof died"
        if "died" in reply
        else f"a mistake in stacklaw: {reply.get('failed')}"
    )
