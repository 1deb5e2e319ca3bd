"""Random Programs in which clauses say more than those of `strategies_ir`: choices of players and
numbers, sets compared, what items are.

They are for the encoding, which has a way of its own with each of these; the searches read them as
any others.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise

from hypothesis import strategies as st

from stacklaw.models import ir
from stacklaw.properties import formula as f

from ..strategies_ir import ACTIVE, KINDS, WITHOUT_PARTS, ZONES, Mode, programs

WATCHED = (f.Spotlight("item", "i"), f.Spotlight("player", "p"), f.Spotlight("player", "q"))
ORDERED = ("stack", "queue")
ATTRIBUTES = (
    ir.Attribute("shut", ir.FlagType(), ir.NO),
    ir.Attribute("level", ir.NumberType(ir.Literal(0), ir.Literal(2)), ir.Literal(0)),
    ir.Attribute("target", ir.PlayerType(optional=True), ir.Literal(None)),
)
ZERO = ir.Literal(0)


@cache
def _players(*names: str) -> st.SearchStrategy[ir.Expr]:
    named: list[ir.Expr] = [ACTIVE, *(ir.Local(name) for name in names)]
    return st.one_of(
        st.sampled_from(named),
        st.builds(ir.Neighbour, st.sampled_from(named), st.sampled_from([1, -1])),
        st.sampled_from(named),
    )


@cache
def _sets(*names: str) -> st.SearchStrategy[ir.Expr]:
    least: st.SearchStrategy[ir.Expr] = st.sampled_from(
        [ir.Variable("passed"), ir.Variable("passed"), ir.Everyone(), ir.NoPlayers()]
    )
    return st.one_of(
        least,
        st.builds(ir.With, least, _players(*names)),
        st.builds(ir.Without, least, _players(*names)),
        st.just(ir.Variable("passed")),
    )


@cache
def _numbers(*names: str) -> st.SearchStrategy[ir.Expr]:
    least = st.one_of(
        st.integers(0, 2).map(ir.Literal),
        st.just(ir.Variable("count")),
        st.sampled_from(ZONES).map(ir.Size),
        st.builds(lambda who: ir.Entry("hand", who), _players(*names)),
        st.just(ir.PlayerNumber()),
        st.builds(ir.Count, _sets(*names)),
    )
    return st.one_of(
        least, least, st.builds(ir.Add, least, least), st.builds(ir.Subtract, least, least)
    )


@cache
def _of_item(item: ir.Local | ir.EndOf, *names: str) -> st.SearchStrategy[ir.Expr]:
    who = _players(*names)
    return st.one_of(
        st.builds(
            lambda kind: ir.OneOf(ir.AttributeOf(item, ir.KIND), (kind,)), st.sampled_from(KINDS)
        ),
        st.builds(lambda p: ir.Equal(ir.AttributeOf(item, ir.CONTROLLER), p), who),
        st.builds(lambda p: ir.Equal(ir.AttributeOf(item, "target"), p), who),
        st.builds(lambda p: ir.Contains(p, ir.AttributeOf(item, ir.CONTROLLER)), _sets(*names)),
        st.builds(lambda n: ir.Less(ir.AttributeOf(item, "level"), n), _numbers(*names)),
        st.just(ir.AttributeOf(item, "shut")),
    )


@cache
def _of_end(zone: str, *names: str) -> st.SearchStrategy[ir.Expr]:
    return _of_item(ir.EndOf(zone), *names).map(
        lambda said: ir.All((ir.Not(ir.IsEmpty(zone)), said))
    )


@cache
def conditions(*names: str, deep: int = 1) -> st.SearchStrategy[ir.Expr]:
    """Return flag expressions with the players *names* in sight."""
    leaves: list[st.SearchStrategy[ir.Expr]] = [
        st.sampled_from(ZONES).map(ir.IsEmpty),
        st.builds(ir.Less, _numbers(*names), _numbers(*names)),
        st.builds(ir.Equal, _numbers(*names), _numbers(*names)),
        st.builds(ir.Contains, _sets(*names), _players(*names)),
        st.builds(ir.Contains, _sets(*names), st.just(ir.Variable("marked"))),
        st.builds(ir.Equal, _sets(*names), _sets(*names)),
        st.builds(ir.Equal, _players(*names), _players(*names)),
        st.builds(lambda who: ir.Equal(ir.Variable("marked"), who), _players(*names)),
        st.sampled_from(ORDERED).flatmap(lambda zone: _of_end(zone, *names)),
        st.just(ir.Equal(ir.Variable("marked"), ir.Literal(None))),
    ]
    if deep:
        inner = f"x{deep}"
        among = _sets(*names).map(ir.PlayersIn)
        leaves += [
            st.builds(
                lambda domain, body: ir.Exists(inner, domain, body),
                among,
                conditions(*names, inner, deep=deep - 1),
            ),
            st.builds(
                lambda zone, body: ir.Exists(inner, ir.ItemsOn(zone), body),
                st.sampled_from(ZONES),
                _of_item(ir.Local(inner), *names),
            ),
            st.builds(
                lambda body: ir.Exists(inner, ir.NumbersFrom(ZERO, ir.Literal(2)), body),
                st.builds(ir.Equal, st.just(ir.Local(inner)), _numbers(*names)),
            ),
        ]
    leaf = st.one_of(leaves)
    return st.one_of(
        leaf,
        st.builds(ir.Not, leaf),
        st.builds(lambda a, b: ir.All((a, b)), leaf, leaf),
        st.builds(lambda a, b: ir.Any((ir.Not(a), b)), leaf, leaf),
    )


@cache
def _put(*names: str) -> st.SearchStrategy[ir.Statement]:
    who = _players(*names)
    given_ = st.tuples(
        st.booleans().map(ir.Literal),
        _numbers(*names),
        st.one_of(who, st.just(ir.Variable("marked"))),
    )
    return st.builds(ir.Put, st.sampled_from(KINDS), who, given_, st.sampled_from(ZONES))


@cache
def _assigned(*names: str) -> st.SearchStrategy[ir.Statement]:
    who = _players(*names)
    return st.one_of(
        st.builds(lambda value: ir.Assign("passed", None, value), _sets(*names)),
        st.builds(lambda value: ir.Assign("count", None, value), _numbers(*names)),
        st.builds(lambda p, value: ir.Assign("hand", p, value), who, _numbers(*names)),
        st.builds(
            lambda p: ir.Assign("marked", None, p), st.one_of(who, st.just(ir.Literal(None)))
        ),
        st.builds(lambda p: ir.Assign(ir.ACTIVE, None, p), who),
        st.sampled_from(WITHOUT_PARTS),
    )


@cache
def _simple(*names: str) -> st.SearchStrategy[ir.Block]:
    end = st.builds(
        lambda zone, to: (
            ir.If(
                ir.Not(ir.IsEmpty(zone)),
                (
                    ir.Leave(ir.EndOf(zone), "resolves")
                    if to is None
                    else ir.Move(ir.EndOf(zone), to),
                ),
                (),
            ),
        ),
        st.sampled_from(ORDERED),
        st.sampled_from([None, *ZONES]),
    )
    changed = st.sampled_from(ORDERED).flatmap(
        lambda zone: _changed(ir.EndOf(zone), *names).map(
            lambda one: (ir.If(ir.Not(ir.IsEmpty(zone)), (one,), ()),)
        )
    )
    required = conditions(*names).map(lambda said: (ir.Require(said),))
    return st.one_of(
        _put(*names).map(lambda put: (put,)),
        _assigned(*names).map(lambda one: (one,)),
        end,
        changed,
        required,
    )


@cache
def _taken(name: str) -> st.SearchStrategy[ir.Block]:
    """Return what takes any item away from a zone, if there is one."""
    return st.sampled_from(ZONES).map(
        lambda zone: (
            ir.If(
                ir.Not(ir.IsEmpty(zone)),
                (
                    ir.Choose(name, ir.ItemsOn(zone), ir.YES, None, None),
                    ir.Leave(ir.Local(name), "is removed"),
                ),
                (),
            ),
        )
    )


@cache
def _changed(item: ir.Local | ir.EndOf, *names: str) -> st.SearchStrategy[ir.Alter]:
    """Return changes of an attribute of *item*."""
    return st.one_of(
        st.booleans().map(lambda value: ir.Alter(item, "shut", ir.Literal(value))),
        st.just(ir.Alter(item, "shut", ir.Not(ir.AttributeOf(item, "shut")))),
        st.one_of(
            _numbers(*names), st.just(ir.Add(ir.AttributeOf(item, "level"), ir.Literal(1)))
        ).map(lambda value: ir.Alter(item, "level", value)),
        st.one_of(_players(*names), st.just(ir.Literal(None))).map(
            lambda value: ir.Alter(item, "target", value)
        ),
    )


@cache
def _for_each(*names: str) -> st.SearchStrategy[ir.Block]:
    """Return what is done for every item of a zone, or every player, that meets a condition."""
    it = ir.Local("each")
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
        st.one_of(st.just(ir.YES), _of_item(it, *names), _of_item(it, *names)),
        st.one_of(
            st.sampled_from([ir.Leave(it, "resolves"), ir.Leave(it, "is removed")]),
            _changed(it, *names),
        ),
    )
    of_players = st.builds(
        lambda who, said, value: ir.ForEach(
            "each", ir.PlayersIn(who), said, (ir.Assign("hand", it, value),)
        ),
        _sets(*names),
        st.one_of(st.just(ir.YES), conditions(*names, "each")),
        _numbers(*names, "each"),
    )
    return st.one_of(of_items, of_items, of_players).map(lambda each: (each,))


@st.composite
def bodies(draw: st.DrawFn, names: tuple[str, ...], deep: int = 3) -> ir.Block:
    """Return blocks that end, with the players *names* in sight; what is chosen in them is called
    by numbers.
    """
    which = draw(st.integers(0, 9)) if deep else 9
    rest = bodies(names, deep - 1)
    match which:
        case 0 | 1:
            name = f"who{deep}"
            near = draw(
                st.one_of(
                    st.none(),
                    _players(*names).map(lambda origin: ir.Nearest(ir.Local(name), origin)),
                )
            )
            chosen = ir.Choose(
                name, ir.PlayersIn(draw(_sets(*names))), draw(conditions(*names, name)), near, None
            )
            return (chosen, *draw(bodies((*names, name), deep - 1)))
        case 2:
            name = f"many{deep}"
            chosen = ir.Choose(
                name,
                ir.NumbersFrom(ZERO, draw(st.sampled_from([ir.Literal(1), ir.Literal(2)]))),
                ir.YES,
                None,
                None,
            )
            many = ir.Local(name)
            uses: list[ir.Statement] = [
                ir.Assign("count", None, many),
                ir.Require(ir.Less(many, ir.Size("stack"))),
            ]
            return (chosen, draw(st.sampled_from(uses)), *draw(rest))
        case 3 | 4:
            name = f"it{deep}"
            item = ir.Local(name)
            near = draw(
                st.one_of(
                    st.none(),
                    _players(*names).map(
                        lambda one: ir.Nearest(ir.AttributeOf(item, ir.CONTROLLER), one)
                    ),
                )
            )
            chosen = ir.Choose(
                name,
                ir.ItemsOn(draw(st.sampled_from(ZONES))),
                draw(st.one_of(st.just(ir.YES), _of_item(item, *names))),
                near,
                None,
            )
            let = ir.Let(f"whose{deep}", ir.AttributeOf(item, ir.CONTROLLER))
            ends: list[ir.Statement] = [
                ir.Leave(item, "resolves"),
                ir.Leave(item, "is removed"),
                *(ir.Move(item, zone) for zone in ZONES),
            ]
            alone = st.one_of(_assigned(*names), _changed(item, *names))
            between: ir.Block = draw(st.one_of(st.just(()), alone.map(lambda one: (one,))))
            return (
                chosen,
                let,
                *between,
                draw(st.sampled_from(ends)),
                *draw(bodies((*names, f"whose{deep}"), deep - 1)),
            )
        case 5:
            one, other = (
                draw(st.one_of(_simple(*names), _taken(f"{which}{deep}")))
                for which in ("one", "other")
            )
            return (ir.If(draw(conditions(*names)), one, other), *draw(rest))
        case 6:
            return (
                ir.Branch(
                    (("one", draw(_simple(*names))), ("other", ())),
                    draw(st.sampled_from([None, "cards"])),
                ),
                *draw(rest),
            )
        case 7:
            return (*draw(_simple(*names)), *draw(rest))
        case 8:
            return (*draw(_for_each(*names)), *draw(rest))
        case _:
            settle: list[ir.Block] = [(ir.Go("settle", ()),), (ir.Pass(), ir.Go("settle", ()))]
            go = _players(*names).map(lambda who: (ir.Go("decide", (who,)),))
            return draw(st.one_of(go, go, go, st.sampled_from(settle)))


@st.composite
def rich_programs(draw: st.DrawFn) -> ir.Program:
    """Return small Programs with a few clauses more in each stage."""
    program = draw(programs())
    stages = []
    for stage in program.stages:
        names = tuple(parameter.name for parameter in stage.parameters)
        more = [
            draw(_clauses(f"{stage.name}.{number}", names))
            for number in range(draw(st.integers(1, 2)))
        ]
        if draw(st.integers(0, 3)) == 0:
            more.append(draw(_twins(more[0], names)))
        stages.append(
            replace(
                stage, clauses=(*stage.clauses[: draw(st.sampled_from([0, 2, 2, 2, 2]))], *more)
            )
        )
    return _with_attributes(replace(program, stages=tuple(stages)))


@st.composite
def _clauses(draw: st.DrawFn, id_: str, names: tuple[str, ...]) -> ir.Clause:
    owner = draw(
        st.one_of(
            _players(*names).map(ir.Owner),
            conditions(*names, "any").map(lambda said: ir.Owner(None, "any", said)),
            st.just(ir.Owner(ir.Variable("marked"))),
        )
    )
    mode: Mode = draw(st.sampled_from(["may", "may", "must"]))
    inner = (*names, "any") if owner.variable else names
    guard = draw(st.one_of(st.just(ir.YES), conditions(*inner)))
    return ir.Clause(id_, id_, mode, (), owner, guard, draw(bodies(inner)))


@st.composite
def _twins(draw: st.DrawFn, clause: ir.Clause, names: tuple[str, ...]) -> ir.Clause:
    """Return a clause that does the same as *clause*, for others or at other times."""
    owner = (
        clause.owner
        if clause.owner.variable is None
        else replace(clause.owner, condition=draw(conditions(*names, "any")))
    )
    return replace(clause, id=f"{clause.id}'", owner=owner, guard=draw(conditions(*names)))


def _with_attributes(program: ir.Program) -> ir.Program:
    """Return *program* where every item has all attributes."""

    def change(node: object) -> object:
        if isinstance(node, ir.Put) and len(node.attributes) < len(ATTRIBUTES):
            return replace(node, attributes=(*node.attributes, ZERO, ir.Literal(None)))
        return node

    changed: ir.Program = ir.rewrite(program, change)
    return replace(changed, attributes=ATTRIBUTES)


def of_what_is_possible(spotlights: tuple[f.Spotlight, ...]) -> st.SearchStrategy[f.Formula]:
    """Return formulas about several moves that are possible at once, or were, with *spotlights* in
    sight.
    """
    seats = [ir.Local(spotlight.name) for spotlight in spotlights if spotlight.kind == "player"]
    someone: st.SearchStrategy[ir.Expr | None] = st.sampled_from([None, ACTIVE, *seats, *seats])
    able = st.builds(f.Enabled, someone, st.sampled_from(["act", "pass"]))
    clause = st.sampled_from(["1.1", "1.2", "decide.0", "decide.1", "settle.0", "settle.1"]).map(
        f.ClausePossible
    )
    atom: st.SearchStrategy[f.Formula] = st.one_of(
        able, able, clause, st.sampled_from([f.Gap(), f.Conflict(), f.Conflict()])
    )
    literal = st.one_of(atom, atom, atom.map(f.Not), atom.map(f.Previously))
    apart = [f.Holds(ir.Not(ir.Equal(one, other))) for one, other in pairwise(seats)]
    return st.lists(literal, min_size=1, max_size=3).map(lambda parts: f.And((*parts, *apart)))
