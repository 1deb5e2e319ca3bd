"""Bounded search: it knows of no play shorter than the shortest, and where it says how many moves
that takes, the engines agree.
"""

from __future__ import annotations

import pytest
from hypothesis import Phase, given
from hypothesis import strategies as st

from stacklaw.checker.prover.concretise import decoded
from stacklaw.checker.reference.engine import Reference
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.replay.replay import decode_trace, encode_trace, replay
from stacklaw.checker.run.check import check
from stacklaw.checker.symbolic.bmc import bounded
from stacklaw.checker.symbolic.bmc.bounded import UNITS, least_moves
from stacklaw.checker.symbolic.bmc.unrolled import Unrolled
from stacklaw.checker.symbolic.prove import precisions
from stacklaw.checker.types.budget import Budget
from stacklaw.checker.types.scope import make_scope
from stacklaw.models import ir
from stacklaw.models.load import game_names, load_game
from stacklaw.properties import formula as f
from stacklaw.properties.load import claims_of

from ..luck import tries
from ..rulesets import MARKS, asked, encode
from ..strategies_ir import SPOTLIGHTS, formulas, programs

LITTLE = 20_000_000
POSITIONS = 1_000


def found(
    program: ir.Program, question: f.Property, most: int, units: int = UNITS
) -> tuple[int, int | None, int | None]:
    """Return the bound, the number of players, and the length of the play, which is replayed both
    ways.
    """
    known = least_moves(program, question, most, decoded, units)
    if known.play is None:
        return known.moves, known.players, None
    replay(Interpreter(program, known.play.scope), known.play.trace, question)
    scope, trace = decode_trace(
        program, question, encode_trace(known.play.scope, known.play.numbers, known.play.trace)
    )
    assert trace == known.play.trace
    assert all(size <= dict(known.play.scope.sizes)[zone] for zone, size in scope.sizes)
    return known.moves, known.players, len(trace.steps)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("always stack is empty", (1, 2, 1)),
        ("never stack is empty", (0, 2, 0)),
        ("always size of stack < 5", (5, 2, 5)),
        ("possible size of stack > 5", (6, 2, 6)),
        ("always marked is nobody", (1, 3, None)),
        ("always number of players < 4", (0, 4, None)),
        ("always marked is nobody or number of players < 7", (1, 7, None)),
        ("for every item i, player p: always (i on stack implies not p passes)", (2, 2, 2)),
        ("always size of stack >= 0", (9, None, None)),
        ("never (marked is next and marked is not nobody and stack is not empty)", (3, 3, None)),
    ],
)
def test_how_many_moves_and_players_it_takes(
    formula: str, expected: tuple[int, int | None, int | None]
) -> None:
    program, question = asked(MARKS, formula)
    assert found(program, question, 9) == expected
    moves, players, _ = expected
    if players is not None:
        (verdict,) = check(program, [question], make_scope(program, players, {"stack": 7}))
        assert verdict.trace is not None
        assert len(verdict.trace.steps) == moves


def test_more_players_than_the_fewest_need_more_moves_for_all_to_join() -> None:
    """With any number of players it is not known who else has to join; with at least three, three
    of them are known.
    """
    rules = MARKS.replace("state\n", "state\n  met : players\n").replace(
        "    next := holder\n", "    met += holder\n"
    )
    assert found(*asked(rules, "never met is everyone"), 9) == (2, 2, 2)


def test_no_more_is_said_than_was_asked() -> None:
    assert found(*asked(MARKS, "always size of stack < 5"), 4) == (4, None, None)
    assert found(*asked(MARKS, "always size of stack < 5"), 0) == (0, None, None)


@pytest.mark.parametrize("items", [2, 4])
def test_a_zone_that_is_larger_in_the_middle_of_a_move(items: int) -> None:
    puts, takes = (
        "    put spell on stack\n" * items,
        "    if stack is not empty\n      remove top of stack\n" * items,
    )
    rules = MARKS.replace("    put spell on stack\n", f"{puts}{takes}    marked := holder\n")
    program, question = asked(rules, "always marked is nobody")
    assert found(program, question, 9) == (1, 2, 1)
    play = least_moves(program, question, 9, decoded).play
    assert play is not None
    scope, _ = decode_trace(program, question, encode_trace(play.scope, play.numbers, play.trace))
    assert scope.sizes == (("stack", items),)


def test_where_every_play_ends_nothing_is_longer() -> None:
    over = MARKS.replace("    next := holder\n    go decide(after holder)", "    game over")
    assert (
        least_moves(*asked(over, "never (3 < size of stack and game is over)"), 50, decoded).moves
        == 5
    )
    never = MARKS.replace("put spell on stack\n    go decide(holder)", "game over")
    assert least_moves(*asked(never, "always stack is empty"), 50, decoded).moves == 50


def test_too_small_a_budget_says_less_never_more() -> None:
    program, question = asked(MARKS, "always size of stack < 8")
    found = [
        least_moves(program, question, 8, decoded, units).moves for units in (1, 20_000, 10_000_000)
    ]
    assert found[0] <= found[1] <= found[2] == 8


def test_a_name_that_looks_like_one_of_the_next_moment() -> None:
    program, question = asked(MARKS, "always marked is nobody or next is nobody")
    for precision in precisions(program, question):
        names = {
            cell.decl().name()
            for cell in Unrolled(encode(program, question, precision)).system.cells["decide"]
        }
        assert "next" in names
    assert found(program, question, 9) == (2, 3, None)


HEAPS = """
game "A test"
players 2
scope players 2
start decide(active)
items
  spell   "spell"
  ability "ability"
attributes
  big : flag = no
zones
  stack  last in first out
  queue  first in first out
  heap   in any order
stage decide(holder: player)
  priority holder
  may 1 "put a spell"
    put spell on stack
    go decide(holder)
  may 2 "put a big one behind others"
    put ability with big yes on queue
    go decide(holder)
  may 3 "put a small one behind others"
    put ability by after holder on queue
    go decide(holder)
  may 4 "the first of the queue goes to the heap"
    when queue is not empty
    move front of queue to heap
    go decide(holder)
  may 5 "one of the heap goes on the stack"
    when heap is not empty and some d in queue where big of d
    choose c in heap
    move c to stack
    go decide(holder)
  may 6 "the top goes"
    when stack is not empty
    resolve top of stack
    go decide(after holder)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "formula",
    [
        "for some item i: possible (i resolves and big of i)",
        "for some item i, item j: possible (i resolves and once j on heap and j on heap and big of "
        "j and not big of i)",
        "for some item i: possible (i resolves and size of stack > 1 and controller of i is not "
        "active)",
        "always size of heap < 2 or (every c in heap satisfies big of c)",
        "for some item i, player p: possible (i is top of stack and p is controller of i and p is "
        "not active and once i on heap)",
        "possible (size of queue > 2 and top of stack is spell and some c in heap where not big of "
        "c)",
    ],
)
def test_plays_with_zones_of_all_orders(formula: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded, "LISTED", (1, 2, 3))
    program, question = asked(HEAPS, formula)
    (verdict,) = check(
        program, [question], make_scope(program, 2, {"stack": 3, "queue": 4, "heap": 3})
    )
    assert verdict.trace is not None
    moves = len(verdict.trace.steps)
    assert moves > 1
    assert found(program, question, moves) == (moves, 2, moves)


# ------------------------------------------------------------------ the games


def failing(
    game: str, words: tuple[str, ...] = ("fails", "possible")
) -> tuple[ir.Program, list[tuple[f.Property, int]]]:
    """Return what a game's claims say fails or is possible, with the length of the shortest play
    that the explicit engine finds.
    """
    program = load_game(game)
    claims = [
        claim.property
        for claim in claims_of(program)
        if claim.claim.expect in words and claim.property.mode != "progress"
    ]
    claims = [
        question
        for question in claims
        if not any(spotlight.kind == "clause" for spotlight in question.spotlights)
    ]
    verdicts = check(program, claims, make_scope(program))
    return program, [
        (verdict.property, len(verdict.trace.steps))
        for verdict in verdicts
        if verdict.trace is not None
    ]


SHORT = {"fftcg": 9, "fow": 6}
"""Plays that are longer take a solver too long for a test; `python -m bench.refutation` asks for
all of them.
"""

EVERY = {"stack": 4, "zx": 2, "fow": 2}
"""For one play in this many the shortest is looked for; those of the house rules are asked in other
scopes, too (`checker/test_refute.py`).
"""


@pytest.mark.rare
@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=pytest.mark.long) if game != "zx" else game for game in game_names()],
)
def test_the_shortest_play_of_what_fails_and_of_what_is_possible(game: str) -> None:
    program, claims = failing(game)
    claims = [(question, moves) for question, moves in claims if moves <= SHORT.get(game, 5)]
    assert claims
    for question, moves in claims[:: EVERY.get(game, 1)]:
        assert found(program, question, moves) == (moves, program.players[0], moves), question.name


# ------------------------------------------------------------------ random ones


def check_random(data: st.DataObject) -> None:
    """Check that a random formula takes no fewer moves than a play has that shows it, and with two
    players the play is found.
    """
    program = data.draw(programs())
    spotlights = data.draw(
        st.sampled_from(
            [(), SPOTLIGHTS[2:], SPOTLIGHTS[:1], SPOTLIGHTS[:1] + SPOTLIGHTS[2:], SPOTLIGHTS]
        )
    )
    question = f.Property(
        "random", "", "", "possible", spotlights, data.draw(formulas(spotlights)), None, ""
    )
    players, size = data.draw(st.sampled_from([(2, 2), (2, 1), (3, 1)]))
    scope = make_scope(program, players, {zone.name: size for zone in program.zones})
    (verdict,) = check(program, [question], scope, Budget(positions=POSITIONS), engine=Reference())
    if verdict.trace is None:
        return
    moves = len(verdict.trace.steps)
    least, _, length = found(program, question, moves, LITTLE)
    assert least <= moves
    if players == 2:
        assert length is not None
        assert least <= length <= moves  # a shorter one has more items on some zone


@pytest.mark.slow
def test_random_programs() -> None:
    tries(25, phases=(Phase.reuse, Phase.generate))(given(st.data())(check_random))()
