"""Certificates: checked in a process of their own, by Z3 and by cvc5, and refused when cut short or
changed.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from stacklaw.checker.symbolic.certificate import certify as certifying
from stacklaw.checker.symbolic.certificate.certificate import certificate
from stacklaw.checker.symbolic.certificate.certify import Checked, certify, check
from stacklaw.checker.symbolic.prove import Proof, prove
from stacklaw.models.load import load_game
from stacklaw.models.storage.key import digest
from stacklaw.properties.load import property_named

from .second_solver import answers_of_cvc5

QUESTIONS = [
    ("stack", "response_window"),
    ("mtg", "lifo"),
    ("zx", "hold_priority"),
    ("fftcg", "complete"),
]


@pytest.fixture(scope="module", params=QUESTIONS, ids=" ".join)
def text(request: pytest.FixtureRequest) -> str:
    game, name = request.param
    program = load_game(game)
    proof = prove(program, property_named(program, name))
    assert isinstance(proof, Proof)
    return certificate(proof)


def test_a_certificate_is_checked(text: str, tmp_path: Path) -> None:
    path = tmp_path / "proof.smt2"
    path.write_text(text, encoding="utf-8")
    checked = certify(path)
    assert checked.is_valid, checked.wrong
    assert checked.obligations == text.count("(check-sat)") > 10
    assert (checked.game, checked.name) in QUESTIONS


@pytest.mark.slow
def test_cvc5_agrees(text: str) -> None:
    assert answers_of_cvc5(text) == ["unsat"] * text.count("(check-sat)")


@pytest.mark.parametrize("body", ["false", "true"])
def test_cvc5_finds_another_invariant_wrong_too(text: str, body: str) -> None:
    answers = answers_of_cvc5(with_invariant(text, body))
    assert len(answers) == text.count("(check-sat)")
    assert "sat" in answers


def with_invariant(text: str, body: str) -> str:
    """Return the certificate *text* with *body* as the invariant of every stage that says
    anything.
    """
    return re.sub(
        r"(\(define-fun \|inv [^\n]*\) Bool\n)(?:  .*\n)+?(?=\n|\(define-fun|; obligation)",
        rf"\g<1>  {body})\n",
        text,
    )


@pytest.mark.slow
@pytest.mark.parametrize(("body", "duty"), [("false", "initial"), ("true", "property")])
def test_another_invariant_fails_its_obligation(text: str, body: str, duty: str) -> None:
    changed = with_invariant(text, body)
    assert changed != text
    checked = check(changed)
    assert not checked.is_valid
    assert f"the obligation fails: {duty} of" in checked.wrong


@pytest.mark.slow
def test_a_changed_file_is_refused(text: str) -> None:
    for old, new in (("game: ", "game: not "), ("(push 1)", "(push  1)")):
        checked = check(text.replace(old, new, 1))
        assert not checked.is_valid
        assert "changed" in checked.wrong


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_a_file_cut_short_is_refused(text: str, share: float) -> None:
    checked = check(text[: int(len(text) * share)])
    assert not checked.is_valid


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(check-sat)", '(echo "unsat")'),
        ("(push 1)", "(assert false)\n(push 1)"),
        ("(push 1)", "(push 0)"),
        ("(push 1)", "(push 1)\n(push 1)"),
        ("(pop 1)", "(pop 0)"),
        ("(pop 1)", "; (pop 1)"),
        ("(pop 1)", "(pop 1) (push 1) (assert true) (check-sat) (pop 1)"),
        ("(pop 1)", "(pop 1) ; obligation: it is said\n(push 1) (assert true) (check-sat) (pop 1)"),
        ("(declare-const", "(assert false)\n(declare-const"),
        ("(define-fun", "(assert false)\n(define-fun"),
    ],
)
def test_a_solver_that_is_told_what_to_answer_is_not_believed(
    text: str, old: str, new: str
) -> None:
    """The author of a file writes its digest, too. The questions have to be asked all the same,
    each by itself.
    """
    body = text.replace(old, new, 1).rpartition("; sha256: ")[0]
    checked = check(f"{body}; sha256: {digest(body)}\n")
    assert not checked.is_valid


@pytest.mark.parametrize(
    ("opens", "closes"), [(r"|\||", r"|x\||"), (r"|\|", r"|"), ('"', '"'), (":", ":")]
)
def test_a_file_of_others_writes_no_file(
    text: str, opens: str, closes: str, tmp_path: Path
) -> None:
    """Solvers do not agree where a name with a backslash ends: what looks like a name to one is a
    command to another.
    """
    written = tmp_path / "written"
    hidden = (
        f'(define-fun {opens} () Bool true) (set-option :regular-output-channel "{written}") '
        f"(define-fun {closes} () Bool true)\n"
    )
    body = text.replace("(declare-const", f"{hidden}(declare-const", 1).rpartition("; sha256: ")[0]
    checked = check(f"{body}; sha256: {digest(body)}\n")
    assert not checked.is_valid
    assert not written.exists()


def test_a_missing_obligation_is_told(text: str) -> None:
    blocks = text.split("; obligation: ")
    checked = check("; obligation: ".join(blocks[:-2] + blocks[-1:]))
    assert not checked.is_valid
    assert f"{len(blocks) - 2} of {len(blocks) - 1} obligations" in checked.wrong


@pytest.mark.parametrize("number", ["\N{SUPERSCRIPT TWO}", "9" * 5_000, "-1"])
def test_a_number_of_obligations_that_is_none_is_told(text: str, number: str) -> None:
    checked = check(re.sub("(?m)^; obligations: .*", f"; obligations: {number}", text))
    assert checked.wrong.startswith(f"it has {checked.obligations} of {number[:19]}")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="has no file without an end")
def test_a_file_without_an_end_is_refused() -> None:
    assert "larger than" in certify(Path("/dev/zero")).wrong


def test_what_a_solver_does_not_know_is_not_met(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    number = text.count("(check-sat)")
    monkeypatch.setattr(
        certifying, "_answers", lambda *_: (["unsat"] * (number - 1) + ["unknown"], "")
    )
    checked = check(text)
    assert (checked.is_valid, checked.obligations) == (False, number - 1)
    assert "the solver says unknown" in checked.wrong


def test_what_is_no_certificate_is_refused(tmp_path: Path) -> None:
    assert not certify(tmp_path / "nothing.smt2").is_valid
    binary = tmp_path / "binary.smt2"
    binary.write_bytes(bytes(range(256)))
    assert not certify(binary).is_valid
    assert check("(assert false)\n(check-sat)\n") == Checked(
        "", "", 0, "it is no certificate of Stacklaw"
    )


def test_a_solver_that_hangs_is_stopped(text: str) -> None:
    checked = check(text, seconds=0.001)
    assert "has not answered" in checked.wrong
