"""Right logs raise no alarm, wrong ones are named where brute force names them."""

from __future__ import annotations

import json
import random
import re
from itertools import product
from pathlib import Path
from unittest import mock

import pytest

import stacklaw
from stacklaw.bench.logs.brute import (
    PLAYERS,
    first_unexplained,
    log_of,
    told,
    with_a_fault,
)
from stacklaw.bench.logs.simulated import right_logs
from stacklaw.checker.conform import logs, showing
from stacklaw.checker.conform.events import SEEN_OF_MOVES, EventError, LogEvent, event_of, made
from stacklaw.checker.conform.logs import Conformed, LogQuestion, behaves_as_if, conformed
from stacklaw.checker.conform.monitor import ProgramMonitor, Tally, forget
from stacklaw.checker.conform.showing import LogStyle, edited_as
from stacklaw.checker.mutate.edits.edits import edits_of
from stacklaw.checker.types.budget import Budget, BudgetSpentError, Meter
from stacklaw.checker.types.scope import make_scope
from stacklaw.models import ir
from stacklaw.models.load import load, load_rules
from stacklaw.models.options.cases import other_readings
from stacklaw.models.source import Source

GAMES = [(game, players) for game, numbers in PLAYERS.items() for players in numbers]
STYLES = [
    LogStyle(quiet=0.9),
    LogStyle(frozenset({"sba"}), quiet=0.8),
    LogStyle(frozenset({"trigger", "sba", "choice"}), quiet=0.9),
    LogStyle(frozenset({"pass", "step", "turn"}), quiet=0.9),
    LogStyle(frozenset({"priority"}), quiet=0.9),
    LogStyle(gaps=0.05, quiet=0.8),
    LogStyle(frozenset({"sba", "leave"}), gaps=0.03, quiet=0.9),
]


def alarms(program: ir.Program, players: int, seed: int, steps: int, style: LogStyle) -> list[int]:
    log = log_of(program, players, seed, steps, style)
    found = told(ProgramMonitor(program, players, style.hidden), log)
    return [number for kind, number in found if kind == "deviation"]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players"), GAMES)
def test_right_logs_raise_no_alarm(game: str, players: int) -> None:
    for number, style in enumerate(STYLES[: 3 if players < 4 else 1]):
        assert alarms(load_rules(game), players, number, 60, style) == []


UNSEEN = """\
game "Unseen"
players 2
scope players 2, stack 1
start decide(active)

zones
  stack last in first out

turn
  main

stage decide(holder: player) "a player has priority"
  priority holder

  chance 1 "the other player gets priority"
    go decide(after holder)

  may 2 "pass"
    pass
    go decide(holder)
"""
"""Where events of priority are hidden, only looks show that it goes to another player."""


@pytest.mark.parametrize("seed", range(6))
def test_looks_that_say_other_things_are_of_other_moments(seed: int) -> None:
    program = load(Source("unseen.rules", UNSEEN))
    style = LogStyle(hidden=frozenset({"priority"}))
    assert alarms(program, 2, seed, 60, style) == []


def test_what_each_player_may_do_is_of_one_moment() -> None:
    program = load(Source("unseen.rules", UNSEEN))
    monitor = ProgramMonitor(program, 2, frozenset({"priority"}))
    for event in events(['{"event": "may", "of": "A"}', '{"event": "may", "of": "B"}']):
        monitor.step_event(event)
    assert monitor.tally.windows == 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 4, 5])
def test_after_a_hole_something_may_lie_where_no_look_shows_it(seed: int) -> None:
    """Triggers wait there while players have priority, and leave in the windows that follow."""
    assert alarms(load_rules("yugioh"), 2, seed, 150, LogStyle(gaps=0.05, quiet=0.8)) == []


@pytest.mark.slow
def test_where_play_may_stand_after_a_hole_is_not_counted_against_the_budget() -> None:
    """In Riftbound nearly 14,000 positions fit the first look after this one."""
    log = log_of(load_rules("riftbound"), 2, 891, 80, LogStyle(gaps=0.05, quiet=0.8))[102:109]
    assert log[0].name == "gap"
    assert told(ProgramMonitor(load_rules("riftbound"), 2), log) == []


@pytest.mark.slow
def test_what_nobody_sees_fits_below_what_a_look_shows() -> None:
    """Two unseen triggers come and leave in the last window; others may wait unseen."""
    program = load_rules("stack", {"resolving": "interrupts"})
    style = LogStyle(frozenset({"trigger"}), quiet=0.85)
    log = log_of(program, 3, 1112, 80, style)[:57]
    assert told(ProgramMonitor(program, 3, style.hidden), log) == []


@pytest.mark.long
@pytest.mark.rare
@pytest.mark.parametrize(
    ("game", "players", "seed"), [(*g, s) for g, s in product(GAMES, range(8))]
)
def test_many_right_logs_raise_no_alarm(game: str, players: int, seed: int) -> None:
    for style in STYLES:
        assert alarms(load_rules(game), players, seed, 150, style) == []


@pytest.mark.long
@pytest.mark.rare
@pytest.mark.parametrize("game", PLAYERS)
def test_right_logs_of_every_reading_raise_no_alarm(game: str) -> None:
    for number, reading in enumerate(other_readings(load_rules(game))):
        program = load_rules(game, reading)
        assert alarms(program, 2, number, 80, LogStyle(quiet=0.8)) == [], reading


@pytest.mark.slow
def test_nearly_nothing_is_unknown() -> None:
    """In logs that show all, nothing is; in those that hide something, hardly anything."""
    for game in PLAYERS:
        program = load_rules(game)
        for number, style in enumerate(STYLES[:2]):
            log = log_of(program, 2, number, 100, style)
            monitor = ProgramMonitor(program, 2, style.hidden)
            assert [one for one in told(monitor, log) if one[0] == "unknown"] == []
            assert monitor.tally.explained == monitor.tally.windows > 5


def wrong_logs_are_named(game: str, players: int, seed: int) -> int:
    """Hold the first deviation in a log with one event made wrong against brute force."""
    program, chance = load_rules(game), random.Random(seed)
    log = with_a_fault(log_of(program, players, seed, 30, LogStyle(quiet=0.9)), players, chance)
    first = first_unexplained(program, players, log)
    monitor = ProgramMonitor(program, players)
    found = told(monitor, log)
    assert [kind for kind, _ in found if kind == "unknown"] == []
    assert (found[0][1] if found else None) == first, (game, seed)
    return first is not None


@pytest.mark.slow
def test_a_wrong_event_is_named_where_no_play_explains_it() -> None:
    named = sum(
        wrong_logs_are_named(game, 2, seed)
        for game in ("stack", "yugioh", "zx")
        for seed in range(6)
    )
    assert named >= 9


@pytest.mark.long
@pytest.mark.rare
@pytest.mark.parametrize(("game", "seed"), list(product(PLAYERS, range(10, 24))))
def test_many_wrong_events_are_named(game: str, seed: int) -> None:
    wrong_logs_are_named(game, 2, seed)


EDITS = [
    ("mtg", "117.5/triggers: go check(active), not (next)", "117.3c", 3),
    ("mtg", "117.3d/c: go check(active), not (after passer)", "117.3d", 3),
    ("mtg", "608.2: go check(after active), not (active)", "117.3b", 5),
]
BESIDE = {
    "117.3c": "117.1c/a: go check(active), not (holder); or "
    "117.1c/a: go check(after holder), not (holder)",
    "117.3d": "117.3d/c: go check(passer), not (after passer); or "
    "117.5/player: go decide(active), not (next)",
    "117.3b": "608.2: go passing, not check",
}
"""Which other edits explain the logs of these: two play, and not all of a log says what is done."""


def test_an_edit_that_changes_nothing_raises_no_alarm() -> None:
    """The flag is up where the process begins, so that its opposite is that it is down."""
    program = load_rules("zx")
    edits = [one for one in edits_of(program) if one.words == "due becomes the opposite"]
    assert "ZX-702.2a" in {one.clause for one in edits}
    for edit in edits:
        log = log_of(edit.program, 2, 1, 200, LogStyle(quiet=0.3))
        assert sum(event.name == "sba" for event in log) > 5
        assert told(ProgramMonitor(program, 2), log) == []


@pytest.mark.slow
@pytest.mark.parametrize(("game", "edit", "cited", "seed"), EDITS)
def test_an_edited_engine_is_noticed_where_brute_force_does(
    game: str, edit: str, cited: str, seed: int
) -> None:
    program = load_rules(game)
    log = log_of(edited_as(program, edit), 2, seed, 70, LogStyle(quiet=0.85))
    first = first_unexplained(program, 2, log)
    assert first is not None
    monitor = ProgramMonitor(program, 2)
    found = [one for event in log for one in monitor.step_event(event)]
    assert found[0].number == first
    clause = next(one for _, one in program.clauses if one.id == found[0].clause)
    assert any(cited in id_ for id_ in (clause.id, *clause.cites))
    assert found[0].event.name == "priority"


# ------------------------------------------------------------------ by hand

TWICE = [
    '{"event": "step", "name": "draw"}',
    '{"event": "priority", "of": "A"}',
    '{"event": "look", "active": "A", "step": "draw", "stack": [], "holder": "A"}',
    '{"event": "act", "by": "A", "kind": "instant"}',
    '{"event": "priority", "of": "A"}',
    '{"event": "pass", "by": "A"}',
    '{"event": "priority", "of": "B"}',
    '{"event": "pass", "by": "B"}',
    '{"event": "resolve", "by": "A", "kind": "instant"}',
]


def events(lines: list[str]) -> list[LogEvent]:

    return [event_of(json.loads(line)) for line in lines]


def test_who_receives_priority_after_a_resolution() -> None:
    """117.3b: the active player; and after that the log goes on without echoes."""
    monitor = ProgramMonitor(load_rules("mtg"), 2)
    rest = [
        '{"event": "priority", "of": "B"}',
        '{"event": "look", "active": "A", "step": "draw", "stack": [], "holder": "B"}',
        '{"event": "pass", "by": "B"}',
        '{"event": "priority", "of": "A"}',
        '{"event": "pass", "by": "A"}',
        '{"event": "step", "name": "first_main"}',
        '{"event": "priority", "of": "A"}',
    ]
    found = [one for event in events(TWICE + rest) for one in monitor.step_event(event)]
    found += monitor.finish()
    assert [(one.number, one.clause, one.wanted) for one in found] == [(10, "608.2", "priority")]
    assert found[0].ways[0].shown == made("priority", of=0)


def test_a_step_without_its_window_is_named() -> None:
    monitor = ProgramMonitor(load_rules("mtg"), 2)
    log = events(
        [*TWICE[:2], '{"event": "pass", "by": "A"}', '{"event": "step", "name": "first_main"}']
    )
    found = [one for event in log for one in monitor.step_event(event)] + monitor.finish()
    assert [(one.number, one.wanted, one.clause) for one in found] == [(4, "priority", "117.3d/c")]


def test_what_is_offered_too_much_is_named() -> None:
    monitor = ProgramMonitor(load_rules("mtg"), 2)
    log = events(
        [
            *TWICE[:2],
            '{"event": "may", "of": "A", "kinds": ["instant"]}',
            '{"event": "pass", "by": "A"}',
            '{"event": "priority", "of": "B"}',
            '{"event": "may", "of": "B", "kinds": ["sorcery"]}',
        ]
    )
    found = [one for event in log for one in monitor.step_event(event)] + monitor.finish()
    assert [(one.number, one.field) for one in found] == [(6, "kinds")]


def test_a_cancelled_act_never_happened() -> None:
    """Passes before it still stand: who has priority is said again, and the other's pass ends the
    step.
    """
    again = '{"event": "priority", "of": "B"}'
    begin = [*TWICE[:2], '{"event": "pass", "by": "A"}', again]
    act = '{"event": "act", "by": "B", "kind": "instant"}'
    end = [
        again,
        '{"event": "pass", "by": "B"}',
        '{"event": "step", "name": "first_main"}',
        '{"event": "priority", "of": "A"}',
    ]
    for back in ('{"event": "cancel", "by": "B"}', '{"event": "rollback", "to": 4}'):
        for acted in ([act], [act, again]):
            monitor = ProgramMonitor(load_rules("mtg"), 2)
            log = events([*begin, *acted, back, *end])
            found = [one for event in log for one in monitor.step_event(event)]
            assert found + monitor.finish() == [], (back, acted)
            assert monitor.tally.explained == monitor.tally.windows
            assert monitor.tally.blind == 0


def test_who_has_priority_as_the_game_begins_may_be_told() -> None:
    """As yugioh begins, where the first player has it and no move has given it."""
    program = load_rules("yugioh")
    log = log_of(program, 2, 3, 40, LogStyle(quiet=0.9))
    for who, where in ((0, None), (1, 2)):
        begun = [log[0], made("priority", of=who), *log[1:]]
        assert first_unexplained(program, 2, begun) == where
        found = told(ProgramMonitor(program, 2), begun)
        assert [number for _, number in found[:1]] == ([] if where is None else [where])


def heard(*lines: str, leaving: str = "no") -> list[tuple[int, str, str]]:
    """Return what is found of a log of *lines*: the event, its step, and what is told."""
    monitor = stacklaw.Monitor("mtg", set={"leaving": leaving})
    found = [one for event in events([*lines]) for one in monitor.step_event(event)]
    return [(one.number, one.step, one.kind) for one in found + monitor.finish()]


def test_what_is_taken_back_is_no_past() -> None:
    """A second `cancel` takes back the act before; the step is the one that is gone back to."""
    holds, cancel = TWICE[1], '{"event": "cancel", "by": "A"}'
    end = ['{"event": "pass", "by": "A"}', TWICE[6], '{"event": "pass", "by": "B"}']
    step = ['{"event": "step", "name": "first_main"}', holds]
    acts = [TWICE[3], holds, TWICE[3], holds]
    assert heard(*TWICE[:2], *acts, cancel, holds, cancel, holds, *end, *step) == []
    back = ['{"event": "rollback", "to": 2}', holds, '{"event": "sba"}', holds]
    assert heard(*TWICE[:2], *end, *step, *back) == [(10, "draw", "deviation")]


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        (['{"event": "rollback", "to": 9}'], "Event 9 has not come yet: this is event 5."),
        (['{"event": "rollback", "to": 2}', TWICE[1], '{"event": "rollback", "to": 3}'],
         "Event 3 has been taken back itself, by event 5."),
        (['{"event": "cancel"}', TWICE[1], '{"event": "cancel"}'], "There is no act"),
        (['{"event": "cancel", "by": "B"}'], "There is no act"),
    ],
)  # fmt: skip
def test_what_never_came_is_not_taken_back(lines: list[str], wrong: str) -> None:
    with pytest.raises(EventError, match=wrong):
        heard(*TWICE[:2], *TWICE[3:5], *lines)


def test_an_act_that_nobody_saw_may_be_taken_back() -> None:
    """Before a gap, before a log begins, or where acts are hidden, there may be one."""
    look = '{"event": "look", "active": "A", "step": "draw", "stack": [], "holder": "A"}'
    cancel = '{"event": "cancel", "by": "B"}'
    for begin in ([look], [*TWICE[:2], '{"event": "gap"}', TWICE[1], look]):
        assert heard(*begin, cancel, TWICE[1], look, '{"event": "pass", "by": "A"}') == []
    monitor = ProgramMonitor(load_rules("mtg"), 2, ["act"])
    assert [monitor.step_event(event) for event in events([*TWICE[:2], cancel])] == [[], [], []]


@pytest.mark.slow
def test_after_a_gap_more_may_lie_unseen_than_is_looked_at() -> None:
    """On the attack queue and on the chain link, where attacks are moved, and nothing is put."""
    for number in (1890, 1892):
        found = next(right_logs(tuple(PLAYERS), number))
        assert (found["game"], found["reading"], found["gaps"]) == ("flesh", "swift=yes", 0.05)
        assert (found["alarms"], found["unknown"]) == (0, 1)


@pytest.mark.parametrize(("game", "seed"), [("mtg", 3), ("flesh", 10), ("zx", 5)])
def test_a_look_that_is_wrong_is_told_once(game: str, seed: int) -> None:
    """The log goes on as the rules do: the look was wrong, and no act after it is."""
    log = log_of(load_rules(game), 2, seed, 40, LogStyle())
    wrong = next(n for n, one in enumerate(log) if one.name == "look" and one.get("holder") == 0)
    log[wrong] = made("look", **{**dict(log[wrong].said), "holder": 1})
    found = told(ProgramMonitor(load_rules(game), 2), log)
    assert found == [("deviation", wrong + 1)]


@pytest.mark.parametrize(("most", "unknown"), [(400, 0), (60, 41)])
def test_what_may_be_done_is_said_again_and_again(
    most: int, unknown: int, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """What is tried for one saying is not counted against the next; too much is unknown."""
    monkeypatch.setattr(showing, "_MOST_TRIED", most)
    forget()  # what others have tried; and they are not to know what is not tried here
    request.addfinalizer(forget)
    again = [
        '{"event": "rollback", "to": 2}',
        TWICE[1],
        '{"event": "may", "of": "A", "kinds": ["instant"]}',
    ]
    monitor = ProgramMonitor(load_rules("mtg"), 2)
    found = [
        one for event in events([*TWICE[:2], *again * 40]) for one in monitor.step_event(event)
    ]
    found += monitor.finish()
    assert [one.kind for one in found] == ["unknown"] * unknown


@pytest.mark.parametrize("layers", [8, 40])
def test_a_look_at_a_deep_stack_ends_soon(layers: int) -> None:
    """Of each layer of Flesh and Blood a look leaves open how it was put: four ways."""
    stack = [["B", "instant"]] * layers
    look = {"event": "look", "active": "A", "step": "action_phase", "stack": stack, "holder": "B"}
    monitor = ProgramMonitor(load_rules("flesh"), 2)
    log = events(['{"event": "gap"}', '{"event": "priority", "of": "B"}', json.dumps(look)])
    assert [one for event in log for one in monitor.step_event(event)] + monitor.finish() == []
    assert monitor.tally.blind == 1


def test_a_stack_without_end_is_unknown() -> None:
    stack = [["A", "instant"]] * 999
    look = {"event": "look", "active": "A", "step": "draw", "stack": stack, "holder": "A"}
    cast = ['{"event": "act", "by": "A", "kind": "instant"}', '{"event": "priority", "of": "A"}']
    monitor = ProgramMonitor(load_rules("mtg"), 2)
    found = [
        one for event in events([json.dumps(look), *cast * 3]) for one in monitor.step_event(event)
    ]
    assert [one.kind for one in found + monitor.finish()] == ["unknown", "unknown"]
    assert monitor.tally.explained == 1


def test_a_look_at_items_of_many_attributes_ends_soon(tmp_path: Path) -> None:
    """With what each is put is not written down for all of them before anybody asks how many that
    are.
    """
    flags = "\n".join(f"  a{number} : flag" for number in range(40))
    set_ = "\n".join(f"    a{number} of top of stack := yes" for number in range(40))
    rules = tmp_path / "many.rules"
    rules.write_text(_MANY.format(flags=flags, set=set_), encoding="utf-8")
    look = {
        "event": "look",
        "active": "A",
        "step": "main",
        "stack": [["A", "spell"]],
        "holder": "A",
    }
    monitor = ProgramMonitor(load_rules(str(rules)), 2)
    log = events(['{"event": "gap"}', '{"event": "priority", "of": "A"}', json.dumps(look)])
    assert [one for event in log for one in monitor.step_event(event)] + monitor.finish() == []
    assert monitor.tally.blind == 1


def test_of_a_position_of_very_many_moves_little_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(showing, "_MOST_TRIED", 1_000)
    chosen = "\n".join(
        f"    choose x{number} in players where x{number} is not p" for number in range(6)
    )
    rules = tmp_path / "many.rules"
    text = _MANY.format(flags="  a : flag", set=chosen).replace("players 2\n", "players 2 to 9\n")
    rules.write_text(text, encoding="utf-8")
    log = ['{"event": "act", "by": "A", "kind": "spell"}', '{"event": "priority", "of": "A"}']
    for players, kinds in ((2, []), (9, ["unknown"])):
        monitor = ProgramMonitor(load_rules(str(rules)), players)
        found = [one for event in events(log) for one in monitor.step_event(event)]
        assert [one.kind for one in found + monitor.finish()] == kinds


_MANY = """language 1
game "Many"
source "none"
players 2
scope players 2, stack 2
start decide(active)

items
  spell "spell"

attributes
{flags}

zones
  stack last in first out

turn
  main

stage decide(p: player)
  priority p

  may 1.1 "cast"
    put spell by p on stack
{set}
    go decide(p)

  may 1.2 "pass"
    pass
    go decide(after p)
"""


@pytest.mark.parametrize(
    "event", ['"pass", "by"', '"act", "by"', '"concede", "by"', '"priority", "of"']
)
def test_who_has_left_does_nothing(event: str) -> None:
    begin = ['{"event": "players", "n": 3}', *TWICE[:2], '{"event": "concede", "by": "A"}']
    then = ['{"event": "priority", "of": "B"}', f'{{"event": {event}: "A"}}']
    assert heard(*begin, *then[:1], leaving="yes") == []
    assert heard(*begin, *then, leaving="yes") == [(6, "draw", "deviation")]


def test_what_is_looked_at_may_be_taken_back() -> None:
    """Back to where somebody received priority: what was known there is known still."""
    look = '{"event": "look", "active": "A", "step": "draw", "stack": [], "holder": "A"}'
    back = '{"event": "rollback", "to": 2}'
    for after in ([], ['{"event": "pass", "by": "A"}', '{"event": "priority", "of": "B"}']):
        monitor = ProgramMonitor(load_rules("mtg"), 2)
        log = events([*TWICE[:2], look, *after, back, TWICE[1], *TWICE[3:], TWICE[1]])
        found = [one for event in log for one in monitor.step_event(event)]
        assert found + monitor.finish() == []
        assert monitor.tally.blind == 0
        assert monitor.tally.explained == monitor.tally.windows


def test_a_log_begins_anywhere_with_a_look() -> None:
    look = (
        '{"event": "look", "active": "B", "step": "end_step", "stack": [["B", "ability"]], '
        '"holder": "A"}'
    )
    monitor = stacklaw.Monitor("mtg", players=2)
    log = [look, '{"event": "pass", "by": "A"}', '{"event": "priority", "of": "A"}']
    found = [one for event in events(log) for one in monitor.step_event(event)] + monitor.finish()
    assert [one.number for one in found] == [3]


def test_what_the_budget_ends_is_unknown() -> None:
    program = load_rules("mtg")
    log = log_of(program, 3, 1, 120, LogStyle())
    monitor = ProgramMonitor(program, 3, most=12)
    found = told(monitor, log)
    assert found
    assert {kind for kind, _ in found} == {"unknown"}


def test_memory_is_bounded() -> None:
    """What is kept of the past, and what is remembered, has a bound."""
    program = load_rules("stack")
    monitor = ProgramMonitor(program, 2)
    for seed in range(6):
        for event in log_of(program, 2, seed, 300, LogStyle(quiet=0.5))[seed > 0 :]:
            monitor.step_event(event)
        monitor.step_event(made("gap"))
    assert len(monitor._past) <= 64


def test_only_events_of_moves_can_be_hidden() -> None:
    with pytest.raises(ValueError, match="nothing that could be hidden"):
        ProgramMonitor(load_rules("mtg"), 2, ["look"])
    assert "look" not in SEEN_OF_MOVES


# ------------------------------------------------------------------ as if


@pytest.mark.slow
@pytest.mark.parametrize(("game", "edit", "cited", "seed"), EDITS)
def test_the_edit_of_an_engine_is_found(
    game: str, edit: str, cited: str, seed: int, tmp_path: Path
) -> None:
    """An engine that is the rules with one edit behaves as if they had it, or one that shows no
    difference; a log with two faults of different kinds is explained class by class.
    """
    program, log = load_rules(game), tmp_path / "edited.log"
    played = log_of(edited_as(program, edit), 2, seed, 250, LogStyle(quiet=0.85))
    log.write_text("\n".join(one.as_json() for one in played), encoding="utf-8")
    asked = LogQuestion(players=2)
    found = conformed(program, log, asked)
    assert found.deviations
    said = behaves_as_if(program, [found], asked, Meter())
    assert set(said) == set(found.classes)
    which = f"{edit}; or {BESIDE[cited]}"
    assert f"It behaves as if the rules had one of these edits: {which}." in said.values()


MANA_IS_NO_ACTION = """
step draw | priority A | look draw A | pass A | priority B | act B 117.1d | priority B | pass B
step first_main | priority A | look first_main A
act A 117.1a/a | priority A | pass A | priority B | act B 117.1d | priority B | pass B
choice B | resolve | priority B | look first_main B
act B 117.1a/a | priority B | pass B | priority A | pass A | choice B | resolve | priority B
look first_main B"""


@pytest.mark.long
def test_what_a_deviation_hides_is_no_other(tmp_path: Path) -> None:
    """Mana between two passes is no action, and who is asked by what resolves has priority: where
    both come together a window tells only of the first. Edits that cannot be said are not played.
    """
    program, log = load_rules("mtg"), tmp_path / "mana.log"
    words = [one.split() for one in re.split(r"[|\n]", MANA_IS_NO_ACTION) if one]
    log.write_text("\n".join(json.dumps(_event(*one)) for one in words), encoding="utf-8")
    asked = LogQuestion(players=2)
    found = conformed(program, log, asked)
    assert found.classes == {
        ("117.3d/c", "step", "priority"): 1,
        ("117.3d/c", "choice", "priority"): 1,
        ("608.2", "priority", "priority"): 1,
    }
    tried = [one for one in edits_of(program) if one.clause in ("117.1d", "117.4/a", "117.3d/c")]
    with mock.patch.object(logs, "edits_of", return_value=tried):
        said = behaves_as_if(program, [found], asked, Meter())
    edit = "117.1d: passed stays as it is"
    assert said["117.3d/c", "choice", "priority"].endswith(f"had this edit: {edit}.")


def _event(name: str, by: str = "", clause: str = "") -> dict[str, object]:
    match name:
        case "look":
            return {"event": name, "active": "A", "step": by, "stack": [], "holder": clause}
        case "step":
            return {"event": name, "name": by}
        case "priority":
            return {"event": name, "of": by}
    said = {"by": by, "clause": clause}
    return {"event": name, **{key: value for key, value in said.items() if value}}


def test_what_no_edit_explains_is_said(tmp_path: Path) -> None:
    """An item of the other player and of another kind comes onto the stack."""
    log, program = tmp_path / "wrong.log", load_rules("zx")
    played = log_of(program, 2, 1, 30, LogStyle(quiet=0.9))
    wrong = [*played, made("gap"), *played[:1]]
    acts = [at for at, one in enumerate(wrong) if one.name == "act"]
    del wrong[acts[0]]
    log.write_text(
        "\n".join(one.as_json() for one in wrong if one.name != "players"), encoding="utf-8"
    )
    found = conformed(program, log, LogQuestion())
    assert found.deviations
    said = behaves_as_if(program, [found], LogQuestion(), Meter())
    assert set(said.values()) == {"No single edit of the rules explains this."}
    hurried = behaves_as_if(program, [found], LogQuestion(), Meter(Budget(0.000001)))
    assert all("is open: the time of 1e-06 s was up" in one for one in hurried.values())


def test_edits_of_rules_are_made_within_the_time() -> None:
    with Meter(Budget(0.000001)).watching(), pytest.raises(BudgetSpentError):
        edits_of(load_rules("mtg"))


def test_what_sets_deviations_apart() -> None:
    found = Conformed("", load_rules("mtg"), make_scope(load_rules("mtg")), Tally())
    found.tally.beside["117.3b"] = {("pass", "active"), ("choice", "active")}
    found.shown["117.3b", "priority", "priority"] = frozenset(
        {("pass", "active"), ("choice", "another")}
    )
    found.shown["117.3c", "priority", "priority"] = frozenset({("act", "another")})
    assert found.apart(("117.3b", "priority", "priority")) == ("choice", "another")
    assert found.apart(("117.3c", "priority", "priority")) is None
