"""``stacklaw check --all-readings``: every reading decided as if it were asked for by itself, and
told in one page.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from stacklaw.checker.types.budget import Meter
from stacklaw.cli.asking import questions, readings
from stacklaw.models.load import load
from stacklaw.models.options.cases import MOST_NUMBERS, other_readings
from stacklaw.models.source import Source

from ..rulesets import ONE_PASS
from .test_commands import Stacklaw, stacklaw

pytestmark = pytest.mark.slow

__all__ = ["stacklaw"]
OPTIONS = """\
option keeps "who has priority after a spell"
  same  "whoever has cast it"
  next  "the next player"

option most "how many spells there may be" from 2 to 4 default 2

items"""
CLAIMS = """
claims
  holds      lifo
  possible   hold_priority  when keeps is same
  impossible hold_priority  when keeps is next
  holds few "there are few spells"
    always size of stack <= 3
"""
RULES = (
    ONE_PASS.replace("items", OPTIONS, 1)
    .replace("scope players 2, stack 2", "scope players 2, stack 4")
    .replace(
        "    put spell on stack\n    go decide(holder)\n",
        "    when size of stack < most\n    put spell on stack\n    GO\n",
    )
    .replace(
        "    GO\n",
        "    if keeps is same\n      go decide(holder)\n    else\n      go decide(after holder)\n",
    )
) + CLAIMS


@pytest.fixture(autouse=True)
def rules(tmp_path: Path) -> None:
    (tmp_path / "two.rules").write_text(RULES, encoding="utf-8")


def rulesets(stacklaw: Stacklaw, *arguments: str) -> list[dict[str, Any]]:
    document = json.loads(stacklaw("check", *arguments, "--format", "json")[1])
    found: list[dict[str, Any]] = document["rulesets"]
    return found


def test_progress_goes_on_from_one_ruleset_to_the_next(
    stacklaw: Stacklaw, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "more.rules").write_text(RULES, encoding="utf-8")
    done: list[int] = []

    def count(_: Meter, number: int, *__: object) -> None:
        done.append(number)

    monkeypatch.setattr(Meter, "count", count)
    stacklaw("check", "two.rules", "more.rules", "--all-readings")
    assert done
    assert done == sorted(done)


def test_what_is_not_as_claimed_is_told_by_reading(stacklaw: Stacklaw) -> None:
    code, out, _ = stacklaw("check", "two.rules", "--all-readings")
    assert code == 1
    told = [line.strip() for line in out.splitlines() if line.strip()]
    assert told[0] == "two  One pass"
    assert told[1] == "two@most=4"
    assert told[2].startswith("NOT MET  few lost: ")
    assert "(line " in told[2] + told[3]
    assert "`stacklaw check two.rules --set most=4 -p few` tells more of the first of them." in told
    assert "two@keeps=next" not in out
    assert told[-1] == "two: 4 readings, 12 claims: 11 met, 1 NOT MET."


@pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="no pipe has a name here")
def test_the_processes_that_look_at_readings_know_what_came_through_a_pipe(
    stacklaw: Stacklaw,
) -> None:
    read, write = os.pipe()
    os.write(write, RULES.encode())
    os.close(write)
    code, out, err = stacklaw(
        "check", f"/dev/fd/{read}", "-p", "few", "--engine", "explicit", "--all-readings", "--short"
    )
    os.close(read)
    assert (code, err) == (1, "")
    assert "4 readings" in out


def test_two_options_at_once(stacklaw: Stacklaw) -> None:
    found = rulesets(stacklaw, "two.rules", "--all-readings=pairs")
    names = [
        "two",
        "two@keeps=next",
        "two@most=3",
        "two@most=4",
        "two@keeps=next,most=3",
        "two@keeps=next,most=4",
    ]
    assert [one["name"] for one in found] == names
    lost = [one["name"] for one in found if any(row["status"] == "not met" for row in one["rows"])]
    assert lost == ["two@most=4", "two@keeps=next,most=4"]


def test_each_reading_is_as_if_it_were_asked_for_by_itself(stacklaw: Stacklaw) -> None:
    for one in rulesets(stacklaw, "two.rules", "--all-readings"):
        settings = [
            part for name, value in one["settings"].items() for part in ("--set", f"{name}={value}")
        ]
        (alone,) = rulesets(stacklaw, "two.rules", *settings, "--engine", "explicit")
        by_itself = {row["property"]: row for row in alone["rows"]}
        assert one["settings"] == alone["settings"]
        assert [row["property"] for row in one["rows"]] == list(by_itself)
        for row in one["rows"]:
            verdict = {"PROVED": "HOLDS"}.get(row["verdict"], row["verdict"])
            other = by_itself[row["property"]]
            assert (verdict, row["counts"], row["play"], row["claim"]) == (
                other["verdict"],
                other["counts"],
                other["play"],
                other["claim"],
            )


def test_only_the_first_is_tried_for_every_size(stacklaw: Stacklaw) -> None:
    first, *others = rulesets(stacklaw, "two.rules", "--all-readings")
    assert any(row["verdict"] == "PROVED" for row in first["rows"])
    assert not any(row["verdict"] == "PROVED" for one in others for row in one["rows"])
    assert any("of a reading beside the first" in row["unproved"] for row in others[0]["rows"])
    assert (
        "only what no search can decide was tried for every size"
        in stacklaw("check", "two.rules", "--all-readings")[1]
    )


def test_all_is_tried_for_every_size_if_somebody_asks(stacklaw: Stacklaw) -> None:
    _, *others = rulesets(stacklaw, "two.rules", "--all-readings", "--prove", "--property", "lifo")
    assert [row["verdict"] for one in others for row in one["rows"]] == ["PROVED"] * 3


def test_what_is_set_stays_so(stacklaw: Stacklaw) -> None:
    for arguments in (["two.rules@most=3"], ["two.rules", "--set", "most=3"]):
        found = rulesets(stacklaw, *arguments, "--all-readings=pairs")
        assert [one["settings"] for one in found] == [
            {"keeps": "same", "most": 3},
            {"keeps": "next", "most": 3},
        ]


def test_a_plain_check_says_what_it_has_not_looked_at(stacklaw: Stacklaw) -> None:
    assert stacklaw("check", "two.rules")[1].endswith(
        " 3 other readings not looked at (--all-readings).\n"
    )
    assert stacklaw("check", "two.rules", "--set", "most=4")[1].endswith(
        " 1 other reading not looked at (--all-readings).\n"
    )
    assert "not looked at" not in stacklaw("check", "met.rules")[1]
    assert [one["other_readings"] for one in rulesets(stacklaw, "two.rules")] == [3]
    assert [one["other_readings"] for one in rulesets(stacklaw, "two.rules", "--all-readings")] == [
        0
    ] * 4


def test_rulesets_are_told_one_after_the_other(stacklaw: Stacklaw) -> None:
    """What stands behind the option is a ruleset, not its value."""
    code, out, _ = stacklaw("check", "--all-readings", "met.rules", "two.rules")
    assert code == 1
    assert out.index("met: 1 reading, 1 claim: all met.") < out.index("two: 4 readings")


def test_a_reading_that_is_no_game_is_told_and_the_others_are_decided(
    stacklaw: Stacklaw, tmp_path: Path
) -> None:
    state = "state\n  left : 1 to 9 = most - 1\n\nstage decide"
    text = RULES.replace("from 2 to 4 default 2", "from 1 to 4 default 2").replace(
        "stage decide", state, 1
    )
    (tmp_path / "two.rules").write_text(text, encoding="utf-8")
    code, out, err = stacklaw("check", "two.rules", "--all-readings")
    assert code == 2, out + err
    assert "Nothing is decided of two.rules@most=1." in err
    assert "two: 4 readings and 1 that cannot be read, 12 claims: 11 met, 1 NOT MET." in out
    document = json.loads(stacklaw("check", "two.rules", "--all-readings", "--format", "json")[1])
    assert {error["target"] for error in document["errors"]} == {"two.rules@most=1"}
    assert len(document["rulesets"]) == 4


def test_a_mistake_in_a_claim_about_another_reading_is_told_at_once(
    stacklaw: Stacklaw, tmp_path: Path
) -> None:
    claim = '  holds typo "a slip" when keeps is next\n    always size of stak <= 2\n'
    (tmp_path / "two.rules").write_text(RULES + claim, encoding="utf-8")
    line = len((RULES + claim).splitlines())
    for arguments in ([], ["--set", "keeps=next"], ["--all-readings"], ["-p", "lifo"]):
        code, out, err = stacklaw("check", "two.rules", *arguments)
        assert (code, out) == (2, "")
        assert err.count("error") == 1
        assert f"two.rules:{line}:" in err


def test_the_time_is_for_all_readings_together(stacklaw: Stacklaw) -> None:
    code, out, _ = stacklaw(
        "check", "two.rules", "--all-readings", "--stack", "5", "--time", "0.0001"
    )
    assert code == 3
    assert "two: 4 readings, 12 claims: all undecided." in out


def test_reports_are_of_all_readings(stacklaw: Stacklaw, tmp_path: Path) -> None:
    assert (
        stacklaw(
            "check", "two.rules", "--all-readings", "--junit", "all.xml", "--sarif", "all.sarif"
        )[0]
        == 1
    )
    assert (tmp_path / "all.xml").read_text(encoding="utf-8").count("<testsuite ") == 4
    assert "most=4" in (tmp_path / "all.xml").read_text(encoding="utf-8")
    assert (
        len(json.loads((tmp_path / "all.sarif").read_text(encoding="utf-8"))["runs"][0]["results"])
        == 1
    )


@pytest.mark.parametrize(
    "option",
    [
        ["--smallest"],
        ["--explain-proofs"],
        ["--checkpoint", "there"],
        ["-p", "lifo", "--for-which", "most"],
    ],
)
def test_what_is_of_one_reading_is_refused(stacklaw: Stacklaw, option: list[str]) -> None:
    code, out, err = stacklaw("check", "two.rules", "--all-readings", *option)
    assert (code, out) == (2, "")
    assert "--all-readings" in err


# ---------------------------------------------------------------------- which readings there are


def settings(numbers: str, at_once: int = 1, fixed: tuple[str, ...] = ()) -> list[str]:
    program = load(Source("two.rules", RULES.replace("from 2 to 4 default 2", numbers)))
    return [
        ",".join(f"{name}={value}" for name, value in one.items())
        for one in other_readings(program, fixed, at_once)
    ]


def test_readings_differ_from_what_is_set_in_one_option_then_in_two() -> None:
    assert settings("from 2 to 4 default 2") == ["keeps=next", "most=3", "most=4"]
    assert settings("from 2 to 4 default 2", 2)[3:] == ["keeps=next,most=3", "keeps=next,most=4"]
    assert settings("from 2 to 4 default 2", 2, ("keeps",)) == ["most=3", "most=4"]
    assert settings("from 2 to 4 default 2", 2, ("keeps", "most")) == []


def test_of_a_number_with_many_values_the_ends_are_looked_at() -> None:
    assert len(settings(f"from 1 to {MOST_NUMBERS} default 2")) == MOST_NUMBERS
    assert settings(f"from 0 to {MOST_NUMBERS} default 2") == [
        "keeps=next",
        "most=0",
        f"most={MOST_NUMBERS}",
    ]


def test_a_claim_of_some_readings_is_asked_of_these_alone(
    stacklaw: Stacklaw, tmp_path: Path
) -> None:
    same = "  possible   again when keeps is same\n    possible size of stack is 2\n"
    (tmp_path / "two.rules").write_text(RULES + same, encoding="utf-8")
    code, out, err = stacklaw("check", "two.rules", "--all-readings", "-p", "again")
    assert (code, err) == (0, "")
    assert "3 readings and 1 that does not claim it, 3 claims: all met." in " ".join(out.split())
    found = rulesets(stacklaw, "two.rules", "--all-readings", "-p", "again", "-p", "lifo")
    assert [[row["property"] for row in one["rows"]] for one in found] == [
        ["again", "lifo"],
        ["lifo"],
        *[["again", "lifo"]] * 2,
    ]
    code, _, err = stacklaw("check", "two.rules", "--set", "keeps=next", "-p", "again")
    assert code == 2
    assert "no property called `again` in this reading" in err
    assert "claimed of other readings, in line" in " ".join(err.split())


def test_readings_are_read_only_for_what_some_do_not_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    claims = (
        "  possible   again when keeps is same\n    possible size of stack is 2\n  possible "
        "ever\n    possible size of stack is 2\n"
    )
    program, asked = load(Source("two.rules", RULES + claims)), list[object]()

    def named_in(_: str, settings: object, names: tuple[str, ...]) -> tuple[str, ...]:
        asked.append(settings)
        return names

    monkeypatch.setattr(questions, "named_in", named_in)
    for names in (("lifo", "ever", "nothing"), ("again", "ever")):
        assert readings._named_in("two.rules", program, names)({"keeps": "next"}) == names
    assert asked == [{"keeps": "next"}]
