"""A cut is not an answer, in every command that tells one (docs/verdicts.md): of a ruleset whose
first move the scope cuts nothing is said to be impossible, lost, dead or never asked for.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from stacklaw.cli.output.exits import Exit

from .test_commands import Stacklaw, stacklaw

__all__ = ["stacklaw"]
CUT = """\
game "Three triggers"
players 2
scope waiting 2, stack 2
start begin
option many "how many triggers"
  two "two"
  three "three"
items
  trigger "trigger"
zones
  waiting in any order [waiting]
  stack last in first out
state
  done : flag
stage begin
  must 1 "the triggers wait"
    put trigger by active on waiting
    put trigger by active on waiting
    if many is three
      put trigger by active on waiting
    go onward
stage onward
  must 2 "one is put on the stack"
    when waiting is not empty
    choose t in waiting
    move t to stack
    go onward
  must 3 "the end"
    when waiting is empty and stack is not empty
    done := yes
    game over
claims
  possible ended "the game ends"
    possible done
  fails unended "the game ends"
    never done
  vacuous nothing "it is said of what never is"
    always (done implies stack is empty)
  holds fits "of plays that use clause 3"
    assuming eventually clause 3
    never size of stack is 7
  holds within "the game does not end"
    never done
"""
THREE = ["--set", "many=three"]
OPEN = ("ended", "unended", "nothing", "fits")


@pytest.fixture
def cut(tmp_path: Path) -> Path:
    (tmp_path / "cut.rules").write_text(CUT, encoding="utf-8")
    edited = CUT.replace("done := yes", "done := no")
    (tmp_path / "edited.rules").write_text(edited, encoding="utf-8")
    todo = CUT.replace("    done := yes\n    game over", "    todo")
    (tmp_path / "unwritten.rules").write_text(todo, encoding="utf-8")
    (tmp_path / "cut.clauses").write_text("1\tthey wait\n3\tthe end\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("rules", ["cut.rules", "unwritten.rules"])
@pytest.mark.parametrize("more", [[], ["--engine", "explicit"], ["--engine", "reference"]])
def test_check(rules: str, more: list[str], cut: Path, stacklaw: Stacklaw) -> None:
    code, out, _ = stacklaw("check", rules, *THREE, *more)
    assert code == Exit.UNDECIDED
    rows = [line.split()[:4] for line in out.splitlines() if line[:4] in ("unde", "met ")]
    assert rows == [
        ["undecided", "possible", "ended", "UNKNOWN"],
        ["undecided", "fails", "unended", "UNKNOWN"],
        ["undecided", "vacuous", "nothing", "UNKNOWN"],
        ["undecided", "holds", "fits", "UNKNOWN"],
        ["met", "holds", "within", "HOLDS"],
    ]


def test_all_readings(cut: Path, stacklaw: Stacklaw) -> None:
    code, out, _ = stacklaw("check", "cut.rules", "--all-readings")
    assert code == Exit.NOT_MET  # as they fail in the other reading
    told = out.partition("cut@many=three")[2]
    assert "NOT MET" not in told.partition("`stacklaw check")[0]
    assert all(f"undecided  {name} undecided" in told for name in OPEN)


@pytest.mark.parametrize("name", OPEN[:3])
def test_for_which(name: str, cut: Path, stacklaw: Stacklaw) -> None:
    code, out, _ = stacklaw("check", "cut.rules", "-p", name, "--for-which", "many")
    assert (code, "many is three  UNKNOWN" in out) == (Exit.UNDECIDED, True)


def test_coverage(cut: Path, stacklaw: Stacklaw) -> None:
    code, out, _ = stacklaw("coverage", "cut.rules", "--scope", "stack=1")
    assert (code, "OPEN  with more room" in out, "never fired" in out) == (3, True, False)


def test_page(cut: Path, stacklaw: Stacklaw) -> None:
    assert stacklaw("page", "cut.rules", *THREE, "-o", "cut.html")[0] == Exit.OK
    page = (cut / "cut.html").read_text(encoding="utf-8")
    assert page.count("not seen, and the scope cuts moves</b>") == 3
    assert "never used</b>" not in page


def test_diff(cut: Path, stacklaw: Stacklaw) -> None:
    code, out, _ = stacklaw("diff", "cut.rules", "edited.rules", *THREE)
    assert code == Exit.UNDECIDED
    assert " lost (" not in out
    assert "fails          unended" in out.partition("Undecided:")[2]
    more = ["--scope", "waiting=3", "--scope", "stack=3"]
    code, out, _ = stacklaw("diff", "cut.rules", "edited.rules", *THREE, *more)
    assert (code, "lost (ended and unended)" in out) == (Exit.NOT_MET, True)


def test_mutate_and_repair(cut: Path, stacklaw: Stacklaw) -> None:
    assert "the same game within the scope" in stacklaw("mutate", "cut.rules", *THREE)[1]
    _, out, _ = stacklaw("repair", "cut.rules", "ended", *THREE)
    assert "mends it within the scope" in out
