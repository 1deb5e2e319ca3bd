"""Nothing is proved that a play refutes: mutated rulesets, random ones, and the accidents that other checkers have had."""

from __future__ import annotations

import pytest
import z3
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stacklaw.checker.symbolic import terms as t
from stacklaw.checker.symbolic.encode import Precision, encode
from stacklaw.checker.symbolic.obligations import complete, first_failure
from stacklaw.checker.symbolic.prove import Proof, Unproved, prove
from stacklaw.models.load import game_names, load_game
from stacklaw.properties import formula as f
from stacklaw.properties.load import property_named

from ..strategies_ir import SPOTLIGHTS, formulas, programs
from .judge import REFUTED, Judge
from .mutants import mutants

LITTLE = 3_000_000
ASKED = [
    "lifo", "response_window", "own_window", "full_round", "step_waits_for_stack", "settled_before_priority", "nobody_while_resolving",
    "turn_player_after_resolution", "slow_needs_empty_stack", "complete", "unambiguous", "useful_priority", "single_holder",
]  # fmt: skip


def check_mutants(game: str, number: int, seed: int) -> int:
    """Try to prove properties of mutated rulesets; return how many of them the reference refutes."""
    refuted = 0
    for count, (what, program) in enumerate(mutants(load_game(game), number, seed)):
        try:
            judge = Judge(program, program.players[0], 2, 1500)
        except (IndexError, RuntimeError):
            continue  # an item is asked for where there is none: the text would not have been read
        for name in (ASKED[(count + step) % len(ASKED)] for step in range(3)):
            question = property_named(program, name)
            if judge.outcome(question) in REFUTED:
                refuted += 1
                assert not isinstance(prove(program, question, LITTLE), Proof), f"{what}: {name}"
    return refuted


@pytest.mark.parametrize("game", game_names())
def test_mutated_rulesets(game: str) -> None:
    check_mutants(game, 6, 1)


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names())
def test_many_mutated_rulesets(game: str) -> None:
    assert check_mutants(game, 40, 2) > 0


def check_random(data: st.DataObject) -> None:
    program = data.draw(programs())
    spotlights = data.draw(st.sampled_from([(), SPOTLIGHTS[2:], SPOTLIGHTS[:1], SPOTLIGHTS[:1] + SPOTLIGHTS[2:], SPOTLIGHTS]))
    question = f.Property("random", "", "", "always", spotlights, f.Not(data.draw(formulas(spotlights))), None, "")
    if isinstance(prove(program, question, LITTLE), Proof):
        for players, size in ((2, 2), (3, 1)):
            assert Judge(program, players, size, 600).outcome(question) not in REFUTED


@given(st.data())
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_random_programs(data: st.DataObject) -> None:
    check_random(data)


@pytest.mark.slow
@given(st.data())
@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
def test_many_random_programs(data: st.DataObject) -> None:
    check_random(data)


# ------------------------------------------------------------------ accidents of others


def test_an_invariant_that_is_none_is_refused() -> None:
    """pono 225, Z3 6716: the search for an invariant may be wrong, the obligations find it."""
    program = load_game("stack")
    system = encode(program, property_named(program, "response_window"), Precision(seats=True, attributes=True, counts=True))
    everything = dict.fromkeys(system.cells, t.TRUE)
    nothing = dict.fromkeys(system.cells, t.FALSE)
    for wrong, duty in ((everything, "property"), (nothing, "initial")):
        failure = first_failure(system, complete(system, wrong), 10_000_000)
        assert failure is not None
        assert failure.obligation.duty == duty
    empty_stack = {**everything, "decide": z3.Int("size of stack") == 0}
    failure = first_failure(system, complete(system, empty_stack), 10_000_000)
    assert failure is not None
    assert failure.obligation.duty == "consecution"


def test_what_cannot_be_said_is_an_error() -> None:
    """Apalache 1691: what is not supported must not be taken for something else."""
    program = load_game("zx")
    answer = prove(program, property_named(program, "no_dead_clause"))
    assert isinstance(answer, Unproved)
    assert "does not know" in answer.reason


def test_rules_that_end_in_a_gap_are_not_taken_to_go_on() -> None:
    """pono 457: a position without a move is a position all the same, and what it breaks is broken."""
    program = load_game("zx", {"main_again": "written"})
    for name in ("complete", "full_round"):
        assert isinstance(prove(program, property_named(program, name)), Unproved)


def test_too_little_effort_is_told() -> None:
    program = load_game("mtg")
    answer = prove(program, property_named(program, "lifo"), 2_000)
    assert isinstance(answer, Unproved)
    assert answer.reason


def test_two_runs_give_the_same_invariant() -> None:
    """Z3 7525: each question gets a solver of its own, so that nothing of an earlier one is left."""
    program = load_game("stack")
    question = property_named(program, "own_window")
    first, second = prove(program, question), prove(program, question)
    assert isinstance(first, Proof)
    assert isinstance(second, Proof)
    assert {stage: one.sexpr() for stage, one in first.invariant.items()} == {stage: one.sexpr() for stage, one in second.invariant.items()}
