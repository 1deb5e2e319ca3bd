"""Scopes that no machine could search are refused, with the estimate, and hold no other question
up.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from stacklaw.checker.explicit import decide
from stacklaw.checker.explicit.engine import Explicit
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.run.check import check
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.engine import Decision
from stacklaw.checker.types.scope import scope_of
from stacklaw.checker.types.verdict import Outcome
from stacklaw.models.diagnostics import InputError
from stacklaw.models.load import load_game
from stacklaw.properties.load import property_named

STACK = load_game("stack")
NAMES = ("response_window", "lifo")


def decided(
    players: int, stack: int, names: Sequence[str] = NAMES, budget: Budget | None = None
) -> list[Decision]:
    properties = [property_named(STACK, name) for name in names]
    answers = Explicit(Interpreter).decide(
        STACK, properties, scope_of(STACK, players, stack, {}), Meter(budget or Budget())
    )
    return [decision for decision, _ in answers]


@pytest.mark.slow
@pytest.mark.parametrize(("players", "stack"), [(6, 12), (8, 64)])
def test_a_scope_beyond_any_machine_is_refused(players: int, stack: int) -> None:
    for decision in decided(players, stack):
        assert (decision.outcome, decision.refused) == (Outcome.UNKNOWN, True)
        assert decision.reason.startswith("about ")


def test_with_a_time_it_is_tried() -> None:
    assert not any(decision.refused for decision in decided(6, 12, budget=Budget(seconds=0.3)))


def test_a_refused_check_is_an_error_with_the_estimate() -> None:
    with pytest.raises(InputError) as caught:
        check(
            STACK,
            [property_named(STACK, "response_window")],
            scope_of(STACK, 6, 12, {}),
            engine=Explicit(Interpreter),
        )
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "C104"
    assert "has about 1.5e+14 positions" in diagnostic.message


def test_small_checks_wait_for_no_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    def estimated(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(decide, "estimated", estimated)
    assert [decision.outcome for decision in decided(2, 3)] == [Outcome.HOLDS, Outcome.HOLDS]
