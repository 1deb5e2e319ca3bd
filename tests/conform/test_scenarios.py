"""Scenarios: every goal is reached, each step is what the rules say, and faulty engines fail."""

from __future__ import annotations

import json
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from stacklaw.bench.logs.brute import first_unexplained, told
from stacklaw.bench.logs.edited import log_of_play
from stacklaw.checker.conform.monitor import ProgramMonitor
from stacklaw.checker.conform.showing import Showing, edited_as
from stacklaw.checker.diff.diff import difference, scopes_of_both
from stacklaw.checker.diff.same import NameMap
from stacklaw.checker.mutate.edits.edits import edits_of
from stacklaw.checker.reference.semantics.explore import explore
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.scenarios import suite
from stacklaw.checker.scenarios.driver import play_on
from stacklaw.checker.scenarios.suite import Suite, make_suite
from stacklaw.checker.types.budget import INTERRUPTED, Budget, BudgetSpentError, Meter
from stacklaw.checker.types.scope import make_scope, scope_of
from stacklaw.cli.main import run
from stacklaw.models.load import load_game, load_rules
from stacklaw.properties.load import claims_of

from ..reports.test_schema import SCHEMA, mistakes
from .mock import MockDriver


@cache
def suite_of(game: str, **sizes: int) -> Suite:
    program = load_game(game)
    promises = [one.property for one in claims_of(program) if one.claim.expect == "holds"]
    return make_suite(program, promises, scope_of(program, None, None, sizes), Meter())


@pytest.mark.slow
@pytest.mark.parametrize("game", ["zx", "yugioh", "fab"])
def test_every_clause_and_way_is_there(game: str) -> None:
    suite = suite_of(game)
    assert not suite.stopped
    used = {step.does.clause for one in suite.scenarios for step in one.steps if step.does}
    program = load_rules(game)
    interpreter = Interpreter(program, suite.scope)
    acts = {clause.id for _, clause in program.clauses if clause.mode == "may"}
    assert used <= acts
    assert suite.least <= suite.windows
    assert interpreter.clauses.keys() >= used


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "sizes"), [("zx", {}), ("yugioh", {}), ("mtg", {"stack": 2})], ids=str
)
def test_an_engine_that_keeps_the_rules_passes(game: str, sizes: dict[str, int]) -> None:
    suite = suite_of(game, **sizes)
    driver = MockDriver(load_rules(game))
    assert list(play_on(driver, suite.scenarios, suite.scope.players)) == []


@pytest.mark.slow
def test_all_plays_are_at_the_table_that_is_asked_for() -> None:
    """117.4 speaks of three players: its moment is none of two."""
    suite = suite_of("mtg", stack=2)
    steps = [step for one in suite.scenarios for step in one.steps]
    assert {seat for step in steps for seat in (step.holder, *step.receives)} <= {None, 0, 1}


@pytest.mark.slow
@pytest.mark.parametrize("game", ["zx", "fab", "yugioh"])
def test_whatever_can_be_done_in_a_step_is_done_there(game: str) -> None:
    suite, program = suite_of(game), load_rules(game)
    interpreter = Interpreter(program, suite.scope)
    showing, graph = Showing(interpreter), explore(interpreter, Meter())
    can, done = set[tuple[object, ...]](), set[tuple[object, ...]]()
    for number, at in enumerate(graph.positions):
        if interpreter.priority(at):
            look = showing.look(at)
            for edge in graph.edges(number):
                move = graph.moves[graph.label[edge]]
                is_active = move.owner == look.get("active")
                can.add((move.clause, look.get("step"), is_active))
    for step in (step for one in suite.scenarios for step in one.steps):
        if step.does:
            is_active = step.holder == step.look.get("active")
            done.add((step.does.clause, step.look.get("step"), is_active))
    assert can
    assert done == can


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "edit"),
    [
        ("zx", "ZX-701.3b/battle: without `battle is none`"),  # an act in another step
        ("zx", "ZX-702.2a: automatic_ability is controlled by p"),  # p is not the active player
        ("stack", "STK-19: any t, not the one that comes first"),  # another item lies beside it
        ("riftbound", "310.1.a: trigger is controlled by active"),  # with an end beyond the scope
    ],
)
def test_plays_show_an_edit_where_brute_force_sees_it(game: str, edit: str) -> None:
    program = load_rules(game)
    for one in edits_of(program):
        if f"{one.clause}: {one.words}" == edit:
            scope = make_scope(one.program, 2, {zone.name: 2 for zone in one.program.zones})
            suite = make_suite(one.program, [], scope, Meter())
            logs = [log_of_play(play) for play in suite.scenarios]
            unexplained = [first_unexplained(program, 2, log) for log in logs]
            assert any(unexplained)
            for log, number in zip(logs, unexplained, strict=True):
                found = told(ProgramMonitor(program, 2), log)
                assert found[:1] == ([("deviation", number)] if number else [])


EDITS = [
    ("117.3b", "608.2: go check(after active), not (active)"),
    ("117.3c", "117.5/triggers: go check(active), not (next)"),
    ("117.3d", "117.3d/c: go check(active), not (after passer)"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "edit"), EDITS)
def test_the_hand_overs_of_magic_that_engines_get_wrong(rule: str, edit: str) -> None:
    suite = suite_of("mtg", stack=2)
    driver = MockDriver(edited_as(load_rules("mtg"), edit))
    found = [one for one in play_on(driver, suite.scenarios, 2) if one.wanted]
    assert any(one.field == "priority" for one in found), rule


@pytest.mark.long
def test_most_edits_that_can_be_seen_fail_them() -> None:
    """Of the edits of Z/X that change the game within the scope."""
    suite, program = suite_of("zx"), load_rules("zx")
    noticed = seen = 0
    for edit in edits_of(program)[::4]:
        if edit.is_refused:
            continue
        scopes = scopes_of_both(program, edit.program, NameMap(), None, None, {})
        found = difference(program, edit.program, scopes, NameMap(), Meter(Budget(20)), wanted=1)
        if found.shown:
            seen += 1
            driver = MockDriver(edit.program)
            noticed += any(True for _ in play_on(driver, suite.scenarios, 2))
    assert seen > 40
    # What another rule might do at the same time a driver that does as it is told does not show.
    assert noticed >= 0.85 * seen, (noticed, seen)


@pytest.mark.slow
@pytest.mark.parametrize("format_", ["json", "toml", "gherkin", "markdown"])
def test_formats(format_: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["scenarios", "zx", "--format", format_]) == 0
    said = capsys.readouterr().out
    match format_:
        case "json":
            document = json.loads(said)
            assert mistakes(document, SCHEMA) == []
            assert document["scenarios"][0]["steps"][0]["receives"] == ["A"]
        case "toml":
            assert "ZX-2" in tomllib.loads(said)
        case "gherkin":
            assert said.startswith("Feature: Z/X")
            assert "But A may not pass in the Battle Event Step" in said
        case _:
            assert "# Answers" in said


STAGES = ["WindowGraph", "covering_plays", "_trace_steps", "_moments", "check"]


@pytest.mark.parametrize("spent", [BudgetSpentError("it was up"), KeyboardInterrupt()])
@pytest.mark.parametrize("stage", STAGES)
def test_what_was_found_before_the_end_is_told(
    stage: str,
    spent: BaseException,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def ends(*_: object) -> None:
        raise spent

    monkeypatch.setattr(suite, stage, ends)
    code = run(["scenarios", "zx"])
    reason, exit_ = ("it was up", 3) if isinstance(spent, BudgetSpentError) else (INTERRUPTED, 130)
    said = capsys.readouterr()
    document = json.loads(said.out)
    assert (code, document["stopped"]) == (exit_, reason)
    assert bool(document["scenarios"]) == (STAGES.index(stage) > 2)
    assert said.err == f"note: Not all was found: {reason}.\n"
    assert (run(["scenarios", "zx", "--format", "gherkin"]), spent) == (exit_, spent)


def test_what_the_budget_ends_is_said() -> None:
    assert run(["scenarios", "mtg", "--time", "0.01"]) == 3


TOGETHER = """
game "Together"
players 3
scope players 3, pile 2
start speak(active)

items
  spell  "spell"
  react  "reaction"

zones
  pile  in any order  [stack]

state
  open : players

stage speak(p: player)
  priority p
  may 1 "play a spell"
    when pile is empty
    put spell on pile
    open := everyone but p
    go answer

stage answer
  priority open
  may 2 "answer"
    by any p where p in open and size of pile < 2
    put react on pile
    open := open but p
    go fall
  may 3 "decline"
    by any p where p in open
    pass
    open := open but p
    go fall

stage fall
  must 4 "go on"
    if open is not none
      go answer
    else
      go choosing

stage choosing
  may 5 "one goes"
    by after active
    when some t in pile
    choose t in pile
    resolve t
    choose q in players but active
    active := q
    go choosing
  must 6 "all are gone"
    when pile is empty
    go speak(active)
"""


@pytest.mark.parametrize("format_", ["gherkin", "markdown"])
def test_of_several_who_have_priority_the_one_who_acts_is_named(
    format_: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """B and C may answer a spell of A, each once: the plays say which of them does."""
    file = tmp_path / "together.rules"
    file.write_text(TOGETHER)
    assert run(["scenarios", str(file), "--format", format_]) == 0
    said = capsys.readouterr().out
    program = load_rules(str(file))
    suite = make_suite(program, [], scope_of(program, None, None, {}), Meter())
    shared = [step for one in suite.scenarios for step in one.steps if len(step.receives) == 2]
    steps = [step for one in suite.scenarios for step in one.steps if step.does]
    assert shared
    for step in steps:
        assert dict(step.seen[0].said)["by"] == step.holder
    assert ("of whom " if format_ == "markdown" else "B and C have priority") in said
    assert list(play_on(MockDriver(program, 3), suite.scenarios, 3)) == []


def test_who_acts_without_priority_is_not_said_to_have_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever has priority, only another player may shout."""
    shout = """
  may 9 "shout"
    by any q where q is not p
    pass
    go speak(after p)

stage answer
"""
    file = tmp_path / "shout.rules"
    file.write_text(TOGETHER.replace("\nstage answer\n", shout, 1))
    assert run(["scenarios", str(file), "--format", "markdown"]) == 0
    answers = capsys.readouterr().out.partition("# Answers")[2]
    acts = re.findall(r"\. (\w) \(\w+\), (who|and \w) may shout", answers)
    assert acts
    for holder, who in acts:
        assert who.startswith("and ")
        assert who.removeprefix("and ") != holder


def test_what_players_choose_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By its title, not by the name that the rules have for it; a choice between priorities too."""
    file = tmp_path / "together.rules"
    file.write_text(TOGETHER)
    assert run(["scenarios", str(file), "--format", "gherkin"]) == 0
    said = capsys.readouterr().out
    assert "And B decides (5): one goes" in said
    assert re.search(r"(.) decides \(5\): A's spell\n    And \1 decides \(5\): [A-C]\n", said)
    assert "(5): t" not in said
