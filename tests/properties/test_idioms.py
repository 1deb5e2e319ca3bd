"""Idioms: each is the long form that the manual shows, in formulas and on the page."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from stacklaw.models import syntax
from stacklaw.models.diagnostics import InputError
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.properties import formula as f

from ..rulesets import properties_in

MANUAL = (Path(__file__).parents[2] / "docs/language.md").read_text(encoding="utf-8")
IDIOMS = re.findall(
    r"^\| `(\w is first to have .*?|\w has had .*?|\w is answered .*?|\w is countered .*?)` \| "
    r"`(.*?)` \|$",
    MANUAL,
    re.MULTILINE,
)
"""Every idiom of the manual with its long form."""
GAME = """
game "x"
players 2 or more
start decide(active)

items
  spell "spell"

zones
  {zone} last in first out{tag}

state
  said : first or answered or countered

stage decide(p: player)
  priority p
  may 1 "cast"
    when said is first
    put spell on {zone}
    said := answered
    go decide(after p)
  must 2 "resolve"
    when {zone} is not empty and said is answered
    resolve top of {zone}
    said := countered
    go decide(p)
"""


def typed(body: str, zone: str = "stack", tag: str = "", leaves: str = "resolve") -> f.Property:
    program = load(
        Source("x.rules", GAME.format(zone=zone, tag=tag).replace("resolve top", f"{leaves} top"))
    )
    text = f'property asked "asked"\n  why "to see"\n  for every player p, item i, item j: {body}\n'
    (found,) = properties_in(Source("x.props", text), program)
    return replace(found, text="", about_text="", span=syntax.NOWHERE)


def test_the_manual_shows_all_four() -> None:
    assert len(IDIOMS) == 4


@pytest.mark.parametrize(("idiom", "long"), IDIOMS)
def test_an_idiom_is_its_long_form(idiom: str, long: str) -> None:
    idiom, long = (re.sub(r"\bF\b", "something resolves", said) for said in (idiom, long))
    whole = "p may act and i on stack and j on stack implies ({})"
    assert typed(f"always ({whole.format(idiom)})") == typed(f"always ({whole.format(long)})")


@pytest.mark.parametrize(("idiom", "long"), IDIOMS)
def test_the_stack_is_called_as_the_game_calls_it(idiom: str, long: str) -> None:
    idiom, long = (re.sub(r"\bF\b", "something resolves", said) for said in (idiom, long))
    whole = "p may act and i on chain and j on chain implies ({})"
    short, said = (
        f"always ({whole.format(idiom)})",
        f"always ({whole.format(long.replace('stack', 'chain'))})",
    )
    assert (
        typed(short, "chain")
        == typed(short, "chain", " [stack]")
        == typed(said, "chain", " [stack]")
    )


def test_where_nothing_is_a_stack_no_item_waits_there() -> None:
    whole = "always ({} implies i on pile and j on pile)"
    short, said = (
        whole.format("p has had a window for i"),
        whole.format("once (p has priority and no)"),
    )
    assert typed(short, "pile", leaves="remove") == typed(said, "pile", leaves="remove")
    assert typed(short, "pile") != typed(said, "pile")


def test_in_a_rule_there_are_no_idioms() -> None:
    rules = GAME.format(zone="stack", tag="").replace(
        "when said is first", "when p has had a window for p"
    )
    with pytest.raises(InputError, match="speaks of a play"):
        load(Source("x.rules", rules))
