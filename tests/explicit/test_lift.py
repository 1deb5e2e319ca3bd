"""Plays of turned positions: as long as the reference's, and lifted to plays that replay; a play
that is none is not lifted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from stacklaw.checker.explicit.emit.emit import Emitted, emit_watched
from stacklaw.checker.explicit.emit.groups import Abstraction, one_by_one
from stacklaw.checker.explicit.moves.layout import Layout, Words
from stacklaw.checker.explicit.moves.rotation import Rotation
from stacklaw.checker.explicit.search.interpreted import Interpreted
from stacklaw.checker.explicit.search.lift import Lifting, Projection, lift
from stacklaw.checker.explicit.search.result import Result, SearchGoal
from stacklaw.checker.explicit.search.search import search
from stacklaw.checker.questions.questions import Query, all_queries
from stacklaw.checker.reference.engine import look_for as look_for_reference
from stacklaw.checker.reference.formulas.signals import Signals
from stacklaw.checker.reference.semantics.explore import explore
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.replay.replay import ReplayError, replay
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.models import ir
from stacklaw.models.load import game_names, load, load_game
from stacklaw.models.source import Source
from stacklaw.properties import formula as f
from stacklaw.properties.load import catalogue, claims_of, property_named

from ..luck import tries
from ..strategies_ir import SPOTLIGHTS, formulas, programs
from .seats import RULES
from .test_following import games

Spotlights = tuple[f.Spotlight, ...]
NEVER = 1 << 60


def starts(layout: Layout, spotlights: Spotlights) -> list[Words]:
    """Return the starts of *layout* with every choice of players."""
    names, found = [spotlight.name for spotlight in spotlights if spotlight.kind == "player"], []
    for chosen in product(range(layout.players), repeat=len(names)):
        words = list(layout.initial())
        for number, seat in enumerate(chosen):
            layout.extra[f"seat of {number}"].write(words, seat)
        found.append(tuple(words))
    return found


def turned_search(
    program: ir.Program, scope: Scope, formula: f.Formula, spotlights: Spotlights, small: int
) -> tuple[Result, Lifting]:
    """Return what a search of turned positions finds, and what it takes to lift its play."""
    group = one_by_one([Query(formula, spotlights)])
    emitted = emit_watched(program, scope, replace(group, abstraction=Abstraction(turned=True)))
    telling = emit_watched(program, scope, group, telling=True)
    result = search(
        emitted,
        Meter(),
        small,
        starts=starts(emitted.layout, spotlights),
        watch=SearchGoal(0, 1, 1),
    )
    return result, Lifting(
        telling, 0, starts(telling.layout, spotlights), emitted.layout, True, spotlights
    )


def check_answer(
    signals: Signals, formula: f.Formula, spotlights: Spotlights, small: int = NEVER
) -> None:
    """Compare the answers for *formula*, with and without turning."""
    interpreter = signals.graph.interpreter
    program, scope = interpreter.program, interpreter.scope
    expected = look_for_reference(signals, Query(formula, spotlights), Meter())
    result, lifting = turned_search(program, scope, formula, spotlights, small)
    assert (0 in result.plays) == (expected.trace is not None)
    if expected.trace is not None:
        trace = lift(lifting, result.plays[0], interpreter)
        assert len(trace.steps) == len(expected.trace.steps) == len(result.plays[0])
        replay(interpreter, trace, asking(formula, spotlights))


def reached(emitted: Emitted, starts: Sequence[Words]) -> set[Words]:
    """Return all positions that *emitted* finds from *starts*."""
    run = Interpreted(emitted)
    found = {first for start in starts for first in run.started(start)}
    open_ = list(found)
    while open_:
        new = set(run.outputs(open_.pop())) - found
        found |= new
        open_ += new
    return found


def texts(
    program: ir.Program, scope: Scope, formula: f.Formula, spotlights: Spotlights
) -> tuple[Emitted, Emitted]:
    """Return the text of positions as they are, and that of turned ones."""
    group = one_by_one([Query(formula, spotlights)])
    return emit_watched(program, scope, group), emit_watched(
        program, scope, replace(group, abstraction=Abstraction(turned=True))
    )


def projected(plain: Emitted, turned: Emitted, spotlights: Spotlights) -> Projection:
    kinds = [spotlight.kind for spotlight in spotlights]
    seats, items = (
        [str(number) for number in range(kinds.count(kind))] for kind in ("player", "item")
    )
    return Projection(plain.layout, turned.layout, seats, items, turns=True)


def check_images(
    program: ir.Program, scope: Scope, formula: f.Formula, spotlights: Spotlights
) -> None:
    """Compare all turned positions, with what is watched in them, to the images of all
    positions.
    """
    plain, turned = texts(program, scope, formula, spotlights)
    projection = projected(plain, turned, spotlights)
    images = {
        projection.of_whole(words) for words in reached(plain, starts(plain.layout, spotlights))
    }
    assert images == {
        projection.of_searched(words)
        for words in reached(turned, starts(turned.layout, spotlights))
    }


def check_moves(
    program: ir.Program, scope: Scope, formula: f.Formula, spotlights: Spotlights
) -> None:
    """Walk at random through the positions. At each where seat 0 is active, compare the turned
    moves to the images of the moves.
    """
    plain, turned, chance = *texts(program, scope, formula, spotlights), Random(1)
    plainly, turning = Interpreted(plain), Interpreted(turned)
    projection = projected(plain, turned, spotlights)
    for _ in range(100):
        found = plainly.started(chance.choice(starts(plain.layout, spotlights)))
        while found and chance.randrange(60):
            words = chance.choice(found)
            found = plainly.outputs(words)
            if plain.layout.variables[ir.ACTIVE].code_in(words) == 0:
                assert {projection.of_searched(one) for one in turning.outputs(words)} == {
                    projection.of_whole(one) for one in found
                }


def asking(formula: f.Formula, spotlights: Spotlights) -> f.Property:
    return f.Property("asked", "", "", "possible", spotlights, formula, None, "")


def check_random(data: st.DataObject, number: int, small: int = NEVER) -> None:
    """Look for random formulas in a random Program."""
    program = data.draw(st.one_of(programs(), games()))
    scope = make_scope(
        program, data.draw(st.sampled_from([2, 3, 3])), {"stack": 2, "queue": 1, "pool": 2}
    )
    graph = explore(Interpreter(program, scope), Meter(Budget(positions=1200)))
    assume(not graph.stopped)
    signals = Signals(graph)
    for _ in range(number):
        spotlights = data.draw(
            st.sampled_from(
                [SPOTLIGHTS, SPOTLIGHTS[::2], SPOTLIGHTS[:2], SPOTLIGHTS[:1], SPOTLIGHTS[2:], ()]
            )
        )
        formula = data.draw(formulas(spotlights))
        check_answer(signals, formula, spotlights, small)
        if len(graph.positions) < 100:
            check_images(program, scope, formula, spotlights)


@pytest.mark.slow
@given(st.data())
@tries(25)
def test_random_formulas_of_random_programs(data: st.DataObject) -> None:
    check_random(data, 3)


@pytest.mark.rare
@pytest.mark.slow
@given(st.data())
@tries(8)
def test_random_formulas_of_many_more_programs(data: st.DataObject) -> None:
    check_random(data, 8)


@pytest.mark.slow
@given(st.data())
@tries(10)
def test_random_formulas_in_compiled_code(data: st.DataObject) -> None:
    pytest.importorskip("llvmlite")
    check_random(data, 2, 3)


def check_game(game: str, players: int, every: int) -> None:
    """Compare the answers to one in *every* of a game's questions, in its smallest scope."""
    program = load_game(game)
    if not program.players[0] <= players <= (program.players[1] or players):
        return
    scope = make_scope(program, players, {zone.name: 1 for zone in program.zones})
    signals = Signals(explore(Interpreter(program, scope), Meter()))
    questions = [
        property_named(program, entry.name) for entry in catalogue() if not entry.is_strategy
    ]
    questions += [claim.property for claim in claims_of(program)]
    asked = [
        wanted
        for question in questions
        if question.mode != "progress"
        for wanted in all_queries(program, question)
    ]
    for wanted in asked[::every]:
        check_answer(signals, wanted.formula, wanted.spotlights, 20_000)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "players"), [*product(game_names(), [2]), ("mtg", 3), ("stack", 3)]
)
def test_some_questions_of_the_games(game: str, players: int) -> None:
    check_game(game, players, 40)


# ---------------------------------------- players everywhere, and mistakes that are made on purpose

ITEM, OTHER, PLAYER = f.Spotlight("item", "i"), f.Spotlight("item", "j"), f.Spotlight("player", "p")
TARGET = ir.AttributeOf(ir.Local("i"), "target")
AIMED = f.Holds(ir.Equal(TARGET, ir.Local("p")), ("i",))
WAITING = f.And(
    (
        f.On("i", "pool"),
        f.On("j", "pool"),
        f.Previously(f.And((f.On("i", "pool"), f.On("j", "pool")))),
    )
)
ASKED: list[tuple[f.Formula, Spotlights]] = [
    (f.Holds(ir.Equal(ir.Entry("heir", ir.Local("p")), ir.Local("p"))), (PLAYER,)),
    (
        f.And((f.ItemEvent("is removed", "i"), AIMED, f.Once(f.On("j", "pool")))),
        (ITEM, OTHER, PLAYER),
    ),
    (
        f.And(
            (
                WAITING,
                f.Once(f.SequenceEvent("begins", ir.TURN)),
                f.PlayerEvent("passes", ir.Local("p")),
            )
        ),
        (ITEM, OTHER, PLAYER),
    ),
    (
        f.And(
            (f.ItemEvent("resolves", "i"), f.Holds(ir.Contains(ir.Variable("met"), TARGET), ("i",)))
        ),
        (ITEM,),
    ),
    (
        f.And(
            (
                f.Once(f.ItemEvent("resolves", "i")),
                f.HasPriority(TARGET),
                f.SequenceEvent("begins", ir.TURN),
            )
        ),
        (ITEM,),
    ),
]


def seats_signals(players: int) -> Signals:
    program = load(Source("seats.rules", RULES))
    return Signals(
        explore(
            Interpreter(program, make_scope(program, players, {"pool": 2 if players == 2 else 1})),
            Meter(),
        )
    )


@pytest.mark.parametrize("players", [2, pytest.param(3, marks=pytest.mark.long)])
def test_players_wherever_there_can_be_one(players: int) -> None:
    signals = seats_signals(players)
    for formula, spotlights in ASKED if players == 2 else ASKED[2:3]:  # what follows most
        check_answer(signals, formula, spotlights)


@pytest.mark.slow
@pytest.mark.parametrize(("players", "pool"), [(2, 2), (3, 2), (4, 3)])
def test_moves_of_players_wherever_there_can_be_one(players: int, pool: int) -> None:
    program = load(Source("seats.rules", RULES))
    for formula, spotlights in ASKED:
        check_moves(program, make_scope(program, players, {"pool": pool}), formula, spotlights)


def wrong_answers(signals: Signals) -> int:
    """Return how many of the questions have another answer than they should, or a play that cannot
    be lifted.
    """
    wrong = 0
    for formula, spotlights in ASKED:
        try:
            check_answer(signals, formula, spotlights)
        except (AssertionError, ReplayError):
            wrong += 1
    return wrong


@pytest.mark.slow
@pytest.mark.parametrize(
    "forgotten", ["_of_variables", "_of_stages", "_of_zones", "_of_spotlights"]
)
def test_a_turn_that_forgets_something_is_noticed(
    forgotten: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Rotation, forgotten, lambda *_: ())
    assert wrong_answers(seats_signals(2))


def test_a_turn_by_another_number_of_seats_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Rotation._seat
    monkeypatch.setattr(
        Rotation,
        "_seat",
        lambda self, sort, code, by: right(self, sort, code, f"((2 * {by}) % {self.players})"),
    )
    assert wrong_answers(seats_signals(2))


def test_a_play_that_is_none_is_not_lifted() -> None:
    program = load_game("mtg")
    scope = make_scope(program, 3, {"stack": 1, "waiting": 1})
    question = property_named(program, "response_window")
    formula = f.And((f.ItemEvent("resolves", "i"), f.Once(f.SequenceEvent("begins", ir.TURN))))
    result, lifting = turned_search(program, scope, formula, question.spotlights, NEVER)
    play, interpreter = result.plays[0], Interpreter(program, scope)
    assert len(lift(lifting, play, interpreter).steps) == len(play)
    for wrong in (
        play[1:],
        play[:-1],
        (*play[:3], *play[4:]),
        (*play[:3], play[2], *play[4:]),
        (play[0], *play),
    ):
        with pytest.raises(AssertionError, match="no play has the images"):
            lift(lifting, wrong, interpreter)
