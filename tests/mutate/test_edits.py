"""Edits: of every kind that is promised, each a ruleset of its own; what no ruleset could say is
refused.
"""

from __future__ import annotations

import pytest

from stacklaw.checker.mutate.edits.edits import Edit, edits_of
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.types.position import Position
from stacklaw.checker.types.scope import make_scope
from stacklaw.models.load import opened
from stacklaw.models.options.configure import configure
from stacklaw.models.shipped import game_source
from stacklaw.models.source import Source

from ..diff.rules import BASE

KINDS = {
    "guard", "exchange", "limit", "mode", "owner", "player", "left out", "order", "chooser", "zone",
    "cards", "branch", "condition", "effect", "go", "priority", "past", "cause",
}  # fmt: skip


def edits(text: str) -> list[Edit]:
    return edits_of(opened(Source("a.rules", text)))


def test_every_kind_of_edit_is_made_of_some_game() -> None:
    found = {edit.kind for game in ("mtg", "stack") for edit in edits_of(opened(game_source(game)))}
    assert found == KINDS


@pytest.mark.parametrize("game", ["mtg", "zx"])
def test_no_two_edits_make_the_same_ruleset_and_none_makes_the_original(game: str) -> None:
    original = opened(game_source(game))
    programs = [edit.program for edit in edits_of(original)]
    assert len(programs) > 300
    assert len(set(programs)) == len(programs)
    assert original not in programs


def test_the_edits_of_one_clause_are_those_that_one_expects() -> None:
    words = {edit.words for edit in edits(BASE) if edit.clause == "3"}
    assert {
        "without `stack is not empty`",
        "`stack is not empty` negated",
        "may, not must",
        "a move of after active",
        "the item does not resolve",
        "tally stays as it is",
        "go settle, not clean",
        "`stack is not empty` asked by 4, and not here",
    } <= words


BATTLE = """\
game "Battle"
players 2
scope players 2, field 1
start attack

items
  unit "unit"

zones
  field in any order

sequence battle
  attacking
  blocking

stage attack
  must 1 "the attack"
    begin battle
    maybe "a spell is cast"
      put unit by active on field
    go block(active)

stage block(p: player)
  must 2 "there is nobody to block"
    when field is empty and p is active
    go over(after p)

  must 3 "a block"
    when some u in field
    choose u in field
    if battle is attacking
      go over(p)
    else
      go over(controller of u)

stage over(p: player)
  may 4 "again"
    by p
    end battle
    go attack
"""


def test_a_second_way_leads_past_a_stage_where_it_would_be_left_at_once() -> None:
    found = {
        edit.words: edit for edit in edits(BATTLE) if edit.kind == "past" and edit.clause == "1"
    }
    assert set(found) == {
        "go over, past block, if field is empty",
        "go over, past block, if (some u in field) and battle is attacking",
    }
    assert not any(edit.is_refused for edit in found.values())


def test_a_cause_less_in_one_step() -> None:
    found = [edit for edit in edits(BATTLE) if edit.kind == "cause"]
    assert [(edit.clause, edit.words) for edit in found] == [
        ("1", "without `a spell is cast` where battle is attacking")
    ]


def test_what_no_ruleset_could_say_is_refused() -> None:
    refused = {edit.words for edit in edits(BASE) if edit.clause == "3" and edit.is_refused}
    assert "without `stack is not empty`" in refused  # there may be nothing on top
    assert "tally stays as it is" not in refused


def test_what_is_not_refused_can_be_played() -> None:
    for edit in edits(BASE):
        if edit.is_refused:
            continue
        program = configure(edit.program, {})
        interpreter = Interpreter(program, make_scope(program))
        positions, seen = [interpreter.initial()], set[Position]()
        while positions and len(seen) < 300:
            position = positions.pop()
            if position not in seen:
                seen.add(position)
                positions += [target for _, target in interpreter.moves(position).moves]


def test_what_a_clause_gains_comes_after_what_it_asks_already_and_must_be_there() -> None:
    """The top of the stack is asked for only where something is there: in clause 4 nothing is."""
    text = BASE.replace(
        "    when stack is not empty\n",
        "    when stack is not empty\n    when kind of top of stack is spell\n",
    )
    more = """  must 3/m "a mark resolves"
    when stack is not empty
    resolve top of stack
    go clean

"""
    text = text.replace('  must 4 "', more + '  must 4 "')
    found = {edit.words: edit for edit in edits(text) if edit.kind == "exchange"}
    assert not found["`kind of top of stack is spell` asked by 3/m, and not here"].is_refused
    text = text.replace(more, "")
    found = {edit.words: edit for edit in edits(text) if edit.kind == "exchange"}
    assert found["`kind of top of stack is spell` asked by 4, and not here"].is_refused


FIRST_THAT_APPLIES = """language 2
game "First that applies"
source "a test"
players 2
start play

items
  spell "spell"

zones
  stack last in first out

state
  x : flag
  late : players

stage play
  the first that applies
    must 1 "the first"
      when x
      when some t in stack where t is spell
      go play
    must 2 "a late player"
      by any p where p in late
      when not (stack is empty and x)
      go play
    must 3 "another one"
      when stack is not empty
      choose t in stack
      remove t
      let p be active
      late += p
      go play
    must 4 "else"
      go play
"""


@pytest.mark.parametrize(
    ("clause", "words", "line", "instead"),
    [
        ("1", "without `x`", "      when x\n", ""),
        ("1", "`x` negated", "when x\n", "when not x\n"),
        (
            "1",
            "`some t in stack where kind of t is spell` negated",
            "when some t in stack",
            "when no t in stack",
        ),
        ("2", "a move of any player", "by any p where p in late", "by any p"),
        (
            "2",
            "without `not (stack is empty and x)`",
            "      when not (stack is empty and x)\n",
            "",
        ),
    ],
)
def test_an_edit_in_a_block_changes_when_the_clauses_below_are_used(
    clause: str, words: str, line: str, instead: str
) -> None:
    (edited,) = (
        edit.program
        for edit in edits(FIRST_THAT_APPLIES)
        if (edit.clause, edit.words) == (clause, words)
    )
    assert FIRST_THAT_APPLIES.count(line) == 1
    assert (
        edited.stages == opened(Source("a.rules", FIRST_THAT_APPLIES.replace(line, instead))).stages
    )


def test_nobody_edits_what_a_block_says_by_itself() -> None:
    guards = {
        (edit.clause, edit.words) for edit in edits(FIRST_THAT_APPLIES) if edit.kind == "guard"
    }
    assert {words for clause, words in guards if clause == "3"} == {
        "without `stack is not empty`",
        "`stack is not empty` negated",
    }
    assert not any(clause == "4" for clause, _ in guards)
