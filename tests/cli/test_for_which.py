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

from ..rulesets import MARKS
from .test_commands import RULES, Stacklaw, stacklaw

__all__ = ["stacklaw"]

SIZE = ir.Option("size", "how many", (), (1, 9), 1, ())
WAY = ir.Option(
    "way", "how", (("up", ""), ("down", ""), ("left", ""), ("right", "")), None, "up", ()
)
EVERY = "for every number of players"
PROOF = ProofRecord("", 1, (), every=EVERY.removeprefix("for "))


def known(outcome: Outcome, *, proof: ProofRecord | None = None) -> Known:
    row = Row(
        "name", "", "", "", "", "", "", (), 0, True, "none", outcome, "", None, "explicit", Counts(1, 1, 1, 0), None, proof=proof
    )  # fmt: skip
    return Known(row, proof)


PROVED, HOLDS, FAILS = (
    known(Outcome.PROVED, proof=PROOF),
    known(Outcome.HOLDS),
    known(Outcome.VIOLATED),
)


def answer(
    options: tuple[ir.Option, ...], cases: dict[Case, Known], *, is_possibility: bool = False
) -> CaseTable:
    return CaseTable("name", "game", options, cases, (), is_possibility)


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
        f"holds {EVERY} when size is 1; it is open when size is 2 or 3; it does not hold when size is 4"
    )
    found = answer(
        (SIZE,), {(1,): Known(None, PROOF), (2,): Known(reason="why")}, is_possibility=True
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
        "ZX-10/settled",
        "-p",
        "hold_priority",
        "--for-which",
        "points",
        "--certificates",
        "c",
    )
    assert (code, err) == (0, "")
    assert "ZX-10/settled holds for every zone size exactly when points is everywhere." in out
    assert "points is priority    VIOLATED  a play of 3 moves" in out
    assert "stacklaw check zx -p ZX-10/settled --set points=priority" in out
    assert "hold_priority is impossible for every zone size, whatever points is." in out
    code, out, _ = stacklaw(
        "certify",
        "c/zx.ZX-10_settled.for.points.smt2",
        "c/zx.hold_priority.for.points.smt2",
        "--of",
        "zx",
    )
    assert code == 0
    out = " ".join(out.split())
    assert "valid: ZX-10/settled of zx, when points is everywhere, " in out
    assert (
        "valid: hold_priority of zx is impossible, when its options are any of their values, "
        in out
    )


WIDE = (
    RULES.replace(
        "items\n",
        'option cards "cards" from 1 to 500 default 2\noption more "m" from 1 to 10 default 2\n\nitems\n',
        1,
    )
    .replace("zones\n", "state\n  hand : 0 to cards = cards\n\nzones\n", 1)
    .replace('may 1.1 "cast a spell"\n', 'may 1.1 "cast a spell"\n    when hand > 0\n', 1)
    .replace("    put spell on stack\n", "    put spell on stack\n    hand := hand - 1\n", 1)
    + "  holds many\n    never hand > cards\n"
)


def test_a_number_with_a_wide_range_is_proved_at_once(stacklaw: Stacklaw, tmp_path: Path) -> None:
    (tmp_path / "wide.rules").write_text(WIDE, encoding="utf-8")
    code, out, _ = stacklaw(
        "check", "wide.rules", "-p", "many", "--for-which", "cards", "--format", "json"
    )
    assert code == 0
    told = json.loads(out)
    (found,) = told["for_which"]
    assert (
        found["condition"]
        == "holds for every number of players (2 or more) and every zone size, whatever cards is"
    )
    (proof,) = found["proofs"]
    assert proof["cases"] == [{"cards": [{"from": 1, "to": 500}]}]
    assert [ruleset["settings"]["cards"] for ruleset in told["rulesets"]] == [1, 2, 499, 500]
    for others in (["--engine", "explicit"], ["--for-which", "more"]):
        code, _, err = stacklaw(
            "check", "wide.rules", "-p", "many", "--for-which", "cards", *others
        )
        assert code == 2
        assert "L108" in err


def test_where_there_is_no_such_game_or_no_such_claim(stacklaw: Stacklaw, tmp_path: Path) -> None:
    some = (
        WIDE.replace("500", "5").replace("0 to cards =", "0 to 3 =")
        + "claims when cards > 1\n  fails used\n    never hand < cards\n"
    )
    (tmp_path / "some.rules").write_text(some, encoding="utf-8")
    code, out, _ = stacklaw(
        "check", "some.rules", "-p", "many", "-p", "used", "--for-which", "cards"
    )
    assert code == 0
    assert (
        "many holds for every number of players (2 or more) and every zone size when cards is at most 3; there is no such game, "
        in out
    )
    assert (
        "used does not hold when cards is 2 or 3; the ruleset makes no such claim when cards is 1; there is no such game, "
        in out
    )


def test_the_records_as_json(stacklaw: Stacklaw) -> None:
    code, out, _ = stacklaw(
        "check", "zx", "-p", "ZX-10/settled", "--for-which", "points", "--format", "json"
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
    assert found["parts"][0]["cases"] == found["proofs"][0]["cases"] == [{"points": ["everywhere"]}]


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
