"""What the reference says of a property in a small scope: the judge of every proof."""

from __future__ import annotations

from stacklaw.checker.reference.engine import decide
from stacklaw.checker.reference.formulas.signals import Signals
from stacklaw.checker.reference.semantics.explore import explore
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Outcome
from stacklaw.models import ir
from stacklaw.properties import formula as f

REFUTED = (Outcome.VIOLATED, Outcome.POSSIBLE)


class Judge:
    """A Program within a scope, explored once: with *size* items on each zone, if that is given,
    and at most *positions* positions.
    """

    def __init__(
        self,
        program: ir.Program,
        players: int,
        size: int | None = None,
        positions: int | None = None,
    ) -> None:
        sizes = None if size is None else {zone.name: size for zone in program.zones}
        interpreter = Interpreter(program, make_scope(program, players, sizes))
        self.signals = Signals(explore(interpreter, Meter(Budget(positions=positions))))

    def outcome(self, question: f.Property) -> Outcome:
        """Return what the reference says of *question*."""
        return decide(self.signals, question, Meter()).outcome


def sizes_of_table(program: ir.Program, most: int) -> range:
    """Return how many players there may be, up to *most*."""
    least, limit = program.players
    return range(least, min(most, limit or most) + 1)
