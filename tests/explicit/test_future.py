"""What nests words about the future: the reference's verdicts and ways to a loop, however a search
is done.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

import networkx as nx
import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from stacklaw.checker.explicit.decide import Deciding
from stacklaw.checker.explicit.emit.monitor import MOST_OWED
from stacklaw.checker.explicit.engine import Explicit
from stacklaw.checker.explicit.native.kernel import COMPONENTS, FOUND_ROUND, INDEX
from stacklaw.checker.explicit.search import search
from stacklaw.checker.explicit.search.interpreted import functions_of
from stacklaw.checker.explicit.search.search import SMALL
from stacklaw.checker.questions.questions import all_queries
from stacklaw.checker.reference.formulas.signals import Signals
from stacklaw.checker.reference.semantics.explore import explore
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.replay.replay import replay
from stacklaw.checker.types.budget import Budget, Meter, Tuning
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Outcome
from stacklaw.checker.watching.plan import owing
from stacklaw.models.load import load_game
from stacklaw.properties import formula as f
from stacklaw.properties.binding.future import always, eventually, otherwise

from ..checker.future_words import drawn
from ..luck import tries
from ..strategies_ir import SPOTLIGHTS, formulas, programs
from .test_following import games
from .test_forever import (
    ASSUMING,
    DECIDE,
    LUCK,
    PASS,
    ROUND,
    SETTLE,
    STATE,
    STUCK,
    TUNINGS,
    TURNS,
    asked_of,
    check_answers,
)

MOST_PROMISES = 5


@pytest.fixture(autouse=True, scope="module")
def _looks_at_once() -> Iterator[None]:
    """What fits the assumptions is looked for among the first positions, and again as they grow."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "LOOKS", 1)
        yield


def check_random(
    data: st.DataObject, number: int, tunings: Sequence[Tuning] = TUNINGS, small: int = SMALL
) -> None:
    """Ask random questions, under random assumptions, about a random Program."""
    program = data.draw(st.one_of(programs(), games()))
    scope = make_scope(
        program, data.draw(st.sampled_from([2, 2, 3])), {"stack": 2, "queue": 1, "pool": 2}
    )
    graph = explore(Interpreter(program, scope), Meter(Budget(positions=300)))
    assume(not graph.stopped)
    chance, asked = random.Random(data.draw(st.integers(0, 10**9))), []
    for at in range(number):
        spotlights = data.draw(
            st.sampled_from([SPOTLIGHTS[:1], SPOTLIGHTS[2:], SPOTLIGHTS[::2], ()])
        )
        parts = tuple(data.draw(st.lists(formulas(spotlights), min_size=1, max_size=3)))
        future, given_ = (drawn(chance, len(parts), chance.randint(1, 3)) for _ in range(2))
        givens = (f.Given(given_),) if chance.random() < 0.5 else ()
        whole = f.Together((otherwise(future), *(one.formula for one in givens)))
        if len(owing(whole).promises) > MOST_PROMISES:
            continue
        assuming = data.draw(st.sampled_from(ASSUMING))
        body = f.And(parts)
        asked.append(
            f.Property(
                f"asked_{at}",
                "",
                "",
                "future",
                spotlights,
                body,
                None,
                "",
                assuming=assuming,
                future=future,
                given=givens,
            )
        )
    for decision in check_answers(Signals(graph), asked, tunings, small):
        shape = (
            ""
            if decision.trace is None
            else ", an end"
            if decision.trace.loop is None
            else ", a loop"
        )
        event(f"{decision.outcome}{shape}")


@given(st.data())
@tries(6)
def test_random_questions_about_random_programs(data: st.DataObject) -> None:
    check_random(data, 3, [TUNINGS[0], TUNINGS[-1]])


@pytest.mark.rare
@pytest.mark.slow
@given(st.data())
@tries(15)
def test_more_random_questions(data: st.DataObject) -> None:
    check_random(data, 5)


@pytest.mark.slow
@given(st.data())
@tries(5)
def test_random_questions_in_compiled_code(data: st.DataObject) -> None:
    pytest.importorskip("llvmlite")
    check_random(data, 3, [Tuning(), Tuning(slicing=False, symmetry=False)], 0)


# ------------------------------------------------------------------ games

TEXTS = (
    "again and again someone passes",
    "for every player p: again and again p is active",
    "for every player p: always (p passes implies (eventually p has priority))",
    "for every item i: always (i on stack implies (eventually i resolves))",
    "(finitely often clause 1) or (again and again someone has priority)",
)


@pytest.mark.parametrize("stages", [LUCK + ROUND, STUCK, TURNS])
def test_small_games(stages: str) -> None:
    check_answers(*asked_of(STATE + DECIDE + stages, *TEXTS), [TUNINGS[0], TUNINGS[-1]])


@pytest.mark.parametrize("stages", [LUCK + PASS, SETTLE])
def test_small_games_in_compiled_code(stages: str) -> None:
    pytest.importorskip("llvmlite")
    texts = [text.replace("clause 1", "clause 2") for text in TEXTS]
    check_answers(*asked_of(STATE + DECIDE + stages, *texts), [Tuning()], 0)


def test_turned_rounds_keep_what_they_promise_in_each_seat() -> None:
    """A loop of turned positions is gone round until everyone is where they were; what a seat was
    promised comes in one of the rounds.
    """
    signals, asked = asked_of(
        STATE + DECIDE + TURNS, "for every player p: not (again and again p is active)"
    )
    interpreter = signals.graph.interpreter
    scope = make_scope(interpreter.program, 3)
    ((decision, counts),) = Explicit(Interpreter).decide(
        interpreter.program, asked[:1], scope, Meter()
    )
    assert decision.symmetric
    assert counts.positions < 12
    assert decision.trace is not None
    replay(Interpreter(interpreter.program, scope), decision.trace, decision.question)
    assert decision.trace.loop is not None
    assert (
        len(decision.trace.steps) - decision.trace.loop == 6
    )  # three players, and a number that changes each time


def with_promises(chance: random.Random, number: int) -> f.Property:
    """Return a question about the future that may owe so much at once."""
    parts = (f.HasPriority(None), f.PlayerEvent("passes", None), f.GameIsOver(), f.Uses("2"))
    while True:
        future = f.Together(tuple(drawn(chance, len(parts), 3) for _ in range(3)))
        if len(owing(f.Together((f.Otherwise(future),))).promises) == number:
            return f.Property("many", "", "", "future", (), f.And(parts), None, "", future=future)


@pytest.mark.parametrize("number", [6, MOST_OWED])
def test_what_is_owed_may_take_several_words(number: int) -> None:
    signals, _ = asked_of(STATE + DECIDE + LUCK + ROUND, TEXTS[0])
    check_answers(
        signals, [with_promises(random.Random(seed), number) for seed in range(3)], [Tuning()]
    )


def test_too_much_to_owe_is_refused() -> None:
    signals, _ = asked_of(STATE + DECIDE + LUCK + ROUND, TEXTS[0])
    interpreter, question = (
        signals.graph.interpreter,
        with_promises(random.Random(1), MOST_OWED + 1),
    )
    ((decision, _),) = Explicit(Interpreter).decide(
        interpreter.program, [question], interpreter.scope, Meter()
    )
    assert decision.outcome == Outcome.UNKNOWN
    assert decision.reason == "it may owe 9 things about the future; 8 are as many as are watched"


def test_what_is_not_found_when_the_budget_is_spent_is_unknown() -> None:
    program = load_game("stack")
    again = f.Property(
        "again",
        "",
        "",
        "future",
        (),
        f.And((f.GameIsOver(), f.Gap())),
        None,
        "",
        future=always(eventually(f.PartHolds(0))),
    )
    holds = replace(again, future=otherwise(eventually(f.PartHolds(1))))
    for question, outcome in ((again, Outcome.VIOLATED), (holds, Outcome.UNKNOWN)):
        meter = Meter(Budget(positions=600))
        ((decision, _),) = Explicit(Interpreter).decide(
            program, [question], make_scope(program), meter
        )
        assert decision.outcome == outcome
        if decision.trace is not None:
            replay(Interpreter(program, make_scope(program)), decision.trace, question)


def test_one_play_is_all_that_is_asked_of_what_is_assumed(monkeypatch: pytest.MonkeyPatch) -> None:
    program, found = load_game("stack"), list[int]()
    passes = f.Property(
        "passes",
        "",
        "",
        "future",
        (),
        f.And((f.PlayerEvent("passes", None),)),
        None,
        "",
        future=eventually(f.PartHolds(0)),
    )
    (query,) = [
        one for one in all_queries(program, replace(passes, assuming=("cards",))) if not one.told
    ]
    for looks in (8, 1 << 40):
        monkeypatch.setattr(search, "LOOKS", looks)
        deciding = Deciding(
            program,
            make_scope(program),
            [query],
            Interpreter(program, make_scope(program)),
            Meter(),
        )
        result = deciding.answer(query).result
        assert result.lasso is not None
        assert not result.stopped
        found.append(result.counts.positions)
    assert found[0] < found[1]


@given(st.integers(0, 10**9), st.integers(1, 12))
@tries(200)
def test_components_are_those_of_networkx(seed: int, size: int) -> None:
    chance = random.Random(seed)
    rows = [[chance.randrange(size) for _ in range(chance.randint(0, 3))] for _ in range(size)]
    begins, leads = [0, *accumulate(map(len, rows))], [to for row in rows for to in row]
    ranks, tally = [0] * size, [0] * 5
    tally[INDEX], tally[FOUND_ROUND] = 1, size + 1
    assert not functions_of(COMPONENTS)["components"](
        begins, leads, ranks, [0] * size, [0] * size, [0] * size, tally, size
    )
    graph: nx.DiGraph[int] = nx.DiGraph(
        (number, to) for number, row in enumerate(rows) for to in row
    )
    graph.add_nodes_from(range(size))
    together: dict[int, set[int]] = {}
    for number, rank in enumerate(ranks):
        together.setdefault(rank, set()).add(number)
    assert sorted(map(sorted, together.values())) == sorted(
        map(sorted, nx.strongly_connected_components(graph))
    )
