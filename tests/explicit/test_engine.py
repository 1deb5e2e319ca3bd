"""The explicit engine behind the protocol: verdicts, counts and lengths as the reference's, through
the door that replays.
"""

from __future__ import annotations

from typing import Any

import pytest

from stacklaw.checker.explicit.emit.emit import Emitted
from stacklaw.checker.explicit.engine import Explicit
from stacklaw.checker.explicit.moves.layout import Words
from stacklaw.checker.explicit.search.result import Result, SearchGoal
from stacklaw.checker.explicit.search.search import search
from stacklaw.checker.reference.engine import Reference
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.run.check import check
from stacklaw.checker.types.budget import INTERRUPTED, Budget, Meter, Tuning
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Outcome
from stacklaw.models import ir
from stacklaw.models.load import load_game
from stacklaw.properties import formula as f
from stacklaw.properties.load import catalogue, claims_of, property_named


@pytest.mark.slow
@pytest.mark.parametrize("game", ["zx", "stack"])
def test_the_catalogue(game: str) -> None:
    program = load_game(game)
    scope = make_scope(program, None, {zone.name: 1 for zone in program.zones})
    asked = [question for question in _all_decided(program) if question.mode != "progress"]
    expected = check(program, asked, scope, engine=Reference())
    for tuning in (Tuning(slicing=False, symmetry=False), Tuning()):
        verdicts = check(program, asked, scope, engine=Explicit(Interpreter, tuning=tuning))
        for mine, theirs in zip(verdicts, expected, strict=True):
            assert (mine.outcome, mine.reason, mine.bound) == (
                theirs.outcome,
                theirs.reason,
                theirs.bound,
            )
            assert (mine.trace and len(mine.trace.steps)) == (
                theirs.trace and len(theirs.trace.steps)
            )
            assert tuning.slicing or mine.counts == theirs.counts
            assert mine.engine == "explicit"


def _all_decided(program: ir.Program) -> list[f.Property]:
    return [property_named(program, entry.name) for entry in catalogue() if not entry.is_strategy]


def test_a_search_that_may_not_finish_is_bounded() -> None:
    program = load_game("mtg")
    scope = make_scope(program)
    (verdict,) = check(
        program,
        [property_named(program, "lifo")],
        scope,
        Budget(positions=2000),
        engine=Explicit(Interpreter),
    )
    assert verdict.outcome is Outcome.BOUNDED
    assert "2,000 positions" in verdict.reason
    assert verdict.bound


def test_a_large_search_leaves_time_to_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    parts: list[tuple[float, int]] = []

    def noted(
        emitted: Emitted,
        meter: Meter,
        small: int,
        *,
        starts: list[Words],
        watch: SearchGoal,
        **given: Any,
    ) -> Result:
        parts.append((meter.of_time, emitted.layout.bits))
        return search(emitted, meter, small, starts=starts, watch=watch, **given)

    monkeypatch.setattr("stacklaw.checker.explicit.decide.search", noted)
    program = load_game("zx")
    asked = [claim.property for claim in claims_of(program)]
    assert list(
        Explicit(Interpreter).decide(
            program, asked, make_scope(program), Meter(Budget(seconds=1000))
        )
    )
    assert len(parts) > 10
    assert parts == sorted(parts, key=lambda part: part[1])
    assert parts == sorted(parts, key=lambda part: part[0])
    assert parts[0][0] < 0.2
    assert parts[-1][0] == 1.0


def test_time_changes_no_answer() -> None:
    program = load_game("zx")
    scope = make_scope(program, None, {zone.name: 1 for zone in program.zones})
    asked = [claim.property for claim in claims_of(program) if claim.property.mode != "progress"]
    with_time, without = (
        check(program, asked, scope, budget, engine=Explicit(Interpreter))
        for budget in (Budget(seconds=1000), None)
    )
    assert [(one.outcome, one.counts, one.sliced) for one in with_time] == [
        (one.outcome, one.counts, one.sliced) for one in without
    ]


def test_what_was_found_before_an_interruption_is_told() -> None:
    program = load_game("zx")
    scope = make_scope(program, None, {zone.name: 1 for zone in program.zones})
    meter = Meter(Budget())
    asked = [claim.property for claim in claims_of(program) if claim.property.mode != "progress"]
    decisions = Explicit(Interpreter).decide(program, asked, scope, meter)
    first, _ = next(decisions)
    meter.interrupted = True
    rest = [decision for decision, _ in decisions]
    assert first.outcome is not Outcome.UNKNOWN
    assert Outcome.UNKNOWN in {decision.outcome for decision in rest}
    assert all(
        INTERRUPTED in decision.reason for decision in rest if decision.outcome is Outcome.UNKNOWN
    )


def test_a_position_too_wide_for_the_words_is_said_so() -> None:
    program = load_game("mtg")
    scope = make_scope(program, 4, {"stack": 40})
    whole = Explicit(Interpreter, tuning=Tuning(slicing=False))
    (verdict,) = check(program, [property_named(program, "lifo")], scope, engine=whole)
    assert verdict.outcome is Outcome.UNKNOWN
    assert "stack takes" in verdict.reason
