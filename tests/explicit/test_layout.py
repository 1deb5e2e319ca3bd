"""Positions become words and come back: every reachable one of the games, and those of random
Programs.
"""

from __future__ import annotations

import pytest
from hypothesis import given

from stacklaw.checker.explicit.moves.layout import WORD, Layout
from stacklaw.checker.reference.semantics.explore import explore
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.scope import make_scope
from stacklaw.models import ir
from stacklaw.models.load import game_names, load_game

from ..luck import tries
from ..strategies_ir import programs


def check_round_trip(program: ir.Program, layout: Layout, most: int) -> None:
    """Explore *program* up to *most* positions, and pack and unpack them."""
    graph = explore(Interpreter(program, layout.scope), Meter(Budget(positions=most)))
    packed = [layout.pack(position) for position in graph.positions]
    assert [layout.unpack(words) for words in packed] == graph.positions
    assert len(set(packed)) == len(packed)
    assert all(words[0] > 0 and all(0 <= word < 1 << WORD for word in words) for words in packed)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("game", game_names())
def test_the_positions_of_the_games(game: str, players: int) -> None:
    program = load_game(game)
    low, high = program.players
    if low <= players <= (high or players):
        layout = Layout(program, make_scope(program, players))
        check_round_trip(program, layout, 4000)


@pytest.mark.slow
@given(programs())
@tries(60)
def test_the_positions_of_random_programs(program: ir.Program) -> None:
    layout = Layout(program, make_scope(program, 3, {"stack": 3, "queue": 2, "pool": 3}))
    check_round_trip(program, layout, 300)


def test_a_large_scope_takes_several_words() -> None:
    program = load_game("fow")
    layout = Layout(program, make_scope(program, 2, {"chase": 6, "queue": 8}))
    assert layout.words > 1
    check_round_trip(program, layout, 500)
