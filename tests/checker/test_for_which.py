"""The query that speaks of all values of an option at once: kept, and done by a process that may
die.
"""

from __future__ import annotations

import sys
from pathlib import Path

from stacklaw.checker.for_which.prove_cases import CaseVerdicts, prove_cases
from stacklaw.checker.prover.prover import ProofBudget, Prover
from stacklaw.checker.types.budget import INTERRUPTED, Meter, Progress
from stacklaw.models.load import load
from stacklaw.models.options.cases import cases_of
from stacklaw.models.source import Source
from stacklaw.properties.load import property_named

from ..rulesets import ONE_PASS

OPEN = load(
    Source(
        "open.rules",
        ONE_PASS.replace("items\n", 'option cards "cards" from 1 to 3 default 2\n\nitems\n', 1),
    ),
    {},
    ("cards",),
)
CASES = [(1,), (3,)]
DIES = (sys.executable, "-c", "raise SystemExit(9)")


def asked(prover: Prover, meter: Meter | None = None) -> CaseVerdicts:
    return prove_cases(prover, OPEN, property_named(OPEN, "lifo"), CASES, meter or Meter())


def test_what_is_proved_is_kept(tmp_path: Path) -> None:
    assert cases_of(OPEN.open_options) == [(1,), (2,), (3,)]
    found = asked(Prover(ProofBudget(5_000_000), tmp_path))
    assert [proof.cases for proof in found.proofs] == [((1,), (3,))]
    assert found.proof_of((3,)) == found.proofs[0].proof
    assert found.proof_of((2,)) is None
    assert "; when: cards is 1 or 3\n" in found.proofs[0].proof.certificate
    assert asked(Prover(ProofBudget(5_000_000), tmp_path, command=DIES)) == found


def test_a_process_that_dies_proves_nothing(tmp_path: Path) -> None:
    prover = Prover(ProofBudget(5_000_000), tmp_path, command=DIES)
    assert asked(prover) == CaseVerdicts(
        (), dict.fromkeys(CASES, "the process that looked for a proof died")
    )
    assert prover.notes == [
        "nothing was proved of several values at once, for the process that looked for a proof died"
    ]


def test_ctrl_c_ends_it(tmp_path: Path) -> None:
    def impatient(_: Progress) -> None:
        raise KeyboardInterrupt

    meter = Meter(on_progress=impatient)
    prover = Prover(
        ProofBudget(5_000_000),
        tmp_path,
        command=(sys.executable, "-c", "import time; time.sleep(60)"),
    )
    assert asked(prover, meter).unproved == dict.fromkeys(CASES, INTERRUPTED)
    assert meter.interrupted
