"""Bounds: no command does more than its budget allows, not in the moves of one position either, and
it says what it left out.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from time import sleep
from typing import get_args

import pytest

from stacklaw.checker.diff.diff import difference
from stacklaw.checker.diff.same import NameMap
from stacklaw.checker.loops.loops import find_loops
from stacklaw.checker.measures.measures import find_measures
from stacklaw.checker.rulings.differing import changed_rulings
from stacklaw.checker.run.check import check, simulate
from stacklaw.checker.run.engines import EngineName, engine_named
from stacklaw.checker.types.budget import (
    LOOK_SECONDS,
    Budget,
    BudgetSpentError,
    Meter,
    Tuning,
    look_inside,
)
from stacklaw.checker.types.scope import Scope
from stacklaw.checker.types.verdict import Outcome
from stacklaw.cli.asking.ask import Asked, ask, exit_of, rulings_of
from stacklaw.cli.exploring.search import ruling_of
from stacklaw.cli.main import run
from stacklaw.cli.output.exits import Exit
from stacklaw.models.ir import Program
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.properties.load import property_named

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="signals and /proc are those of Linux"
)
CHOICES = "\n    ".join(f"choose x{number} in stack" for number in range(12))
MANY = f"""game "Many ways"
players 2
start s
items
  bolt "bolt"
zones
  stack last in first out
state
  who : player
stage s
  priority active
  must 1 "wait"
    when size of stack < 8
    put bolt by active on stack
    go s
  may 2 "answer"
    when size of stack is 8
    {CHOICES}
    who := controller of x0
    go s
claims
  holds nobody "nobody acts"
    never who is after active
"""
"""After eight moves a clause has eight to the twelfth ways."""
OTHER = MANY.replace("of x0\n    go s", "of x0\n    game over")
FEWER = MANY.replace("size of stack < 8", "size of stack < 7")
ROOM = Scope(2, (("stack", 8),))
SECOND = Budget(seconds=1.0)


@pytest.fixture(scope="module")
def many() -> Program:
    return load(Source("many.rules", MANY), {})


@pytest.mark.parametrize("engine", get_args(EngineName))
def test_each_engine_ends_inside_one_position(many: Program, engine: EngineName) -> None:
    question = property_named(many, "nobody")
    [verdict] = check(many, [question], ROOM, SECOND, engine=engine_named(engine))
    if engine == "reference":
        assert verdict.outcome in (Outcome.UNKNOWN, Outcome.BOUNDED)
        assert verdict.reason == "the time of 1 s was up"
    else:  # its slices see that it does not matter what is chosen
        assert verdict.outcome == Outcome.HOLDS


def test_each_pass_ends_inside_one_position(many: Program) -> None:
    assert find_loops(many, ROOM, SECOND).growth_stopped == "the time of 1 s was up"
    assert find_measures(many, ROOM, SECOND).stopped == "the time of 1 s was up"
    other = load(Source("other.rules", OTHER), {})
    found = difference(many, other, (ROOM, ROOM), NameMap(), Meter(SECOND))
    assert found.compared.stopped == "the time of 1 s was up"
    with pytest.raises(BudgetSpentError, match="the time of 1 s was up"):
        simulate(many, ROOM, 0, 20, SECOND)
    fewer, meter = load(Source("fewer.rules", FEWER), {}), Meter(SECOND)
    told = changed_rulings(difference(many, fewer, (ROOM, ROOM), NameMap(), meter), meter)
    assert (told.questions, len(told.untold), told.stopped) == ((), 1, "the time of 1 s was up")


def test_a_ruling_ends_inside_one_position(tmp_path: Path) -> None:
    rules = tmp_path / "many.rules"
    rules.write_text(MANY.replace("players 2", "players 2\nscope stack 8"), encoding="utf-8")
    rulings = rules.with_suffix(".rulings")
    rulings.write_text('[[ruling]]\nask = "may A answer?"\nanswer = "yes"\n' * 2, encoding="utf-8")
    rows = rulings_of(str(rules), SECOND)
    assert [(row.status, row.found) for row in rows] == [
        ("undecided", "the time of 1 s was up") for _ in range(2)
    ]
    record = ask(str(rules), Asked(SECOND, Tuning()))
    said = {row.found for row in record.rulings} | {row.reason for row in record.rows}
    assert "its part of the time of 1 s was up" in said
    refused = {"refused": "There is no answer yet: the time of 1 s was up."}
    assert ruling_of("may A answer?", str(rules), Asked(SECOND, Tuning())) == refused


def test_memory_is_a_bound_inside_one_position_too(monkeypatch: pytest.MonkeyPatch) -> None:
    meter = Meter(Budget(mebibytes=1000))
    with meter.watching():
        look_inside()
        monkeypatch.setattr("stacklaw.checker.types.budget.memory_in_use", lambda: 5000)
        assert meter.beyond() == "the memory of 1,000 MiB was full"
        sleep(2 * LOOK_SECONDS)  # until then it is not looked at again
        with pytest.raises(BudgetSpentError, match="the memory of 1,000 MiB was full"):
            look_inside()
    look_inside()


def test_a_command_without_a_budget_has_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("stacklaw.cli.output.progress.half_the_memory", lambda: 1)
    monkeypatch.setattr("stacklaw.checker.types.budget.memory_in_use", lambda: 10**9)
    assert run(["ask", "zx", "who has priority?"]) == Exit.UNDECIDED
    assert capsys.readouterr().err == "the memory of 1 MiB was full.\n"


BUSY = """
from stacklaw.checker.process.interrupts import INTERRUPTS
from stacklaw.checker.types.budget import Budget, Meter
INTERRUPTS.begin()
try:
    with INTERRUPTS.bounded(Meter(Budget(seconds=0.1)).beyond):
        while True:
            pass
except KeyboardInterrupt:
    print(INTERRUPTS.over, INTERRUPTS.asked)
"""


def test_what_asks_no_meter_is_ended() -> None:
    done = subprocess.run(
        [sys.executable, "-c", BUSY], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout, done.stderr) == ("the time of 0.1 s was up 0\n", "")


@pytest.mark.parametrize(
    "words",
    [
        ["check", "many.rules", "--engine", "reference"],
        ["loops", "many.rules"],
        ["measure", "many.rules"],
        ["simulate", "many.rules"],
        ["simulate", "many.rules", "--log", "mine.log"],
        ["scenarios", "many.rules"],
        ["diff", "many.rules", "other.rules"],
        ["page", "many.rules"],
    ],
)
def test_each_command_ends(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "many.rules").write_text(MANY, encoding="utf-8")
    (tmp_path / "other.rules").write_text(OTHER, encoding="utf-8")
    command = [sys.executable, "-m", "stacklaw", *words, "--stack", "8", "--time", "1"]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, cwd=tmp_path
    )
    said = (
        done.stdout
        + done.stderr
        + "".join(path.read_text(encoding="utf-8") for path in tmp_path.glob("*.html"))
    )
    assert done.returncode == (Exit.OK if words[0] == "page" else Exit.UNDECIDED), said
    assert "the time of 1 s was up" in said or "a buffer holds" in said


def test_one_time_is_for_all_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "stack", "zx", "--time", "0.01"]) == Exit.UNDECIDED
    said = capsys.readouterr()
    assert "its part of the time of 0.01 s was up" in said.out + said.err


def test_a_search_that_is_ended_leaves_no_question_without_an_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All is told as undecided if the end comes where no code takes it, as in the middle of what
    proofs are begun with.
    """

    def ended(*_: object) -> None:
        monkeypatch.setattr("stacklaw.cli.asking.ask.INTERRUPTS.over", "the time of 1 s was up")
        raise KeyboardInterrupt

    monkeypatch.setattr("stacklaw.cli.asking.ask.check", ended)
    record = ask("zx", Asked(SECOND, Tuning(), ("lifo",), unread=True))
    assert [(row.outcome, row.reason) for row in record.rows] == [
        ("UNKNOWN", "the time of 1 s was up")
    ]
    assert exit_of(record) == Exit.UNDECIDED
