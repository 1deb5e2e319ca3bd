"""Rulings with a source notice edits, as claims do; those without one notice nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stacklaw.checker.mutate.edits.edits import Edit, edits_and_additions, edits_of
from stacklaw.checker.mutate.judge import Judge, JudgedReading, Judgement
from stacklaw.checker.mutate.survey import JudgeRequest, read_request, written_request
from stacklaw.checker.rulings.ask import ask
from stacklaw.checker.types.scope import make_scope
from stacklaw.cli.main import run
from stacklaw.models.load import load, opened
from stacklaw.models.source import Source
from stacklaw.models.words import did_you_mean

from ..rulings.test_filed import CAST, READINGS, RESOLVED, ruling
from .test_repair import BROKEN, GOOD

SOURCE = Source("mine.rules", READINGS)


def judged(edit: Edit, rulings: str) -> Judgement:
    """Return what becomes of *edit*; where the worker gets the reading from a request, so does
    this.
    """
    reading = JudgedReading(SOURCE, rulings=Source("mine.rulings", rulings))
    sent = read_request(written_request(JudgeRequest(reading, (0,))))
    assert sent.reading == reading
    return Judge(sent.reading).judge(edit, every_claim=False)


def edit_of(clause: str, words: str) -> Edit:
    found = {edit.words: edit for edit in edits_of(opened(SOURCE)) if edit.clause == clause}
    assert words in found, did_you_mean(words, found) or [*found]
    return found[words]


@pytest.fixture
def of_the_resolution() -> Edit:
    """The edit by which the same player goes on after a spell: `RESOLVED` asks who does."""
    return edit_of("3", "go decide(active), not (after active)")


def test_a_ruling_with_a_source_notices(of_the_resolution: Edit) -> None:
    assert judged(of_the_resolution, "").fate == "unprotected"
    assert judged(of_the_resolution, ruling(CAST, "B")).fate == "unprotected"
    found = judged(of_the_resolution, ruling(CAST, "B") + ruling(RESOLVED, "B"))
    assert (found.fate, [one.name for one in found.noticed]) == ("noticed", ["mine.rulings:6"])
    assert found.noticed[0].moves > 0


def test_a_ruling_without_a_source_or_against_the_rules_notices_nothing(
    of_the_resolution: Edit,
) -> None:
    assert judged(of_the_resolution, ruling(RESOLVED, "B", source="")).fate == "unprotected"
    assert judged(of_the_resolution, ruling(RESOLVED, "B", source="  ")).fate == "unprotected"
    assert judged(of_the_resolution, ruling(RESOLVED, "A")).fate == "unprotected"


def test_what_an_edit_makes_impossible_is_refused_and_so_noticed() -> None:
    found = judged(edit_of("1", "the game is over, instead of go decide"), ruling(RESOLVED, "B"))
    assert (found.fate, [(one.name, one.moves) for one in found.noticed]) == (
        "noticed",
        [("mine.rulings:1", 0)],
    )


def test_a_ruling_notices_an_edit_of_its_own_reading() -> None:
    """Which this reading has nothing of."""
    elsewhere = edit_of("3/mine", "go decide(after active), not (active)")
    assert judged(elsewhere, ruling(RESOLVED, "B")).fate == "absent"
    assert judged(elsewhere, ruling(RESOLVED, "A", reading="turn=mine")).fate == "noticed"
    assert judged(elsewhere, ruling(CAST, "B", reading="turn=mine")).fate == "absent"


def test_every_ruling_is_asked_where_every_claim_is(of_the_resolution: Edit) -> None:
    text = (
        ruling(RESOLVED, "B")
        + ruling(CAST, "B")
        + ruling("A casts a spell; B passes: may A cast a spell?", "not yet")
    )
    judge = Judge(JudgedReading(SOURCE, rulings=Source("mine.rulings", text)))
    every = judge.judge(of_the_resolution, every_claim=True)
    assert [one.name for one in every.noticed] == ["mine.rulings:1", "mine.rulings:11"]
    likely = judge.judge(of_the_resolution, every_claim=False, likely=["mine.rulings:11"])
    assert [one.name for one in likely.noticed] == ["mine.rulings:11"]


def test_a_repair_loses_no_ruling() -> None:
    good, bad, name, repair = BROKEN["passes survive an act"]
    source = Source("mine.rules", GOOD.replace(good, bad))
    ask_it = "A passes; B casts a spell; A passes: who has priority?"
    said, mended = (
        ask(load(one), ask_it, make_scope(load(one))).value
        for one in (source, Source("mine.rules", GOOD))
    )
    assert said != mended
    edit = next(one for one in edits_and_additions(opened(source)) if one.words == repair)
    fates = {
        answer: Judge(
            JudgedReading(source, rulings=Source("mine.rulings", ruling(ask_it, answer)))
        ).mend(edit, name)
        for answer in (said, mended)
    }
    assert (fates[said].fate, [one.name for one in fates[said].noticed]) == (
        "noticed",
        ["mine.rulings:1"],
    )
    assert fates[mended].fate == "mended"  # which the broken rules do not meet either


def test_the_command_counts_rulings(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.rules").write_text(READINGS, encoding="utf-8")
    shares = []
    for text in ("", ruling(CAST, "B") + ruling(RESOLVED, "B")):
        (tmp_path / "mine.rulings").write_text(text, encoding="utf-8")
        assert run(["mutate", str(tmp_path / "mine.rules"), "--format", "json"]) == 0
        rows = json.loads(capfd.readouterr().out)["edits"]
        shares.append(sum(row["fate"] == "noticed" for row in rows))
    assert shares[0] == 0
    assert shares[1] > 10
    (tmp_path / "mine.rulings").write_text("[[ruling]]", encoding="utf-8")
    for command in (
        ["mutate", str(tmp_path / "mine.rules")],
        ["repair", str(tmp_path / "mine.rules"), "lifo"],
    ):
        assert run(command) == 2
        assert "C205" in capfd.readouterr().err
