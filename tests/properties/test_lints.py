"""Every code of a lint: its example has it, its mended one has none; the five games and all
examples are free of them.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from stacklaw.models.diagnostics import Diagnostic
from stacklaw.models.shipped import game_names, game_source
from stacklaw.models.source import Source
from stacklaw.properties.lint import lint

from ..rulesets import ONE_PASS, codes_of

ROOT = Path(__file__).parents[2]
CODES = codes_of("W")
GAME = """\
game "Small"
players 2 or more
start decide(active)

items
  spell "spell"

zones
  stack last in first out

stage decide(p: player)
  priority p

  may 1.1 "cast a spell"
    put spell on stack
    go decide(p)

  may 1.2 "pass"
    pass
    if stack is empty
      game over
    else
      go fall

stage fall
  must 1.3 "the spell resolves"
    when stack is not empty
    resolve top of stack
    go decide(active)

"""


def ruleset(example: str) -> str:
    """Return a ruleset with *example*, which is a section, a clause or a formula, in it, and a way
    to the stage that it has, if any.
    """
    if example.startswith("may "):
        clause = "".join(f"  {line}\n" for line in example.splitlines())
        example = (
            'stage reply(p: player)\n  priority p\n\n  may 2.2 "wait"\n    pass\n    go '
            f"decide(p)\n\n{clause}"
        )
    stage = re.search(r"stage (\w+(\(p)?)", example)
    way = (
        f'  may 1.4 "go on"\n    go {stage[1]}{")" if stage[2] else ""}\n\nstage fall'
        if stage
        else "stage fall"
    )
    game = GAME.replace("stage fall", way)
    if re.match(r"(stage|option|state|items|zones|turn)\b", example):
        return f"{game}{example}\n"
    return f"{game}claims\n  holds mine\n    {example}\n"


def warnings(text: str) -> tuple[Diagnostic, ...]:
    return lint(Source("small.rules", text))


@pytest.mark.parametrize("code", CODES)
def test_bad_example_has_the_code(code: str) -> None:
    assert {warning.code for warning in warnings(ruleset(CODES[code].bad))} == {code}


@pytest.mark.parametrize("code", CODES)
def test_mended_example_has_no_warning(code: str) -> None:
    assert warnings(ruleset(CODES[code].mended)) == ()


def test_the_table_is_closed() -> None:
    text = (ROOT / "properties" / "lint.py").read_text(encoding="utf-8")
    assert set(re.findall(r'"(W\d{3})"', text)) == set(CODES)


def test_a_warning_is_none_of_the_errors_and_has_a_place() -> None:
    (warning,) = warnings(ruleset(CODES["W104"].bad))
    assert warning.severity == "warning"
    assert warning.place == "small.rules:32:3"


@pytest.mark.parametrize(
    ("statement", "range_", "found"),
    [
        ("told += 1", "0 to 2", set()),
        ("told := size of stack", "0 to 2", set()),
        ("told := 1", "0 to 2", {"W104"}),
        ("told := 3", "0 to 2", set()),
        ("told := 1", '0 to most\noption most "at most" from 0 to 2 default 2', set()),
    ],
)
def test_a_number_that_runs_out_decides_something_though_nothing_asks_for_it(
    statement: str, range_: str, found: set[str]
) -> None:
    text = (
        GAME.replace("    put spell on stack\n", f"    {statement}\n    put spell on stack\n")
        + f"\nstate\n  told : {range_}\n"
    )
    assert {warning.code for warning in warnings(text)} == found


@pytest.mark.parametrize("game", game_names())
def test_the_games_have_none(game: str) -> None:
    assert lint(game_source(game)) == ()


FORMULAS = {
    "never (someone acts and not someone has priority)": {"W201"},
    "always (someone passes implies someone has priority)": {"W201"},
    "for every player p: always (p acts implies p has priority)": {"W201"},
    "for every player p: always (p acts implies previously p has priority)": set(),
    "for every player p: never (p acts and not p has priority and previously p has "
    "priority)": set(),
    "for every player p: never (p passes and p has priority)": set(),
    "for every player p: never (p has priority and once (p acts and nobody has priority))": set(),
    "always (stack is empty or stack is not empty)": {"W202"},
    "for every player p: always (p has priority implies someone has priority)": {"W202"},
    "always (game is over implies once game is over)": {"W202"},
    "always (once game is over implies game is over)": set(),
    "never (game is over and stack is empty and not game is over)": {"W202"},
    "for every item i: always (i resolves implies something resolves)": {"W202"},
    "for every item i: always (something resolves implies i resolves)": set(),
    "always (stack is empty implies game is over)": set(),
}


@pytest.mark.parametrize("formula", FORMULAS)
def test_what_a_formula_asks(formula: str) -> None:
    assert {warning.code for warning in warnings(ruleset(formula))} == FORMULAS[formula]


@pytest.mark.parametrize(
    ("formula", "whose"),
    [
        (formula, formula.split("not ")[1][:-1])
        for formula in [
            "never (someone acts and not someone has priority)",
            "for every player q: never (q acts and not q has priority)",
        ]
    ],
)
def test_the_hint_about_priority_after_the_move_names_whose_it_is(formula: str, whose: str) -> None:
    (warning,) = warnings(ruleset(formula))
    assert f"`previously {whose}`" in warning.hint


def test_a_pass_by_way_of_a_routine_is_one() -> None:
    text = ONE_PASS.replace("    pass\n", "    do pass_on\n") + "to pass_on\n  pass\n"
    assert "do pass_on" in text
    assert warnings(text) == ()


def test_a_claim_of_a_reading_that_rules_its_clause_out_asks_something() -> None:
    option = 'option echo "whether"\n  no  "none"\n  yes "some"\n\n'
    clause = (
        '  may 1.4 "an echo"\n    when echo is yes\n    put spell on stack\n    go decide(p)\n\n'
    )
    text = (
        GAME.replace("stage fall", f"{clause}stage fall")
        + option
        + "claims when echo is no\n  holds none.such\n    never clause 1.4\n"
    )
    assert warnings(text) == ()


def test_what_is_still_to_be_written_may_pass_and_ask() -> None:
    text = GAME.replace(
        "    pass\n    if stack is empty\n      game over\n    else\n      go fall\n", "    todo\n"
    ).split("stage fall")[0]
    assert {warning.code for warning in warnings(f"{text}state\n  told : flag\n")} == {"W108"}


@pytest.mark.parametrize(
    ("claim", "found"),
    [
        ("never (at decide and someone may pass)", set()),
        ("never (at fall and someone may pass)", {"W101"}),
        ("never (at decide and someone may act)", {"W101"}),
    ],
)
def test_a_claim_that_nobody_can_pass_means_it(claim: str, found: set[str]) -> None:
    must_act = GAME.replace('may 1.2 "pass"\n    pass\n', 'may 1.2 "be done"\n')
    text = f"{must_act}claims\n  holds mine\n    {claim}\n"
    assert {warning.code for warning in warnings(text)} == found
