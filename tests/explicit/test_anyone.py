"""Choices among items that look alike in a slice: any one does, unless the move goes on to name an
item in another way.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from stacklaw.checker.reference.semantics.explore import explore
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.slicing.needs import Slicer
from stacklaw.checker.slicing.specialise import AnyOn, Specialiser
from stacklaw.checker.types.budget import Meter
from stacklaw.checker.types.scope import make_scope
from stacklaw.models import ir
from stacklaw.properties import formula as f

from ..strategies_ir import VARIABLES
from ..tiny import HOLDER, NOT_EMPTY, STACK, clause, program
from .test_slice import difference

QUEUE = ir.Zone("queue", "fifo", "", ())
ONE, OTHER = ir.Local("one"), ir.Local("other")
ON = ir.Go("decide", (HOLDER,))


def chosen(name: str, *, first: bool = False) -> ir.Choose:
    """Return a choice of an item on the stack, or of one whose controller comes *first*."""
    nearest = ir.Nearest(ir.AttributeOf(ir.Local(name), ir.CONTROLLER), HOLDER) if first else None
    return ir.Choose(name, ir.ItemsOn("stack"), ir.YES, nearest, None)


def game(*body: ir.Statement) -> ir.Program:
    """Return a game in which anyone puts items on the stack, and a clause does *body* with them."""
    put = clause(
        "put",
        "may",
        ir.Put("spell", HOLDER, (), "stack"),
        ir.Go("decide", (ir.Neighbour(HOLDER, 1),)),
    )
    its = clause("its", "may", *body, guard=NOT_EMPTY)
    decide = ir.Stage("decide", "", (ir.Parameter("holder", ir.PlayerType()),), HOLDER, (put, its))
    return program(
        players=(2, None),
        zones=(STACK, QUEUE),
        variables=VARIABLES[:1],
        stages=(decide,),
        start=ir.Go("decide", (ir.Literal(0),)),
    )


TWICE = (chosen("one"), chosen("other"), ir.Move(OTHER, "queue"), ir.Move(ONE, "stack"), ON)
"""One of them may be the other one."""
BOTH_FIRST = (
    chosen("one", first=True),
    chosen("other", first=True),
    ir.Move(OTHER, "queue"),
    ir.Move(ONE, "stack"),
    ON,
)
"""They are the same if one player has a single item there."""
THE_TOP = (chosen("one"), ir.Move(ir.EndOf("stack"), "queue"), ir.Move(ONE, "queue"), ON)
"""It may be the top."""
INSIDE = (
    chosen("one"),
    ir.Branch((("", (chosen("other"), ir.Move(OTHER, "queue"))), ("", ())), None),
    ir.Move(ONE, "stack"),
    ON,
)
"""The other is chosen in a branch, and the one is named after it."""
BY_ITSELF = (
    chosen("one", first=True),
    ir.Move(ONE, "queue"),
    ir.Leave(ir.EndOf("queue"), "resolves"),
    ON,
)
"""It makes no difference which."""
IN_TURN = (
    chosen("one"),
    ir.Leave(ONE, "resolves"),
    ir.If(NOT_EMPTY, (chosen("other"), ir.Leave(OTHER, "is removed")), ()),
    ON,
)


@pytest.mark.parametrize(
    ("body", "once"),
    [
        (TWICE, ["one"]),
        (BOTH_FIRST, []),
        (THE_TOP, []),
        (INSIDE, ["one"]),
        (BY_ITSELF, ["one"]),
        (IN_TURN, ["one", "other"]),
    ],
    ids=["twice", "both first", "the top", "inside", "by itself", "in turn"],
)
def test_a_choice_is_made_once_only_where_it_makes_no_difference(
    body: ir.Block, once: list[str]
) -> None:
    two = game(*body)
    scope = make_scope(two, 2, {"stack": 3, "queue": 3})
    graph = explore(Interpreter(two, scope), Meter())
    kept = Slicer(two, scope).slice_for([f.Gap()], ())
    assert not difference(graph, two, scope, kept)
    left = Specialiser(two, scope, kept).block(body)
    assert [
        node.variable
        for node in ir.walk(left)
        if isinstance(node, ir.Choose) and isinstance(node.domain, AnyOn)
    ] == once


def test_where_items_are_followed_every_choice_is_made() -> None:
    two = game(*BY_ITSELF)
    scope = make_scope(two, 2, {"stack": 3, "queue": 3})
    kept = Slicer(two, scope).slice_for([f.Gap()], ())
    left = Specialiser(two, scope, replace(kept, follows=True)).block(BY_ITSELF)
    assert not any(isinstance(node, AnyOn) for node in ir.walk(left))
