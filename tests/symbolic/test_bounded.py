"""Bounded search: it knows of no play shorter than the shortest, and where it says how many moves that takes, the engines agree."""

from __future__ import annotations

import pytest
import z3
from hypothesis import Phase, given
from hypothesis import strategies as st

from stacklaw.checker.budget import Budget
from stacklaw.checker.reference.engine import Reference
from stacklaw.checker.run import check
from stacklaw.checker.scope import make_scope
from stacklaw.checker.symbolic.bounded import Bound, bound
from stacklaw.checker.symbolic.encode import encode
from stacklaw.checker.symbolic.moments import asks_what_is_enabled
from stacklaw.checker.symbolic.prove import precisions
from stacklaw.checker.symbolic.unrolled import Unrolled
from stacklaw.models import ir
from stacklaw.models.load import game_names, load_game
from stacklaw.properties import formula as f
from stacklaw.properties.load import claims_of

from ..luck import tries
from ..rulesets import MARKS, asked
from ..strategies_ir import SPOTLIGHTS, formulas, programs

LITTLE = 3_000_000
POSITIONS = 1_000


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("always stack is empty", Bound(1, 2)),
        ("never stack is empty", Bound(0, 2)),
        ("always size of stack < 5", Bound(5, 2)),
        ("possible size of stack > 5", Bound(6, 2)),
        ("always marked is nobody", Bound(1, 3)),
        ("always number of players < 4", Bound(0, 4)),
        ("always marked is nobody or number of players < 7", Bound(1, 7)),
        ("for every item i, player p: always (i on stack implies not p passes)", Bound(2, 2)),
        ("always size of stack >= 0", Bound(9)),
        ("never (marked is next and marked is not nobody and stack is not empty)", Bound(3, 3)),
    ],
)
def test_how_many_moves_and_players_it_takes(formula: str, expected: Bound) -> None:
    program, question = asked(MARKS, formula)
    assert bound(program, question, 9) == expected
    if expected.players is not None:
        (verdict,) = check(program, [question], make_scope(program, expected.players, {"stack": 7}))
        assert verdict.trace is not None
        assert len(verdict.trace.steps) == expected.moves


def test_no_more_is_said_than_was_asked() -> None:
    assert bound(*asked(MARKS, "always size of stack < 5"), 3) == Bound(3)
    assert bound(*asked(MARKS, "always size of stack < 5"), 0) == Bound(0)


def test_where_every_play_ends_nothing_is_longer() -> None:
    over = MARKS.replace("    next := holder\n    go decide(after holder)", "    game over")
    assert bound(*asked(over, "never (3 < size of stack and game is over)"), 50).moves == 5
    never = MARKS.replace("put spell on stack\n    go decide(holder)", "game over")
    assert bound(*asked(never, "always stack is empty"), 50) == Bound(50)


def test_too_little_effort_says_less_never_more() -> None:
    program, question = asked(MARKS, "always size of stack < 8")
    found = [bound(program, question, 8, effort).moves for effort in (1, 20_000, 10_000_000)]
    assert found[0] <= found[1] <= found[2] == 8


def test_a_name_that_looks_like_one_of_the_next_moment() -> None:
    program, question = asked(MARKS, "always marked is nobody or next is nobody")
    for precision in precisions(program, question):
        names = {cell.decl().name() for cell in Unrolled(encode(program, question, precision)).system.cells["decide"]}
        assert "next" in names
    assert bound(program, question, 9) == Bound(2, 3)


# ------------------------------------------------------------------ the games


def failing(game: str) -> tuple[ir.Program, list[tuple[f.Property, int]]]:
    """Return what a game's claims say fails, with the length of the shortest play that the explicit engine finds."""
    program = load_game(game)
    claims = [claim.property for claim in claims_of(program) if claim.claim.expect == "fails" and claim.property.mode == "always"]
    claims = [question for question in claims if not any(spotlight.kind == "clause" for spotlight in question.spotlights)]
    verdicts = check(program, claims, make_scope(program))
    return program, [(verdict.property, len(verdict.trace.steps)) for verdict in verdicts if verdict.trace is not None]


def has_play(program: ir.Program, question: f.Property, moves: int) -> bool:
    """Whether the encoding that remembers most has a play of so many moves, as the rules have."""
    unrolled = Unrolled(encode(program, question, precisions(program, question)[-1]))
    *_, last = unrolled.layers(moves)
    solver = z3.SimpleSolver()
    solver.add(*unrolled.parts, last.broken)
    return bool(solver.check() == z3.sat)


KNOWN_GAPS = {"mtg 117.7", "fow C-FOW-4", "fow useful_priority", "fow D-11"}
"""What the encoding has a shorter play of than the rules: it forgets the kinds of items that the property does not speak of."""
LONG = 12
"""Plays that are longer take a solver too long for a test."""


@pytest.mark.parametrize("game", [name if name == "zx" else pytest.param(name, marks=pytest.mark.slow) for name in game_names()])
def test_what_fails_takes_as_many_moves_at_any_size(game: str) -> None:
    program, claims = failing(game)
    assert claims
    for question, moves in claims:
        if moves <= LONG and f"{game} {question.name}" not in KNOWN_GAPS:
            assert bound(program, question, moves) == Bound(moves), question.name


def test_the_encoding_has_the_shortest_play() -> None:
    program, claims = failing("zx")
    for question, moves in claims:
        assert has_play(program, question, moves), question.name


# ------------------------------------------------------------------ random ones


def check_random(data: st.DataObject) -> None:
    """Check that a random formula takes no fewer moves than a play has that shows it."""
    program = data.draw(programs())
    spotlights = data.draw(st.sampled_from([(), SPOTLIGHTS[2:], SPOTLIGHTS[:1], SPOTLIGHTS[:1] + SPOTLIGHTS[2:], SPOTLIGHTS]))
    question = f.Property("random", "", "", "possible", spotlights, data.draw(formulas(spotlights)), None, "")
    players, size = data.draw(st.sampled_from([(2, 2), (2, 1), (3, 1)]))
    scope = make_scope(program, players, {zone.name: size for zone in program.zones})
    (verdict,) = check(program, [question], scope, Budget(positions=POSITIONS), engine=Reference())
    if verdict.trace is None or (verdict.counts.cut and asks_what_is_enabled(question.body)):
        return
    moves = len(verdict.trace.steps)
    assert bound(program, question, moves + 2, LITTLE).moves <= moves


@pytest.mark.parametrize("number", [6, pytest.param(50, marks=pytest.mark.slow)])
def test_random_programs(number: int) -> None:
    tries(number, phases=(Phase.reuse, Phase.generate))(given(st.data())(check_random))()


@pytest.mark.slow
def test_known_gap_which_items_lock_the_chase_is_forgotten() -> None:
    program, claims = failing("fow")
    question, moves = next((question, moves) for question, moves in claims if question.name == "D-11")
    assert bound(program, question, moves) == Bound(moves - 2, 2)
