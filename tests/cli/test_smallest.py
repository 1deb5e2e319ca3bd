"""``check --smallest``: where a property fails first, as a shell sees it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from stacklaw.checker.api import check as check_by_name
from stacklaw.checker.run.check import check
from stacklaw.checker.types.budget import INTERRUPTED
from stacklaw.checker.types.verdict import Outcome, Verdict
from stacklaw.cli.output.exits import Exit

from ..rulesets import MARKS
from .test_commands import Stacklaw, stacklaw

__all__ = ["stacklaw"]
CLAIMS = """
claims
  holds T-1 "nobody is marked"
    always marked is nobody
  holds T-2 "there is room"
    always size of stack < 20
"""
ASKED = ("check", "seats.rules", "-p", "T-1", "-p", "T-2", "--smallest")


@pytest.fixture
def seats(tmp_path: Path) -> Path:
    path = tmp_path / "seats.rules"
    path.write_text(MARKS + CLAIMS, encoding="utf-8")
    return path


@pytest.mark.usefixtures("seats")
def test_ctrl_c_while_looking_for_it_is_an_interruption(
    stacklaw: Stacklaw, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*arguments: Any, **named: Any) -> list[Verdict]:
        return [
            replace(verdict, outcome=Outcome.BOUNDED, reason=INTERRUPTED)
            for verdict in check(*arguments, **named)
        ]

    monkeypatch.setattr("stacklaw.checker.smallest.check", interrupted)
    code, out, _ = stacklaw(*ASKED)
    assert code == Exit.INTERRUPTED
    assert "seats: interrupted; this is what was found so far." in out


@pytest.mark.slow
@pytest.mark.usefixtures("seats")
def test_what_fails_with_more_players_is_told_with_its_play(stacklaw: Stacklaw) -> None:
    code, out, err = stacklaw(*ASKED)
    text = " ".join(out.split())
    assert code == 1
    assert "T-1 is VIOLATED" in text
    assert "marked: nobody → A" in text
    assert (
        "T-1: it fails with 3 players, in 1 move, and with 4 players, too; not with 2 players, "
        "stack 3; no play of any size is shorter." in text
    )
    assert "T-2: no play of fewer than 12 moves breaks it, at any size." in text
    assert (
        err == "note: What is told of T-1 is of 3 players, stack 1; with 2 players, stack 2 it was "
        "HOLDS.\n"
    )


@pytest.mark.slow
@pytest.mark.usefixtures("seats")
def test_the_same_as_json(stacklaw: Stacklaw) -> None:
    _, out, _ = stacklaw(*ASKED, "--format", "json")
    fails, holds = json.loads(out)["rulesets"][0]["rows"]
    assert (fails["verdict"], fails["play"]["players"], fails["least_moves"]) == ("VIOLATED", 3, 1)
    assert fails["smallest"] == {
        "scope": {"players": 3, "zones": {"stack": 1}},
        "items": {"stack": 0},
        "moves": 1,
        "without": [{"players": 2, "zones": {"stack": 3}}],
        "goes_on": True,
    }
    assert (holds["verdict"], holds["smallest"], holds["least_moves"]) == ("HOLDS", None, 12)


@pytest.mark.slow
@pytest.mark.usefixtures("seats")
def test_the_same_as_junit_and_on_the_page(stacklaw: Stacklaw) -> None:
    stacklaw(*ASKED, "--junit", "claims.xml", "--graph", "play.html")
    fails = (
        "it fails with 3 players, in 1 move, and with 4 players, too; not with 2 players, stack 3; "
        "no play of any size is shorter"
    )
    cases = [
        case.findtext("system-out", "").splitlines()
        for case in ET.parse("claims.xml").iter("testcase")
    ]
    assert [case[-1] for case in cases] == [
        f"smallest: {fails}",
        "smallest: no play of fewer than 12 moves breaks it, at any size",
    ]
    assert f"<p>{fails[0].upper()}{fails[1:]}.</p>" in Path("play.html").read_text(encoding="utf-8")


def test_the_same_from_python(seats: Path) -> None:
    fails = check_by_name(str(seats), "T-1", smallest=True)
    assert fails.smallest is not None
    assert (fails.outcome, fails.smallest.scope.players, fails.least) == (Outcome.VIOLATED, 3, 1)
    assert [verdict.smallest for verdict in check_by_name(str(seats))] == [None, None]
