"""The benchmark family: the explicit engine finds exactly the positions, moves and layers that
other explorers find.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from stacklaw.checker.explicit.emit.emit import emit
from stacklaw.checker.explicit.moves.layout import Layout
from stacklaw.checker.explicit.search.search import search
from stacklaw.checker.types.budget import Meter
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Counts
from stacklaw.models.load import load
from stacklaw.models.source import Source

pytest.importorskip("llvmlite")

FAMILY = Path(__file__).parents[2] / "bench" / "family.rules"
SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    ("players", "depth", "cards", "budget", "counts"),
    [
        (2, 2, 1, 1, Counts(5_160, 6_162, 81, 0)),
        (2, 3, 2, 1, Counts(77_336, 96_186, 105, 0)),
        (3, 3, 1, 1, Counts(125_514, 149_328, 153, 0)),
        (4, 3, 1, 1, Counts(1_925_576, 2_284_228, 245, 0)),
        (4, 4, 1, 1, Counts(2_901_320, 3_396_196, 245, 0)),
        pytest.param(4, 3, 1, 2, Counts(5_306_480, 6_822_648, 252, 0), marks=SLOW),
        pytest.param(3, 4, 2, 1, Counts(8_071_899, 9_968_970, 195, 0), marks=SLOW),
    ],
)
def test_exact_counts(players: int, depth: int, cards: int, budget: int, counts: Counts) -> None:
    settings = {"depth": str(depth), "cards": str(cards), "budget": str(budget)}
    program = load(Source("family.rules", FAMILY.read_text(encoding="utf-8")), settings)
    result = search(emit(Layout(program, make_scope(program, players, {"stack": depth}))), Meter())
    assert (result.counts, result.stopped) == (counts, "")
