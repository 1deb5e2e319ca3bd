"""``check --for-which``: for which values of an option a property holds, as one condition."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stacklaw.checker.verdict import Counts, Outcome
from stacklaw.models import ir
from stacklaw.reports.for_which import condition
from stacklaw.reports.record import Proof, Row

from .test_commands import RULES, Stacklaw, stacklaw

__all__ = ["stacklaw"]

OPTION = ir.Option("size", "how many", (), (1, 9), 1, ())
EVERY = "for every number of players"


def row(outcome: Outcome, *, proved: bool = False) -> Row:
    proof = Proof(EVERY.removeprefix("for "), 1, (), (), None, "") if proved else None
    return Row(
        "name", "", "", "", "", "", "", (), 0, True, "none", outcome, "", None, "explicit", Counts(1, 1, 1, 0), None, proof=proof
    )  # fmt: skip


PROVED, HOLDS, FAILS = row(Outcome.PROVED, proved=True), row(Outcome.HOLDS), row(Outcome.VIOLATED)


def said(rows: list[Row]) -> str:
    return condition(OPTION, dict(enumerate(rows, start=1)))


def test_one_condition() -> None:
    assert said([PROVED, PROVED]) == f"holds {EVERY}, whatever size is"
    assert said([PROVED, PROVED, FAILS]) == f"holds {EVERY} unless size is 3"
    assert said([FAILS, FAILS, FAILS, FAILS, HOLDS]) == "holds within the scope only if size is 5"
    assert said([row(Outcome.POSSIBLE), row(Outcome.IMPOSSIBLE)]) == "is impossible within the scope unless size is 1"


def test_what_is_proved_and_what_only_holds_within_the_scope_is_kept_apart() -> None:
    assert said([PROVED, HOLDS]) == f"holds {EVERY} if size is 1; it holds within the scope if size is 2"
    assert said([FAILS, row(Outcome.UNKNOWN)]) == "does not hold if size is 1; it is undecided if size is 2"
    assert said([PROVED, HOLDS, FAILS]).count("; it ") == 2


def test_numbers_in_a_row_are_a_range() -> None:
    assert said([FAILS, FAILS, FAILS, PROVED, PROVED, FAILS, PROVED, PROVED]) == f"holds {EVERY} unless size is 1 to 3 or 6"


def test_a_game(stacklaw: Stacklaw) -> None:
    code, out, err = stacklaw("check", "mtg", "-p", "step_waits_for_stack", "-p", "hold_priority", "--for-which", "leaving")
    assert (code, err) == (0, "")
    assert "leaving is no" in out
    assert "leaving is yes" in out
    assert "step_waits_for_stack holds for every number of players (2 or more) and every zone size, whatever leaving is." in out
    assert "hold_priority is possible, whatever leaving is." in out


def test_the_records_as_json(stacklaw: Stacklaw) -> None:
    code, out, _ = stacklaw("check", "mtg", "-p", "single_holder", "--for-which", "flash", "--format", "json")
    assert code == 0
    assert [ruleset["settings"]["flash"] for ruleset in json.loads(out)["rulesets"]] == ["no", "yes"]


def test_a_number_with_a_wide_range_is_refused(stacklaw: Stacklaw, tmp_path: Path) -> None:
    (tmp_path / "wide.rules").write_text(
        RULES.replace("items\n", 'option cards "cards" from 1 to 500 default 1\n\nitems\n', 1), encoding="utf-8"
    )
    code, _, err = stacklaw("check", "wide.rules", "-p", "lifo", "--for-which", "cards")
    assert code == 2
    assert "L108" in err


@pytest.mark.parametrize("arguments", [["mtg", "--for-which", "leaving"], ["mtg", "zx", "-p", "lifo", "--for-which", "leaving"]])
def test_it_needs_one_ruleset_and_a_property(stacklaw: Stacklaw, arguments: list[str]) -> None:
    code, _, err = stacklaw("check", *arguments)
    assert code == 2
    assert "--for-which" in err


def test_an_option_that_is_none(stacklaw: Stacklaw) -> None:
    code, _, err = stacklaw("check", "mtg", "-p", "lifo", "--for-which", "leavin")
    assert code == 2
    assert "leaving" in err
