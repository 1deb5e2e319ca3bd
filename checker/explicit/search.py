"""Searching: breadth-first, in layers, in two tiers.

A search begins in plain Python (`interpreted`). If it grows large it is carried over to compiled code
(`compiled`), with all that it knows. Both tiers visit the same positions in the same layers, so the counts
do not depend on where a search ends; where nothing can be compiled it goes on in Python, and says so.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..budget import INTERRUPTED, Meter, SpentError
from ..verdict import Counts
from . import kernel
from .compiled import Compiled, machine_for
from .emit import Emitted
from .interpreted import Grown, Interpreted, begun, finish_layer, next_layer
from .machine import NoMachineError
from .pause import collector_paused

SMALL = 100_000
"""How many positions are found in plain Python before anything is compiled: about what a compilation costs."""
_NEVER = 1 << 62


@dataclass(frozen=True)
class Result:
    """How much was explored, and how many layers completely; *stopped* says why no more if there is more.

    *tier* is where the search ended, *note* what else there is to say of it (nothing, mostly).
    """

    counts: Counts
    complete_layers: int
    stopped: str
    tier: str
    note: str = ""


def search(emitted: Emitted, meter: Meter, small: int = SMALL, expected: int = 0) -> Result:
    """Explore all that *emitted* can reach, in compiled code once it is more than *small*.

    *expected* is an estimate of how many positions there are; a table of that size need not grow.
    """
    one = _Search(emitted, meter)
    with collector_paused():
        try:
            one.run(small, expected)
        except SpentError as spent:
            one.stopped = str(spent)
        except KeyboardInterrupt:
            meter.interrupted, one.stopped = True, INTERRUPTED
    return one.result()


class _Search:
    """One search, in whichever tier it is."""

    def __init__(self, emitted: Emitted, meter: Meter) -> None:
        self.emitted, self.meter, self.stopped, self.note = emitted, meter, "", ""
        self.grown: Grown | None = None
        self.compiled: Compiled | None = None

    def run(self, small: int, expected: int) -> None:
        interpreted = Interpreted(self.emitted)
        self.grown = begun(interpreted)
        while finish_layer(interpreted, self.grown, self.meter, small):
            if not next_layer(self.grown):
                return
        try:
            machine = machine_for(self.emitted)
        except NoMachineError as error:
            self.note = str(error)
            while finish_layer(interpreted, self.grown, self.meter, _NEVER) and next_layer(self.grown):
                pass
            return
        self.note = machine.note
        self.compiled, self.grown = Compiled(machine, self.emitted, self.grown, self.meter, expected), None
        while True:
            self.compiled.finish_layer()
            if not self.compiled.next_layer(keep=False):
                return

    def result(self) -> Result:
        """Return how far the search has come."""
        if self.compiled is not None:
            cells, layers = self.compiled.tally.numbers, self.compiled.layers
            counts = Counts(cells[kernel.KNOWN], cells[kernel.MOVES], layers, cells[kernel.CUT])
        else:
            assert self.grown is not None
            counts = Counts(len(self.grown.known), self.grown.moves, self.grown.layers, self.grown.cut)
        tier = "interpreted" if self.compiled is None else "compiled"
        return Result(counts, counts.layers - bool(self.stopped), self.stopped, tier, self.note)
