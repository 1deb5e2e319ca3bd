"""Searching: breadth-first, in layers, in two tiers.

A search begins in plain Python (`interpreted`). If it grows large it is carried over to the compiled
kernel, with all that it knows. Both tiers visit the same positions in the same layers, so the counts do not
depend on where a search ends.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..budget import INTERRUPTED, Meter, SpentError
from ..verdict import Counts
from .emit import Emitted
from .interpreted import Grown, Interpreted, begun, finish_layer, next_layer
from .pause import collector_paused


@dataclass(frozen=True)
class Result:
    """How much was explored, how many layers completely, and why no more if there is more; *tier* is where the search ended."""

    counts: Counts
    complete_layers: int
    stopped: str
    tier: str


def search(emitted: Emitted, meter: Meter) -> Result:
    """Explore all that *emitted* can reach."""
    run = Interpreted(emitted)
    grown = begun(run)
    stopped = ""
    with collector_paused():
        try:
            while finish_layer(run, grown, meter, 1 << 62) and next_layer(grown):
                pass
        except SpentError as spent:
            stopped = str(spent)
        except KeyboardInterrupt:
            meter.interrupted, stopped = True, INTERRUPTED
    return _result(grown, stopped)


def _result(grown: Grown, stopped: str) -> Result:
    counts = Counts(len(grown.known), grown.moves, grown.layers, grown.cut)
    return Result(counts, grown.layers - bool(stopped), stopped, "interpreted")
