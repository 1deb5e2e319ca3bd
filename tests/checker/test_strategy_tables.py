"""What players can enforce in rulesets: verdicts by hand, tables that win, and tables that do
not.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from stacklaw.checker.reference.formulas.signals import Signals
from stacklaw.checker.reference.semantics.explore import explore
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.replay.replay import ReplayError
from stacklaw.checker.run.check import check
from stacklaw.checker.run.engines import prover_named
from stacklaw.checker.strategies.arena import arena_of
from stacklaw.checker.strategies.forks import with_forced
from stacklaw.checker.strategies.objective import Objective
from stacklaw.checker.strategies.solve import solve
from stacklaw.checker.tables.playback import guarded_game, play_back
from stacklaw.checker.tables.search import find_table
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.graphs import Edges
from stacklaw.checker.types.position import GuardedGame
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Outcome, Verdict
from stacklaw.models.load import load, load_game
from stacklaw.models.source import Source
from stacklaw.properties.load import property_named

from ..rulesets import MAY_PUT_OR_END, WHERE_B_PLAYS, properties_in

NO_TRIGGERS = {"triggers": "no"}


@cache
def verdict_on(name: str, **settings: str) -> Verdict:
    program = load_game("stack", {**NO_TRIGGERS, **settings})
    return check(program, [property_named(program, name)], make_scope(program))[0]


def enforced(written: str, rules: str) -> Verdict:
    """Return the verdict on what *written* asks of *rules*."""
    program = load(Source("a.rules", rules))
    lines = "".join(f"\n  {line}" for line in written.splitlines())
    (question,) = properties_in(Source("a.props", f'property asked "it"{lines}\n'), program)
    return check(program, [question], make_scope(program))[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "settings", "outcome"),
    [
        ("stall", {}, Outcome.IMPOSSIBLE),
        ("stall", {"idle": "passes"}, Outcome.POSSIBLE),
        pytest.param("deny_window", {}, Outcome.POSSIBLE, marks=pytest.mark.long),
        ("deny_window", {"step4": "next"}, Outcome.IMPOSSIBLE),
        ("deny_window", {"idle": "passes", "step4": "next"}, Outcome.IMPOSSIBLE),
    ],
)
def test_the_house_rules_as_worked_out_by_hand(
    name: str, settings: dict[str, str], outcome: Outcome
) -> None:
    verdict = verdict_on(name, **settings)
    assert verdict.outcome == outcome
    assert verdict.trace is not None
    assert verdict.table is not None
    assert verdict.table.is_answer == (outcome == Outcome.IMPOSSIBLE)


def test_stalling_is_one_row() -> None:
    table = verdict_on("stall", idle="passes").table
    assert table is not None
    assert table.is_smallest
    assert {(row.player, row.when, row.clause) for row in table.rows} == {
        ("p", (), "STK-14"),
        ("p", (), "STK-X1/pass"),
    }


@pytest.mark.long
def test_denying_a_window_needs_to_remember() -> None:
    table = verdict_on("deny_window").table
    assert table is not None
    assert table.is_smallest
    assert any("since" in condition for row in table.rows for condition in row.when)


def test_the_budget_ends_it() -> None:
    program = load_game("stack")
    verdict = check(
        program, [property_named(program, "stall")], make_scope(program), Budget(positions=500)
    )[0]
    assert verdict.outcome == Outcome.UNKNOWN
    assert "500 positions" in verdict.reason


# ------------------------------------------------------------------ playing tables back


def test_a_table_is_played_back() -> None:
    """Without a row, or with another clause in one, it does not win, and playing it says so."""
    program = load_game("stack", {**NO_TRIGGERS, "idle": "passes"})
    signals = Signals(with_forced(explore(Interpreter(program, make_scope(program)), Meter())))
    objective = Objective(signals, property_named(program, "stall"), (0,))
    arena = arena_of(objective, Meter())
    priority = arena.with_ends(beyond=True, open_=False)
    found = find_table(
        arena, solve(arena.ours, priority, Edges(arena.first, arena.target)), priority, Meter()
    )
    assert found is not None
    assert play_back(objective, found.rows, Meter(), beyond=True) > 0
    with pytest.raises(ReplayError, match="beyond the scope"):
        play_back(objective, found.rows, Meter(), beyond=False)
    for number, row in enumerate(found.rows):
        with pytest.raises(ReplayError):
            play_back(
                objective, found.rows[:number] + found.rows[number + 1 :], Meter(), beyond=True
            )
        other = replace(row, action=replace(row.action, clause="STK-X1"))
        with pytest.raises(ReplayError):
            play_back(objective, (*found.rows, other), Meter(), beyond=True)


def test_the_play_against_it_ends_where_the_others_have_broken_it() -> None:
    """All pass, and the turn ends: that tells in full why no player can keep it from ending."""
    trace = verdict_on("stall").trace
    assert trace is not None
    assert trace.loop is None
    assert any(event.kind == "sequence ends" for event in trace.steps[-1].move.events)


@pytest.mark.slow
def test_the_play_against_it_comes_as_far_as_it_can() -> None:
    """One effect has resolved while the other player had no priority since; before the next
    resolves they have.
    """
    trace = verdict_on("deny_window", step4="next").trace
    assert trace is not None
    assert trace.loop is not None
    resolved = [
        number
        for number, step in enumerate(trace.steps)
        if any(event.kind == "resolves" for event in step.move.events)
    ]
    assert resolved
    assert min(resolved) < trace.loop


# ------------------------------------------------------------------ tables as guards


def guarded(most: int = 9) -> GuardedGame:
    """Return the game in which stalling by passing is bound, by *most* rows at most."""
    program = load_game("stack", {**NO_TRIGGERS, "idle": "passes"})
    signals = Signals(with_forced(explore(Interpreter(program, make_scope(program)), Meter())))
    objective = Objective(signals, property_named(program, "stall"), (0,))
    arena = arena_of(objective, Meter())
    priority = arena.with_ends(beyond=True, open_=False)
    found = find_table(
        arena, solve(arena.ours, priority, Edges(arena.first, arena.target)), priority, Meter()
    )
    assert found is not None
    game = guarded_game(objective, found.rows[:most])
    assert game is not None
    return game


def test_rows_as_guards_keep_what_they_win() -> None:
    game = guarded()
    for players in (2, 3):
        verdicts = check(game.program, game.properties, make_scope(game.program, players))
        assert [verdict.outcome for verdict in verdicts] == [Outcome.HOLDS] * 3
    interpreter = Interpreter(game.program, make_scope(game.program))
    graph = explore(interpreter, Meter())
    by_first = {move.clause for move in graph.moves if move.owner == 0}
    assert by_first == {"STK-14", "STK-X1/pass"}
    assert {move.clause for move in graph.moves if move.owner == 1} > by_first


@pytest.mark.parametrize("rows", [0, 1])
def test_rows_that_lose_are_not_proved(rows: int) -> None:
    game = guarded(rows)
    verdicts = check(game.program, game.properties, make_scope(game.program))
    assert Outcome.VIOLATED in [verdict.outcome for verdict in verdicts]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "settings", "rows"),
    [("stack", {**NO_TRIGGERS, "idle": "passes"}, 2), ("fftcg", {"pass_counts": "yes"}, 1)],
)
def test_stalling_is_proved_for_every_size(game: str, settings: dict[str, str], rows: int) -> None:
    program = load_game(game, settings)
    verdict = check(
        program, [property_named(program, "stall")], make_scope(program), prover=prover_named("all")
    )[0]
    assert verdict.outcome == Outcome.POSSIBLE
    assert verdict.reason == ""
    assert verdict.table is not None
    assert verdict.table.is_proved
    assert len(verdict.table.rows) == rows


@pytest.mark.slow
def test_what_remembers_is_no_guard() -> None:
    program = load_game("stack", NO_TRIGGERS)
    verdict = check(
        program,
        [property_named(program, "deny_window")],
        make_scope(program),
        prover=prover_named("all"),
    )[0]
    assert verdict.table is not None
    assert not verdict.table.is_proved


# ------------------------------------------------------------------ rulesets by hand

CHOOSING = """
game "Choosing"
players 2
scope players 2, pile 1
start ask(active)
items
  red "red"
  blue "blue"
zones
  pile last in first out
stage ask(p: player)
  priority p
  may 1 "name a colour"
    either "red" by {chooser}
      put red on pile
    or "blue"
      put blue on pile
    go shown
stage shown
  must 2 "take it away"
    when pile is not empty
    resolve top of pile
    go ask(active)
"""
RED = "for some player p: p can enforce for some item i: eventually (i is put on pile and i is red)"
NEVER_RED = (
    "for some player p: p can enforce for every item i: never (i is put on pile and i is red)"
)


@pytest.mark.parametrize(
    ("asked", "outcome"),
    [
        (RED, Outcome.POSSIBLE),
        (NEVER_RED, Outcome.POSSIBLE),
        (f"{RED[:-1]} and i is blue)", Outcome.IMPOSSIBLE),
    ],
)
def test_a_choice_is_its_chooser_s(asked: str, outcome: Outcome) -> None:
    verdict = enforced(asked, CHOOSING.format(chooser="after p"))
    assert verdict.outcome == outcome
    if outcome == Outcome.POSSIBLE:
        assert dict(verdict.trace.spotlights if verdict.trace else ()) == {"p": 1}
        assert verdict.table is not None
        assert [(row.clause, row.choice) for row in verdict.table.rows] == [
            ("1", '"red"' if asked == RED else '"blue"')
        ]


@pytest.mark.parametrize(
    ("silent", "outcome"), [(False, Outcome.IMPOSSIBLE), (True, Outcome.POSSIBLE)]
)
def test_who_must_choose_cannot_help_it_though_nothing_comes_of_it(
    silent: bool, outcome: Outcome
) -> None:
    """Both ways are alike to a claim that does not ask who chooses. Only where a player can pass is
    there a play without a choice.
    """
    rules = """
game "Asked in turn"
players 2
start ask(active)
stage ask(p: player)
  priority p
  may 1 "name a colour"
    either "red" by p
      go ask(after p)
    or "blue"
      go ask(after p)
"""
    passing = '  may 2 "say nothing"\n    pass\n    go ask(after p)\n' if silent else ""
    assert (
        enforced("for some player p: p can enforce never (p chooses)", rules + passing).outcome
        == outcome
    )


def test_every_item_is_one_that_waits() -> None:
    asked = "for some player p: p can enforce for every item i: i on pile leads to i resolves"
    assert enforced(asked, CHOOSING.format(chooser="p")).outcome == Outcome.POSSIBLE
    never = asked.replace("i resolves", "i is removed")
    assert enforced(never, CHOOSING.format(chooser="p")).outcome == Outcome.IMPOSSIBLE


def test_two_players_can_do_what_neither_can() -> None:
    rules = """
game "Two locks"
players 2
start ask(active)
state
  open : players
stage ask(p: player)
  priority p
  may 1 "open one's own"
    open += p
    go ask(after p)
  may 2 "close the other one's"
    open -= after p
    go ask(after p)
"""
    both = "every x in players satisfies x in open"
    alone = f"for some player p: p can enforce eventually ({both})"
    together = (
        f"for some player p, player q: p and q can enforce eventually (p is not q and {both})"
    )
    assert enforced(alone, rules).outcome == Outcome.IMPOSSIBLE
    assert enforced(together, rules).outcome == Outcome.POSSIBLE


def test_a_gap_is_no_win() -> None:
    rules = (
        'game "Gap"\nplayers 2\nstart ask(active)\nstage ask(p: player)\n  may 1 "end"\n    by '
        "p\n    go nothing\nstage nothing\n"
    )
    rules += '  must 2 "on"\n    when number of players is 3\n    go nothing\n'
    assert (
        enforced("for some player p: p can enforce never game is over", rules).outcome
        == Outcome.IMPOSSIBLE
    )
    assert (
        enforced("for some player p: p can enforce eventually clause 1", rules).outcome
        == Outcome.POSSIBLE
    )


def test_what_is_left_open_is_not_what_the_scope_forbids() -> None:
    """B can put for ever: only the scope makes an end of it, so a table that leaves B free would be
    no strategy.
    """
    verdict = enforced(
        "for some player p: p can enforce eventually game is over", WHERE_B_PLAYS + MAY_PUT_OR_END
    )
    assert verdict.outcome == Outcome.POSSIBLE
    assert verdict.table is not None
    assert [row.clause for row in verdict.table.rows] == ["2"]


def test_a_table_that_leaves_what_the_scope_forbids_is_not_played_back() -> None:
    program = load(Source("x.rules", WHERE_B_PLAYS + MAY_PUT_OR_END))
    text = (
        'property asked "asked"\n  why "to see"\n  for some player p: p can enforce eventually '
        "game is over\n"
    )
    (question,) = properties_in(Source("x.props", text), program)
    graph = with_forced(
        explore(Interpreter(program, make_scope(program, 2, {"stack": 2})), Meter())
    )
    objective = Objective(Signals(graph), question, (1,))
    with pytest.raises(ReplayError, match="beyond the scope"):
        play_back(objective, (), Meter(), beyond=True)
