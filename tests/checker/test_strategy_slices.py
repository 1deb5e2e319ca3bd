"""What players can enforce is the same on a slice of the game as on the whole of it."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacklaw.checker.enforcing.on_graph import decide_on_graph
from stacklaw.checker.reference.formulas.signals import Signals
from stacklaw.checker.reference.semantics.explore import explore
from stacklaw.checker.replay.replay import replay
from stacklaw.checker.sliced.interpreter import SlicedInterpreter, SliceProjection, lifted
from stacklaw.checker.strategies.arena import FIRST, arena_of, interpreter_for
from stacklaw.checker.strategies.forks import with_forced
from stacklaw.checker.strategies.objective import Objective
from stacklaw.checker.strategies.solve import play_of, solve
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.graphs import Edges
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.models import ir
from stacklaw.models.ir.parts import of_statements
from stacklaw.models.load import load_game
from stacklaw.properties import formula as f
from stacklaw.properties.load import property_named

from ..luck import tries
from ..strategies_ir import ACTIVE, formulas, programs

PLAYERS = (f.Spotlight("player", "p"),)
MOST = 1500
"""How many positions a random game may have."""


@st.composite
def games(draw: st.DrawFn) -> ir.Program:
    """Return small games in which choices are also made by others than whose move it is."""
    luck, program = Random(draw(st.integers(0, 1 << 30))), draw(programs())

    def chosen_by_others(statement: ir.Statement) -> ir.Statement:
        by: list[ir.Expr | None] = [None, ACTIVE, ir.Neighbour(ACTIVE, 1), ir.Variable("marked")]
        if isinstance(statement, ir.Choose) and isinstance(statement.domain, ir.ItemsOn):
            by.append(ir.AttributeOf(ir.Local(statement.variable), ir.CONTROLLER))
        if isinstance(statement, ir.Choose | ir.Branch) and statement.by is None:
            return replace(statement, by=luck.choice(by))
        return statement

    change = of_statements(chosen_by_others)
    stages = tuple(
        replace(stage, clauses=tuple(ir.rewrite(clause, change) for clause in stage.clauses))
        for stage in program.stages
    )
    return replace(program, stages=stages)


@st.composite
def questions(draw: st.DrawFn) -> f.Property:
    """Return what one player is to enforce, one goal or two."""
    goals = []
    for _ in range(draw(st.integers(1, 2))):
        kind: Any = draw(st.sampled_from(["always", "eventually", "leads to"]))
        asked = draw(formulas(PLAYERS))
        goals.append(
            f.Goal(kind, f.Since(f.Not(asked), f.Not(asked)) if kind == "leads to" else asked)
        )
    assuming: tuple[Any, ...] = tuple(who for who in ("others", "cards") if draw(st.booleans()))
    enforced = f.Enforced(("p",), tuple(goals))
    return f.Property(
        "asked",
        "",
        "",
        "enforce",
        PLAYERS,
        f.And(()),
        None,
        "",
        assuming=assuming,
        enforced=enforced,
    )


def winners(
    program: ir.Program, scope: Scope, question: f.Property, *, sliced: bool
) -> tuple[list[bool], int] | None:
    """Return who wins, for each seat with cuts as lost and as won, and how many positions there
    are; None if there are too many.

    Each play is made again on the whole game.
    """
    interpreter = interpreter_for(program, scope, question, sliced=sliced)
    graph = explore(interpreter, Meter(Budget(positions=MOST)))
    if graph.stopped:
        return None
    won = []
    for (seat,), beyond in product(product(range(scope.players)), (False, True)):
        arena = arena_of(Objective(Signals(with_forced(graph)), question, (seat,)), Meter())
        solution = solve(
            arena.ours,
            arena.with_ends(beyond=beyond, open_=False),
            Edges(arena.first, arena.target),
        )
        won.append(bool(solution.even[FIRST]))
        if won[-1] != beyond:
            trace = lifted(interpreter, play_of(arena, solution, Meter(), ours=won[-1]))
            replay(
                interpreter.whole if isinstance(interpreter, SlicedInterpreter) else interpreter,
                trace,
                question,
            )
            assert trace.loop is None or trace.positions[trace.loop] == trace.positions[-1]
    return won, len(graph.positions)


@pytest.mark.slow
@given(games(), questions(), st.sampled_from([2, 2, 3]))
@tries(60)
def test_random_games(program: ir.Program, question: f.Property, players: int) -> None:
    scope = make_scope(program, players, {"stack": 1, "queue": 1, "pool": 1})
    whole = winners(program, scope, question, sliced=False)
    if whole is not None:
        found = winners(program, scope, question, sliced=True)
        assert found is not None
        assert found[0] == whole[0]
        assert found[1] <= whole[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("zx", {}),
        ("stack", {"triggers": "no"}),
        pytest.param("stack", {"triggers": "no", "idle": "passes"}, marks=pytest.mark.long),
        pytest.param("stack", {"triggers": "no", "step4": "next"}, marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("name", ["stall", "deny_window"])
def test_the_games(game: str, settings: dict[str, str], name: str) -> None:
    program = load_game(game, settings)
    scope, question = make_scope(program), property_named(program, name)
    (whole, all_), (sliced, few) = (
        decide_on_graph(program, question, scope, Meter(), sliced=one) for one in (False, True)
    )
    assert sliced.outcome == whole.outcome
    assert sliced.reason == whole.reason
    assert len(few.positions) < len(all_.positions)
    if whole.table is not None:  # of the larger game the search for one may take too long
        assert sliced.table is not None
        assert len(sliced.table.rows) == len(whole.table.rows)


def test_a_projection_is_its_own() -> None:
    program = load_game("zx")
    scope = make_scope(program)
    interpreter = interpreter_for(program, scope, property_named(program, "stall"), sliced=True)
    assert isinstance(interpreter, SlicedInterpreter)
    projection = SliceProjection(program, scope, interpreter.kept)
    graph = explore(interpreter, Meter())
    assert all(projection.project(position) == position for position in graph.positions)
