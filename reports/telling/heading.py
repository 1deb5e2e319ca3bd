"""The heading of a record: which game was explored, within which scope, and how much of it there
is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...checker.types.scope import Scope
from ...checker.types.verdict import Counts
from ...models.ir import Program
from ...models.syntax import NamedSizes
from ...models.words import counted


@dataclass(frozen=True)
class ScopeHeading:
    """A game, by its *name* on the command line, and the *scope* it was explored within, in words;
    *cut* is how many moves that cuts.
    """

    name: str
    title: str
    players: int
    sizes: NamedSizes
    scope: str
    positions: int
    moves: int
    cut: int

    @property
    def words(self) -> str:
        """The heading as one line."""
        return f"{self.name}  {self.title}, {self.scope}: {counted(self.positions, 'position')}, {counted(self.moves, 'move')}"

    @property
    def fields(self) -> dict[str, Any]:
        """The heading as data."""
        fields = {
            name: getattr(self, name) for name in ("name", "title", "positions", "moves", "cut")
        }
        return {**fields, "scope": {"players": self.players, "zones": dict(self.sizes)}}


def make_heading(program: Program, name: str, scope: Scope, counts: Counts) -> ScopeHeading:
    """Return the heading of what was found of *program*, which is called *name*."""
    return ScopeHeading(
        name, program.title, scope.players, scope.sizes, str(scope), counts.positions, counts.moves, counts.cut
    )  # fmt: skip
