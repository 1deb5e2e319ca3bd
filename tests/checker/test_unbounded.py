"""What the rules allow where the scope cuts: the interpreter and the searches against an
implementation that knows no scope.

`unbounded` is that implementation. Random rulesets whose zones are soon full are explored, and in
every position that is found it is asked who may act and pass, which clauses are possible, whether
none applies and whether they conflict.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import Phase, assume, given
from hypothesis import strategies as st

from stacklaw.checker.explicit.decide import Deciding
from stacklaw.checker.questions.questions import Query
from stacklaw.checker.reference.formulas.evaluate import Evaluator
from stacklaw.checker.reference.formulas.signals import Signals
from stacklaw.checker.reference.semantics.explore import Graph, explore
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.types.budget import Budget, Meter, Tuning
from stacklaw.checker.types.position import Trace
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.models import ir
from stacklaw.models.load import game_names, load_game
from stacklaw.properties import formula as f

from ..luck import tries
from .crowded import crowded
from .unbounded import Rules, Way

SORTS = (
    "completes",
    "completes in several ways",
    "does not complete",
    "passes later",
    "overflows only on the way",
)
"""The sorts of cut moves that there have to be among those of random rulesets."""


def explored(program: ir.Program, players: int, most: int) -> Graph:
    """Return what there is in a small scope."""
    scope = make_scope(
        program, players, {zone.name: 1 + (zone.order == "lifo") for zone in program.zones}
    )
    return explore(Interpreter(program, scope), Meter(Budget(positions=most)))


def questions(
    program: ir.Program, players: int
) -> Iterator[f.Enabled | f.ClausePossible | f.Gap | f.Conflict]:
    """Yield all that can be asked of what is possible."""
    for who in (None, *map(ir.Literal, range(players))):
        yield f.Enabled(who, "act")
        yield f.Enabled(who, "pass")
    yield from (f.ClausePossible(clause.id) for _, clause in program.clauses)
    yield from (f.Gap(), f.Conflict())


def answer(
    rules: Rules,
    ways: list[Way],
    question: f.Enabled | f.ClausePossible | f.Gap | f.Conflict,
    *,
    is_over: bool,
) -> bool:
    """Return whether *question* is so where there are these *ways*."""
    match question:
        case f.Enabled(who, what):
            assert who is None or isinstance(who, ir.Literal)
            return rules.may(ways, what, None if who is None else who.value)
        case f.ClausePossible(clause):
            return any(way.clause.id == clause for way in ways)
        case f.Gap():
            return not ways and not is_over
        case f.Conflict():
            return rules.has_conflict(ways)


def overflows(way: Way, scope: Scope) -> bool:
    return any(way.world.most[zone] > size for zone, size in scope.sizes)


def sorts_of(ways: list[Way], scope: Scope, cut: int) -> Iterator[str]:
    """Yield the sorts of the moves that are cut, *cut* of them, where the rules allow these
    *ways*.
    """
    cut_ways = [way for way in ways if overflows(way, scope)]
    if cut and not cut_ways:
        yield "does not complete"
    if cut_ways:
        yield "completes"
    if len(cut_ways) > cut:
        yield "completes in several ways"
    for way in cut_ways:
        if way.world.passed is not None and any(
            way.world.passed[zone] > size for zone, size in scope.sizes
        ):
            yield "passes later"
        if all(len(way.world.zones[zone]) <= size for zone, size in scope.sizes):
            yield "overflows only on the way"


def check_interpreter(graph: Graph, seen: Counter[str]) -> dict[f.Formula, list[bool]]:
    """Compare every position of *graph*; count the sorts of cut moves *seen*. Return the answer to
    each question in each position.
    """
    interpreter, program, scope = (
        graph.interpreter,
        graph.interpreter.program,
        graph.interpreter.scope,
    )
    rules, signals, asked = (
        Rules(program, scope.players),
        Signals(graph),
        list(questions(program, scope.players)),
    )
    told: dict[f.Formula, list[bool]] = {question: [] for question in asked}
    for number in range(graph.expanded):
        position = graph.positions[number]
        ways = rules.ways(position)
        seen.update(set(sorts_of(ways, scope, graph.cut.get(number, 0))))
        mine = Counter(
            (way.clause.id, way.owner, way.passes, rules.canonical(way.world)) for way in ways
        )
        allowed = [
            (
                move.clause,
                move.owner,
                any(event.kind == "passes" for event in move.events),
                rules.canonical(rules.world(target)),
            )
            for move, target in interpreter.allowed(position)
        ]
        assert Counter(allowed) == mine
        within = Counter(rules.canonical(way.world) for way in ways if not overflows(way, scope))
        assert (
            Counter(
                rules.canonical(rules.world(graph.positions[target]))
                for _, target in graph.successors(number)
            )
            == within
        )
        evaluator, is_over = Evaluator(interpreter, Trace(position, ())), position.stage == ""
        for question in asked:
            expected = answer(rules, ways, question, is_over=is_over)
            assert evaluator.holds(question, 0) == expected, question
            assert bool(signals.column(question)[number]) == expected, question
            told[question].append(expected)
        assert signals.ends(number) == (not ways)
    return told


def check_explicit(
    graph: Graph, told: dict[f.Formula, list[bool]], tuning: Tuning, small: int
) -> None:
    """Compare what the explicit engine finds with what was *told* of all positions of *graph*,
    those found first being the nearest.
    """
    interpreter = graph.interpreter
    wanted = [Query(one, ()) for question in told for one in (question, f.Not(question))]
    deciding = Deciding(
        interpreter.program, interpreter.scope, wanted, interpreter, Meter(), small, tuning
    )
    for question, answers in told.items():
        for one, expected in ((question, True), (f.Not(question), False)):
            found = deciding.answer(Query(one, ()))
            first = next(
                (number for number, is_so in enumerate(answers) if is_so == expected), None
            )
            assert found.found == (first is not None), one
            if first is not None:
                assert found.trace is not None
                assert len(found.trace.steps) == len(graph.way_to(first)), one


def check_random(
    data: st.DataObject, seen: Counter[str], small: int, tunings: tuple[Tuning, ...]
) -> None:
    graph = explored(data.draw(crowded()), data.draw(st.sampled_from([2, 2, 3])), 150)
    told = check_interpreter(graph, seen)
    if tunings:
        assume(not graph.stopped)
        check_explicit(graph, told, data.draw(st.sampled_from(tunings)), small)


def check_many(number: int, small: int, tunings: tuple[Tuning, ...]) -> None:
    """Check random rulesets; there have to be cut moves of every sort among theirs."""
    seen: Counter[str] = Counter()
    tries(number, phases=(Phase.reuse, Phase.generate))(
        given(st.data())(lambda data: check_random(data, seen, small, tunings))
    )()
    assert min(seen[sort] for sort in SORTS) >= number // 5, seen


TUNINGS = (
    Tuning(),
    Tuning(),
    Tuning(slicing=False),
    Tuning(symmetry=False),
    Tuning(slicing=False, symmetry=False),
)


def test_the_interpreter_on_random_rulesets() -> None:
    check_many(30, 0, ())


@pytest.mark.slow
def test_the_explicit_engine_on_random_rulesets() -> None:
    check_many(10, 1 << 60, TUNINGS)


@pytest.mark.slow
def test_compiled_code_on_random_rulesets() -> None:
    pytest.importorskip("llvmlite")
    check_many(3, 3, TUNINGS[:2])


@pytest.mark.rare
@pytest.mark.slow
def test_the_explicit_engine_on_many_more_random_rulesets() -> None:
    check_many(20, 1 << 60, TUNINGS)


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names())
def test_the_games(game: str) -> None:
    check_interpreter(explored(load_game(game), max(2, load_game(game).players[0]), 60), Counter())
