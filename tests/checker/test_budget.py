"""Budgets: what is known when one is spent, when somebody interrupts, and when a search is not
worth beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pytest

from stacklaw.checker.explicit.engine import Explicit
from stacklaw.checker.explicit.search import interpreted
from stacklaw.checker.questions.questions import Query, SearchResult, decide
from stacklaw.checker.reference.engine import Reference
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.run.check import check, simulate
from stacklaw.checker.run.engines import engine_named
from stacklaw.checker.types.budget import (
    INTERRUPTED,
    Budget,
    Meter,
    Progress,
    Tuning,
    memory_in_use,
)
from stacklaw.checker.types.engine import Decision, Engine
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.checker.types.verdict import Counts, Outcome
from stacklaw.models import ir
from stacklaw.models.diagnostics import InputError
from stacklaw.properties import formula as f

from ..tiny import clause, program
from .questions import CLAUSE, GAME, RESPONSE_WINDOW, SCOPE, always, clauses, possible, verdict

# ------------------------------------------------------------------ what is known when it is spent


@pytest.mark.parametrize("positions", [10, 70, 100])
def test_a_spent_budget_is_told_with_how_far_all_plays_were_looked_at(positions: int) -> None:
    big = make_scope(GAME, 3, {"stack": 8})
    question = always(f.Not(f.And((f.PlayerEvent("passes", None), f.ItemEvent("resolves", None)))))
    (found,) = check(GAME, [question], big, Budget(positions=positions), engine=Reference())
    assert found.outcome is Outcome.BOUNDED
    assert found.bound is not None
    assert 1 <= found.bound < found.counts.layers
    assert found.reason == f"the bound of {positions} positions was reached"


def test_what_an_unfinished_search_finds_is_found() -> None:
    big = make_scope(GAME, 3, {"stack": 8})
    (found,) = check(
        GAME, [possible(f.GameIsOver())], big, Budget(positions=100), engine=Reference()
    )
    assert clauses(found.trace) == ["1.2", "1.2", "1.2"]


def paths(**to: str) -> ir.Program:
    """Return a game in which one may go from each stage *to* others; it begins in the stage
    `only`.
    """

    def stage(name: str, *others: str) -> ir.Stage:
        return ir.Stage(
            name, "", (), None, tuple(clause(other, "must", ir.Go(other, ())) for other in others)
        )

    return program(stages=tuple(stage(name, *others.split()) for name, others in to.items()))


def test_a_play_that_need_not_be_the_shortest_says_so() -> None:
    detour = paths(only="there stuck", there="only further", further="", stuck="")
    stuck_or_back = possible(f.Or((f.Gap(), f.And((f.AtStage("only"), f.Once(f.Uses("there")))))))
    found, shortest = (verdict(stuck_or_back, Budget(positions=most), detour) for most in (3, 100))
    assert (clauses(found.trace), found.is_shortest) == (["there", "only"], False)
    assert found.notes == (
        "a shorter play may exist for asked of tiny: the search ended before it had looked at all "
        "shorter ones",
    )
    assert (clauses(shortest.trace), shortest.is_shortest, shortest.notes) == (["stuck"], True, ())
    assert verdict(possible(f.Uses("there")), Budget(positions=3), detour).is_shortest


@pytest.mark.parametrize(
    "engine", [Reference(), Explicit(Interpreter)], ids=["reference", "explicit"]
)
def test_a_loop_that_need_not_be_the_first_says_so(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By `far` there is a loop after two moves; the one after one move was not seen."""
    monkeypatch.setattr(interpreted, "CHECK_EVERY", 1)
    game = paths(
        only="far near",
        far="here",
        near="second",
        here="here on",
        second="third",
        third="near",
        on="on",
    )
    question = f.Property(
        "asked", "", "", "progress", (), f.Not(f.Once(f.GameIsOver())), None, "the formula"
    )
    found, first = (
        check(game, [question], make_scope(game, 2, {}), Budget(positions=most), engine=engine)[0]
        for most in (5, 100)
    )
    assert [one.trace and one.trace.loop for one in (found, first)] == [2, 1]
    assert [one.is_shortest for one in (found, first)] == [False, True]


@pytest.mark.parametrize(("bound", "sure"), [(1, False), (2, True)])
def test_of_all_clauses_another_may_have_a_shorter_play(bound: int, sure: bool) -> None:
    """It is broken for one clause by a play of 3 moves; of the others only plays of up to *bound*
    moves were looked at.
    """

    def look_for(wanted: Query) -> SearchResult:
        if wanted.formula == f.Not(f.Not(f.Uses("1.1"))):
            return SearchResult(True, trace=simulate(GAME, SCOPE, 1, 3))
        return SearchResult(False, moves=bound, stopped="the bound was reached")

    decision = decide(GAME, always(f.Not(f.Uses("c")), CLAUSE), look_for)
    assert (decision.outcome, decision.is_shortest) == (Outcome.VIOLATED, sure)


def test_without_time_nothing_is_known() -> None:
    found = verdict(RESPONSE_WINDOW, Budget(seconds=1e-9))
    assert (found.outcome, found.bound) == (Outcome.UNKNOWN, None)
    assert "time" in found.reason


def test_without_memory_nothing_is_known() -> None:
    assert memory_in_use() > 1
    found = verdict(RESPONSE_WINDOW, Budget(mebibytes=1))
    assert found.outcome is Outcome.UNKNOWN
    assert "memory of 1 MiB" in found.reason


def test_positions_that_were_not_expanded_have_no_gap() -> None:
    big = make_scope(GAME, 3, {"stack": 8})
    (found,) = check(GAME, [possible(f.Gap())], big, Budget(positions=100), engine=Reference())
    assert found.outcome is Outcome.BOUNDED


@pytest.mark.parametrize(
    "limit", [{"seconds": 0}, {"seconds": float("nan")}, {"mebibytes": -1}, {"positions": 0}]
)
def test_budgets_of_nothing_are_refused(limit: dict[str, int]) -> None:
    with pytest.raises(InputError, match="C106"):
        Budget(**limit)


NONSENSE: list[tuple[str, Callable[[], Tuning]]] = [
    ("C107", lambda: Tuning(threads=0)),
    ("C107", lambda: Tuning(threads=65)),
    ("C108", lambda: Tuning(resume=True)),
    ("C107.*C108", lambda: Tuning(threads=-1, resume=True)),
]


@pytest.mark.parametrize(("codes", "tuning"), NONSENSE)
def test_a_tuning_of_nonsense_is_refused(codes: str, tuning: Callable[[], Tuning]) -> None:
    with pytest.raises(InputError, match=codes):
        tuning()


def test_the_reference_engine_does_not_pretend_to_have_threads() -> None:
    with pytest.raises(InputError, match="C109"):
        engine_named("reference", Tuning(threads=2))


def test_what_remains_is_reckoned_from_what_was_found_since_the_beginning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = iter(range(0, 100, 2))
    monkeypatch.setattr("stacklaw.checker.types.budget.monotonic", lambda: float(next(clock)))
    told: list[Progress] = []
    meter = Meter(Budget(), told.append)
    for positions in (1000, 1100, 1200):  # it went on from a checkpoint with a thousand
        meter.check(1, positions, 2 * positions, load=0.5, expected=1600)
    last = told[-1]
    assert (last.rate, last.remaining, last.load) == (100.0, 8.0, 0.5)


def test_progress_is_told_and_not_too_often() -> None:
    told: list[Progress] = []
    meter = Meter(Budget(), told.append)
    meter.begin("exploring")
    for number in range(1000):
        meter.check(1, number, number)
    assert [progress.what for progress in told[:1]] == ["exploring"]
    assert len(told) < 100


# ------------------------------------------------------------------ interruption


class Impatient:
    """Somebody who presses Ctrl-C when the progress of *what* is told for the *nth* time."""

    def __init__(self, what: str, nth: int = 1) -> None:
        self.what, self.left = what, nth

    def __call__(self, progress: Progress) -> None:
        if progress.what.startswith(self.what):
            self.left -= 1
            if self.left == 0:
                raise KeyboardInterrupt


@pytest.fixture
def always_telling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stacklaw.checker.types.budget.PROGRESS_SECONDS", 0)


@pytest.mark.usefixtures("always_telling")
def test_an_interrupted_exploration_keeps_what_it_found() -> None:
    big = make_scope(GAME, 3, {"stack": 8})
    found, window = check(
        GAME,
        [possible(f.GameIsOver()), RESPONSE_WINDOW],
        big,
        on_progress=Impatient("exploring", 3),
        engine=Reference(),
    )
    assert clauses(found.trace) == ["1.2", "1.2", "1.2"]
    assert (window.outcome, window.reason) == (Outcome.BOUNDED, INTERRUPTED)
    assert window.counts.positions > 100


@pytest.mark.usefixtures("always_telling")
def test_after_an_interrupted_decision_the_rest_is_unknown() -> None:
    questions = [possible(f.GameIsOver()), RESPONSE_WINDOW, possible(f.AtStage("resolve"))]
    questions = [
        replace(question, name=name)
        for question, name in zip(questions, ["one", "two", "three"], strict=True)
    ]
    one, two, three = check(
        GAME, questions, SCOPE, on_progress=Impatient("deciding 2 of 3 (two)"), engine=Reference()
    )
    assert one.outcome is Outcome.POSSIBLE
    assert (two.outcome, two.reason) == (Outcome.UNKNOWN, INTERRUPTED)
    assert (three.outcome, three.reason) == (Outcome.UNKNOWN, INTERRUPTED)


# ------------------------------------------------------------------ searches that are not begun


class Daunted:
    """An engine that finds all searches too large but those of *feasible*."""

    name = "daunted"
    slices = True

    def __init__(self, *feasible: str) -> None:
        self.feasible = feasible

    def decide(
        self, _program: ir.Program, properties: Sequence[f.Property], _scope: Scope, _meter: Meter
    ) -> Iterator[tuple[Decision, Counts]]:
        for question in properties:
            if question.name in self.feasible:
                yield (
                    Decision(Outcome.HOLDS, question, sliced=("the rest",), notes=("it was slow",)),
                    Counts(1, 0, 1, 0),
                )
            else:
                yield (
                    Decision(
                        Outcome.UNKNOWN, question, reason="about 1e+30 positions", refused=True
                    ),
                    Counts(0, 0, 0, 0),
                )


def test_a_scope_too_large_for_every_question_is_refused_with_the_estimate() -> None:
    with pytest.raises(
        InputError, match=r"C104 tiny with 2 players, stack 2 has about 1e\+30 positions"
    ):
        check(GAME, [RESPONSE_WINDOW], SCOPE, engine=Daunted())


def test_a_scope_too_large_for_some_questions_is_told_with_the_others() -> None:
    held, refused = check(
        GAME,
        [replace(RESPONSE_WINDOW, name="held"), RESPONSE_WINDOW],
        SCOPE,
        engine=Daunted("held"),
    )
    assert (held.outcome, held.sliced, held.notes) == (
        Outcome.HOLDS,
        ("the rest",),
        ("it was slow",),
    )
    assert (refused.outcome, refused.reason) == (Outcome.UNKNOWN, "about 1e+30 positions")
