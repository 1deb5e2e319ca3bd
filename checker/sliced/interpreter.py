"""The reference interpreter on a slice: the same clauses with the same meaning, on positions that look alike only once.

A position and its projection are alike. So by `slicing.needs` they have the same moves to alike positions, with the same events, as far as
what is looked for asks for events (which step begins may be dropped). If the slice keeps who decides what (NOTE(choosers) there), they
have the same decisions by the same players. A choice that is left out may have more options in one of the two, but all of them come to the
same. The scope cuts the same, as the lengths of zones are kept. So to be alike is a bisimulation, of plays and of games: who follows only
what is kept finds the same in both.

An item is followed by its place, and on an unordered zone a projection may change that; so nothing is to be followed there.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import cached_property

from ...models import ir
from ..reference.semantics.interpreter import Interpreter, Moves
from ..slicing.needs import Slicer
from ..slicing.slice import Slice
from ..types.position import Move, Position
from ..types.scope import Scope
from .projection import SliceProjection


class SlicedInterpreter(Interpreter):
    """A Program within a scope of which only *kept* is looked at; *whole* is the interpreter that sees everything."""

    def __init__(self, program: ir.Program, scope: Scope, slicer: Slicer, kept: Slice) -> None:
        super().__init__(program, scope)
        self.kept, self.slicer, self.projection = kept, slicer, SliceProjection(program, scope, kept)

    @cached_property
    def whole(self) -> Interpreter:
        """The interpreter that sees everything."""
        return Interpreter(self.program, self.scope)

    def initial(self) -> Position:
        """Return the projection of the position in which every play begins."""
        return self.projection.of(super().initial())

    def moves(self, position: Position, of: Collection[str] | None = None) -> Moves:
        """Return the moves of *position*, each with the projection of where it leads."""
        found = super().moves(position, of)
        return replace(found, moves=self._projected(found.moves))

    def allowed(self, position: Position, of: Collection[str] | None = None) -> list[tuple[Move, Position]]:
        """Return the moves that the rules allow in *position*, likewise."""
        return self._projected(super().allowed(position, of))

    def _projected(self, moves: list[tuple[Move, Position]]) -> list[tuple[Move, Position]]:
        of = self.projection.of
        return [(move, of(target)) for move, target in moves]
