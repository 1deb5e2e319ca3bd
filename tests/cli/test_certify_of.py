"""``stacklaw certify FILE --of RULES`` as a shell sees it."""

from __future__ import annotations

from pathlib import Path

import pytest

from stacklaw.checker.certified import CHANGED
from stacklaw.models.storage.key import digest

from .test_commands import RULES, Stacklaw, stacklaw

__all__ = ["stacklaw"]
FILE = "proofs/met.lifo.smt2"
OLD = "not of these rules: they changed (digest differs)"


@pytest.fixture
def certificate(stacklaw: Stacklaw, tmp_path: Path) -> Path:
    """Write the certificate of a proof, and return its file."""
    assert stacklaw("check", "met.rules", "-p", "lifo", "--certificates", "proofs")[0] == 0
    return tmp_path / FILE


def change(file: Path, old: str, new: str) -> None:
    """Put *new* for *old* into the certificate *file*, and the digest that it should then have."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    body = text.replace(old, new, 1).rpartition("; sha256: ")[0]
    file.write_text(f"{body}; sha256: {digest(body)}\n", encoding="utf-8")


def said(stacklaw: Stacklaw, *arguments: str) -> tuple[int, str]:
    code, out, err = stacklaw("certify", FILE, *arguments)
    return code, " ".join((out + err).split())


@pytest.mark.slow
def test_only_the_rules_can_tell(stacklaw: Stacklaw, certificate: Path) -> None:
    """What a file merely says of itself is not repeated: the name of the property and of the game
    are comments.
    """
    change(certificate, "; game: met\n", "; game: chess\n")
    code, out = said(stacklaw)
    assert code == 0
    assert "chess" not in out
    assert "lifo of" not in out
    assert out.endswith(
        "obligations are valid; whether they are those of a ruleset only --of RULES can tell"
    )
    assert said(stacklaw, "--of", "met.rules") == (
        0,
        f"{FILE}: valid: lifo of met, 6 obligations made anew from the rules",
    )


@pytest.mark.slow
def test_after_an_edit_it_is_proved_anew_or_refused(
    stacklaw: Stacklaw, certificate: Path, tmp_path: Path
) -> None:
    rules = tmp_path / "met.rules"
    rules.write_text(
        f"# a comment\n{RULES.replace('cast a spell', 'play a card')}", encoding="utf-8"
    )
    assert said(stacklaw, "--of", "met.rules")[1].startswith(f"{FILE}: valid: lifo of met, ")
    rules.write_text(RULES.replace("after holder", "before holder"), encoding="utf-8")
    code, out = said(stacklaw, "--of", "met.rules")
    assert code == 0
    assert out.startswith(f"{FILE}: valid, but {OLD}; its invariant proves lifo of met, ")
    queue = RULES.replace("last in first out", "first in first out").replace(
        "top of stack", "front of stack"
    )
    rules.write_text(queue, encoding="utf-8")
    code, out = said(stacklaw, "--of", "met.rules")
    assert code == 1
    assert f"REJECTED: {OLD}; it does not prove lifo of met: the obligation fails: " in out


def test_the_property_is_that_of_the_rules(stacklaw: Stacklaw, certificate: Path) -> None:
    change(certificate, "; property: lifo\n", "; property: response_window\n")
    code, out = said(stacklaw, "--of", "met.rules")
    assert code == 1
    assert (
        "REJECTED: not of this property: it asks something else there (digest differs); it does "
        "not prove response_window of met" in out
    )
    change(certificate, "; property: response_window\n", "; property: nosuch\n")
    assert said(stacklaw, "--of", "met.rules") == (
        1,
        f"{FILE}: REJECTED: it is not of these rules: There is no property called `nosuch`.",
    )


def test_what_was_changed_is_told(stacklaw: Stacklaw, certificate: Path) -> None:
    text = certificate.read_text(encoding="utf-8")
    change(certificate, "; rules: sha256:", "; rules: sha256:0")
    assert OLD in said(stacklaw, "--of", "met.rules")[1]
    certificate.write_text(text, encoding="utf-8")
    change(certificate, "(assert |move ", "(assert true)\n(assert |move ")
    code, out = said(stacklaw, "--of", "met.rules")
    assert code == 1
    assert "REJECTED: what it asks is not what its rules ask, first in: ( assert true )" in out
    certificate.write_text(text.replace("(push 1)", "(push  1)", 1), encoding="utf-8")
    assert said(stacklaw, "--of", "met.rules") == (1, f"{FILE}: REJECTED: {CHANGED}")
    certificate.write_text(text[:-300], encoding="utf-8")
    assert said(stacklaw, "--of", "met.rules")[0] == 1
    certificate.write_text("(check-sat)", encoding="utf-8")
    assert said(stacklaw, "--of", "met.rules")[0] == 1


@pytest.mark.slow
def test_options_and_property_files_are_named_as_for_check(
    stacklaw: Stacklaw, tmp_path: Path
) -> None:
    option = 'option who "who goes on" from 1 to 2 default 1\n\nitems'
    rules = RULES.replace("items", option, 1).replace(
        "may 1.1", 'may 1.0 "stay"\n    when who is 2\n    go decide(holder)\n\n  may 1.1', 1
    )
    (tmp_path / "met.rules").write_text(rules, encoding="utf-8")
    (tmp_path / "mine.props").write_text(
        'property mine "two never have priority"\n  why "to see"\n'
        "  for every player p, player q:\n"
        "    never (p has priority and q has priority and p is not q)\n",
        encoding="utf-8",
    )
    assert (
        stacklaw("check", "met.rules", "mine.props", "--set", "who=2", "--certificates", "c")[0]
        == 0
    )
    (file,) = [str(file.relative_to(tmp_path)) for file in (tmp_path / "c").iterdir()]
    for arguments, start in (
        (("--of", "met.rules", "--of", "mine.props", "--set", "who=2"), ": valid: mine of met"),
        (("--of", "met.rules@who=2", "--of", "mine.props"), ": valid: mine of met"),
        (
            ("--of", "met.rules", "--of", "mine.props"),
            f": valid, but {OLD}; its invariant proves mine of met",
        ),
    ):
        code, out, _ = stacklaw("certify", file, *arguments)
        assert code == 0
        assert " ".join(out.split()).startswith(f"{file}{start}")
    assert stacklaw("certify", file, "--of", "met.rules", "--set", "who=2")[0] == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("--of", "nosuchgame"),
        ("--of", "met.rules", "--of", "failing.rules"),
        ("--set", "a=b"),
        ("--of", "met.rules", "--set", "a=b"),
    ],
)
def test_rules_that_cannot_be_read_are_wrong_input(
    stacklaw: Stacklaw, certificate: Path, arguments: tuple[str, ...]
) -> None:
    assert certificate.exists()
    code, out, err = stacklaw("certify", FILE, *arguments)
    assert (code, out) == (2, "")
    assert err
