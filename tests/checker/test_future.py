"""Formulas about the future: random ones in random games against their definition on all short plays, and the classical equivalences."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from stacklaw.checker.explicit.engine import NO_FUTURE
from stacklaw.checker.questions.questions import Query
from stacklaw.checker.reference.decide import look_for
from stacklaw.checker.reference.engine import Reference
from stacklaw.checker.reference.formulas.evaluate import Evaluator
from stacklaw.checker.reference.formulas.signals import Signals
from stacklaw.checker.reference.lasso import acts
from stacklaw.checker.reference.semantics.explore import explore
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.replay.for_ever import ReplayError
from stacklaw.checker.replay.future import replay_future, true_along
from stacklaw.checker.replay.replay import replay
from stacklaw.checker.run.assumptions import with_fewest_assumptions
from stacklaw.checker.run.check import check
from stacklaw.checker.run.engines import engine_named
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.engine import Engine
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.trace import Trace, TraceStep
from stacklaw.checker.types.verdict import Outcome, Verdict
from stacklaw.models import ir
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.properties import formula as f
from stacklaw.properties.binding.future import always, eventually, otherwise, untils

from ..luck import tries
from ..rulesets import asked as asked_in
from .test_loops import DECIDE, HEAD, small_games

FORMULAS = 30
"""How many formulas are asked in each game."""
MOST_MOVES, MOST_PLAYS, MOST_LASSOS = 7, 250, 200
EMPTY = f.Holds(ir.IsEmpty("stack"))
ATOMS: tuple[f.Formula, ...] = (
    EMPTY,
    f.Holds(ir.Equal(ir.Variable("level"), ir.Literal(0))),
    f.HasPriority(None),
    f.PlayerEvent("acts", None),
    f.SequenceEvent("ends", ir.TURN),
    f.ItemEvent("is put on", None, "stack"),
    f.Uses("c0"),
    f.ClausePossible("c1"),
    f.GameIsOver(),
    f.Previously(f.Uses("c0")),
    f.Once(f.Not(EMPTY)),
    f.Since(f.Not(f.Uses("c0")), f.Uses("c1")),
)


def temporals(chance: random.Random, depth: int) -> f.Temporal:
    """Draw what is said of the future, of the numbers of `ATOMS`."""
    kind = chance.random()
    if depth == 0 or kind < 0.15:
        return f.PartHolds(chance.randrange(len(ATOMS)))
    inner = temporals(chance, depth - 1)
    if kind < 0.35:
        return otherwise(inner)
    if kind < 0.5:
        return f.Together((inner, temporals(chance, depth - 1)))
    if kind < 0.7:
        return f.Until(inner, temporals(chance, depth - 1))
    return chance.choice([eventually(inner), always(inner), always(eventually(inner)), eventually(always(inner))])


def formula(chance: random.Random) -> f.Temporal:
    while True:
        drawn = temporals(chance, chance.randint(1, 4))
        if len(untils(drawn)) <= 4:
            return drawn


# ------------------------------------------------------------------ by the definition


Word = tuple[list[tuple[bool, ...]], int | None]
"""What is true at each moment, and the moment that comes after the last one: None if none does."""


def holds(temporal: f.Temporal, word: Word, moment: int = 0) -> bool:
    """Whether *temporal* is true at *moment*, by quantifying over moments: a second round sees all that there is to see."""
    truths, again = word
    match temporal:
        case f.PartHolds(number):
            return truths[moment][number]
        case f.Otherwise(operand):
            return not holds(operand, word, moment)
        case f.Together(parts):
            return all(holds(part, word, moment) for part in parts)
        case f.Until(left, right):
            later = [*range(moment, len(truths)), *(range(again, len(truths)) if again is not None else ())]
            return any(holds(right, word, at) and all(holds(left, word, earlier) for earlier in later[:n]) for n, at in enumerate(later))


def plays(interpreter: Interpreter) -> Iterator[tuple[Trace, int | None]]:
    """Yield short plays that end, with None, and those that go round, with the moment to which they go back."""
    layer = [Trace(interpreter.initial(), ())]
    for _ in range(MOST_MOVES):
        following = []
        for play in layer:
            positions = play.positions
            yield from ((play, number) for number in range(len(positions) - 1) if positions[number] == positions[-1])
            if not interpreter.allowed(positions[-1]):
                yield play, None
            following += [
                replace(play, steps=(*play.steps, TraceStep(move, target))) for move, target in interpreter.moves(positions[-1]).moves
            ]
        layer = following[:MOST_PLAYS]


def word_of(interpreter: Interpreter, trace: Trace, again: int | None) -> Word | None:
    """Return what is true along *trace*; None if the fourth round differs from the third, so that more would have to be seen."""
    loop = () if again is None else trace.steps[again:]
    evaluator = Evaluator(interpreter, replace(trace, steps=trace.steps + loop * 3))
    truths = [tuple(evaluator.holds(atom, moment) for atom in ATOMS) for moment in range(len(trace.steps) + 3 * len(loop) + 1)]
    if again is None:
        return truths, None
    return (truths[: -len(loop)], len(truths) - 2 * len(loop)) if truths[-len(loop) :] == truths[-2 * len(loop) : -len(loop)] else None


def the_search_agrees_with_the_definition(program: ir.Program, chance: random.Random, number: int) -> None:
    interpreter = Interpreter(program, make_scope(program, 2, {"stack": 1}))
    signals = Signals(explore(interpreter, Meter(Budget(positions=300))))
    if signals.graph.stopped:
        event("too large")
        return
    words = [
        (word, trace.steps[again:] if again is not None else ())
        for trace, again in list(plays(interpreter))[:MOST_LASSOS]
        if (word := word_of(interpreter, trace, again)) is not None
    ]
    body = f.And(ATOMS)
    for _ in range(number):
        asked = formula(chance)
        assuming: tuple[f.Assumption, ...] = chance.choice([(), (), ("players",), ("cards",), ("players", "cards")])
        result = look_for(signals, Query(body, (), for_ever=True, assuming=assuming, temporal=asked), Meter())
        fitting = [word for word, loop in words if not any(acts(who, step.move, interpreter) for who in assuming for step in loop)]
        assert result.found or not any(holds(asked, word) for word in fitting), asked
        event(f"found: {result.found}, short: {any(holds(asked, word) for word in fitting)}")
        if result.trace is not None:
            replay(interpreter, result.trace)
            replay_future(interpreter, result.trace, question(asked, assuming))
            word = word_of(interpreter, result.trace, result.trace.loop)
            assert word is None or holds(asked, word)


def question(asked: f.Temporal, assuming: tuple[f.Assumption, ...] = ()) -> f.Property:
    """Return what a play breaks on which *asked* is true."""
    return f.Property("q", "", "", "future", (), f.And(ATOMS), None, "", assuming=assuming, future=otherwise(asked))


@pytest.mark.slow
@given(small_games(), st.integers(0, 10**9))
@tries(40)
def test_random_formulas_in_random_games(program: ir.Program, seed: int) -> None:
    the_search_agrees_with_the_definition(program, random.Random(seed), FORMULAS)


@given(st.integers(0, 10**9), st.integers(1, 6), st.integers(0, 6))
@tries(300)
def test_the_replay_says_what_the_definition_says(seed: int, length: int, again: int) -> None:
    chance = random.Random(seed)
    truths = [tuple(chance.random() < 0.5 for _ in ATOMS) for _ in range(length)]
    word: Word = truths, (again if again < length else None)
    for _ in range(5):
        asked = formula(chance)
        assert true_along(asked, *word) == [holds(asked, word, moment) for moment in range(length)]


def either(one: f.Temporal, other: f.Temporal) -> f.Temporal:
    return otherwise(f.Together((otherwise(one), otherwise(other))))


def differ(one: f.Temporal, other: f.Temporal) -> f.Temporal:
    return either(f.Together((one, otherwise(other))), f.Together((otherwise(one), other)))


A, B, C = f.PartHolds(0), f.PartHolds(3), f.PartHolds(10)
EQUIVALENCES = {
    "eventually eventually A": (eventually(eventually(A)), eventually(A)),
    "always always A": (always(always(A)), always(A)),
    "not eventually not A": (otherwise(eventually(otherwise(A))), always(A)),
    "eventually (A or B)": (eventually(either(A, B)), either(eventually(A), eventually(B))),
    "always (A and B)": (always(f.Together((A, B))), f.Together((always(A), always(B)))),
    "again and again (A or B)": (always(eventually(either(A, B))), either(always(eventually(A)), always(eventually(B)))),
    "again and again again and again": (always(eventually(always(eventually(A)))), always(eventually(A))),
    "always eventually always": (always(eventually(always(A))), eventually(always(A))),
    "A until (A until B)": (f.Until(A, f.Until(A, B)), f.Until(A, B)),
    "(A until B) until B": (f.Until(f.Until(A, B), B), f.Until(A, B)),
    "(A and B) until C": (f.Until(f.Together((A, B)), C), f.Together((f.Until(A, C), f.Until(B, C)))),
    "A until (B or C)": (f.Until(A, either(B, C)), either(f.Until(A, B), f.Until(A, C))),
    "not (A until B)": (
        otherwise(f.Until(A, B)),
        either(always(otherwise(B)), f.Until(otherwise(B), f.Together((otherwise(A), otherwise(B))))),
    ),
}


@pytest.mark.parametrize("name", EQUIVALENCES)
@given(program=small_games())
@tries(8)
def test_no_play_tells_apart_what_is_the_same(name: str, program: ir.Program) -> None:
    signals = Signals(explore(Interpreter(program, make_scope(program, 2, {"stack": 1})), Meter(Budget(positions=300))))
    asked = differ(*EQUIVALENCES[name])
    result = look_for(signals, Query(f.And(ATOMS), (), for_ever=True, temporal=asked), Meter())
    assert not result.found
    assert bool(signals.graph.stopped) == bool(result.stopped)


def test_what_is_not_the_same_is_told_apart() -> None:
    """Otherwise the test above could not fail."""
    programs = []

    @given(small_games())
    @tries(40)
    def gather(program: ir.Program) -> None:
        programs.append(program)

    gather()
    asked = differ(always(eventually(A)), eventually(always(A)))
    told = []
    for program in programs:
        signals = Signals(explore(Interpreter(program, make_scope(program, 2, {"stack": 1})), Meter(Budget(positions=300))))
        told.append(look_for(signals, Query(f.And(ATOMS), (), for_ever=True, temporal=asked), Meter()).found)
    assert any(told)


def test_a_play_that_does_not_break_it_is_refused() -> None:
    truths = f.Property("q", "", "", "future", (), f.And((f.HasPriority(None),)), None, "", future=always(f.PartHolds(0)))
    found = next(iter(_games_with_a_loop()))
    interpreter, trace = found
    with pytest.raises(ReplayError, match="true at moment 0"):
        replay_future(interpreter, trace, replace(truths, future=f.Together(())))


def _games_with_a_loop() -> Iterator[tuple[Interpreter, Trace]]:
    program = load(Source("test.rules", f'{HEAD}{DECIDE}  may 1 "act"\n    go decide(after holder)\n'))
    interpreter = Interpreter(program, make_scope(program))
    for trace, again in plays(interpreter):
        if again is not None:
            yield interpreter, replace(trace, loop=again)


# ------------------------------------------------------------------ as people write it


GAME = DECIDE + '  may act "act"\n    go decide(holder)\n  may pass "pass"\n    pass\n    go decide(after holder)\n'
ENDS = '  may end "end the turn"\n    when holder is active\n    advance\n    go decide(active)\n'
CAST = '  may cast "cast"\n    put spell on stack\n    go decide(after holder)\n'


def verdict(stages: str, *lines: str, engine: Engine | None = None) -> Verdict:
    """Return what is known of the formula in *lines*, the last of which is it, in a game with *stages*."""
    program, asked = asked_in(HEAD + stages, *lines)
    assert asked.mode == "future"
    (found,) = check(program, [asked], make_scope(program), engine=engine)
    return found


@pytest.mark.parametrize(
    ("lines", "outcome"),
    [
        (["again and again someone passes"], Outcome.VIOLATED),
        (["assuming finitely often clause act", "again and again someone passes"], Outcome.VIOLATED),
        (["assuming finitely often someone acts", "again and again someone passes"], Outcome.HOLDS),
        (["assuming players act only finitely often", "again and again someone passes"], Outcome.HOLDS),
        (["assuming finitely often clause act", "assuming finitely often clause end", "again and again someone passes"], Outcome.HOLDS),
        (["(again and again someone passes) or (again and again someone acts)"], Outcome.HOLDS),
        (["finitely often someone passes"], Outcome.VIOLATED),
        (["assuming again and again turn ends", "always ((not turn ends) until someone acts)"], Outcome.HOLDS),
        (["for every player p: p has priority leads to (p passes or (eventually p acts))"], Outcome.HOLDS),
        (["for every player p: always (p passes implies (eventually p passes))"], Outcome.HOLDS),
        (["for every player p: always (previously p passes implies (eventually p passes))"], Outcome.VIOLATED),
        (["assuming again and again game is over", "again and again someone passes"], Outcome.VACUOUS),
        (["always (game is over implies (eventually someone passes))"], Outcome.VACUOUS),
    ],
    ids=lambda value: "; ".join(value) if isinstance(value, list) else str(value),
)
def test_what_is_written_is_decided(lines: list[str], outcome: Outcome) -> None:
    assert verdict(GAME + ENDS, *lines).outcome == outcome


def test_whoever_may_pass_again_and_again_does() -> None:
    fair = "assuming (again and again clause pass is possible) implies (again and again clause pass)"
    assert verdict(GAME, "always (eventually someone passes)").outcome == Outcome.VIOLATED
    assert verdict(GAME, fair, "always (eventually someone passes)").outcome == Outcome.HOLDS


def test_of_a_play_that_ends_the_last_moment_counts() -> None:
    over = DECIDE + '  may 1 "pass"\n    pass\n    game over\n'
    assert verdict(over, "again and again game is over").outcome == Outcome.HOLDS
    found = verdict(over, "again and again not game is over")
    assert found.outcome == Outcome.VIOLATED
    assert found.trace is not None
    assert (found.trace.loop, len(found.trace.steps)) == (None, 1)


def test_a_cut_is_no_end() -> None:
    """What the scope cuts may go on for ever, unless what is assumed ends it."""
    asked = "always (eventually someone has priority)"
    assert verdict(DECIDE + CAST, asked).outcome == Outcome.UNKNOWN
    assert "is not tried for every size" in verdict(DECIDE + CAST, asked).reason
    pass_ = '  may pass "pass"\n    pass\n    go decide(after holder)\n'
    assert verdict(DECIDE + CAST + pass_, "assuming finitely often clause cast", asked).outcome == Outcome.HOLDS
    assert verdict(DECIDE + CAST + pass_, "assuming finitely often someone acts", asked).outcome == Outcome.HOLDS
    assert verdict(DECIDE + CAST + pass_, "assuming finitely often clause pass", asked).outcome == Outcome.UNKNOWN


def test_what_can_be_said_in_both_ways_is_the_same() -> None:
    """The endings that every engine decides are formulas of this logic: so they have the same verdicts, and ways to a loop as long."""
    for stages in (GAME, GAME + ENDS, DECIDE + '  may 1 "pass"\n    pass\n    game over\n'):
        for plain, nested in (
            ("someone has priority leads to someone passes", "always (someone has priority implies (eventually someone passes))"),
            ("eventually game is over", "not (always not game is over)"),
        ):
            for assuming in ([], ["assuming players act only finitely often"]):
                program, question_ = asked_in(HEAD + stages, *assuming, plain)
                assert question_.mode == "progress"
                (one,), other = check(program, [question_], make_scope(program), engine=Reference()), verdict(stages, *assuming, nested)
                assert one.outcome == other.outcome
                assert (one.trace and one.trace.loop) == (other.trace and other.trace.loop)


def test_the_fewest_assumptions_are_told() -> None:
    lines = ["assuming players act only finitely often", "assuming again and again someone has priority"]
    program, needed = asked_in(HEAD + GAME, *lines, "again and again someone passes")
    (told,) = _with_fewest(program, needed)
    assert told.does_with == "It holds within the scope assuming that players act only finitely often."
    program, without = asked_in(HEAD + GAME, *lines, "always (eventually someone has priority)")
    assert _with_fewest(program, without)[0].does_with == "It holds within the scope without any assumption."
    program, all_ = asked_in(HEAD + GAME, lines[0], "someone has priority leads to someone passes")
    assert _with_fewest(program, all_)[0].does_with == "It takes all that is assumed: with less a play breaks it."


def _with_fewest(program: ir.Program, asked: f.Property) -> list[Verdict]:
    found = check(program, [asked], make_scope(program))
    return with_fewest_assumptions(program, found, Meter(), engine_named("all"))


def test_what_is_still_to_be_written_breaks_nothing() -> None:
    """A play that breaks a formula comes to no clause that is still to be written; what none breaks is not known if a play comes to one."""
    todo = '  may todo "later"\n    when holder is active\n    todo\n'
    assert verdict(GAME + todo, "again and again someone passes").outcome == Outcome.VIOLATED
    found = verdict(GAME + todo, "(again and again someone passes) or (again and again someone acts)")
    assert found.outcome == Outcome.UNKNOWN
    assert "still to be written" in found.reason


def test_who_does_not_decide_it_says_so() -> None:
    program, question_ = asked_in(HEAD + GAME, "again and again someone passes")
    plain = replace(question_, mode="always", body=f.HasPriority(None), future=None)
    explicit = engine_named("explicit")
    answers = list(explicit.decide(program, [plain, question_, plain], make_scope(program), Meter()))
    assert [decision.outcome for decision, _ in answers] == [Outcome.HOLDS, Outcome.UNKNOWN, Outcome.HOLDS]
    assert answers[1][0].reason == NO_FUTURE
    assert verdict(GAME, "again and again someone passes", engine=explicit).engine == "reference"
