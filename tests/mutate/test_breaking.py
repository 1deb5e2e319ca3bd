"""``stacklaw coverage --edits``: a claim covers a statement only if an edit of the statement's
clauses breaks it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from stacklaw.checker.mutate.edits.edits import edits_of
from stacklaw.checker.mutate.judge import Judge, JudgedReading
from stacklaw.cli.main import run
from stacklaw.models.load import opened
from stacklaw.models.source import Source

from .test_command import RULES

pytestmark = pytest.mark.slow

CLAIMS = """\
  holds S-1 "a spell waits for a pass" when mild is no
    always (something resolves implies previously clause 2 or once clause 2)

  holds S-2 "where somebody has priority somebody has"
    always (at decide implies someone has priority)

  possible S-3 "a spell can resolve" cites 3
    possible something resolves
"""
STATEMENTS = (
    "S-1\ta spell waits\nS-2\tpriority is there\nS-3\tspells resolve\n3\tthe spell resolves\n"
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "small.rules").write_text(RULES + CLAIMS, encoding="utf-8")
    (tmp_path / "small.clauses").write_text(STATEMENTS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = run(["coverage", "small.rules", *arguments])
    return code, " ".join(capfd.readouterr().out.split())


@pytest.mark.usefixtures("here")
def test_a_claim_that_nothing_can_break_covers_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    assert told(capfd)[0] == 0
    code, out = told(capfd, "--edits")
    assert code == 1
    assert "S-2 holds: HOLDS; no edit breaks it" in out
    assert "not covered: S-2." in out
    assert "S-1 holds: HOLDS; broken by 1: " in out


@pytest.mark.usefixtures("here")
def test_what_breaks_a_claim_is_an_edit_of_the_clauses_of_the_statement(
    capfd: pytest.CaptureFixture[str],
) -> None:
    _, out = told(capfd, "--edits")
    of_clause = out.partition("3 the spell resolves")[2]
    assert "S-3 possible: POSSIBLE; broken by 3: " in of_clause


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("seconds", ["0.0001", "0.02", "0.3"])
def test_too_little_time_leaves_it_open(seconds: str, capfd: pytest.CaptureFixture[str]) -> None:
    """What was not decided in time is not known to fail, and what did not fire until then may
    fire.
    """
    code, out = told(capfd, "--edits", "--time", seconds)
    assert code == 3
    assert "Not searched to the end: " in out
    assert "the edits: the time of" in out
    assert "OPEN with more time or room this may cover it" in out
    assert "MISSING" not in out


def test_whether_an_edit_breaks_a_claim_is_what_the_survey_says() -> None:
    program = opened(Source("small.rules", RULES + CLAIMS))
    judge = Judge(JudgedReading(program.source))
    for edit in edits_of(program):
        judgement = judge.judge(edit, every_claim=True)
        noticed = {one.name for one in judgement.noticed}
        assert {
            one.claim.name for one in judge.claims if judge.is_broken(edit, one.claim.name)
        } == noticed, edit.words
