"""The loops of five games are those of docs/loops.md."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from stacklaw.checker.loops.loops import find_loops
from stacklaw.checker.types.scope import make_scope
from stacklaw.models.load import load_game

pytestmark = pytest.mark.slow

PAGE = (Path(__file__).parents[2] / "docs" / "loops.md").read_text(encoding="utf-8")
NUMBERS = {
    game: tuple(map(int, cells))
    for game, *cells in re.findall(
        r"^\| `(\w+)` \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", PAGE, re.MULTILINE
    )
}
KINDS = ("forced", "cards", "optional", "progress")


@pytest.mark.rare
@pytest.mark.parametrize(
    "game",
    [
        "zx",
        "mtg",
        "stack",
        pytest.param("fow", marks=pytest.mark.long),
        pytest.param("fftcg", marks=pytest.mark.long),
    ],
)
def test_numbers_of_loops(game: str) -> None:
    program = load_game(game)
    found = find_loops(program, make_scope(program))
    assert not found.stopped
    numbers = Counter[str](loop.kind for loop in found.loops)
    assert tuple(numbers[kind] for kind in KINDS) == NUMBERS[game]
    for loop in found.loops:
        if loop.trace.loop is not None:
            assert loop.trace.positions[loop.trace.loop] == loop.trace.positions[-1]
