"""The accidents that other checkers have had, and what keeps this one from them. (Mutated and random rulesets: `test_mutations`.)"""

from __future__ import annotations

import pytest
import z3

from stacklaw.checker.symbolic import terms as t
from stacklaw.checker.symbolic.encode import Precision, encode
from stacklaw.checker.symbolic.obligations import complete, first_failure
from stacklaw.checker.symbolic.prove import Proof, Unproved, prove
from stacklaw.models.load import load_game
from stacklaw.properties.load import property_named


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


@pytest.mark.parametrize("name", ["no_dead_clause", "stack_drains", "round_ends"])
def test_what_cannot_be_said_is_an_error(name: str) -> None:
    """Apalache 1691: what is not supported must not be taken for something else."""
    program = load_game("zx")
    answer = prove(program, property_named(program, name))
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
