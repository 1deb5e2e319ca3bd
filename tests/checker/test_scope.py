"""Scopes: what is said, what is left to the ruleset, and what cannot be."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.types.scope import make_scope, scope_of
from stacklaw.models import diagnostics as page
from stacklaw.models import ir
from stacklaw.models.diagnostics import InputError
from stacklaw.models.load import load
from stacklaw.models.source import Source

from ..tiny import program, two_passes

GAME = two_passes()


def codes(error: pytest.ExceptionInfo[InputError]) -> list[str]:
    return [diagnostic.code for diagnostic in error.value.diagnostics]


def test_what_the_ruleset_says_is_taken_unless_something_else_is_said() -> None:
    said = replace(GAME, scope=(("players", 3), ("stack", 4)))
    assert str(make_scope(GAME)) == "2 players, stack 2"
    assert str(make_scope(said)) == "3 players, stack 4"
    assert str(make_scope(said, 2, {"stack": 1})) == "2 players, stack 1"
    assert str(scope_of(said, None, 5, {})) == "3 players, stack 5"


def test_everything_wrong_is_told_at_once() -> None:
    with pytest.raises(InputError) as error:
        make_scope(GAME, 1, {"stak": 2, "stack": 0})
    assert codes(error) == ["C101", "C102", "C103"]
    assert set(codes(error)) <= page.codes().keys()


@pytest.mark.parametrize(
    ("players", "stack", "code"),
    [(1000, 1, "C104"), (2, 10**9, "C104"), (-1, 1, "C102"), (2, -3, "C103")],
)
def test_no_search_looks_at_what_is_too_large_or_too_small(
    players: int, stack: int, code: str
) -> None:
    with pytest.raises(InputError) as error:
        make_scope(GAME, players, {"stack": stack})
    assert codes(error) == [code]


def test_a_first_value_outside_its_range_is_told() -> None:
    number = ir.NumberType(ir.Literal(0), ir.Literal(2))
    active = ir.VariableDeclaration(ir.ACTIVE, ir.PlayerType(), False, ir.Literal(0), "", ())
    count = ir.VariableDeclaration("count", number, False, ir.PlayerNumber(), "", ())
    game = program(variables=(active, count), stages=(ir.Stage("only", "", (), None, ()),))
    assert Interpreter(game, make_scope(game, 2)).initial().values == (0, 2)
    with pytest.raises(InputError) as error:
        Interpreter(game, make_scope(game, 3)).initial()
    assert codes(error) == ["C105"]


def test_a_zone_has_room_for_what_one_clause_puts_there_unless_the_ruleset_says_otherwise() -> None:
    rules = """\
game "Three"
players 2
{scope}start begin
items
  trigger "trigger"
zones
  waiting in any order
  stack in any order
  other last in first out
stage begin
  must 1 "three, or one"
    maybe
      put trigger by active on waiting
      put trigger by active on waiting
    put trigger by active on waiting
    move every t in waiting to stack
    go begin
"""
    found = [
        load(Source("three", rules.format(scope=said))).scope for said in ("", "scope waiting 1\n")
    ]
    assert found[0] == (("players", 2), ("waiting", 3), ("stack", 3), ("other", 2))
    assert found[1] == (("players", 2), ("waiting", 1), ("stack", 3), ("other", 2))
