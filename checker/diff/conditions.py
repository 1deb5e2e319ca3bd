"""Conditions that say the same in other words: proved by a solver, for any number of players and
zones of any size.

In come two conditions of two rulesets that declare the same, out goes a text in SMT-LIB 2 that no
solver can satisfy. Each thing that a condition asks of a position is a constant or a function. Only
this is known of them: sizes are not negative and a zone is empty if its size is 0, numbers are
within their ranges, named values differ, a set is no more than its members. What is true of all of
these is true of positions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, assert_never

import z3

from ...models import ir
from ...models.frozen import frozen

TermSort: TypeAlias = Literal["flag", "whole", "set"]
"""What a value is to the solver: players, items, named values and numbers are whole numbers,
players being theirs at the table.
"""
_WHOLE = z3.IntSort()
_PLAYERS = z3.SetSort(_WHOLE)
_NOBODY = -1
_UNITS = 20_000_000


class BeyondSolverError(Exception):
    """A condition asks for something that is not told to the solver; the message says what."""


@frozen
class ProvedCondition:
    """Two conditions, *old* and *new*, of what is called *place*, that say the same; *certificate*
    is a text that cannot be satisfied.
    """

    place: str
    old: ir.Expr
    new: ir.Expr
    certificate: str


def proved_equal(
    program: ir.Program, place: str, old: ir.Expr, new: ir.Expr, sorts: Mapping[str, TermSort]
) -> ProvedCondition | None:
    """Return that *old* and *new*, in which locals are of these *sorts*, say the same in *program*;
    None if that is not proved.

    Raises `BeyondSolverError`.
    """
    terms = _Terms(program, sorts)
    one, other = terms.flag(old), terms.flag(new)
    solver = z3.Solver()
    solver.set("rlimit", _UNITS)
    solver.add(*terms.known, one != other)
    if solver.check() != z3.unsat:
        return None
    return ProvedCondition(place, old, new, f"; {place}\n{solver.to_smt2()}")


def term_sort_of(type_: ir.Type) -> TermSort:
    """Return the sort of the values of a type."""
    match type_:
        case ir.FlagType():
            return "flag"
        case ir.PlayersType():
            return "set"
        case ir.NumberType() | ir.EnumType() | ir.PlayerType() | ir.ItemType():
            return "whole"
        case _:
            assert_never(type_)


class _Terms:
    """The terms of the conditions of one program, and what is *known* of what stands in them."""

    def __init__(self, program: ir.Program, sorts: Mapping[str, TermSort]) -> None:
        self.program, self.sorts = program, sorts
        self.variables = {variable.name: variable for variable in program.variables}
        self.attributes = {attribute.name: attribute.type for attribute in program.attributes}
        self.known: list[Any] = []
        self._codes: dict[str, int] = {}
        self._opaque: dict[ir.Expr, Any] = {}

    def flag(self, expr: ir.Expr) -> Any:
        """Return the term of a condition."""
        match expr:
            case ir.Literal(bool(value)):
                return z3.BoolVal(value)
            case ir.Not(operand):
                return z3.Not(self.flag(operand))
            case ir.All(parts):
                return z3.And(*map(self.flag, parts))
            case ir.Any(parts):
                return z3.Or(*map(self.flag, parts))
            case ir.Equal(left, right):
                sort = self.sort(left) or self.sort(right) or "whole"
                return self.z3_term(left, sort) == self.z3_term(right, sort)
            case ir.OneOf(operand, values):
                term = self.whole(operand)
                return z3.Or(*(term == self.code(value) for value in values))
            case ir.Less(left, right):
                return self.whole(left) < self.whole(right)
            case ir.Contains(players, player):
                return z3.Select(self.players(players), self.whole(player))
            case ir.IsEmpty(zone):
                return self.whole(ir.Size(zone)) == 0
            case ir.Exists():
                return self.opaque(expr)
            case ir.NamedValue() | ir.AttributeOf():
                return self.constant(expr, z3.BoolSort())
            case (
                ir.Literal() | ir.OptionValue() | ir.Amount() | ir.Neighbour() | ir.SomePlayers()
                | ir.EndOf()
            ):  # fmt: skip
                raise BeyondSolverError("a value where a condition stands")
            case _:
                assert_never(expr)

    def whole(self, expr: ir.Expr) -> Any:
        """Return the term of a number, a player, an item or a named value."""
        match expr:
            case ir.Literal(None):
                return z3.IntVal(_NOBODY)
            case ir.Literal(str(value)):
                return z3.IntVal(self.code(value))
            case ir.Literal(int(value)) if not isinstance(value, bool):
                return z3.IntVal(value)
            case ir.Add(left, right):
                return self.whole(left) + self.whole(right)
            case ir.Subtract(left, right):
                return self.whole(left) - self.whole(right)
            case ir.Size(zone):
                size = z3.Int(f"size of {zone}")
                self.known.append(size >= 0)
                return size
            case ir.Count(players):
                return z3.Function("number in", _PLAYERS, _WHOLE)(self.players(players))
            case ir.Neighbour(player, offset):
                return z3.Function("after" if offset == 1 else "before", _WHOLE, _WHOLE)(
                    self.whole(player)
                )
            case ir.PlayerNumber():
                return z3.Int("number of players")
            case ir.EndOf(zone):
                return z3.Int(f"end of {zone}")
            case ir.NamedValue() | ir.AttributeOf():
                return self.constant(expr, _WHOLE)
            case (
                ir.Literal() | ir.OptionValue() | ir.SomePlayers() | ir.YesOrNo()
            ):  # fmt: skip
                raise BeyondSolverError(
                    "an option, a condition or a set of players where a value stands"
                )
            case _:
                assert_never(expr)

    def players(self, expr: ir.Expr) -> Any:
        """Return the term of a set of players."""
        match expr:
            case ir.Everyone():
                return z3.Const("everyone", _PLAYERS)
            case ir.NoPlayers():
                return z3.EmptySet(_WHOLE)
            case ir.With(players, player):
                return z3.SetAdd(self.players(players), self.whole(player))
            case ir.Without(players, player):
                return z3.SetDel(self.players(players), self.whole(player))
            case ir.NamedValue():
                return self.constant(expr, _PLAYERS)
            case (
                ir.Literal() | ir.OptionValue() | ir.Amount() | ir.Neighbour() | ir.YesOrNo()
                | ir.EndOf() | ir.AttributeOf()
            ):  # fmt: skip
                raise BeyondSolverError("something else where a set of players stands")
            case _:
                assert_never(expr)

    def z3_term(self, expr: ir.Expr, sort: TermSort) -> Any:
        match sort:
            case "flag":
                return self.flag(expr)
            case "set":
                return self.players(expr)
            case "whole":
                return self.whole(expr)
            case _:
                assert_never(sort)

    def sort(self, expr: ir.Expr) -> TermSort | None:
        """Return of what sort *expr* is, None if that is not plain."""
        match expr:
            case ir.Literal(bool()) | ir.YesOrNo():
                return "flag"
            case ir.SomePlayers():
                return "set"
            case ir.Variable(name) | ir.Entry(name):
                return term_sort_of(self.variables[name].type)
            case ir.Local(name):
                return self.sorts.get(name)
            case ir.AttributeOf(_, name):
                return term_sort_of(self.attributes[name]) if name in self.attributes else "whole"
            case ir.Literal() | ir.OptionValue() | ir.Amount() | ir.Neighbour() | ir.EndOf():
                return "whole"
            case _:
                assert_never(expr)

    def constant(self, expr: ir.Local | ir.Variable | ir.Entry | ir.AttributeOf, sort: Any) -> Any:
        """Return the constant, or the value of the function, that *expr* names, with what its type
        says of it.
        """
        if self.sort(expr) is None:
            raise BeyondSolverError("a name whose meaning is not known")
        match expr:
            case ir.Local(name):
                return z3.Const(f"local {name}", sort)
            case ir.Variable(name):
                term = z3.Const(name, sort)
                self._note(term, self.variables[name].type)
            case ir.Entry(name, player):
                term = z3.Function(f"{name} of", _WHOLE, sort)(self.whole(player))
                self._note(term, self.variables[name].type)
            case ir.AttributeOf(item, name):
                term = z3.Function(f"attribute {name}", _WHOLE, sort)(self.whole(item))
                if name in self.attributes:
                    self._note(term, self.attributes[name])
            case _:
                assert_never(expr)
        return term

    def _note(self, term: Any, type_: ir.Type) -> None:
        """Note what *type_* says of *term*."""
        match type_:
            case ir.NumberType(ir.Literal(int(low)), ir.Literal(int(high))):
                self.known += [term >= low, term <= high]
            case ir.EnumType(values):
                self.known.append(z3.Or(*(term == self.code(value) for value in values)))
            case ir.PlayerType(optional):
                self.known.append(term >= (_NOBODY if optional else 0))
            case ir.FlagType() | ir.PlayersType() | ir.ItemType() | ir.NumberType():
                pass
            case _:
                assert_never(type_)

    def code(self, value: str) -> int:
        """Return the number of a named value; no two have the same."""
        return self._codes.setdefault(value, len(self._codes))

    def opaque(self, expr: ir.Expr) -> Any:
        """Return a constant for what is asked of some element of something: the same for what is
        written alike.
        """
        return self._opaque.setdefault(expr, z3.Bool(f"some {len(self._opaque)}"))
