"""The benchmark family: exact counts that six other explorers agree on."""

from __future__ import annotations

from pathlib import Path

import pytest

from stacklaw.checker.run.check import explore
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Counts
from stacklaw.models.load import load
from stacklaw.models.source import Source

FAMILY = Path(__file__).parents[2] / "bench" / "family.rules"
SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    ("players", "depth", "cards", "budget", "counts"),
    [
        (2, 2, 1, 1, Counts(5_160, 6_162, 81, 0)),
        pytest.param(2, 3, 2, 1, Counts(77_336, 96_186, 105, 0), marks=SLOW),
        pytest.param(3, 3, 1, 1, Counts(125_514, 149_328, 153, 0), marks=SLOW),
    ],
)
def test_exact_counts(players: int, depth: int, cards: int, budget: int, counts: Counts) -> None:
    settings = {"depth": str(depth), "cards": str(cards), "budget": str(budget)}
    program = load(Source(str(FAMILY), FAMILY.read_text(encoding="utf-8")), settings)
    explored = explore(program, make_scope(program, players, {"stack": depth}))
    assert explored.counts == counts
    assert explored.stopped == ""
    assert all(explored.fired.values())
