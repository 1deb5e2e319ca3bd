"""Magic: exact sizes under every option, every claim as stated, the shortest plays of the
findings.
"""

from __future__ import annotations

import pytest

import stacklaw
from stacklaw.checker.types.verdict import Counts, Outcome
from stacklaw.models.load import load_game
from stacklaw.properties.load import claims_of

from . import asking
from .asking import assert_as_stated, assert_covered, in_turn, sizes_of

SIZES = {
    "mtg": Counts(41790, 392042, 82, 241288),
    "mtg@cleanup_step=silent": Counts(32010, 300002, 73, 184712),
    "mtg@last_pass=both": Counts(44678, 446830, 82, 243464),
}
LARGE = {
    "mtg@payment=announced": Counts(67494, 683354, 85, 481192),
    "mtg@split_second=yes": Counts(75894, 706978, 82, 440248),
    "mtg@flash=yes": Counts(125078, 1178306, 82, 747640),
    "mtg@teams=yes": Counts(288290, 2719750, 82, 1761224),
    "mtg@leaving=yes": Counts(69226, 672178, 82, 241288),
    "mtg@instructed=casts": Counts(137370, 1636614, 83, 1350984),
    "mtg@length=full": Counts(127766, 1198965, 165, 737812),
}
READINGS = [*SIZES, *LARGE]
SLOW = pytest.mark.slow
TO_DRAW = ["117.2c/a", "117.2c/b", "117.2c/a", "117.5/player"]
"""From the start to the active player's priority in the draw step."""
PASS = ["117.3d", "117.3d/c", "117.5/player"]
"""A player passes and the next one has priority."""


def play_of(game: str, question: str, outcome: Outcome) -> list[str]:
    """Return the clauses of the shortest play that shows *outcome*; two items are enough for all of
    them but the countered one.
    """
    return asking.play_of(game, question, outcome, stack=3 if question == "117.7" else 2)


@pytest.mark.parametrize("game", SIZES)
def test_sizes(game: str) -> None:
    assert sizes_of(game) == (SIZES[game], [])


@SLOW
@pytest.mark.parametrize("game", LARGE)
def test_large_sizes(game: str) -> None:
    # With two players the game is over when one of them leaves.
    assert sizes_of(game) == (LARGE[game], ["800.4a", "800.4j"] if "leaving" in game else [])


@SLOW
@pytest.mark.parametrize(
    "game", [READINGS[0], *(pytest.param(game, marks=pytest.mark.long) for game in READINGS[1:])]
)
def test_every_claim_is_as_stated(game: str) -> None:
    """All of the default reading, of each other one some."""
    program = load_game(game)
    claims = claims_of(program) if game == "mtg" else in_turn(program, "mtg", READINGS.index(game))
    assert claims
    assert_as_stated(program, claims)


@SLOW
@pytest.mark.parametrize("game", ["mtg", "mtg@leaving=yes"])
def test_three_players_have_the_same_guarantees(game: str) -> None:
    program = load_game(game)
    claims = claims_of(program) if game == "mtg" else in_turn(program, "mtg", 0)
    assert_as_stated(program, claims, 3, {"stack": 2, "waiting": 1})
    # Those that need no more than two abilities that wait, to put them in order.
    of_order = [typed for typed in claims_of(program) if ("waiting", 2) in typed.property.needs]
    assert of_order
    assert_as_stated(program, of_order, 3, {"stack": 1, "waiting": 2})


def test_every_statement_of_the_page_is_covered() -> None:
    assert_covered("mtg")


def test_a_mana_ability_resolves_though_nobody_has_passed() -> None:
    assert play_of("mtg", "MTG-I4", Outcome.VIOLATED) == [*TO_DRAW, "117.1d"]


@SLOW
def test_a_mana_ability_while_paying_needs_no_priority() -> None:
    assert play_of("mtg@payment=announced", "MTG-I2", Outcome.VIOLATED) == [
        *TO_DRAW,
        "117.1a/a",
        "117.1d/paying",
    ]


@SLOW
def test_on_the_last_pass_two_rules_apply() -> None:
    assert play_of("mtg@last_pass=both", "unambiguous", Outcome.VIOLATED) == [
        *TO_DRAW,
        *PASS,
        "117.3d",
    ]


def test_read_alone_the_page_carries_a_state_based_action_into_the_next_turn() -> None:
    play = play_of("mtg@cleanup_step=silent", "C-MTG-4", Outcome.POSSIBLE)
    assert play[-2:] == ["117.2c/a", "117.2c/b"]
    assert (
        play.count("117.4/b") == 3
    )  # the draw step, the main phase and the end step end; the cleanup step has no passes


@SLOW
def test_a_spell_with_flash_is_cast_in_response_and_the_glossary_does_not_say_so() -> None:
    assert play_of("mtg@flash=yes", "C-MTG-3", Outcome.VIOLATED)[-1] == "702.8"


@SLOW
def test_under_split_second_the_window_is_there_and_the_answer_is_not() -> None:
    play = play_of("mtg@split_second=yes", "D-14", Outcome.VIOLATED)
    assert play == [*TO_DRAW, "702.61", "117.5/player", *PASS, "117.3d", "117.4/a", "608.2"]
    assert (
        stacklaw.check("mtg@split_second=yes", "response_window", engine="explicit").outcome
        is Outcome.HOLDS
    )


@pytest.mark.long
def test_if_the_active_player_has_left_the_next_player_has_priority() -> None:
    play = play_of("mtg@leaving=yes", "S-MTG-5.turn", Outcome.POSSIBLE)
    assert play == ["117.2c/a", "117.2c/b", "117.2c/a", "117.5/sba", "800.4j", "117.5/player"]


@SLOW
def test_a_countered_item_leaves_first_and_does_not_resolve() -> None:
    play = play_of("mtg", "117.7", Outcome.VIOLATED)
    assert play.count("608.2") == 2
    assert len(play) == 20


def test_a_cast_trigger_is_above_the_spell_before_anybody_can_act() -> None:
    assert play_of("mtg", "C-MTG-7", Outcome.POSSIBLE) == [
        *TO_DRAW,
        "117.1a/a",
        "117.5/triggers",
        "117.5/player",
    ]
