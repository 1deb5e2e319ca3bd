"""What a page leaves to the tool: the command that the page gives asks of just that, with the same
settings.
"""

from __future__ import annotations

import random
import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stacklaw.checker.explicit.portable import why_left
from stacklaw.checker.types.scope import make_scope, scope_of
from stacklaw.cli.asking.reading import read_target
from stacklaw.cli.commands.check import check_command as check
from stacklaw.cli.exploring.making import switched
from stacklaw.models.load import load_game
from stacklaw.models.options.cases import values_of
from stacklaw.models.shipped import game_names
from stacklaw.properties.load import property_named
from stacklaw.reports.page.page import questions_table

from .node import needs_node, run

pytestmark = needs_node

LEFT = """
console.log(JSON.stringify(given.asked.map(({ reading, said }) => {
  const left = leftToTool(given.left, given.questions, reading);
  return [left, commandFor(given.target, given.usual, said, left.map(([name]) => name))];
})));
"""


@pytest.mark.parametrize("game", game_names())
def test_the_page_of_the_manual_names_what_is_left(game: str) -> None:
    """Of the catalogue by name."""
    page = (Path(__file__).parents[2] / "docs" / "page.md").read_text(encoding="utf-8")
    table = page.split("| left to the tool | why |\n", 1)[1].split("\n\n", 1)[0]
    program, questions, _ = read_target(game, {}, (), (), with_claims=False)
    left = {one.name for one, _, _ in questions if why_left(program, one, 2)}
    assert left <= set(re.findall(r"`(\w+)`", table))


@pytest.mark.parametrize("game", game_names())
def test_the_command_asks_what_is_left_with_the_same_settings(game: str) -> None:
    program, questions, _ = read_target(game, {}, (), (), with_claims=True)
    found, properties = switched(game, {}, program, questions)[0]
    scope, chance = make_scope(program), random.Random(game)
    left = [
        (number, why)
        for number, one in enumerate(properties)
        if (why := why_left(found.program, one, scope.players))
    ]
    more = scope.players + 1 if program.players[1] is None else scope.players
    usual = {
        "players": scope.players,
        "sizes": scope.sizes,
        "settings": [(one.name, one.default) for one in program.options],
    }
    settings = [
        {one.name: str(chance.choice(values_of(one))) for one in program.options} for _ in range(4)
    ]
    sizes = [
        [(zone, size + chance.randrange(-1, 2) if size > 1 else size) for zone, size in scope.sizes]
        for _ in settings
    ]
    players = [(scope.players, more)[number % 2] for number, _ in enumerate(settings)]
    asked = [
        {
            "reading": reading_of(found, one),
            "said": {"players": many, "sizes": its, "settings": list(one.items())},
        }
        for one, its, many in zip(settings, sizes, players, strict=True)
    ]
    given = {
        "target": game,
        "usual": usual,
        "asked": asked,
        "left": left,
        "questions": questions_table(found),
    }
    told: list[Any] = run(("reading", "left"), LEFT, given)
    for number, (reasons, command) in enumerate(told):
        words = shlex.split(command)
        assert words[:2] == ["stacklaw", "check"]
        said = check.make_context("check", words[2:]).params
        assert said["targets"] == (game,)
        again, its, _ = read_target(
            game, dict(said["settings"]), said["properties"], (), with_claims=True
        )
        assert {name: str(value) for name, value in again.settings} == settings[number]
        assert (
            list(scope_of(again, said["players"], None, dict(said["sizes"])).sizes) == sizes[number]
        )
        assert scope_of(again, said["players"], None, {}).players == players[number]
        _, all_, _ = read_target(game, settings[number], (), (), with_claims=True)
        assert {one.name for one, _, _ in its} == {
            one.name for one, _, _ in all_ if why_left(again, one, scope.players)
        }
        assert all(why for _, why in reasons)


def reading_of(found: Any, settings: dict[str, str]) -> list[int]:
    return [
        [str(value) for value in values_of(option)].index(settings[option.name])
        for option in found.options
    ]


def test_a_name_that_a_shell_would_read_is_quoted() -> None:
    script = (
        "console.log(JSON.stringify(commandFor(given.target, { players: 2, sizes: [], settings: "
        "[] }, given.said, given.names)))"
    )
    said = {"players": 2, "sizes": [], "settings": []}
    names = ["$(reboot)", "it's", "a;b", "plain.name", "-x", ""]
    command = run(
        ("reading", "left"), script, {"target": "my rules.rules", "said": said, "names": names}
    )
    assert shlex.split(command) == [
        "stacklaw",
        "check",
        "my rules.rules",
        *(word for name in names for word in ("-p", name)),
    ]


def test_what_the_rules_have_no_notion_of_is_left_to_the_tool() -> None:
    """A page would call it impossible; there is nothing that could be."""
    program = load_game("zx")
    question = property_named(program, "hold_priority")
    assert not why_left(program, question, 2)
    assert why_left(program, replace(question, absent="items"), 2) == "the rules know no items"
