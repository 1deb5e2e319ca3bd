"""Searching: breadth-first, in layers, in tiers.

A search begins in plain Python (`interpreted`). If it grows it is carried over to quickly compiled code
(`compiled`), with all that it knows, and if it grows large that is compiled again, to run twice as fast. All
tiers visit the same positions in the same layers, so the counts do not depend on where a search ends; where
nothing can be compiled it goes on in Python, and says so.

No position knows where it came from. A search that is to tell plays keeps its layers instead, and the way
back is found in them: a position's predecessor is in the layer before, and of several it is the smallest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..budget import INTERRUPTED, Meter, SpentError
from ..verdict import Counts
from . import kernel
from .compiled import Compiled, machine_for, started
from .emit import Emitted
from .interpreted import Grown, Interpreted, Key, as_words, begun, finish_layer, leaders, makers, next_layer
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

    *hits* says for each bit of a formula after how many moves it is true for the first time. *plays* has for those
    that are to be told the positions of a shortest play, up to the one from which a move makes the formula
    true; there are none if it is true at the start. *tier* is where the search ended, *note* what else there
    is to say of it (nothing, mostly).
    """

    counts: Counts
    complete_layers: int
    stopped: str
    tier: str
    note: str = ""
    hits: Mapping[int, int] = field(default_factory=dict)
    plays: Mapping[int, tuple[Words, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Watch:
    """What a search looks for: the formula of number *which*, or several, each with a bit (NOTE(buffer)).

    It ends after the layer in which all of *wanted* have been seen, or never early if that is 0. It tells plays for the bits in *told*.
    """

    which: int = 0
    wanted: int = 0
    told: int = 0


def search(
    emitted: Emitted, meter: Meter, small: int = SMALL, expected: int = 0, starts: Sequence[Words] = (), watch: Watch | None = None
) -> Result:
    """Explore all that *emitted* can reach from *starts*, or until what *watch* wants is seen.

    More than *small* positions are searched in compiled code. *starts* are variables and extra fields at first, by default
    those of the Program. *expected* is an estimate of how many positions there are; a table of that size need not grow.
    """
    one = _Search(emitted, meter, watch or Watch())
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

    def __init__(self, emitted: Emitted, meter: Meter, watch: Watch) -> None:
        self.emitted, self.meter, self.watch, self.stopped, self.note = emitted, meter, watch, "", ""
        self.interpreted: Interpreted | None = None
        self.grown: Grown | None = None
        self.compiled: Compiled | None = None
        self.behind: list[list[Key] | tuple[Memory, int]] = []
        self.hits: dict[int, int] = {}

    def run(self, starts: Sequence[Words], small: int, expected: int) -> None:
        """Search until there is no more to find. Code compiled for an earlier search is used from the beginning."""
        machine = self._machine(BEST, only_kept=True) or self._machine(QUICK, only_kept=True)
        if machine is not None:
            if not self._begin([started(machine, self.emitted, start, self.watch.which) for start in starts]):
                self._in_machine(machine, expected)
            return
        self.interpreted = Interpreted(self.emitted, self.watch.which)
        if self._begin([self.interpreted.begun(start) for start in starts]) or self._in_python(small):
            return
        machine = self._machine(QUICK)
        if machine is None:
            self._in_python(_NEVER)
        else:
            self._in_machine(machine, expected)

    def _begin(self, started: Sequence[tuple[list[Words], int]]) -> bool:
        """Begin with what is *started*, positions and the bits true in them; return True if that is all that is wanted."""
        self.grown = begun(words for positions, _ in started for words in positions)
        for _, bits in started:
            self.grown.bits |= bits
        return self._seen(self.grown.bits, 0)

    def _machine(self, level: int, *, only_kept: bool = False) -> Machine | None:
        try:
            machine = machine_for(self.emitted, level, only_kept=only_kept)
        except NoMachineError as error:
            self.note = "" if only_kept else str(error)
            return None
        self.note = machine.note
        return machine

    def _in_python(self, most: int) -> bool:
        """Go on in Python; return False if more than *most* positions are known before the end."""
        run, grown = self.interpreted, self.grown
        assert run is not None
        assert grown is not None
        while True:
            if not finish_layer(run, grown, self.meter, most):
                return False
            ended = self._seen(grown.bits, grown.layers)
            layer = grown.layer
            if not next_layer(grown):
                return True
            if self.watch.told:
                self.behind.append(layer)
            if ended:
                return True

    def _in_machine(self, machine: Machine, expected: int) -> None:
        """Go on in compiled code."""
        assert self.grown is not None
        keep = bool(self.watch.told)
        compiled = self.compiled = Compiled(machine, self.emitted, self.grown, self.meter, expected, self.watch.which)
        while True:
            if compiled.machine.level == QUICK and compiled.known > LARGE:
                compiled.machine = self._machine(BEST) or compiled.machine
            compiled.finish_layer()
            ended = self._seen(compiled.bits, compiled.layers)
            layer = compiled.layer, compiled.layer_size
            if not compiled.next_layer(keep=keep):
                return
            if keep:
                self.behind.append(layer)
            if ended:
                return

    def _seen(self, bits: int, moves: int) -> bool:
        """Note that *bits* have been seen after so many *moves*; return True if nothing more is wanted."""
        for bit in range(bits.bit_length()):
            if bits >> bit & 1:
                self.hits.setdefault(bit, moves)
        return bool(self.watch.wanted) and not self.watch.wanted & ~bits

    # ------------------------------------------------------------------ the way back

    def _plays(self) -> dict[int, tuple[Words, ...]]:
        """Return the plays to be told, walking back through all layers once."""
        told = {bit: moves for bit, moves in self.hits.items() if self.watch.told >> bit & 1}
        ways: dict[int, list[Words]] = {bit: [] for bit in told}
        for number in reversed(range(max(told.values(), default=0))):
            made = self._makers(number, [bit for bit, moves in told.items() if moves == number + 1])
            led = self._leaders(number, {ways[bit][-1] for bit, moves in told.items() if moves > number + 1})
            for bit, moves in told.items():
                if moves > number:
                    ways[bit].append(made[bit] if moves == number + 1 else led[ways[bit][-1]])
        return {bit: tuple(reversed(way)) for bit, way in ways.items()}

    def _layer(self, number: int) -> list[Key] | tuple[Memory, int]:
        """Return a layer: one left behind, or the present one."""
        if number < len(self.behind):
            return self.behind[number]
        if self.compiled is not None:
            return self.compiled.layer, self.compiled.layer_size
        assert self.grown is not None
        return self.grown.layer

    def _makers(self, number: int, bits: list[int]) -> dict[int, Words]:
        layer = self._layer(number)
        if not bits:
            return {}
        if isinstance(layer, list):
            assert self.interpreted is not None
            return makers(self.interpreted, map(as_words, layer), bits)
        assert self.compiled is not None
        return self.compiled.makers(*layer, bits)

    def _leaders(self, number: int, wanted: set[Words]) -> dict[Words, Words]:
        layer = self._layer(number)
        if not wanted:
            return {}
        if isinstance(layer, list):
            assert self.interpreted is not None
            return leaders(self.interpreted, map(as_words, layer), wanted)
        assert self.compiled is not None
        return self.compiled.leaders(*layer, wanted)

    def result(self) -> Result:
        """Return how far the search has come."""
        if self.compiled is not None:
            cells, layers = self.compiled.tally.numbers, self.compiled.layers
            self._seen(self.compiled.bits, layers)
            counts = Counts(cells[kernel.KNOWN], cells[kernel.MOVES], layers, cells[kernel.CUT])
        elif self.grown is not None:
            self._seen(self.grown.bits, self.grown.layers)
            counts = Counts(len(self.grown.known), self.grown.moves, self.grown.layers, self.grown.cut)
        else:
            counts = Counts(0, 0, 0, 0)
        tier = "interpreted" if self.compiled is None else "compiled"
        return Result(counts, counts.layers - bool(self.stopped), self.stopped, tier, self.note, self.hits, self._plays())
