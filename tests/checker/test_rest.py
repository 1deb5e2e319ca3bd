"""The end of a play: it stays at its last position, and nothing happens there; every engine is held
to that, by random formulas too.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import islice

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from stacklaw.checker.explicit.decide import Deciding
from stacklaw.checker.questions.questions import Query
from stacklaw.checker.reference.engine import look_for
from stacklaw.checker.reference.formulas.evaluate import Evaluator
from stacklaw.checker.reference.formulas.signals import Signals
from stacklaw.checker.reference.semantics.explore import explore
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.replay.replay import ReplayError, replay_future
from stacklaw.checker.run.check import check
from stacklaw.checker.run.engines import engine_named, prover_named
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.position import Trace
from stacklaw.checker.types.scope import make_scope
from stacklaw.models import ir
from stacklaw.models.diagnostics import InputError
from stacklaw.properties import formula as f
from stacklaw.properties.binding.future import (
    again_and_again,
    always,
    at_rest,
    eventually,
    otherwise,
)
from stacklaw.properties.formula import about
from stacklaw.reports.checked.checked import render_record
from stacklaw.reports.telling.record import Answer, make_record
from stacklaw.reports.text.page import plain

from ..luck import tries
from ..rulesets import asked
from .future_words import plays, word_of
from .test_future import ATOMS, MOST_MOVES
from .test_loops import DECIDE, HEAD, small_games

LEAVES = [atom for atom in ATOMS if about(atom) != "past"]
MOST_PLAYS = 150


def drawn(chance: random.Random, depth: int) -> f.Formula:
    kind = chance.random() if depth else 1.0
    if kind < 0.2:
        return f.Previously(drawn(chance, depth - 1))
    if kind < 0.35:
        return f.Once(drawn(chance, depth - 1))
    if kind < 0.5:
        return f.Since(drawn(chance, depth - 1), drawn(chance, depth - 1))
    if kind < 0.65:
        return f.Not(drawn(chance, depth - 1))
    if kind < 0.85:
        parts = drawn(chance, depth - 1), drawn(chance, depth - 1)
        return f.And(parts) if chance.random() < 0.5 else f.Or(parts)
    return chance.choice(LEAVES)


# ------------------------------------------------------------------ by the definition


def settled(evaluator: Evaluator, formula: f.Formula, last: int) -> bool:
    """Whether *formula* is true of a play that ended at moment *last* once it has stayed there for
    long, moment after moment.
    """
    return along(evaluator, formula, last, last + 12)[-1]


def along(evaluator: Evaluator, formula: f.Formula, last: int, end: int) -> list[bool]:
    moments = range(end + 1)
    match formula:
        case f.Not(operand):
            return [not value for value in along(evaluator, operand, last, end)]
        case f.And(parts) | f.Or(parts):
            join = all if isinstance(formula, f.And) else any
            values = [along(evaluator, part, last, end) for part in parts]
            return [join(value[moment] for value in values) for moment in moments]
        case f.Previously(operand):
            return [False, *along(evaluator, operand, last, end)[:-1]]
        case f.Once(operand):
            values_ = along(evaluator, operand, last, end)
            return [any(values_[: moment + 1]) for moment in moments]
        case f.Since(left, right):
            kept, came = along(evaluator, left, last, end), along(evaluator, right, last, end)
            return [
                any(came[at] and all(kept[at + 1 : moment + 1]) for at in range(moment + 1))
                for moment in moments
            ]
        case _:
            happens = about(formula) == "move"
            return [
                evaluator.holds(formula, min(at, last)) and not (happens and at > last)
                for at in moments
            ]


def is_again_and_again(
    interpreter: Interpreter, trace: Trace, again: int | None, formula: f.Formula
) -> bool | None:
    """Whether *formula* is true infinitely often; None if the loop would have to be gone round more
    often to say so.
    """
    if again is None:
        return settled(Evaluator(interpreter, trace), formula, len(trace.steps))
    word = word_of(interpreter, trace, again, (formula,))
    if word is None or word[1] is None:
        return None
    return any(truth for (truth,) in word[0][word[1] :])


# ------------------------------------------------------------------ random formulas


@given(small_games(), st.integers(0, 10**9))
@tries(40)
def test_what_a_formula_comes_to_at_rest(program: ir.Program, seed: int) -> None:
    chance, interpreter = (
        random.Random(seed),
        Interpreter(program, make_scope(program, 2, {"stack": 1})),
    )
    for trace, again in islice(plays(interpreter, MOST_MOVES, 30), MOST_PLAYS):
        if again is not None:
            continue
        evaluator, last = Evaluator(interpreter, trace), len(trace.steps)
        for _ in range(5):
            formula = drawn(chance, 4)
            said = at_rest(formula)
            assert said is not None
            event(f"looks back: {formula != said}")
            assert evaluator.holds(said, last) == settled(evaluator, formula, last), formula


@given(small_games(), st.integers(0, 10**9))
@tries(25)
def test_every_engine_finds_the_plays_on_which_it_is_so(program: ir.Program, seed: int) -> None:
    """Of two formulas, each so again and again or only finitely often: a play is found if the
    definition has one, and then it is one.
    """
    chance, interpreter = (
        random.Random(seed),
        Interpreter(program, make_scope(program, 2, {"stack": 1})),
    )
    graph = explore(interpreter, Meter(Budget(positions=300)))
    if graph.stopped:
        event("too large")
        return
    short = [*islice(plays(interpreter, MOST_MOVES, 40), MOST_PLAYS)]
    choices = [[(drawn(chance, 2), chance.random() < 0.5) for _ in range(2)] for _ in range(8)]
    queries = [query_of(chosen) for chosen in choices]
    deciding, signals = (
        Deciding(program, interpreter.scope, queries, interpreter, Meter()),
        Signals(graph),
    )
    for chosen, query in zip(choices, queries, strict=True):
        found = look_for(signals, query, Meter())
        assert deciding.look_for(query).found == found.found, chosen
        event(f"found: {found.found}")
        assert found.found or not any(fits(interpreter, *play, chosen) for play in short), chosen
        if found.trace is not None:
            assert fits(interpreter, found.trace, found.trace.loop, chosen) in (True, None), chosen


def query_of(chosen: Sequence[tuple[f.Formula, bool]]) -> Query:
    said = [again_and_again(formula) for formula, _ in chosen]
    often = [always(eventually(f.PartHolds(number))) for number in range(len(said))]
    temporal = f.Together(
        tuple(
            one if is_so else otherwise(one) for one, (_, is_so) in zip(often, chosen, strict=True)
        )
    )
    return Query(
        f.And(tuple(one for one in said if one is not None)), (), for_ever=True, temporal=temporal
    )


def fits(
    interpreter: Interpreter,
    trace: Trace,
    again: int | None,
    chosen: Sequence[tuple[f.Formula, bool]],
) -> bool | None:
    answers = [
        (is_again_and_again(interpreter, trace, again, formula), is_so) for formula, is_so in chosen
    ]
    return (
        None
        if any(answer is None for answer, _ in answers)
        else all(answer == is_so for answer, is_so in answers)
    )


# ------------------------------------------------------------------ what was said of it

ENDS = (
    HEAD
    + DECIDE
    + '  may 1 "more"\n    when level < 3\n    level += 1\n    go decide(holder)\n  may 2 "end '
    'it"\n    game over\n'
)
STUCK = (
    HEAD
    + DECIDE
    + '  may 1 "on"\n    go stuck\nstage stuck\n  must 2 "never"\n    when level is 1\n    go '
    "stuck\n"
)
ROUND = HEAD + DECIDE + '  may 1 "on"\n    go decide(after holder)\n  may 2 "out"\n    game over\n'
SAID: list[tuple[str, tuple[str, ...], bool]] = [
    (ENDS, ("finitely often clause 2",), True),
    (ENDS, ("assuming finitely often clause 2", "never game is over"), False),
    (ENDS, ("assuming finitely often clause 2", "finitely often clause 2"), True),
    (ENDS, ("assuming players act only finitely often", "finitely often someone acts"), True),
    (ENDS, ("again and again game is over",), True),
    (ENDS, ("finitely often game is over",), False),
    (ENDS, ("again and again someone acts",), False),
    (ENDS, ("again and again (previously game is over)",), True),
    (ENDS, ("again and again (previously clause 2)",), False),
    (ENDS, ("again and again (once clause 2)",), True),
    (ENDS, ("again and again (eventually clause 2)",), False),
    (ENDS, ("again and again (eventually game is over)",), True),
    (ENDS, ("again and again (not clause 2)",), True),
    (STUCK, ("finitely often clause 1",), True),
    (STUCK, ("again and again no clause applies",), True),
    (ROUND, ("again and again (clause 1 or game is over)",), True),
    (ROUND, ("assuming again and again clause 1", "never clause 2"), True),
    (ROUND, ("assuming finitely often clause 1", "eventually game is over"), True),
    (ROUND, ("finitely often clause 1",), False),
]


@pytest.mark.parametrize(
    ("rules", "lines", "holds"),
    SAID,
    ids=lambda one: " / ".join(one) if isinstance(one, tuple) else "",
)
def test_what_happens_ends_with_the_play(rules: str, lines: tuple[str, ...], holds: bool) -> None:
    program, question = asked(rules, *lines)
    scope = make_scope(program)
    found = [
        check(program, [question], scope, engine=engine_named(name))[0]
        for name in ("reference", "explicit")
    ]
    assert {one.outcome.value for one in found} == {"HOLDS" if holds else "VIOLATED"}
    prover = prover_named("all", eager=True)
    assert prover is not None
    with_proof = check(program, [question], scope, prover=prover)[0]
    assert with_proof.outcome.value in (("PROVED", "HOLDS") if holds else ("VIOLATED",))


def test_a_play_of_another_meaning_is_not_replayed() -> None:
    program, question = asked(ENDS, "finitely often clause 2")
    _, other = asked(ENDS, "finitely often game is over")
    (found,) = check(program, [other], make_scope(program))
    assert found.trace is not None
    with pytest.raises(ReplayError):
        replay_future(Interpreter(program, found.scope), found.trace, question)


def test_what_looks_back_over_and_over_is_refused() -> None:
    many = "someone passes"
    for _ in range(5):
        many = f"(({many}) since (previously previously previously ({many})))"
    with pytest.raises(InputError) as refused:
        asked(ENDS, f"again and again {many}")
    assert [one.code for one in refused.value.diagnostics] == ["P305"]


LEFT_OUT: dict[tuple[str, ...], bool] = {
    ("assuming again and again clause 1", "never clause 2"): True,
    ("assuming again and again (eventually clause 1)", "never clause 2"): True,
    ("assuming (again and again clause 1) and (eventually clause 1)", "never clause 2"): True,
    ("assuming finitely often clause 1", "eventually clause 2"): False,
    ("assuming again and again (once clause 2)", "eventually clause 2"): False,
    ("assuming always (eventually clause 2)", "eventually clause 2"): False,
    (
        "assuming (again and again clause 1) implies (eventually clause 2)",
        "eventually clause 2",
    ): False,
}


@pytest.mark.parametrize("lines", LEFT_OUT, ids=" / ".join)
def test_it_is_said_that_plays_that_end_are_left_out(lines: tuple[str, ...]) -> None:
    program, question = asked(ROUND, *lines)
    record = make_record(
        program,
        make_scope(program),
        [Answer(one, None, True) for one in check(program, [question], make_scope(program))],
    )
    page = plain(render_record(record))
    assert page.count("lays that end are left out") == (2 if LEFT_OUT[lines] else 0)
