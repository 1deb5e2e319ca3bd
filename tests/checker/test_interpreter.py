"""The interpreter: exact counts of small games, and what each statement means."""

from __future__ import annotations

import pytest

from stacklaw.checker.reference.semantics.events import follow
from stacklaw.checker.reference.semantics.explore import explore
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.types.budget import Meter
from stacklaw.checker.types.position import OVER, Event, Item, Move, Position
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Counts
from stacklaw.models import ir

from ..tiny import ACTIVE, HOLDER, STACK, clause, clock, program, two_passes

A, B = Item("spell", 0), Item("spell", 1)
TOP = ir.EndOf("stack")
POOL = ir.Zone("pool", "unordered", "", ())
LINE = ir.Zone("line", "fifo", "", ())
COUNT = ir.VariableDeclaration(
    "count", ir.NumberType(ir.Literal(0), ir.Literal(2)), False, ir.Literal(0), "", ()
)


def put(player: int, zone: str = "stack") -> ir.Put:
    return ir.Put("spell", ir.Literal(player), (), zone)


def stage_of(*clauses: ir.Clause) -> tuple[ir.Stage, ...]:
    return (ir.Stage("only", "", (), None, clauses),)


def one_clause(*body: ir.Statement, **given: object) -> ir.Program:
    """Return a Program of one must clause that does *body* and comes back."""
    fields: dict[str, object] = {
        "zones": (STACK, LINE, POOL),
        "variables": (ACTIVE, COUNT),
        "players": (2, None),
    }
    return program(
        **{**fields, "stages": stage_of(clause("1", "must", *body, ir.Go("only", ()))), **given}
    )


def first_moves(
    of: ir.Program, players: int = 2, size: int = 4
) -> tuple[list[tuple[Move, Position]], int]:
    scope = make_scope(of, players, {zone.name: size for zone in of.zones})
    interpreter = Interpreter(of, scope)
    found = interpreter.moves(interpreter.initial())
    return found.moves, found.cut


def the_move(of: ir.Program) -> tuple[Move, Position]:
    (found,), cut = first_moves(of)
    assert cut == 0
    return found


def test_a_clock_has_two_positions_and_two_moves() -> None:
    graph = explore(Interpreter(clock(), make_scope(clock())), Meter())
    assert graph.counts == Counts(positions=2, moves=2, layers=2, cut=0)
    assert graph.fired == {"tick": 1, "tock": 1}
    assert graph.stopped == ""
    assert graph.complete_layers == 2


def test_the_moves_of_two_passes_say_what_happens() -> None:
    game = two_passes()
    interpreter = Interpreter(game, make_scope(game, 2))
    (cast, after_cast), (pass_, after_pass) = interpreter.moves(interpreter.initial()).moves
    assert cast == Move("1.1", 0, (), (Event("put", A, 0, 0),))
    assert after_cast == Position("decide", (0,), (0, 0), ((A,),))
    assert pass_ == Move("1.2", 0, (), (Event("passes", player=0),))
    assert after_pass == Position("decide", (1,), (0, 0b01), ((),))
    assert interpreter.priority(after_pass) == {1}
    ((move, over),) = [
        found for found in interpreter.moves(after_pass).moves if found[0].clause == "1.2"
    ]
    assert (move.owner, over.stage) == (1, OVER)
    assert interpreter.moves(over).moves == []
    assert interpreter.priority(over) == frozenset()


def test_a_full_zone_cuts_the_move() -> None:
    moves, cut = first_moves(one_clause(put(0), put(1)), size=1)
    assert (moves, cut) == ([], 1)


def test_a_cut_move_counts_once_however_many_choices_would_follow() -> None:
    choose = ir.Choose("n", ir.NumbersFrom(ir.Literal(1), ir.Literal(3)), ir.YES, None, None)
    assert first_moves(one_clause(put(0), put(0), choose), size=1) == ([], 1)
    assert first_moves(one_clause(choose, put(0), put(0)), size=1) == ([], 3)


def test_a_number_outside_its_range_makes_the_move_impossible() -> None:
    count = ir.Variable("count")
    assert first_moves(one_clause(ir.Assign("count", None, ir.Subtract(count, ir.Literal(1))))) == (
        [],
        0,
    )
    _, position = the_move(one_clause(ir.Assign("count", None, ir.Add(count, ir.Literal(2)))))
    assert position.values == (0, 2)


def test_require_takes_the_whole_move_back() -> None:
    assert first_moves(one_clause(put(0), ir.Require(ir.IsEmpty("stack")))) == ([], 0)


def test_items_join_the_end_and_leave_from_it() -> None:
    two = (put(0), put(1))
    _, position = the_move(one_clause(*two, ir.Move(TOP, "line")))
    assert position.zones == ((A,), (B,), ())
    in_line = (put(0, "line"), put(1, "line"))
    move, position = the_move(one_clause(*in_line, ir.Leave(ir.EndOf("line"), "resolves")))
    assert position.zones == ((), (B,), ())
    assert move.events[-1] == Event("resolves", A, 1, 0)


def test_unordered_zones_are_kept_sorted() -> None:
    move, position = the_move(one_clause(put(1, "pool"), put(0, "pool"), put(1, "pool")))
    assert position.zones[2] == (A, B, B)
    assert [event.at for event in move.events] == [0, 0, 2]


def test_a_chosen_item_is_followed_while_others_come_and_go() -> None:
    choose = ir.Choose(
        "it",
        ir.ItemsOn("pool"),
        ir.Equal(ir.AttributeOf(ir.Local("it"), ir.CONTROLLER), ir.Literal(1)),
        None,
        None,
    )
    move, position = the_move(
        one_clause(put(1, "pool"), choose, put(0, "pool"), ir.Move(ir.Local("it"), "stack"))
    )
    assert position.zones == ((B,), (), (A,))
    assert move.events[-1] == Event("move", B, 2, 1, 0, 0)


def test_choices_are_made_in_order_and_told() -> None:
    choose = ir.Choose(
        "it", ir.ItemsOn("stack"), ir.YES, None, ir.AttributeOf(ir.Local("it"), ir.CONTROLLER)
    )
    moves, _ = first_moves(
        one_clause(put(0), put(1), choose, ir.Leave(ir.Local("it"), "is removed"))
    )
    assert [(c.by, c.what, c.value, c.at) for move, _ in moves for c in move.choices] == [
        (0, "it", A, 0),
        (1, "it", B, 1),
    ]
    assert [position.zones[0] for _, position in moves] == [(B,), (A,)]


def test_an_empty_choice_is_no_move() -> None:
    assert first_moves(one_clause(ir.Choose("it", ir.ItemsOn("stack"), ir.YES, None, None))) == (
        [],
        0,
    )


def test_comes_first_keeps_only_the_nearest() -> None:
    nearest = ir.Nearest(ir.AttributeOf(ir.Local("it"), ir.CONTROLLER), ir.Literal(1))
    choose = ir.Choose("it", ir.ItemsOn("stack"), ir.YES, nearest, None)
    moves, _ = first_moves(one_clause(put(0), put(1), put(1), choose))
    assert [move.choices[0].at for move, _ in moves] == [1, 2]


def test_branches_come_in_the_order_of_the_text_and_share_nothing() -> None:
    branch = ir.Branch((("nothing", ()), ("an item", (put(0),))), "cards")
    moves, _ = first_moves(one_clause(branch, put(1)))
    assert [
        (move.choices[0].by, move.choices[0].value, move.choices[0].at) for move, _ in moves
    ] == [
        ("cards", "nothing", 0),
        ("cards", "an item", 1),
    ]
    assert [position.zones[0] for _, position in moves] == [(B,), (A, B)]


def test_players_come_in_turn_order_from_the_active_one() -> None:
    any_player = clause("1", "may", ir.Pass(), ir.Go("only", ()), owner=ir.Owner(None, "p", ir.YES))
    game = program(
        variables=(
            ir.VariableDeclaration(ir.ACTIVE, ir.PlayerType(), False, ir.Literal(1), "", ()),
        ),
        stages=stage_of(any_player),
    )
    moves, _ = first_moves(game, players=3)
    assert [move.owner for move, _ in moves] == [1, 2, 0]


def test_clauses_come_in_the_order_of_the_text() -> None:
    game = program(
        stages=stage_of(
            clause("2", "must", ir.Go("only", ())), clause("1", "chance", ir.Go("only", ()))
        )
    )
    moves, _ = first_moves(game)
    assert [(move.clause, move.owner) for move, _ in moves] == [("2", "rules"), ("1", "cards")]


def turn(*body: ir.Statement, step: str = "late", battle: str = ir.NO_STEP) -> ir.Program:
    steps = (ir.Step("early", "", ()), ir.Step("late", "", ()))
    sequences = (
        ir.Sequence(ir.TURN, ir.STEP, "", steps),
        ir.Sequence("battle", "battle", "", steps),
    )
    names = ("early", "late")
    variables = (
        ACTIVE,
        ir.VariableDeclaration(ir.STEP, ir.EnumType(names), False, ir.Literal(step), "", ()),
        ir.VariableDeclaration(
            "battle", ir.EnumType((ir.NO_STEP, *names)), False, ir.Literal(battle), "", ()
        ),
    )
    return one_clause(*body, sequences=sequences, variables=variables)


@pytest.mark.parametrize(
    ("game", "events", "values"),
    [
        (
            turn(ir.Advance(ir.TURN), step="early"),
            ["turn step ends early", "turn step begins late"],
            (0, "late", "none"),
        ),
        (
            turn(ir.Advance(ir.TURN)),
            [
                "turn step ends late",
                "turn sequence ends ",
                "turn sequence begins ",
                "turn step begins early",
            ],
            (1, "early", "none"),
        ),
        (
            turn(ir.StepTo(ir.TURN, "early")),
            ["turn step ends late", "turn step begins early"],
            (0, "early", "none"),
        ),
        (
            turn(ir.StepTo("battle", "early")),
            ["battle sequence begins ", "battle step begins early"],
            (0, "late", "early"),
        ),
        (
            turn(ir.Advance("battle"), battle="late"),
            ["battle step ends late", "battle sequence ends "],
            (0, "late", "none"),
        ),
        (
            turn(ir.StepTo("battle", ir.NO_STEP), battle="early"),
            ["battle step ends early", "battle sequence ends "],
            (0, "late", "none"),
        ),
        (turn(ir.StepTo("battle", ir.NO_STEP)), [], (0, "late", "none")),
    ],
)
def test_steps_end_and_begin(
    game: ir.Program, events: list[str], values: tuple[object, ...]
) -> None:
    move, position = the_move(game)
    assert [f"{event.sequence} {event.kind} {event.step}" for event in move.events] == events
    assert position.values == values


def test_a_sequence_that_is_not_going_on_cannot_advance() -> None:
    assert first_moves(turn(ir.Advance("battle"))) == ([], 0)


def test_priority_may_be_a_set_of_players() -> None:
    game = program(
        players=(2, None),
        stages=(ir.Stage("only", "", (), ir.Without(ir.Everyone(), ir.Literal(1)), ()),),
    )
    interpreter = Interpreter(game, make_scope(game, 3))
    assert interpreter.priority(interpreter.initial()) == {0, 2}


def test_an_item_is_followed_wherever_events_take_it() -> None:
    assert follow((0, 1), Event("put", A, 0, 1)) == (0, 2)
    assert follow((0, 1), Event("put", A, 0, 2)) == (0, 1)
    assert follow((0, 1), Event("put", A, 1, 0)) == (0, 1)
    assert follow((0, 1), Event("resolves", A, 0, 0)) == (0, 0)
    assert follow((0, 1), Event("resolves", A, 0, 1)) is None
    assert follow((0, 1), Event("move", A, 0, 1, 2, 3)) == (2, 3)
    assert follow((0, 1), Event("move", A, 0, 0, 0, 1)) == (0, 0)
    assert follow((0, 1), Event("move", A, 0, 2, 0, 0)) == (0, 2)
    assert follow((0, 1), Event("begins resolving", A, 0, 1)) == (0, 1)


def test_the_holder_of_a_stage_is_its_parameter() -> None:
    game = two_passes()
    interpreter = Interpreter(game, make_scope(game, 3))
    assert interpreter.priority(Position("decide", (2,), (0, 0), ((),))) == {2}
    assert HOLDER in ir.walk(game)
