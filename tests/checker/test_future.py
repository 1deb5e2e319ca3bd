"""Formulas about the future: random ones in random games against their definition on all short
plays, and the classical equivalences.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from stacklaw.checker.explicit.decide import Deciding
from stacklaw.checker.questions.questions import HIDDEN, Query
from stacklaw.checker.reference.engine import Reference, look_for
from stacklaw.checker.reference.formulas.signals import Signals
from stacklaw.checker.reference.semantics.explore import explore
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.replay.replay import ReplayError, replay, replay_future, true_along
from stacklaw.checker.run.assumptions import with_fewest_assumptions
from stacklaw.checker.run.check import check
from stacklaw.checker.run.engines import engine_named
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.engine import Engine
from stacklaw.checker.types.position import Trace
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Outcome, Verdict
from stacklaw.checker.watching.plan import owing
from stacklaw.models import ir
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.properties import formula as f
from stacklaw.properties.binding.future import always, eventually, otherwise

from ..luck import tries
from ..rulesets import asked as asked_in
from .future_words import Word, Words, drawn, plays, word_of, words_of
from .test_loops import DECIDE, HEAD, small_games

FORMULAS, OF_REFERENCE = 100, 10
"""How many formulas are asked in each game, and which of them of the reference too."""
MOST_MOVES, MOST_PROMISES = 7, 6
FEW, MANY = (60, 150), (250, 200)
"""How many plays of each length are looked at, and how many that end or go round."""
ASSUMING: list[tuple[f.Assumption, ...]] = [(), (), ("players",), ("cards",), ("players", "cards")]
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


def formula(chance: random.Random) -> f.Temporal:
    while True:
        temporal = drawn(chance, len(ATOMS), chance.randint(1, 4))
        if len(owing(temporal).promises) <= MOST_PROMISES:
            return temporal


# ------------------------------------------------------------------ by the definition


def holds(temporal: f.Temporal, word: Word, moment: int = 0) -> bool:
    """Whether *temporal* is true at *moment*, by quantifying over moments: a second round sees all
    that there is to see.
    """
    truths, again = word
    match temporal:
        case f.PartHolds(number):
            return truths[moment][number]
        case f.Otherwise(operand):
            return not holds(operand, word, moment)
        case f.Together(parts):
            return all(holds(part, word, moment) for part in parts)
        case f.Until(left, right):
            later = [
                *range(moment, len(truths)),
                *(range(again, len(truths)) if again is not None else ()),
            ]
            return any(
                holds(right, word, at) and all(holds(left, word, earlier) for earlier in later[:n])
                for n, at in enumerate(later)
            )


def short_words(interpreter: Interpreter, most: tuple[int, int]) -> Callable[..., Words]:
    """Return the words of short plays, as many as *most* allows, by who acts only finitely often in
    them.
    """
    most_plays, most_lassos = most
    return words_of(
        interpreter, islice(plays(interpreter, MOST_MOVES, most_plays), most_lassos), ATOMS
    )


def what_is_found_is_so(
    interpreter: Interpreter, trace: Trace, asked: f.Temporal, assuming: tuple[f.Assumption, ...]
) -> None:
    """Replay *trace*, on which *asked* is true, and look at it by the definition."""
    replay(interpreter, trace)
    replay_future(interpreter, trace, question(asked, assuming))
    word = word_of(interpreter, trace, trace.loop, ATOMS)
    assert word is None or holds(asked, word)


def each_engine_agrees_with_the_definition(
    program: ir.Program, chance: random.Random, number: int, most: tuple[int, int]
) -> None:
    """Ask *number* formulas of the explicit engine, and a few of them of the reference; hold them
    to short plays, as many as *most* allows.
    """
    interpreter = Interpreter(program, make_scope(program, 2, {"stack": 1}))
    graph = explore(interpreter, Meter(Budget(positions=300)))
    if graph.stopped:
        event("too large")
        return
    signals, of, words = (
        Signals(graph),
        short_words(interpreter, most),
        dict[tuple[f.Assumption, ...], Words](),
    )
    told = Query(f.And(ATOMS), (), told=False, for_ever=True)
    queries = [
        replace(told, assuming=chance.choice(ASSUMING), temporal=formula(chance))
        for _ in range(number)
    ]
    deciding = Deciding(program, interpreter.scope, queries, interpreter, Meter())
    for at, query in enumerate(queries):
        assert query.temporal is not None
        assuming, found = query.assuming, deciding.look_for(query).found
        if assuming not in words:
            words[assuming] = of(assuming)
        is_short = words[assuming].fit(query.temporal)
        event(f"found: {found}, short: {is_short}")
        assert found or not is_short, query.temporal
        if at % OF_REFERENCE == 0 or found != is_short:
            result = look_for(signals, query, Meter())
            assert result.found == found, query.temporal
            if result.trace is not None:
                what_is_found_is_so(interpreter, result.trace, query.temporal, assuming)


def question(asked: f.Temporal, assuming: tuple[f.Assumption, ...] = ()) -> f.Property:
    """Return what a play breaks on which *asked* is true."""
    return f.Property(
        "q",
        "",
        "",
        "future",
        (),
        f.And(ATOMS),
        None,
        "",
        assuming=assuming,
        future=otherwise(asked),
    )


@given(small_games(), st.integers(0, 10**9))
@tries(20)
def test_thousands_of_formulas(program: ir.Program, seed: int) -> None:
    each_engine_agrees_with_the_definition(program, random.Random(seed), FORMULAS, FEW)


@pytest.mark.rare
@pytest.mark.long
@given(small_games(), st.integers(0, 10**9))
@tries(40)
def test_thousands_more(program: ir.Program, seed: int) -> None:
    each_engine_agrees_with_the_definition(program, random.Random(seed), FORMULAS, MANY)


@given(st.integers(0, 10**9), st.integers(1, 6), st.integers(0, 6))
@tries(300)
def test_whoever_says_it_says_what_the_definition_says(seed: int, length: int, again: int) -> None:
    chance = random.Random(seed)
    truths = [tuple(chance.random() < 0.5 for _ in ATOMS) for _ in range(length)]
    word: Word = truths, (again if again < length else None)
    for _ in range(5):
        asked = formula(chance)
        assert true_along(asked, *word) == [holds(asked, word, moment) for moment in range(length)]
        assert Words([word]).fit(asked) == holds(asked, word)


def either(one: f.Temporal, other: f.Temporal) -> f.Temporal:
    return otherwise(f.Together((otherwise(one), otherwise(other))))


A, B, C = f.PartHolds(0), f.PartHolds(3), f.PartHolds(10)
EQUIVALENCES = {
    "eventually eventually A": (eventually(eventually(A)), eventually(A)),
    "always always A": (always(always(A)), always(A)),
    "not eventually not A": (otherwise(eventually(otherwise(A))), always(A)),
    "eventually (A or B)": (eventually(either(A, B)), either(eventually(A), eventually(B))),
    "always (A and B)": (always(f.Together((A, B))), f.Together((always(A), always(B)))),
    "again and again (A or B)": (
        always(eventually(either(A, B))),
        either(always(eventually(A)), always(eventually(B))),
    ),
    "again and again again and again": (
        always(eventually(always(eventually(A)))),
        always(eventually(A)),
    ),
    "always eventually always": (always(eventually(always(A))), eventually(always(A))),
    "A until (A until B)": (f.Until(A, f.Until(A, B)), f.Until(A, B)),
    "(A until B) until B": (f.Until(f.Until(A, B), B), f.Until(A, B)),
    "(A and B) until C": (
        f.Until(f.Together((A, B)), C),
        f.Together((f.Until(A, C), f.Until(B, C))),
    ),
    "A until (B or C)": (f.Until(A, either(B, C)), either(f.Until(A, B), f.Until(A, C))),
    "not (A until B)": (
        otherwise(f.Until(A, B)),
        either(
            always(otherwise(B)), f.Until(otherwise(B), f.Together((otherwise(A), otherwise(B))))
        ),
    ),
}


def told_apart(program: ir.Program, one: f.Temporal, other: f.Temporal) -> list[bool]:
    """Return whether a play is found on which *one* is true and *other* is not, and the other way
    round.
    """
    interpreter = Interpreter(program, make_scope(program, 2, {"stack": 1}))
    queries = [
        Query(
            f.And(ATOMS),
            (),
            told=False,
            for_ever=True,
            temporal=f.Together((true, otherwise(false))),
        )
        for true, false in ((one, other), (other, one))
    ]
    deciding = Deciding(program, interpreter.scope, queries, interpreter, Meter())
    return [deciding.look_for(query).found for query in queries]


@given(program=small_games())
@tries(8)
def test_no_play_tells_apart_what_is_the_same(program: ir.Program) -> None:
    for name, (one, other) in EQUIVALENCES.items():
        assert told_apart(program, one, other) == [False, False], name


def test_what_is_not_the_same_is_told_apart() -> None:
    """Otherwise the test above could not fail."""
    found = []

    @given(small_games())
    @tries(40)
    def look(program: ir.Program) -> None:
        found.append(told_apart(program, always(eventually(A)), eventually(always(A))))

    look()
    assert [any(one) for one in zip(*found, strict=True)] == [True, False]


def test_a_play_that_does_not_break_it_is_refused() -> None:
    truths = f.Property(
        "q",
        "",
        "",
        "future",
        (),
        f.And((f.HasPriority(None),)),
        None,
        "",
        future=always(f.PartHolds(0)),
    )
    found = next(iter(_games_with_a_loop()))
    interpreter, trace = found
    with pytest.raises(ReplayError, match="true at moment 0"):
        replay_future(interpreter, trace, replace(truths, future=f.Together(())))


def _games_with_a_loop() -> Iterator[tuple[Interpreter, Trace]]:
    program = load(
        Source("test.rules", f'{HEAD}{DECIDE}  may 1 "act"\n    go decide(after holder)\n')
    )
    interpreter = Interpreter(program, make_scope(program))
    for trace, again in plays(interpreter, MOST_MOVES, FEW[0]):
        if again is not None:
            yield interpreter, replace(trace, loop=again)


# ------------------------------------------------------------------ as people write it


GAME = (
    DECIDE
    + '  may act "act"\n    go decide(holder)\n  may pass "pass"\n    pass\n    go decide(after '
    "holder)\n"
)
ENDS = '  may end "end the turn"\n    when holder is active\n    advance\n    go decide(active)\n'
CAST = '  may cast "cast"\n    put spell on stack\n    go decide(after holder)\n'


def verdict(stages: str, *lines: str, engine: Engine | None = None) -> Verdict:
    """Return what is known of the formula in *lines*, the last of which is it, in a game with
    *stages*.
    """
    program, asked = asked_in(HEAD + stages, *lines)
    assert asked.mode == "future"
    (found,) = check(program, [asked], make_scope(program), engine=engine)
    return found


@pytest.mark.parametrize(
    ("lines", "outcome"),
    [
        (["again and again someone passes"], Outcome.VIOLATED),
        (
            ["assuming finitely often clause act", "again and again someone passes"],
            Outcome.VIOLATED,
        ),
        (["assuming finitely often someone acts", "again and again someone passes"], Outcome.HOLDS),
        (
            ["assuming players act only finitely often", "again and again someone passes"],
            Outcome.HOLDS,
        ),
        (
            [
                "assuming finitely often clause act",
                "assuming finitely often clause end",
                "again and again someone passes",
            ],
            Outcome.HOLDS,
        ),
        (["(again and again someone passes) or (again and again someone acts)"], Outcome.HOLDS),
        (["finitely often someone passes"], Outcome.VIOLATED),
        (
            ["assuming again and again turn ends", "always ((not turn ends) until someone acts)"],
            Outcome.HOLDS,
        ),
        (
            ["for every player p: p has priority leads to (p passes or (eventually p acts))"],
            Outcome.HOLDS,
        ),
        (["for every player p: always (p passes implies (eventually p passes))"], Outcome.HOLDS),
        (
            ["for every player p: always (previously p passes implies (eventually p passes))"],
            Outcome.VIOLATED,
        ),
        (
            ["assuming again and again game is over", "again and again someone passes"],
            Outcome.VACUOUS,
        ),
        (["always (game is over implies (eventually someone passes))"], Outcome.VACUOUS),
    ],
    ids=lambda value: "; ".join(value) if isinstance(value, list) else str(value),
)
def test_what_is_written_is_decided(lines: list[str], outcome: Outcome) -> None:
    assert verdict(GAME + ENDS, *lines).outcome == outcome


def test_whoever_may_pass_again_and_again_does() -> None:
    fair = (
        "assuming (again and again clause pass is possible) implies (again and again clause pass)"
    )
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
    assert verdict(DECIDE + CAST, asked).reason == HIDDEN
    pass_ = '  may pass "pass"\n    pass\n    go decide(after holder)\n'
    assert (
        verdict(DECIDE + CAST + pass_, "assuming finitely often clause cast", asked).outcome
        == Outcome.HOLDS
    )
    assert (
        verdict(DECIDE + CAST + pass_, "assuming finitely often someone acts", asked).outcome
        == Outcome.HOLDS
    )
    assert (
        verdict(DECIDE + CAST + pass_, "assuming finitely often clause pass", asked).outcome
        == Outcome.UNKNOWN
    )


def test_what_can_be_said_in_both_ways_is_the_same() -> None:
    """The endings that every engine decides are formulas of this logic: so they have the same
    verdicts, and ways to a loop as long.
    """
    for stages in (GAME, GAME + ENDS, DECIDE + '  may 1 "pass"\n    pass\n    game over\n'):
        for plain, nested in (
            (
                "someone has priority leads to someone passes",
                "always (someone has priority implies (eventually someone passes))",
            ),
            ("eventually game is over", "not (always not game is over)"),
        ):
            for assuming in ([], ["assuming players act only finitely often"]):
                program, question_ = asked_in(HEAD + stages, *assuming, plain)
                assert question_.mode == "progress"
                (one,), other = (
                    check(program, [question_], make_scope(program), engine=Reference()),
                    verdict(stages, *assuming, nested),
                )
                assert one.outcome == other.outcome
                assert (one.trace and one.trace.loop) == (other.trace and other.trace.loop)


def test_the_fewest_assumptions_are_told() -> None:
    lines = [
        "assuming players act only finitely often",
        "assuming again and again someone has priority",
    ]
    program, needed = asked_in(HEAD + GAME, *lines, "again and again someone passes")
    (told,) = _with_fewest(program, needed)
    assert (
        told.does_with == "It holds within the scope assuming that players act only finitely often."
    )
    program, without = asked_in(HEAD + GAME, *lines, "always (eventually someone has priority)")
    assert (
        _with_fewest(program, without)[0].does_with
        == "It holds within the scope without any assumption."
    )
    program, all_ = asked_in(HEAD + GAME, lines[0], "someone has priority leads to someone passes")
    assert (
        _with_fewest(program, all_)[0].does_with
        == "It takes all that is assumed: with less a play breaks it."
    )


def _with_fewest(program: ir.Program, asked: f.Property) -> list[Verdict]:
    found = check(program, [asked], make_scope(program))
    return with_fewest_assumptions(program, found, Meter(), engine_named("all"))


def test_what_is_still_to_be_written_breaks_nothing() -> None:
    """A play that breaks a formula comes to no clause that is still to be written; what none breaks
    is not known if a play comes to one.
    """
    todo = '  may todo "later"\n    when holder is active\n    todo\n'
    assert verdict(GAME + todo, "again and again someone passes").outcome == Outcome.VIOLATED
    found = verdict(
        GAME + todo, "(again and again someone passes) or (again and again someone acts)"
    )
    assert found.outcome == Outcome.UNKNOWN
    assert "still to be written" in found.reason
