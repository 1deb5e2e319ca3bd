"""Types and expressions of the Program."""

from __future__ import annotations

from typing import Literal as OneOfWords
from typing import TypeAlias

from ..node import node


@node
class FlagType:
    """Yes or no."""


@node
class NumberType:
    """A number from *low* to *high*, both included; the bounds are constant expressions."""

    low: Expr
    high: Expr


@node
class EnumType:
    """One of *values*."""

    values: tuple[str, ...]


@node
class PlayerType:
    """A player; when *optional*, or nobody."""

    optional: bool = False


@node
class PlayersType:
    """A set of players."""


@node
class ItemType:
    """An item on a zone; only choices, quantifiers and spotlights have it."""


Type: TypeAlias = FlagType | NumberType | EnumType | PlayerType | PlayersType | ItemType


class YesOrNo:
    """An expression that is yes or no, whatever it is made of."""

    __slots__ = ()


class Connective(YesOrNo):
    """One that is made of conditions."""

    __slots__ = ()


class Amount:
    """An expression that is a number, whatever it is made of."""

    __slots__ = ()


class SomePlayers:
    """An expression that is a set of players, whatever it is made of."""

    __slots__ = ()


class NamedValue:
    """What has a name and a value there: its type is declared."""

    __slots__ = ()


@node
class Literal:
    """A value: bool, int, the name of an enum value, or None for nobody."""

    value: bool | int | str | None


@node
class OptionValue:
    """The value of an option that is still open; `configure` replaces it by a `Literal`."""

    name: str


@node
class PlayerNumber(Amount):
    """How many players there are."""


@node
class Local(NamedValue):
    """A stage's parameter, a choice, a ``let``, a quantified variable, or a spotlight of a
    formula.
    """

    name: str


@node
class Variable(NamedValue):
    """A variable of the position; of one with an entry for each player, use `Entry`."""

    name: str


@node
class Entry(NamedValue):
    """A player's entry of a variable that has one for each player."""

    name: str
    player: Expr


@node
class Neighbour:
    """The player *offset* seats after *player* (+1 after, -1 before), around the table."""

    player: Expr
    offset: OneOfWords[1, -1]


@node
class Everyone(SomePlayers):
    """All players."""


@node
class NoPlayers(SomePlayers):
    """The empty set of players."""


@node
class With(SomePlayers):
    """*players* and *player*."""

    players: Expr
    player: Expr


@node
class Without(SomePlayers):
    """*players* but *player*."""

    players: Expr
    player: Expr


@node
class Contains(YesOrNo):
    """Whether *player* is one of *players*; nobody never is."""

    players: Expr
    player: Expr


@node
class Count(Amount):
    """How many *players* there are in a set."""

    players: Expr


@node
class Not(Connective):
    """Negation."""

    operand: Expr


@node
class All(Connective):
    """Conjunction, evaluated from the left; a later part may rely on an earlier one."""

    parts: tuple[Expr, ...]


@node
class Any(Connective):
    """Disjunction, evaluated from the left."""

    parts: tuple[Expr, ...]


@node
class Equal(YesOrNo):
    """Equality of two values of one type (two numbers, two players or nobody, two sets, two flags,
    two enum values).
    """

    left: Expr
    right: Expr


@node
class OneOf(YesOrNo):
    """Whether an enum value (a step, a kind …) is among *values*."""

    operand: Expr
    values: tuple[str, ...]


@node
class Less(YesOrNo):
    """Strictly less, of numbers."""

    left: Expr
    right: Expr


@node
class Add(Amount):
    """The sum of two numbers."""

    left: Expr
    right: Expr


@node
class Subtract(Amount):
    """The difference of two numbers."""

    left: Expr
    right: Expr


@node
class IsEmpty(YesOrNo):
    """Whether *zone* has no item."""

    zone: str


@node
class Size(Amount):
    """How many items are on *zone*."""

    zone: str


@node
class EndOf:
    """The item next to leave an ordered zone: the last of a lifo zone, the first of a fifo zone.

    Stands only where the zone is known not to be empty (`definite` has checked it).
    """

    zone: str


KIND = "kind"
CONTROLLER = "controller"


@node
class AttributeOf:
    """An attribute of an item: `KIND`, `CONTROLLER`, or a declared one."""

    item: Local | EndOf
    name: str


@node
class PlayersIn:
    """The players of a set, in turn order from the active player."""

    players: Expr


@node
class ItemsOn:
    """The items of a zone, in its order from the first (the bottom of a lifo zone)."""

    zone: str


@node
class NumbersFrom:
    """The numbers from *low* to *high*, both included, ascending."""

    low: Expr
    high: Expr


Domain: TypeAlias = PlayersIn | ItemsOn | NumbersFrom


@node
class Exists(YesOrNo):
    """Whether some element of *domain*, called *variable* in *body*, satisfies *body*."""

    variable: str
    domain: Domain
    body: Expr


Fixed: TypeAlias = Literal | OptionValue | PlayerNumber | Everyone | NoPlayers
"""The same in every position."""
Stored: TypeAlias = Local | Variable | Entry
OfPlayers: TypeAlias = Neighbour | With | Without | Contains | Count
Logic: TypeAlias = Not | All | Any | Equal | OneOf | Exists
OfNumbers: TypeAlias = Less | Add | Subtract
OfZone: TypeAlias = IsEmpty | Size | EndOf | AttributeOf
Expr: TypeAlias = Fixed | Stored | OfPlayers | Logic | OfNumbers | OfZone

YES = Literal(True)
NO = Literal(False)
