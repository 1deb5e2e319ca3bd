"""Alike: whether an edit changes nothing, at any position to which a play of the original comes.

Then its plays are those of the original, move for move, with what happens in them: nobody can tell the two apart, and no claim does. It is
asked of the meaning itself, and only of the changed clauses: the others of their stage do what they did anyhow.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

from ...models import ir
from ..reference.semantics.explore import explore
from ..reference.semantics.interpreter import Interpreter
from ..types.budget import Budget, Meter
from ..types.position import Position
from ..types.scope import Scope

MOST_REACHED = 60_000
"""How many positions an original may have; what edits of a larger one change is not known."""


class Unchanged:
    """What plays of *program* within *scope* reach, for all its edits."""

    def __init__(self, program: ir.Program, scope: Scope) -> None:
        self.program, self.scope = program, scope

    @cached_property
    def reached(self) -> dict[str, list[Position]] | None:
        """All positions by their stages; None if there are too many."""
        graph = explore(Interpreter(self.program, self.scope), Meter(Budget(positions=MOST_REACHED)))
        if graph.stopped:
            return None
        found: dict[str, list[Position]] = defaultdict(list)
        for position in graph.positions:
            found[position.stage].append(position)
        return found

    def by(self, edited: ir.Program) -> bool:
        """Whether it is known that *edited*, which declares the same, does the same at every position that is reached."""
        own = {stage.name: stage for stage in self.program.stages}
        if edited.zones != self.program.zones or any(stage.name not in own for stage in edited.stages):
            return False
        return all(stage == own[stage.name] or self._is_unchanged(own[stage.name], stage) for stage in edited.stages)

    def _is_unchanged(self, old: ir.Stage, new: ir.Stage) -> bool:
        """Whether the clauses that *new* has instead of those of *old* allow the same moves, within the scope and beyond."""
        pairs = list(zip(old.clauses, new.clauses, strict=False))
        if len(old.clauses) != len(new.clauses) or replace(new, clauses=old.clauses) != old:
            return False
        if any((one.id, one.mode) != (other.id, other.mode) for one, other in pairs) or self.reached is None:
            return False
        changed = [(one, other) for one, other in pairs if one != other]
        before, after = (self._alone(old, clauses) for clauses in zip(*changed, strict=True))
        return _are_alike(before, after, self.reached.get(old.name, ()))

    def _alone(self, stage: ir.Stage, clauses: Sequence[ir.Clause]) -> Interpreter:
        """Return the interpreter of *clauses* of *stage*, as if there were no others."""
        stages = tuple(replace(one, clauses=tuple(clauses) if one.name == stage.name else ()) for one in self.program.stages)
        return Interpreter(replace(self.program, stages=stages), self.scope)


def _are_alike(before: Interpreter, after: Interpreter, positions: Iterable[Position]) -> bool:
    for position in positions:
        old, new = before.moves(position), after.moves(position)
        if old.cut != new.cut or old.moves != new.moves:
            return False
        if old.cut and before.allowed(position) != after.allowed(position):
            return False
    return True
