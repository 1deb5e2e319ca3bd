"""Equivalent mutants: whether an edit changes nothing, at any position to which a play of the
original comes.

Then its plays are those of the original, move for move, with what happens in them: nobody can tell
the two apart, and no claim does. It is asked of the meaning itself, and only of the changed
clauses: the others of their stage do what they did anyhow. What is chosen in a move, as far as it
shows in nothing that happens, nobody sees: formulas ask at most who chooses. Who can enforce what
may depend on it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Literal, TypeAlias

from ...models import ir
from ..reference.semantics.explore import explore
from ..reference.semantics.interpreter import Interpreter
from ..types.budget import Budget, Meter
from ..types.position import Move, Position
from ..types.scope import Scope

SeenOfChoices: TypeAlias = Literal["all", "choosers"]
"""What is seen of the choices in a move: all may matter to who enforces something, claims ask at
most by whom.
"""

MOST_REACHED = 60_000
"""How many positions an original may have; what edits of a larger one change is not known."""


class Unchanged:
    """What plays of *program* within *scope* reach, for all its edits."""

    def __init__(self, program: ir.Program, scope: Scope) -> None:
        self.program, self.scope = program, scope

    @cached_property
    def reached(self) -> dict[str, list[Position]] | None:
        """All positions by their stages; None if there are too many."""
        graph = explore(
            Interpreter(self.program, self.scope), Meter(Budget(positions=MOST_REACHED))
        )
        if graph.stopped:
            return None
        found: dict[str, list[Position]] = defaultdict(list)
        for position in graph.positions:
            found[position.stage].append(position)
        return found

    def by(self, edited: ir.Program, seen: SeenOfChoices) -> bool:
        """Whether it is known that *edited*, which declares the same, does the same at every
        position that is reached.

        Moves are the same if they are alike in all but choices, and of these in what is *seen*.
        """
        own = {stage.name: stage for stage in self.program.stages}
        if edited.zones != self.program.zones or any(
            stage.name not in own for stage in edited.stages
        ):
            return False
        return all(
            stage == own[stage.name] or self._is_unchanged(own[stage.name], stage, seen)
            for stage in edited.stages
        )

    def _is_unchanged(self, old: ir.Stage, new: ir.Stage, seen: SeenOfChoices) -> bool:
        """Whether the clauses that *new* has instead of those of *old* allow the same moves, within
        the scope and beyond.
        """
        pairs = list(zip(old.clauses, new.clauses, strict=False))
        if len(old.clauses) != len(new.clauses) or replace(new, clauses=old.clauses) != old:
            return False
        if (
            any((one.id, one.mode) != (other.id, other.mode) for one, other in pairs)
            or self.reached is None
        ):
            return False
        changed = [(one, other) for one, other in pairs if one != other]
        before, after = (self._alone(old, clauses) for clauses in zip(*changed, strict=True))
        return _are_alike(before, after, self.reached.get(old.name, ()), seen)

    def _alone(self, stage: ir.Stage, clauses: Sequence[ir.Clause]) -> Interpreter:
        """Return the interpreter of *clauses* of *stage*, as if there were no others."""
        stages = tuple(
            replace(one, clauses=tuple(clauses) if one.name == stage.name else ())
            for one in self.program.stages
        )
        return Interpreter(replace(self.program, stages=stages), self.scope)


def _are_alike(
    before: Interpreter, after: Interpreter, positions: Iterable[Position], seen: SeenOfChoices
) -> bool:
    for position in positions:
        old, new = before.moves(position), after.moves(position)
        if bool(old.cut) != bool(new.cut) or not _say_the_same(old.moves, new.moves, seen):
            return False
        if old.cut and not _say_the_same(before.allowed(position), after.allowed(position), seen):
            return False
    return True


_Moves: TypeAlias = list[tuple[Move, Position]]


def _say_the_same(old: _Moves, new: _Moves, seen: SeenOfChoices) -> bool:
    return old == new or (seen != "all" and _visible(old) == _visible(new))


def _visible(moves: _Moves) -> frozenset[Hashable]:
    """Return *moves* and where they lead without their choices, but for who makes them."""
    return frozenset(
        (
            move.clause,
            move.owner,
            frozenset(choice.by for choice in move.choices),
            move.events,
            target,
        )
        for move, target in moves
    )
