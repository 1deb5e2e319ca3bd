"""Freeing: a clause -> the clause of which nothing binds any more that it demands.

Its conditions may fail: ``when``, ``by any … where``, ``if``, ``require``, and the ``where`` of a choice. Its instructions may be
left undone. A value that it gives, to a variable or to the next stage, may be any other of its type. Where it speaks of an end
of a zone, any item there will do. What the clause is about stays: who has it (a player who has priority, say), what it puts on
which zone and for whom, which variables it changes, and which stages it leads to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations, count
from typing import assert_never

from ...models import ir
from . import terms as t
from .frame import Context, PlayerSet, Value
from .sorts import fresh
from .unsupported import UnsupportedError


@dataclass(frozen=True)
class Freed:
    """A *clause*, the values *given* to the locals that stand for what it gives, and what is *known* of these."""

    clause: ir.Clause
    given: dict[str, Value]
    known: t.Bool


def free(clause: ir.Clause, context: Context) -> Freed:
    """Return *clause* freed, with values of their own for what it leaves open."""
    freeing = _Freeing(context)
    owner = replace(clause.owner, condition=ir.YES)
    freed = replace(clause, owner=owner, guard=_of_options(clause.guard), body=tuple(freeing.block(clause.body)))
    return Freed(freed, freeing.given, t.all_of(freeing.known))


@dataclass
class _Freeing:
    context: Context
    given: dict[str, Value] = field(default_factory=dict)
    known: list[t.Bool] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=count)

    def block(self, block: ir.Block) -> Iterator[ir.Statement]:
        for statement in block:
            yield from self._statement(statement)

    def _statement(self, statement: ir.Statement) -> Iterator[ir.Statement]:
        match statement:
            case ir.Require(condition) if _is_of_options(condition):
                yield statement
            case ir.Require():
                return
            case ir.If(condition, yes, no) if _is_of_options(condition):
                yield ir.If(condition, tuple(self.block(yes)), tuple(self.block(no)))
            case ir.If(_, yes, no):
                yield ir.Branch((("", tuple(self.block(yes))), ("", tuple(self.block(no)))), None)
            case ir.Branch(options):
                yield replace(statement, options=tuple((title, tuple(self.block(block))) for title, block in options))
            case ir.Choose(domain=domain):
                domain = ir.PlayersIn(ir.Everyone()) if isinstance(domain, ir.PlayersIn) else domain
                yield replace(statement, domain=domain, condition=ir.YES, nearest=None)
            case ir.Move() | ir.Leave() | ir.BeginResolving():
                yield from _maybe(*self._any_item(statement))
            case ir.Put() | ir.Pass() | ir.Advance() | ir.StepTo():
                yield from _maybe(statement)
            case ir.Assign(variable, player, _):
                yield from self._assign(statement, variable, player)
            case ir.Go(stage, arguments):
                parameters = self.context.program.stage(stage).parameters
                yield ir.Go(stage, tuple(self._anything(parameter.type) for parameter, _ in zip(parameters, arguments, strict=True)))
            case ir.Let() | ir.GameOver():
                yield statement
            case _:
                assert_never(statement)

    def _any_item(self, statement: ir.Move | ir.Leave | ir.BeginResolving) -> Iterator[ir.Statement]:
        if isinstance(statement.item, ir.EndOf):
            name = f"any item {next(self.numbers)}"
            yield ir.Choose(name, ir.ItemsOn(statement.item.zone), ir.YES, None, None)
            statement = replace(statement, item=ir.Local(name))
        yield statement

    def _assign(self, assign: ir.Assign, variable: str, player: ir.Expr | None) -> Iterator[ir.Statement]:
        if variable not in self.context.variables:
            return
        declared = next(one for one in self.context.program.variables if one.name == variable)
        who = None if player is None else self._anything(ir.PlayerType())
        yield replace(assign, player=who, value=self._anything(declared.type))

    def _anything(self, type_: ir.Type) -> ir.Expr:
        """Return a new local that stands for any value of *type_*."""
        name = f"anything {next(self.numbers)}"
        if isinstance(type_, ir.PlayersType):
            seats = self.context.players.tracked
            members = tuple(self.context.fresh_truth(f"in {name}") for _ in seats)
            pairs = combinations(zip(seats, members, strict=True), 2)
            self.known += [t.implies(t.equal(one, other), t.equal(left, right)) for (one, left), (other, right) in pairs]
            self.given[name] = PlayerSet(members, None)
        elif isinstance(type_, ir.ItemType):
            raise UnsupportedError("an item is handed on from one move to the next")
        else:
            self.given[name], fits = fresh(self.context, name, type_)
            self.known.append(fits)
        return ir.Local(name)


def _of_options(condition: ir.Expr) -> ir.Expr:
    """Return what *condition* asks of options that are left open: it says which rules there are, and is none of what they demand."""
    parts = condition.parts if isinstance(condition, ir.All) else (condition,)
    return ir.All(tuple(part for part in parts if _is_of_options(part)))


def _is_of_options(condition: ir.Expr) -> bool:
    """Whether *condition* asks for nothing but options."""
    leaves = [node for node in ir.walk(condition) if not isinstance(node, ir.Not | ir.All | ir.Any | ir.Equal | ir.OneOf | ir.Less)]
    asked = any(isinstance(node, ir.OptionValue) for node in leaves)
    return asked and all(isinstance(node, ir.OptionValue | ir.Literal) for node in leaves)


def _maybe(*statements: ir.Statement) -> Iterator[ir.Statement]:
    yield ir.Branch((("", ()), ("", statements)), None)
