"""``stacklaw ask``: exit codes, formats, several games, and the prompt."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from stacklaw.cli.main import run

from .questions import DENIALS

QUESTION = "A casts an instant; A passes: may B respond?"


def test_an_answer_is_told_with_its_clause_and_its_play(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", "mtg", QUESTION]) == 0
    out = capsys.readouterr().out
    assert out.startswith("YES, NOW.\n  117.3d/c the next player in turn order receives priority\n")
    assert "2 A passes 117.3d" in out


@pytest.mark.parametrize(
    ("expected", "code"), [("yes", 0), ("Yes, now.", 0), ("no", 1), ("not yet", 1)]
)
def test_an_answer_that_is_not_expected_ends_with_1(
    expected: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ask", "mtg", QUESTION, "--expect", expected]) == code
    assert ("NOT AS EXPECTED" in capsys.readouterr().out) == bool(code)


def test_what_is_not_understood_ends_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", "mtg", "A kasts an instant: may B respond?"]) == 2
    err = capsys.readouterr().err
    assert "C202" in err
    assert "did you mean `cast`" in err


def test_all_readings_are_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run(
            [
                "ask",
                "mtg",
                "A casts an instant; A passes; B passes: may B respond before it resolves?",
                "--all-readings",
            ]
        )
        == 0
    )
    out = capsys.readouterr().out
    assert "last_pass=both: two rules apply" in out


def test_in_which_readings_asks_in_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", "zx", "in which readings may B play a card in A's main phase?"]) == 0
    assert "The same in all 6 readings." in capsys.readouterr().out


def test_json_has_the_answer_and_the_lanes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", "mtg", QUESTION, "--format", "json"]) == 0
    (answer,) = json.loads(capsys.readouterr().out)["answers"]
    assert answer["head"] == "yes, now"
    assert [lane["holders"] for lane in answer["lanes"]] == [[0], [0], [1]]


def test_several_games_stand_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", "mtg", "zx", "A casts an instant: who has priority?"]) == 0
    mtg, zx = (
        line for line in capsys.readouterr().out.splitlines() if line.startswith(("mtg", "zx"))
    )
    assert mtg.split()[1] == "A."
    assert zx.split()[1] == "-"


def test_a_prompt_keeps_what_was_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [
        "A casts an instant",
        "A passes",
        "may B respond?",
        "undo",
        "who has priority?",
        "why",
        "save",
        "B passes",
        "nonsense",
        "why can't B respond?",
        "A passes: may B respond?",
        "quit",
        "x",
    ]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines)))
    assert run(["ask", "mtg"]) == 0
    out = capsys.readouterr().out
    assert "YES, NOW." in out
    assert "taken back: A passes" in out
    # Asked in what was said, in other words, or with more of it.
    assert "YES, IN EVERY PLAY WITHIN THE SCOPE." in out
    assert out.count("YES, NOW.") == 2
    assert 'ask = "A casts an instant: who has priority?"\nanswer = "A"' in out
    assert "B cannot pass here." in out
    assert "Nothing in this game is called `nonsense`." in out


def test_a_player_whom_the_rules_name_is_told_by_that_name(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["ask", "netrunner", "A passes: may B score an agenda?"]) == 0
    assert "because B is not corp" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ("A passes: may B strike?", "because B is not active"),
        ("A passes: may A strike now?", ""),
        ("A strikes: may A strike now?", "because chain is not empty"),
    ],
)
def test_what_is_against_a_player_is_no_reason_against_another(
    asked: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where A has no priority, what is not so of B, who has it, does not keep A from it."""
    (tmp_path / "denials.rules").write_text(DENIALS)
    assert run(["ask", str(tmp_path / "denials.rules"), asked]) == 0
    said = [line.strip() for line in capsys.readouterr().out.splitlines() if "because" in line]
    assert said == [reason] * bool(reason)
