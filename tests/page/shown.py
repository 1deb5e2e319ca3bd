"""What a page shows, and what the interpreter says of the same play."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from stacklaw.checker.explicit import portable as portables
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.types.position import Item, Position
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.models import ir
from stacklaw.properties.formula import Property
from stacklaw.reports.naming import kind_title, player_name
from stacklaw.reports.page.page import Modules, Switched, SwitchedQuestion, render_page
from stacklaw.reports.telling.record import Record, make_record

from ..rulesets import CAST, FULL_PASS, RESOLVE
from .compiled import portable

if TYPE_CHECKING:
    from playwright.sync_api import Page

SMALL = f"""
game "Two passes"
source "a test"
players 2 or more
scope players 2, stack 2
start decide(active)
items
  spell "a spell"
zones
  stack last in first out
state
  passed : players
{CAST}{FULL_PASS}{RESOLVE}    passed := none
    go decide(active)
claims
  possible two.spells "two spells wait"
    possible size of stack is 2
  fails one.spell
    never something resolves
  possible three.players
    needs players 3
    possible number of players is 3
"""
OPTIONS: dict[str, Any] = {
    "seconds": None,
    "memory": None,
    "sizes": {},
    "settings": {},
    "players": None,
    "stack": None,
}


def written(
    path: Path,
    program: ir.Program,
    record: Record | None = None,
    why: str = "",
    properties: Sequence[Property] = (),
) -> Path:
    """Write the page of *program*, without a game in it if there is a reason *why*."""
    scope = make_scope(program)
    rows = tuple(
        SwitchedQuestion(one.name, one.title, number) for number, one in enumerate(properties)
    )
    with pytest.MonkeyPatch.context() as soon:
        # What is asked here is small: that it is compiled soon matters more than how well.
        soon.setattr(portables, "LONG", 0)
        game, switched = portable(program, scope, properties), Switched(program, (), rows)
    modules = None if why else Modules(game.tells, game.searches, game.tables, switched)
    path.write_text(
        render_page(record or make_record(program, scope, ()), program, modules, why, "0"),
        encoding="utf-8",
    )
    return path


def ready(page: Page) -> None:
    page.wait_for_selector("html[data-ready]", timeout=20_000)


def act(page: Page, words: str) -> None:
    """Choose the action of which *words* are said."""
    page.click(f".choices button:has-text('{words}')")


def numbers_in(page: Page) -> list[int]:
    """Return the moves of the play that the link holds."""
    _, *words = (page.get_attribute(".link", "href") or "").split(".")
    return [int(word, 36) for word in words]


def shown(page: Page) -> dict[str, Any]:
    """Return what the page shows of the position."""
    script = """() => {
      const texts = (selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent);
      const [stage] = texts(".now h3");
      const lanes = [...document.querySelectorAll(".lane")].map((lane) => [...lane.querySelectorAll(".holds")].length);
      const piles = [...document.querySelectorAll(".pile")].map((pile) => [...pile.querySelectorAll("li")].map((one) => one.textContent));
      return { stage, priority: texts(".priority")[0], lanes, piles, moves: texts("[data-move]").length };
    }"""
    found: dict[str, Any] = page.evaluate(script)
    return found


def expected(program: ir.Program, scope: Scope, numbers: list[int]) -> dict[str, Any]:
    """Return what the interpreter says of the position after the moves of these *numbers*."""
    interpreter = Interpreter(program, scope)
    here = interpreter.initial()
    for number in numbers:
        here = interpreter.moves(here).moves[number][1]
    holders = [player_name(seat) for seat in sorted(interpreter.priority(here))]
    said = (
        " and ".join([", ".join(holders[:-1]), holders[-1]])
        if len(holders) > 1
        else "".join(holders) or "Nobody"
    )
    return {
        "stage": stage_words(program, here),
        "priority": f"{said} {'have' if len(holders) > 1 else 'has'} priority.",
        "lanes": [int(player_name(seat) in holders) for seat in range(scope.players)],
        "piles": [
            [item_words(program, item) for item in in_order(zone, items)]
            for zone, items in zip(program.zones, here.zones, strict=True)
        ],
        "moves": len(interpreter.moves(here).moves),
    }


def stage_words(program: ir.Program, here: Position) -> str:
    if not here.stage:
        return "the game is over"
    stage = program.stage(here.stage)
    return stage.title or stage.name


def in_order(zone: ir.Zone, items: tuple[Item, ...]) -> tuple[Item, ...]:
    return items[::-1] if zone.order == "lifo" else items


def item_words(program: ir.Program, item: Item) -> str:
    return f"{player_name(item.controller)}'s {kind_title(program, item.kind)}"


def agrees(page: Page, program: ir.Program, scope: Scope) -> None:
    """Hold what the page shows to the interpreter; arguments of stages and attributes of items are
    left to `test_moves`.
    """
    found, told = shown(page), expected(program, scope, numbers_in(page))
    stage, holder = found.pop("stage"), told["priority"].split()[0]
    assert stage.startswith(told.pop("stage"))
    assert not stage.endswith(f" {holder}"), "who has priority is told below it"
    # The play of a verdict tells items apart: A's 2nd spell, i.
    bare = [
        [re.sub(r"(?<='s )\d+\w\w |,? \(.*|, \w+$", "", card) for card in pile]
        for pile in found.pop("piles")
    ]
    assert bare == told.pop("piles")
    assert found == told
