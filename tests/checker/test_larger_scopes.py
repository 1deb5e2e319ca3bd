"""What is said of a claim in a small scope that cuts moves a larger one never turns round: random
rulesets, whose zones are soon full, and random questions.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacklaw.checker.run.check import check
from stacklaw.checker.run.cuts import for_claim
from stacklaw.checker.types.budget import Budget
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import MET, UNDECIDED, Outcome, Verdict
from stacklaw.models import ir
from stacklaw.properties import formula as f

from ..luck import tries
from ..strategies_ir import SPOTLIGHTS, formulas
from .crowded import crowded
from .questions import always, implies, possible

_ITEM, _, _PLAYER = SPOTLIGHTS
_CLAUSE = f.Spotlight("clause", "c")
_ASSUMED: list[tuple[f.Assumption, ...]] = [(), ("players",), ("players", "cards")]


@st.composite
def questions(draw: st.DrawFn) -> f.Property:
    seen = draw(st.sampled_from([(), (_PLAYER,), (_ITEM,), (_ITEM, _PLAYER)]))
    one, other = draw(formulas(seen)), draw(formulas(seen))
    assuming = draw(st.sampled_from(_ASSUMED))
    used = f.And((f.Uses("c"), one))
    parts = tuple(f.Part(part, seen, "part", "claim") for part in (one, other))
    waits = f.Since(f.Not(other), f.And((one, f.Not(other))))
    asked = [
        always(implies(one, other), *seen, about=one),
        replace(always(other, *seen, about=one), apart=True),
        replace(always(f.Not(f.And((one, other))), *seen), parts=parts),
        possible(f.And((one, other)), *seen),
        possible(f.Uses("c"), _CLAUSE),
        possible(used, *seen, _CLAUSE),
        always(implies(used, other), *seen, _CLAUSE, about=used),
        replace(always(f.Not(f.Once(one)), *seen), mode="progress", assuming=assuming),
        replace(always(waits, *seen, about=one), mode="progress", assuming=assuming),
    ]
    return draw(st.sampled_from(asked))


def status(verdict: Verdict, expectation: str) -> str:
    outcome = for_claim(verdict, expectation).outcome
    if outcome in UNDECIDED:
        return "open"
    return "met" if outcome in MET[expectation] else "not met"


@pytest.mark.rare
@pytest.mark.long
@given(program=crowded(), asked=st.lists(questions(), min_size=6, max_size=10))
@tries(20)
def test_more_room_meets_nothing_that_was_not_met(
    program: ir.Program, asked: list[f.Property]
) -> None:
    names = [zone.name for zone in program.zones]
    small, large = (make_scope(program, 2, dict.fromkeys(names, size)) for size in (1, 2))
    before = check(program, asked, small, Budget(positions=3_000))
    after = check(program, asked, large, Budget(positions=20_000))
    for question, first, then in zip(asked, before, after, strict=True):
        is_possible = question.mode == "possible" and not question.is_of_clauses
        words = ("possible", "impossible") if is_possible else ("holds", "fails", "vacuous")
        for word in words:
            assert (status(first, word), status(then, word)) != ("not met", "met"), word
        if first.trace is not None:
            assert then.outcome in (first.outcome, *UNDECIDED)
        if first.outcome is Outcome.VACUOUS and not question.apart:
            assert then.outcome in (Outcome.VACUOUS, *UNDECIDED)
