"""Reachable stages: those that a play can come to, judged by the ``go`` of clauses alone."""

from __future__ import annotations

from .. import ir, syntax
from ..ir.analysis import effect_of
from ..ir.parts import statements


def reachable_stages(stages: tuple[ir.Stage, ...] | tuple[syntax.Stage, ...], start: ir.Go | syntax.Go) -> frozenset[str]:
    """Return the names of the stages that are *start* or that a clause of a reachable stage goes to."""
    goes = {stage.name: _goes(stage) for stage in stages}
    reached: set[str] = set()
    frontier = [start.stage]
    while frontier:
        stage = frontier.pop()
        if stage not in reached:
            reached.add(stage)
            frontier.extend(goes.get(stage, ()))
    return frozenset(reached)


def _goes(stage: ir.Stage | syntax.Stage) -> set[str]:
    """Return the stages to which clauses of *stage* go."""
    if isinstance(stage, ir.Stage):
        return {
            name for clause in stage.clauses for statement in statements(clause.body) if (name := effect_of(statement).next) is not None
        }
    return {node.stage for node in ir.walk(stage.clauses) if isinstance(node, syntax.Go)}
