"""What each word of a formula means, on games made for it: the length of the shortest witness, or
None.
"""

from __future__ import annotations

import pytest

from stacklaw.checker.run.check import check
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Outcome
from stacklaw.models import ir
from stacklaw.properties import formula as f

from ..tiny import ACTIVE, STACK, clause, program, two_passes

ITEM, OTHER, P, Q = (
    f.Spotlight("item", "i"),
    f.Spotlight("item", "j"),
    f.Spotlight("player", "p"),
    f.Spotlight("player", "q"),
)
LINE = ir.Zone("line", "fifo", "", ())
ANY = ir.Owner(None, "who", ir.YES)
AGAIN = ir.Go("only", ())
FLAG = ir.VariableDeclaration("flag", ir.FlagType(), False, ir.NO, "", ())


def game(*clauses: ir.Clause) -> ir.Program:
    """Return a Program of one stage, with a stack, a line and a flag."""
    kinds = (ir.Kind("spell", "", ()), ir.Kind("trick", "", ()))
    return program(
        kinds=kinds,
        zones=(STACK, LINE),
        variables=(ACTIVE, FLAG),
        stages=(ir.Stage("only", "", (), None, clauses),),
        players=(2, None),
    )


def put(kind: str = "spell", player: int = 0, zone: str = "stack") -> ir.Put:
    return ir.Put(kind, ir.Literal(player), (), zone)


def shortest(
    of: ir.Program, formula: f.Formula, *spotlights: f.Spotlight, size: int = 2, players: int = 2
) -> int | None:
    """Return the number of moves of the shortest play to a moment at which *formula* is true."""
    question = f.Property("asked", "", "", "possible", spotlights, formula, None, "")
    (verdict,) = check(
        of, [question], make_scope(of, players, {zone.name: size for zone in of.zones})
    )
    assert (verdict.trace is None) == (verdict.outcome is Outcome.IMPOSSIBLE)
    return None if verdict.trace is None else len(verdict.trace.steps)


def seat(number: int) -> ir.Expr:
    return ir.Literal(number)


def kind_is(item: str, kind: str) -> f.Formula:
    return f.Holds(ir.Equal(ir.AttributeOf(ir.Local(item), ir.KIND), ir.Literal(kind)), (item,))


def flag(value: bool) -> ir.Assign:
    return ir.Assign("flag", None, ir.Literal(value))


# ------------------------------------------------------------------ what is enabled


def test_a_gap_is_where_the_rules_are_silent_not_where_the_scope_is() -> None:
    without_guard = game(clause("1", "must", put(), AGAIN))
    with_guard = game(clause("1", "must", put(), AGAIN, guard=ir.IsEmpty("stack")))
    assert shortest(without_guard, f.Gap()) is None
    assert shortest(with_guard, f.Gap()) == 1


@pytest.mark.parametrize(
    ("clauses", "conflict"),
    [
        ((clause("1", "must", flag(True), AGAIN), clause("2", "must", flag(False), AGAIN)), 0),
        ((clause("1", "must", flag(False), AGAIN), clause("2", "must", AGAIN)), None),
        ((clause("1", "must", AGAIN), clause("2", "may", AGAIN, owner=ANY)), 0),
        (
            (
                clause("1", "may", flag(True), AGAIN, owner=ANY),
                clause("2", "may", AGAIN, owner=ANY),
            ),
            None,
        ),
        ((clause("1", "must", flag(True), AGAIN), clause("2", "chance", AGAIN)), None),
        ((clause("1", "must", ir.Branch((("a", (flag(True),)), ("b", ())), None), AGAIN),), None),
        (
            (
                clause("1", "must", ir.Branch((("a", (flag(True),)), ("b", ())), None), AGAIN),
                clause("2", "must", AGAIN),
            ),
            0,
        ),
        (
            (
                clause("1", "must", flag(True), AGAIN),
                clause("2", "must", AGAIN, guard=ir.Variable("flag")),
            ),
            None,
        ),
    ],
)
def test_a_conflict_is_two_outcomes_of_the_rules(
    clauses: tuple[ir.Clause, ...], conflict: int | None
) -> None:
    assert shortest(game(*clauses), f.Conflict()) == conflict


def test_who_may_do_what() -> None:
    only_b = ir.Owner(None, "who", ir.Equal(ir.Local("who"), seat(1)))
    once = clause(
        "2", "may", flag(True), AGAIN, guard=ir.Not(ir.Variable("flag")), owner=ir.Owner(seat(0))
    )
    of = game(clause("1", "may", ir.Pass(), AGAIN, owner=only_b), once)
    assert shortest(of, f.Enabled(seat(1), "pass")) == 0
    assert shortest(of, f.Enabled(seat(0), "pass")) is None
    assert shortest(of, f.Enabled(seat(0), "act")) == 0
    assert shortest(of, f.Enabled(seat(1), "act")) is None
    assert shortest(of, f.Not(f.Enabled(None, "act"))) == 1
    assert shortest(of, f.Not(f.ClausePossible("2"))) == 1
    assert (
        shortest(
            of, f.And((f.Enabled(ir.Local("p"), "pass"), f.Enabled(ir.Local("q"), "act"))), P, Q
        )
        == 0
    )
    assert (
        shortest(of, f.And((f.Enabled(ir.Local("p"), "pass"), f.Enabled(ir.Local("p"), "act"))), P)
        is None
    )


def test_what_only_the_scope_cuts_is_possible() -> None:
    of = game(clause("1", "may", put(), AGAIN, owner=ir.Owner(seat(0))))
    assert shortest(of, f.Not(f.ClausePossible("1"))) is None
    assert shortest(of, f.Not(f.Enabled(seat(0), "act"))) is None


# ------------------------------------------------------------------ whose move it was


def test_whose_move_it_was() -> None:
    is_a, is_b = ir.Equal(ir.Local("who"), seat(0)), ir.Equal(ir.Local("who"), seat(1))
    of = game(
        clause("1", "may", flag(True), AGAIN, owner=ir.Owner(None, "who", is_a)),
        clause(
            "2",
            "may",
            ir.Pass(),
            AGAIN,
            guard=ir.Variable("flag"),
            owner=ir.Owner(None, "who", is_b),
        ),
    )
    assert shortest(of, f.PlayerEvent("acts", seat(0))) == 1
    assert shortest(of, f.PlayerEvent("acts", seat(1))) is None
    assert shortest(of, f.PlayerEvent("passes", seat(1))) == 2
    assert shortest(of, f.PlayerEvent("passes", ir.Local("p")), P) == 2
    assert shortest(of, f.Uses("2", seat(1))) == 2
    assert shortest(of, f.Uses("2", seat(0))) is None
    assert (
        shortest(of, f.And((f.Once(f.Uses("1", ir.Local("p"))), f.Uses("2", ir.Local("q")))), P, Q)
        == 2
    )


def test_the_moves_of_others_are_others() -> None:
    of = game(
        clause(
            "1",
            "may",
            ir.Assign("flag", None, ir.Equal(ir.Local("who"), seat(1))),
            AGAIN,
            owner=ANY,
        )
    )
    assert shortest(of, f.And((f.Uses("1", seat(1)), f.Previously(f.Uses("1", seat(0)))))) == 2
    assert (
        shortest(of, f.And((f.PlayerEvent("acts", seat(0)), f.Holds(ir.Variable("flag"))))) is None
    )


def test_a_player_with_priority_is_found_at_the_first_chance() -> None:
    of = two_passes()
    assert shortest(of, f.HasPriority(ir.Local("p")), P) == 0
    assert shortest(of, f.HasPriority(seat(1))) == 1
    assert (
        shortest(
            of,
            f.And((f.HasPriority(ir.Local("p")), f.PlayerEvent("passes", ir.Local("q")))),
            P,
            Q,
            players=3,
        )
        == 1
    )
    assert (
        shortest(of, f.And((f.HasPriority(seat(2)), f.PlayerEvent("passes", None))), players=3) == 2
    )


# ------------------------------------------------------------------ items


def putting_and_taking(zone: str) -> ir.Program:
    not_empty = ir.Not(ir.IsEmpty(zone))
    return game(
        clause("put", "chance", put("spell", 0, zone), AGAIN),
        clause("trick", "chance", put("trick", 1, zone), AGAIN, guard=not_empty),
        clause("take", "chance", ir.Leave(ir.EndOf(zone), "resolves"), AGAIN, guard=not_empty),
    )


@pytest.mark.parametrize(("zone", "waited"), [("stack", None), ("line", 3)])
def test_an_item_moves_up_in_a_line_but_not_in_a_stack(zone: str, waited: int | None) -> None:
    """It is put behind another one, which leaves, and then it is next."""
    of, is_next = putting_and_taking(zone), f.IsNext("i", zone)
    born_behind = f.Once(f.And((f.ItemEvent("is put on", "i", zone), f.Not(is_next))))
    assert shortest(of, f.And((is_next, born_behind)), ITEM) == waited
    covered = f.And(
        (
            is_next,
            f.Previously(f.And((f.On("i", zone), f.Not(is_next)))),
            f.Once(f.ItemEvent("is put on", "i", zone)),
        )
    )
    assert shortest(of, covered, ITEM) == 3


def test_items_are_told_apart_by_what_they_are() -> None:
    of = putting_and_taking("stack")
    assert shortest(of, f.And((f.ItemEvent("resolves", "i"), kind_is("i", "spell"))), ITEM) == 2
    assert shortest(of, f.And((f.ItemEvent("resolves", "i"), kind_is("i", "trick"))), ITEM) == 3
    assert (
        shortest(
            of,
            f.And(
                (
                    kind_is("i", "spell"),
                    kind_is("j", "trick"),
                    f.Previously(f.Not(f.On("i", "stack"))),
                )
            ),
            ITEM,
            OTHER,
        )
        == 4
    )
    mine = f.Holds(ir.Equal(ir.AttributeOf(ir.Local("i"), ir.CONTROLLER), ir.Local("p")), ("i",))
    assert (
        shortest(
            of,
            f.And((f.ItemEvent("is put on", "i", "stack"), mine, kind_is("i", "trick"))),
            ITEM,
            P,
        )
        == 2
    )


def test_an_item_that_has_left_is_remembered() -> None:
    of, resolved = putting_and_taking("stack"), f.ItemEvent("resolves", "i")
    assert shortest(of, f.Previously(resolved), ITEM) == 3
    assert (
        shortest(
            of,
            f.And((f.Previously(f.Previously(resolved)), f.Not(f.Once(f.On("i", "line"))))),
            ITEM,
        )
        == 4
    )


def test_before_an_item_is_seen_everything_said_of_it_is_false() -> None:
    of = putting_and_taking("stack")
    always_true = f.Holds(
        ir.Not(ir.Equal(ir.AttributeOf(ir.Local("i"), ir.KIND), ir.Literal("other"))), ("i",)
    )
    assert shortest(of, f.Not(always_true), ITEM) == 0
    assert shortest(of, always_true, ITEM) == 1


def test_one_new_item_is_not_two() -> None:
    new = f.And((f.ItemEvent("is put on", "i", "stack"), f.ItemEvent("is put on", "j", "stack")))
    assert shortest(game(clause("1", "must", put(), AGAIN)), new, ITEM, OTHER) is None
    assert shortest(game(clause("1", "must", put(), put(), AGAIN)), new, ITEM, OTHER) == 1


def test_an_item_may_come_and_go_within_a_move() -> None:
    of = game(
        clause(
            "1",
            "must",
            put(),
            ir.Move(ir.EndOf("stack"), "line"),
            ir.Leave(ir.EndOf("line"), "is removed"),
            AGAIN,
        )
    )
    happened = [
        f.ItemEvent("is put on", "i", "stack"),
        f.ItemEvent("leaves", "i", "stack"),
        f.ItemEvent("is put on", "i", "line"),
        f.ItemEvent("leaves", "i", "line"),
        f.ItemEvent("is removed", "i"),
    ]
    assert shortest(of, f.And(tuple(happened)), ITEM) == 1
    assert (
        shortest(
            of, f.Or((f.On("i", "stack"), f.On("i", "line"), f.ItemEvent("resolves", "i"))), ITEM
        )
        is None
    )


# ------------------------------------------------------------------ the past


def test_since_forgets_and_previously_is_one_moment() -> None:
    of = game(
        clause("on", "chance", flag(True), AGAIN), clause("off", "chance", flag(False), AGAIN)
    )
    is_on, on, off = f.Holds(ir.Variable("flag")), f.Uses("on"), f.Uses("off")
    assert shortest(of, f.And((f.Since(f.Not(off), on), f.Once(off)))) == 2
    assert shortest(of, f.And((f.Since(f.Not(off), on), f.Not(is_on)))) is None
    assert shortest(of, f.And((f.Previously(is_on), off))) == 2
    assert (
        shortest(of, f.And((f.Previously(f.Previously(is_on)), f.Previously(f.Not(is_on)), is_on)))
        == 3
    )
    assert shortest(of, f.Previously(f.Not(is_on))) == 1
    assert shortest(of, f.And((f.Previously(f.Once(is_on)), f.Not(f.Previously(is_on))))) == 3
