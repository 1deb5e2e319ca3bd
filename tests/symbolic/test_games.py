"""The five games: what is proved for every size, and that the reference agrees wherever it can look."""

from __future__ import annotations

from functools import cache

import pytest

from stacklaw.checker.engine import Decision
from stacklaw.checker.symbolic.engine import Symbolic
from stacklaw.checker.symbolic.prove import Proof, prove
from stacklaw.checker.verdict import Outcome
from stacklaw.models.load import game_names, load_game
from stacklaw.properties.load import catalogue, claims_of, property_named

from .judge import REFUTED, Judge, sizes_of_table

EVERYWHERE = ["single_holder", "unambiguous"]
RESPONSES = ["lifo", "response_window", "own_window", "settled_before_priority", "step_waits_for_stack"]
ROUNDS = ["full_round", "turn_player_after_resolution", "window_between_resolutions", "no_lost_triggers", "slow_needs_empty_stack"]
PROVED = {
    "mtg": [*EVERYWHERE, *RESPONSES, *ROUNDS, "nobody_while_resolving", "window_in_every_step", "useful_priority", "complete"],
    "fftcg": [*EVERYWHERE, *RESPONSES, *ROUNDS, "nobody_while_resolving", "end_of_turn_response", "complete"],
    "zx": [
        *EVERYWHERE, "settled_before_priority", "step_waits_for_stack", "window_in_every_step", "hold_priority", "useful_priority",
        "no_lost_triggers", "complete",
    ],
    "fow": [*EVERYWHERE, *RESPONSES, *ROUNDS],
    "stack": [*EVERYWHERE, *RESPONSES, "window_in_every_step", "useful_priority", "complete"],
    "stack@triggers=no": [*EVERYWHERE, *RESPONSES[:3], "slow_needs_empty_stack", "step_waits_for_stack", "hold_priority"],
    "stack@step4=next": ["response_window", "own_window"],
    "mtg@payment=announced": ["response_window", "full_round", "nobody_while_resolving"],
    "fow@resolution=whole": ["lifo", "one_chance"],
}  # fmt: skip


@cache
def judge(game: str, players: int) -> Judge:
    return Judge(load_game(game), players, None if players == 2 else 1)


@pytest.mark.parametrize(("game", "name"), [(game, name) for game, names in PROVED.items() for name in names])
def test_proved_for_every_size(game: str, name: str) -> None:
    program = load_game(game)
    question = property_named(program, name)
    proof = prove(program, question)
    assert isinstance(proof, Proof), proof.reason
    for players in sizes_of_table(program, 3):
        assert judge(game, players).outcome(question) not in REFUTED


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names())
def test_no_proof_contradicts_the_reference(game: str) -> None:
    """Whatever can be asked of a game, in each of its options: what the reference refutes is never proved."""
    settings: list[dict[str, str]] = [{}]
    settings += [{option.name: value} for option in load_game(game).options for value, _ in option.values[1:]]
    for setting in settings:
        program = load_game(game, setting)
        found = Judge(program, program.players[0])
        questions = [claim.property for claim in claims_of(program)]
        for question in questions:
            if found.outcome(question) in REFUTED:
                assert not isinstance(prove(program, question, 5_000_000), Proof), (setting, question.name)


def test_only_what_holds_is_tried() -> None:
    program = load_game("zx")
    engine = Symbolic()
    holds = property_named(program, "single_holder")
    proved = engine.attempt(program, Decision(Outcome.HOLDS, holds))
    assert (proved.decision.outcome, proved.proof is None) == (Outcome.PROVED, False)
    vacuous = engine.attempt(program, Decision(Outcome.VACUOUS, property_named(program, "lifo")))
    assert (vacuous.decision.outcome, vacuous.proof) == (Outcome.VACUOUS, None)
    impossible = engine.attempt(program, Decision(Outcome.IMPOSSIBLE, property_named(program, "hold_priority")))
    assert (impossible.decision.outcome, impossible.proof is None) == (Outcome.IMPOSSIBLE, False)
    unproved = engine.attempt(program, Decision(Outcome.HOLDS, property_named(program, "full_round")))
    assert (unproved.decision.outcome, unproved.proof) == (Outcome.HOLDS, None)
    assert unproved.reason


def test_the_catalogue_can_be_encoded() -> None:
    """No decided property of the catalogue has anything in it that the encoding does not know, but those of each clause."""
    for game in game_names():
        program = load_game(game)
        for entry in catalogue():
            if entry.decided and entry.name != "no_dead_clause":
                answer = prove(program, property_named(program, entry.name), 1000)
                assert isinstance(answer, Proof) or "does not know" not in answer.reason, (game, entry.name)
