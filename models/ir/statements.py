"""Statements of the Program: what a clause does."""

from __future__ import annotations

from typing import Literal as OneOfWords
from typing import TypeAlias

from ..node import node
from .expressions import Domain, EndOf, Expr, ItemsOn, Local, PlayersIn


class Simple:
    """A statement after which the move goes on in one way, with the same names; no other statement
    stands in it.
    """

    __slots__ = ()


class SimpleOfItem(Simple):
    """One that puts an item somewhere, or says something of one."""

    __slots__ = ()


class SimpleOfState(Simple):
    """One that speaks of no item by itself."""

    __slots__ = ()


@node
class Require:
    """The move is possible only if *condition* holds here."""

    condition: Expr


@node
class Put(SimpleOfItem):
    """A new item joins *zone*: at the end of an ordered one (the top of a lifo zone).

    A move that would exceed the zone's size in the scope is cut. *attributes* has a value for every
    declared attribute, in their order.
    """

    kind: str
    controller: Expr
    attributes: tuple[Expr, ...]
    zone: str


@node
class Move(SimpleOfItem):
    """*item* leaves its zone and joins *zone* as by `Put`; a cut likewise."""

    item: Local | EndOf
    zone: str


@node
class Leave(SimpleOfItem):
    """*item* leaves its zone and the game: it *resolves*, or is *removed*."""

    item: Local | EndOf
    how: OneOfWords["resolves", "is removed"]


@node
class BeginResolving(SimpleOfItem):
    """*item* begins to resolve and stays where it is; nothing but an event."""

    item: Local | EndOf


@node
class Alter(SimpleOfItem):
    """*attribute* of *item*, which stays on its zone, becomes *value*.

    A number outside the attribute's range makes the move impossible. On a zone in any order the
    item lies where its new look puts it, after those that look like it.
    """

    item: Local | EndOf
    attribute: str
    value: Expr


@node
class Pass(SimpleOfState):
    """The owner of the move passes; nothing but an event."""


@node
class Advance(SimpleOfState):
    """*sequence* goes to its next step.

    After the last step the turn starts again with its first step and the next player becomes
    active; another sequence ends.
    """

    sequence: str


@node
class StepTo(SimpleOfState):
    """*sequence* goes to *step* (`NO_STEP`: it ends); the active player stays."""

    sequence: str
    step: str


@node
class Assign(SimpleOfState):
    """*variable* (or *player*'s entry of it) becomes *value*.

    A number outside the variable's range makes the move impossible.
    """

    variable: str
    player: Expr | None
    value: Expr


@node
class Let:
    """*variable* names the value that *value* has here."""

    variable: str
    value: Expr


@node
class If:
    """*then* where *condition* holds, else *otherwise*; what follows the `If` follows both."""

    condition: Expr
    then: Block
    otherwise: Block


@node
class Nearest:
    """Of the candidates only those remain whose *player* comes first in turn order from
    *origin*.
    """

    player: Expr
    origin: Expr


@node
class Choose:
    """One move for each element of *domain* that satisfies *condition* (and, of those, *nearest*).

    The rest of the block sees it as *variable*. *by* is who chooses, and may speak of *variable*;
    None stands for the owner of the move, and ``"cards"`` for what card texts say.
    """

    variable: str
    domain: Domain
    condition: Expr
    nearest: Nearest | None
    by: Expr | OneOfWords["cards"] | None


@node
class Branch:
    """One move for each of *options*, a titled block each; what follows follows all of them.

    *by* is a player, None for the owner of the move, or ``"cards"`` for what card texts may cause.
    Of a ``maybe`` the first option is that nothing happens; its title, if it has one, begins with
    `NOT`.
    """

    options: tuple[tuple[str, Block], ...]
    by: Expr | OneOfWords["cards"] | None


@node
class ForEach:
    """*body* is done for each element of *domain* that satisfies *condition*, which it calls
    *variable*.

    It is one `Leave`, `Move` or `Alter` of the item, or one `Assign` to the player's entry (none
    where that is left out). Which elements these are, and the values that are assigned, is read
    before anything changes; then it is done for one after the other, in the order of *domain*.
    Items of a zone in any order do not move to one that has an order, and none moves to the zone it
    is on.
    """

    variable: str
    domain: PlayersIn | ItemsOn
    condition: Expr
    body: tuple[OfEach, ...]


@node
class Go:
    """The move ends; *stage* is next, with a value for each of its parameters."""

    stage: str
    arguments: tuple[Expr, ...]


@node
class GameOver:
    """The move ends, and so does the game."""


NOT = "no: "
"""How the title of what may happen begins where it does not."""

OfEach: TypeAlias = Leave | Move | Alter | Assign
"""What can be done for each of several."""
OfItem: TypeAlias = Put | Move | Leave | BeginResolving | Alter
OfState: TypeAlias = Pass | Advance | StepTo | Assign
Several: TypeAlias = Require | If | Let | Choose | Branch | ForEach
"""After one of these the move goes on in none, one or several ways, or with one name more; or
another statement stands in it.
"""
End: TypeAlias = Go | GameOver
Statement: TypeAlias = OfItem | OfState | Several | End
Block: TypeAlias = tuple[Statement, ...]
