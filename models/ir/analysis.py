"""Analyses of a Program that everybody shares: each question about its text is answered here, and nowhere else."""

from __future__ import annotations

from typing import assert_never

from .. import ir
from .parts import expressions_of, statements


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
        case ir.Put() | ir.Move() | ir.Leave() | ir.BeginResolving() | ir.Pass() | ir.Advance() | ir.StepTo():
            return False
        case ir.Require() | ir.Assign() | ir.Let() | ir.Choose():
            return False
        case _:
            assert_never(statement)


def up_to_end(block: ir.Block) -> ir.Block:
    """Return *block* without what stands behind its end."""
    for index, statement in enumerate(block):
        if statement_ends(statement):
            return block[: index + 1]
    return block


def bound_in(clause: ir.Clause) -> frozenset[str]:
    """Return the names that *clause* gives to something: its owner, what is named or chosen in it, and what it quantifies over."""
    names = {clause.owner.variable} if clause.owner.variable is not None else set[str]()
    names |= {name for statement in statements(clause.body) if (name := binds(statement)) is not None}
    return frozenset(names | {expr.variable for expr in expressions_of(clause) if isinstance(expr, ir.Exists)})


def binds(statement: ir.Statement) -> str | None:
    """Return the name that *statement* itself gives to something, for what follows it."""
    match statement:
        case ir.Let(variable) | ir.Choose(variable):
            return variable
        case ir.Require() | ir.Put() | ir.Move() | ir.Leave() | ir.BeginResolving() | ir.Pass() | ir.Advance() | ir.StepTo() | ir.Assign():
            return None
        case ir.If() | ir.Branch() | ir.Go() | ir.GameOver():
            return None
        case _:
            assert_never(statement)


def joins(statement: ir.Statement) -> str | None:
    """Return the zone that an item joins by *statement* itself."""
    match statement:
        case ir.Put(zone=zone) | ir.Move(zone=zone):
            return zone
        case ir.Require() | ir.Leave() | ir.BeginResolving() | ir.Pass() | ir.Advance() | ir.StepTo() | ir.Assign() | ir.Let():
            return None
        case ir.If() | ir.Choose() | ir.Branch() | ir.Go() | ir.GameOver():
            return None
        case _:
            assert_never(statement)


def leads_to(statement: ir.Statement) -> str | None:
    """Return the stage that is next after *statement*, if that says so itself."""
    match statement:
        case ir.Go(stage):
            return stage
        case ir.Require() | ir.Put() | ir.Move() | ir.Leave() | ir.BeginResolving() | ir.Pass() | ir.Advance() | ir.StepTo() | ir.Assign():
            return None
        case ir.Let() | ir.If() | ir.Choose() | ir.Branch() | ir.GameOver():
            return None
        case _:
            assert_never(statement)


def passes(block: ir.Block) -> bool:
    """Whether the owner passes on some way through *block*."""
    return any(isinstance(statement, ir.Pass) for statement in statements(block))
