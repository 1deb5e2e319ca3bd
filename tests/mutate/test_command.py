"""``stacklaw mutate``: its exit codes and formats; a claim that is added protects what nothing
protected.
"""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import pytest

from stacklaw.checker.process.interrupts import Interrupts
from stacklaw.checker.prover.workers import Workers
from stacklaw.cli.main import run

from ..reports.test_schema import SCHEMA, mistakes

pytestmark = pytest.mark.slow

RULES = """\
game "Small"
source "a test"
players 2
scope players 2, stack 1
start decide(active)

option mild "whether a pass ends it"
  no   "it does not"
  yes  "it does"

items
  spell  "spell"

zones
  stack  last in first out

stage decide(holder: player) "a player has priority"
  priority holder

  may 1 "cast"
    when stack is empty
    put spell on stack
    go decide(after holder)

  may 2 "pass"
    pass
    if mild is yes
      game over
    else if stack is not empty
      go resolve
    else
      go decide(after holder)

stage resolve "it resolves"

  must 3 "the spell resolves"
    when stack is not empty
    resolve top of stack
    go decide(active)

claims
  possible resolves "a spell can resolve" when mild is no
    possible something resolves
"""
MORE = """\
  holds next "the other one has priority after a pass" when mild is no
    for every player p: always (p passes and stack is empty implies not p has priority)
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "small.rules").write_text(RULES, encoding="utf-8")
    (tmp_path / "more.rules").write_text(RULES + MORE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = run(["mutate", *arguments])
    return code, capfd.readouterr().out


@pytest.mark.usefixtures("here")
def test_a_claim_that_is_added_protects_more(capfd: pytest.CaptureFixture[str]) -> None:
    edit = "go decide(holder), not (after holder)"
    code, out = told(capfd, "small.rules")
    assert code == 0
    assert f"unprotected  2: {edit}" in out
    assert "the edited: " in out
    code, out = told(capfd, "more.rules", "--every-edit", "--every-claim")
    assert f"unprotected  2: {edit}" not in out
    assert "next (1 move)" in out
    assert "As much is noticed by 2 claims alone: resolves and next." in out


IDLE = """\
  possible tiny "a claim that no edit makes untrue"
    possible stack is empty
  possible deep "two spells wait"
    needs stack 2
    possible size of stack is 2
  holds wrong "what these rules do not do"
    never something resolves
"""


def test_a_claim_that_is_not_asked_is_not_said_to_be_unbroken(
    here: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (here / "idle.rules").write_text(RULES + IDLE, encoding="utf-8")
    document = json.loads(told(capfd, "idle.rules", "--every-claim", "--format", "json")[1])
    assert mistakes(document, SCHEMA) == []
    assert document["idle"] == ["tiny"]
    assert document["unasked"] == ["deep", "wrong"]
    out = told(capfd, "idle.rules", "--every-claim")[1]
    assert "None of these edits breaks tiny." in out
    assert "Not asked, since your rules are not known to meet them: deep and wrong." in out
    document = json.loads(told(capfd, "idle.rules", "--format", "json")[1])
    assert [document[name] for name in ("idle", "open", "unasked", "enough")] == [[], [], [], []]


@pytest.mark.usefixtures("here")
def test_json_and_fail_under(capfd: pytest.CaptureFixture[str]) -> None:
    code, out = told(capfd, "small.rules", "--format", "json", "--fail-under", "95")
    assert code == 1
    document = json.loads(out)
    assert mistakes(document, SCHEMA) == []
    fates = {edit["fate"] for edit in document["edits"]}
    assert {"noticed", "unprotected", "refused"} <= fates
    noticed, unprotected = (
        sum(edit["fate"] == fate for edit in document["edits"])
        for fate in ("noticed", "unprotected")
    )
    assert document["share"] == noticed / (noticed + unprotected)
    assert all(
        (edit["parting"] is not None) == (edit["fate"] == "unprotected")
        for edit in document["edits"]
    )
    assert told(capfd, "small.rules", "--fail-under", "5")[0] == 0


@pytest.mark.usefixtures("here")
def test_what_only_another_reading_has_is_judged_there(capfd: pytest.CaptureFixture[str]) -> None:
    edit = "always as if mild is yes"
    document = json.loads(told(capfd, "small.rules", "--format", "json", "--all-readings")[1])
    assert document["readings"] == ["default", "mild=yes"]
    words = {edit["words"]: edit for edit in document["edits"]}
    assert words[edit]["fate"] == "noticed"
    only = words["without `pass`"]
    assert only["fate"] in ("unprotected", "noticed")
    assert any(edit["reading"] == "mild=yes" for edit in document["edits"])


def committed(here: Path, *files: str) -> None:
    """Make *here* a repository with these *files*."""
    for words in (
        ["init", "-q"],
        ["add", *files],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one"],
    ):
        subprocess.run(["git", *words], cwd=here, check=True, capture_output=True)


def test_only_what_was_touched_since_a_revision(
    here: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    committed(here, "small.rules")
    (here / "small.rules").write_text(
        RULES.replace("game over\n", "go decide(holder)\n"), encoding="utf-8"
    )
    document = json.loads(told(capfd, "small.rules", "--since", "HEAD", "--format", "json")[1])
    assert {edit["clause"] for edit in document["edits"]} == {"2"}
    assert told(capfd, "small.rules", "--since", "HEAD~7")[0] == 2


def test_what_is_wrong_with_the_old_text_is_told(
    here: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (here / "small.rules").write_text(RULES + "  nonsense\n", encoding="utf-8")
    committed(here, "small.rules")
    (here / "small.rules").write_text(RULES, encoding="utf-8")
    assert run(["mutate", "small.rules", "--since", "HEAD"]) == 2
    told_of = capfd.readouterr().err
    assert "nonsense" in told_of
    assert "HEAD" in told_of


@pytest.mark.parametrize(
    ("old", "new", "touched"),
    [
        ("  priority holder\n", "  priority after holder\n", {"decide", "1", "2"}),
        ("start decide(active)", "start decide(after active)", {"stack", "decide", "1", "2", "3"}),
        ("last in first out", "in any order", {"decide", "1", "2", "3"}),
        ('"it resolves"\n\n', '"it resolves, then"\n\n', set()),
    ],
)
def test_what_a_change_touches(
    old: str, new: str, touched: set[str], here: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert old in RULES
    committed(here, "small.rules")
    text = RULES.replace(old, new)
    if "any order" in new:
        text = text.replace("resolve top of stack", "choose i in stack\n    resolve i")
    (here / "small.rules").write_text(text, encoding="utf-8")
    document = json.loads(told(capfd, "small.rules", "--since", "HEAD", "--format", "json")[1])
    assert {edit["clause"] for edit in document["edits"]} == touched


def test_the_old_text_is_that_of_the_same_file(
    here: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Another file of that name lies at the top of the repository; and the file may lie in a
    repository elsewhere.
    """
    (here / "sub").mkdir()
    (here / "sub" / "small.rules").write_text(
        RULES.replace("decide(after holder)", "decide(holder)"), encoding="utf-8"
    )
    committed(here, ".")
    monkeypatch.chdir(here / "sub")
    places = ["small.rules", str(here / "small.rules")]
    for file in places:
        assert (
            json.loads(told(capfd, file, "--since", "HEAD", "--format", "json")[1])["edits"] == []
        )
    monkeypatch.chdir(here.parent)
    assert (
        json.loads(
            told(capfd, f"{here.name}/small.rules", "--since", "HEAD", "--format", "json")[1]
        )["edits"]
        == []
    )


@pytest.mark.usefixtures("here")
def test_too_little_time_leaves_it_open(capfd: pytest.CaptureFixture[str]) -> None:
    code, out = told(capfd, "small.rules", "--time", "0.01")
    assert code == 3
    assert "Not all edits were looked at" in out


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("scope", [("--stack", "0"), ("--players", "5"), ("--scope", "nowhere=1")])
def test_a_scope_that_there_is_not_is_wrong_input(
    scope: tuple[str, str], capfd: pytest.CaptureFixture[str]
) -> None:
    assert told(capfd, "small.rules", *scope)[0] == 2


def test_a_mistake_in_a_claim_is_wrong_input(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (here / "wrong.rules").write_text(
        RULES + '  holds wrong "a slip" when mild is yes\n    always nothing.here\n',
        encoding="utf-8",
    )
    assert told(capfd, "wrong.rules")[0] == 2


@pytest.mark.usefixtures("here")
def test_after_an_interrupt_nothing_is_looked_for_long(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    hurried: list[bool] = []
    monkeypatch.setattr("stacklaw.checker.mutate.survey.judged", interrupted)
    monkeypatch.setattr("stacklaw.checker.types.budget.Meter.hurry", lambda _: hurried.append(True))
    assert told(capfd, "small.rules")[0] == 130
    assert hurried == [True]


@pytest.mark.usefixtures("here")
def test_an_interrupt_while_the_processes_end_loses_nothing(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    interrupts, usual = Interrupts(), Workers.close

    def close(workers: Workers) -> None:
        interrupts._note_signal(signal.SIGINT, None)
        usual(workers)

    monkeypatch.setattr("stacklaw.checker.mutate.survey.INTERRUPTS", interrupts)
    monkeypatch.setattr(Workers, "close", close)
    assert "unprotected" in told(capfd, "small.rules")[1]
    assert interrupts.asked == signal.SIGINT
