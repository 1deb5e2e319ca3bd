"""Parts of the nodes of a Program, kind by kind: what stands right below each, and all that stands
in a whole.

`walk` hands out nodes of every kind. Code that draws conclusions asks here: an unknown kind is
refused, and named by the type checker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal, TypeAlias, TypeVar, assert_never

from .. import ir

T = TypeVar("T")

# ------------------------------------------------------------------ right below


def blocks_of(statement: ir.Statement) -> tuple[ir.Block, ...]:
    """Return the blocks that stand in *statement*."""
    match statement:
        case ir.If(_, then, otherwise):
            return then, otherwise
        case ir.Branch(options, _):
            return tuple(block for _, block in options)
        case ir.ForEach(_, _, _, body):
            return (body,)
        case ir.Simple() | ir.Require() | ir.Let() | ir.Choose():
            return ()
        case ir.Go() | ir.GameOver():
            return ()
        case _:
            assert_never(statement)


def asked_by(statement: ir.Statement) -> tuple[ir.Expr, ...]:
    """Return the expressions right below *statement*, in the order of its fields; none of those in
    its blocks.
    """
    match statement:
        case ir.Require(condition) | ir.If(condition):
            return (condition,)
        case ir.Put(_, controller, attributes):
            return controller, *attributes
        case ir.Move(item) | ir.Leave(item) | ir.BeginResolving(item):
            return (item,)
        case ir.Alter(item, _, value):
            return item, value
        case ir.Assign(_, player, value):
            return (value,) if player is None else (player, value)
        case ir.Let(_, value):
            return (value,)
        case ir.Choose(_, domain, condition, nearest, by):
            near = () if nearest is None else (nearest.player, nearest.origin)
            return *of_domain(domain), condition, *near, *_chooser(by)
        case ir.Branch(_, by):
            return _chooser(by)
        case ir.ForEach(_, domain, condition):
            return *of_domain(domain), condition
        case ir.Go(_, arguments):
            return arguments
        case ir.Plain() | ir.Advance() | ir.GameOver():
            return ()
        case _:
            assert_never(statement)


def _chooser(by: ir.Expr | str | None) -> tuple[ir.Expr, ...]:
    return () if by is None or isinstance(by, str) else (by,)


def of_domain(domain: ir.Domain) -> tuple[ir.Expr, ...]:
    """Return the expressions right below *domain*."""
    match domain:
        case ir.PlayersIn(players):
            return (players,)
        case ir.NumbersFrom(low, high):
            return low, high
        case ir.ItemsOn():
            return ()
        case _:
            assert_never(domain)


def operands(expr: ir.Expr) -> tuple[ir.Expr, ...]:
    """Return the expressions right below *expr*, in the order of its fields."""
    match expr:
        case ir.Literal() | ir.Local() | ir.Variable() | ir.IsEmpty() | ir.Size() | ir.EndOf():
            return ()
        case (
            ir.Equal(left, right)
            | ir.Less(left, right)
            | ir.Add(left, right)
            | ir.Subtract(left, right)
        ):
            return left, right
        case ir.AttributeOf(item, _):
            return (item,)
        case ir.All(parts) | ir.Any(parts):
            return parts
        case ir.Not(operand) | ir.OneOf(operand, _):
            return (operand,)
        case ir.Count(players):
            return (players,)
        case ir.Entry(_, player) | ir.Neighbour(player, _):
            return (player,)
        case ir.With(players, player) | ir.Without(players, player) | ir.Contains(players, player):
            return players, player
        case ir.Exists(_, domain, body):
            return *of_domain(domain), body
        case ir.OptionValue() | ir.PlayerNumber() | ir.Everyone() | ir.NoPlayers():
            return ()
        case _:
            assert_never(expr)


# ------------------------------------------------------------------ all there is


def statements(*blocks: ir.Block) -> Iterator[ir.Statement]:
    """Yield every statement of *blocks* and of those inside, parents first."""
    waiting = [statement for block in reversed(blocks) for statement in reversed(block)]
    while waiting:
        statement = waiting.pop()
        yield statement
        waiting.extend(
            inner for block in reversed(blocks_of(statement)) for inner in reversed(block)
        )


def expressions(*whole: ir.Expr | None) -> Iterator[ir.Expr]:
    """Yield every expression in *whole*, parents first, in the order of their fields; None has
    none.
    """
    waiting = [expr for expr in reversed(whole) if expr is not None]
    while waiting:
        expr = waiting.pop()
        yield expr
        waiting.extend(reversed(operands(expr)))


def expressions_in(*blocks: ir.Block) -> Iterator[ir.Expr]:
    """Yield every expression in *blocks*."""
    for statement in statements(*blocks):
        yield from expressions(*asked_by(statement))


def expressions_of(clause: ir.Clause) -> Iterator[ir.Expr]:
    """Yield every expression in *clause*."""
    yield from expressions(clause.owner.player, clause.owner.condition, clause.guard)
    yield from expressions_in(clause.body)


# ------------------------------------------------------------------ what is spoken of

Thing: TypeAlias = Literal["local", "variable", "zone", "attribute", "option"]


def named_by(expr: ir.Expr) -> tuple[Thing, str] | None:
    """Return what *expr* by itself speaks of by its name: of a zone, by asking for its items, their
    number or its end.
    """
    match expr:
        case ir.Local(name):
            return "local", name
        case ir.Variable(name) | ir.Entry(name):
            return "variable", name
        case ir.AttributeOf(_, name):
            return "attribute", name
        case ir.IsEmpty(zone) | ir.Size(zone) | ir.EndOf(zone):
            return "zone", zone
        case ir.Exists(_, domain):
            return ("zone", domain.zone) if isinstance(domain, ir.ItemsOn) else None
        case ir.OptionValue(name):
            return "option", name
        case ir.Literal() | ir.PlayerNumber() | ir.Neighbour() | ir.SomePlayers() | ir.Contains():
            return None
        case (
            ir.Equal()
            | ir.Connective()
            | ir.OneOf()
            | ir.Less()
            | ir.Add()
            | ir.Subtract()
            | ir.Count()
        ):
            return None
        case _:
            assert_never(expr)


def things_named(thing: Thing, exprs: Iterable[ir.Expr]) -> frozenset[str]:
    """Return the names of all that *exprs*, each by itself, speak of and that is such a *thing*."""
    return frozenset(
        said[1] for expr in exprs if (said := named_by(expr)) is not None and said[0] == thing
    )


def locals_in(exprs: Iterable[ir.Expr]) -> frozenset[str]:
    """Return the names of the locals among *exprs*."""
    return things_named("local", exprs)


# ------------------------------------------------------------------ rewriting

ClausePart: TypeAlias = ir.Statement | ir.Expr | ir.Domain | ir.Nearest | ir.Owner | ir.Clause
"""What the clauses of a Program are made of."""


def of_expressions(change: Callable[[ir.Expr], ir.Expr]) -> Callable[[ClausePart], object]:
    """Return what `rewrite` applies to a part of a clause so that its expressions become what
    *change* makes of them.
    """

    def changed(part: ClausePart) -> object:
        if isinstance(part, ir.Expr):
            return change(part)
        if isinstance(part, ir.Statement | ir.Domain | ir.Nearest | ir.Owner | ir.Clause):
            return part
        assert_never(part)

    return changed


def of_statements(
    change: Callable[[ir.Statement], ir.Statement | ir.Block],
) -> Callable[[ClausePart], object]:
    """Return what `rewrite` applies to a part of a clause so that its statements become what
    *change* makes of them.
    """

    def changed(part: ClausePart) -> object:
        if isinstance(part, ir.Statement):
            return change(part)
        if isinstance(part, ir.Expr | ir.Domain | ir.Nearest | ir.Owner | ir.Clause):
            return part
        assert_never(part)

    return changed


def with_locals(node: T, values: Mapping[str, ir.Expr]) -> T:
    """Return *node*, an expression or what has some in it, with *values* in the place of the locals
    that are called so.
    """
    return ir.rewrite(
        node, lambda part: values.get(part.name, part) if isinstance(part, ir.Local) else part
    )
