"""The explicit engine: one search for the counts, and one for each formula, each of them in packed words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ...models.ir import Program
from ...properties import formula as f
from ..budget import INTERRUPTED, Meter
from ..engine import Decision
from ..questions import Looked, Wanted, decide
from ..scope import Scope
from ..tuning import Tuning
from ..verdict import Counts, Outcome
from .decide import Player, look_for
from .emit import emit
from .layout import Layout, TooWideError
from .search import SMALL, search

EXPLORING = 0.5
"""The share of a budget that the exploration may spend; the rest is for the properties."""


class Explicit:
    """The engine for large searches.

    It finds the positions of a play, and asks whoever is made by *player* for the moves between them: the
    reference interpreter (``Explicit(Interpreter)``). More than *small* positions are searched in compiled code.
    """

    name = "explicit"

    def __init__(self, player: Callable[[Program, Scope], Player], small: int = SMALL, tuning: Tuning | None = None) -> None:
        self.player, self.small, self.tuning = player, small, tuning or Tuning()

    def decide(self, program: Program, properties: Sequence[f.Property], scope: Scope, meter: Meter) -> Iterator[tuple[Decision, Counts]]:
        """Yield what is known of each property; after an interruption of the deciding the rest is unknown."""
        meter.begin("exploring", EXPLORING)
        try:
            counts = search(emit(Layout(program, scope)), meter, self.small).counts
        except TooWideError as error:
            for question in properties:
                yield Decision(Outcome.UNKNOWN, question, reason=str(error)), Counts(0, 0, 0, 0)
            return
        player = self.player(program, scope)

        def look(wanted: Wanted) -> Looked:
            try:
                answer = look_for(program, scope, wanted.formula, wanted.spotlights, player, meter, self.small)
            except TooWideError as error:
                return Looked(False, 0, str(error))
            return Looked(answer.trace is not None, answer.result.complete_layers, answer.result.stopped, answer.trace)

        for question in properties:
            meter.begin(f"deciding {question.name}")
            if meter.interrupted:
                yield Decision(Outcome.UNKNOWN, question, reason=INTERRUPTED), counts
            else:
                yield decide(program, question, look), counts
