"""Bounds: which formulas fit, that a candidate implies its bound, and that a wrong one is not
proved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacklaw.checker.measures.bounds import (
    LinearFormula,
    MeasureBound,
    candidates_for,
    find_bounds,
)
from stacklaw.checker.measures.measures import Extreme, MeasureKey, find_measures
from stacklaw.checker.prover.kept import Attempt
from stacklaw.checker.prover.prover import LARGE, ProofBudget, Prover
from stacklaw.checker.reference.engine import Reference
from stacklaw.checker.run.check import check
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Outcome, Proved
from stacklaw.models import ir
from stacklaw.models.load import load, load_game
from stacklaw.models.source import Source
from stacklaw.properties.formula import Property

from ..luck import tries
from ..strategies_ir import programs
from ..tiny import two_passes

KEYS: list[MeasureKey] = [
    (name, which)
    for name in ("passes", "own windows", "windows of others", "automatic moves")
    for which in ("fewest", "calm", "most")
    if (name, which) != ("automatic moves", "fewest")
]
ENGINE = Reference()


class Trusting(Prover):
    """Proves everything that is not in *refused*, and remembers what it was asked."""

    def __init__(self, *refused: str) -> None:
        super().__init__()
        self.refused, self.asked = refused, list[str]()

    def attempt(
        self,
        _program: ir.Program,
        questions: Sequence[Property],
        _meter: Meter,
        *,
        must: bool = False,
    ) -> list[Attempt]:
        assert not must
        self.asked += [question.name for question in questions]
        return [
            Attempt(None, "no") if one.name in self.refused else Attempt(Proved("", 1, ()))
            for one in questions
        ]


def holds(program: ir.Program, question: Property, players: int, size: int = 1) -> bool | None:
    scope = make_scope(program, players, {zone.name: size for zone in program.zones})
    (verdict,) = check(program, [question], scope, Budget(positions=3000), engine=ENGINE)
    return (
        None
        if verdict.outcome in (Outcome.BOUNDED, Outcome.UNKNOWN)
        else verdict.outcome != Outcome.VIOLATED
    )


def test_formulas_in_words() -> None:
    words = [
        LinearFormula(*one).words
        for one in ((1, 0), (2, 0), (1, -1), (2, -2), (1, 1), (0, 4), (0, 0))
    ]
    assert words == ["n", "2n", "n - 1", "2n - 2", "n + 1", "4", "0"]


def test_what_fits_is_tried_the_next_where_one_is_not_proved() -> None:
    program = replace(two_passes(), players=(2, 2))
    found = find_measures(program, make_scope(program, 2, {"stack": 1}))
    prover = Trusting("passes, fewest: n", "own windows, fewest: 1")
    bounds = find_bounds(found, prover, Meter()).bounds
    assert bounds["passes", "fewest"] == MeasureBound(LinearFormula(2, -2), (2,), True, "")
    assert bounds["own windows", "fewest"] == MeasureBound(LinearFormula(0, 1), (2,), False, "no")
    assert prover.asked.index("passes, fewest: n") < prover.asked.index("passes, fewest: 2n - 2")


def test_other_numbers_of_players_have_a_say() -> None:
    """With two players alone the passes could be 2n - 2 as well; what is unbounded has no
    formula.
    """
    program = two_passes()
    prover = Trusting("passes, fewest: n")
    found = find_bounds(
        find_measures(program, make_scope(program, 2, {"stack": 2})), prover, Meter()
    )
    assert found.bounds["passes", "fewest"] == MeasureBound(
        LinearFormula(1, 0), (2, 3, 4), False, "no"
    )
    assert ("passes", "most") not in found.bounds
    assert "passes, fewest: 2n - 2" not in prover.asked


def test_what_grows_with_the_zones_fits_no_formula() -> None:
    """The more may trigger, the more the rules have to put where it goes."""
    program = load_game("zx")
    found = find_measures(program, make_scope(program, 2, {"effects": 1, "triggered": 2}))
    assert found.extremes["automatic moves", "calm"].again is None
    prover = Trusting()
    bounds = find_bounds(found, prover, Meter()).bounds
    assert bounds["passes", "most"] == MeasureBound(LinearFormula(0, 0), (2,), True, "")
    assert not any("moves" in name for name in prover.asked)


@pytest.mark.parametrize("players", [2, 3])
def test_the_right_formulas_hold_and_wrong_ones_do_not(players: int) -> None:
    """In the game of two passes each passes once, and has one window: no more is so of all plays,
    and no less.
    """
    right: dict[MeasureKey, int] = {("passes", "fewest"): players, ("passes", "calm"): players}
    right |= {
        (name, which): 1
        for name in ("own windows", "windows of others")
        for which in ("fewest", "calm")
    }
    right |= {("automatic moves", "calm"): 1, ("automatic moves", "most"): 1}
    for key, value in right.items():
        assert candidate_holds(key, value, players), key
    for key, value in {
        ("passes", "fewest"): 2 * players,
        **dict.fromkeys((one for one in right if one[1] != "fewest"), 0),
    }.items():
        assert not candidate_holds(key, value, players), key


def candidate_holds(key: MeasureKey, value: int, players: int) -> bool | None:
    program = two_passes()
    return holds(program, next(candidates_for(program, *key, value, players)).question, players)


WINDOWS: dict[MeasureKey, LinearFormula] = {
    ("own windows", "fewest"): LinearFormula(0, 1),
    ("windows of others", "fewest"): LinearFormula(0, 1),
}
HEAD = """\
game "Odd"
source "a test"
players 2
scope players 2, stack 1, waiting 1
start decide(active, 0)

items
  spell "spell"

zones
  stack    last in first out
  waiting  in any order

stage decide(holder: player, times: 0 to 2)
  priority holder
"""
RESOLVES = """
  must 1.9 "it resolves"
    when stack is not empty and times is 2
    resolve top of stack
    go decide(active, 0)
"""
ODD: dict[str, tuple[str, MeasureKey]] = {
    "it is put there and resolves in one move": (
        """
  may 1.1 "cast"
    put spell by holder on stack
    resolve top of stack
    go decide(holder, 0)
""",
        ("passes", "fewest"),
    ),
    "it leaves and comes back in one move": (
        """
  may 1.1 "cast"
    when stack is empty
    put spell by holder on stack
    go decide(holder, 0)

  may 1.2 "pass"
    when stack is not empty and times < 2
    pass
    go decide(after holder, times + 1)

  must 1.3 "there and back, and it resolves"
    when stack is not empty and times is 2
    choose s in stack
    move s to waiting
    choose w in waiting
    move w to stack
    go resolving

stage resolving
  must 2.1 "it resolves"
    when stack is not empty
    resolve top of stack
    go decide(active, 0)
""",
        ("passes", "fewest"),
    ),
    "a pass in the move that puts it there": (
        """
  may 1.1 "cast"
    when stack is empty
    put spell by holder on stack
    pass
    go decide(after holder, 2)
"""
        + RESOLVES,
        ("passes", "calm"),
    ),
    "two passes in one move": (
        """
  may 1.1 "cast"
    when stack is empty
    put spell by holder on stack
    go decide(holder, 0)

  may 1.2 "pass"
    when stack is not empty and times < 2
    pass
    pass
    go decide(after holder, times + 1)
"""
        + RESOLVES,
        ("passes", "calm"),
    ),
    "who passes has priority again": (
        """
  may 1.1 "cast"
    when stack is empty
    put spell by holder on stack
    go decide(holder, 0)

  may 1.2 "pass"
    when stack is not empty and times < 2
    pass
    go decide(holder, times + 1)
"""
        + RESOLVES,
        ("own windows", "calm"),
    ),
    "who must do something has priority again": (
        """
  may 1.1 "cast"
    when stack is empty
    put spell by holder on stack
    go decide(holder, 0)

  must 1.2 "count"
    by holder
    when stack is not empty and times < 2
    go decide(holder, times + 1)
"""
        + RESOLVES,
        ("own windows", "calm"),
    ),
}


def test_who_acts_and_has_priority_again_has_another_window() -> None:
    """Of what players may do that is no pass only the most has a say."""
    acts = ODD["who passes has priority again"][0].replace("    pass\n", "")
    program = load(Source("odd.rules", HEAD + acts))
    most = find_measures(program, make_scope(program, 2)).extremes["own windows", "most"].value
    candidates = [
        next(candidates_for(program, "own windows", "most", value, 2)).question
        for value in (most - 1, most)
    ]
    assert [holds(program, candidate, 2) for candidate in candidates] == [False, True]


@pytest.mark.parametrize("name", ODD)
def test_odd_games(name: str) -> None:
    """Where a candidate about one of these holds there is its bound; of the measure that the game
    is made for no wrong number holds.
    """
    text, made_for = ODD[name]
    program = load(Source("odd.rules", HEAD + text))
    extremes = find_measures(program, make_scope(program, 2)).extremes
    assert made_for in extremes
    for key, value in product(extremes, range(4)):
        for candidate in candidates_for(program, *key, value, 2):
            assert is_met(extremes[key], key, value) or not holds(program, candidate.question, 2), (
                candidate.question.text
            )


def is_met(extreme: Extreme, key: MeasureKey, value: int) -> bool:
    return (
        extreme.value >= value
        if key[1] == "fewest"
        else extreme.again is None and extreme.value <= value
    )


@pytest.mark.parametrize(("clauses", "moves"), [(40, 18), (120, 1)])
def test_what_is_longer_or_deeper_than_a_property_may_be_is_no_candidate(
    clauses: int, moves: int
) -> None:
    """What the cards do is named in each of the moves in a row; without that there is a
    candidate.
    """
    happens = "".join(
        f'\n  chance 2.{one} "it happens"\n    go decide(holder, times)\n' for one in range(clauses)
    )
    program = load(Source("odd.rules", HEAD + happens))
    assert not list(candidates_for(program, "automatic moves", "calm", moves, 2))
    assert [
        candidate.formula.words
        for candidate in candidates_for(program, "automatic moves", "most", moves, 2)
    ] == [str(moves)]


@pytest.mark.rare
@pytest.mark.long
@given(programs(), st.sampled_from([1, 2, 3]), st.sampled_from(KEYS), st.integers(0, 4))
@tries(150)
def test_a_candidate_implies_its_bound(
    program: ir.Program, players: int, key: MeasureKey, value: int
) -> None:
    """Where a candidate for any number holds, no play within the scope has less, or more."""
    least, most = program.players
    players = max(least, min(players, most or players))
    scope = make_scope(program, players, {zone.name: 1 for zone in program.zones})
    extreme = find_measures(program, scope, Budget(positions=2000)).extremes.get(key)
    if extreme is None:
        return
    for candidate in candidates_for(program, *key, value, players):
        assert candidate.formula.for_players(players) == value
        assert is_met(extreme, key, value) or not holds(program, candidate.question, players), (
            candidate.question.text
        )


def test_a_wrong_formula_is_not_proved(tmp_path: Path) -> None:
    program = two_passes()
    asked: list[tuple[MeasureKey, int]] = [(("passes", "fewest"), 2), (("passes", "fewest"), 4)]
    asked += [(("automatic moves", "most"), 1), (("automatic moves", "most"), 0)]
    questions = [next(candidates_for(program, *key, value, 2)).question for key, value in asked]
    attempts = Prover(ProofBudget(4_000_000), tmp_path, whole=False).attempt(
        program, questions, Meter()
    )
    assert [attempt.proof is not None for attempt in attempts] == [True, False, True, False]


PROVED: dict[str, dict[MeasureKey, LinearFormula]] = {
    "mtg": {("passes", "fewest"): LinearFormula(1, 0), **WINDOWS},
    "fftcg": {("passes", "fewest"): LinearFormula(1, 0), **WINDOWS},
    "zx": {(name, which): LinearFormula(0, 0) for name, which in KEYS[:9] if which != "fewest"},
}


@pytest.mark.rare
@pytest.mark.long
@pytest.mark.parametrize("game", PROVED)
def test_what_the_manual_says_of_the_games(game: str, tmp_path: Path) -> None:
    program = load_game(game)
    found = find_measures(program, make_scope(program))
    bounds = find_bounds(found, Prover(LARGE, tmp_path, whole=False), Meter()).bounds
    proved = {key: bound for key, bound in bounds.items() if bound.is_proved}
    expected = {key: formula.for_players(2) for key, formula in PROVED[game].items()}
    assert {key: bound.formula.for_players(2) for key, bound in proved.items()} == expected
    seats = (2, 3, 4) if program.players[1] is None else (2,)
    assert {bound.attained for bound in proved.values()} == {seats}
    if seats != (2,):
        assert {key: bound.formula for key, bound in proved.items()} == PROVED[game]


def test_no_time_is_left() -> None:
    program = two_passes()
    found = find_measures(program, make_scope(program, 2, {"stack": 1}))
    bounds = find_bounds(found, Prover(), Meter(Budget(seconds=1e-9))).bounds
    assert all(not bound.is_proved and "was up" in bound.reason for bound in bounds.values())
    assert bounds
