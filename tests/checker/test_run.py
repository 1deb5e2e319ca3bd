"""Asking: verdicts with their evidence, budgets, interruption, lies."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pytest

import stacklaw
from stacklaw.checker.budget import INTERRUPTED, Budget, Meter, Progress, memory_in_use
from stacklaw.checker.engine import Decision, Engine
from stacklaw.checker.engines import engine_named
from stacklaw.checker.explicit import interpreted
from stacklaw.checker.explicit.engine import Explicit
from stacklaw.checker.position import Item
from stacklaw.checker.questions import Looked, Wanted, decide
from stacklaw.checker.reference.engine import Reference
from stacklaw.checker.reference.interpreter import Interpreter
from stacklaw.checker.replay_for_ever import ReplayError
from stacklaw.checker.run import check, explore, simulate
from stacklaw.checker.scope import Scope, make_scope
from stacklaw.checker.trace import SpotlitItem, Trace
from stacklaw.checker.tuning import Tuning
from stacklaw.checker.verdict import Counts, Outcome, Verdict
from stacklaw.models import ir
from stacklaw.models.diagnostics import InputError
from stacklaw.properties import formula as f

from ..tiny import clause, clock, program, two_passes

GAME = two_passes()
SCOPE = make_scope(GAME, 2, {"stack": 2})
ITEM, PLAYER, CLAUSE = f.Spotlight("item", "i"), f.Spotlight("player", "p"), f.Spotlight("clause", "c")
OTHER = f.Holds(ir.Not(ir.Equal(ir.Local("p"), ir.AttributeOf(ir.Local("i"), ir.CONTROLLER))), ("i",))
RESOLVES = f.ItemEvent("resolves", "i")
WINDOW = f.Once(f.And((f.HasPriority(ir.Local("p")), f.On("i", "stack"))))


def always(body: f.Formula, *spotlights: f.Spotlight, about: f.Formula | None = None) -> f.Property:
    return f.Property("asked", "", "", "always", spotlights, body, about, "the formula", about_text="the subject")


def possible(body: f.Formula, *spotlights: f.Spotlight) -> f.Property:
    return f.Property("asked", "", "", "possible", spotlights, body, None, "the formula")


def implies(first: f.Formula, second: f.Formula) -> f.Formula:
    return f.Or((f.Not(first), second))


RESPONSE_WINDOW = always(implies(f.And((RESOLVES, OTHER)), WINDOW), ITEM, PLAYER, about=f.And((RESOLVES, OTHER)))


def verdict(question: f.Property, budget: Budget | None = None, program: ir.Program = GAME) -> Verdict:
    (only,) = check(program, [question], make_scope(program, 2, {zone.name: 2 for zone in program.zones}), budget, engine=Reference())
    return only


def clauses(trace: Trace | None) -> list[str]:
    assert trace is not None
    return [step.move.clause for step in trace.steps]


# ------------------------------------------------------------------ verdicts


def test_what_holds_says_in_which_scope_and_how_much_was_looked_at() -> None:
    found = verdict(RESPONSE_WINDOW)
    assert found.outcome is Outcome.HOLDS
    assert (found.scope, found.counts, found.trace, found.engine) == (SCOPE, Counts(23, 30, 8, 8), None, "reference")


def test_what_is_broken_comes_with_the_shortest_play_and_its_spotlights() -> None:
    found = verdict(always(f.Not(RESOLVES), ITEM))
    assert found.outcome is Outcome.VIOLATED
    assert clauses(found.trace) == ["1.1", "1.2", "1.2", "1.3"]
    assert found.trace is not None
    assert found.trace.spotlights == (("i", SpotlitItem(Item("spell", 0), since=1, event=0)),)


def test_two_item_spotlights_are_two_items() -> None:
    j = f.Spotlight("item", "j")
    assert clauses(verdict(possible(f.And((f.On("i", "stack"), f.On("j", "stack"))), ITEM, j)).trace) == ["1.1", "1.1"]
    assert verdict(possible(f.And((f.IsNext("i", "stack"), f.IsNext("j", "stack"))), ITEM, j)).outcome is Outcome.IMPOSSIBLE


def test_a_moment_of_the_start_can_decide() -> None:
    assert clauses(verdict(always(f.Not(f.HasPriority(ir.Literal(0))))).trace) == []
    assert clauses(verdict(possible(f.Not(f.Once(f.PlayerEvent("passes", None))))).trace) == []


def test_witnesses_and_their_absence() -> None:
    assert clauses(verdict(possible(f.GameIsOver())).trace) == ["1.2", "1.2"]
    assert verdict(possible(f.Gap())).outcome is Outcome.IMPOSSIBLE


def test_vacuous_is_no_holds() -> None:
    never = f.AtStage("nowhere")
    found = verdict(always(f.Not(f.And((never, f.GameIsOver()))), about=never))
    assert (found.outcome, found.reason) == (Outcome.VACUOUS, "what it speaks of never happens: the subject")


def test_every_clause_is_a_question_of_its_own() -> None:
    assert verdict(possible(f.Uses("c"), CLAUSE)).outcome is Outcome.HOLDS
    found = verdict(possible(f.And((f.Uses("c"), f.ItemEvent("resolves", None))), CLAUSE))
    assert (found.outcome, found.trace, found.reason) == (Outcome.VIOLATED, None, "not possible for 1.1, 1.2")
    found = verdict(always(f.Not(f.Uses("c")), CLAUSE))
    assert clauses(found.trace) == ["1.1"]
    assert found.reason == "broken for 1.1, 1.2, 1.3; the play is for 1.1"


def test_a_player_named_by_the_position_is_the_one_it_names_there() -> None:
    passes = f.PlayerEvent("passes", ir.Variable(ir.ACTIVE))
    assert clauses(verdict(possible(passes)).trace) == ["1.2"]
    assert verdict(possible(f.And((passes, f.PlayerEvent("acts", None))))).outcome is Outcome.IMPOSSIBLE


# ------------------------------------------------------------------ budgets


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
    (found,) = check(GAME, [possible(f.GameIsOver())], big, Budget(positions=100), engine=Reference())
    assert clauses(found.trace) == ["1.2", "1.2", "1.2"]


def paths(**to: str) -> ir.Program:
    """Return a game in which one may go from each stage *to* others; it begins in the stage `only`."""

    def stage(name: str, *others: str) -> ir.Stage:
        return ir.Stage(name, "", (), None, tuple(clause(other, "must", ir.Go(other, ())) for other in others))

    return program(stages=tuple(stage(name, *others.split()) for name, others in to.items()))


def test_a_play_that_need_not_be_the_shortest_says_so() -> None:
    detour = paths(only="there stuck", there="only further", further="", stuck="")
    stuck_or_back = possible(f.Or((f.Gap(), f.And((f.AtStage("only"), f.Once(f.Uses("there")))))))
    found, shortest = (verdict(stuck_or_back, Budget(positions=most), detour) for most in (3, 100))
    assert (clauses(found.trace), found.is_shortest) == (["there", "only"], False)
    assert found.notes == ("a shorter play may exist for asked of tiny: the search ended before it had looked at all shorter ones",)
    assert (clauses(shortest.trace), shortest.is_shortest, shortest.notes) == (["stuck"], True, ())
    assert verdict(possible(f.Uses("there")), Budget(positions=3), detour).is_shortest


@pytest.mark.parametrize("engine", [Reference(), Explicit(Interpreter)], ids=["reference", "explicit"])
def test_a_loop_that_need_not_be_the_first_says_so(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever goes by `far` comes to a loop after two moves; that there is one after one move was not seen."""
    monkeypatch.setattr(interpreted, "CHECK_EVERY", 1)
    game = paths(only="far near", far="here", near="second", here="here on", second="third", third="near", on="on")
    question = f.Property("asked", "", "", "progress", (), f.Not(f.Once(f.GameIsOver())), None, "the formula")
    found, first = (check(game, [question], make_scope(game, 2, {}), Budget(positions=most), engine=engine)[0] for most in (5, 100))
    assert [one.trace and one.trace.loop for one in (found, first)] == [2, 1]
    assert [one.is_shortest for one in (found, first)] == [False, True]


@pytest.mark.parametrize(("bound", "sure"), [(1, False), (2, True)])
def test_of_all_clauses_another_may_have_a_shorter_play(bound: int, sure: bool) -> None:
    """It is broken for one clause by a play of 3 moves; of the others only plays of so many moves were looked at."""

    def look_for(wanted: Wanted) -> Looked:
        if wanted.formula == f.Not(f.Not(f.Uses("1.1"))):
            return Looked(True, trace=simulate(GAME, SCOPE, 1, 3))
        return Looked(False, moves=bound, stopped="the bound was reached")

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


@pytest.mark.parametrize("limit", [{"seconds": 0}, {"seconds": float("nan")}, {"mebibytes": -1}, {"positions": 0}])
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


def test_what_remains_is_reckoned_from_what_was_found_since_the_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 100, 2))
    monkeypatch.setattr("stacklaw.checker.budget.monotonic", lambda: float(next(clock)))
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
    monkeypatch.setattr("stacklaw.checker.budget.PROGRESS_SECONDS", 0)


@pytest.mark.usefixtures("always_telling")
def test_an_interrupted_exploration_keeps_what_it_found() -> None:
    big = make_scope(GAME, 3, {"stack": 8})
    found, window = check(GAME, [possible(f.GameIsOver()), RESPONSE_WINDOW], big, on_progress=Impatient("exploring", 3), engine=Reference())
    assert clauses(found.trace) == ["1.2", "1.2", "1.2"]
    assert (window.outcome, window.reason) == (Outcome.BOUNDED, INTERRUPTED)
    assert window.counts.positions > 100


@pytest.mark.usefixtures("always_telling")
def test_after_an_interrupted_decision_the_rest_is_unknown() -> None:
    questions = [possible(f.GameIsOver()), RESPONSE_WINDOW, possible(f.AtStage("resolve"))]
    questions = [replace(question, name=name) for question, name in zip(questions, ["one", "two", "three"], strict=True)]
    one, two, three = check(GAME, questions, SCOPE, on_progress=Impatient("deciding two"), engine=Reference())
    assert one.outcome is Outcome.POSSIBLE
    assert (two.outcome, two.reason) == (Outcome.UNKNOWN, INTERRUPTED)
    assert (three.outcome, three.reason) == (Outcome.UNKNOWN, INTERRUPTED)


# ------------------------------------------------------------------ searches that are not begun


class Daunted:
    """An engine that finds all searches too large but those of *feasible*."""

    name = "daunted"

    def __init__(self, *feasible: str) -> None:
        self.feasible = feasible

    def decide(
        self, _program: ir.Program, properties: Sequence[f.Property], _scope: Scope, _meter: Meter
    ) -> Iterator[tuple[Decision, Counts]]:
        for question in properties:
            if question.name in self.feasible:
                yield Decision(Outcome.HOLDS, question, sliced=("the rest",), notes=("it was slow",)), Counts(1, 0, 1, 0)
            else:
                yield Decision(Outcome.UNKNOWN, question, reason="about 1e+30 positions", refused=True), Counts(0, 0, 0, 0)


def test_a_scope_too_large_for_every_question_is_refused_with_the_estimate() -> None:
    with pytest.raises(InputError, match=r"C104 tiny with 2 players, stack 2 has about 1e\+30 positions"):
        check(GAME, [RESPONSE_WINDOW], SCOPE, engine=Daunted())


def test_a_scope_too_large_for_some_questions_is_told_with_the_others() -> None:
    held, refused = check(GAME, [replace(RESPONSE_WINDOW, name="held"), RESPONSE_WINDOW], SCOPE, engine=Daunted("held"))
    assert (held.outcome, held.sliced, held.notes) == (Outcome.HOLDS, ("the rest",), ("it was slow",))
    assert (refused.outcome, refused.reason) == (Outcome.UNKNOWN, "about 1e+30 positions")


# ------------------------------------------------------------------ replay


class Liar:
    """An engine that changes what the reference finds by *lie*."""

    name = "liar"

    def __init__(self, outcome: Outcome, trace: Trace) -> None:
        self.outcome, self.trace = outcome, trace

    def decide(
        self, program: ir.Program, properties: Sequence[f.Property], scope: Scope, meter: Meter
    ) -> Iterator[tuple[Decision, Counts]]:
        assert make_scope(program, scope.players)
        assert not meter.interrupted
        for question in properties:
            yield Decision(self.outcome, question, self.trace), Counts(1, 0, 1, 0)


def true_trace() -> Trace:
    trace = verdict(always(f.Not(RESOLVES), ITEM)).trace
    assert trace is not None
    return trace


def lies() -> dict[str, Trace]:
    trace = true_trace()
    item = dict(trace.spotlights)["i"]
    assert isinstance(item, SpotlitItem)
    first, *rest = trace.steps
    return {
        "is not possible there": replace(trace, steps=(replace(first, move=first.move._replace(owner=1)), *rest)),
        "move 2 of the trace": replace(trace, steps=(first, *rest[1:])),
        "does not begin with the initial position": replace(trace, initial=first.position),
        "at moment 3 of the trace": replace(trace, steps=trace.steps[:3]),
        "spotlight i stands for": replace(trace, spotlights=(("i", replace(item, since=2)),)),
        "spotlight i stands for 0": replace(trace, spotlights=(("i", 0),)),
        "other spotlights": replace(trace, spotlights=(("x", item),)),
        "at moment 4 of the trace": replace(trace, spotlights=()),
    }


@pytest.mark.parametrize("complaint", lies())
def test_a_lying_engine_is_caught(complaint: str) -> None:
    engine: Engine = Liar(Outcome.VIOLATED, lies()[complaint])
    with pytest.raises(ReplayError, match=complaint):
        check(GAME, [always(f.Not(RESOLVES), ITEM)], SCOPE, engine=engine)


def test_the_truth_is_not() -> None:
    engine: Engine = Liar(Outcome.VIOLATED, true_trace())
    (found,) = check(GAME, [always(f.Not(RESOLVES), ITEM)], SCOPE, engine=engine)
    assert (found.trace, found.engine) == (true_trace(), "liar")


def test_two_spotlights_on_one_item_are_a_lie() -> None:
    trace = true_trace()
    ((_, item),) = trace.spotlights
    question = possible(RESOLVES, ITEM, f.Spotlight("item", "j"))
    with pytest.raises(ReplayError, match="two spotlights stand for one item"):
        check(GAME, [question], SCOPE, engine=Liar(Outcome.POSSIBLE, replace(trace, spotlights=(("i", item), ("j", item)))))


# ------------------------------------------------------------------ exploring, playing, asking from Python


def test_exploring_counts_how_often_each_clause_fires() -> None:
    explored = explore(GAME, SCOPE)
    assert (explored.counts, dict(explored.fired), explored.stopped) == (Counts(23, 30, 8, 8), {"1.1": 8, "1.2": 16, "1.3": 6}, "")


def test_a_seed_is_a_play() -> None:
    play = simulate(clock(), make_scope(clock()), seed=1, steps=5)
    assert clauses(play) == ["tick", "tock"] * 2 + ["tick"]
    plays = [simulate(GAME, SCOPE, seed, 30) for seed in range(20)]
    assert plays == [simulate(GAME, SCOPE, seed, 30) for seed in range(20)]
    assert len({tuple(clauses(play)) for play in plays}) > 3


def test_the_python_front_door() -> None:
    found = stacklaw.check("mtg", "hold_priority", stack=1, sizes={"waiting": 1})
    assert found.scope.sizes == (("stack", 1), ("waiting", 1))
    assert found.outcome in (Outcome.POSSIBLE, Outcome.IMPOSSIBLE)
    with pytest.raises(InputError, match="C102"):
        stacklaw.check("mtg", "hold_priority", players=1)


def test_the_package_alone_is_light() -> None:
    code = "import sys, stacklaw; print([name for name in sys.modules if name.startswith(('stacklaw.', 'lark', 'z3', 'networkx'))])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


@pytest.mark.parametrize("seed", ["0", "1", "4242"])
def test_nothing_depends_on_hashes(seed: str) -> None:
    code = """
import stacklaw
found = [stacklaw.check("mtg", name, stack=1, sizes={"waiting": 1}) for name in ("hold_priority", "one_chance", "response_window")]
print([(str(v.outcome), v.counts, v.trace) for v in found])
"""
    env = {**os.environ, "PYTHONHASHSEED": seed}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
    found = [stacklaw.check("mtg", name, stack=1, sizes={"waiting": 1}) for name in ("hold_priority", "one_chance", "response_window")]
    assert ran.stdout.strip() == str([(str(v.outcome), v.counts, v.trace) for v in found])
