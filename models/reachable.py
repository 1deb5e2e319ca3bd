"""Which stages a play can come to, judged by the ``go`` of clauses alone."""

from __future__ import annotations

from . import ir, syntax


def reachable_stages(stages: tuple[ir.Stage, ...] | tuple[syntax.Stage, ...], start: ir.Go | syntax.Go) -> frozenset[str]:
    """Return the names of the stages that are *start* or that a clause of a reachable stage goes to."""
    goes = {stage.name: {node.stage for node in ir.walk(stage.clauses) if isinstance(node, ir.Go | syntax.Go)} for stage in stages}
    reached: set[str] = set()
    frontier = [start.stage]
    while frontier:
        stage = frontier.pop()
        if stage not in reached:
            reached.add(stage)
            frontier.extend(goes.get(stage, ()))
    return frozenset(reached)
