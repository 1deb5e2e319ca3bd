"""Alike: whether an edit changes nothing, at any position to which a play of the original comes.

Then its plays are those of the original, move for move, with what happens in them: nobody can tell the two apart, and no claim does. It is
asked of the meaning itself, and only of the clauses that are others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from ...models import ir
from ..explicit.emit.patches import StageEdit
from ..reference.explore import explore
from ..reference.interpreter import Interpreter
from ..types.budget import Budget, Meter
from ..types.position import Position
from ..types.scope import Scope

MOST_REACHED = 60_000
"""Of how many positions an original may have it is asked; of a larger one it is not known."""


class Alike:
    """What plays of *program* within *scope* reach, for all its edits."""

    def __init__(self, program: ir.Program, scope: Scope) -> None:
        self.program, self.scope = program, scope

    @cached_property
    def _reached(self) -> dict[str, list[Position]] | None:
        """All positions by their stages; None if there are too many."""
        graph = explore(Interpreter(self.program, self.scope), Meter(Budget(positions=MOST_REACHED)))
        if graph.stopped:
            return None
        found: dict[str, list[Position]] = defaultdict(list)
        for position in graph.positions:
            found[position.stage].append(position)
        return found

    def is_so(self, edit: StageEdit) -> bool:
        """Whether *edit* is known to change nothing."""
        if edit.priority is not None or any(old.mode != new.mode for old, new in edit.clauses) or self._reached is None:
            return False
        old, new = (self._alone(edit.stage, clauses) for clauses in zip(*edit.clauses, strict=True))
        for position in self._reached.get(edit.stage.name, ()):
            before, after = old.moves(position), new.moves(position)
            if before.cut != after.cut or before.moves != after.moves:
                return False
            if before.cut and old.allowed(position) != new.allowed(position):
                return False
        return True

    def _alone(self, stage: ir.Stage, clauses: Sequence[ir.Clause]) -> Interpreter:
        """Return the interpreter of the *clauses* of *stage*, as if there were no others."""
        stages = tuple(replace(one, clauses=tuple(clauses) if one.name == stage.name else ()) for one in self.program.stages)
        return Interpreter(replace(self.program, stages=stages), self.scope)
