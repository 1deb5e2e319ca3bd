"""Estimates: known numbers of positions lie where the formula says, whole small scopes are counted,
hopeless ones are known as such.
"""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import pytest

from stacklaw.checker.explicit import decide
from stacklaw.checker.explicit.emit.emit import Emitted, emit
from stacklaw.checker.explicit.engine import Explicit
from stacklaw.checker.explicit.estimate import (
    Estimate,
    SearchPlan,
    estimated,
    ladder,
    of_players,
    power_of,
    sample,
)
from stacklaw.checker.explicit.moves.layout import Layout
from stacklaw.checker.explicit.search.search import search
from stacklaw.checker.reference.semantics.explore import explore
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.run.check import check
from stacklaw.checker.slicing.needs import Slicer
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.scope import Scope, scope_of
from stacklaw.checker.types.verdict import Outcome
from stacklaw.models.ir import Program
from stacklaw.models.load import load, load_game
from stacklaw.models.source import Source
from stacklaw.properties.load import claims_of, property_named

ALONE = """
game "What one player sees at once"
players 2 or more
start play(active)

items
  light "light"
  dark "dark"

zones
  stack last in first out

stage play(holder: player)
  priority holder

  may 1 "play a light one"
    put light on stack
    go play(after holder)
  may 2 "play a dark one"
    put dark on stack
    go play(after holder)

claims
  holds alone
    for every player p:
      eventually (after active is active
        or some x in stack where (kind of x is dark and controller of x is p))
"""
FAMILY = Path(__file__).parents[2] / "bench" / "family.rules"


def family(depth: int, cards: int, budget: int) -> Program:
    settings = {"depth": str(depth), "cards": str(cards), "budget": str(budget)}
    return load(Source("family.rules", FAMILY.read_text(encoding="utf-8")), settings)


def scope(program: Program, players: int, *sizes: int) -> Scope:
    return Scope(
        players, tuple((zone.name, size) for zone, size in zip(program.zones, sizes, strict=True))
    )


@pytest.mark.parametrize(
    ("players", "depth", "cards", "budget", "positions"),
    [
        (3, 3, 1, 1, 125_514),
        (4, 4, 1, 1, 2_901_320),
        (4, 4, 1, 3, 19_257_304),
        (3, 5, 2, 1, 13_861_509),
        (3, 5, 2, 2, 50_527_164),
        (4, 4, 2, 1, 349_186_536),
    ],
)
def test_the_family_is_where_the_formula_says(
    players: int, depth: int, cards: int, budget: int, positions: int
) -> None:
    program = family(depth, cards, budget)
    estimate = estimated(program, scope(program, players, depth))
    assert estimate is not None
    assert estimate.low <= positions <= estimate.high
    assert 0.5 <= estimate.positions / positions <= 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "players", "sizes", "positions"),
    [
        ("mtg", 2, (6, 4), 6_034_038),
        ("mtg", 4, (4, 1), 8_032_404),
        ("mtg", 3, (4, 2), 2_409_963),
        ("stack", 4, (4, 2), 8_090_672),
        ("fow", 2, (6, 2), 37_107_133),
        ("fftcg", 2, (6, 1), 3_518_262),
    ],
)
def test_games_are_where_the_formula_says(
    name: str, players: int, sizes: tuple[int, ...], positions: int
) -> None:
    program = load_game(name)
    estimate = estimated(program, scope(program, players, *sizes))
    assert estimate is not None
    assert estimate.low <= positions <= estimate.high
    assert 1 / 3 <= estimate.positions / positions <= 3


def test_what_is_small_is_counted() -> None:
    program = load_game("zx")
    small = scope(program, 2, 2, 2)
    estimate = estimated(program, small)
    counted = float(len(explore(Interpreter(program, small), Meter()).positions))
    assert estimate == Estimate(counted, counted, counted)
    assert str(estimate) == f"{counted:,.0f} positions"


def test_every_sample_is_of_a_smaller_scope() -> None:
    program = load_game("mtg")
    found = sample(emit(Layout(program, scope(program, 2, 2, 2))), 100_000, 100_000)
    assert [one.sizes for one in found.scopes] == list(ladder([2, 2]))
    for one in found.scopes:
        if 0 not in one.sizes:
            assert one.positions == len(
                explore(Interpreter(program, scope(program, 2, *one.sizes)), Meter()).positions
            )
        assert {sum(histogram) for histogram in one.histograms} == {one.positions}


def test_a_sample_ends_when_its_moves_are_spent() -> None:
    program = load_game("mtg")
    emitted = emit(Layout(program, scope(program, 3, 3, 2)))
    found = sample(emitted, 1_000, 20_000)
    assert found.moves < 25_000
    assert [one.sizes for one in found.scopes] == [(0, 0)]


def test_an_estimate_ends_when_somebody_asks_for_it() -> None:
    program, asked = load_game("mtg"), []

    def look() -> None:
        asked.append(1)
        if len(asked) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        estimated(program, scope_of(program, 4, 6, {}), look=look)


def test_hopeless_scopes_are_known_as_such() -> None:
    program = load_game("mtg")
    hopeless, large = (
        estimated(program, scope(program, 8, 20, 10)),
        estimated(program, scope(program, 4, 6, 2)),
    )
    assert hopeless is not None
    assert hopeless.is_hopeless
    assert large is not None
    assert not large.is_hopeless
    assert str(hopeless).startswith("about ")


def test_a_search_that_ends_at_a_number_of_positions_is_not_estimated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It costs less than its estimate; one without an end is refused for what its estimate says."""
    program = load_game("mtg")
    asked, large = [property_named(program, "lifo")], scope(program, 8, 20, 10)
    engine, looks = Explicit(Interpreter), []

    def looked(*_: object, **__: object) -> Estimate:
        looks.append(1)
        return Estimate(1e30, 1e30, 1e30)

    monkeypatch.setattr(decide, "estimated", looked)
    ((bounded, _),) = engine.decide(program, asked, large, Meter(Budget(positions=100)))
    assert (bounded.outcome, looks) == (Outcome.UNKNOWN, [])
    ((refused, _),) = engine.decide(program, asked, large, Meter(Budget()))
    assert (refused.outcome, looks) == (Outcome.UNKNOWN, [1])


def test_the_largest_scopes_have_an_estimate() -> None:
    program = load_game("mtg")
    estimate = estimated(program, scope(program, 16, 64, 64))
    assert estimate is not None
    assert math.isfinite(estimate.positions)


def test_what_is_decided_at_the_start_of_one_player_is_estimated_from_two() -> None:
    """A lone player is their own neighbour, so what has to happen happens at once."""
    program = load(Source("alone", ALONE))
    (claim,) = claims_of(program)
    (verdict,) = check(program, [claim.property], scope(program, 2, 30))
    assert verdict.outcome is Outcome.UNKNOWN, verdict.reason


def test_nothing_is_said_without_moves() -> None:
    program = load_game("fow")
    assert estimated(program, scope(program, 2, 4, 2), moves=100) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "players", "sizes"), [("mtg", 6, (6, 2)), ("stack", 4, (4, 2)), ("fow", 2, (4, 3))]
)
@pytest.mark.parametrize("turned", [False, True])
def test_an_estimate_follows_the_plan_of_the_search(
    name: str, players: int, sizes: tuple[int, ...], turned: bool
) -> None:
    program = load_game(name)

    def text_for(smaller: Scope) -> Emitted:
        return emit(
            Layout(program, smaller, kept=Slicer(program, smaller).slice_for([], [])), turned=turned
        )

    large = scope(program, players, *sizes)
    positions = search(text_for(large), Meter()).counts.positions
    estimate = estimated(program, large, SearchPlan(text_for, turned=turned))
    assert estimate is not None
    assert estimate.low <= positions <= estimate.high
    assert 1 / 3 <= estimate.positions / positions <= 3


def test_players() -> None:
    known = [(n, math.log(5 * 3**n * n**1.5)) for n in (1, 2, 3)]
    assert of_players(known, 6, 2.0) == pytest.approx(math.log(5 * 3**6 * 6**1.5))
    assert of_players(known, 3, 2.0) == known[-1][1]
    assert of_players([(n, math.log(7 * 2**n * n**2)) for n in (1, 2)], 4, 2.0) == pytest.approx(
        math.log(7 * 16 * 16)
    )
    assert of_players([(2, 1.0)], 4, 2.0) == pytest.approx(1.0 + math.log(4))


def test_powers_of_series() -> None:
    one, none = Fraction(1), Fraction(0)
    assert power_of([one, one, none, none], Fraction(3)) == [1, 3, 3, 1]
    exponential = [Fraction(1, math.factorial(number)) for number in range(33)]
    assert power_of(exponential, Fraction(5, 2)) == [
        Fraction(5, 2) ** number * term for number, term in enumerate(exponential)
    ]
    # However small the last ones are: they are multiplied with factorials.
    uneven = [term * Fraction(math.sqrt(number + 1)) for number, term in enumerate(exponential)]
    assert power_of(uneven, one) == uneven
