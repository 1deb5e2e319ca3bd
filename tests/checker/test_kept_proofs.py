"""Proofs that are kept: believed if this user's key has signed them, checked again by a solver if
not; and what a second solver says.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import fields, replace
from hashlib import sha256
from pathlib import Path

import pytest

from stacklaw.checker.prover import handler
from stacklaw.checker.prover.kept import _TREES, Attempt, Proofs
from stacklaw.checker.prover.prover import ProofBudget, Prover
from stacklaw.checker.symbolic.certificate import recheck
from stacklaw.checker.symbolic.certificate.recheck import Opinion, opinion
from stacklaw.checker.types.verdict import Outcome, Proved
from stacklaw.models.storage.keeping import keep, packed
from stacklaw.models.storage.key import SIGNED
from stacklaw.properties.load import property_named

from .test_prover import GAME, LARGE, asked, worker

DEAD = worker("raise SystemExit(1)")
SAYS = (
    "from stacklaw.checker.prover import handler; from "
    "stacklaw.checker.symbolic.certificate.recheck import Opinion; "
    "handler.opinion = lambda text: Opinion({})"
)


def unsigned(folder: Path) -> None:
    """Take the signature off every file in *folder*: so they come from somewhere else, or from a
    machine that keeps no key.
    """
    for file in folder.iterdir():
        file.write_bytes(bytes(SIGNED) + file.read_bytes()[SIGNED:])


def told(attempt: Attempt) -> bytes:
    """Return *attempt* as it is kept."""
    return _TREES.as_bytes(attempt)


def with_fields(
    attempt: Attempt, of_proof: dict[str, object], of_attempt: dict[str, object] | None = None
) -> bytes:
    """Return *attempt* as it is kept, with other values of some fields of it and of its *proof*."""
    names, nodes, root = json.loads(told(attempt))
    for kind, node, others in ((Proved, nodes[0], of_proof), (Attempt, nodes[1], of_attempt or {})):
        for name, value in others.items():
            node[1 + [field.name for field in fields(kind)].index(name)] = value
    return json.dumps([names, nodes, root]).encode()


def forge(folder: Path, name: str, attempt: bytes) -> None:
    """Keep *attempt* as what came of the property *name*, with no signature."""
    kept = Proofs(GAME, folder)
    question = property_named(GAME, name)
    kept.add(question, 0, Attempt(Proved("", 1, ())))
    (file,) = [file for file in folder.iterdir() if file.name == kept._file(question, None).name]
    content = packed(attempt)
    file.write_bytes(bytes(SIGNED) + sha256(file.name.encode() + content).digest() + content)


def certificate_of(name: str, folder: Path) -> str:
    (verdict,) = asked(Prover(LARGE, folder), name)
    assert verdict.proof is not None
    return verdict.proof.certificate


@pytest.mark.slow
def test_a_proof_without_a_signature_is_checked_again_and_then_signed(tmp_path: Path) -> None:
    first = asked(Prover(LARGE, tmp_path), "lifo", "single_holder")
    unsigned(tmp_path)
    assert Proofs(GAME, tmp_path).kept_attempt(property_named(GAME, "lifo"), LARGE.each) is None
    nothing = asked(Prover(LARGE, tmp_path, command=DEAD), "lifo")
    assert nothing[0].outcome == Outcome.HOLDS
    proofs = "import stacklaw.checker.prover.handler as e; e.prove = None"
    assert asked(Prover(LARGE, tmp_path, command=worker(proofs)), "lifo", "single_holder") == first
    assert asked(Prover(LARGE, tmp_path, command=DEAD), "lifo", "single_holder") == first


def test_what_nobody_reads_is_kept_as_an_excerpt_and_made_whole_when_somebody_does(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "kept"
    (whole,) = asked(Prover(LARGE, tmp_path / "other"), "lifo")
    (short,) = asked(Prover(LARGE, folder, whole=False), "lifo")
    assert whole.proof is not None
    assert short.proof is not None
    assert short.proof == replace(whole.proof, certificate="")
    assert asked(Prover(LARGE, folder, command=DEAD, whole=False), "lifo") == [short]
    finds_none = worker("import stacklaw.checker.prover.handler as e; e.prove = None")
    unsigned(folder)
    assert asked(Prover(LARGE, folder, command=finds_none, whole=False), "lifo") == [short]
    assert asked(Prover(LARGE, folder, command=finds_none), "lifo") == [whole]
    assert asked(Prover(LARGE, folder, command=DEAD), "lifo") == [whole]


def test_what_a_proof_without_a_signature_says_is_said_anew(tmp_path: Path) -> None:
    (first,) = asked(Prover(LARGE, tmp_path), "lifo")
    assert first.proof is not None
    lies = replace(
        first.proof,
        forgets=("nothing",),
        obligations=1,
        solvers=("Z3", "cvc5"),
        lemmas=("mine",),
        invariant=("so",),
    )
    forge(tmp_path, "lifo", told(Attempt(lies, "", 5)))
    (again,) = asked(Prover(LARGE, tmp_path), "lifo")
    assert again == first


def weakened(text: str, body: str) -> str:
    """Return the certificate *text* with *body* as the invariant of every stage."""
    return re.sub(r"(\|inv [^\n]*Bool\n)(?:  .*\n)+?(?=\n|\(|;)", rf"\1  {body})\n", text)


@pytest.mark.slow
def test_what_others_say_that_they_have_spent_is_not_taken_from_the_rest(tmp_path: Path) -> None:
    (first,) = asked(Prover(LARGE, tmp_path), "lifo")
    forge(tmp_path, "lifo", told(Attempt(first.proof, "", 1 << 60)))
    found = asked(Prover(ProofBudget(LARGE.each, LARGE.each), tmp_path), "lifo", "single_holder")
    assert [one.outcome for one in found] == [Outcome.PROVED, Outcome.PROVED]


@pytest.mark.slow
def test_a_forged_proof_that_takes_for_ever_is_given_up(tmp_path: Path) -> None:
    """Its process is ended by the system, once and not for each; then everything is proved as if
    nothing had been kept.
    """
    first = asked(Prover(LARGE, tmp_path), "lifo", "single_holder", "both")
    unsigned(tmp_path)
    hangs = (
        "import itertools, stacklaw.checker.prover.handler as e; e._MOST_SECONDS = 0; e.recheck = "
        "lambda *_: all(itertools.repeat(1))"
    )
    assert (
        asked(
            Prover(LARGE, tmp_path, workers=1, command=worker(hangs)),
            "lifo",
            "single_holder",
            "both",
        )
        == first
    )


FORGED: dict[str, Callable[[str], bytes]] = {
    "an empty certificate": lambda _: told(Attempt(Proved("", 1, ()))),
    "a certificate of nothing": lambda _: told(
        Attempt(Proved("; stacklaw certificate 2\n", 1, ()))
    ),
    "invariants that are true": lambda text: told(Attempt(Proved(weakened(text, "true"), 1, ()))),
    "another property's": lambda text: told(Attempt(Proved(text, 1, ()))),
    "a list": lambda _: b"[]",
    "a verdict": lambda _: b'[["stacklaw.checker.types.verdict:Verdict"],[],0]',
    "a number": lambda text: with_fields(Attempt(Proved(text, 1, ())), {}, {"proof": 5}),
    "no text": lambda text: with_fields(Attempt(Proved(text, 1, ())), {"certificate": 7}),
    "a sum that is none": lambda text: with_fields(
        Attempt(Proved(text, 1, ())), {}, {"spent": "much"}
    ),
}


@pytest.fixture(scope="module")
def of_lifo(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A certificate, proved once for all that is forged from it."""
    return certificate_of("lifo", tmp_path_factory.mktemp("of_lifo"))


@pytest.mark.parametrize("kind", FORGED)
def test_a_forged_proof_is_not_believed(kind: str, of_lifo: str, tmp_path: Path) -> None:
    """What fails with three items holds with two, and has no proof: so a forged one would be
    seen.
    """
    forge(tmp_path, "few", FORGED[kind](of_lifo))
    (found,) = asked(Prover(LARGE, tmp_path), "few")
    assert found.outcome == Outcome.HOLDS
    assert found.proof is None


def test_a_forged_answer_that_there_is_no_proof_is_not_believed(tmp_path: Path) -> None:
    asked(Prover(ProofBudget(1), tmp_path), "lifo")
    unsigned(tmp_path)
    proofs = Proofs(GAME, tmp_path)
    assert proofs.kept_attempt(property_named(GAME, "lifo"), 1) is None
    assert proofs.unsigned(property_named(GAME, "lifo")) is None


GOOD = Attempt(Proved("text", 1, ("something",)))
ODD: list[bytes] = [
    b"[]", b"7", b"null", b"{}", b"no JSON", b"[" * 100_000,
    b'[["stacklaw.checker.types.verdict:Verdict"],[],0]',
    *(with_fields(GOOD, {}, {name: wrong}) for name, wrong in (
        ("proof", []), ("proof", {}), ("proof", 7), ("reason", 1), ("spent", -1), ("spent", "much"),
    )),
    *(with_fields(GOOD, {name: wrong}) for name, wrong in (
        ("certificate", 7), ("obligations", "1"), ("obligations", 0), ("spent", -1),
        ("forgets", "text"), ("lemmas", [1]), ("rests_on", 5),
    )),
]  # fmt: skip


@pytest.mark.parametrize("said", ODD)
def test_what_is_signed_and_is_no_proof_is_not_read(said: bytes, tmp_path: Path) -> None:
    proofs, question = Proofs(GAME, tmp_path), property_named(GAME, "lifo")
    assert keep(proofs._file(question, None), packed(told(GOOD)), "proofs") == ""
    assert proofs.kept_attempt(question, 1) == GOOD
    for content in (packed(said), b"no zlib"):
        assert keep(proofs._file(question, None), content, "proofs") == ""
        assert proofs.kept_attempt(question, 1) is None


# ---------------------------------------------------------------------- a second solver


@pytest.mark.slow
def test_a_second_solver_sees_a_proof_where_that_is_asked_for(tmp_path: Path) -> None:
    pytest.importorskip("cvc5")
    (plain,) = asked(Prover(LARGE, tmp_path), "lifo")
    (seen,) = asked(Prover(LARGE, tmp_path, second=True), "lifo")
    assert plain.proof is not None
    assert seen.proof == replace(plain.proof, solvers=("Z3", "cvc5"))
    assert asked(Prover(LARGE, tmp_path, command=DEAD, second=True), "lifo") == [seen]


def test_what_a_second_solver_refutes_is_no_proof(tmp_path: Path) -> None:
    """It stays so with any budget, and with one solver."""
    refuting = SAYS.format("False, 'that'")
    (found,) = asked(Prover(LARGE, tmp_path, command=worker(refuting), second=True), "lifo")
    assert found.outcome == Outcome.HOLDS
    assert found.unproved == "cvc5 refutes what Z3 takes for a proof: that"
    assert found.notes == (
        f"there is no proof of lifo for every size: {found.unproved}; what the search found stands",
    )
    (again,) = asked(Prover(ProofBudget(7_000_000), tmp_path), "lifo")
    assert (again.outcome, again.unproved) == (found.outcome, found.unproved)


def test_a_second_solver_that_gives_up_is_told(tmp_path: Path) -> None:
    weary = SAYS.format("False")
    (found,) = asked(Prover(LARGE, tmp_path, command=worker(weary), second=True), "lifo")
    assert found.outcome == Outcome.PROVED
    assert found.proof is not None
    assert (found.proof.solvers, found.proof.gave_up) == (("Z3",), ("cvc5",))


def test_a_second_solver_agrees_refutes_or_gives_up(of_lifo: str) -> None:
    pytest.importorskip("cvc5")
    text = of_lifo
    assert opinion(text) == Opinion(agrees=True)
    assert opinion(weakened(text, "false")) == Opinion(
        agrees=False, refuted="initial of where a play begins, to decide"
    )
    assert opinion(text, units=1) == Opinion(agrees=False)
    assert opinion(text, seconds=0.001) == Opinion(agrees=False)
    assert opinion(text.replace("(check-sat)", "(what)", 1)) == Opinion(agrees=False)


def test_without_a_second_solver_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recheck, "find_spec", lambda _: None)
    assert opinion("") is None
    proof = Proved("", 1, ())
    assert handler._seen(proof, second=True) == Attempt(proof)
