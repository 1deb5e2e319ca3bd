"""Final Fantasy TCG: exact sizes under every reading, every claim as stated, the shortest plays of
the findings.
"""

from __future__ import annotations

import pytest

import stacklaw
from stacklaw.checker.types.verdict import Counts, Outcome
from stacklaw.models.load import load_game
from stacklaw.properties.load import claims_of

from .asking import assert_as_stated, assert_covered, in_turn, sizes_of

SIZES = {
    "fftcg": Counts(95302, 312290, 102, 146216),
    "fftcg@pass_counts=yes": Counts(6084, 18362, 28, 9969),
}
LARGE = {
    "fftcg@round=R1": Counts(111282, 354096, 102, 169260),
    "fftcg@round=R2": Counts(117586, 378206, 114, 182648),
    "fftcg@first_time=passed": Counts(122458, 395942, 102, 193592),
    "fftcg@after_action=hands_over": Counts(67654, 207982, 88, 106712),
    "fftcg@back_attack=official": Counts(97210, 298990, 98, 159896),
    "fftcg@process_order=official": Counts(57604, 288096, 102, 113376),
    "fftcg@autos_order=free": Counts(95302, 315356, 102, 153352),
    "fftcg@after_damage=declaration": Counts(95302, 312290, 102, 146216),
    "fftcg@after_damage=main2": Counts(95302, 312290, 102, 146216),
    "fftcg@end_cleanup=official": Counts(95302, 312316, 102, 146216),
    "fftcg@skips=yes": Counts(95390, 312834, 61, 146664),
    "fftcg@first_strike=yes": Counts(96044, 314478, 110, 146832),
}
DEAD = {
    # An action hands priority over itself, so no player passes after their own.
    "fftcg@after_action=hands_over": ["FF-33"],
    # No two passes are in succession: the first Main Phase never ends.
    "fftcg@pass_counts=yes": [
        "FF-25", "FF-27", "FF-9", "FF-28", "FF-29", "FF-29/ex", "FF-44", "FF-59", "FF-7",
        "FF-7/damage", "C-FF-8", "FF-34", "FF-35", "FF-56",
    ],
}  # fmt: skip
BOTH = "fftcg@after_action=hands_over,first_time=passed"
READINGS = [*SIZES, *LARGE, BOTH]
SLOW = pytest.mark.slow
TO_MAIN = ["FF-8", "FF-6", "FF-8", "FF-6", "FF-8", "FF-41"]
"""From the start to the turn player's priority in the first Main Phase."""
A_PASSES = ["A FF-31", "FF-32", "FF-41"]
"""The turn player passes for the first time in a round, and the other player has priority."""
BOTH_PASS = [*A_PASSES, "B FF-31"]


def play_of(
    game: str, question: str, outcome: Outcome, stack: int = 2, waiting: int = 1
) -> list[str]:
    """Return the shortest play that shows *outcome*: the clauses, with the seat where a player
    moves.

    Most need few items, and are found sooner where there are no more.
    """
    verdict = stacklaw.check(
        game, question, stack=stack, sizes={"waiting": waiting}, engine="reference"
    )
    assert verdict.outcome is outcome
    assert verdict.trace is not None
    moves = [step.move for step in verdict.trace.steps]
    return [
        f"{'AB'[move.owner]} {move.clause}" if isinstance(move.owner, int) else move.clause
        for move in moves
    ]


@pytest.mark.parametrize("game", SIZES)
def test_sizes(game: str) -> None:
    assert sizes_of(game) == (SIZES[game], DEAD.get(game, []))


@SLOW
@pytest.mark.parametrize("game", LARGE)
def test_large_sizes(game: str) -> None:
    assert sizes_of(game) == (LARGE[game], DEAD.get(game, []))


@SLOW
@pytest.mark.parametrize(
    "game", [READINGS[0], *(pytest.param(game, marks=pytest.mark.long) for game in READINGS[1:])]
)
def test_every_claim_is_as_stated(game: str) -> None:
    """All of the default reading, of each other one some."""
    program = load_game(game)
    claims = (
        claims_of(program) if game == "fftcg" else in_turn(program, "fftcg", READINGS.index(game))
    )
    assert claims
    assert_as_stated(program, claims)


def test_every_statement_of_the_article_is_covered() -> None:
    assert_covered("fftcg")


@SLOW
def test_if_a_round_is_a_phase_no_rule_applies_after_a_resolution() -> None:
    play = play_of("fftcg@round=R1", "complete", Outcome.VIOLATED)
    assert play == [*TO_MAIN, "A FF-57", "FF-41", *BOTH_PASS, "FF-34", "FF-56", "FF-41", "A FF-31"]


def test_if_actions_count_for_a_round_nothing_resolves_once_both_have_acted() -> None:
    play = play_of("fftcg@round=R2", "FF-64", Outcome.VIOLATED)
    answer = ["B FF-57", "FF-41", "B FF-31", "FF-33", "FF-41", "A FF-31", "FF-33", "FF-41"]
    assert play == [*TO_MAIN, "A FF-57", "FF-41", *A_PASSES, *answer]


def test_if_passing_is_an_action_the_first_main_phase_never_ends() -> None:
    assert play_of("fftcg@pass_counts=yes", "FF-64", Outcome.VIOLATED) == [
        *TO_MAIN,
        *BOTH_PASS,
        "FF-33",
        "FF-41",
    ]
    for impossible in ("FF-34", "FF-2"):
        assert (
            stacklaw.check("fftcg@pass_counts=yes", impossible, engine="explicit").outcome
            is Outcome.IMPOSSIBLE
        )


@pytest.mark.parametrize("other", ["round=R1", "skips=yes"])
def test_if_passing_is_an_action_claims_are_as_stated_with_another_option(other: str) -> None:
    """FF-33 then applies after every pass, for any meaning of a round; and a card may skip the Main
    Phase that nothing else ends.
    """
    program = load_game(f"fftcg@pass_counts=yes,{other}")
    claims = [
        typed
        for typed in claims_of(program)
        if typed.claim.name in ("complete", "FF-2", "no_dead_clause")
    ]
    assert len(claims) == 3
    assert_as_stated(program, claims)


def test_if_an_action_hands_priority_over_one_pass_resolves_it() -> None:
    play = play_of("fftcg@after_action=hands_over", "own_window", Outcome.VIOLATED)
    assert play == [*TO_MAIN, "A FF-57", "FF-41", "B FF-31", "FF-34", "FF-56"]


def test_the_two_wordings_of_the_first_rule_then_differ() -> None:
    play = play_of(BOTH, "unambiguous", Outcome.VIOLATED)
    assert play == [*TO_MAIN, "A FF-57", "FF-41", "B FF-57", "FF-41", "A FF-31"]


def test_after_an_official_back_attack_the_turn_player_has_priority() -> None:
    play = play_of("fftcg@back_attack=official", "FF-52", Outcome.VIOLATED)
    assert play == [*TO_MAIN, *A_PASSES, "B FF-17", "FF-41"]


@SLOW
def test_in_the_end_phase_one_can_only_pass() -> None:
    play = play_of("fftcg", "useful_priority", Outcome.VIOLATED)
    assert play[-3:] == ["FF-6", "FF-8", "FF-41"]
    assert play.count("FF-35") == 3  # both Main Phases and the Attack Preparation Step


def test_a_declined_attack_closes_its_step_without_a_window() -> None:
    play = play_of("fftcg", "window_in_every_step", Outcome.VIOLATED)
    preparation = ["FF-35", "FF-6", "FF-8", "FF-25", "FF-41", *BOTH_PASS, "FF-35", "FF-7"]
    assert play == [*TO_MAIN, *BOTH_PASS, *preparation, "A FF-9"]


def test_the_turn_player_plays_a_character_after_having_passed() -> None:
    play = play_of("fftcg", "S-FF-3", Outcome.POSSIBLE)
    summon = ["B FF-16", "FF-41", "B FF-31", "FF-33", "FF-41", "A FF-31", "FF-34", "FF-56", "FF-41"]
    assert play == [*TO_MAIN, *A_PASSES, *summon, "A FF-21"]


@SLOW
def test_the_example_of_the_article() -> None:
    play = play_of("fftcg", "FF-62", Outcome.POSSIBLE, stack=3)
    added = [
        "A FF-57",
        "FF-41",
        *A_PASSES,
        "B FF-57",
        "FF-41",
        "B FF-31",
        "FF-33",
        "FF-41",
        "A FF-16",
        "FF-41",
    ]
    first = ["A FF-31", "FF-33", "FF-41", "B FF-31", "FF-34", "FF-56"]
    each = ["FF-41", *BOTH_PASS, "FF-34", "FF-56"]
    assert play == [*TO_MAIN, *added, *first, *each, *each]


@SLOW
def test_without_an_order_the_other_players_ability_may_go_below() -> None:
    assert play_of("fftcg@autos_order=free", "D-9", Outcome.VIOLATED, waiting=2)[-1] == "FF-39"
    assert stacklaw.check("fftcg", "D-9", stack=2, engine="explicit").outcome is Outcome.HOLDS


@SLOW
def test_a_skipped_phase_gives_nobody_priority() -> None:
    assert play_of("fftcg@skips=yes", "FF-11", Outcome.VIOLATED) == ["FF-10"] * 3
