"""Expressions: what an expression of the Program is in a frame, as a term.

What the encoding does not know is guessed: a fresh constant stands for the answer, and conditions
on the frame say what the answer has to agree with. The true answer always agrees, so no play is
lost.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias, assert_never

import z3

from ....models import ir
from ....models.ir.parts import expressions, locals_in, of_expressions
from ..solver import terms as t
from ..solver.terms import ZERO
from . import sets
from .first_items import places
from .frame import Entries, ItemTerm, PlayerSet, Run, SymbolicFrame, SymbolicValue
from .items import any_item_on, end_of, item_at, size_in_rules, spotlit
from .players import NOBODY
from .sorts import constant_number, fresh, limits, literal
from .weakenings import UnsupportedError, Weakening

_Cube: TypeAlias = tuple[list[Run], bool]
_MOST_CUBES = 8


def evaluate(expr: ir.Expr, frame: SymbolicFrame) -> SymbolicValue:
    """Return what *expr* is in *frame*."""
    if (
        frame.memo is not None
        and isinstance(expr, ir.Exists | ir.Contains | ir.Equal)
        and _free_locals(expr) <= frame.shared
    ):
        return _remembered(expr, frame.memo, frame)
    match expr:
        case ir.Literal(value):
            return literal(frame.context, value)
        case ir.OptionValue(name):
            raise ValueError(f"option {name} is still open; configure the Program first")
        case ir.PlayerNumber():
            return frame.context.players.count
        case ir.Everyone():
            return sets.everyone(frame.context)
        case ir.NoPlayers():
            return sets.nobody(frame.context)
        case ir.Local(name):
            return frame.locals[name]
        case ir.Variable(name):
            return frame.values[name]
        case ir.Entry(name, player):
            return _entry(name, seat(player, frame), frame)
        case ir.Neighbour() | ir.With() | ir.Without() | ir.Contains() | ir.Count():
            return _of_players(expr, frame)
        case ir.Not(operand):
            return t.negation(holds(operand, frame))
        case ir.All(parts):
            return t.all_of([holds(part, frame) for part in parts])
        case ir.Any(parts):
            return t.any_of([holds(part, frame) for part in parts])
        case ir.Equal(left, right):
            return _equal(evaluate(left, frame), evaluate(right, frame), frame)
        case ir.OneOf(operand, values):
            code = seat(operand, frame)
            return t.any_of(t.equal(code, frame.context.code(value)) for value in values)
        case ir.Exists():
            return _exists(expr, frame)
        case ir.Less(left, right):
            return t.less(seat(left, frame), seat(right, frame))
        case ir.Add(left, right):
            return t.plus(seat(left, frame), seat(right, frame))
        case ir.Subtract(left, right):
            return t.minus(seat(left, frame), seat(right, frame))
        case ir.IsEmpty(zone):
            return t.equal(frame.sizes[zone], ZERO)
        case ir.Size(zone):
            return size_in_rules(frame.sizes[zone], frame)
        case ir.EndOf(zone):
            return end_of(zone, frame)
        case ir.AttributeOf(of, name):
            return item_term(of, frame).attributes[name]
        case _:
            assert_never(expr)


def _free_locals(expr: ir.Expr) -> frozenset[str]:
    inside = list(expressions(expr))
    return locals_in(inside) - {part.variable for part in inside if isinstance(part, ir.Exists)}


def _remembered(
    expr: ir.Exists | ir.Contains | ir.Equal, memo: dict[ir.Expr, t.Bool], frame: SymbolicFrame
) -> t.Bool:
    """Return what *expr* is. In one state the answer is always the same, under any names of the
    variables that *expr* binds.
    """
    key = _same_names(expr)
    if key not in memo:
        guarded = frame.guarded
        frame.memo, frame.guarded = (
            None,
            False,
        )  # what is remembered serves moves that do not come here, too
        memo[key] = holds(expr, frame)
        if isinstance(key, ir.Exists) and isinstance(key.domain, ir.ItemsOn):
            _compare(key, memo, frame)
        frame.memo, frame.guarded = memo, guarded
    return memo[key]


def _compare(some: ir.Exists, memo: dict[ir.Expr, t.Bool], frame: SymbolicFrame) -> None:
    """Assume that where *some* item of a zone satisfies several things, some satisfies a part of
    them, of all that is remembered.
    """
    parts = _parts(some)
    for other, answer in memo.items():
        if isinstance(other, ir.Exists) and other.domain == some.domain and other != some:
            if parts >= _parts(other):
                frame.assume(t.implies(memo[some], answer))
            elif parts <= _parts(other):
                frame.assume(t.implies(answer, memo[some]))


def _parts(some: ir.Exists) -> frozenset[ir.Expr]:
    """Return what is asked of an item, one by one."""
    return frozenset(some.body.parts if isinstance(some.body, ir.All) else (some.body,))


def _same_names(expr: ir.Expr) -> ir.Expr:
    """Return *expr* with its quantified variables called by numbers."""
    names: dict[str, str] = {}
    for part in expressions(expr):
        if isinstance(part, ir.Exists):
            names.setdefault(part.variable, f"#{len(names)}")

    def change(part: ir.Expr) -> ir.Expr:
        if isinstance(part, ir.Exists):
            return replace(part, variable=names[part.variable])
        return (
            ir.Local(names[part.name])
            if isinstance(part, ir.Local) and part.name in names
            else part
        )

    return ir.rewrite(expr, of_expressions(change))


def holds(expr: ir.Expr, frame: SymbolicFrame) -> t.Bool:
    """Return whether a flag expression is true in *frame*."""
    value = evaluate(expr, frame)
    assert isinstance(value, z3.BoolRef)
    return value


def seat(expr: ir.Expr, frame: SymbolicFrame) -> t.Integer:
    """Return the number (a player, a number, a named value) that *expr* is in *frame*."""
    value = evaluate(expr, frame)
    assert isinstance(value, z3.ArithRef)
    return value


def players(expr: ir.Expr, frame: SymbolicFrame) -> PlayerSet:
    """Return the set of players that *expr* is in *frame*."""
    value = evaluate(expr, frame)
    assert isinstance(value, PlayerSet)
    return value


def item_term(expr: ir.Local | ir.EndOf, frame: SymbolicFrame) -> ItemTerm:
    """Return the item that *expr* is in *frame*."""
    if isinstance(expr, ir.EndOf):
        return end_of(expr.zone, frame)
    value = frame.locals[expr.name]
    assert isinstance(value, ItemTerm)
    return value


def _entry(name: str, player: t.Integer, frame: SymbolicFrame) -> t.Term:
    entries, known = frame.values[name], frame.context.players
    assert isinstance(entries, Entries)
    if known.exact:
        value = entries.values[-1]
    else:
        frame.context.weakenings.add(Weakening.ANONYMOUS_ENTRIES)
        type_ = frame.context.program.variable(name).type
        value = fresh(frame, f"another player's {name}", type_)
    for who, entry in known.paired(entries.values):
        value = t.choice(t.equal(player, who), entry, value)
    return value


# ------------------------------------------------------------------ players


def _of_players(expr: ir.OfPlayers, frame: SymbolicFrame) -> SymbolicValue:
    if isinstance(expr, ir.Count):
        return sets.member_count(players(expr.players, frame), frame)
    known, player = frame.context.players, seat(expr.player, frame)
    if isinstance(expr, ir.Neighbour):
        if known.loose:
            frame.context.weakenings.add(Weakening.LOOSE_NEIGHBOURS)
        neighbour, condition = known.neighbour(
            player, expr.offset, frame.context.fresh_number("neighbour")
        )
        frame.assume(condition)
        return neighbour
    members = players(expr.players, frame)
    match expr:
        case ir.With():
            return sets.with_player(members, player, frame)
        case ir.Without():
            return sets.without_player(members, player, frame)
        case ir.Contains():
            return sets.contains(members, player, frame)
        case _:
            assert_never(expr)


def _equal(one: SymbolicValue, other: SymbolicValue, frame: SymbolicFrame) -> t.Bool:
    if isinstance(one, PlayerSet) and isinstance(other, PlayerSet):
        return sets.same(one, other, frame)
    if isinstance(one, z3.ExprRef) and isinstance(other, z3.ExprRef):
        return t.equal(one, other)
    raise UnsupportedError("two items are compared")


# ------------------------------------------------------------------ quantifiers


def _exists(expr: ir.Exists, frame: SymbolicFrame) -> t.Bool:
    match expr.domain:
        case ir.PlayersIn(who):
            return _some_player(expr, players(who, frame), frame)
        case ir.ItemsOn(zone):
            return _some_item(expr, zone, frame)
        case ir.NumbersFrom(low, high):
            return _some_number(expr, low, high, frame)
        case _:
            assert_never(expr.domain)


def _some_number(expr: ir.Exists, low: ir.Expr, high: ir.Expr, frame: SymbolicFrame) -> t.Bool:
    first, last = constant_number(frame.context, low), constant_number(frame.context, high)
    there = []
    for value in range(limits(frame.context, low)[0], limits(frame.context, high)[1] + 1):
        number = t.number(value)
        there.append(
            t.all_of(
                (t.at_most(first, number), t.at_most(number, last), _body(expr, number, frame))
            )
        )
    return t.any_of(there)


def _body(expr: ir.Exists, element: SymbolicValue, frame: SymbolicFrame) -> t.Bool:
    value = evaluate_with(expr.variable, element, expr.body, frame)
    assert isinstance(value, z3.BoolRef)
    return value


def evaluate_with(
    variable: str, element: SymbolicValue, expr: ir.Expr, frame: SymbolicFrame
) -> SymbolicValue:
    """Return what *expr* is in *frame* where *variable* stands for *element*."""
    hidden = frame.locals.get(variable)
    frame.locals[variable] = element
    value = evaluate(expr, frame)
    del frame.locals[variable]
    if hidden is not None:
        frame.locals[variable] = hidden
    return value


def _some_player(expr: ir.Exists, among: PlayerSet, frame: SymbolicFrame) -> t.Bool:
    known = frame.context.players
    there = [t.both(inside, _body(expr, who, frame)) for who, inside in known.paired(among.members)]
    if known.exact:
        return t.any_of(there)
    frame.context.weakenings.add(Weakening.UNIVERSAL)
    answer, witness = frame.context.fresh_truth("some player"), frame.seat("the player")
    for found in there:
        frame.assume(t.implies(found, answer))
    frame.assume(
        t.implies(answer, t.both(sets.contains(among, witness, frame), _body(expr, witness, frame)))
    )
    if among.run is not None and (cubes := _cubes(expr.body, expr.variable, frame)) is not None:
        sets.some_in_all(answer, [([among.run, *runs], is_all) for runs, is_all in cubes], frame)
    return answer


def _cubes(
    body: ir.Expr, variable: str, frame: SymbolicFrame, *, wanted: bool = True
) -> list[_Cube] | None:
    """Return the sets that a player has to be in for *body* to be as *wanted*: all of one cube;
    None if that is too long.

    The flag of a cube says that nothing else is asked of the player.
    """
    match body:
        case ir.Literal(value):
            return [([], True)] if value == wanted else []
        case ir.Not(operand):
            return _cubes(operand, variable, frame, wanted=not wanted)
        case ir.All(parts) | ir.Any(parts):
            found = [_cubes(part, variable, frame, wanted=wanted) for part in parts]
            joined: list[_Cube] = [([], True)]
            for cubes in found:
                if cubes is None:
                    return None
                if isinstance(body, ir.All) == wanted:
                    joined = [
                        ([*runs, *more], is_all and are_all)
                        for runs, is_all in joined
                        for more, are_all in cubes
                    ]
            if isinstance(body, ir.All) != wanted:
                joined = [cube for cubes in found for cube in cubes or ()]
            return joined if len(joined) <= _MOST_CUBES else None
        case ir.Contains(ir.Variable() | ir.Everyone() | ir.NoPlayers() as who, ir.Local(name)) if (
            name == variable
        ):
            run = players(who, frame).run
            assert run is not None
            return [
                (
                    [
                        run
                        if wanted
                        else replace(run, size=t.minus(frame.context.players.count, run.size))
                    ],
                    True,
                )
            ]
        case (
            ir.OptionValue() | ir.Amount() | ir.NamedValue() | ir.Neighbour() | ir.SomePlayers()
            | ir.YesOrNo() | ir.EndOf() | ir.AttributeOf()
        ):  # fmt: skip
            return [([], False)]
        case _:
            assert_never(body)


def _some_item(expr: ir.Exists, zone: str, frame: SymbolicFrame) -> t.Bool:
    frame.context.weakenings.add(Weakening.UNIVERSAL)
    size = frame.sizes[zone]
    if expr.body == ir.YES or t.is_false(t.less(ZERO, size)):
        return t.less(ZERO, size)
    answer = frame.context.fresh_truth(f"some item on {zone}")
    for name in frame.context.items:
        here = frame.on(name, zone)
        if not t.is_false(here):
            frame.assume(
                t.implies(t.both(here, _body(expr, spotlit(name, zone, frame), frame)), answer)
            )
    if frame.context.orders[zone] != "unordered":
        first = _body(expr, end_of(zone, frame), frame)
        frame.assume(t.implies(t.both(t.less(ZERO, size), first), answer))
    for place, is_there in places(zone, frame):
        frame.assume(
            t.implies(t.both(is_there, _body(expr, item_at(zone, place, frame), frame)), answer)
        )
    witness = _body(expr, any_item_on(zone, frame), frame)
    frame.assume(t.implies(answer, t.both(t.less(ZERO, size), witness)))
    return answer


def is_nobody(player: t.Integer) -> t.Bool:
    """Whether *player* is nobody."""
    return t.equal(player, NOBODY)
