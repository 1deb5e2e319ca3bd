"""Z/X: exact sizes under every reading, every claim as stated, the shortest plays of the
findings.
"""

from __future__ import annotations

import pytest

from stacklaw.checker.run.check import check
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Counts, Outcome
from stacklaw.models.load import load_game
from stacklaw.properties.load import claims_of

from .asking import assert_as_stated, assert_covered, in_turn, play_of, sizes_of, together

SIZES = {
    "zx": Counts(482, 2186, 29, 408),
    "zx@successively=each_once": Counts(818, 3658, 33, 680),
    "zx@automatic=ignored": Counts(860, 2780, 27, 880),
    "zx@chooser=turn_first": Counts(446, 1898, 29, 360),
    "zx@points=priority": Counts(456, 1512, 27, 212),
    "zx@main_again=written": Counts(420, 1862, 29, 340),
}
READINGS: dict[str, tuple[str, str]] = {
    "successively": ("consecutive", "each_once"),
    "automatic": ("played", "ignored"),
    "chooser": ("anybody", "turn_first"),
    "points": ("everywhere", "priority"),
    "main_again": ("implied", "written"),
}
TOGETHER = together(READINGS, (0, 1, 2, 3, 4))
TO_MAIN = ["ZX-2/other", "ZX-10", "ZX-4/turn", "ZX-2", "ZX-701.2"]
TO_BATTLE = [*TO_MAIN, "ZX-701.3b/battle", "ZX-3", "ZX-701.2"]


@pytest.mark.parametrize("game", SIZES)
def test_sizes(game: str) -> None:
    assert sizes_of(game) == (SIZES[game], [])


@pytest.mark.parametrize("game", SIZES)
def test_every_claim_is_as_stated(game: str) -> None:
    program = load_game(game)
    assert_as_stated(program, claims_of(program))


@pytest.mark.slow
@pytest.mark.parametrize("values", TOGETHER, ids=",".join)
def test_every_claim_is_as_stated_under_all_readings_together(values: tuple[str, ...]) -> None:
    program = load_game("zx", dict(zip(READINGS, values, strict=True)))
    assert_as_stated(program, in_turn(program, "zx", TOGETHER.index(values)))


def test_a_card_is_performed_before_the_other_player_has_priority() -> None:
    program = load_game("zx")
    [typed] = [one for one in claims_of(program) if one.claim.name == "response_window"]
    [verdict] = check(program, [typed.property], make_scope(program))
    assert verdict.trace is not None
    play = [step.move.clause for step in verdict.trace.steps]
    assert play == [*TO_MAIN, "ZX-701.3a", "ZX-5/perform"]


def test_one_pass_ends_a_main_phase_in_which_the_other_player_had_no_priority() -> None:
    play = play_of("zx", "S-ZX-2", Outcome.POSSIBLE)
    assert play == [*TO_MAIN, "ZX-4", "ZX-10", "ZX-4/end"]


def test_the_battle_ends_with_an_action_that_was_not_answered_if_each_passes_once() -> None:
    choice = ["ZX-701.3b", "ZX-5", "ZX-701.2"]
    ends = ["ZX-5/pass", "ZX-10", "ZX-6"]
    play = play_of("zx@successively=each_once", "ZX-6", Outcome.VIOLATED)
    assert play == [*TO_BATTLE, "ZX-5/pass", "ZX-701.2", *choice, *choice, *ends]


def test_automatic_abilities_set_each_other_off_without_priority() -> None:
    automatic = ["ZX-702.2b", "ZX-702.2b/resolve"]
    assert play_of("zx", "S-ZX-3", Outcome.POSSIBLE) == ["ZX-2/other", *automatic, *automatic]


def test_the_text_does_not_say_who_goes_on_after_an_action_in_the_main_phase() -> None:
    assert play_of("zx@main_again=written", "complete", Outcome.VIOLATED) == [*TO_MAIN, "ZX-701.3b"]


def test_players_act_while_abilities_wait_if_only_rule_effects_are_performed() -> None:
    assert play_of("zx@automatic=ignored", "settled_before_priority", Outcome.VIOLATED) == TO_MAIN


def test_every_statement_of_the_document_is_covered() -> None:
    assert_covered("zx")
