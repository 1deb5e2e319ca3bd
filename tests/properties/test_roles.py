"""The catalogue's words in games that use others."""

from __future__ import annotations

from functools import cache

import pytest

from stacklaw.models import ir
from stacklaw.models.diagnostics import InputError
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.properties import formula as f
from stacklaw.properties.load import typed_files

from .games import property_of

HEAD = (
    'game "Roles"\nplayers 2\nstart only\nitems\n  card "card"\nstage only\n  must 1 "again"\n    '
    "go only\n"
)
TWO_PLACES = """\
zones
  chase last in first out [stack]
  rows  first in first out [stack]
  heap  in any order [stack]
  mine  in any order [waiting]
  yours in any order [waiting]
state
  lost   : flag [process]
  doomed : flag for each player [process]
turn
  opening [silent]
  main
  closing [silent]
sequence battle
  attack
  damage [silent]
"""


@cache
def game(sections: str = "") -> ir.Program:
    return load(Source("roles.rules", HEAD + sections))


def asked(formula: str, sections: str = "") -> f.Formula:
    return property_of(formula, game(sections), of_catalogue=True).body


def test_every_zone_of_a_role_is_meant() -> None:
    assert asked("for some item i: possible i on waiting", TWO_PLACES) == f.Or(
        (f.On("i", "mine"), f.On("i", "yours"))
    )
    empty = asked("possible waiting is empty", TWO_PLACES)
    assert empty == f.And((f.Holds(ir.IsEmpty("mine")), f.Holds(ir.IsEmpty("yours"))))
    assert asked("possible size of waiting > 1", TWO_PLACES) == f.Holds(
        ir.Less(ir.Literal(1), ir.Add(ir.Size("mine"), ir.Size("yours")))
    )
    some = asked("possible some t in waiting where t is card", TWO_PLACES)
    assert isinstance(some, f.Or)
    assert len(some.parts) == 2


def test_the_end_of_each_ordered_zone_is_meant() -> None:
    assert asked("for some item i: possible i is top of stack", TWO_PLACES) == f.Or(
        (f.IsNext("i", "chase"), f.IsNext("i", "rows"))
    )


def test_what_a_game_does_not_have_is_empty_and_false() -> None:
    no, yes = f.Holds(ir.NO), f.Holds(ir.YES)
    assert asked("for some item i: possible i on stack") == no
    assert asked("for some item i: possible i is top of stack") == no
    assert asked("possible something is put on waiting") == no
    assert asked("possible stack is empty") == yes
    assert asked("possible stack is not empty") == no
    assert asked("possible size of stack is 0") == f.Holds(ir.Equal(ir.Literal(0), ir.Literal(0)))
    assert asked("possible process") == no
    assert asked("possible step is silent") == no
    assert asked("for some item i: possible i is slow") == f.Holds(
        ir.OneOf(ir.AttributeOf(ir.Local("i"), "kind"), ()), ("i",)
    )


def test_a_process_is_any_flag_tagged_so_of_the_game_or_of_a_player() -> None:
    process = asked("possible process", TWO_PLACES)
    whose = ir.Exists("whose", ir.PlayersIn(ir.Everyone()), ir.Entry("doomed", ir.Local("whose")))
    assert process == f.Or((f.Holds(ir.Variable("lost")), f.Holds(whose)))


@pytest.mark.parametrize(
    "declared",
    [
        "state\n  whose : player\n",
        "zones\n  whose in any order\n",
        'option whose "who"\n  a "a"\n  b "b"\n',
    ],
)
def test_whose_process_it_is_may_be_the_name_of_something(declared: str) -> None:
    assert isinstance(asked("possible process", TWO_PLACES + declared), f.Or)


def test_steps_of_every_sequence_are_asked_for_their_tags() -> None:
    silent = asked("possible step is silent", TWO_PLACES)
    steps = [("step", "opening"), ("step", "closing"), ("battle", "damage")]
    assert silent == f.Or(
        tuple(f.Holds(ir.OneOf(ir.Variable(variable), (step,))) for variable, step in steps)
    )
    assert asked("possible step is not silent", TWO_PLACES) == f.Not(silent)


def test_without_a_tag_the_last_step_that_is_not_silent_ends_the_turn() -> None:
    assert asked("possible step is ending", TWO_PLACES) == f.Holds(
        ir.OneOf(ir.Variable("step"), ("main",))
    )
    tagged = TWO_PLACES.replace("opening [silent]", "opening [ending]")
    assert asked("possible step is ending", tagged) == f.Holds(
        ir.OneOf(ir.Variable("step"), ("opening",))
    )


def test_a_games_own_names_do_not_get_in_the_way() -> None:
    own = (
        "state\n  process : 0 to 3\n  i : flag\n  p : player\nzones\n  stack first in first out\n "
        " pile last in first out [stack]\n"
    )
    assert asked("possible process", own) == f.Holds(ir.NO)
    assert asked("for some item i, player p: possible (i on stack and p passes)", own) == f.And(
        (f.On("i", "pile"), f.PlayerEvent("passes", ir.Local("p")))
    )


def test_spotlights_called_like_a_role_are_spotlights() -> None:
    assert asked("for some item stack: possible stack resolves", TWO_PLACES) == f.ItemEvent(
        "resolves", "stack"
    )


def test_a_formula_is_read_in_the_words_of_the_game() -> None:
    def text(formula: str, sections: str = "") -> str:
        return property_of(formula, game(sections), of_catalogue=True).text

    assert (
        text("for every item i: never (i on stack and process)")
        == "for every item i: never (i on stack and process)"
    )
    assert (
        text("never (step is not silent and waiting is empty)")
        == "never (step is not silent and waiting is empty)"
    )
    assert text("possible size of stack > 1") == "possible size of stack > 1"
    played = text("for some item i: possible (i on waiting and waiting is not empty)", TWO_PLACES)
    assert (
        played
        == "for some item i: possible ((i on mine or i on yours) and (mine is not empty or yours "
        "is not empty))"
    )
    silent = text("never (step is not silent and turn ends)", TWO_PLACES)
    assert (
        silent
        == "never (not (step is opening or step is closing or battle is damage) and turn ends)"
    )


def test_beside_what_the_game_has_nothing_is_read_of_what_it_has_not() -> None:
    def text(formula: str, sections: str = "") -> str:
        return property_of(formula, game(sections), of_catalogue=True).text

    asked = "never (someone has priority and (process or waiting is not empty))"
    assert text(asked) == asked
    flag = "state\n  due : flag [process]\n"
    assert text(asked, flag) == "never (someone has priority and due)"
    assert (
        text("never (due and waiting is empty and turn ends)", flag) == "never (due and turn ends)"
    )
    assert text("never (due and step is not silent)", flag) == "never due"
    assert text("never (due or step is silent)", flag) == "never due"
    assert text("never (due or not (waiting is empty and due))", flag) == "never (due or not due)"
    zone = "zones\n  mine in any order [waiting]\n"
    assert text(asked, zone) == "never (someone has priority and mine is not empty)"


def of_file(formula: str, sections: str = "", name: str = "of.a-file/1") -> f.Property:
    """Return the property that a file asks of the game with *sections*."""
    (found,) = typed_files(
        game(sections), [Source("x.props", f'property {name} "a title"\n  {formula}\n')]
    ).properties
    return found


def test_a_file_of_properties_may_use_the_words_of_the_catalogue() -> None:
    assert (
        of_file("never size of stack > 2", TWO_PLACES).text
        == "never size of chase + size of rows + size of heap > 2"
    )
    assert (
        of_file("never something on waiting", TWO_PLACES).text
        == "never (something on mine or something on yours)"
    )
    assert (
        of_file("never process", TWO_PLACES).text
        == "never (lost or some whose in players where doomed of whose)"
    )
    assert of_file("never stack is not empty").body == f.Not(f.Holds(ir.NO))
    assert of_file("never step is silent").text == "never step is silent"
    assert (
        of_file("for every item i: never (i is slow and i leaves stack)").text
        == "for every item i: never (i is slow and i leaves stack)"
    )


def test_a_word_of_the_game_is_its_own_in_a_file_too() -> None:
    own = (
        "zones\n  stack last in first out\n  chase last in first out [stack]\nstate\n  process : "
        "flag\n  lost : flag [process]\n"
    )
    assert (
        of_file("never (stack is not empty and process)", own).text
        == "never (stack is not empty and process)"
    )
    with pytest.raises(InputError):
        of_file("never pile is not empty")


@pytest.mark.parametrize("name", ["117.3d", "FF-63/a", "one.at-a.time", "_under", "L-1'"])
def test_names_of_properties_are_like_those_of_claims(name: str) -> None:
    assert of_file("never no clause applies", name=name).name == name


RESOLVING = [
    "    resolve top of chain\n",
    "    begin resolving top of chain\n    remove top of chain\n",
    "    choose i in chain\n    resolve i\n",
    "    resolve every i in chain where i is card\n",
]


def resolving(body: str, zones: str) -> ir.Program:
    return load(
        Source(
            "roles.rules",
            HEAD.replace("only\nitems", f"only\nzones\n{zones}items")
            + f"  must 2\n    when chain is not empty\n{body}    go only\n",
        )
    )


@pytest.mark.parametrize("body", RESOLVING)
def test_the_stack_is_where_items_resolve(body: str) -> None:
    """A zone that is called the stack, or tagged so, is the only one."""
    program = resolving(body, "  hand in any order\n  chain last in first out\n")
    assert [zone.name for zone in program.zones_tagged("stack")] == ["chain"]
    assert [
        zone.name
        for zone in resolving(
            body, "  stack in any order\n  chain last in first out\n"
        ).zones_tagged("stack")
    ] == ["stack"]
    assert [
        zone.name
        for zone in resolving(
            body, "  pile in any order [stack]\n  chain last in first out\n"
        ).zones_tagged("stack")
    ] == ["pile"]


def test_nothing_that_merely_leaves_makes_a_stack() -> None:
    assert not resolving("    remove top of chain\n", "  chain last in first out\n").zones_tagged(
        "stack"
    )
