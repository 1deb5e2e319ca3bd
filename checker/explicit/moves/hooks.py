"""Hooks: what a text finds out about the moves of a position. One writer of clauses (`moves`)
serves all of them.

NOTE(buffer): every function takes the words of a position, then *out* and *n*, and returns the new
*n*. `MoveHooks` writes the words of each position reached to ``out[n]`` and on, in NOTE(move-order)
of the reference interpreter. Other hooks use *n* as they say. The buffer has a header: ``out[CUT]``
counts the moves the scope cuts; ``out[BITS]`` gathers the bits of the formulas that a move makes
true, until the reader clears it; ``out[WHICH]`` is the number of the formula that is
watched; from ``out[OWED]`` on stands in which ways a formula about the future may go on after a
move (`emit.monitor`). ``out[LIMITS]`` has the sizes of zones where a text leaves them open
(`layout.Layout`), and ``out[NUMBER]`` the number of the move where a text tells it. Positions begin
at ``out[FIRST]``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from ....models import ir
from ...slicing.symmetry import changes_active
from .dispatch import EmitPoint
from .layout import LIMITS
from .rotation import Rotation
from .state import BoundLocal, ZoneSpot

CUT, BITS, WHICH, OWED = range(4)
OWED_WORDS = 8
NUMBER = LIMITS + 1
FIRST = NUMBER + 1
GoOn: TypeAlias = Callable[[EmitPoint], None]
"""Writes what follows."""
Changes: TypeAlias = "tuple[tuple[str, str], ...]"
"""What ends and begins, as ``step ends``, ``sequence begins`` and so on, each with the condition
under which it does.
"""


class MoveHooks:
    """The plain hooks: where each move leads. Others see more of a move."""

    name = "move"
    threads: Mapping[str, str] = {}
    """What is handed on through a move besides its state, by name, as it is where the game
    begins.
    """
    rotation: Rotation | None = None
    """How a position is rotated before it is written, if it is."""
    may_turn = False
    """Whether the clause that is being written may change who is active."""

    def on_begin(self, clause: ir.Clause, _owner: str) -> Mapping[str, str]:
        """Return the values of the threads at the beginning of a move of a clause; *owner* is the
        text of a seat, or -1.
        """
        self.may_turn = changes_active(clause.body)
        return {}

    def on_end(self, here: EmitPoint, _mode: ir.Mode) -> None:
        """Write the end of a move of a clause of *mode*."""
        self.store(here)

    def store(self, here: EmitPoint) -> None:
        """Write the position *here* to the buffer, turned if positions are."""
        if self.rotation is not None and self.may_turn:
            here = self.rotation.turned(here)
        here.put_out(*here.words)

    def on_cut(self, here: EmitPoint, _mode: ir.Mode) -> None:
        """Write what a move of a clause of *mode* does that the scope cuts."""
        here.line(f"out[{CUT}] += 1")

    # ------------------------------------------------------ events; each returns the point after it

    def on_pass(self, here: EmitPoint) -> EmitPoint:
        """Write that the owner passes."""
        return here

    def on_happening(self, here: EmitPoint) -> EmitPoint:
        """Write that the cards let something happen."""
        return here

    def on_choice(self, here: EmitPoint, _by: ir.Expr | None) -> EmitPoint:
        """Write that the player *by*, or with None the owner if that is a player, makes a
        choice.
        """
        return here

    def on_taken(
        self, here: EmitPoint, _choice: ir.Choose | ir.Branch, _way: BoundLocal | int | None
    ) -> EmitPoint:
        """Write that in a *choice* one *way* is taken: what is chosen, or a branch's number."""
        return here

    def on_put(self, here: EmitPoint, _spot: ZoneSpot, _code: str, go_on: GoOn) -> None:
        """Write that a new item has come to *spot*, and what follows for every way to see it."""
        go_on(here)

    def on_move(self, here: EmitPoint, _spot: ZoneSpot, _to: ZoneSpot) -> EmitPoint:
        """Write that an item has gone from one place to another."""
        return here

    def on_change(
        self, here: EmitPoint, _spot: ZoneSpot, _to: ZoneSpot, _name: str, _code: str
    ) -> EmitPoint:
        """Write that the part *name* of an item has changed, which may now be at another spot of
        its zone.
        """
        return here

    def on_leave(self, here: EmitPoint, _spot: ZoneSpot, _how: str, _code: str) -> EmitPoint:
        """Write that the item *code* has left the game."""
        return here

    def on_resolving(self, here: EmitPoint, _spot: ZoneSpot) -> EmitPoint:
        """Write that an item begins to resolve."""
        return here

    def on_steps(self, here: EmitPoint, _sequence: str, _changes: Changes) -> EmitPoint:
        """Write what ends and begins of *sequence*, before it changes."""
        return here
