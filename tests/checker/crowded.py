"""Random Programs whose zones are soon full, so that the scope cuts moves, and what follows a
``put`` decides what becomes of them.
"""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from stacklaw.models import ir

from ..strategies_ir import ACTIVE, HOLDER, KINDS, ZONES, Mode, programs
from ..symbolic.rich import rich_programs

_LIMITED = ("stack", "queue")


@st.composite
def _condition(draw: st.DrawFn, zone: str) -> ir.Expr:
    """Return a condition that may well change while items join *zone*."""
    size, number = ir.Size(zone), ir.Literal(draw(st.integers(1, 3)))
    some = ir.Exists("x", ir.ItemsOn(zone), ir.AttributeOf(ir.Local("x"), "shut"))
    said: list[ir.Expr] = [
        ir.Less(number, size),
        ir.Less(size, number),
        ir.Equal(size, number),
        some,
        ir.Not(some),
        ir.Variable("due"),
    ]
    return draw(st.sampled_from(said))


def _removed(zone: str, to: str | None) -> ir.Statement:
    item = ir.EndOf(zone)
    return ir.If(
        ir.Not(ir.IsEmpty(zone)),
        (ir.Leave(item, "is removed") if to is None else ir.Move(item, to),),
        (),
    )


def _chosen(zone: str, to: str | None, condition: ir.Expr) -> ir.Statement:
    item = ir.Local("chosen")
    does = ir.Leave(item, "is removed") if to is None else ir.Move(item, to)
    return ir.If(
        ir.Not(ir.IsEmpty(zone)),
        (ir.Choose("chosen", ir.ItemsOn(zone), condition, None, None), does),
        (),
    )


def _each(zone: str, to: str | None, of_shut: bool) -> ir.Statement:
    item = ir.Local("every")
    is_left = to is None or to == zone or zone == "pool"
    does: ir.OfEach = ir.Leave(item, "is removed") if is_left or to is None else ir.Move(item, to)
    return ir.ForEach(
        "every", ir.ItemsOn(zone), ir.AttributeOf(item, "shut") if of_shut else ir.YES, (does,)
    )


@st.composite
def _later(draw: st.DrawFn, zone: str) -> ir.Statement:
    """Return what may decide what becomes of a move after something has joined *zone*."""
    other = draw(st.sampled_from(ZONES))
    to = draw(st.sampled_from([None, *ZONES]))
    sized: list[ir.Expr] = [
        ir.Size(zone),
        ir.Add(ir.Variable("count"), ir.Literal(1)),
        ir.Literal(0),
    ]
    pieces: list[ir.Statement] = [
        ir.Require(draw(_condition(zone))),
        ir.Require(draw(_condition(other))),
        _chosen(zone, to, ir.YES),
        _chosen(other, to, ir.AttributeOf(ir.Local("chosen"), "shut")),
        _removed(zone if zone in _LIMITED else "stack", to),
        _removed(zone if zone in _LIMITED else "stack", None),
        ir.Assign("due", None, ir.Not(ir.Variable("due"))),
        ir.Assign("count", None, draw(st.sampled_from(sized))),
        ir.Advance("battle"),
        _each(zone, to, draw(st.booleans())),
        _each(other, to, draw(st.booleans())),
        ir.If(
            draw(_condition(zone)),
            (ir.Require(draw(_condition(other))),),
            (_removed("stack", None),),
        ),
        ir.Branch(
            (("one", (_removed("queue", None),)), ("other", (ir.Require(draw(_condition(zone))),))),
            None,
        ),
    ]
    return draw(st.sampled_from(pieces))


@st.composite
def _bodies(draw: st.DrawFn, put: ir.Put, mode: Mode, which: int) -> ir.Block:
    """Return what overflows *put*'s zone, and goes on in the way of number *which*: one of each
    sort there is of cut moves.
    """
    zone, number = put.zone, draw(st.integers(1, 2))
    limits: list[ir.Expr] = [
        ir.Less(ir.Size(zone), ir.Literal(2)),
        ir.Variable("due"),
        ir.Less(ir.Literal(3), ir.Size(zone)),
    ]
    limit = ir.Require(draw(st.sampled_from(limits)))
    ways: list[ir.Block] = [
        (limit,),
        (_chosen(zone, None, ir.YES),) * number,
        (_removed(zone, None),) * number if zone in _LIMITED else (_chosen(zone, "stack", ir.YES),),
        (ir.Pass(),) if mode == "may" else (ir.Advance("battle"),),
    ]
    return (*(put,) * number, *ways[which])


@st.composite
def _clauses(
    draw: st.DrawFn, id_: str, stage: str, attributes: tuple[ir.Expr, ...], mode: Mode, which: int
) -> ir.Clause:
    owner = ir.Owner((HOLDER if stage == "decide" else ACTIVE) if mode == "may" else None)
    put = ir.Put(draw(st.sampled_from(KINDS)), ACTIVE, attributes, draw(st.sampled_from(ZONES)))
    body = draw(_bodies(put, mode, which))
    for later in draw(st.lists(_later(put.zone), max_size=2)):
        at = draw(st.integers(0, len(body)))
        body = (*body[:at], later, *body[at:])
    go: ir.Statement = draw(st.sampled_from([ir.Go("decide", (ACTIVE,)), ir.Go("settle", ())]))
    return ir.Clause(id_, id_, mode, (), owner, ir.YES, (*body, go))


@st.composite
def crowded(draw: st.DrawFn) -> ir.Program:
    """Return random Programs with some clauses more, which put something somewhere and go on."""
    program = draw(st.one_of(programs(), programs(), rich_programs()))
    defaults = tuple(
        ir.YES if attribute.name == "shut" and draw(st.booleans()) else attribute.default
        for attribute in program.attributes
    )
    stages = []
    for number, stage in enumerate(program.stages, 1):
        modes: list[Mode] = ["may", draw(st.sampled_from(["must", "may", "chance"])), "must"]
        ways = draw(st.permutations([3, 0, 1, 2]))
        more = tuple(
            draw(_clauses(f"{number}.{9 - at}", stage.name, defaults, mode, ways[at]))
            for at, mode in enumerate(modes)
        )
        kept = draw(st.sampled_from([1, 2, 0, len(stage.clauses)]))
        stages.append(replace(stage, clauses=(*stage.clauses[:kept], *more)))
    return replace(program, stages=tuple(stages))
