"""Random small Programs and formulas, straight in the types of the IR: what Hypothesis plays
with.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, TypeAlias

from hypothesis import strategies as st

from stacklaw.models import ir
from stacklaw.properties import formula as f

Mode: TypeAlias = Literal["may", "must", "chance"]
STEPS = ("first", "last")
ZONES = ("stack", "queue", "pool")
KINDS = ("spell", "trick")
WITHOUT_PARTS = (ir.Advance(ir.TURN), ir.Advance("battle"), ir.StepTo("battle", "first"))
"""Statements that nothing stands in, as random Programs write them."""
HOLDER = ir.Local("holder")
ACTIVE = ir.Variable(ir.ACTIVE)


def _sequence(name: str, variable: str) -> ir.Sequence:
    return ir.Sequence(name, variable, "", tuple(ir.Step(step, "", ()) for step in STEPS))


def _variable(
    name: str, type_: ir.Type, initial: ir.Expr, *, each_player: bool = False
) -> ir.VariableDeclaration:
    return ir.VariableDeclaration(name, type_, each_player, initial, "", ())


VARIABLES = (
    _variable(ir.ACTIVE, ir.PlayerType(), ir.Literal(0)),
    _variable(ir.STEP, ir.EnumType(STEPS), ir.Literal("first")),
    _variable("battle", ir.EnumType((ir.NO_STEP, *STEPS)), ir.Literal(ir.NO_STEP)),
    _variable("due", ir.FlagType(), ir.NO),
    _variable("count", ir.NumberType(ir.Literal(0), ir.Literal(2)), ir.Literal(0)),
    _variable("passed", ir.PlayersType(), ir.NoPlayers()),
    _variable("marked", ir.PlayerType(optional=True), ir.Literal(None)),
    _variable("hand", ir.NumberType(ir.Literal(0), ir.Literal(1)), ir.Literal(1), each_player=True),
)

# ------------------------------------------------------------------ expressions


@cache
def players(*locals_: str) -> st.SearchStrategy[ir.Expr]:
    """Return expressions for a player, with *locals_* in sight."""
    named = [ACTIVE, ir.Neighbour(ACTIVE, 1), *(ir.Local(name) for name in locals_)]
    return st.sampled_from([*named, *(ir.Neighbour(ir.Local(name), -1) for name in locals_)])


@cache
def conditions(*locals_: str) -> st.SearchStrategy[ir.Expr]:
    """Return flag expressions about the position, with *locals_* (players) in sight."""
    player = players(*locals_)
    leaves = st.one_of(
        st.sampled_from([ir.IsEmpty(zone) for zone in ZONES]),
        st.sampled_from(
            [
                ir.Variable("due"),
                ir.OneOf(ir.Variable(ir.STEP), ("last",)),
                ir.Equal(ir.Variable("battle"), ir.Literal("first")),
            ]
        ),
        st.builds(lambda n: ir.Less(ir.Variable("count"), ir.Literal(n)), st.integers(1, 2)),
        st.builds(lambda p: ir.Contains(ir.Variable("passed"), p), player),
        st.builds(
            lambda n: ir.Less(ir.Literal(n), ir.Count(ir.Variable("passed"))), st.integers(0, 1)
        ),
        st.builds(lambda p: ir.Equal(ir.Variable("marked"), p), player),
        st.builds(lambda p: ir.Equal(ir.Entry("hand", p), ir.Literal(0)), player),
        st.builds(ir.Equal, player, player),
        st.builds(
            lambda zone, who: ir.Exists(
                "x", ir.ItemsOn(zone), ir.Equal(ir.AttributeOf(ir.Local("x"), ir.CONTROLLER), who)
            ),
            st.sampled_from(ZONES),
            player,
        ),
    )
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.builds(ir.Not, inner),
            st.builds(lambda a, b: ir.All((a, b)), inner, inner),
            st.builds(lambda a, b: ir.Any((a, b)), inner, inner),
        ),
        max_leaves=3,
    )


# ------------------------------------------------------------------ statements


def _where_not_empty(zone: str, statement: ir.Statement) -> ir.Block:
    return (ir.If(ir.Not(ir.IsEmpty(zone)), (statement,), ()),)


@cache
def _items(names: tuple[str, ...]) -> st.SearchStrategy[ir.Block]:
    """Return what can be done with the end of a zone, where there is one."""
    to = st.sampled_from(ZONES)

    def of_end(zone: str) -> st.SearchStrategy[ir.Block]:
        end = ir.EndOf(zone)
        moved: st.SearchStrategy[ir.Statement] = st.builds(lambda t: ir.Move(end, t), to)
        done: st.SearchStrategy[ir.Statement] = st.sampled_from([
            ir.Leave(end, "resolves"), ir.Leave(end, "is removed"), ir.BeginResolving(end),
            ir.Alter(end, "shut", ir.YES),
            ir.Alter(end, "shut", ir.Not(ir.AttributeOf(end, "shut"))),
        ])  # fmt: skip
        return st.one_of(moved, done).map(lambda statement: _where_not_empty(zone, statement))

    end = st.sampled_from(["stack", "queue"]).flatmap(of_end)
    chosen = st.builds(
        lambda z, t, cond, near: (
            ir.Choose(
                "it",
                ir.ItemsOn(z),
                cond,
                ir.Nearest(ir.AttributeOf(ir.Local("it"), ir.CONTROLLER), ACTIVE) if near else None,
                None,
            ),
            t,
        ),
        st.sampled_from(ZONES),
        st.one_of(
            st.builds(lambda t: ir.Move(ir.Local("it"), t), to),
            st.just(ir.Leave(ir.Local("it"), "resolves")),
            st.just(
                ir.Alter(ir.Local("it"), "shut", ir.Not(ir.AttributeOf(ir.Local("it"), "shut")))
            ),
        ),
        conditions(*names),
        st.booleans(),
    )
    return st.one_of(end, chosen)


@cache
def _for_each(names: tuple[str, ...]) -> st.SearchStrategy[ir.Block]:
    """Return what is done for every item of a zone, or every player, of some sort."""
    it, which = ir.Local("each"), conditions(*names)
    item = st.one_of(
        st.just(ir.YES),
        which,
        st.builds(lambda p: ir.Equal(ir.AttributeOf(it, ir.CONTROLLER), p), players(*names)),
        st.just(ir.AttributeOf(it, "shut")),
        st.just(ir.Equal(ir.AttributeOf(it, ir.KIND), ir.Literal("spell"))),
    )
    ways = [
        (zone, to)
        for zone in ZONES
        for to in (None, None, *ZONES)
        if to != zone and (zone != "pool" or to is None)
    ]
    of_items = st.builds(
        lambda way, said, how: ir.ForEach(
            "each", ir.ItemsOn(way[0]), said, (how if way[1] is None else ir.Move(it, way[1]),)
        ),
        st.sampled_from(ways),
        item,
        st.sampled_from(
            [
                ir.Leave(it, "resolves"),
                ir.Leave(it, "is removed"),
                ir.Alter(it, "shut", ir.YES),
                ir.Alter(it, "shut", ir.NO),
            ]
        ),
    )
    hand = ir.Entry("hand", it)
    of_players = st.builds(
        lambda who, said, value: ir.ForEach(
            "each", ir.PlayersIn(who), said, (ir.Assign("hand", it, value),)
        ),
        st.sampled_from([ir.Everyone(), ir.Variable("passed"), ir.Without(ir.Everyone(), ACTIVE)]),
        st.one_of(
            which,
            st.just(ir.YES),
            st.just(ir.Equal(hand, ir.Literal(1))),
            st.just(ir.Contains(ir.Variable("passed"), it)),
        ),
        st.sampled_from(
            [
                ir.Literal(0),
                ir.Literal(1),
                ir.Entry("hand", ir.Neighbour(it, 1)),
                ir.Subtract(hand, ir.Literal(1)),
                ir.Subtract(ir.Literal(1), hand),
            ]
        ),
    )
    return st.one_of(of_items, of_items, of_players).map(lambda each: (each,))


@cache
def _simple(names: tuple[str, ...], *, passing: bool) -> st.SearchStrategy[ir.Block]:
    who = players(*names)
    put = st.builds(
        lambda k, p, flag, z: ir.Put(k, p, (ir.Literal(flag),), z),
        st.sampled_from(KINDS),
        who,
        st.booleans(),
        st.sampled_from(ZONES),
    )
    assigned = st.one_of(
        st.builds(lambda v: ir.Assign("due", None, ir.Literal(v)), st.booleans()),
        st.builds(
            lambda n: ir.Assign(
                "count", None, ir.Add(ir.Variable("count"), ir.Literal(n)) if n else ir.Literal(0)
            ),
            st.integers(0, 1),
        ),
        st.builds(lambda p: ir.Assign("passed", None, ir.With(ir.Variable("passed"), p)), who),
        st.builds(lambda p: ir.Assign("marked", None, p), who),
        st.builds(
            lambda p: ir.Assign("hand", p, ir.Subtract(ir.Entry("hand", p), ir.Literal(1))), who
        ),
    )
    steps = st.sampled_from([*WITHOUT_PARTS, ir.StepTo("battle", ir.NO_STEP)])
    single = [
        put,
        put,
        put,
        put,
        assigned,
        assigned,
        assigned,
        steps,
        steps,
        st.builds(ir.Require, conditions(*names)),
    ]
    if passing:
        single.append(st.just(ir.Pass()))
    return st.one_of(*single).map(lambda s: (s,))


@cache
def _blocks(names: tuple[str, ...], *, passing: bool) -> st.SearchStrategy[ir.Block]:
    """Return blocks that go on, one to three statements of them."""
    piece = st.one_of(
        _simple(names, passing=passing),
        _simple(names, passing=passing),
        _items(names),
        _for_each(names),
        st.builds(
            lambda a, b, by: (ir.Branch((("one", a), ("other", b)), by),),
            _simple(names, passing=False),
            st.one_of(st.just(()), _simple(names, passing=False)),
            st.sampled_from(["cards", None]),
        ),
        st.builds(
            lambda c, a: (ir.If(c, a, ()),), conditions(*names), _simple(names, passing=passing)
        ),
    )
    return st.lists(piece, min_size=1, max_size=3).map(lambda pieces: sum(pieces, ()))


@cache
def _ends(names: tuple[str, ...]) -> st.SearchStrategy[ir.Block]:
    go = st.one_of(
        st.builds(lambda p: (ir.Go("decide", (p,)),), players(*names)),
        st.just((ir.Go("settle", ()),)),
    )
    over = st.builds(lambda c, g: (ir.If(c, (ir.GameOver(),), g),), conditions(*names), go)
    return st.one_of(go, go, go, over)


@st.composite
def _clauses(draw: st.DrawFn, id_: str, stage: str) -> ir.Clause:
    mode: Mode = draw(
        st.sampled_from(
            ["may", "may", "must", "chance"]
            if stage == "decide"
            else ["must", "must", "chance", "may"]
        )
    )
    names: tuple[str, ...] = ("holder",) if stage == "decide" else ()
    if stage == "decide":
        owner = draw(
            st.sampled_from(
                [ir.Owner(HOLDER), ir.Owner(HOLDER), ir.Owner(None, "who", ir.YES)]
                if mode == "may"
                else [ir.Owner()]
            )
        )
    else:
        owner = (
            draw(st.sampled_from([ir.Owner(None, "who", ir.YES), ir.Owner(ACTIVE)]))
            if mode == "may"
            else ir.Owner()
        )
    if owner.variable:
        names = (*names, "who")
    guard = draw(st.one_of(st.just(ir.YES), st.just(ir.YES), conditions(*names)))
    body = draw(_blocks(names, passing=mode == "may")) + draw(_ends(names))
    return ir.Clause(id_, id_, mode, (), owner, guard, body)


@st.composite
def _kernel(draw: st.DrawFn) -> tuple[ir.Clause, ...]:
    """Return what most games have, so that plays are long: an act, a pass, and the end of a zone
    resolving.
    """
    zone = draw(st.sampled_from(["stack", "queue"]))
    put = ir.Put(draw(st.sampled_from(KINDS)), HOLDER, (ir.Literal(draw(st.booleans())),), zone)
    after = ir.Go("decide", (ir.Neighbour(HOLDER, 1),))
    resolve = ir.If(
        ir.Not(ir.IsEmpty(zone)),
        (ir.Leave(ir.EndOf(zone), "resolves"), ir.Go("decide", (ACTIVE,))),
        (after,),
    )
    marked = ir.Assign("passed", None, ir.With(ir.Variable("passed"), HOLDER))
    again = ir.Contains(ir.Variable("passed"), HOLDER)
    passing = ir.If(again, (ir.Assign("passed", None, ir.NoPlayers()), resolve), (marked, after))
    cast = (put, *draw(_blocks(("holder",), passing=False)), *draw(_ends(("holder",))))
    return (
        ir.Clause("1.1", "cast", "may", (), ir.Owner(HOLDER), ir.YES, cast),
        ir.Clause("1.2", "pass", "may", (), ir.Owner(HOLDER), ir.YES, (ir.Pass(), passing)),
    )


@st.composite
def programs(draw: st.DrawFn) -> ir.Program:
    """Return small Programs of two stages, with every kind of zone, variable and statement."""
    decide = (
        *draw(_kernel()),
        *(draw(_clauses(f"1.{n}", "decide")) for n in range(3, draw(st.integers(2, 4)) + 1)),
    )
    settle = tuple(
        draw(_clauses(f"2.{n}", "settle")) for n in range(1, draw(st.integers(1, 3)) + 1)
    )
    priority = draw(st.sampled_from([None, ir.Variable("passed"), ir.Variable("marked")]))
    return ir.Program(
        name="random",
        title="Random",
        document="",
        players=(2, None),
        options=(),
        settings=(),
        kinds=tuple(ir.Kind(kind, "", ()) for kind in KINDS),
        attributes=(ir.Attribute("shut", ir.FlagType(), ir.NO),),
        zones=(
            ir.Zone("stack", "lifo", "", ()),
            ir.Zone("queue", "fifo", "", ()),
            ir.Zone("pool", "unordered", "", ()),
        ),
        sequences=(_sequence(ir.TURN, ir.STEP), _sequence("battle", "battle")),
        variables=VARIABLES,
        stages=(
            ir.Stage("decide", "", (ir.Parameter("holder", ir.PlayerType()),), HOLDER, decide),
            ir.Stage("settle", "", (), priority, settle),
        ),
        start=ir.Go("decide", (ACTIVE,)),
        scope=(),
        claims=(),
        left_out=(),
        inactive=(),
        terms=(),
    )


# ------------------------------------------------------------------ formulas

SPOTLIGHTS = (f.Spotlight("item", "i"), f.Spotlight("item", "j"), f.Spotlight("player", "p"))


CLAUSES = ("1.1", "1.2", "1.3", "2.1")


@cache
def _item_atoms(items: tuple[str, ...], someone: ir.Expr) -> st.SearchStrategy[f.Formula]:
    item, zone = st.sampled_from(items), st.sampled_from(ZONES)
    asked = st.sampled_from([
        lambda i: ir.Equal(ir.AttributeOf(ir.Local(i), ir.KIND), ir.Literal("spell")),
        lambda i: ir.Equal(ir.AttributeOf(ir.Local(i), ir.CONTROLLER), ACTIVE),
        lambda i: ir.Not(ir.Equal(ir.AttributeOf(ir.Local(i), ir.CONTROLLER), someone)),
        lambda i: ir.AttributeOf(ir.Local(i), "shut"),
        lambda i: ir.Any((ir.IsEmpty("pool"), ir.AttributeOf(ir.Local(i), "shut"))),
    ])  # fmt: skip
    return st.one_of(
        st.builds(f.On, item, zone),
        st.builds(f.IsNext, item, st.sampled_from(["stack", "queue"])),
        _item_events(items),
        st.builds(lambda i, ask: f.Holds(ask(i), (i,)), item, asked),
        st.builds(lambda i: f.HasPriority(ir.AttributeOf(ir.Local(i), ir.CONTROLLER)), item),
        st.builds(
            lambda i: f.PlayerEvent("passes", ir.AttributeOf(ir.Local(i), ir.CONTROLLER)), item
        ),
    )


@cache
def _item_events(items: tuple[str, ...]) -> st.SearchStrategy[f.Formula]:
    item, zone = st.sampled_from(items), st.sampled_from(["stack", "queue", *ZONES])
    return st.one_of(
        st.builds(f.ItemEvent, st.sampled_from(["is put on", "leaves"]), item, zone),
        st.builds(
            f.ItemEvent, st.sampled_from(["resolves", "begins resolving", "is removed"]), item
        ),
    )


@cache
def formulas(spotlights: tuple[f.Spotlight, ...]) -> st.SearchStrategy[f.Formula]:
    """Return formulas about plays of the Programs above, with *spotlights* in sight."""
    items = tuple(spotlight.name for spotlight in spotlights if spotlight.kind == "item")
    seats = [spotlight.name for spotlight in spotlights if spotlight.kind == "player"]
    someone: list[ir.Expr | None] = [None, ACTIVE, *(ir.Local(seat) for seat in seats)]
    clause, player = st.sampled_from(CLAUSES), st.sampled_from(someone)
    of_positions: list[st.SearchStrategy[f.Formula]] = [
        st.builds(f.Holds, conditions(*seats)),
        st.builds(f.HasPriority, player),
        st.builds(f.Enabled, player, st.sampled_from(["pass", "act"])),
        st.builds(f.ClausePossible, clause),
        st.builds(f.AtStage, st.sampled_from(["decide", "settle"])),
        st.sampled_from([f.GameIsOver(), f.Gap(), f.Conflict()]),
    ]
    of_moves: list[st.SearchStrategy[f.Formula]] = [
        st.builds(
            f.ItemEvent, st.sampled_from(["is put on", "leaves"]), st.none(), st.sampled_from(ZONES)
        ),
        st.builds(f.PlayerEvent, st.sampled_from(["passes", "acts", "chooses"]), player),
        st.builds(f.Uses, clause, player),
        st.builds(
            f.SequenceEvent,
            st.sampled_from(["begins", "ends"]),
            st.sampled_from([None, ir.TURN, "battle"]),
        ),
    ]
    of_items = [_item_atoms(items, someone[-1] or ACTIVE)] * 8 if items else []
    moment = st.one_of(
        [_item_events(items), st.builds(f.ItemEvent, st.just("resolves"), st.sampled_from(items))]
        if items
        else of_moves
    )
    past = st.recursive(
        st.one_of(*of_positions, *of_moves, *of_items),
        lambda inner: st.one_of(
            st.builds(f.Not, inner),
            st.builds(lambda a, b: f.And((a, b)), inner, inner),
            st.builds(lambda a, b: f.Or((a, b)), inner, inner),
            st.builds(f.Previously, inner),
            st.builds(f.Once, inner),
            st.builds(f.Since, inner, inner),
        ),
        max_leaves=5,
    )
    return st.one_of(past, *[st.builds(lambda event, rest: f.And((event, rest)), moment, past)] * 3)
