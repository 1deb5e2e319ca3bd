"""Items that a move has chosen and still does something with, while others come and go around
them.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from stacklaw.checker.explicit.decide import Deciding
from stacklaw.checker.explicit.emit.emit import emit
from stacklaw.checker.explicit.moves.layout import Layout
from stacklaw.checker.explicit.search.interpreted import Interpreted
from stacklaw.checker.questions.questions import Query
from stacklaw.checker.reference.engine import look_for as look_for_reference
from stacklaw.checker.reference.formulas.signals import Signals
from stacklaw.checker.reference.semantics.explore import explore
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.replay.replay import replay
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.scope import make_scope
from stacklaw.models import ir
from stacklaw.properties import formula as f

from ..luck import tries
from ..strategies_ir import KINDS, SPOTLIGHTS, ZONES, formulas, players, programs

ONE, OTHER = ir.Local("one"), ir.Local("other")


def _put() -> st.SearchStrategy[ir.Block]:
    return st.builds(
        lambda kind, who, shut, zone: (ir.Put(kind, who, (ir.Literal(shut),), zone),),
        st.sampled_from(KINDS), players("holder"), st.booleans(), st.sampled_from(ZONES),
    )  # fmt: skip


def _end_moves() -> st.SearchStrategy[ir.Block]:
    return st.builds(
        lambda zone, to: (
            ir.If(
                ir.Not(ir.IsEmpty(zone)),
                (
                    ir.Alter(ir.EndOf(zone), "shut", ir.YES)
                    if to is None
                    else ir.Move(ir.EndOf(zone), to),
                ),
                (),
            ),
        ),
        st.sampled_from(["stack", "queue"]),
        st.sampled_from([None, *ZONES]),
    )


@st.composite
def _chosen(draw: st.DrawFn, name: str) -> ir.Choose:
    """Return a choice of any item of some zone, or of one whose controller comes first."""
    nearest = ir.Nearest(ir.AttributeOf(ir.Local(name), ir.CONTROLLER), draw(players("holder")))
    return ir.Choose(
        name,
        ir.ItemsOn(draw(st.sampled_from(ZONES))),
        ir.YES,
        draw(st.sampled_from([None, None, nearest])),
        None,
    )


@st.composite
def bodies(draw: st.DrawFn) -> ir.Block:
    """Return bodies that choose an item or two, let things happen, and then do something with what
    they chose.
    """
    around = st.one_of(
        _put(),
        _end_moves(),
        st.just((ir.Branch((("one", ()), ("two", (ir.Assign("due", None, ir.YES),))), "cards"),)),
    )
    one = draw(_chosen("one"))
    before: ir.Block = sum(draw(st.lists(around, max_size=2)), ())
    between: ir.Block = sum(draw(st.lists(around, max_size=2)), ())
    second: ir.Block = ()
    if draw(st.booleans()):
        is_shut: ir.Expr = ir.YES if draw(st.booleans()) else ir.Not(ir.AttributeOf(OTHER, "shut"))
        moved = ir.Move(OTHER, draw(st.sampled_from(ZONES)))
        does: ir.Statement = ir.Alter(OTHER, "shut", is_shut) if draw(st.integers(0, 2)) else moved
        second = (draw(_chosen("other")), *between, does)
        second = draw(st.sampled_from([second, (ir.Branch((("one", second), ("two", ())), None),)]))
    to = draw(st.sampled_from(ZONES))
    ends: list[ir.Statement] = [
        ir.Move(ONE, to),
        ir.Leave(ONE, "resolves"),
        ir.Leave(ONE, "is removed"),
        ir.BeginResolving(ONE),
    ]
    ends.append(ir.Alter(ONE, "shut", ir.Not(ir.AttributeOf(ONE, "shut"))))
    looked: ir.Block = draw(
        st.sampled_from([(), (ir.Assign("due", None, ir.AttributeOf(ONE, "shut")),)])
    )
    last = draw(st.sampled_from(ends))
    return (
        *before,
        one,
        *second,
        *between,
        *looked,
        ir.Let("who", ir.AttributeOf(ONE, ir.CONTROLLER)),
        last,
        ir.Go("decide", (ir.Local("who"),)),
    )


@st.composite
def games(draw: st.DrawFn) -> ir.Program:
    """Return small games whose first stage has such a clause, and one that puts an item
    somewhere.
    """
    program = draw(programs())
    decide = next(stage for stage in program.stages if stage.name == "decide")
    put = draw(_put())
    clauses = (
        *decide.clauses[:1],
        ir.Clause("one", "one", "may", (), ir.Owner(ir.Local("holder")), ir.YES, draw(bodies())),
        ir.Clause(
            "put",
            "put",
            "must",
            (),
            ir.Owner(),
            ir.YES,
            (*put, ir.Go("decide", (ir.Neighbour(ir.Local("holder"), 1),))),
        ),
    )
    stages = tuple(
        replace(stage, clauses=clauses) if stage.name == "decide" else stage
        for stage in program.stages
    )
    return replace(program, stages=stages)


def check_game(program: ir.Program, data: st.DataObject, most: int) -> None:
    """Compare the moves of the first positions, and what is said of a random formula."""
    scope = make_scope(program, 2, {"stack": 2, "queue": 2, "pool": 3})
    interpreter = Interpreter(program, scope)
    graph = explore(interpreter, Meter(Budget(positions=most)))
    layout = Layout(program, scope)
    run = Interpreted(emit(layout))
    for number in range(graph.expanded):
        found = [
            layout.unpack(words) for words in run.outputs(layout.pack(graph.positions[number]))
        ]
        assert found == [graph.positions[target] for _, target in graph.successors(number)]
    assume(not graph.stopped)
    spotlights = data.draw(st.sampled_from([SPOTLIGHTS, SPOTLIGHTS[:2], SPOTLIGHTS[:1]]))
    formula = data.draw(formulas(spotlights))
    query = Query(formula, spotlights)
    expected = look_for_reference(Signals(graph), query, Meter())
    answer = Deciding(program, scope, [query], interpreter, Meter(), 1 << 60).answer(query)
    assert (answer.trace and len(answer.trace.steps)) == (
        expected.trace and len(expected.trace.steps)
    )
    if answer.trace is not None:
        replay(
            interpreter,
            answer.trace,
            f.Property("random", "", "", "possible", spotlights, formula, None, ""),
        )


@pytest.mark.slow
@given(games(), st.data())
@tries(80)
def test_items_are_found_where_they_are(program: ir.Program, data: st.DataObject) -> None:
    check_game(program, data, 600)
