"""Types and expressions of the Program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOfWords
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class FlagType:
    """Yes or no."""


@dataclass(frozen=True, slots=True)
class NumberType:
    """A number from *low* to *high*, both included; the bounds are constant expressions."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class EnumType:
    """One of *values*."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayerType:
    """A player; when *optional*, or nobody."""

    optional: bool = False


@dataclass(frozen=True, slots=True)
class PlayersType:
    """A set of players."""


@dataclass(frozen=True, slots=True)
class ItemType:
    """An item on a zone; only choices, quantifiers and spotlights have it."""


Type: TypeAlias = FlagType | NumberType | EnumType | PlayerType | PlayersType | ItemType


@dataclass(frozen=True, slots=True)
class Literal:
    """A value: bool, int, the name of an enum value, or None for nobody."""

    value: bool | int | str | None


@dataclass(frozen=True, slots=True)
class OptionValue:
    """The value of an option that is still open; `configure` replaces it by a `Literal`."""

    name: str


@dataclass(frozen=True, slots=True)
class PlayerNumber:
    """How many players there are."""


@dataclass(frozen=True, slots=True)
class Local:
    """A stage's parameter, a choice, a ``let``, a quantified variable, or a spotlight of a formula."""

    name: str


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of the position; of one with an entry for each player, use `Entry`."""

    name: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A player's entry of a variable that has one for each player."""

    name: str
    player: Expr


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The player *offset* seats after *player* (+1 after, -1 before), around the table."""

    player: Expr
    offset: OneOfWords[1, -1]


@dataclass(frozen=True, slots=True)
class Everyone:
    """All players."""


@dataclass(frozen=True, slots=True)
class NoPlayers:
    """The empty set of players."""


@dataclass(frozen=True, slots=True)
class With:
    """*players* and *player*."""

    players: Expr
    player: Expr


@dataclass(frozen=True, slots=True)
class Without:
    """*players* but *player*."""

    players: Expr
    player: Expr


@dataclass(frozen=True, slots=True)
class Contains:
    """Whether *player* is one of *players*; nobody never is."""

    players: Expr
    player: Expr


@dataclass(frozen=True, slots=True)
class Not:
    """Negation."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class All:
    """Conjunction, evaluated from the left; a later part may rely on an earlier one."""

    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Any:
    """Disjunction, evaluated from the left."""

    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Equal:
    """Equality of two values of one type (two numbers, two players or nobody, two sets, two flags, two enum values)."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class OneOf:
    """Whether an enum value (a step, a kind …) is among *values*."""

    operand: Expr
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Less:
    """Strictly less, of numbers."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Add:
    """The sum of two numbers."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Subtract:
    """The difference of two numbers."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class IsEmpty:
    """Whether *zone* has no item."""

    zone: str


@dataclass(frozen=True, slots=True)
class Size:
    """How many items are on *zone*."""

    zone: str


@dataclass(frozen=True, slots=True)
class EndOf:
    """The item next to leave an ordered zone: the last of a lifo zone, the first of a fifo zone.

    Stands only where the zone is known not to be empty (`definite` has checked it).
    """

    zone: str


KIND = "kind"
CONTROLLER = "controller"


@dataclass(frozen=True, slots=True)
class AttributeOf:
    """An attribute of an item: `KIND`, `CONTROLLER`, or a declared one."""

    item: Local | EndOf
    name: str


@dataclass(frozen=True, slots=True)
class PlayersIn:
    """The players of a set, in turn order from the active player."""

    players: Expr


@dataclass(frozen=True, slots=True)
class ItemsOn:
    """The items of a zone, in its order from the first (the bottom of a lifo zone)."""

    zone: str


@dataclass(frozen=True, slots=True)
class NumbersFrom:
    """The numbers from *low* to *high*, both included, ascending."""

    low: Expr
    high: Expr


Domain: TypeAlias = PlayersIn | ItemsOn | NumbersFrom


@dataclass(frozen=True, slots=True)
class Exists:
    """Whether some element of *domain*, called *variable* in *body*, satisfies *body*."""

    variable: str
    domain: Domain
    body: Expr


Expr: TypeAlias = (
    Literal | OptionValue | PlayerNumber | Local | Variable | Entry | Neighbour | Everyone | NoPlayers | With | Without
    | Contains | Not | All | Any | Equal | OneOf | Less | Add | Subtract | IsEmpty | Size | EndOf | AttributeOf | Exists
)  # fmt: skip

YES = Literal(True)
NO = Literal(False)
