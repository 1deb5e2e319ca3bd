"""Searching: breadth-first, in layers, in tiers.

A search begins in plain Python (`interpreted`). If it grows it is carried over to quickly compiled code
(`compiled`), with all that it knows, and if it grows large that is compiled again, to run twice as fast. All
tiers visit the same positions in the same layers, so the counts do not depend on where a search ends; where
nothing can be compiled it goes on in Python, and says so.

No position knows where it came from. A search that looks for something keeps its layers instead, and the
way back is found in them: a position's predecessor is in the layer before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..budget import INTERRUPTED, Meter, SpentError
from ..verdict import Counts
from . import kernel
from .compiled import Compiled, machine_for, started
from .emit import Emitted
from .interpreted import Grown, Interpreted, Key, as_words, begun, finish_layer, next_layer, predecessor
from .layout import Words
from .machine import BEST, QUICK, Machine, NoMachineError
from .memory import Memory
from .pause import collector_paused

SMALL = 5_000
"""How many positions are found in plain Python before anything is compiled: about what the quick compilation costs."""
LARGE = 1_000_000
"""How many are found by quickly compiled code before it is compiled again, as well as can be."""
_NEVER = 1 << 62


@dataclass(frozen=True)
class Result:
    """How much was explored, and how many layers completely; *stopped* says why no more if there is more.

    *play* are the positions of a shortest play to one that is looked for, None if none was found.
    *tier* is where the search ended, *note* what else there is to say of it (nothing, mostly).
    """

    counts: Counts
    complete_layers: int
    stopped: str
    play: tuple[Words, ...] | None
    tier: str
    note: str = ""


def search(emitted: Emitted, meter: Meter, small: int = SMALL, expected: int = 0, starts: Sequence[Words] = ()) -> Result:
    """Explore all that *emitted* can reach from *starts*, or up to the first hit; in compiled code once it is more than *small*.

    *starts* are variables and extra fields at first, by default those of the Program. *expected* is an estimate of how
    many positions there are; a table of that size need not grow.
    """
    one = _Search(emitted, meter)
    with collector_paused():
        try:
            one.run(starts or [emitted.layout.initial()], small, expected)
        except SpentError as spent:
            one.stopped = str(spent)
        except KeyboardInterrupt:
            meter.interrupted, one.stopped = True, INTERRUPTED
    return one.result()


class _Search:
    """One search, in whichever tier it is; *behind* are the layers it has left, if it keeps them."""

    def __init__(self, emitted: Emitted, meter: Meter) -> None:
        self.emitted, self.meter, self.stopped, self.note = emitted, meter, "", ""
        self.interpreted: Interpreted | None = None
        self.grown: Grown | None = None
        self.compiled: Compiled | None = None
        self.behind: list[list[Key] | tuple[Memory, int]] = []
        self.play: tuple[Words, ...] | None = None

    def run(self, starts: Sequence[Words], small: int, expected: int) -> None:
        """Search until there is no more to find. Code compiled for an earlier search is used from the beginning."""
        machine = self._machine(BEST, only_kept=True) or self._machine(QUICK, only_kept=True)
        if machine is not None:
            self.grown = begun(words for start in starts for words in started(machine, self.emitted, start))
            self._in_machine(machine, self.grown, expected)
            return
        run = self.interpreted = Interpreted(self.emitted)
        self.grown = begun(words for start in starts for words in run.started(start))
        if self._in_python(run, self.grown, small):
            return
        machine = self._machine(QUICK)
        if machine is None:
            self._in_python(run, self.grown, _NEVER)
        else:
            self._in_machine(machine, self.grown, expected)

    def _machine(self, level: int, *, only_kept: bool = False) -> Machine | None:
        try:
            machine = machine_for(self.emitted, level, only_kept=only_kept)
        except NoMachineError as error:
            self.note = "" if only_kept else str(error)
            return None
        self.note = machine.note
        return machine

    def _in_python(self, run: Interpreted, grown: Grown, most: int) -> bool:
        """Go on in Python; return False if more than *most* positions are known before the end."""
        while True:
            if grown.at == 0 and (hit := self._first_hit(grown.layer)) is not None:
                self.play = self._way_to(hit)
                return True
            if not finish_layer(run, grown, self.meter, most):
                return False
            if self.emitted.hit is not None:
                self.behind.append(grown.layer)
            if not next_layer(grown):
                return True

    def _in_machine(self, machine: Machine, grown: Grown, expected: int) -> None:
        """Go on in compiled code."""
        compiled = self.compiled = Compiled(machine, self.emitted, grown, self.meter, expected)
        keep = self.emitted.hit is not None
        if grown.at == 0 and (hit := self._first_hit(grown.layer)) is not None:
            self.play = self._way_to(hit)
            return
        while True:
            if compiled.machine.level == QUICK and compiled.known > LARGE:
                compiled.machine = self._machine(BEST) or compiled.machine
            compiled.finish_layer()
            if keep:
                self.behind.append((compiled.layer, compiled.layer_size))
            if not compiled.next_layer(keep=keep):
                return
            if (hit := compiled.first_hit()) is not None:
                self.play = self._way_to(hit)
                return

    # ------------------------------------------------------------------ the way back

    def _first_hit(self, layer: list[Key]) -> Words | None:
        if self.emitted.hit is None:
            return None
        word, mask = self.emitted.hit
        return next((words for words in map(as_words, layer) if words[word] & mask), None)

    def _way_to(self, words: Words) -> tuple[Words, ...]:
        """Return the positions of a shortest play to *words*, through the layers left behind."""
        way = [words]
        for layer in reversed(self.behind):
            if isinstance(layer, list):
                assert self.interpreted is not None
                way.append(predecessor(self.interpreted, map(as_words, layer), way[-1]))
            else:
                assert self.compiled is not None
                way.append(self.compiled.predecessor(*layer, way[-1]))
        return tuple(reversed(way))

    def result(self) -> Result:
        """Return how far the search has come."""
        if self.compiled is not None:
            cells, layers = self.compiled.tally.numbers, self.compiled.layers
            counts = Counts(cells[kernel.KNOWN], cells[kernel.MOVES], layers, cells[kernel.CUT])
        elif self.grown is not None:
            counts = Counts(len(self.grown.known), self.grown.moves, self.grown.layers, self.grown.cut)
        else:
            counts = Counts(0, 0, 0, 0)
        tier = "interpreted" if self.compiled is None else "compiled"
        return Result(counts, counts.layers - bool(self.stopped), self.stopped, self.play, tier, self.note)
