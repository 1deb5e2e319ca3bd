"""What Spacer is asked: stages without a loop are left out at first, and an invariant is found for
them afterwards.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
import z3

from stacklaw.checker.symbolic.encoding.encode import Precision
from stacklaw.checker.symbolic.encoding.system import System, complete, first_failure
from stacklaw.checker.symbolic.safety import horn
from stacklaw.checker.symbolic.safety.horn import search
from stacklaw.checker.symbolic.solver import terms as t
from stacklaw.checker.symbolic.solver.projection import has_quantifiers
from stacklaw.checker.symbolic.solver.terms import metered
from stacklaw.models.load import load_game
from stacklaw.properties.load import property_named

from ..rulesets import encode

UNITS = 10_000_000


def system_of(game: str, name: str) -> System:
    program = load_game(game)
    return encode(
        program,
        property_named(program, name),
        Precision(seats=True, attributes=False, counts=False),
    )


@pytest.fixture
def nothing_is_easy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(horn, "_QUICK", 1)


@pytest.mark.slow
@pytest.mark.usefixtures("nothing_is_easy")
@pytest.mark.parametrize(
    ("game", "name"), [("zx", "step_waits_for_stack"), ("stack", "own_window")]
)
def test_stages_that_are_left_out_have_an_invariant_too(game: str, name: str) -> None:
    """Z3 6716: what Spacer says where it inlines is held against the obligations of every stage,
    and has no quantifiers.
    """
    system = system_of(game, name)
    found = search(system, metered(UNITS))
    assert found.invariant is not None, found.reason
    assert found.invariant.keys() == system.cells.keys()
    assert not any(map(has_quantifiers, found.invariant.values()))
    assert first_failure(system, complete(system, found.invariant), UNITS) is None


@pytest.mark.usefixtures("nothing_is_easy")
def test_what_is_false_is_found_to_be_broken_all_the_same() -> None:
    found = search(system_of("zx", "full_round"), metered(UNITS))
    assert found.is_broken
    assert found.invariant is None


def test_what_is_said_of_some_stages_makes_no_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Spacer is asked again, with what it said itself, a play that breaks the property is
    none of the encoding.
    """
    system = system_of("zx", "single_holder")
    one, other = list(system.cells)[:2]
    answers = [
        horn.HornResult(None, "too long"),
        horn.HornResult({one: t.TRUE, other: z3.Exists([z3.Int("x")], z3.Int("x") > z3.Int("y"))}),
        horn.HornResult(None, horn.BROKEN, is_broken=True),
        horn.HornResult(None, "too long"),
    ]
    monkeypatch.setattr(horn._SpacerQuery, "_asked", lambda *_: answers.pop(0))
    found = search(system, metered(UNITS))
    assert not answers
    assert not found.is_decided


@pytest.mark.slow
def test_what_is_known_of_every_position_is_proved_too() -> None:
    """pono 377, cbmc 6057: no assumption hides a play; a fact that is not one fails its
    obligation.
    """
    system = system_of("zx", "step_waits_for_stack")
    for stage in system.cells:
        wrong = replace(system, known={**system.known, stage: t.FALSE})
        found = search(wrong, metered(UNITS))
        assert found.invariant is not None  # with a contradiction anything can be said
        failure = first_failure(wrong, complete(wrong, found.invariant), UNITS)
        assert failure is not None
        assert failure.obligation.target == stage
