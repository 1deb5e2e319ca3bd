"""What is asked of both sides: a claim means on the other side what it means on its own."""

from __future__ import annotations

from stacklaw.checker.diff.guarantees import questions_of_both
from stacklaw.checker.diff.same import renaming_of
from stacklaw.models import ir
from stacklaw.models.load import load
from stacklaw.models.source import Source

from .rules import BASE, SAME


def program(text: str) -> ir.Program:
    return load(Source("a.rules", text))


def test_a_name_that_a_formula_gives_itself_is_not_renamed() -> None:
    claims = (
        '\nclaims\n  holds own "its own name"\n    for every item mark: always (mark resolves '
        "implies kind of mark is spell)\n"
    )
    old, new = program(BASE + claims), program(SAME["a kind renamed"])
    asked = {one.name: one for one in questions_of_both(old, new, renaming_of(old, new, {}))}
    there = asked["own"].new
    assert there is not None
    assert [spotlight.name for spotlight in there.spotlights] == ["mark"]


def test_what_only_a_game_with_a_turn_can_be_asked_is_told_as_gone() -> None:
    turn = "\nturn\n  first\n  last\n\nstate\n"
    old = program(
        BASE.replace("\nstate\n", turn).replace(
            "resolve top of stack\n    tally := 1", "resolve top of stack\n    advance"
        )
    )
    new = program(BASE)
    asked = {one.name: one for one in questions_of_both(old, new, renaming_of(old, new, {}))}
    gone = [name for name, one in asked.items() if one.new is None]
    assert "turn_ends" in gone
    assert all(asked[name].why_not for name in gone)
