"""Statements as written."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ..node import node
from .expressions import Domain, EndOf, Expr, Name, Node


@node
class When(Node):
    """A guard of the clause; stands before anything that changes the position."""

    condition: Expr


@node
class By(Node):
    """Whose move it is: a player, or with *variable* any player that satisfies *condition*."""

    player: Expr | None = None
    variable: str | None = None
    condition: Expr | None = None


@node
class Require(Node):
    """What must hold here, or the whole move is not possible."""

    condition: Expr


@node
class Put(Node):
    """A new item of *kind* on *zone*; controlled by *by*, or else by the owner of the move."""

    kind: str
    zone: str
    by: Expr | None = None
    settings: tuple[tuple[str, Expr], ...] = ()


@node
class ItemEffect(Node):
    """``move X to ZONE``, ``remove X``, ``resolve X``, ``begin resolving X``; *zone* only with
    move.
    """

    effect: Literal["move", "remove", "resolve", "begin resolving"]
    item: Name | EndOf
    zone: str | None = None


@node
class EveryItem(Node):
    """``move every X in ZONE to ZONE where F``, ``remove every …``, ``resolve every …``; *to* only
    with move.
    """

    effect: Literal["move", "remove", "resolve"]
    variable: str
    zone: str
    to: str | None = None
    condition: Expr | None = None


@node
class Pass(Node):
    """The owner of the move passes."""


@node
class StepEffect(Node):
    """``advance [SEQ]``, ``begin SEQ``, ``end SEQ``, ``skip to STEP``; *name* is None for the
    turn.
    """

    effect: Literal["advance", "begin", "end", "skip to"]
    name: str | None = None


@node
class Assign(Node):
    """``NAME := X``, ``NAME += X``, ``NAME -= X``; *player* picks the entry of ``NAME of
    PLAYER``.
    """

    operator: Literal[":=", "+=", "-="]
    name: str
    player: Expr | None
    value: Expr


@node
class AssignEvery(Node):
    """``NAME of every P in PLAYERS := X where F``: the entry of each of these players."""

    operator: Literal[":=", "+=", "-="]
    name: str
    variable: str
    players: Expr
    value: Expr
    condition: Expr | None = None


@node
class Let(Node):
    """A name for a value of this moment."""

    name: str
    value: Expr


@node
class If(Node):
    """Branches on conditions; an ``else if`` is an `If` alone in *otherwise*."""

    condition: Expr
    then: Block
    otherwise: Block = ()


@node
class Choose(Node):
    """One of *domain*, chosen by *by* or else by the owner of the move."""

    variable: str
    domain: Domain
    condition: Expr | None = None
    by: Expr | None = None


@node
class Maybe(Node):
    """What the cards may cause here, or not."""

    body: Block
    title: str = ""


@node
class Either(Node):
    """One of several bodies, each with a title; chosen by *by* or else by the owner of the move."""

    options: tuple[tuple[str, Block], ...]
    by: Expr | None = None


@node
class Do(Node):
    """The statements of a routine, with arguments."""

    name: str
    arguments: tuple[Expr, ...] = ()


@node
class Go(Node):
    """The stage that is next."""

    stage: str
    arguments: tuple[Expr, ...] = ()


@node
class GameOver(Node):
    """The game ends here, as it should."""


@node
class Todo(Node):
    """What happens here is still to be written."""


Statement: TypeAlias = (
    When
    | By
    | Require
    | Put
    | ItemEffect
    | EveryItem
    | Pass
    | StepEffect
    | Assign
    | AssignEvery
    | Let
    | If
    | Choose
    | Maybe
    | Either
    | Do
    | Go
    | GameOver
    | Todo
)
Block: TypeAlias = tuple[Statement, ...]
