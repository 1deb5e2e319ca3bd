"""Another number of players on a page: one kernel finds, tells and answers what the ruleset does at
a table of that size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from stacklaw.checker.explicit.emit.emit import emit
from stacklaw.checker.explicit.moves.layout import Layout
from stacklaw.checker.explicit.portable import why_left
from stacklaw.checker.explicit.search.search import search
from stacklaw.checker.run.check import check
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.cli.asking.reading import read_target
from stacklaw.cli.exploring.making import switched
from stacklaw.models import ir
from stacklaw.models.load import load, load_game
from stacklaw.models.options.cases import asking_seats, has_seats, with_seats
from stacklaw.models.source import Source
from stacklaw.properties.formula import Property
from stacklaw.properties.load import claims_of

from .compiled import Portable, portable
from .node import carried, needs_node, run
from .test_moves import RULES, played
from .test_switching import COUNTS, number_of, switched_in
from .test_why_not import is_as_the_interpreter_says

pytestmark = [needs_node, pytest.mark.slow]

ANSWERS = """
const modules = given.searches.map((pair) => pair.map((one) => (one ? new WebAssembly.Module(Buffer.from(one, "base64")) : null)));
console.log(JSON.stringify(given.readings.map((reading) => {
  const answers = [];
  for (const _ of new Asking(given, modules, given.sizes, 2 ** 30, reading).run((answer) => answers.push(answer)));
  return answers.slice(1).map(({ row, outcome, reason }) => [row, outcome, reason]);
})));
"""
LEAVING = """
game "Players leave"
source "a test"
players 1 to 5
scope players 3, stack 2
start act(active, everyone but active)
items
  spell "a spell"
zones
  stack last in first out
state
  present : players = everyone
  lives   : 0 to 2 for each player = 1
  winner  : player or nobody
turn
  day
  night
stage act(holder: player, others: players) "somebody acts"
  priority holder
  may 1 "cast a spell at the player before"
    when some p in present where (p is before holder and p in others)
    put spell by before holder on stack
    go act(after holder, players but after holder)
  must 2 "the spell hurts those who are next to its victim"
    when stack is not empty and some p in present where p in present
    choose p in present where p comes first from after active
    lives of every q in players := lives of before q where q is not active
    remove top of stack
    lives of p -= 1
    if lives of p is 0
      present -= p
    go act(p, present)
  may 3 "give way"
    by any p where p in present and number of players is not 4
    pass
    winner := p
    advance
    if number of players in present < number of players - 1
      game over
    go act(after p, everyone but holder)
claims
  holds nobody.twice
    for every player p, player q: never (p has priority and q has priority and p is not q)
  possible full.table
    possible present is everyone and number of players is 4 and winner is nobody and something on stack
  fails all.stay
    for every player p: always p in present
  possible fourth.table
    needs players 4
    for some player p: possible lives of p is 0 and p is not active
  possible an.item
    for some item i, player p: possible i on stack and controller of i is p and previously p passes
"""


@cache
def leaving() -> ir.Program:
    return load(Source("leaving.rules", LEAVING))


@cache
def everything() -> ir.Program:
    return load(Source("everything.rules", RULES))


def given_of(game: Portable) -> dict[str, Any]:
    """Return *game* as the scripts take it, with its numbers of players and a reading of each."""
    *others, players = game.tables["options"]
    assert players["isPlayers"]
    readings = [
        [*(one["usual"] for one in others), number] for number in range(len(players["values"]))
    ]
    return {**carried(game), "numbers": list(map(int, players["values"])), "readings": readings}


def agrees(program: ir.Program, game: Portable, numbers: Sequence[int]) -> None:
    """Hold the counts of *game*, which is for these *numbers* of players, to those of the native
    engine for each of them.
    """
    given = given_of(game)
    assert given["numbers"] == list(numbers)
    for players, counted in zip(
        numbers, run(("kernel", "positions", "search"), COUNTS, given), strict=True
    ):
        assert counted == counts_of(program, players), players


def counts_of(program: ir.Program, players: int) -> dict[str, int]:
    """Return the counts of the native engine for this number of *players*."""
    counts = search(
        emit(Layout(program, make_scope(program, players=players))), Meter(Budget())
    ).counts
    return {
        "positions": counts.positions,
        "moves": counts.moves,
        "layers": counts.layers,
        "cut": counts.cut,
    }


@pytest.mark.parametrize("game", ["mtg", "stack"])
def test_one_kernel_finds_as_many_positions_as_each_number_of_players_has(game: str) -> None:
    program = load_game(game)
    agrees(program, portable(with_seats(program), make_scope(program)), [2, 3, 4])


def test_what_is_at_first_and_who_is_next_depends_on_how_many_there_are() -> None:
    agrees(leaving(), portable(with_seats(leaving()), make_scope(leaving())), [1, 2, 3, 4, 5])


@pytest.mark.parametrize(
    ("game", "players"), [(leaving, 1), (leaving, 2), (leaving, 5), (everything, 2)]
)
def test_it_tells_the_moves_of_the_interpreter(
    game: Callable[[], ir.Program], players: int
) -> None:
    program = game()
    made = portable(with_seats(program), make_scope(program))
    given = given_of(made)
    reading = given["readings"][given["numbers"].index(players)]
    assert (
        played(program, make_scope(program, players=players), made, 30, 12, reading=reading) > 100
    )


@pytest.mark.long
@pytest.mark.parametrize("game", ["mtg", "stack"])
def test_it_tells_a_thousand_plays_of_a_game_as_the_interpreter_does(game: str) -> None:
    program = load_game(game)
    made = portable(with_seats(program), make_scope(program))
    *_, three, _ = given_of(made)["readings"]
    assert played(program, make_scope(program, players=3), made, 1000, 20, reading=three) > 50_000


@pytest.mark.long
def test_options_are_switched_at_a_table_of_any_number() -> None:
    found, _ = switched_in("mtg")
    given = given_of(
        portable(
            found.program, make_scope(found.program), (), [option.name for option in found.options]
        )
    )
    settings = [
        {"leaving": "yes"},
        {"payment": "announced", "teams": "yes"},
        {"cleanup_step": "silent", "last_pass": "both"},
    ]
    readings = [[*number_of(found, one)[:-1], 1] for one in settings]
    for one, counted in zip(
        settings,
        run(("kernel", "positions", "search"), COUNTS, {**given, "readings": readings}),
        strict=True,
    ):
        assert counted == counts_of(load_game("mtg", one), 3), one


@pytest.mark.parametrize("players", [1, 4])
def test_why_not_is_what_the_interpreter_says(players: int) -> None:
    seen = is_as_the_interpreter_says(
        leaving(), make_scope(leaving(), players=players), 10, 8, open_=with_seats(leaving())
    )
    assert seen["false"] > 10


def test_answers_are_those_of_the_checker_for_so_many_players() -> None:
    assert answers_agree(leaving(), *asked_claims(leaving())) == 5


def asked_claims(program: ir.Program) -> tuple[Portable, list[Property]]:
    properties = [one.property for one in claims_of(program)]
    return portable(
        with_seats(program), make_scope(program), list(map(asking_seats, properties))
    ), properties


def answers_agree(
    program: ir.Program,
    game: Portable,
    properties: Sequence[Property],
    sizes: Mapping[str, int] | None = None,
) -> int:
    """Hold what *game* answers for each number of players to the native engine; return for how many
    of these.
    """
    given = {
        **given_of(game),
        "sizes": [size for _, size in make_scope(program, sizes=sizes).sizes],
    }
    told = run(("kernel", "positions", "search", "verdicts"), ANSWERS, given)
    for players, answers in zip(given["numbers"], told, strict=True):
        scope = make_scope(program, players=players, sizes=sizes)
        verdicts = check(program, properties, scope)
        assert [row for row, _, _ in answers] == [
            row
            for row, one in enumerate(properties)
            if not why_left(program, one, given["numbers"][-1])
        ]
        for row, outcome, reason in answers:
            if not why_left(program, properties[row], players):
                assert outcome == verdicts[row].outcome, (players, properties[row].name)
            else:
                assert outcome == "UNKNOWN"
                assert reason.startswith(
                    f"it needs players {dict(properties[row].needs)['players']}"
                )
    return len(told)


@pytest.mark.rare
@pytest.mark.long
@pytest.mark.parametrize("game", ["mtg", "stack"])
def test_answers_about_a_game_are_those_of_the_checker(game: str) -> None:
    program, questions, _ = read_target(game, {}, (), (), with_claims=True)
    properties = [question for question, claim, _ in questions if claim is not None]
    sizes = {"stack": 2, "waiting": 1}
    made = portable(with_seats(program), make_scope(program), list(map(asking_seats, properties)))
    assert answers_agree(program, made, properties, sizes) == 3


# ------------------------------------------------------------------ which numbers are offered


def numbers_of(text: str, tmp_path: Path, **scope: Any) -> list[str] | None:
    """Return the numbers of players that the page of a ruleset with this *text* offers; None if it
    has one only.
    """
    file = tmp_path / "game.rules"
    file.write_text(text, encoding="utf-8")
    program, questions, _ = read_target(str(file), {}, (), (), with_claims=True)
    found, _ = switched(str(file), {}, program, questions)[0]
    if not has_seats(found.program):
        return None
    values: list[str] = portable(found.program, make_scope(program, **scope)).tables["options"][-1][
        "values"
    ]
    return values


def test_up_to_two_more_players_are_offered_than_the_scope_has_and_all_that_are_fewer(
    tmp_path: Path,
) -> None:
    assert numbers_of(LEAVING, tmp_path) == ["1", "2", "3", "4", "5"]
    assert numbers_of(LEAVING, tmp_path, players=1) == ["1", "2", "3"]
    assert numbers_of(LEAVING, tmp_path, players=5) == ["1", "2", "3", "4", "5"]
    assert (
        numbers_of(
            LEAVING.replace("1 to 5", "3").replace("needs players 4", "needs players 3"), tmp_path
        )
        is None
    )
    assert numbers_of(LEAVING.replace("1 to 5", "2 or more"), tmp_path, players=15) == [
        str(number) for number in range(2, 17)
    ]


def test_no_more_are_offered_where_positions_would_take_more_words(tmp_path: Path) -> None:
    wide = LEAVING.replace("0 to 2 for each", "0 to 127 for each")
    program = load(Source("wide.rules", wide))
    words = [
        Layout(with_seats(program), Scope(players, make_scope(program).sizes)).words
        for players in (3, 4, 5)
    ]
    assert words[0] == words[1] < words[2]
    assert numbers_of(wide, tmp_path) == ["1", "2", "3", "4"]


def test_a_ruleset_in_which_a_number_grows_with_the_players_has_one_number_of_them(
    tmp_path: Path,
) -> None:
    assert (
        numbers_of(LEAVING.replace("0 to 2 for each", "0 to number of players for each"), tmp_path)
        is None
    )
