"""Force of Will: exact sizes under every reading, every claim as stated, the shortest plays of the findings."""

from __future__ import annotations

import pytest

import stacklaw
from stacklaw.checker.types.verdict import Counts, Outcome
from stacklaw.models.load import load_game
from stacklaw.properties.load import claims_of

from .asking import assert_as_stated, assert_covered, in_turn, play_of, sizes_of

SIZES = {
    "fow": Counts(49915, 122841, 138, 24748),
    "fow@additions=turn_player": Counts(45995, 115945, 136, 23068),
    "fow@passing=turn_player": Counts(271, 534, 14, 148),
    "fow@primary=main_and_battle": Counts(57275, 144025, 138, 28812),
    "fow@empty_chase=again": Counts(745, 1702, 20, 380),
    "fow@empty_chase=unstated": Counts(745, 1701, 20, 380),
    "fow@resolution=whole": Counts(46591, 121825, 136, 21644),
    "fow@triggers=resolved": Counts(55835, 133313, 140, 27920),
    "fow@triggers=optional": Counts(49915, 136121, 138, 24748),
    "fow@beginnings=additional": Counts(93829, 231899, 138, 46456),
    "fow@forfeit=sequence": Counts(53361, 130897, 144, 26464),
    "fow@forced=differs": Counts(49917, 122861, 138, 24748),
    "fow@opening=first": Counts(96853, 238868, 206, 47976),
    "fow@lifebreak=used": Counts(49915, 123713, 138, 27052),
    "fow@counting=a_turn": Counts(56006, 136687, 156, 27788),
    "fow@counting=a_battle": Counts(77941, 187837, 172, 38304),
}
LARGE = {  # of these only the claims that the default reading does not make are asked again
    "fow@primary=any_clear_chase": Counts(412579, 1094817, 159, 211360),
    "fow@at_once=many": Counts(108579, 531481, 136, 256816),
    "fow@will=shown": Counts(162051, 400101, 142, 89392),
}
CLOSED = {"fow@passing=turn_player", "fow@empty_chase=again", "fow@empty_chase=unstated"}
"""Readings under which the first sequence never ends, so that most of the rules are never reached."""
SLOW = pytest.mark.slow


@pytest.mark.parametrize("game", [game if game in ("fow", *CLOSED) else pytest.param(game, marks=SLOW) for game in SIZES])
def test_sizes(game: str) -> None:
    counts, dead = sizes_of(game)
    assert counts == SIZES[game]
    assert (dead == []) == (game not in CLOSED)


@SLOW
@pytest.mark.parametrize("game", LARGE)
def test_large_sizes(game: str) -> None:
    assert sizes_of(game) == (LARGE[game], [])


@SLOW
@pytest.mark.parametrize("game", ["fow", *(pytest.param(game, marks=pytest.mark.long) for game in (*SIZES, *LARGE) if game != "fow")])
def test_every_claim_is_as_stated(game: str) -> None:
    """All of the default reading, of each other one some."""
    program = load_game(game)
    claims = list(claims_of(program))
    if game in LARGE:
        elsewhere = {typed.claim.span for typed in claims_of(load_game("fow"))}
        claims = [typed for typed in claims if typed.claim.span not in elsewhere]
    elif game != "fow":
        claims = in_turn(program, "fow", list(SIZES).index(game))
    assert claims
    assert_as_stated(program, claims)


def test_every_statement_of_the_article_is_covered() -> None:
    assert_covered("fow")


@SLOW
def test_the_opponent_adds_twice_only_if_the_adder_goes_on() -> None:
    beginning = ["opening", "FOW-5.1a", "FOW-41", "FOW-27", "FOW-41"]
    assert play_of("fow", "C-FOW-1", Outcome.POSSIBLE) == [*beginning, "FOW-22", "FOW-44", "FOW-41", "FOW-22"]
    assert play_of("fow@additions=turn_player", "FOW-2", Outcome.VIOLATED) == [*beginning, "FOW-22", "FOW-44", "FOW-41"]
    assert stacklaw.check("fow@additions=turn_player", "C-FOW-1", engine="explicit").outcome is Outcome.IMPOSSIBLE


def test_two_passes_on_an_empty_chase_are_a_gap() -> None:
    play = play_of("fow@empty_chase=unstated", "complete", Outcome.VIOLATED)
    assert play == ["opening", "FOW-5.1a", "FOW-41", "FOW-27", "FOW-41", "FOW-28"]


@SLOW
def test_under_flames_of_outer_world_there_is_only_the_pass() -> None:
    play = play_of("fow", "D-11", Outcome.VIOLATED)
    assert play == ["opening", "FOW-5.1a", "FOW-41", "FOW-26", "FOW-44", "FOW-41"]


@SLOW
def test_to_the_letter_the_turn_players_trigger_resolves_first() -> None:
    play = play_of("fow@triggers=resolved", "FOW-38", Outcome.VIOLATED)
    assert play == ["opening", "FOW-5.1a", "FOW-37", "FOW-41", "FOW-27", "FOW-41", "FOW-28", "FOW-46"]


@SLOW
def test_the_final_step_makes_the_ninth_sequence() -> None:
    play = play_of("fow@counting=a_turn", "FOW-34", Outcome.VIOLATED)
    assert len(play) == 56
    assert play[-1] == "FOW-5.4d"
    assert play.count("FOW-5.4d") == 2


@SLOW
def test_an_ability_that_nobody_chose_to_play_lets_the_battle_be_fought_again() -> None:
    play = play_of("fow", "FOW-8.2e.unwilling", Outcome.POSSIBLE)
    assert len(play) == 61
    assert play.count("FOW-19") == 2
    assert "FOW-38" in play


@SLOW
def test_additional_sequences_make_more_than_eight_before_the_final_step() -> None:
    verdict = stacklaw.check("fow@counting=a_turn,beginnings=additional", "FOW-34", sizes={"chase": 1, "queue": 1}, engine="explicit")
    assert verdict.outcome is Outcome.VIOLATED
    assert verdict.trace is not None
    assert len(verdict.trace.steps) == 53
