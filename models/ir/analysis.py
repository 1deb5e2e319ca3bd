"""Analyses of a Program that everybody shares: each question about its text is answered here, and
nowhere else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import count
from typing import NamedTuple, TypeAlias, assert_never

from .. import ir
from .parts import asked_by, blocks_of, expressions, statements


def ends(block: ir.Block) -> bool:
    """Whether no way through *block* goes on to what follows it."""
    return bool(block) and statement_ends(block[-1])


def statement_ends(statement: ir.Statement) -> bool:
    """Whether no way through *statement* goes on to what follows it."""
    match statement:
        case ir.Go() | ir.GameOver():
            return True
        case ir.If(_, then, otherwise):
            return ends(then) and ends(otherwise)
        case ir.Branch(options, _):
            return all(ends(option) for _, option in options)
        case ir.Simple() | ir.Require() | ir.Let() | ir.Choose() | ir.ForEach():
            return False
        case _:
            assert_never(statement)


def guard_parts(clause: ir.Clause) -> tuple[tuple[ir.Expr, str], ...]:
    """Return the parts of *clause*'s guard, those of its text first, each with the id of the clause
    above it that it rules out.

    Such clauses stand above it in a block ``the first that applies``. The id is empty for the parts
    that stand in the text.
    """
    parts = _conjuncts(clause.guard)
    implied = [
        id_
        for id_, applies in clause.above
        if not isinstance(
            applies, ir.Literal
        )  # options decide it, so that nothing of it is left in the guard
        for _ in _conjuncts(applies.operand if isinstance(applies, ir.Not) else ir.Not(applies))
    ]
    return tuple(zip(parts, [*[""] * (len(parts) - len(implied)), *implied], strict=True))


def use_parts(clause: ir.Clause) -> tuple[tuple[ir.Expr, str], ...]:
    """Return the parts of all that has to be so for *clause* to be used by its owner: those of who
    may use it, and of `guard_parts`.
    """
    return (*((part, "") for part in _conjuncts(clause.owner.condition)), *guard_parts(clause))


def _conjuncts(expr: ir.Expr) -> tuple[ir.Expr, ...]:
    if expr == ir.YES:
        return ()
    return (
        tuple(part for one in expr.parts for part in _conjuncts(one))
        if isinstance(expr, ir.All)
        else (expr,)
    )


Stopping: TypeAlias = (
    ir.Require | ir.Put | ir.Choose | ir.Assign | ir.Alter | ir.ForEach | ir.Advance | ir.Go
)
"""A statement that can make a move impossible."""


def with_stops(body: ir.Block, change: Callable[[int, Stopping], ir.Block]) -> ir.Block:
    """Return *body* with what *change* makes of each statement that can make a move impossible, and
    of its number, in the place of it.

    What is done for each of several does not count by itself: what stops one of them stops all.
    """
    within = {
        id(done)
        for statement in statements(body)
        if isinstance(statement, ir.ForEach)
        for done in statement.body
    }
    numbers = count()

    def changed(node: object) -> object:
        return (
            change(next(numbers), node)
            if isinstance(node, Stopping) and id(node) not in within
            else node
        )

    return ir.rewrite(body, changed)


def stops_in(body: ir.Block) -> tuple[Stopping, ...]:
    """Return the statements of *body* that can make a move impossible, by their numbers."""
    found: list[Stopping] = []

    def found_stop(_: int, stop: Stopping) -> ir.Block:
        found.append(stop)
        return (stop,)

    with_stops(body, found_stop)
    return tuple(found)


def up_to_end(block: ir.Block) -> ir.Block:
    """Return *block* without what stands behind its end."""
    for index, statement in enumerate(block):
        if statement_ends(statement):
            return block[: index + 1]
    return block


def bound_in(clause: ir.Clause) -> list[str]:
    """Return the names that *clause* gives to its owner, to what is named or chosen, and to what it
    quantifies over, in their order.
    """
    owner = clause.owner
    names = [owner.variable, *_quantified(owner.player, owner.condition, clause.guard)]
    for statement in statements(clause.body):
        names += [effect_of(statement).names, *_quantified(*asked_by(statement))]
    return [name for name in names if name is not None]


def _quantified(*whole: ir.Expr | None) -> list[str]:
    return [expr.variable for expr in expressions(*whole) if isinstance(expr, ir.Exists)]


class Effect(NamedTuple):
    """What a statement by itself does, without the statements in it. A field is None if it does no
    such thing.

    It *names* something for what follows it or stands in it, and takes it from *among* the items of
    a zone. It does something with an *item*, which leaves its place if it *is_taken*. An item
    *joins* a zone, a new one if there is no *item*. It *changes* a variable. In a sequence *steps*
    end and begin, from the present step on if it *advances* that. A stage is *next*.
    """

    names: str | None = None
    among: str | None = None
    item: ir.Local | ir.EndOf | None = None
    is_taken: bool = False
    joins: str | None = None
    changes: str | None = None
    steps: str | None = None
    advances: str | None = None
    next: str | None = None

    @property
    def variables(self) -> frozenset[str]:
        """The variables that it may change: the one that holds the step, and who is active, too."""
        step = ir.STEP if self.steps == ir.TURN else self.steps
        active = ir.ACTIVE if self.advances == ir.TURN else None
        return frozenset(name for name in (self.changes, step, active) if name is not None)


def effect_of(statement: ir.Statement) -> Effect:
    """Return what *statement* by itself does."""
    match statement:
        case ir.Put(zone=zone):
            return Effect(joins=zone)
        case ir.Move(item, zone):
            return Effect(item=item, is_taken=True, joins=zone)
        case ir.Leave(item):
            return Effect(item=item, is_taken=True)
        case ir.BeginResolving(item) | ir.Alter(item):
            return Effect(item=item)
        case ir.Assign(variable):
            return Effect(changes=variable)
        case ir.Advance(sequence):
            return Effect(steps=sequence, advances=sequence)
        case ir.StepTo(sequence):
            return Effect(steps=sequence)
        case ir.Let(variable):
            return Effect(names=variable)
        case ir.Choose(variable, domain) | ir.ForEach(variable, domain):
            return Effect(
                names=variable, among=domain.zone if isinstance(domain, ir.ItemsOn) else None
            )
        case ir.Go(stage):
            return Effect(next=stage)
        case ir.Require() | ir.Pass() | ir.If() | ir.Branch() | ir.GameOver():
            return Effect()
        case _:
            assert_never(statement)


def move_together(zone: str, to: str, orders: Mapping[str, str]) -> bool:
    """Whether items of *zone* can go to zone *to* all at once: what has no order brings none
    along.
    """
    return zone != to and (orders.get(zone) != "unordered" or orders.get(to) == "unordered")


def passes(block: ir.Block) -> bool:
    """Whether the owner passes on some way through *block*."""
    return any(isinstance(statement, ir.Pass) for statement in statements(block))


def without_chooser(statement: ir.Statement) -> ir.Statement:
    """Return *statement* without who chooses: any player has the same choices, with the same
    outcomes.
    """
    return (
        replace(statement, by=None)
        if isinstance(statement, ir.Choose | ir.Branch) and statement.by is not None
        else statement
    )


def is_moving(expr: ir.Expr) -> bool:
    """Whether *expr* by itself depends on more than options and the number of players: on the
    position, or on what has a name.
    """
    match expr:
        case (
            ir.NamedValue() | ir.IsEmpty() | ir.Size() | ir.EndOf() | ir.AttributeOf() | ir.Exists()
        ):
            return True
        case ir.Literal() | ir.OptionValue() | ir.PlayerNumber() | ir.Everyone() | ir.NoPlayers():
            return False
        case (
            ir.Neighbour()
            | ir.With()
            | ir.Without()
            | ir.Contains()
            | ir.Connective()
            | ir.Equal()
            | ir.OneOf()
        ):
            return False
        case ir.Less() | ir.Add() | ir.Subtract() | ir.Count():
            return False
        case _:
            assert_never(expr)


Bounds: TypeAlias = tuple[int, int]
"""The least and the most that a number can be."""


def bounds_of(expr: ir.Expr, known: Callable[[ir.Expr], Bounds | None]) -> Bounds | None:
    """Return numbers between which *expr* lies; *known* bounds what is neither a number nor a sum.
    None if it cannot.
    """
    match expr:
        case ir.Literal(int(value)) if not isinstance(value, bool):
            return value, value
        case ir.Add(left, right) | ir.Subtract(left, right):
            one, other = bounds_of(left, known), bounds_of(right, known)
            if one is None or other is None:
                return None
            (least, most), (low, high) = one, other
            return (
                (least + low, most + high)
                if isinstance(expr, ir.Add)
                else (least - high, most - low)
            )
        case (
            ir.Literal() | ir.OptionValue() | ir.PlayerNumber() | ir.NamedValue() | ir.Neighbour()
            | ir.SomePlayers() | ir.YesOrNo() | ir.Count() | ir.Size() | ir.EndOf()
            | ir.AttributeOf()
        ):  # fmt: skip
            return known(expr)
        case _:
            assert_never(expr)


def most_joining(bodies: Iterable[ir.Block], sizes: Mapping[str, int]) -> Counter[str]:
    """Return for each zone how many items join it at most on a way through one of *bodies*, where
    zones have *sizes* before it.
    """
    before, most = Counter(sizes), Counter[str]()
    for body in bodies:
        most |= _sizes_after(body, before) - before
    return most


def _sizes_after(block: ir.Block, sizes: Counter[str]) -> Counter[str]:
    """Return how many items each zone has at most after *block*, or on the way, where it has
    *sizes* before it.
    """
    for statement in block:
        done = effect_of(statement)
        if isinstance(statement, ir.ForEach):
            joined = [one for one in map(effect_of, statement.body) if one.joins is not None]
            sizes = sizes + Counter(
                {one.joins: sizes[done.among] for one in joined if one.joins and done.among}
            )
            continue
        ways = Counter[str]()
        for block_ in blocks_of(statement):
            ways |= _sizes_after(block_, sizes)
        sizes = sizes | ways
        if done.joins is not None:
            sizes = sizes + Counter({done.joins: 1})
    return sizes


def unchanged(program: ir.Program) -> dict[str, ir.Expr]:
    """Return the initial values of the variables that no clause of *program* changes, but for those
    with an entry for each player, and whose turn it is.
    """
    changed = {
        one.variable
        for _, clause in program.clauses
        for one in statements(clause.body)
        if isinstance(one, ir.Assign)
    }
    return {
        one.name: one.initial
        for one in program.variables
        if not one.each_player and one.name not in changed | {ir.ACTIVE}
    }
