"""With nothing left out of positions all questions are told the same figures: those of one
exploration that came to its end.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stacklaw.checker.explicit import decide
from stacklaw.checker.explicit.engine import Explicit
from stacklaw.checker.explicit.search.result import Result
from stacklaw.checker.explicit.search.search import search
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.run.check import check
from stacklaw.checker.run.engines import Remembering
from stacklaw.checker.types.budget import Budget, Tuning
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Outcome, Verdict
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.properties.load import property_named

from ..rulesets import ONE_PASS

GAME = load(Source("one_pass.rules", ONE_PASS))
SCOPE = make_scope(GAME)
WHOLE = Tuning(slicing=False, symmetry=False)
ALONE = "lifo"
"""It watches items, so its search tells apart more than positions."""
SHARED = "single_holder"
"""It speaks of one position, so its search is an exploration."""


def asked(folder: Path, *names: str, budget: Budget | None = None) -> list[Verdict]:
    remembering = Remembering(Explicit(Interpreter, tuning=WHOLE), WHOLE, folder)
    return check(
        GAME, [property_named(GAME, name) for name in names], SCOPE, budget, engine=remembering
    )


def count_searches(monkeypatch: pytest.MonkeyPatch) -> list[Result]:
    made: list[Result] = []

    def noted(*args: Any, **more: Any) -> Result:
        made.append(search(*args, **more))
        return made[-1]

    monkeypatch.setattr(decide, "search", noted)
    return made


def test_all_positions_are_searched_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made = count_searches(monkeypatch)
    first, second, lifo = asked(tmp_path, SHARED, "complete", ALONE)
    assert len(made) == 3  # of two formulas that watch items
    assert first.counts == second.counts == lifo.counts == made[0].counts
    assert lifo.counts.positions < made[1].counts.positions
    assert asked(tmp_path, SHARED, "complete", ALONE) == [first, second, lifo]
    assert len(made) == 3  # it was kept


def test_what_is_found_at_once_does_not_end_the_exploration(tmp_path: Path) -> None:
    (found,) = asked(tmp_path, "hold_priority")
    found_at_once, all_ = (
        check_positions("possible someone has priority"),
        check_positions("never (at resolve and size of stack > 9)"),
    )
    assert found_at_once == all_
    assert found.outcome is Outcome.POSSIBLE


def check_positions(formula: str) -> int:
    program = load(
        Source(
            "one.rules",
            f"{ONE_PASS}\nclaims\n  {'holds' if formula.startswith('never') else 'possible'} it\n "
            f"   {formula}\n",
        )
    )
    (verdict,) = check(
        program, [property_named(program, "it")], SCOPE, engine=Explicit(Interpreter, tuning=WHOLE)
    )
    return verdict.counts.positions


@pytest.mark.parametrize("names", [(ALONE,), (SHARED, ALONE)], ids=["of its own", "shared"])
def test_what_did_not_come_to_its_end_is_neither_told_nor_kept(
    names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The first search, the exploration, loses its worker, and all that is left of it is a
    tenth.
    """
    made: list[Result] = []

    def dying(*args: Any, **more: Any) -> Result:
        found = search(*args, **more)
        if not made:
            found = replace(
                found,
                stopped="a worker was lost",
                note="it began anew",
                counts=replace(found.counts, positions=1),
                hits={},
            )
        made.append(found)
        return found

    with monkeypatch.context() as patched:
        patched.setattr(decide, "search", dying)
        verdicts = asked(tmp_path, *names)
    lifo = verdicts[-1]
    assert lifo.outcome in (Outcome.HOLDS, Outcome.VIOLATED)
    assert lifo.counts.positions == sum(one.counts.positions for one in made[1:])
    assert "it began anew" in lifo.notes
    assert any("a worker was lost" in note for note in lifo.notes)
    assert [one.outcome for one in verdicts[:-1]] == [Outcome.BOUNDED for _ in verdicts[:-1]]
    anew = asked(tmp_path, *names)
    assert [one.notes for one in anew] == [() for _ in names]
    assert all(one.counts.positions > 1 and one.outcome is not Outcome.BOUNDED for one in anew)


def test_figures_of_a_bound_are_those_of_the_search_that_it_ended(tmp_path: Path) -> None:
    for verdict in asked(tmp_path, SHARED, ALONE, budget=Budget(positions=12)):
        assert verdict.outcome is Outcome.BOUNDED
        assert verdict.counts.positions >= verdict.counts.layers > (verdict.bound or 0)


def test_a_question_whose_search_ended_is_not_told_the_figures_of_all_positions(
    tmp_path: Path,
) -> None:
    """All positions are as many as may be looked at, and those of a question about items are
    more.
    """
    (whole,) = asked(tmp_path, SHARED)
    budget = Budget(positions=whole.counts.positions)
    shared, alone = asked(tmp_path / "anew", SHARED, ALONE, budget=budget)
    assert (shared.outcome, shared.counts) == (Outcome.HOLDS, whole.counts)
    assert alone.outcome is Outcome.BOUNDED
    assert alone.counts.layers < whole.counts.layers
