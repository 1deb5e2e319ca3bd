"""Symmetry: the positions found are one of each orbit, counted another way; and rules that name a
seat are not turned.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from stacklaw.checker.explicit.emit.emit import Emitted, emit
from stacklaw.checker.explicit.moves.layout import Layout
from stacklaw.checker.explicit.search.search import search
from stacklaw.checker.reference.semantics.explore import explore
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.slicing import symmetry
from stacklaw.checker.slicing.symmetry import is_symmetric, is_symmetric_formula, seats_named
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.models import ir
from stacklaw.models.load import game_names, load, load_game
from stacklaw.models.source import Source
from stacklaw.properties import formula as f
from stacklaw.properties.load import catalogue, claims_of, property_named

from ..luck import tries
from ..rulesets import asked
from ..strategies_ir import ACTIVE, HOLDER, SPOTLIGHTS, VARIABLES, programs
from .seats import RULES, turned
from .test_following import games
from .test_forgetting import HEAD, NEXT, TURN, clause

NEVER = 1 << 60


def seats() -> ir.Program:
    return load(Source("seats.rules", RULES))


def of_orbits(layout: Layout) -> Emitted:
    """Return the text that turns positions."""
    return emit(layout, turned=True)


def check_orbits(
    program: ir.Program, scope: Scope, most: int, small: int = NEVER, beside: int = 0
) -> int:
    """Compare the positions found with the orbits of those of the reference; return how many times
    fewer there are.
    """
    graph = explore(Interpreter(program, scope), Meter(Budget(positions=most)))
    if graph.stopped:
        return 0
    orbits = {turned(program, scope.players, position) for position in graph.positions}
    assert is_symmetric(program)
    result = search(of_orbits(Layout(program, scope, [("beside", beside)])), Meter(), small)
    assert result.counts.positions == len(orbits)
    assert not result.stopped
    return len(graph.positions) // len(orbits)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("game", game_names())
def test_the_games(game: str, players: int) -> None:
    """rumur 12, 51: the orbits are counted another way, on positions that were never turned."""
    program = load_game(game)
    if program.players[0] <= players <= (program.players[1] or players):
        scope = make_scope(program, players, {zone.name: 1 for zone in program.zones})
        assert check_orbits(program, scope, 10_000) in (0, players, players - 1)


@pytest.mark.parametrize(
    ("players", "pool", "beside"),
    [(2, 2, 0), (2, 2, 50), pytest.param(3, 1, 0, marks=pytest.mark.slow)],
)
def test_players_wherever_there_can_be_one(players: int, pool: int, beside: int) -> None:
    program = seats()
    assert (
        check_orbits(program, make_scope(program, players, {"pool": pool}), 400_000, beside=beside)
        == players - 1
    )


@pytest.mark.parametrize(
    "change", ["put spell on heap", "heir of holder := after holder", "those += holder"]
)
def test_three_players_in_small_games(change: str) -> None:
    """With two players many a seat is right by chance."""
    program, _ = asked(HEAD + clause(1, change, then=NEXT) + TURN, "never clause 1")
    assert check_orbits(program, make_scope(program, 3, {"heap": 2}), 10_000)


def test_positions_one_by_one_are_turned_by_the_book() -> None:
    """The plays that are told are turned in Python, after a compiled search, too."""
    program = seats()
    graph = explore(Interpreter(program, make_scope(program, 3)), Meter(Budget(positions=400)))
    for position in graph.positions:
        active = position.values[0]
        assert isinstance(active, int)
        mine = symmetry.turned(program, 3, position, active)
        zones = [
            sorted(items, key=repr) if zone.order == "unordered" else items
            for zone, items in zip(program.zones, mine.zones, strict=True)
        ]
        assert mine._replace(zones=tuple(map(tuple, zones))) == turned(program, 3, position)


def test_in_compiled_code() -> None:
    pytest.importorskip("llvmlite")
    program = seats()
    assert check_orbits(program, make_scope(program, 2), 10_000, 1) == 1


@given(st.one_of(programs(), games()))
@tries(30)
def test_random_programs(program: ir.Program) -> None:
    assume(check_orbits(program, make_scope(program, 3, {"stack": 2, "queue": 1, "pool": 2}), 2000))


@pytest.mark.slow
@given(st.one_of(programs(), games()))
@tries(50)
def test_a_turned_position_has_the_moves_of_the_position_turned(program: ir.Program) -> None:
    """The moves of a position, turned, are those of the turned position: what the whole argument
    rests on.
    """
    interpreter = Interpreter(program, make_scope(program, 3, {"stack": 2, "queue": 1, "pool": 2}))
    graph = explore(interpreter, Meter(Budget(positions=60)))
    for number in range(graph.expanded):
        position = graph.positions[number]
        found = sorted(
            repr(turned(program, 3, target)) for _, target in interpreter.moves(position).moves
        )
        of_turned = sorted(
            repr(turned(program, 3, target))
            for _, target in interpreter.moves(turned(program, 3, position)).moves
        )
        assert found == of_turned


# ------------------------------------------------------------------ what names a seat

SEAT = ir.Literal(1)
NAMING: list[ir.Statement] = [
    ir.Require(ir.Equal(ACTIVE, ir.Literal(0))),
    ir.Require(ir.Equal(ir.Literal(0), HOLDER)),
    ir.Require(ir.Less(HOLDER, ACTIVE)),
    ir.Require(ir.Less(ir.Add(ir.Variable("count"), HOLDER), ir.Literal(2))),
    ir.Require(ir.Contains(ir.Variable("passed"), SEAT)),
    ir.Require(ir.Equal(ir.Variable("passed"), SEAT)),
    ir.Require(ir.Exists("x", ir.PlayersIn(ir.Everyone()), ir.Equal(ir.Local("x"), SEAT))),
    ir.Require(
        ir.Exists(
            "x", ir.ItemsOn("pool"), ir.Equal(ir.AttributeOf(ir.Local("x"), ir.CONTROLLER), SEAT)
        )
    ),
    ir.Require(
        ir.Exists(
            "x", ir.NumbersFrom(ir.Literal(0), ir.Literal(1)), ir.Equal(ir.Local("x"), HOLDER)
        )
    ),
    ir.Require(ir.Equal(ir.Entry("hand", SEAT), ir.Literal(1))),
    ir.Assign("marked", None, SEAT),
    ir.Assign("passed", None, ir.With(ir.NoPlayers(), SEAT)),
    ir.Assign("count", None, HOLDER),
    ir.Assign("hand", SEAT, ir.Literal(1)),
    ir.Put("spell", SEAT, (ir.NO,), "pool"),
    ir.Choose("x", ir.PlayersIn(ir.Literal(2)), ir.YES, None, None),
    ir.Choose(
        "x",
        ir.ItemsOn("pool"),
        ir.YES,
        ir.Nearest(ir.AttributeOf(ir.Local("x"), ir.CONTROLLER), SEAT),
        None,
    ),
    ir.Branch((("one", ()), ("other", ())), SEAT),
    ir.If(ir.Equal(ir.Neighbour(SEAT, 1), HOLDER), (), ()),
]


def with_statements(*statements: ir.Statement) -> ir.Program:
    """Return a Program with a clause of *statements*."""
    program = seats_of_strategies()
    clause = ir.Clause(
        "9", "", "may", (), ir.Owner(HOLDER), ir.YES, (*statements, ir.Go("decide", (HOLDER,)))
    )
    decide, *others = program.stages
    return replace(program, stages=(replace(decide, clauses=(clause,)), *others))


def seats_of_strategies() -> ir.Program:
    """Return a Program like those of the strategies, without clauses."""
    kinds, zones = (ir.Kind("spell", "", ()),), (ir.Zone("pool", "unordered", "", ()),)
    stages = (ir.Stage("decide", "", (ir.Parameter("holder", ir.PlayerType()),), HOLDER, ()),)
    return ir.Program(
        name="naming", title="", document="", players=(2, None), options=(), settings=(),
        kinds=kinds, attributes=(ir.Attribute("shut", ir.FlagType(), ir.NO),), zones=zones,
        sequences=(), variables=VARIABLES, stages=stages, start=ir.Go("decide", (ACTIVE,)),
        scope=(), claims=(), left_out=(), inactive=(), terms=(),
    )  # fmt: skip


@pytest.mark.parametrize("statement", NAMING, ids=str)
def test_a_statement_that_names_a_seat(statement: ir.Statement) -> None:
    assert not is_symmetric(with_statements(statement))


def test_a_number_by_another_name_is_no_player() -> None:
    number = ir.Let("n", ir.Literal(1))
    assert is_symmetric(with_statements(number, ir.Assign("count", None, ir.Local("n"))))
    assert not is_symmetric(with_statements(number, ir.Assign("marked", None, ir.Local("n"))))
    assert not is_symmetric(
        with_statements(
            number, ir.Let("m", ir.Local("n")), ir.Require(ir.Equal(HOLDER, ir.Local("m")))
        )
    )
    assert not is_symmetric(
        with_statements(ir.Let("p", HOLDER), ir.Assign("count", None, ir.Local("p")))
    )


def test_seats_in_other_places() -> None:
    program = with_statements()
    stage, clause = program.stages[0], program.stages[0].clauses[0]
    assert is_symmetric(program)
    seat_has_priority = replace(program, stages=(replace(stage, priority=SEAT),))
    assert not is_symmetric(seat_has_priority)
    for owner in (ir.Owner(SEAT), ir.Owner(None, "who", ir.Equal(ir.Local("who"), SEAT))):
        assert not is_symmetric(
            replace(program, stages=(replace(stage, clauses=(replace(clause, owner=owner),)),))
        )
    goes = replace(clause, body=(ir.Go("decide", (SEAT,)),))
    assert list(seats_named(replace(program, stages=(replace(stage, clauses=(goes,)),))))
    other_begins = replace(
        program, variables=(replace(program.variables[0], initial=SEAT), *program.variables[1:])
    )
    assert not is_symmetric(other_begins)


@pytest.mark.parametrize(
    "formula",
    [
        f.HasPriority(SEAT), f.Enabled(SEAT, "act"), f.PlayerEvent("passes", SEAT),
        f.Uses("1.1", SEAT), f.Once(f.Not(f.Holds(ir.Equal(ACTIVE, SEAT)))),
        f.Holds(ir.Equal(ir.Local("p"), SEAT)),
        f.Holds(ir.Equal(ir.AttributeOf(ir.Local("i"), ir.CONTROLLER), SEAT), ("i",)),
    ],
    ids=str,
)  # fmt: skip
def test_a_formula_that_names_a_seat(formula: f.Formula) -> None:
    assert not is_symmetric_formula(with_statements(), formula, SPOTLIGHTS)


@pytest.mark.parametrize("game", game_names())
def test_what_is_asked_of_the_games_names_no_seat(game: str) -> None:
    program = load_game(game)
    asked = [
        property_named(program, entry.name) for entry in catalogue() if not entry.is_strategy
    ] + [claim.property for claim in claims_of(program)]
    for question in asked:
        for formula in (question.body, *(condition.formula for condition in question.conditions)):
            assert is_symmetric_formula(program, formula, question.spotlights), question.name
