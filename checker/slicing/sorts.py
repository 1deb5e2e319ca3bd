"""Sorts: the types of the Program within a scope, every bound a number, and how a value of each
becomes a small number.

The *code* of a value is what the emitted text computes with:

- of a flag 0 or 1, of a number itself, of an enum value its place among the values;
- of a player the seat, of nobody the number of players: so both compare like numbers, and nobody is
  in no set of players;
- of a set of players its bits.

In a position's words a number is stored as its distance from the lowest one.
"""

from __future__ import annotations

from typing import Literal as OneOfWords
from typing import TypeAlias, assert_never

from ...models import ir
from ...models.frozen import frozen
from ...models.ir.analysis import bounds_of

Scalar: TypeAlias = bool | int | str | None


@frozen
class Sort:
    """A type with the codes from *low* to *high*; *values* are the names of an enum."""

    kind: OneOfWords["flag", "number", "enum", "player", "players"]
    low: int
    high: int
    values: tuple[str, ...] = ()

    @property
    def bits(self) -> int:
        """How many bits a stored value takes."""
        return (self.high - self.low).bit_length()

    def encode(self, value: Scalar) -> int:
        """Return the code of *value*."""
        if isinstance(value, str):
            return self.values.index(value)
        return self.high if value is None else int(value)

    def decode(self, code: int) -> Scalar:
        """Return the value with *code*."""
        match self.kind:
            case "flag":
                return bool(code)
            case "enum":
                return self.values[code]
            case "number" | "players":
                return code
            case "player":
                return None if self.is_optional and code == self.high else code
            case _:
                assert_never(self.kind)

    @property
    def is_optional(self) -> bool:
        """Whether nobody is a value of this sort of players."""
        return self.values == ("nobody",)


FLAG = Sort("flag", 0, 1)


def number_sort(low: int, high: int) -> Sort:
    """Return the sort of the numbers from *low* to *high*."""
    return Sort("number", low, high)


def enum(values: tuple[str, ...]) -> Sort:
    """Return the sort of an enum."""
    return Sort("enum", 0, len(values) - 1, values)


def player(players: int, *, optional: bool = False) -> Sort:
    """Return the sort of the players at a table of *players*; when *optional*, or nobody."""
    return Sort("player", 0, players, ("nobody",)) if optional else Sort("player", 0, players - 1)


def sort_of(type_: ir.Type, players: int) -> Sort:
    """Return the sort of a type of the Program at a table of *players*."""
    match type_:
        case ir.FlagType():
            return FLAG
        case ir.NumberType(low, high):
            return number_sort(constant(low, players), constant(high, players))
        case ir.EnumType(values):
            return enum(values)
        case ir.PlayerType(optional):
            return player(players, optional=optional)
        case ir.PlayersType():
            return Sort("players", 0, (1 << players) - 1)
        case ir.ItemType():
            raise ValueError("an item is not stored")
        case _:
            assert_never(type_)


def constant(expression: ir.Expr, players: int) -> int:
    """Return the value of a constant number."""
    found = bounds_of(
        expression, lambda part: (players, players) if isinstance(part, ir.PlayerNumber) else None
    )
    if found is None:
        raise ValueError(f"{expression} is no constant number")
    return found[0]


def first_code(initial: ir.Expr, sort: Sort, players: int) -> int:
    """Return the code of what a variable of *sort* is at first."""
    if isinstance(initial, ir.Literal):
        return (
            int(initial.value)
            if sort == FLAG and isinstance(initial.value, bool)
            else sort.encode(initial.value)
        )
    if isinstance(initial, ir.Everyone | ir.NoPlayers):
        return (1 << players) - 1 if isinstance(initial, ir.Everyone) else 0
    return constant(initial, players)
