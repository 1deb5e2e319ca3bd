"""Rulesets with a mistake in them: one guard less, or one `go` to another stage, or one statement less."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace

from stacklaw.models import ir


def mutants(program: ir.Program, number: int, seed: int) -> Iterator[tuple[str, ir.Program]]:
    """Yield *number* Programs, each with one change chosen by *seed*, with what was changed."""
    changes = [
        (f"{clause.id}: {what}", stage.name, clause.id, changed)
        for stage, clause in program.clauses
        for what, changed in (*_weaker_guards(clause), *_other_bodies(clause, program))
    ]
    for what, stage_name, id_, changed in random.Random(seed).sample(changes, min(number, len(changes))):
        yield what, _with(program, stage_name, id_, changed)


def _with(program: ir.Program, stage_name: str, id_: str, changed: ir.Clause) -> ir.Program:
    def clauses(stage: ir.Stage) -> tuple[ir.Clause, ...]:
        return tuple(changed if (stage.name, clause.id) == (stage_name, id_) else clause for clause in stage.clauses)

    return replace(program, stages=tuple(replace(stage, clauses=clauses(stage)) for stage in program.stages))


def _weaker_guards(clause: ir.Clause) -> Iterator[tuple[str, ir.Clause]]:
    if isinstance(clause.guard, ir.All):
        for place in range(len(clause.guard.parts)):
            rest = clause.guard.parts[:place] + clause.guard.parts[place + 1 :]
            yield f"without condition {place}", replace(clause, guard=ir.All(rest) if rest else ir.YES)
    if clause.guard != ir.YES:
        yield "without its conditions", replace(clause, guard=ir.YES)


def _other_bodies(clause: ir.Clause, program: ir.Program) -> Iterator[tuple[str, ir.Clause]]:
    for target in (node for node in ir.walk(clause.body) if isinstance(node, ir.Go)):
        kinds = [parameter.type for parameter in program.stage(target.stage).parameters]
        for stage in program.stages:
            if stage.name != target.stage and [parameter.type for parameter in stage.parameters] == kinds:
                yield f"{target.stage} -> {stage.name}", _changed(clause, target, replace(target, stage=stage.name))
    for statement in ir.walk(clause.body):
        if isinstance(statement, ir.Assign | ir.Pass | ir.BeginResolving | ir.Leave | ir.Require):
            yield f"without {type(statement).__name__}", _changed(clause, statement, ())


def _changed(clause: ir.Clause, old: object, new: object) -> ir.Clause:
    change: Callable[[object], object] = lambda node: new if node is old or node == old else node  # noqa: E731 - a function of one expression
    return replace(clause, body=ir.rewrite(clause.body, change))
