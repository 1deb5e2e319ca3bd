"""Searching: breadth-first, in layers, in tiers.

A search begins in plain Python (`interpreted`). If it grows it is carried over to quickly compiled
code (`compiled`), with all that it knows, and if it grows large that is compiled again, to run
twice as fast. All tiers visit the same positions in the same layers, so the counts do not depend on
where a search ends; where nothing can be compiled it goes on in Python, and says so.

No position knows where it came from. A search that is to tell plays keeps its layers instead, and
the way back is found in them: a position's predecessor is in the layer before, and of several it is
the smallest.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, field, replace
from functools import partial
from types import FrameType

from ...process.checkpoints import NotGoodError
from ...process.collector import collector_paused
from ...process.interrupts import INTERRUPTS
from ...types.budget import INTERRUPTED, BudgetSpentError, Meter, Tuning
from ...types.verdict import NOT_EXPLORED, Counts
from ..emit.emit import Emitted
from ..moves.layout import Words
from ..native.journal import Journal, key_of
from ..native.machine import BEST, QUICK, Machine, NoMachineError, machine_for, started
from .compiled import Compiled
from .interpreted import InPython, Interpreted
from .lasso import PackedLasso, StayResult, in_machine, in_python
from .on_disk import OnDisk
from .result import Result, SearchGoal, as_result
from .tier import Elsewhere, Foresee, SearchTask, Tier, led_back, nothing_foreseen

# ------------------------------------------------------------------ interrupts while a search works


class Held:
    """A Ctrl-C that waits to be taken; the second one waits no more, and then what the search knows
    may be half done (*forced*).
    """

    def __init__(self) -> None:
        self.asked = self.forced = False

    def raise_if_asked(self) -> None:
        """Raise KeyboardInterrupt if somebody has asked for it."""
        if self.asked:
            self.asked = False
            raise KeyboardInterrupt

    def note_signal(self, _signal: int, _frame: FrameType | None) -> None:
        """Note a Ctrl-C."""
        if self.asked:
            self.forced = True
            raise KeyboardInterrupt
        self.asked = True


@contextmanager
def interrupts_held() -> Iterator[Held]:
    """Let Ctrl-C wait to be taken, where that is possible: if `INTERRUPTS` has begun, or in the
    main thread if the handler is Python's own.
    """
    held = Held()
    if INTERRUPTS.is_begun:
        before, INTERRUPTS.holder = INTERRUPTS.holder, held.note_signal
        try:
            yield held
        finally:
            INTERRUPTS.holder = before
        return
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield held
        return
    signal.signal(signal.SIGINT, held.note_signal)
    try:
        yield held
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


# ------------------------------------------------------------------ searches


SMALL = 5_000
"""How many positions are found in plain Python before anything is compiled: about what the quick
compilation costs.
"""
LOOKS = 1 << 13
"""How many positions are known when a play that is not to be told is looked for among them; and
whenever they are four times as many.
"""
LARGE = 1_000_000
"""Where a search was stopped after more positions than this, none of them is asked whether it is in
a loop.
"""
PAYING = 60
"""How many positions quickly compiled code finds for each character of its text before it is
compiled again, as well as can be: about what that costs.
"""
_CROWDED = 1 << 14
"""A position that may have this many moves is left to compiled code."""
_NEVER = 1 << 62
_LAST = 63


def search(
    emitted: Emitted,
    meter: Meter,
    small: int = SMALL,
    starts: Sequence[Words] = (),
    watch: SearchGoal | None = None,
    tuning: Tuning | None = None,
    foresee: Foresee = nothing_foreseen,
    elsewhere: Elsewhere | None = None,
) -> Result:
    """Explore all that *emitted* can reach from *starts*, or until what *watch* wants is seen.

    More than *small* positions are searched in compiled code. *starts* are variables and extra
    fields at first, by default those of the Program. *foresee* is asked how many positions there
    are when the search has become large. A search that grows larger than one machine should hold
    goes on *elsewhere*, but for one of loops, which asks for moves of all positions in no order.
    """
    watch = watch or SearchGoal()
    there = elsewhere if watch.rounds is None else None
    with collector_paused(), interrupts_held() as held:
        return _Search(emitted, meter, watch, tuning or Tuning(), held, foresee, there).run(
            starts or [emitted.layout.initial()],
            small if there is None else min(small, there.beyond),
        )


@dataclass
class _Search:
    """One search, in whichever *tier* it is; it is in none before it has begun."""

    emitted: Emitted
    meter: Meter
    watch: SearchGoal
    tuning: Tuning
    held: Held
    foresee: Foresee
    elsewhere: Elsewhere | None
    stopped: str = ""
    notes: dict[str, None] = field(default_factory=dict)
    tier: Tier | None = None
    hits: dict[int, int] = field(default_factory=dict)
    lasso: PackedLasso | None = None
    looks: int = field(default_factory=lambda: LOOKS)
    journal: Journal | None = None

    def run(self, starts: Sequence[Words], small: int) -> Result:
        """Search until there is no more to find, or no more may be spent, and return what was
        found.
        """
        self.starts = starts
        if self.tuning.checkpoints is not None:
            watch = self.watch
            rounds = astuple(watch.rounds) if watch.rounds else (-1,)
            watched = watch.which, watch.wanted, watch.told, *rounds
            self.journal = Journal(
                self.tuning.files(),
                key_of(self.emitted, starts, *watched),
                self.emitted.layout.words,
            )
            if (
                self.tuning.resume
                and (known := self.journal.done()) is not None
                and (found := as_result(known, self.journal.size))
            ):
                return replace(found, note="it had been finished before, and its result was kept")
        try:
            try:
                self._search(starts, small)
            except BudgetSpentError as spent:
                self.stopped = str(spent)
            except KeyboardInterrupt:
                self.meter.interrupted, self.stopped = True, INTERRUPTED
            return self._ended()
        finally:
            if self.tier is not None:
                self.tier.release()
            if self.journal is not None:
                self.journal.close()

    def _search(self, starts: Sequence[Words], small: int) -> None:
        """Search until there is no more to find. Code compiled for an earlier search is used from
        the beginning.
        """
        machine = self._machine(BEST, only_kept=True) or self._machine(QUICK, only_kept=True)
        if self.journal is not None and self.tuning.resume:
            if self.elsewhere is not None and self.journal.is_parted:
                self.elsewhere = replace(self.elsewhere, beyond=0)
            elif self.journal.is_there:
                machine = machine or self._machine(BEST)
                if machine is not None and self._resumed(machine, self.journal):
                    return
            elif self.journal.is_parted:
                self._note(
                    f"the checkpoint in {self.journal.folder} is that of a cluster; the search "
                    "began anew"
                )
            elif self.journal.knows_nothing:
                self._note(
                    f"no checkpoint was found in {self.journal.folder}; the search began anew"
                )
        if machine is None:
            run = Interpreted(self.emitted, self.watch.which)
            begun = [run.begun(start) for start in starts]
            if self.emitted.most_moves > _CROWDED:
                small = 0  # in plain Python one position would take as long as a whole search
        else:
            begun = [started(machine, self.emitted, start, self.watch.which) for start in starts]
        keep = self._keeps or self.journal is not None
        tier = self.tier = InPython(
            self.emitted, self.watch.which, begun, self.meter, self.held.raise_if_asked, most=small,
            keep=keep
        )  # fmt: skip
        if not self._seen(tier.bits, 0):
            self._finish(tier if machine is None else self._in_machine(machine, tier))

    def _machine(self, level: int, *, only_kept: bool = False) -> Machine | None:
        try:
            machine = machine_for(
                self.emitted, level, only_kept=only_kept, together=self.tuning.threads > 1
            )
        except NoMachineError as error:
            self._note("" if only_kept else str(error))
            return None
        self._note(machine.note)
        return machine

    def _note(self, note: str) -> None:
        if note:
            self.notes[note] = None

    # ------------------------------------------------------------------ tiers

    @property
    def _keeps(self) -> bool:
        """Whether the layers left behind will be needed."""
        return bool(self.watch.told)

    def _compiled(self, machine: Machine) -> Compiled:
        folder = self.tuning.disk if self.watch.rounds is None else None
        return (Compiled if folder is None else partial(OnDisk, folder=folder))(
            machine, self.emitted, self.meter, self.watch.which, self.tuning.threads,
            keep=self._keeps, hits=self.hits, journal=self.journal, take=self.held.raise_if_asked,
            foresee=self.foresee,
        )  # fmt: skip

    def _in_machine(self, machine: Machine, before: InPython) -> Compiled:
        """Return who goes on in compiled code with what was found in Python."""
        compiled = self._compiled(machine)
        compiled.take_over(before.grown)
        self.tier = compiled
        return compiled

    def _resumed(self, machine: Machine, journal: Journal) -> bool:
        """Go on with what was written down; return False if there is nothing of use."""
        compiled = self._compiled(machine)
        try:
            saved, digest = journal.saved()
            assert journal.log is not None
            compiled.resume(saved, digest, journal.log, journal.folder)
        except NotGoodError as error:
            self._note(f"{error}; the search began anew")
            journal.close()
            compiled.release()
            return False
        self._note(f"it went on from the checkpoint after {compiled.layers - 1} layers")
        self.hits |= saved.hits
        self.tier = compiled
        if not self._seen(0, 0):
            self._finish(compiled)
        return True

    def _finish(self, tier: Tier) -> None:
        """Go on until all is found that is wanted."""
        while True:
            if isinstance(tier, InPython) and tier.known > tier.most:
                tier = self._beyond_python(tier)
            if isinstance(tier, Compiled):
                tier = self._suited(tier)
            if tier.finish_layer():
                ended = self._seen(tier.bits, tier.so_far.layers) or self._stays()
                if not tier.next_layer() or ended:
                    tier.settle()
                    return

    def _beyond_python(self, tier: InPython) -> Tier:
        """Return who is to go on with a search that has become too large for plain Python."""
        machine = self._machine(QUICK)
        if machine is not None:
            return self._in_machine(machine, tier)
        if self.journal is not None:
            self._note("a search in plain Python leaves no checkpoints")
        tier.most = _NEVER
        return tier

    def _suited(self, compiled: Compiled) -> Tier:
        """Return who is to go on with a search that has become as large as this one."""
        machine = compiled.machine
        if self.elsewhere is not None and compiled.known > self.elsewhere.beyond:
            first = [
                words
                for start in self.starts
                for words in started(machine, self.emitted, start, self.watch.which)[0]
            ]
            disk = None if self.tuning.disk is None else self.tuning.disk.absolute()
            task = SearchTask(
                self.emitted,
                self.watch.which,
                first,
                self.meter,
                self._keeps,
                self.hits,
                self.journal,
                self.tuning.resume,
                self.held.raise_if_asked,
                disk,
            )
            self.tier = self.elsewhere.begin(task)
            compiled.release()
            return self.tier
        if machine.level == QUICK and compiled.known > PAYING * len(self.emitted.text):
            compiled.machine = self._machine(BEST) or machine
        return compiled

    def _seen(self, bits: int, moves: int) -> bool:
        """Note that *bits* have been seen after *moves* moves; return True if nothing more is
        wanted.
        """
        for bit in range(bits.bit_length()):
            if bits >> bit & 1:
                self.hits.setdefault(bit, moves)
        return bool(self.watch.wanted) and all(
            bit in self.hits for bit in range(_LAST) if self.watch.wanted >> bit & 1
        )

    # ------------------------------------------------------------------ the way back

    def _plays(self) -> dict[int, tuple[Words, ...]]:
        """Return the plays to be told, walking back through all layers once."""
        if self.watch.rounds is not None or self.tier is None:
            return {}
        told = {bit: moves for bit, moves in self.hits.items() if self.watch.told >> bit & 1}
        ways: dict[int, list[Words]] = {bit: [] for bit in told}
        for number in reversed(range(max(told.values(), default=0))):
            made = led_back(
                self.tier.makers,
                number,
                [bit for bit, moves in told.items() if moves == number + 1],
            )
            behind = {ways[bit][-1] for bit, moves in told.items() if moves > number + 1}
            led = led_back(self.tier.leaders, number, behind)
            for bit, moves in told.items():
                if moves > number:
                    ways[bit].append(made[bit] if moves == number + 1 else led[ways[bit][-1]])
        return {bit: tuple(reversed(way)) for bit, way in ways.items()}

    # ------------------------------------------------------------------ what stays true

    def _stays(self) -> bool:
        """Whether a play on which the formula stays true is known already, where no more is asked
        than whether there is one.
        """
        known = self._counts().positions
        if self.watch.rounds is None or self.watch.told or known < self.looks:
            return False
        self.looks = 4 * known
        self.lasso = self._lasso()
        return self.lasso is not None

    def _lasso(self) -> PackedLasso | None:
        """Return a play on which the formula stays true, if there is one among the positions
        known.
        """
        rounds, tier, found = self.watch.rounds, self.tier, StayResult()
        if self.lasso is not None or rounds is None or self.meter.interrupted:
            return self.lasso
        if isinstance(tier, Compiled):
            if not self.stopped or tier.known <= LARGE:
                found = in_machine(tier, rounds, self._look, told=bool(self.watch.told))
        elif isinstance(tier, InPython):
            found = in_python(
                Interpreted(self.emitted, rounds.which), rounds, tier.grown.known, self._look
            )
        if not found.is_play:
            return None
        return self._packed_lasso(found) if self.watch.told else PackedLasso(())

    def _packed_lasso(self, found: StayResult) -> PackedLasso:
        """Return a play as short as the way to its end, or to its loop, can be."""
        if (loops := found.loops) is None:
            ends = frozenset(found.ends)
            return PackedLasso(
                tuple(
                    self._way_to(
                        lambda number: min(ends.intersection(self._words_of(number)), default=None)
                    )
                )
            )
        way = self._way_to(lambda number: loops.least_of(number, self._words_of))
        return PackedLasso((*way, *loops.round_from(way[-1], self._look)), len(way) - 1)

    def _way_to(self, least_of: Callable[[int], Words | None]) -> list[Words]:
        """Return a shortest play to one of the positions wanted: in the first layer that has any,
        the least of them.
        """
        assert self.tier is not None
        number = 0
        while (there := least_of(number)) is None:
            number += 1
        way = [there]
        for before in reversed(range(number)):
            way += led_back(self.tier.leaders, before, way[-1:]).values()
        return way[::-1]

    def _words_of(self, number: int) -> Iterator[Words]:
        assert isinstance(self.tier, (Compiled, InPython))
        return self.tier.words_of(number)

    def _look(self) -> None:
        """See whether the search for a loop may go on; one that is made after the end of the budget
        is short.
        """
        self.held.raise_if_asked()
        if not self.stopped:
            counts = self._counts()
            self.meter.check(counts.layers, counts.positions, counts.moves)

    # ------------------------------------------------------------------ the end

    def _ended(self) -> Result:
        """Return how far the search has come; a long one that has not ended is written down, and
        one that has leaves its result.
        """
        counts = self._counts()
        tier = self.tier
        journal = None if tier is None else tier.journal
        if tier and journal and journal.is_long and self.stopped and not self.held.forced:
            with INTERRUPTS.undisturbed():
                tier.write_down()
        lasso, plays = None, dict[int, tuple[Words, ...]]()
        try:
            lasso, plays = self._lasso(), self._plays()
        except BudgetSpentError as spent:
            self.stopped = self.stopped or str(spent)
        except KeyboardInterrupt:
            self.meter.interrupted, self.stopped = True, INTERRUPTED
        if tier is not None:
            self._note(tier.note)
        name = "interpreted" if tier is None or isinstance(tier, InPython) else "compiled"
        complete = counts.layers - bool(self.stopped)
        result = Result(counts, complete, self.stopped, name, "", self.hits, plays, lasso)
        if self.journal is not None and not self.stopped and self.journal.is_long:
            self.journal.finish(result)
            self._note(self.journal.note)
        return replace(result, note="; ".join(self.notes))

    def _counts(self) -> Counts:
        if self.tier is None:
            return NOT_EXPLORED
        counts = self.tier.so_far
        self._seen(self.tier.bits, counts.layers)
        return counts
