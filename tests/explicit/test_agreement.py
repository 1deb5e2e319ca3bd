"""The explicit engine and the reference: the same positions, moves, layers and cuts, and the same
moves in the same order.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacklaw.checker.explicit.emit.emit import emit
from stacklaw.checker.explicit.engine import Explicit
from stacklaw.checker.explicit.moves.layout import Layout
from stacklaw.checker.explicit.search.interpreted import Interpreted
from stacklaw.checker.explicit.search.search import search
from stacklaw.checker.reference.engine import Reference
from stacklaw.checker.reference.semantics.explore import explore
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.run.check import check
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.models import ir
from stacklaw.models.load import game_names, load, load_game
from stacklaw.models.source import Source

from ..luck import tries
from ..rulesets import MARKS, asked
from ..strategies_ir import programs
from .test_following import games

SMALL = 3000


def check_moves(program: ir.Program, scope: Scope, most: int) -> None:
    """Compare the moves of up to *most* positions one by one, and the whole search if there are no
    more.
    """
    graph = explore(Interpreter(program, scope), Meter(Budget(positions=most)))
    layout = Layout(program, scope)
    emitted = emit(layout)
    run = Interpreted(emitted)
    assert [layout.unpack(words) for words in run.started(layout.initial())] == [graph.positions[0]]
    for number in range(graph.expanded):
        run.out[0] = 0
        found = run.outputs(layout.pack(graph.positions[number]))
        assert [layout.unpack(words) for words in found] == [
            graph.positions[target] for _, target in graph.successors(number)
        ]
        assert len(found) <= emitted.most_moves
        assert run.out[0] == graph.cut.get(number, 0)
    if not graph.stopped:
        result = search(emitted, Meter())
        assert result.counts == graph.counts
        assert not result.stopped


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("game", game_names())
def test_the_moves_of_the_games(game: str, players: int) -> None:
    program = load_game(game)
    if program.players[0] <= players <= (program.players[1] or players):
        check_moves(program, make_scope(program, players), SMALL)


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names())
def test_the_moves_of_the_games_with_every_option(game: str) -> None:
    for option in load_game(game).options:
        for value, _ in option.values[1:]:
            program = load_game(game, {option.name: value})
            check_moves(program, make_scope(program), 400)


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names())
def test_the_counts_of_the_games_in_their_smallest_scope(game: str) -> None:
    program = load_game(game)
    check_moves(
        program, make_scope(program, None, {zone.name: 1 for zone in program.zones}), 50_000
    )


@pytest.mark.slow
@given(st.one_of(programs(), games()))
@tries(70)
def test_the_moves_of_random_programs(program: ir.Program) -> None:
    check_moves(program, make_scope(program, 2, {"stack": 2, "queue": 1, "pool": 2}), 500)


@pytest.mark.slow
@given(programs())
@tries(30)
def test_the_moves_of_random_programs_of_three_players(program: ir.Program) -> None:
    check_moves(program, make_scope(program, 3, {"stack": 3, "queue": 2, "pool": 3}), 300)


def test_the_text_is_the_same_every_time() -> None:
    program = load_game("fow")
    layouts = [Layout(program, make_scope(program)) for _ in range(2)]
    assert emit(layouts[0]).text == emit(layouts[1]).text


@pytest.mark.slow
@pytest.mark.parametrize(
    "body",
    [
        "by any b\n    let x be b\n    marked := x",
        "by any b where b is not holder\n    let x be after b\n    marked := x",
        "by any b\n    put spell by b on stack\n    if stack is not empty\n      let x be b\n     "
        " marked := x",
        "choose b in players\n    let x be b\n    marked := x",
        "choose n in 1 to 2\n    if some m in n to 2 where m < 3\n      choose m in n to 2 where "
        "m < 3\n      let x be m\n      mana := x",
        "let m be mana\n    if some n in m to 2 where n < 3\n      choose n in m to 2 where n < "
        "3\n      mana := n",
    ],
)
def test_a_let_of_what_is_chosen(body: str) -> None:
    rules = (
        MARKS.replace("state\n", "state\n  mana : 0 to 2 = 0\n", 1)
        + f"\n  may 4\n    {body}\n    go decide(holder)\n"
    )
    program = load(Source("a.rules", rules))
    check_moves(program, make_scope(program, 3), 500)
    for formula in ("always marked is not before active", "always mana < 2"):
        program, question = asked(rules, formula)
        scope = make_scope(program, 3)
        here, there = (
            check(program, [question], scope, engine=engine)[0]
            for engine in (Reference(), Explicit(Interpreter))
        )
        assert here.outcome is there.outcome
        assert (here.trace and len(here.trace.steps)) == (there.trace and len(there.trace.steps))
