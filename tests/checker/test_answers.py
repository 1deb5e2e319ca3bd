"""Answers: tables of the others, who keep a coalition from what it wants; by chance against the
oracle, and in rulesets.
"""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from stacklaw.checker.reference.formulas.signals import Signals
from stacklaw.checker.reference.semantics.explore import explore
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.replay.replay import ReplayError
from stacklaw.checker.run.check import check
from stacklaw.checker.run.engines import engine_named
from stacklaw.checker.strategies.arena import FIRST, arena_of
from stacklaw.checker.strategies.forks import with_forced
from stacklaw.checker.strategies.objective import Objective
from stacklaw.checker.strategies.solve import solve
from stacklaw.checker.tables.playback import RestrictedGame, play_back
from stacklaw.checker.tables.search import Found, GuardRow, find_table
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.graphs import Edges
from stacklaw.checker.types.position import StrategyTable
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Outcome
from stacklaw.models.load import load, load_game
from stacklaw.models.source import Source
from stacklaw.properties.load import property_named

from ..rulesets import properties_in
from .arena_oracle import can_answer, can_reach
from .chance_games import random_game, random_question

GAMES = 60


def answer_to(objective: Objective) -> Found | None:
    """Return a table of the others; None if they do not win within the scope, or by no table that
    was found.
    """
    arena = arena_of(objective, Meter(), each=True)
    priority = arena.with_ends(beyond=True, open_=True)
    solution = solve(arena.ours, priority, Edges(arena.first, arena.target))
    return (
        None
        if solution.even[FIRST] or arena.is_beyond
        else find_table(arena, solution, priority, Meter(), ours=False)
    )


@pytest.mark.parametrize("block", range(4))
def test_small_games_by_chance(block: int) -> None:
    """With the rows no play reaches the objective, says a second way to look for one; without one
    of them a play does.
    """
    compared = rows = 0
    for seed in range(block * GAMES, (block + 1) * GAMES):
        luck = Random(seed)
        game = random_game(luck)
        question = random_question(luck, game.players)
        graph = with_forced(game.graph())
        for seats in product(range(game.players), repeat=len(question.spotlights)):
            objective = Objective(Signals(graph), question, seats)
            found = answer_to(objective)
            if found is None:
                continue
            assert play_back(objective, found.rows, Meter(), beyond=True, ours=False) > 0
            if any(
                condition.part is not None for row in found.rows for condition in row.conditions
            ):
                continue  # what it remembers is no part of a position
            for fewer in (
                found.rows,
                *(_without(found.rows, number) for number in range(len(found.rows))),
            ):
                restricted = RestrictedGame(objective, fewer, beyond=True, ours=False)
                edges = (restricted.edges(position, 0) for position in range(graph.expanded))
                allowed = [[graph.moves[graph.label[edge]] for edge in here] for here in edges]
                wins = not can_reach(game, question, seats, allowed) and can_answer(
                    game, question, seats, allowed
                )
                assert wins in (fewer == found.rows, None), (seed, seats)
            compared, rows = compared + 1, rows + len(found.rows)
    assert compared > GAMES // 4
    assert rows > GAMES // 6


def _without(rows: tuple[GuardRow, ...], number: int) -> tuple[GuardRow, ...]:
    return rows[:number] + rows[number + 1 :]


def told(written: str, rules: str) -> StrategyTable | None:
    """Return the table of the others against what *written* asks of *rules*, which cannot be
    enforced.
    """
    program = load(Source("a.rules", rules))
    (question,) = properties_in(Source("a.props", f'property asked "it"\n  {written}\n'), program)
    verdict = check(program, [question], make_scope(program))[0]
    assert verdict.outcome == Outcome.IMPOSSIBLE
    return verdict.table


ASKED_IN_TURN = """
game "Asked in turn"
players 2 or more
scope players {players}
start ask(active)
state
  heard : flag
  due : flag
stage ask(p: player)
  priority p
  may 1 "ask"
    heard := yes
    go answer(after p)
  may 2 "say nothing"
    pass
    go ask(after p)
stage answer(q: player)
  priority q
  may 3 "answer"
    due := yes
    go ask(q)
  may 4 "refuse"
    heard := no
    go ask(q)
"""


@pytest.mark.parametrize(("players", "who"), [(2, "the player after p"), (3, "the player after p")])
def test_who_answers_is_said_by_the_way_from_whom_it_is_asked(players: int, who: str) -> None:
    """It is enough that the next player refuses; a third one may answer the second, but not if due
    is asked of p's own question.
    """
    rules = ASKED_IN_TURN.format(players=players)
    table = told(
        "for some player p: p can enforce eventually (clause 3 and previously p uses 1)", rules
    )
    assert table is not None
    assert table.is_answer
    assert table.is_smallest
    assert [(row.player, row.clause) for row in table.rows] == [(who, "4")]


CARDS = """
game "The cards decide"
players 2
start play
state
  count : 0 to 3
stage play
  priority active
  may 1 "draw"
    maybe "a good one"
      count += 1
    go play
  may 2 "end"
    pass
    game over
"""


def test_the_cards_answer() -> None:
    table = told("for some player p: p can enforce eventually count is 2", CARDS)
    assert table is not None
    assert [(row.player, row.choice) for row in table.rows] == [("the cards", '"no: a good one"')]


@pytest.mark.parametrize(
    ("name", "settings", "rows"),
    [
        ("deny_window", {"step4": "next"}, [("q", (), "STK-14")]),
        ("stall", {}, []),
        ("deny_window", {}, None),
    ],
)
def test_the_house_rules(
    name: str, settings: dict[str, str], rows: list[tuple[str, tuple[str, ...], str]] | None
) -> None:
    """Under `next` it is enough that q passes. No player has to keep a turn from going on for ever.
    What is won has no answer.
    """
    program = load_game("stack", {"triggers": "no", **settings})
    table = check(program, [property_named(program, name)], make_scope(program))[0].table
    assert table is not None
    assert table.is_answer == (rows is not None)
    if rows is not None:
        assert [(row.player, row.when, row.clause) for row in table.rows] == rows


@pytest.mark.slow
@pytest.mark.parametrize("game", ["zx", pytest.param("mtg", marks=pytest.mark.long)])
@pytest.mark.parametrize("name", ["stall", "deny_window"])
def test_where_no_play_brings_it_about_nobody_has_to_prevent_it(game: str, name: str) -> None:
    program = load_game(game)
    # Of Magic with a stack of three there are more positions than a table is made for.
    scope = (
        make_scope(program, 2, {"stack": 2, "waiting": 2}) if game == "mtg" else make_scope(program)
    )
    verdict = check(program, [property_named(program, name)], scope)[0]
    assert verdict.table is not None
    assert verdict.table.is_answer
    assert verdict.table.rows == ()


def test_an_answer_is_played_back() -> None:
    """Without a row, or with another clause in one, it does not keep anybody from anything, and
    playing it says so.
    """
    program = load_game("stack", {"triggers": "no", "step4": "next"})
    graph = with_forced(explore(Interpreter(program, make_scope(program)), Meter()))
    objective = Objective(Signals(graph), property_named(program, "deny_window"), (0, 1))
    found = answer_to(objective)
    assert found is not None
    assert play_back(objective, found.rows, Meter(), beyond=True, ours=False) > 0
    for number in range(len(found.rows)):
        with pytest.raises(ReplayError):
            play_back(objective, _without(found.rows, number), Meter(), beyond=True, ours=False)


def test_what_is_lost_at_the_start_leads_nowhere() -> None:
    """However little was looked at, and nobody needs a row."""
    program = load(Source("a.rules", CARDS))
    asked = 'property asked "it"\n  for some player p: p can enforce never at play\n'
    properties = properties_in(Source("a.props", asked), program)
    (verdict,) = check(
        program,
        properties,
        make_scope(program),
        Budget(positions=1),
        engine=engine_named("reference"),
    )
    assert verdict.outcome == Outcome.IMPOSSIBLE
    assert verdict.table is not None
    assert verdict.table.rows == ()
