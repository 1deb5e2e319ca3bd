"""Reachable: what steps lead to in the end; of stages those that a play can come to, judged by the
``go`` of clauses alone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from .. import ir
from ..ir.analysis import effect_of
from ..ir.parts import statements

Node = TypeVar("Node", bound=Hashable)


def reached(first: Iterable[Node], after: Callable[[Node], Iterable[Node]]) -> set[Node]:
    """Return *first*, and all to which the steps *after* them lead."""
    found = set(first)
    waiting = list(found)
    while waiting:
        new = {*after(waiting.pop())} - found
        found |= new
        waiting += new
    return found


def reachable_stages(stages: tuple[ir.Stage, ...], start: ir.Go) -> frozenset[str]:
    """Return the names of the stages that are *start* or that a clause of a reachable stage goes
    to.
    """
    goes = {stage.name: _goes(stage) for stage in stages}
    return frozenset(reached([start.stage], lambda stage: goes.get(stage, ())))


def _goes(stage: ir.Stage) -> set[str]:
    """Return the stages to which clauses of *stage* go."""
    return {
        name
        for clause in stage.clauses
        for statement in statements(clause.body)
        if (name := effect_of(statement).next) is not None
    }
