"""Analyses of a Program that everybody shares: each question about its text is answered here, and nowhere else."""

from __future__ import annotations

from typing import assert_never

from .. import ir


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
