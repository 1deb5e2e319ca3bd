"""What must eventually happen: the reference's answers, however a search is done, and lassos that
are lassos of the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from stacklaw.checker.explicit.engine import Explicit
from stacklaw.checker.explicit.native import journal
from stacklaw.checker.explicit.search.search import SMALL
from stacklaw.checker.reference.engine import decide
from stacklaw.checker.reference.formulas.signals import Signals
from stacklaw.checker.reference.semantics.explore import explore
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.replay.replay import replay
from stacklaw.checker.types.budget import Budget, Meter, Tuning
from stacklaw.checker.types.engine import Decision
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Outcome
from stacklaw.models import ir
from stacklaw.models.load import game_names, load, load_game
from stacklaw.models.source import Source
from stacklaw.properties import formula as f
from stacklaw.properties.load import catalogue_for, property_named

from ..luck import tries
from ..rulesets import properties_in
from ..strategies_ir import SPOTLIGHTS, formulas, programs
from .test_following import games

CASES = sorted((Path(__file__).parents[1] / "properties" / "cases").glob("*.rules"))
TUNINGS = [
    Tuning(slicing=slicing, symmetry=symmetry)
    for slicing, symmetry in product((False, True), (False, True))
]
ASSUMING: list[tuple[f.Assumption, ...]] = [(), ("players",), ("cards",), ("players", "cards")]
HEAD = (
    'game "A test"\nplayers 2 to 4\nscope players 2, stack 2\nstart decide(active)\nitems\n  '
    'spell  "spell"\n'
    "zones\n  stack  last in first out\nturn\n  main\n"
)


def check_answers(
    signals: Signals,
    asked: Sequence[f.Property],
    tunings: Sequence[Tuning] = TUNINGS,
    small: int = SMALL,
) -> list[Decision]:
    """Compare what is known of all that is *asked* with what the reference knows, and return that;
    every play is replayed.
    """
    interpreter = signals.graph.interpreter
    expected = [decide(signals, question, Meter()) for question in asked]
    for tuning in tunings:
        engine = Explicit(lambda *_: interpreter, small, tuning)
        found = [
            decision
            for decision, _ in engine.decide(interpreter.program, asked, interpreter.scope, Meter())
        ]
        for mine, theirs in zip(found, expected, strict=True):
            assert (mine.outcome, mine.reason, mine.bound) == (
                theirs.outcome,
                theirs.reason,
                theirs.bound,
            ), mine.question
            assert mine.is_hidden == theirs.is_hidden, mine.question
            if mine.trace is None or theirs.trace is None:
                assert mine.trace is theirs.trace, mine.question
                continue
            replay(interpreter, mine.trace, mine.question)
            assert (mine.trace.loop is None) == (theirs.trace.loop is None), mine.question
            if mine.trace.loop is None:
                assert len(mine.trace.steps) == len(theirs.trace.steps), mine.question
            elif not tuning.slicing and not tuning.symmetry:
                assert mine.trace.loop == theirs.trace.loop, mine.question
    return expected


def signals_of(program: ir.Program, players: int | None = None, most: int | None = None) -> Signals:
    scope = make_scope(program, players, {zone.name: 1 for zone in program.zones})
    return Signals(explore(Interpreter(program, scope), Meter(Budget(positions=most))))


def in_future(program: ir.Program) -> list[f.Property]:
    """Return the properties of the catalogue that say what must eventually happen."""
    named = [property_named(program, entry.name) for entry in catalogue_for(program)]
    return [question for question in named if question.mode == "progress"]


def asked_of(stages: str, *texts: str) -> tuple[Signals, list[f.Property]]:
    """Return a game with *stages*, explored, and what *texts* ask of it, with each set of
    assumptions.
    """
    program = load(Source("a.rules", HEAD + stages))
    lines = [
        "".join(f"  assuming {who} act only finitely often\n" for who in assuming)
        for assuming in ASSUMING
    ]
    written = "\n".join(
        f'property asked_{number} "asked"\n  why "to see"\n{assuming}  {text}\n'
        for number, (text, assuming) in enumerate(product(texts, lines))
    )
    return signals_of(program), list(properties_in(Source("a.props", written), program))


# ------------------------------------------------------------------ games

DECIDE = "stage decide(holder: player)\n  priority holder\n"
PASS = '  may 3 "pass"\n    pass\n    go over\nstage over\n  must 4 "it is over"\n    game over\n'
ROUND = '  may 1 "pass"\n    pass\n    go decide(after holder)\n'
LUCK = '  chance 2 "luck"\n    go decide(holder)\n'
STUCK = (
    '  may 1 "put"\n    put spell on stack\n    go stuck\nstage stuck\n  must 2 "never"\n    when '
    "stack is empty\n    game over\n"
)
SETTLE = (
    '  may 1 "pass"\n    pass\n    go settle\n'
    'stage settle\n  must 2 "settle"\n    maybe "again"\n      go settle\n    go decide(active)\n'
)
UNSEEN = (
    '  may 1 "pass"\n    pass\n    go settle\nstage settle\n  must 2 "settle"\n'
    '    maybe "something that nothing asks for"\n      seen := yes\n    go settle\n'
)
TURNS = '  may 1 "pass"\n    pass\n    count := 1 - count\n    advance\n    go decide(active)\n'
STATE = "state\n  seen  : flag\n  count : 0 to 1\n"


TEXTS = (
    "eventually game is over",
    "nobody has priority leads to someone has priority",
    "for every player p: p passes leads to p acts",
    "for every item i: i on stack leads to i resolves",
)


@pytest.mark.parametrize("stages", [ROUND, SETTLE, UNSEEN])
def test_whether_small_games_end(stages: str) -> None:
    check_answers(*asked_of(STATE + DECIDE + stages, TEXTS[0]))


@pytest.mark.slow
@pytest.mark.parametrize(
    "stages", [ROUND, LUCK + PASS, LUCK + ROUND, STUCK, SETTLE, UNSEEN, TURNS, PASS]
)
def test_small_games(stages: str) -> None:
    check_answers(*asked_of(STATE + DECIDE + stages, *TEXTS))


@pytest.mark.parametrize("stages", [LUCK + ROUND, STUCK, SETTLE])
def test_small_games_in_compiled_code(stages: str) -> None:
    pytest.importorskip("llvmlite")
    check_answers(*asked_of(STATE + DECIDE + stages, *TEXTS), [Tuning()], 0)


def test_turned_and_sliced_rounds_are_repeated_until_the_game_is_where_it_was() -> None:
    """tlaplus 59, 644, 816, fizzbee 367: a loop of turned positions is told as one of positions, as
    often round as that takes.
    """
    signals, asked = asked_of(
        STATE + DECIDE + TURNS, "for every player p: p is active leads to game is over"
    )
    interpreter = signals.graph.interpreter
    scope = make_scope(interpreter.program, 3)
    ((decision, counts),) = Explicit(Interpreter).decide(
        interpreter.program, asked[:1], scope, Meter()
    )
    assert (counts.positions < 6, decision.symmetric) == (True, True)
    assert decision.trace is not None
    replay(Interpreter(interpreter.program, scope), decision.trace, decision.question)
    assert (decision.trace.loop, len(decision.trace.steps)) == (
        0,
        6,
    )  # three players, and a number that changes each time


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_cases(path: Path) -> None:
    program = load(Source(path.name, path.read_text(encoding="utf-8")))
    check_answers(signals_of(program), in_future(program), [TUNINGS[0], TUNINGS[-1]])


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names())
def test_the_games(game: str) -> None:
    program = load_game(game)
    check_answers(signals_of(program), in_future(program), [Tuning()])


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "players"), [("zx", 2), ("fftcg", 2), ("fow", 2), ("mtg", 3), ("stack", 3)]
)
def test_the_games_in_all_ways(game: str, players: int) -> None:
    """ltsmin 222: what leaves parts out, slices or symmetry, changes no answer."""
    program = load_game(game)
    check_answers(signals_of(program, players), in_future(program), small=50)


# ------------------------------------------------------------------ random games


def check_random(
    data: st.DataObject, number: int, tunings: Sequence[Tuning] = TUNINGS, small: int = SMALL
) -> None:
    """Ask random questions about a random Program."""
    program = data.draw(st.one_of(programs(), games()))
    scope = make_scope(
        program, data.draw(st.sampled_from([2, 2, 3])), {"stack": 2, "queue": 1, "pool": 2}
    )
    graph = explore(Interpreter(program, scope), Meter(Budget(positions=800)))
    assume(not graph.stopped)
    asked = []
    for at in range(number):
        spotlights = data.draw(
            st.sampled_from([SPOTLIGHTS[:1], SPOTLIGHTS[2:], SPOTLIGHTS[::2], ()])
        )
        one, goal = data.draw(formulas(spotlights)), data.draw(formulas(spotlights))
        body = data.draw(
            st.sampled_from(
                [f.Since(f.Not(goal), f.And((one, f.Not(goal)))), f.Not(f.Once(one)), one]
            )
        )
        assuming = data.draw(st.sampled_from(ASSUMING))
        asked.append(
            f.Property(
                f"asked_{at}", "", "", "progress", spotlights, body, None, "", assuming=assuming
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
        event(f"{decision.outcome}{shape}{', hidden' if decision.is_hidden else ''}")


@pytest.mark.slow
@given(st.data())
@tries(12)
def test_random_questions_about_random_programs(data: st.DataObject) -> None:
    check_random(data, 4)


@pytest.mark.rare
@pytest.mark.slow
@given(st.data())
@tries(10)
def test_more_random_questions(data: st.DataObject) -> None:
    check_random(data, 10)


@pytest.mark.slow
@given(st.data())
@tries(5)
def test_random_questions_in_compiled_code(data: st.DataObject) -> None:
    pytest.importorskip("llvmlite")
    check_random(data, 3, [Tuning(), Tuning(slicing=False, symmetry=False)], 0)


# ------------------------------------------------------------------ budgets


def test_a_loop_among_the_positions_known_when_the_budget_is_spent_is_one() -> None:
    program = load_game("stack")
    body = f.Not(f.Once(f.GameIsOver()))
    asked = f.Property("asked", "", "", "progress", (), body, None, "")
    scope, meter = make_scope(program), Meter(Budget(positions=600))
    ((decision, _),) = Explicit(Interpreter).decide(program, [asked], scope, meter)
    assert decision.outcome == Outcome.VIOLATED
    assert decision.trace is not None
    replay(Interpreter(program, scope), decision.trace, asked)


def test_what_is_not_found_when_the_budget_is_spent_is_unknown() -> None:
    program = load_game("mtg")
    meter = Meter(Budget(positions=50))
    for decision, _ in Explicit(Interpreter).decide(
        program, in_future(program), make_scope(program), meter
    ):
        assert (decision.outcome, decision.bound) == (Outcome.UNKNOWN, None)
        assert decision.reason == "the bound of 50 positions was reached"


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_and_checkpoints_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    """tlaplus 971: what one thread finds of what goes on for ever, several find."""
    pytest.importorskip("llvmlite")
    monkeypatch.setattr(journal, "INTERVAL", 0)
    program = load_game("zx")
    again = f.Property("again", "", "", "progress", (), f.Not(f.Once(f.GameIsOver())), None, "")
    asked = [*in_future(program), again]
    expected = [
        decision
        for decision, _ in Explicit(Interpreter).decide(
            program, asked, make_scope(program), Meter()
        )
    ]
    for resume in (False, True):
        tuning = Tuning(threads=threads, checkpoints=tmp_path, resume=resume)
        found = [
            decision
            for decision, _ in Explicit(Interpreter, 20, tuning).decide(
                program, asked, make_scope(program), Meter()
            )
        ]
        for mine, theirs in zip(found, expected, strict=True):
            assert (mine.outcome, mine.trace) == (theirs.outcome, theirs.trace)
            assert bool(mine.notes) == resume  # its result was kept
