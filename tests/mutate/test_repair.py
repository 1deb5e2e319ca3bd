"""``stacklaw repair``: a rule that was broken by one edit comes back among the first."""

from __future__ import annotations

from pathlib import Path

import pytest

from stacklaw.cli.main import run

GOOD = """\
game "Answers"
source "a test"
players 2
scope players 2, stack 2
start decide(active)

items
  spell  "spell"

zones
  stack  last in first out

state
  passed : flag

stage decide(holder: player) "a player has priority"
  priority holder

  may 1 "cast a spell"
    when size of stack < 2
    put spell on stack
    passed := no
    go decide(after holder)

  may 2 "pass"
    pass
    if passed and stack is not empty
      go resolve
    else
      passed := yes
      go decide(after holder)

stage resolve "both have passed"

  must 3 "the top spell resolves"
    when stack is not empty
    resolve top of stack
    passed := no
    go decide(active)

claims
  holds lifo
  holds full_round
  holds active_first "the active player has priority after a resolution"
    for every player p: always (something resolves and p has priority implies p is active)
"""
BROKEN = {
    "passes survive an act": (
        "    put spell on stack\n    passed := no\n",
        "    put spell on stack\n",
        "full_round",
        "with `passed := no`",
    ),
    "somebody else has priority after a resolution": (
        "    go decide(active)\n\nclaims",
        "    go decide(after active)\n\nclaims",
        "active_first",
        "go decide(active)",
    ),
}


def repaired(folder: Path, capfd: pytest.CaptureFixture[str], rules: str, name: str, *more: str) -> tuple[int, str]:
    (folder / "a.rules").write_text(rules, encoding="utf-8")
    code = run(["repair", str(folder / "a.rules"), name, *more])
    done = capfd.readouterr()
    return code, done.out + done.err


@pytest.mark.parametrize("mistake", BROKEN)
def test_what_was_broken_comes_back(mistake: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    good, bad, name, repair = BROKEN[mistake]
    assert GOOD.count(good) == 1
    code, out = repaired(tmp_path, capfd, GOOD.replace(good, bad), name, "--most", "3")
    assert code == 0
    assert repair in out, out


def test_what_no_single_edit_mends(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rules = GOOD + '  holds none_resolves "nothing resolves, and something does"\n    always (something resolves and stack is empty)\n'
    code, out = repaired(tmp_path, capfd, rules, "none_resolves")
    assert code == 1
    assert "none mends it" in out


def test_what_is_met_needs_no_repair(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, out = repaired(tmp_path, capfd, GOOD, "lifo")
    assert code == 2
    assert "C114" in out
    code, out = repaired(tmp_path, capfd, GOOD, "no_such_property")
    assert code == 2
    assert "P401" in out
