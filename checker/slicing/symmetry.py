"""Symmetry: positions that differ only in where around the table the play takes place are searched
as one.

Players sit in a circle, and the rules speak of them by what they are (the active one, the holder of
priority, the owner of an item) and by the turn order, never by their seats. So it is the same to
turn a whole position by some seats and then make a move, or to make the move and then turn. A
search that turns each position until the active player sits in seat 0 loses nothing: Ip and Dill,
"Better verification through symmetry" (Formal Methods in System Design 9, 1996), with rotations
instead of all permutations; Clarke, Enders, Filkorn and Jha, "Exploiting symmetry in temporal logic
model checking" (ibid.). There is one active player, so every class of positions has exactly one
member with the active player in seat 0, and it is found by subtracting. The shortest plays stay as
long as they were. Why turning and moving commute:

- A seat is stored, compared with another one, asked for its neighbours, looked up in a set or taken
  as the index of a variable that each player has. All of it commutes with a rotation.
- The players of a set and the candidates of ``comes first from`` go by their distance from a
  player, which no rotation changes. Other orders (of seats in a quantifier, of items in an
  unordered zone, which are sorted by their controllers too) decide in which order moves are found,
  not which there are.
- Numbers are not made of seats, nor seats of numbers. In types, that is: `seats_named` looks for
  every place where a number stands for a player or a player for a number.
- A formula is one more reader of the position. Its player spotlights stand for every seat at the
  start, so the starts are as symmetric as the moves, and turned along.
- What is so at first may name seats (seat 0 begins): where a play begins decides which positions
  are reached, not how they go on.

In comes a Program, out goes whether all this is so; `rotation` writes the text that turns a
position.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias, assert_never

from ...models import ir
from ...models.ir.analysis import effect_of
from ...models.ir.parts import asked_by, expressions, of_domain, statements
from ...properties import formula as f
from ...properties.formula import asked_by as of_formula
from ...properties.formula import formulas
from ..types.position import OVER, Item, Position, Value
from .sorts import Scalar

SeatSort: TypeAlias = Literal["player", "players", "number", "other"]
SeatSorts: TypeAlias = "Mapping[str, frozenset[SeatSort]]"
"""What the locals in sight may be; two of one name may be two things."""
_Node: TypeAlias = ir.Owner | ir.Statement | ir.Expr | f.Formula
_Wanted: TypeAlias = tuple[ir.Expr, SeatSort]
"""An expression, and what it has to be where it stands."""


def is_symmetric(program: ir.Program) -> bool:
    """Whether the moves of *program* are the same from every seat, and seat 0 is the one to
    begin.
    """
    active = next((variable for variable in program.variables if variable.name == ir.ACTIVE), None)
    return (
        active is not None
        and active.initial == ir.Literal(0)
        and next(seats_named(program), None) is None
    )


def is_symmetric_formula(
    program: ir.Program, formula: f.Formula, spotlights: tuple[f.Spotlight, ...]
) -> bool:
    """Whether *formula* is as true of a turned play as of the play, the player spotlights being
    turned along.
    """
    return next(_Seats(program, _of_spotlights(spotlights)).asymmetries(formula), None) is None


def changes_active(block: ir.Block) -> bool:
    """Whether another player may be active after *block*."""
    return any(ir.ACTIVE in effect_of(one).variables for one in statements(block))


def seats_named(program: ir.Program) -> Iterator[ir.Expr]:
    """Yield what the moves of *program* use for a player though it is a number, or for a number
    though it is a player.
    """
    for stage in program.stages:
        parameters = {
            parameter.name: frozenset({_sort_of(parameter.type)}) for parameter in stage.parameters
        }
        if stage.priority is not None:
            yield from _Seats(program, parameters).asymmetries(f.HasPriority(stage.priority))
        for clause in stage.clauses:
            yield from _Seats(program, parameters).asymmetries(clause)


# ------------------------------------------------------------ positions turned, one value at a time


def turned(program: ir.Program, players: int, position: Position, by: int) -> Position:
    """Return *position* as it is when everyone moves *by* seats towards seat 0; unordered zones are
    not sorted.
    """
    if by == 0:
        return position
    parameters = program.stage(position.stage).parameters if position.stage != OVER else ()
    arguments = [
        _value(parameter.type, players, value, by)
        for parameter, value in zip(parameters, position.arguments, strict=True)
    ]
    values: list[Value] = []
    for variable, value in zip(program.variables, position.values, strict=True):
        if isinstance(value, tuple):
            values.append(
                tuple(_value(variable.type, players, one, by) for one in (*value[by:], *value[:by]))
            )
        else:
            values.append(_value(variable.type, players, value, by))
    zones = [
        tuple(turned_item(program, players, item, by) for item in items) for items in position.zones
    ]
    return Position(position.stage, tuple(arguments), tuple(values), tuple(zones))


def turned_item(program: ir.Program, players: int, item: Item, by: int) -> Item:
    """Return *item* with the players it speaks of turned."""
    attributes = [
        _value(attribute.type, players, one, by)
        for attribute, one in zip(program.attributes, item.attributes, strict=True)
    ]
    return Item(item.kind, (item.controller - by) % players, tuple(attributes))


def turned_part(program: ir.Program, players: int, name: str, value: Scalar, by: int) -> Scalar:
    """Return the *value* of the part *name* of an item, turned."""
    if name == ir.KIND:
        return value
    types = {
        ir.CONTROLLER: ir.PlayerType(),
        **{attribute.name: attribute.type for attribute in program.attributes},
    }
    return _value(types[name], players, value, by)


def _value(type_: ir.Type, players: int, value: Value, by: int) -> Scalar:
    assert not isinstance(value, tuple)
    match type_:
        case ir.PlayerType():
            return (value - by) % players if isinstance(value, int) else value
        case ir.PlayersType():
            assert isinstance(value, int)
            return value >> by | (value & (1 << by) - 1) << players - by
        case ir.FlagType() | ir.NumberType() | ir.EnumType() | ir.ItemType():
            return value
        case _:
            assert_never(type_)


# ------------------------------------------------------------------ seats that are named


class _Seats:
    """Looks for seats that are named, in the sight of *outer* locals."""

    def __init__(self, program: ir.Program, outer: SeatSorts) -> None:
        self.program, self.outer = program, outer
        self.variables = {variable.name: _sort_of(variable.type) for variable in program.variables}
        self.attributes = {
            attribute.name: _sort_of(attribute.type) for attribute in program.attributes
        }
        self.parameters = {
            stage.name: [_sort_of(parameter.type) for parameter in stage.parameters]
            for stage in program.stages
        }

    def asymmetries(self, whole: f.Formula | ir.Clause) -> Iterator[ir.Expr]:
        """Yield the expressions in *whole* that are not what their place asks for."""
        sorts = self._bound(whole)
        for node in _nodes(whole):
            for expr, wanted in self._wanted(node, sorts):
                if _clash(self._sorts(expr, sorts), wanted):
                    yield expr

    def _bound(self, whole: f.Formula | ir.Clause) -> SeatSorts:
        """Return what each name bound in *whole* may be."""
        sorts: dict[str, frozenset[SeatSort]] = dict(self.outer)
        for node in _nodes(whole):
            bound = self._binding(node, sorts)
            if bound is not None:
                name, new = bound
                sorts[name] = sorts.get(name, frozenset()) | new
        return sorts

    def _binding(self, node: _Node, sorts: SeatSorts) -> tuple[str, frozenset[SeatSort]] | None:
        """Return the name that *node* itself binds, and what it may be."""
        if isinstance(node, ir.Owner):
            return None if node.variable is None else (node.variable, frozenset({"player"}))
        if isinstance(node, ir.Expr):
            return (node.variable, _of_domain(node.domain)) if isinstance(node, ir.Exists) else None
        if isinstance(node, f.Formula) or effect_of(node).names is None:
            return None
        if isinstance(node, ir.Choose | ir.ForEach):
            return node.variable, _of_domain(node.domain)
        assert isinstance(node, ir.Let)
        return node.variable, self._sorts(node.value, sorts)

    def _sorts(self, expr: ir.Expr, sorts: SeatSorts) -> frozenset[SeatSort]:
        """Return what *expr* may be."""
        match expr:
            case ir.Local(name):
                return sorts.get(name, frozenset())
            case ir.Variable(name) | ir.Entry(name):
                return frozenset({self.variables[name]})
            case ir.AttributeOf(_, name):
                return frozenset({self._attribute(name)})
            case ir.Literal(value):
                return frozenset(
                    {
                        "player"
                        if value is None
                        else "other"
                        if isinstance(value, bool | str)
                        else "number"
                    }
                )
            case ir.Neighbour():
                return frozenset({"player"})
            case ir.SomePlayers():
                return frozenset({"players"})
            case ir.Amount():
                return frozenset({"number"})
            case ir.YesOrNo() | ir.EndOf() | ir.OptionValue():
                return frozenset({"other"})
            case _:
                assert_never(expr)

    def _attribute(self, name: str) -> SeatSort:
        if name == ir.CONTROLLER:
            return "player"
        return "other" if name == ir.KIND else self.attributes[name]

    # ------------------------------------------------------------------ what each place asks for

    def _wanted(self, node: _Node, sorts: SeatSorts) -> Iterator[_Wanted]:
        """Yield the expressions right below *node*, each with what it has to be there."""
        if isinstance(node, ir.Owner):
            yield from _a_player(node.player)
        elif isinstance(node, ir.Expr):
            yield from self._wanted_by_expr(node, sorts)
        elif isinstance(node, f.Formula):
            yield from self._wanted_by_formula(node, sorts)
        else:
            yield from self._wanted_by_statement(node)

    def _wanted_by_expr(self, expr: ir.Expr, sorts: SeatSorts) -> Iterator[_Wanted]:
        match expr:
            case ir.Entry(_, who) | ir.Neighbour(who):
                yield who, "player"
            case ir.With(players, who) | ir.Without(players, who) | ir.Contains(players, who):
                yield players, "players"
                yield who, "player"
            case ir.Equal(left, right):
                yield from ((right, sort) for sort in self._sorts(left, sorts))
            case ir.Less(left, right) | ir.Add(left, right) | ir.Subtract(left, right):
                yield left, "number"
                yield right, "number"
            case ir.Count(players):
                yield players, "players"
            case ir.Exists(_, domain):
                yield from _wanted_by_domain(domain)
            case ir.Connective() | ir.OneOf() | ir.AttributeOf():
                pass  # below these is neither a seat nor a number
            case (
                ir.Literal() | ir.OptionValue() | ir.PlayerNumber() | ir.Local() | ir.Variable()
                | ir.Everyone() | ir.NoPlayers() | ir.IsEmpty() | ir.Size() | ir.EndOf()
            ):  # fmt: skip
                pass  # nor is anything below these
            case _:
                assert_never(expr)

    def _wanted_by_formula(self, formula: f.Formula, sorts: SeatSorts) -> Iterator[_Wanted]:
        match formula:
            case f.HasPriority(who):
                if who is not None and self._sorts(who, sorts) != {"players"}:
                    yield who, "player"
            case f.Enabled(who) | f.PlayerEvent(_, who) | f.Uses(_, who):
                yield from _a_player(who)
            case (
                f.LeafOfPosition() | f.LeafOfEnabled() | f.ItemEvent() | f.SequenceEvent()
                | f.Compound()
            ):  # fmt: skip
                pass  # a condition, or what speaks of no player
            case _:
                assert_never(formula)

    def _wanted_by_statement(self, statement: ir.Statement) -> Iterator[_Wanted]:
        match statement:
            case ir.Choose(_, domain, _, nearest, by):
                yield from _wanted_by_domain(domain)
                if nearest is not None:
                    yield nearest.player, "player"
                    yield nearest.origin, "player"
                yield from _a_player(by)
            case ir.ForEach(_, domain):
                yield from _wanted_by_domain(domain)
            case ir.Branch(_, by):
                yield from _a_player(by)
            case ir.Put(_, controller, attributes):
                yield controller, "player"
                yield from zip(attributes, self.attributes.values(), strict=True)
            case ir.Alter(_, name, value):
                yield value, self.attributes[name]
            case ir.Assign(variable, who, value):
                yield from _a_player(who)
                yield value, self.variables[variable]
            case ir.Go(stage, arguments):
                yield from zip(arguments, self.parameters[stage], strict=True)
            case ir.Require() | ir.If() | ir.Let():
                pass  # a condition, or a value that its name stands for
            case ir.Move() | ir.Leave() | ir.BeginResolving():
                pass  # an item is on no seat
            case ir.Plain() | ir.Advance() | ir.GameOver():
                pass  # these speak of no seat
            case _:
                assert_never(statement)


def _nodes(whole: f.Formula | ir.Clause) -> Iterator[_Node]:
    """Yield all that binds names or asks for seats in *whole*, parents first."""
    if isinstance(whole, ir.Clause):
        yield whole.owner
        yield from expressions(whole.owner.player, whole.owner.condition, whole.guard)
        for statement in statements(whole.body):
            yield statement
            yield from expressions(*asked_by(statement))
    else:
        for formula in formulas(whole):
            yield formula
            yield from expressions(*of_formula(formula))


def _a_player(who: ir.Expr | str | None) -> Iterator[_Wanted]:
    """Yield that *who*, if that is an expression, is a player."""
    if who is not None and not isinstance(who, str):
        yield who, "player"


def _wanted_by_domain(domain: ir.Domain) -> Iterator[_Wanted]:
    wanted: SeatSort = "players" if isinstance(domain, ir.PlayersIn) else "number"
    yield from ((part, wanted) for part in of_domain(domain))


def _clash(found: frozenset[SeatSort], wanted: SeatSort) -> bool:
    """Whether a seat is a number, or a number a seat, where one of *found* stands for *wanted*."""
    return (
        "number" in found
        if wanted in ("player", "players")
        else wanted == "number" and bool(found & {"player", "players"})
    )


def _of_domain(domain: ir.Domain) -> frozenset[SeatSort]:
    match domain:
        case ir.PlayersIn():
            return frozenset({"player"})
        case ir.ItemsOn():
            return frozenset({"other"})
        case ir.NumbersFrom():
            return frozenset({"number"})
        case _:
            assert_never(domain)


def _of_spotlights(spotlights: tuple[f.Spotlight, ...]) -> SeatSorts:
    return {
        spotlight.name: frozenset({"player" if spotlight.kind == "player" else "other"})
        for spotlight in spotlights
    }


def _sort_of(type_: ir.Type) -> SeatSort:
    match type_:
        case ir.PlayerType():
            return "player"
        case ir.PlayersType():
            return "players"
        case ir.NumberType():
            return "number"
        case ir.FlagType() | ir.EnumType() | ir.ItemType():
            return "other"
        case _:
            assert_never(type_)
