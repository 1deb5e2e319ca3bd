"""The reference engine: one exploration by the interpreter, and every property decided on its graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...models.ir import Program
from ...properties.formula import Property
from ..types.budget import INTERRUPTED, Meter
from ..types.engine import Decision
from ..types.scope import Scope
from ..types.verdict import Counts, Outcome
from .decide import decide
from .formulas.signals import Signals
from .semantics.explore import explore
from .semantics.interpreter import Interpreter

EXPLORING = 0.7
"""The share of a budget that the exploration may spend; the rest is for the properties."""


class Reference:
    """The engine that every other one is measured against."""

    name = "reference"
    slices = False

    def decide(self, program: Program, properties: Sequence[Property], scope: Scope, meter: Meter) -> Iterator[tuple[Decision, Counts]]:
        """Yield what is known of each property; after an interruption of the deciding the rest is unknown."""
        meter.begin("exploring", EXPLORING)
        graph = explore(Interpreter(program, scope), meter)
        signals, counts = Signals(graph), graph.counts
        for question in properties:
            meter.begin(f"deciding {question.name}")
            if meter.interrupted or meter.is_up:
                meter.interrupted = True
                yield Decision(Outcome.UNKNOWN, question, reason=INTERRUPTED), counts
            else:
                yield decide(signals, question, meter), counts
