"""Mutations: a Program with one thing changed that a clause says, so that something else holds of
it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace

from stacklaw.models import ir
from stacklaw.models.wellformed import MalformedProgram, check_wellformed


@dataclass(frozen=True)
class Mutant:
    """A *program* that differs from its original by *change*."""

    change: str
    program: ir.Program

    @property
    def is_wellformed(self) -> bool:
        try:
            check_wellformed(self.program)
        except MalformedProgram:
            return False
        return True


def mutations(program: ir.Program) -> list[Mutant]:
    """Return every mutant of *program*; some are not well formed, so that no ruleset could say
    them.
    """
    return list(_mutations(program))


def _mutations(program: ir.Program) -> Iterator[Mutant]:
    for number, stage in enumerate(program.stages):
        for place, clause in enumerate(stage.clauses):
            for change, changed in _of_node(clause, program):
                assert isinstance(changed, ir.Clause)
                clauses = (*stage.clauses[:place], changed, *stage.clauses[place + 1 :])
                stages = (
                    *program.stages[:number],
                    replace(stage, clauses=clauses),
                    *program.stages[number + 1 :],
                )
                yield Mutant(f"{clause.id}: {change}", replace(program, stages=stages))


def _of_node(node: object, program: ir.Program) -> Iterator[tuple[str, object]]:
    """Yield *node* with one change in it or below it."""
    yield from _of_this(node, program)
    if isinstance(node, tuple):
        for place, part in enumerate(node):
            for change, changed in _of_node(part, program):
                statements = (
                    changed
                    if isinstance(changed, tuple) and not isinstance(part, tuple)
                    else (changed,)
                )
                yield change, (*node[:place], *statements, *node[place + 1 :])
        return
    if not is_dataclass(node) or isinstance(node, type):
        return
    for field in fields(node):
        for change, changed in (
            _of_node(getattr(node, field.name), program) if field.compare else ()
        ):
            yield change, replace(node, **{field.name: changed})


def _of_this(node: object, program: ir.Program) -> Iterator[tuple[str, object]]:
    """Yield what may stand in the place of *node*; for a statement that is dropped, an empty
    tuple.
    """
    match node:
        case ir.Clause(guard=guard):
            if guard != ir.YES:
                yield "no guard", replace(node, guard=ir.YES)
                yield "the guard negated", replace(node, guard=ir.Not(guard))
            if isinstance(guard, ir.All):
                for number in range(len(guard.parts)):
                    parts = guard.parts[:number] + guard.parts[number + 1 :]
                    yield (
                        f"without part {number + 1} of the guard",
                        replace(node, guard=ir.All(parts)),
                    )
        case ir.If(condition, then, otherwise):
            yield "the condition of an if negated", ir.If(ir.Not(condition), then, otherwise)
        case ir.Require(condition):
            yield "a requirement dropped", ()
            yield "a requirement negated", ir.Require(ir.Not(condition))
        case ir.Choose(nearest=ir.Nearest()):
            yield "a choice among all, not the nearest", replace(node, nearest=None)
        case ir.Neighbour(player):
            yield "a player, not the one beside", player
        case ir.Go(stage, arguments):
            types = [parameter.type for parameter in program.stage(stage).parameters]
            for other in program.stages:
                if (
                    other.name != stage
                    and [parameter.type for parameter in other.parameters] == types
                ):
                    yield f"go {other.name}, not {stage}", ir.Go(other.name, arguments)
            yield f"the game ends, instead of {stage}", ir.GameOver()
        case _:
            yield from _of_statement(node, program)


def _of_statement(node: object, program: ir.Program) -> Iterator[tuple[str, object]]:
    match node:
        case ir.Assign(variable):
            yield f"{variable} stays as it is", ()
        case ir.Put(kind, _, _, zone):
            others = (other.name for other in program.kinds if other.name != kind)
            yield from (
                (f"{other} put in the place of {kind}", replace(node, kind=other))
                for other in others
            )
            yield from (
                (f"{kind} put on {other}, not on {zone}", replace(node, zone=other))
                for other in _others(zone, program)
            )
        case ir.Move(_, zone):
            yield from (
                (f"moved to {other}, not to {zone}", replace(node, zone=other))
                for other in _others(zone, program)
            )
        case ir.Simple():
            yield f"no {type(node).__name__}", ()
        case _:
            pass


def _others(zone: str, program: ir.Program) -> list[str]:
    return [other.name for other in program.zones if other.name != zone]
