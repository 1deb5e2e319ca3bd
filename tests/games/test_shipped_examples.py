"""The shipped examples: exact sizes under every reading, every claim as stated, and the plays that
the page tells.
"""

from __future__ import annotations

import pytest

from stacklaw.checker.types.verdict import Counts, Outcome
from stacklaw.cli.main import run
from stacklaw.models.load import load_game
from stacklaw.models.shipped import example_names, game_names, game_source
from stacklaw.properties.load import claims_of

from .asking import assert_as_stated, play_of, sizes_of

READINGS = {
    "fab": Counts(44066, 59116, 76, 16128),
    "fab@quiet=no": Counts(46114, 61716, 76, 16848),
    "fab@closing=closes": Counts(44066, 59132, 76, 16128),
    "fab@quiet=no,closing=closes": Counts(46114, 61732, 76, 16848),
    "yugioh": Counts(7082, 21920, 18, 10136),
    "yugioh@timing=kept": Counts(7268, 17946, 18, 15068),
    "yugioh@ignition=yes": Counts(7082, 21934, 18, 10136),
    "yugioh@timing=kept,ignition=yes": Counts(7268, 17960, 18, 15068),
}
MOST_LINES = 250


def test_every_reading_is_here() -> None:
    values = {
        (name, option.name, value)
        for name in example_names()
        for option in load_game(name).options
        for value, _ in option.values[1:]
    }
    assert values == {
        (game, *part.split("="))
        for game, _, said in (reading.partition("@") for reading in READINGS)
        for part in said.split(",")
        if part
    }


@pytest.mark.slow
@pytest.mark.parametrize("reading", READINGS)
def test_sizes(reading: str) -> None:
    assert sizes_of(reading) == (READINGS[reading], [])


@pytest.mark.slow
@pytest.mark.parametrize("reading", READINGS)
def test_every_claim_is_as_stated(reading: str) -> None:
    program = load_game(reading)
    assert_as_stated(program, claims_of(program))


@pytest.mark.parametrize("name", example_names())
def test_an_example_is_short_and_in_the_newer_language(name: str) -> None:
    lines = game_source(name).text.splitlines()
    assert lines[0] == "language 2"
    assert len(lines) <= MOST_LINES


def test_a_trigger_of_the_turn_player_lets_the_other_answer_first_after_a_chain() -> None:
    assert play_of("yugioh", "turn_player_after_resolution", Outcome.VIOLATED) == [
        "1.1",
        "3.3",
        "3.3",
        "4.1",
        "4.2",
        "2.1",
        "2.5",
    ]


def test_an_optional_effect_misses_its_timing() -> None:
    assert play_of("yugioh@timing=kept", "timing.cost", Outcome.POSSIBLE) == [
        "1.1",
        "3.3",
        "3.3",
        "4.1",
        "4.2",
        "2.3",
    ]


def test_the_turn_player_uses_a_monster_at_once_in_the_older_rules() -> None:
    assert play_of("yugioh@ignition=yes", "summon.first", Outcome.VIOLATED) == ["1.3", "2.6", "5.1"]


def test_what_triggers_as_a_turn_starts_cannot_be_answered() -> None:
    assert play_of("fab", "response_window", Outcome.VIOLATED) == [
        "1.2",
        "2.1",
        "2.6",
        "2.3",
        "5.2",
    ]


def test_an_attack_with_go_again_is_followed_by_another_before_the_other_player_has_a_window() -> (
    None
):
    play = play_of("fab", "attack.window", Outcome.VIOLATED)
    assert (play[-1], play.count("3.1"), play.count("4.3")) == ("3.1", 2, 4)


def test_games_lists_examples_behind_the_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games"]) == 0
    said = capsys.readouterr().out
    games, heading, examples = said.partition("Examples, which retell")
    assert heading
    assert all(f"\n{name}  " in f"\n{games}" for name in game_names())
    assert all(f"\n{name}  " in examples for name in example_names())


def test_an_example_is_named_like_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "yugioh@timing=kept"]) == 0
    assert capsys.readouterr().out.startswith("yugioh@timing=kept  Yu-Gi-Oh!")
    assert run(["check", "yugiho"]) == 2
    assert "yugioh" in capsys.readouterr().err
    assert run(["coverage", "fab"]) == 2
    assert "The game `fab` has no inventory" in capsys.readouterr().err
