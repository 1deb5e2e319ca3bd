"""Force of Will: exact sizes under every reading, every claim as stated, the shortest plays of the
findings.
"""

from __future__ import annotations

import pytest

import stacklaw
from stacklaw.checker.types.verdict import Counts, Outcome
from stacklaw.models.load import load_game
from stacklaw.properties.load import claims_of

from .asking import assert_as_stated, assert_covered, in_turn, play_of, sizes_of

SIZES = {
    "fow": Counts(123733, 619329, 148, 301196),
    "fow@additions=turn_player": Counts(108757, 547617, 148, 263564),
    "fow@passing=turn_player": Counts(751, 3145, 12, 1600),
    "fow@primary=main_and_battle": Counts(141073, 714513, 148, 346544),
    "fow@empty_chase=again": Counts(1656, 7170, 18, 3418),
    "fow@empty_chase=unstated": Counts(1656, 7169, 18, 3418),
    "fow@resolution=whole": Counts(116197, 626977, 148, 295308),
    "fow@triggers=resolved": Counts(130133, 635601, 148, 316052),
    "fow@triggers=optional": Counts(123733, 899745, 148, 362156),
    "fow@beginnings=additional": Counts(234153, 1181023, 149, 575048),
    "fow@forfeit=sequence": Counts(131261, 652493, 148, 316730),
    "fow@forced=differs": Counts(125581, 628217, 148, 304920),
    "fow@opening=first": Counts(240845, 1209966, 216, 588720),
    "fow@losing=yes": Counts(155701, 655905, 148, 301196),
    "fow@lifebreak=used": Counts(123733, 620321, 148, 303820),
    "fow@counting=a_turn": Counts(137184, 677057, 154, 328540),
    "fow@counting=a_battle": Counts(195315, 942681, 176, 453244),
}
LARGE = {  # of these only the claims that the default reading does not make are asked again
    "fow@primary=any_clear_chase": Counts(1134859, 6080621, 169, 2956960),
    "fow@will=shown": Counts(395515, 1955589, 154, 930288),
    "fow@will=ability": Counts(393139, 1951089, 152, 927984),
}
CLOSED = {"fow@passing=turn_player", "fow@empty_chase=again", "fow@empty_chase=unstated"}
"""Readings under which the first sequence never ends, so that most of the rules are never
reached.
"""
SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    "game", [game if game in ("fow", *CLOSED) else pytest.param(game, marks=SLOW) for game in SIZES]
)
def test_sizes(game: str) -> None:
    counts, dead = sizes_of(game)
    assert counts == SIZES[game]
    assert (dead == []) == (game not in CLOSED)


@SLOW
@pytest.mark.parametrize("game", LARGE)
def test_large_sizes(game: str) -> None:
    assert sizes_of(game) == (LARGE[game], [])


@SLOW
@pytest.mark.parametrize(
    "game",
    [
        "fow",
        *(pytest.param(game, marks=pytest.mark.long) for game in (*SIZES, *LARGE) if game != "fow"),
    ],
)
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
    assert play_of("fow@additions=turn_player", "FOW-2", Outcome.VIOLATED) == [
        *beginning,
        "FOW-22",
        "FOW-44",
        "FOW-41",
    ]
    assert stacklaw.check("fow", "FOW-2", engine="explicit").outcome is Outcome.HOLDS


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
    assert play == [
        "opening",
        "FOW-5.1a",
        "FOW-37",
        "FOW-41",
        "FOW-27",
        "FOW-41",
        "FOW-28",
        "FOW-46",
    ]


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
    verdict = stacklaw.check(
        "fow@counting=a_turn,beginnings=additional",
        "FOW-34",
        sizes={"chase": 1, "queue": 1},
        engine="explicit",
    )
    assert verdict.outcome is Outcome.VIOLATED
    assert verdict.trace is not None
    assert len(verdict.trace.steps) == 53
