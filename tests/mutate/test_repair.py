"""``stacklaw repair``: a rule that was broken by one edit comes back among the first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from stacklaw.checker.mutate.edits.edits import edits_and_additions
from stacklaw.checker.mutate.judge import Judge, JudgedReading, Judgement
from stacklaw.checker.mutate.pairs import breaking_play, searched
from stacklaw.checker.mutate.repair import repairs
from stacklaw.checker.mutate.survey import JudgeRequest, judged
from stacklaw.checker.prover.workers import Pool
from stacklaw.checker.types.budget import Budget, BudgetSpentError, Meter
from stacklaw.cli.main import run
from stacklaw.models.load import opened
from stacklaw.models.source import Source

from ..rulesets import SPELLS

GOOD = f"""\
game "Answers"
source "a test"
players 2
scope players 2, stack 2
start decide(active)
{SPELLS}
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
    "a round ends one pass early": (
        "    if passed and stack is not empty\n",
        "    if stack is not empty\n",
        "full_round",
        "2: `if passed and stack is not empty`",
    ),
    "somebody else has priority after a resolution": (
        "    go decide(active)\n\nclaims",
        "    go decide(after active)\n\nclaims",
        "active_first",
        "go decide(active)",
    ),
}


def repaired(
    folder: Path, capfd: pytest.CaptureFixture[str], rules: str, name: str, *more: str
) -> tuple[int, str]:
    (folder / "a.rules").write_text(rules, encoding="utf-8")
    code = run(["repair", str(folder / "a.rules"), name, *more])
    done = capfd.readouterr()
    return code, done.out + done.err


@pytest.mark.parametrize("mistake", BROKEN)
def test_what_was_broken_comes_back(
    mistake: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    good, bad, name, repair = BROKEN[mistake]
    assert GOOD.count(good) == 1
    code, out = repaired(tmp_path, capfd, GOOD.replace(good, bad), name, "--most", "3")
    assert code == 0
    assert repair in out, out


def test_two_mistakes_are_mended_by_two_edits(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    bad = GOOD.replace("    passed := no\n", "")
    assert bad.count("\n") == GOOD.count("\n") - 2
    code, out = repaired(tmp_path, capfd, bad, "full_round", "--most", "3")
    assert code == 0
    assert "1: with `passed := no`" in out, out
    assert "and 3: with `passed := no`" in out, out
    assert re.search(r"of \d+ edits and [\d,]+ pairs of them one mends it", out)


def test_an_edit_that_leaves_the_breaking_play_as_it_is_is_not_tried() -> None:
    """And none of these mends anything: what is tried is all that could."""
    bad, name = BROKEN["passes survive an act"][1:3]
    more = '  must 4 "nothing is there"\n    when stack is empty\n    go decide(active)\n\nclaims\n'
    program = opened(
        Source(
            "a.rules",
            GOOD.replace(BROKEN["passes survive an act"][0], bad).replace("claims\n", more),
        )
    )
    judge = Judge(JudgedReading(program.source))
    play = breaking_play(judge, name, searched(judge, judge.program, name, Meter()))
    assert play is not None
    edits = edits_and_additions(program)
    left = [edit for edit in edits if not play.may_end_by(edit.program, program)]
    assert 0 < len(left) < len(edits)
    assert all(judge.mend(edit, name).fate in ("noticed", "refused") for edit in left)


def test_what_was_found_before_the_time_was_up_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    good, bad, name, repair = BROKEN["passes survive an act"]
    source = Source("a.rules", GOOD.replace(good, bad))
    found = repairs(JudgedReading(source), name, Meter())
    assert [one.edits[0].words for one in found.mending] == [repair]

    def some(
        requests: Sequence[JudgeRequest], meter: Meter, pool: Pool
    ) -> Iterator[tuple[int, Judgement]]:
        for number, judgement in judged(requests, meter, pool):
            yield number, judgement
            if judgement.fate == "mended":
                raise BudgetSpentError("the time of 1 s was up")

    monkeypatch.setattr("stacklaw.checker.mutate.repair.judged", some)
    early = repairs(JudgedReading(source), name, Meter())
    assert early.stopped == "the time of 1 s was up"
    assert [one.edits[0].words for one in early.mending] == [repair]
    assert early.tried <= found.tried


def test_no_edits_are_made_when_the_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    good, bad, name, _ = BROKEN["passes survive an act"]
    source = Source("a.rules", GOOD.replace(good, bad))
    monkeypatch.setattr("stacklaw.checker.mutate.edits.edits.edits_of", lambda _: [])
    with Meter(Budget(seconds=1e-6)).watching(), pytest.raises(BudgetSpentError):
        edits_and_additions(opened(source))
    monkeypatch.delattr("stacklaw.checker.mutate.repair.edits_and_additions")
    found = repairs(JudgedReading(source), name, Meter(Budget(seconds=1e-6)))
    assert (found.tried, found.stopped) == (0, "the time of 1e-06 s was up")


def test_what_no_single_edit_mends(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rules = (
        GOOD
        + '  holds none_resolves "nothing resolves, and something does"\n    always (something '
        "resolves and stack is empty)\n"
    )
    code, out = repaired(tmp_path, capfd, rules, "none_resolves")
    assert code == 1
    assert "none mends it" in out


def test_pairs_that_a_process_tried_when_it_died_are_said_to_be_missing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "stacklaw.checker.mutate.repair.replies_to",
        lambda requests, *_: ((at, {"died": -9}) for at in range(len(requests))),
    )
    code, out = repaired(tmp_path, capfd, GOOD.replace("    passed := no\n", ""), "full_round")
    assert code == 3
    assert "Not everything was tried: a process that tried pairs ended (-9)." in out


def test_what_is_met_needs_no_repair(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, out = repaired(tmp_path, capfd, GOOD, "lifo")
    assert code == 2
    assert "C114" in out
    code, out = repaired(tmp_path, capfd, GOOD, "no_such_property")
    assert code == 2
    assert "P401" in out


def test_what_lacks_room_is_not_repaired(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rules = (
        GOOD + '  possible two "two spells are on the stack"\n    needs stack 2\n    possible size '
        "of stack is 2\n"
    )
    code, out = repaired(tmp_path, capfd, rules, "two", "--stack", "1")
    assert code == 2
    assert "C114" in out
    assert "two needs stack 2" in out
