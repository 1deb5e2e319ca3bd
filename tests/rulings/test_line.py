"""Lines: of each position the moves are known, once, and all that the rules allow."""

from __future__ import annotations

import pytest

from stacklaw.checker.reference.semantics.explore import explore
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.situations.line import Referee
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.scope import make_scope
from stacklaw.models.load import load_game


@pytest.mark.parametrize("game", ["zx", "mtg", "stack"])
def test_where_the_scope_cuts_moves_all_are_known_in_their_order(game: str) -> None:
    program = load_game(game)
    interpreter = Interpreter(program, make_scope(program))
    graph = explore(interpreter, Meter(Budget(positions=1_500)))
    referee = Referee(interpreter)
    more = 0
    for number in sorted(graph.cut)[:200]:
        position = graph.positions[number]
        allowed, within = interpreter.allowed(position), interpreter.moves(position).moves
        assert referee.moves(position) == allowed
        assert [(one.move, one.after) for one in referee.priced(position)] == within
        assert all(one.cost == referee.cost(one.move) for one in referee.priced(position))
        more += len(allowed) > len(within) > 0
    assert more
