"""Other readings on a page: counts and answers are those of the ruleset whose options are set
so.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from stacklaw.checker.explicit.emit.emit import emit
from stacklaw.checker.explicit.moves.layout import Layout
from stacklaw.checker.explicit.portable import why_left
from stacklaw.checker.explicit.search.search import search
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.run.check import check
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.scope import make_scope
from stacklaw.cli.asking.reading import read_target
from stacklaw.cli.exploring.making import switched
from stacklaw.models import ir
from stacklaw.models.load import load_game
from stacklaw.models.options.cases import has_seats, other_readings, values_of
from stacklaw.models.shipped import game_names
from stacklaw.properties.formula import Property
from stacklaw.reports.page.page import Switched, SwitchedQuestion, questions_table

from .compiled import portable
from .node import carried, needs_node, run

pytestmark = [needs_node, pytest.mark.slow]

ASKED_BY_DECLARATIONS = {"length", "allotted", "subroutines", "nesting"}
"""Options that a declaration asks, of steps or numbers; they stay as they are in a page."""

COUNTS = """
const module = new WebAssembly.Module(Buffer.from(given.searches[given.searches.length - 1][0], "base64"));
const text = given.texts[given.texts.length - 1];
console.log(JSON.stringify(given.readings.map((reading) => {
  const search = new Search(new Kernel(module, 2 ** 28), text, 0, given.limits, given.sizes, reading);
  if (search.begin()) for (const _ of search.run());
  return search.counts;
})));
"""
ANSWERS = """
const modules = given.searches.map((pair) => pair.map((one) => (one ? new WebAssembly.Module(Buffer.from(one, "base64")) : null)));
console.log(JSON.stringify(given.readings.map((reading) => {
  const tables = { ...given, asked: given.asked.filter(({ row }) => isMet(given.questions[row].when, reading)) };
  const answers = [];
  for (const _ of new Asking(tables, modules, given.sizes, 2 ** 28, reading).run((answer) => answers.push(answer)));
  return answers.slice(1).map(({ row, outcome }) => [given.questions[row].name, outcome]);
})));
"""
ASKED = """
const asked = (reading) => given.questions.filter(({ when }) => isMet(when, reading));
console.log(JSON.stringify(given.readings.map((reading) => asked(reading).map(({ name }) => name))));
"""
PLAYS = """
const teller = new Teller(new WebAssembly.Module(Buffer.from(given.tells, "base64")), given, given.sizes);
console.log(JSON.stringify(given.readings.map((reading, number) => {
  teller.setUp(given.sizes, reading);
  let here = teller.start();
  const told = [];
  for (const draw of given.draws[number]) {
    const moves = teller.moves(here);
    told.push(moves.map(({ clause, way }) => `${clause} ${way}`));
    if (!moves.length) break;
    here = moves[draw % moves.length].target;
  }
  return told;
})));
"""


NUMBERS = """
game "Numbers"
source "a test"
players 2 or more
scope players 2, stack 3
start act(active)
option most "how many spells there may be" from 1 to 3 default 2
option least "how many are held at first" from 0 to 2 default 1
option far "an option of many values" from 0 to 99 default 7
items
  spell "a spell"
zones
  stack last in first out
state
  held : 0 to 3 = least
stage act(holder: player) "a player has priority"
  priority holder
  may 1 "cast"
    when size of stack < most
    put spell on stack
    go act(after holder)
  may 2 "hold"
    when some n in 1 to most where n > 0
    choose n in 1 to most
    held := n
    go act(holder)
  may 3 "end"
    when far is 7 and held is most
    game over
"""


@cache
def page_of(game: str, *, asks: bool = False) -> tuple[Switched, dict[str, Any]]:
    found, properties = switched_in(game)
    names = [option.name for option in found.options]
    made = portable(found.program, make_scope(found.program), properties if asks else (), names)
    return found, {**carried(made), "questions": questions_table(found)}


def switched_in(game: str) -> tuple[Switched, list[Property]]:
    program, questions, _ = read_target(game, {}, (), (), with_claims=True)
    return switched(game, {}, program, questions)[0]


def number_of(found: Switched, settings: Mapping[str, str]) -> list[int]:
    """Return the numbers of the values that the options of *found* have under *settings*, its
    players last.
    """
    numbers = [
        [str(value) for value in values_of(option)].index(
            settings.get(option.name, str(option.default))
        )
        for option in found.options
    ]
    return [
        *numbers,
        *(
            [make_scope(found.program).players - found.program.players[0]]
            if has_seats(found.program)
            else []
        ),
    ]


def sampled(found: Switched, number: int) -> list[dict[str, str]]:
    luck = random.Random(7)
    return [
        {option.name: luck.choice(option.values)[0] for option in found.options}
        for _ in range(number)
    ]


@pytest.mark.long
@pytest.mark.parametrize("game", game_names())
def test_every_option_of_the_games_can_be_switched(game: str) -> None:
    found, _ = switched_in(game)
    assert [option.name for option in found.options] == [
        option.name
        for option in load_game(game).options
        if option.name not in ASKED_BY_DECLARATIONS
    ]


def test_an_option_that_a_declaration_asks_stays_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "numbers.rules"
    file.write_text(NUMBERS, encoding="utf-8")
    found, _ = switched_in(str(file))
    assert [option.name for option in found.options] == ["most"]
    agrees(str(file), [{"most": str(most)} for most in (1, 2, 3)])


def test_what_compares_too_many_values_is_asked_in_no_reading() -> None:
    options = [ir.Option(name, "", (), (1, 16), 1, ()) for name in "abcd"]
    a, b, c, d = (ir.OptionValue(option.name) for option in options)
    more = ir.Less(ir.Add(a, b), ir.Add(c, d))
    questions = [
        SwitchedQuestion("it", "", None, when)
        for when in (more, ir.Not(more), ir.Any((more, ir.Less(a, b))))
    ]
    program = replace(load_game("stack"), options=tuple(options))
    assert [one["when"] for one in questions_table(Switched(program, options, questions))] == [
        False
    ] * 3


def test_no_option_is_switched_while_a_reading_is_unfinished(tmp_path: Path) -> None:
    file = tmp_path / "unfinished.rules"
    file.write_text(f'{NUMBERS}  may 4 "more"\n    when most is 3\n    todo\n', encoding="utf-8")
    program, questions, _ = read_target(str(file), {}, (), (), with_claims=True)
    ((found, properties),) = switched(str(file), {}, program, questions)
    assert not found.options
    assert properties == [question for question, _, _ in questions]


@pytest.mark.rare
@pytest.mark.long
@pytest.mark.parametrize("game", game_names())
def test_it_finds_as_many_positions_as_the_ruleset_with_these_options(game: str) -> None:
    agrees(game, [{}, *offered(game), *sampled(page_of(game)[0], 3)])


def offered(game: str) -> list[dict[str, str]]:
    """Return the readings of *game* that a page can switch to."""
    return [
        dict(one) for one in other_readings(load_game(game)) if not ASKED_BY_DECLARATIONS & {*one}
    ]


def agrees(game: str, readings: Sequence[Mapping[str, str]]) -> None:
    """Hold the counts of each of *readings* to those of the native engine for the ruleset that is
    configured so.
    """
    found, given = page_of(game)
    told = run(
        ("kernel", "positions", "search"),
        COUNTS,
        {**given, "readings": [number_of(found, one) for one in readings]},
    )
    for settings, counted in zip(readings, told, strict=True):
        program = load_game(game, settings)
        counts = search(emit(Layout(program, make_scope(program))), Meter(Budget())).counts
        assert counted == {
            "positions": counts.positions,
            "moves": counts.moves,
            "layers": counts.layers,
            "cut": counts.cut,
        }, settings


@pytest.mark.long
@pytest.mark.parametrize("game", game_names())
def test_each_reading_is_asked_what_a_check_asks_of_it(game: str) -> None:
    found, _ = switched_in(game)
    readings = [{}, *offered(game), *sampled(found, 5)]
    given = {
        "questions": questions_table(found),
        "readings": [number_of(found, one) for one in readings],
    }
    for settings, names in zip(readings, run(("reading",), ASKED, given), strict=True):
        _, questions, _ = read_target(game, settings, (), (), with_claims=True)
        assert sorted(names) == sorted(question.name for question, _, _ in questions), settings


@pytest.mark.long
def test_the_same_questions_have_the_same_answers_as_with_these_options() -> None:
    found, given = page_of("zx", asks=True)
    readings = list(other_readings(load_game("zx")))
    given = {**given, "readings": [number_of(found, one) for one in readings]}
    told = run(("kernel", "positions", "search", "verdicts", "reading"), ANSWERS, given)
    for settings, answers in zip(readings, told, strict=True):
        program, questions, _ = read_target("zx", settings, (), (), with_claims=True)
        asked = [
            question
            for question, _, _ in questions
            if not why_left(program, question, make_scope(program).players)
        ]
        verdicts = check(program, asked, make_scope(program))
        assert sorted(answers) == sorted([one.property.name, one.outcome] for one in verdicts)


@pytest.mark.parametrize("game", ["zx", "stack"])
def test_it_tells_the_moves_of_the_interpreter_in_other_readings(game: str) -> None:
    found, given = page_of(game)
    luck, readings = random.Random(3), sampled(found, 8)
    draws = [[luck.randrange(1000) for _ in range(40)] for _ in readings]
    told = run(
        ("kernel", "positions"),
        PLAYS,
        {**given, "readings": [number_of(found, one) for one in readings], "draws": draws},
    )
    for settings, its, play in zip(readings, draws, told, strict=True):
        program = load_game(game, settings)
        interpreter = Interpreter(program, make_scope(program))
        here = interpreter.initial()
        for draw, moves in zip(its, play, strict=False):
            made = interpreter.moves(here).moves
            assert [one.split()[0] for one in moves] == [move.clause for move, _ in made], settings
            if made:
                here = made[draw % len(made)][1]
