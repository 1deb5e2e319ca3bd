"""What the nodes of a Program are made of, kind by kind: what stands right below each, and all that stands in a whole.

`walk` hands out every node, whatever its kind. Who draws conclusions asks here: a kind that nobody has thought of is refused, and named by
the type checker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal as OneOfWords
from typing import TypeAlias, assert_never

from .expressions import (
    Add,
    All,
    Any,
    AttributeOf,
    Contains,
    Domain,
    EndOf,
    Entry,
    Equal,
    Everyone,
    Exists,
    Expr,
    IsEmpty,
    ItemsOn,
    Less,
    Literal,
    Local,
    Neighbour,
    NoPlayers,
    Not,
    NumbersFrom,
    OneOf,
    OptionValue,
    PlayerNumber,
    PlayersIn,
    Size,
    Subtract,
    Variable,
    With,
    Without,
)
from .program import Clause, Owner
from .statements import (
    Advance,
    Assign,
    BeginResolving,
    Block,
    Branch,
    Choose,
    GameOver,
    Go,
    If,
    Leave,
    Let,
    Move,
    Nearest,
    Pass,
    Put,
    Require,
    Statement,
    StepTo,
)

# ------------------------------------------------------------------ right below


def blocks_of(statement: Statement) -> tuple[Block, ...]:
    """Return the blocks that stand in *statement*."""
    match statement:
        case If(_, then, otherwise):
            return then, otherwise
        case Branch(options, _):
            return tuple(block for _, block in options)
        case Require() | Put() | Move() | Leave() | BeginResolving() | Pass() | Advance() | StepTo() | Assign() | Let() | Choose():
            return ()
        case Go() | GameOver():
            return ()
        case _:
            assert_never(statement)


def asked_by(statement: Statement) -> tuple[Expr, ...]:
    """Return the expressions right below *statement*, in the order of its fields; none of those in its blocks."""
    match statement:
        case Require(condition) | If(condition):
            return (condition,)
        case Put(_, controller, attributes):
            return controller, *attributes
        case Move(item) | Leave(item) | BeginResolving(item):
            return (item,)
        case Assign(_, player, value):
            return (value,) if player is None else (player, value)
        case Let(_, value):
            return (value,)
        case Choose(_, domain, condition, nearest, by):
            near = () if nearest is None else (nearest.player, nearest.origin)
            return *of_domain(domain), condition, *near, *_chooser(by)
        case Branch(_, by):
            return _chooser(by)
        case Go(_, arguments):
            return arguments
        case Pass() | Advance() | StepTo() | GameOver():
            return ()
        case _:
            assert_never(statement)


def _chooser(by: Expr | str | None) -> tuple[Expr, ...]:
    return () if by is None or isinstance(by, str) else (by,)


def of_domain(domain: Domain) -> tuple[Expr, ...]:
    """Return the expressions right below *domain*."""
    match domain:
        case PlayersIn(players):
            return (players,)
        case NumbersFrom(low, high):
            return low, high
        case ItemsOn():
            return ()
        case _:
            assert_never(domain)


def operands(expr: Expr) -> tuple[Expr, ...]:
    """Return the expressions right below *expr*, in the order of its fields."""
    match expr:
        case Literal() | Local() | Variable() | IsEmpty() | Size() | EndOf():
            return ()
        case Equal(left, right) | Less(left, right) | Add(left, right) | Subtract(left, right):
            return left, right
        case AttributeOf(item, _):
            return (item,)
        case All(parts) | Any(parts):
            return parts
        case Not(operand) | OneOf(operand, _):
            return (operand,)
        case Entry(_, player) | Neighbour(player, _):
            return (player,)
        case With(players, player) | Without(players, player) | Contains(players, player):
            return players, player
        case Exists(_, domain, body):
            return *of_domain(domain), body
        case OptionValue() | PlayerNumber() | Everyone() | NoPlayers():
            return ()
        case _:
            assert_never(expr)


# ------------------------------------------------------------------ all there is


def statements(*blocks: Block) -> Iterator[Statement]:
    """Yield every statement of *blocks* and of those inside, parents first."""
    waiting = [statement for block in reversed(blocks) for statement in reversed(block)]
    while waiting:
        statement = waiting.pop()
        yield statement
        waiting.extend(inner for block in reversed(blocks_of(statement)) for inner in reversed(block))


def expressions(*whole: Expr | None) -> Iterator[Expr]:
    """Yield every expression in *whole*, parents first, in the order of their fields; None has none."""
    waiting = [expr for expr in reversed(whole) if expr is not None]
    while waiting:
        expr = waiting.pop()
        yield expr
        waiting.extend(reversed(operands(expr)))


def expressions_in(*blocks: Block) -> Iterator[Expr]:
    """Yield every expression in *blocks*."""
    for statement in statements(*blocks):
        yield from expressions(*asked_by(statement))


def expressions_of(clause: Clause) -> Iterator[Expr]:
    """Yield every expression in *clause*."""
    yield from expressions(clause.owner.player, clause.owner.condition, clause.guard)
    yield from expressions_in(clause.body)


# ------------------------------------------------------------------ what is spoken of

Thing: TypeAlias = OneOfWords["local", "variable", "zone", "attribute", "option"]


def named_by(expr: Expr) -> tuple[Thing, str] | None:
    """Return what *expr* by itself speaks of by its name: of a zone, by asking for its items, their number or its end."""
    match expr:
        case Local(name):
            return "local", name
        case Variable(name) | Entry(name):
            return "variable", name
        case AttributeOf(_, name):
            return "attribute", name
        case IsEmpty(zone) | Size(zone) | EndOf(zone):
            return "zone", zone
        case Exists(_, domain):
            return ("zone", domain.zone) if isinstance(domain, ItemsOn) else None
        case OptionValue(name):
            return "option", name
        case Literal() | PlayerNumber() | Neighbour() | Everyone() | NoPlayers() | With() | Without() | Contains():
            return None
        case Equal() | All() | Any() | Not() | OneOf() | Less() | Add() | Subtract():
            return None
        case _:
            assert_never(expr)


def named(thing: Thing, exprs: Iterable[Expr]) -> frozenset[str]:
    """Return the names of all that *exprs*, each by itself, speak of and that is such a *thing*."""
    return frozenset(said[1] for expr in exprs if (said := named_by(expr)) is not None and said[0] == thing)


def locals_in(exprs: Iterable[Expr]) -> frozenset[str]:
    """Return the names of the locals among *exprs*."""
    return named("local", exprs)


# ------------------------------------------------------------------ rewriting

Part: TypeAlias = Statement | Expr | Domain | Nearest | Owner | Clause
"""What the clauses of a Program are made of."""


def of_expressions(change: Callable[[Expr], Expr]) -> Callable[[Part], object]:
    """Return what `rewrite` applies to a part of a clause so that its expressions become what *change* makes of them."""

    def changed(part: Part) -> object:
        if isinstance(part, Expr):
            return change(part)
        if isinstance(part, Statement | Domain | Nearest | Owner | Clause):
            return part
        assert_never(part)

    return changed


def of_statements(change: Callable[[Statement], Statement | Block]) -> Callable[[Part], object]:
    """Return what `rewrite` applies to a part of a clause so that its statements become what *change* makes of them."""

    def changed(part: Part) -> object:
        if isinstance(part, Statement):
            return change(part)
        if isinstance(part, Expr | Domain | Nearest | Owner | Clause):
            return part
        assert_never(part)

    return changed
