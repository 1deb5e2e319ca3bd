"""Sorts: the types of the Program within a scope, every bound a number, and how a value of each becomes a small number.

The *code* of a value is what the emitted text computes with: a flag is 0 or 1, a number itself, an
enum value its place among the values, a player the seat, nobody the number of players (so that
players and nobody compare like numbers, and nobody is in no set of players), and a set of players
its bits. In a position's words a number is stored as its distance from the lowest one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOfWords
from typing import TypeAlias, assert_never

from ...models import ir

Scalar: TypeAlias = bool | int | str | None


@dataclass(frozen=True, slots=True)
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


def number(low: int, high: int) -> Sort:
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
            return number(constant(low, players), constant(high, players))
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
    match expression:
        case ir.Literal(int(value)):
            return value
        case ir.PlayerNumber():
            return players
        case ir.Add(left, right):
            return constant(left, players) + constant(right, players)
        case ir.Subtract(left, right):
            return constant(left, players) - constant(right, players)
        case (
            ir.Literal() | ir.OptionValue() | ir.Local() | ir.Variable() | ir.Entry() | ir.Neighbour() | ir.Everyone() | ir.NoPlayers()
            | ir.With() | ir.Without() | ir.Contains() | ir.Not() | ir.All() | ir.Any() | ir.Equal() | ir.OneOf() | ir.Less()
            | ir.IsEmpty() | ir.Size() | ir.EndOf() | ir.AttributeOf() | ir.Exists()
        ):  # fmt: skip
            raise ValueError(f"{expression} is no constant number")
        case _:
            assert_never(expression)


def first_code(initial: ir.Expr, sort: Sort, players: int) -> int:
    """Return the code of what a variable of *sort* is at first."""
    match initial:
        case ir.Everyone():
            return (1 << players) - 1
        case ir.NoPlayers():
            return 0
        case ir.Literal(value):
            return int(value) if sort == FLAG and isinstance(value, bool) else sort.encode(value)
        case (
            ir.OptionValue() | ir.PlayerNumber() | ir.Local() | ir.Variable() | ir.Entry() | ir.Neighbour() | ir.With() | ir.Without()
            | ir.Contains() | ir.Not() | ir.All() | ir.Any() | ir.Equal() | ir.OneOf() | ir.Less() | ir.Add() | ir.Subtract()
            | ir.IsEmpty() | ir.Size() | ir.EndOf() | ir.AttributeOf() | ir.Exists()
        ):  # fmt: skip
            return constant(initial, players)
        case _:
            assert_never(initial)
