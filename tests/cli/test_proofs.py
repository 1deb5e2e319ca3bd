"""Proofs and certificates as a shell sees them."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from pathlib import Path

import pytest

from stacklaw.checker.prover.prover import LARGE, Prover
from stacklaw.cli.commands.certify import ONLY
from stacklaw.cli.output.exits import Exit

from .test_commands import RULES, Stacklaw, stacklaw

__all__ = ["stacklaw"]
CERTIFICATE = "proofs/met.lifo.smt2"


@pytest.fixture
def certificate(stacklaw: Stacklaw, tmp_path: Path) -> Path:
    """Write the certificate of a proof, and return its file."""
    code, out, err = stacklaw("check", "met.rules", "-p", "lifo", "--certificates", "proofs")
    assert (code, err) == (0, "")
    assert "the certificate is proofs/met.lifo.smt2" in " ".join(out.split())
    return tmp_path / CERTIFICATE


def sealed(text: str) -> str:
    """Return the certificate *text* with the digest that it should have."""
    body = text.rpartition("; sha256: ")[0]
    return f"{body}; sha256: {hashlib.sha256(body.encode()).hexdigest()}\n"


@pytest.mark.slow
def test_every_proof_has_a_certificate(stacklaw: Stacklaw, tmp_path: Path) -> None:
    _, out, _ = stacklaw("check", "met.rules", "--certificates", "proofs", "--format", "json")
    rows = json.loads(out)["rulesets"][0]["rows"]
    files = {row["proof"]["certificate"] for row in rows if row["proof"]}
    assert files == {f"proofs/{path.name}" for path in (tmp_path / "proofs").iterdir()} != set()
    for row in rows:
        assert (row["proof"] is not None) == (
            row["verdict"] == "PROVED" or (row["verdict"] == "IMPOSSIBLE" and not row["unproved"])
        )
        assert (
            row["proof"] is None
            or (tmp_path / row["proof"]["certificate"]).stat().st_size == row["proof"]["bytes"]
        )
        assert (
            row["proof"] is None
            or row["proof"]["every"] == "every number of players (2 or more) and every zone size"
        )
    assert stacklaw("certify", *sorted(files))[0] == 0


@pytest.mark.slow
def test_verdicts_are_shown_before_there_are_proofs(
    stacklaw: Stacklaw, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STACKLAW_CACHE", str(tmp_path / "cache"))
    _, whole, _ = stacklaw("check", "met.rules")
    monkeypatch.setenv("STACKLAW_CACHE", str(tmp_path / "new"))
    monkeypatch.setattr("stacklaw.checker.prover.prover._PATIENCE", 0.0)
    # On a busy machine all proofs may be there when the search ends: none is begun beside it.
    monkeypatch.setattr("stacklaw.checker.prover.prover.Attempts.go_on", lambda _: None)
    monkeypatch.setattr("stacklaw.checker.prover.prover.TICK", 0.0)
    monkeypatch.setattr("stacklaw.cli.commands.check._Run._may_show", True)
    code, out, err = stacklaw("check", "met.rules")
    shown, _, since = out.partition("\nProved since: ")
    assert (code, err) == (0, "")
    assert re.search(r"\d+ still being tried", shown)
    proved, before = (set(re.findall(r"(\w+) +PROVED", text)) for text in (whole, shown))
    assert proved == before | set(re.findall(r"\w+", since.partition(".")[0])) - {"and"}
    assert before < proved
    head, last = re.compile("^proved +(.*)$", re.MULTILINE), whole.splitlines()[-1]
    assert head.findall(since) == head.findall(whole)
    assert shown.splitlines()[-1] == since.splitlines()[-1] == last


def test_a_certificate_is_valid(stacklaw: Stacklaw, certificate: Path) -> None:
    code, out, _ = stacklaw("certify", CERTIFICATE)
    questions = certificate.read_text(encoding="utf-8").count("(check-sat)")
    assert code == 0
    assert (
        " ".join(out.split())
        == f"{CERTIFICATE}: valid: its {questions} obligations are valid; {ONLY}"
    )


def test_an_invariant_that_is_none_is_rejected(stacklaw: Stacklaw, certificate: Path) -> None:
    text = certificate.read_text(encoding="utf-8")
    begin = text.index("Bool\n", text.index("(define-fun |inv ")) + len("Bool\n")
    end = text.index("(define-fun ", begin)
    certificate.write_text(sealed(f"{text[:begin]}  true)\n{text[end:]}"), encoding="utf-8")
    code, out, _ = stacklaw("certify", CERTIFICATE)
    assert code == Exit.NOT_MET
    assert out.startswith(f"{CERTIFICATE}: REJECTED: the obligation fails: ")


@pytest.mark.parametrize("part", [0.3, 0.6, 0.9, 0.999])
def test_a_certificate_that_was_cut_short_is_rejected(
    part: float, stacklaw: Stacklaw, certificate: Path
) -> None:
    text = certificate.read_text(encoding="utf-8")
    certificate.write_text(text[: int(len(text) * part)], encoding="utf-8")
    code, out, _ = stacklaw("certify", CERTIFICATE)
    assert code == Exit.NOT_MET
    assert "REJECTED" in out


def test_a_folder_stands_for_the_certificates_in_it(stacklaw: Stacklaw, certificate: Path) -> None:
    text = certificate.read_text(encoding="utf-8")
    certificate.with_name("broken.smt2").write_text(
        text.replace("(and", "(ant", 1), encoding="utf-8"
    )
    certificate.with_name("bytes.smt2").write_bytes(b"\xff\xfe")
    certificate.with_name("empty.smt2").write_bytes(b"")
    code, out, _ = stacklaw("certify", "proofs")
    assert code == Exit.NOT_MET
    broken, of_bytes, empty, valid = (
        " ".join(out.split()).replace(" proofs/", "\nproofs/").splitlines()
    )
    assert "REJECTED: the solver cannot read it: unknown constant ant" in broken
    assert "; the first obligation without an answer: initial of where a play begins" in broken
    assert "b'" not in broken
    assert of_bytes.endswith("it is no certificate of Stacklaw: it is no text")
    assert empty.endswith("it is no certificate of Stacklaw: it is empty")
    assert ": valid: " in valid


def test_one_that_is_rejected_counts(stacklaw: Stacklaw, certificate: Path, tmp_path: Path) -> None:
    (tmp_path / "other.smt2").write_text("(check-sat)\n", encoding="utf-8")
    code, out, _ = stacklaw("certify", "other.smt2", CERTIFICATE)
    assert code == Exit.NOT_MET
    assert out.splitlines()[0] == "other.smt2: REJECTED: it is no certificate of Stacklaw"
    assert "valid" in out.splitlines()[1]


def test_what_cannot_be_read_or_written_is_wrong_input(
    stacklaw: Stacklaw, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, err = stacklaw("certify", "nosuchfile.smt2")
    assert (code, out) == (Exit.WRONG_INPUT, "")
    assert "L106" in err
    code, out, err = stacklaw("check", "met.rules", "--certificates", "met.rules")
    assert (code, out) == (Exit.WRONG_INPUT, "")
    assert "L105" in err
    Path("empty").mkdir()
    code, out, err = stacklaw("certify", "empty")
    assert (code, out) == (Exit.WRONG_INPUT, "")
    assert "L106" in err
    monkeypatch.setattr("stacklaw.cli.commands.certify.find_spec", lambda _: None)
    code, out, err = stacklaw("certify", "met.rules")
    assert (code, out) == (Exit.WRONG_INPUT, "")
    assert "L107" in err


def test_one_engine_alone_proves_nothing(stacklaw: Stacklaw) -> None:
    for engine in ("explicit", "reference"):
        code, out, _ = stacklaw("check", "met.rules", "--engine", engine)
        assert code == 0
        assert "PROVED" not in out
        assert "proved" not in out
        code, _, err = stacklaw("check", "met.rules", "--engine", engine, "--prove")
        assert code == Exit.WRONG_INPUT
        assert "C110" in err


@pytest.mark.slow
def test_the_table_tells_what_is_proved(stacklaw: Stacklaw) -> None:
    _, out, _ = stacklaw("check", "met.rules", "--prove")
    lines = {line.split()[0]: line for line in out.splitlines() if line.strip()}
    assert "PROVED" in lines["lifo"]
    assert "every size" in lines["lifo"]
    assert "for every number of players (2 or more) and every zone size" in lines["proved"]
    assert "every size" not in lines["response_window"]


@pytest.mark.slow
def test_proofs_are_explained_on_request(stacklaw: Stacklaw) -> None:
    _, plain, _ = stacklaw("check", "met.rules", "--prove")
    _, out, _ = stacklaw("check", "met.rules", "--prove", "--explain-proofs")
    assert "Proofs, for every number of players (2 or more) and every zone size:" in out
    assert "Proofs" not in plain
    assert "What the proofs ignore, by number." in out


@pytest.mark.parametrize("name", ["lifo", "complete"])
def test_what_an_earlier_run_explained_is_told_on_request_only(
    stacklaw: Stacklaw, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STACKLAW_CACHE", str(tmp_path / "cache"))
    asked = "check", "met.rules", "-p", name, "--format", "json"
    first = stacklaw(*asked)
    explained = stacklaw("check", "met.rules", "-p", name, "--explain-proofs")[1]
    assert "Why it is so" in " ".join(explained.split())
    assert stacklaw(*asked) == first


def test_a_comparison_tells_what_is_proved(stacklaw: Stacklaw) -> None:
    _, out, _ = stacklaw("compare", "met.rules", "-p", "lifo", "-p", "response_window")
    assert [line.split() for line in out.splitlines()[1:3]] == [
        ["lifo", "yes"],
        ["response_window", "no,", "3"],
    ]
    _, out, _ = stacklaw("compare", "met.rules", "-p", "lifo", "--engine", "explicit")
    assert out.splitlines()[1].split() == ["lifo", "yes*"]


def test_without_a_solver_the_search_stands(
    stacklaw: Stacklaw, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    dead = Prover(LARGE, tmp_path / "cache", command=(sys.executable, "-c", "raise SystemExit(5)"))
    monkeypatch.setattr("stacklaw.cli.asking.ask.prover_named", lambda *_, **__: dead)
    code, out, err = stacklaw("check", "met.rules", "-p", "lifo")
    assert code == 0
    assert "HOLDS" in out
    assert err.startswith(
        "note: There is no proof of lifo for every size, for the process that looked for a proof "
        "ended with exit code 5"
    )


def test_rules_without_a_choice_of_players_say_so(stacklaw: Stacklaw, tmp_path: Path) -> None:
    (tmp_path / "two.rules").write_text(
        RULES.replace("players 2 or more", "players 2"), encoding="utf-8"
    )
    _, out, _ = stacklaw("check", "two.rules", "-p", "lifo")
    assert "proved  for every zone size" in out
