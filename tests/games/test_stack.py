"""The house rules: exact sizes under every reading, every claim as stated, the shortest plays of
the findings.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import pytest

import stacklaw
from stacklaw.checker.run.check import check, explore
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Counts, Outcome
from stacklaw.models.load import load_game
from stacklaw.properties.load import claims_of

from . import asking
from .asking import assert_as_stated, assert_covered, in_turn, sizes_of, together

SIZES = {
    "stack": Counts(25588, 54574, 29, 55088),
    "stack@step4=next": Counts(25588, 54574, 29, 55088),
    "stack@triggers=no": Counts(148, 178, 20, 32),
    "stack@triggers=no,step4=next": Counts(150, 180, 20, 32),
    "stack@resolving=interrupts": Counts(36628, 71438, 31, 62512),
    "stack@idle=passes": Counts(34940, 74286, 30, 75248),
    "stack@missed=void": Counts(25588, 63994, 29, 55088),
    "stack@speeds=three": Counts(38852, 79782, 29, 86128),
    "stack@combat=yes": Counts(26726, 56980, 29, 57544),
}
READINGS: dict[str, tuple[str, str]] = {
    "step4": ("hold", "next"),
    "resolving": ("finishes", "interrupts"),
    "idle": ("ends_turn", "passes"),
    "missed": ("no", "void"),
    "speeds": ("two", "three"),
    "combat": ("no", "yes"),
}
TOGETHER = together(READINGS, (0, 1, 2, 4), (1, 2, 3, 5))
SLOW = pytest.mark.slow
TO_PLAY = ["STK-X2", "STK-22", "STK-13/turn"]
THREE_AT_A_TABLE = {"stack": 2}
"""With three players a stack of two is as much as a test has time for."""


def check_claims(
    game: str, number: int, players: int = 2, sizes: Mapping[str, int] | None = None
) -> None:
    """Assert that every claim of the default reading is as stated, of the reading *number* some;
    none that needs a larger scope.
    """
    program = load_game(game)
    claims = claims_of(program) if game == "stack" else in_turn(program, "stack", number)
    assert claims
    assert_as_stated(program, claims, players, sizes)


def play_of(game: str, question: str, outcome: Outcome, players: int = 2) -> list[str]:
    """Return the clauses of the shortest play that shows *outcome*."""
    return asking.play_of(
        game, question, outcome, players, sizes=None if players == 2 else THREE_AT_A_TABLE
    )


@pytest.mark.parametrize("game", SIZES)
def test_sizes(game: str) -> None:
    assert sizes_of(game) == (SIZES[game], [])


@SLOW
def test_sizes_with_three_players() -> None:
    program = load_game("stack")
    found = explore(program, make_scope(program, 3, THREE_AT_A_TABLE))
    assert found.counts == Counts(17955, 42039, 33, 64350)


@pytest.mark.parametrize(
    ("number", "game"),
    [
        (0, "stack@triggers=no"),
        (1, "stack@triggers=no,step4=next"),
        (2, "stack@triggers=no,resolving=interrupts"),
    ],
)
def test_every_claim_is_as_stated_without_triggers(number: int, game: str) -> None:
    check_claims(game, number)
    check_claims(game, number + 1, players=3)


@SLOW
@pytest.mark.parametrize(
    "game",
    [
        "stack",
        *(
            pytest.param(game, marks=pytest.mark.long)
            for game in SIZES
            if "triggers=no" not in game and game != "stack"
        ),
    ],
)
def test_every_claim_is_as_stated(game: str) -> None:
    check_claims(game, list(SIZES).index(game))


@SLOW
@pytest.mark.parametrize("game", ["stack", "stack@step4=next"])
def test_every_claim_is_as_stated_with_three_players(game: str) -> None:
    check_claims(game, 0, 3, THREE_AT_A_TABLE)


@SLOW
@pytest.mark.parametrize("values", TOGETHER, ids=",".join)
def test_every_claim_is_as_stated_under_all_readings_together(values: tuple[str, ...]) -> None:
    settings = ",".join(f"{option}={value}" for option, value in zip(READINGS, values, strict=True))
    check_claims(f"stack@triggers=no,{settings}", TOGETHER.index(values))


def test_any_three_readings_have_all_their_values_together() -> None:
    assert len(TOGETHER) == 16
    for three in combinations(range(len(READINGS)), 3):
        assert len({tuple(values[option] for option in three) for values in TOGETHER}) == 8


def test_who_answers_an_effect_is_asked_about_it_again() -> None:
    program = load_game("stack@triggers=no")
    (typed,) = (typed for typed in claims_of(program) if typed.claim.name == "no_second_window")
    (verdict,) = check(program, [typed.property], make_scope(program))
    assert verdict.trace is not None
    answer = ["STK-4", "STK-9", "STK-5", "STK-9", "STK-14", "STK-14", "STK-12", "STK-17"]
    assert [step.move.clause for step in verdict.trace.steps] == [*TO_PLAY, *answer]


@SLOW
def test_what_a_cost_triggers_lies_below_the_card() -> None:
    assert play_of("stack", "slow_needs_empty_stack", Outcome.VIOLATED) == [
        *TO_PLAY,
        "STK-4",
        "STK-6",
    ]


@SLOW
def test_another_players_trigger_gives_priority_back_to_who_played_the_card() -> None:
    assert play_of("stack", "C-STK-5", Outcome.POSSIBLE) == [
        *TO_PLAY,
        "STK-4",
        "STK-18/put",
        "STK-9",
        "STK-5",
    ]


@SLOW
def test_a_trigger_at_the_end_of_the_turn_lets_everybody_act() -> None:
    to_the_end = [*TO_PLAY, "STK-X1", "STK-18/turn", "STK-19/turn", "STK-9"]
    assert play_of("stack", "STK-24", Outcome.POSSIBLE) == [*to_the_end, "STK-5"]
    assert play_of("stack", "C-STK-6", Outcome.POSSIBLE) == [
        *to_the_end,
        "STK-14",
        "STK-14",
        "STK-12",
        "STK-13",
        "STK-4",
    ]


@SLOW
def test_priority_does_reset_when_the_stack_is_empty() -> None:
    resolving = ["STK-14", "STK-14", "STK-12", "STK-13"]
    assert play_of("stack", "STK-26", Outcome.VIOLATED) == [
        "STK-18/turn",
        "STK-19/turn",
        "STK-9",
        *resolving,
    ]


def test_if_the_next_player_begins_step_4_there_is_a_second_chance() -> None:
    answer = ["STK-4", "STK-9", "STK-14", "STK-5", "STK-9", "STK-14", "STK-14", "STK-12", "STK-17"]
    assert play_of("stack@triggers=no,step4=next", "one_chance", Outcome.VIOLATED) == [
        *TO_PLAY,
        *answer,
    ]
    assert (
        stacklaw.check("stack@triggers=no", "one_chance", players=4, engine="explicit").outcome
        is Outcome.HOLDS
    )


def test_the_rest_of_a_stack_resolves_without_a_lap_of_three_players() -> None:
    play = play_of("stack@triggers=no", "STK-27", Outcome.POSSIBLE, players=3)
    assert play[: len(TO_PLAY)] == TO_PLAY
    assert play[-5:] == ["STK-12", "STK-17", "STK-14", "STK-14", "STK-12"]


def test_every_statement_of_the_document_is_covered() -> None:
    assert_covered("stack")
