"""``check --for-which``: for which values of options a property holds, as one condition."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stacklaw.checker.types.verdict import Counts, Outcome
from stacklaw.models import ir
from stacklaw.models.options.cases import Case
from stacklaw.reports.telling.record import ProofRecord, Row
from stacklaw.reports.text.for_which import CaseTable, Known

from ..rulesets import MARKS, PASS, RESOLVE, SPELLS, TABLE
from .test_commands import Stacklaw, stacklaw

__all__ = ["stacklaw"]

SIZE = ir.Option("size", "how many", (), (1, 9), 1, ())
WAY = ir.Option(
    "way", "how", (("up", ""), ("down", ""), ("left", ""), ("right", "")), None, "up", ()
)
EVERY = "for every number of players"
PROOF = ProofRecord("", 1, (), every=EVERY.removeprefix("for "))
PLAYED = f"""\
game "Hand"
{TABLE}
option cards "cards in hand" from 0 to 9 default 2
option most "how many may be held" from 3 to 6 default 5
option answers "who may answer"
  all "everybody"
  active_player "the active player"
  none "nobody"
{SPELLS}
state
  hand : 0 to most = cards
stage decide(holder: player) "a player has priority"
  priority holder
  may 1.1 "cast a spell"
    when hand > 0
    when stack is empty or answers is all or (answers is active_player and holder is active)
    put spell on stack
    hand -= 1
    go decide(holder)
{PASS}{RESOLVE}
    go decide(active)
claims
  holds alone
    never size of stack > 1
claims when cards > 1
  fails used
    never hand < cards
"""


def known(outcome: Outcome, *, proof: ProofRecord | None = None) -> Known:
    row = Row(
        "name", "", "", "", "", "", "", (), 0, True, "none", outcome, "", None, "explicit",
        Counts(1, 1, 1, 0), None, proof=proof
    )  # fmt: skip
    return Known(row)


PROVED, HOLDS, FAILS = (
    known(Outcome.PROVED, proof=PROOF),
    known(Outcome.HOLDS),
    known(Outcome.VIOLATED),
)


def answer(
    options: tuple[ir.Option, ...], cases: dict[Case, Known], *, is_possibility: bool = False
) -> CaseTable:
    return CaseTable("name", "game", options, cases, is_possibility)


def said(found: list[Known]) -> str:
    return answer((SIZE,), {(number,): one for number, one in enumerate(found, start=1)}).condition


def test_one_condition() -> None:
    assert said([PROVED, PROVED, *[PROVED] * 7]) == f"holds {EVERY}, whatever size is"
    assert said([PROVED, PROVED, *[FAILS] * 7]) == f"holds {EVERY} exactly when size is at most 2"
    assert (
        said([FAILS, FAILS, FAILS, FAILS, HOLDS, *[FAILS] * 4])
        == "holds within the scope exactly when size is 5"
    )
    assert (
        said([FAILS, PROVED, FAILS, *[PROVED] * 6])
        == f"holds {EVERY} exactly when size is 2 or at least 4"
    )
    assert (
        said([known(Outcome.POSSIBLE), known(Outcome.IMPOSSIBLE)])
        == "is impossible within the scope exactly when size is 2"
    )


def test_what_is_proved_what_holds_within_the_scope_and_what_is_open_is_kept_apart() -> None:
    assert (
        said([PROVED, HOLDS])
        == f"holds {EVERY} when size is 1; it holds within the scope when size is 2"
    )
    assert (
        said([FAILS, known(Outcome.UNKNOWN)])
        == "does not hold when size is 1; it is undecided when size is 2"
    )
    assert said([PROVED, HOLDS, FAILS]).count("; it ") == 2
    assert said([PROVED, Known(), Known(reason="why"), FAILS]) == (
        f"holds {EVERY} when size is 1; it is open when size is 2 or 3; it does not hold when size "
        "is 4"
    )
    found = answer(
        (SIZE,),
        {(1,): known(Outcome.IMPOSSIBLE, proof=PROOF), (2,): Known(reason="why")},
        is_possibility=True,
    )
    assert found.condition == f"is impossible {EVERY} when size is 1; it is open when size is 2"
    assert [(part.outcome, part.reason) for part in found.parts] == [
        (Outcome.IMPOSSIBLE, ""),
        (None, "why"),
    ]
    assert found.is_open


def test_what_says_nothing_says_so_of_the_scope() -> None:
    """It may be broken where there are more players, or more room."""
    assert said([known(Outcome.VACUOUS)] * 9) == "says nothing within the scope, whatever size is"
    assert (
        said([known(Outcome.VACUOUS), FAILS])
        == "says nothing within the scope when size is 1; it does not hold when size is 2"
    )


def test_of_another_size_nothing_is_said(stacklaw: Stacklaw, tmp_path: Path) -> None:
    """With two players nothing within the scope shows what it is about, and the scope cuts moves;
    with three it is broken.
    """
    rules = MARKS.replace("items\n", 'option way "how" from 1 to 2 default 1\n\nitems\n', 1)
    rules += "\nclaims\n  holds C-1\n    never (marked is not nobody and stack is empty)\n"
    (tmp_path / "marks.rules").write_text(rules, encoding="utf-8")
    code, out, _ = stacklaw(
        "check", "marks.rules", "-p", "C-1", "--for-which", "way", "--engine", "explicit"
    )
    assert code == 3
    assert "whatever way is  UNKNOWN" in out
    assert "VACUOUS" not in out
    code, out, _ = stacklaw(
        "check",
        "marks.rules",
        "-p",
        "C-1",
        "--players",
        "3",
        "--for-which",
        "way",
        "--engine",
        "explicit",
    )
    assert "  whatever way is  VIOLATED  a play of 1 move\n" in out


def test_a_condition_on_two_options() -> None:
    cases: dict[Case, Known] = {
        (way, size): PROVED for way, _ in WAY.values for size in range(1, 10)
    }
    assert answer((WAY, SIZE), cases).condition == f"holds {EVERY}, whatever way and size are"
    cases |= {
        case: FAILS
        for case in cases
        if case[0] == "down" or (case[0] == "up" and case[1] in range(4, 10))
    }
    assert (
        answer((WAY, SIZE), cases).condition
        == f"holds {EVERY} exactly when way is up and size is at most 3, or way is left or right"
    )
    cases = {
        (way, size): FAILS if way == "down" else PROVED
        for way, _ in WAY.values
        for size in range(1, 10)
    }
    assert answer((WAY, SIZE), cases).condition == f"holds {EVERY} exactly when way is not down"


@pytest.mark.slow
def test_a_game(stacklaw: Stacklaw) -> None:
    code, out, err = stacklaw(
        "check",
        "zx",
        "-p",
        "ZX-10",
        "-p",
        "hold_priority",
        "--for-which",
        "points",
        "--certificates",
        "c",
    )
    assert (code, err) == (0, "")
    assert "ZX-10 holds for every zone size exactly when points is everywhere." in out
    assert "points is priority    VIOLATED  a play of 3 moves" in out
    assert "stacklaw check zx -p ZX-10 --set points=priority" in out
    assert "hold_priority is impossible for every zone size, whatever points is." in out
    code, out, _ = stacklaw(
        "certify", "c/zx@points=priority.hold_priority.smt2", "--of", "zx@points=priority"
    )
    assert (code, "valid: hold_priority of zx@points=priority is impossible" in out) == (0, True)


@pytest.fixture
def hand(tmp_path: Path) -> None:
    (tmp_path / "hand.rules").write_text(PLAYED, encoding="utf-8")


@pytest.mark.slow
@pytest.mark.usefixtures("hand")
def test_each_case_is_asked_as_check_asks_it(stacklaw: Stacklaw) -> None:
    """Two options, one of them a number: the condition is that of thirty checks."""
    both = ("--for-which", "cards", "--for-which", "answers")
    code, out, _ = stacklaw("check", "hand.rules", "-p", "alone", *both, "--set", "most=6")
    assert code == 0
    assert (
        "exactly when cards is at most 1, or cards is 2 to 6 and answers is none; there is no such "
        "game, a number being outside its range at first, when cards is at least 7."
    ) in " ".join(out.split())
    for settings, verdict in (("cards=2", "VIOLATED"), ("cards=1", "PROVED")):
        _, out, _ = stacklaw("check", "hand.rules", "-p", "alone", "--set", settings)
        assert verdict in out


@pytest.mark.usefixtures("hand")
def test_where_there_is_no_such_game_or_no_such_claim(stacklaw: Stacklaw) -> None:
    code, out, _ = stacklaw("check", "hand.rules", "-p", "used", "--for-which", "cards")
    assert code == 0
    assert (
        "used does not hold when cards is 2 to 5; the ruleset makes no such claim when cards is at "
        "most 1; there is no such game: " in " ".join(out.split())
    )


@pytest.mark.usefixtures("hand")
def test_so_many_cases_are_refused(stacklaw: Stacklaw) -> None:
    every = [word for name in ("cards", "most", "answers") for word in ("--for-which", name)]
    code, _, err = stacklaw("check", "hand.rules", "-p", "alone", *every)
    assert (code, "L108" in err) == (2, True)


@pytest.mark.usefixtures("hand")
def test_one_time_is_for_all_cases(stacklaw: Stacklaw) -> None:
    hurried = ("--players", "3", "--time", "0.000001")  # no other test asks of three players
    code, out, _ = stacklaw("check", "hand.rules", "-p", "alone", "--for-which", "cards", *hurried)
    assert (code, "alone is undecided when cards is at most 5" in out) == (3, True)
    assert "its part of the time of 1e-06 s was up" in " ".join(out.split())


def test_the_records_as_json(stacklaw: Stacklaw) -> None:
    code, out, _ = stacklaw(
        "check", "zx", "-p", "ZX-10", "--for-which", "points", "--format", "json"
    )
    assert code == 0
    told = json.loads(out)
    assert [ruleset["settings"]["points"] for ruleset in told["rulesets"]] == [
        "everywhere",
        "priority",
    ]
    (found,) = told["for_which"]
    assert [(part["when"], part["verdict"], part["moves"]) for part in found["parts"]] == [
        ("points is everywhere", "PROVED", None), ("points is priority", "VIOLATED", [3, 3])
    ]  # fmt: skip
    assert found["parts"][0]["cases"] == [{"points": ["everywhere"]}]


@pytest.mark.parametrize(
    "arguments",
    [["mtg", "--for-which", "leaving"], ["mtg", "zx", "-p", "lifo", "--for-which", "leaving"]],
)
def test_it_needs_one_ruleset_and_a_property(stacklaw: Stacklaw, arguments: list[str]) -> None:
    code, _, err = stacklaw("check", *arguments)
    assert code == 2
    assert "--for-which" in err


def test_an_option_that_is_none(stacklaw: Stacklaw) -> None:
    code, _, err = stacklaw("check", "mtg", "-p", "lifo", "--for-which", "leavin")
    assert code == 2
    assert "leaving" in err


@pytest.mark.slow
def test_what_no_play_shows_while_moves_are_cut_is_asked_of_every_size(stacklaw: Stacklaw) -> None:
    code, out, _ = stacklaw(
        "check", "zx", "-p", "lifo", "--for-which", "chooser", "--engine", "explicit"
    )
    assert (code, "lifo is undecided, whatever chooser is." in out) == (3, True)
    code, out, _ = stacklaw("check", "zx", "-p", "lifo", "--for-which", "chooser")
    assert (code, "lifo says nothing within the scope, whatever chooser is." in out) == (0, True)
