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
from dataclasses import astuple, replace
from functools import partial
from types import FrameType

from ...process.checkpoints import NotGoodError
from ...process.collector import collector_paused
from ...process.interrupts import INTERRUPTS
from ...types.budget import INTERRUPTED, BudgetSpentError, Meter, Tuning
from ...types.verdict import NOT_EXPLORED, Counts
from ..emit.emit import Emitted
from ..moves.layout import Key, Words, as_words
from ..native import kernel
from ..native.journal import Finished, Journal, as_finished, key_of
from ..native.machine import BEST, QUICK, Machine, NoMachineError, machine_for, started
from .compiled import Compiled
from .interpreted import Grown, Interpreted, begun, finish_layer, leaders, makers, next_layer
from .lasso import PackedLasso, StayResult, in_machine, in_python
from .on_disk import OnDisk
from .result import Result, SearchGoal
from .tier import Elsewhere, Foresee, SearchTask, Tier, all_found, nothing_foreseen

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
    """Let Ctrl-C wait to be taken, where it can be: in the main thread, and if nobody else does
    something of their own with it.
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
    expected: int = 0,
    starts: Sequence[Words] = (),
    watch: SearchGoal | None = None,
    tuning: Tuning | None = None,
    foresee: Foresee = nothing_foreseen,
    elsewhere: Elsewhere | None = None,
) -> Result:
    """Explore all that *emitted* can reach from *starts*, or until what *watch* wants is seen.

    More than *small* positions are searched in compiled code. *starts* are variables and extra
    fields at first, by default those of the Program. *expected* is an estimate of how many
    positions there are; a table of that size need not grow. If there is none, *foresee* is asked
    for one when the search has become large. A search that grows larger than one machine should
    hold goes on *elsewhere*, but for one of loops, which asks for moves of all positions in no
    order.
    """
    watch = watch or SearchGoal()
    there = elsewhere if watch.rounds is None else None
    with collector_paused(), interrupts_held() as held:
        return _Search(emitted, meter, watch, tuning or Tuning(), held, foresee, there).run(
            starts or [emitted.layout.initial()],
            small if there is None else min(small, there.beyond),
            expected,
        )


class _Search:
    """One search, in whichever tier it is; *behind* are the layers it has left in Python, if it
    keeps them.
    """

    def __init__(
        self, emitted: Emitted, meter: Meter, watch: SearchGoal, tuning: Tuning, held: Held, foresee: Foresee,
        elsewhere: Elsewhere | None,
    ) -> None:  # fmt: skip
        self.emitted = emitted
        self.meter = meter
        self.watch = watch
        self.tuning = tuning
        self.held = held
        self.foresee = foresee
        self.elsewhere = elsewhere
        self.stopped, self.notes = "", dict[str, None]()
        self.interpreted: Interpreted | None = None
        self.grown: Grown | None = None
        self.compiled: Tier | None = None
        self.behind: list[list[Key]] = []
        self.hits: dict[int, int] = {}
        self.lasso: PackedLasso | None = None
        self.looks = LOOKS
        self.journal: Journal | None = None

    def run(self, starts: Sequence[Words], small: int, expected: int) -> Result:
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
                and (found := as_finished(known, self.journal.size))
            ):
                return _again(found)
        try:
            try:
                self._search(starts, small, expected)
            except BudgetSpentError as spent:
                self.stopped = str(spent)
            except KeyboardInterrupt:
                self.meter.interrupted, self.stopped = True, INTERRUPTED
            return self._ended()
        finally:
            if self.compiled is not None:
                self.compiled.release()
            if self.journal is not None:
                self.journal.close()

    def _search(self, starts: Sequence[Words], small: int, expected: int) -> None:
        """Search until there is no more to find. Code compiled for an earlier search is used from
        the beginning.
        """
        machine = self._machine(BEST, only_kept=True) or self._machine(QUICK, only_kept=True)
        if self.journal is not None and self.tuning.resume:
            if self.elsewhere is not None and self.journal.is_parted:
                self.elsewhere = replace(self.elsewhere, beyond=0)
            elif self.journal.is_there:
                machine = machine or self._machine(BEST)
                if machine is not None and self._resumed(machine, self.journal, expected):
                    return
            elif self.journal.is_parted:
                self._note(
                    f"the checkpoint in {self.journal.folder} is that of a cluster; the search began anew"
                )
            elif self.journal.knows_nothing:
                self._note(
                    f"no checkpoint was found in {self.journal.folder}; the search began anew"
                )
        if machine is not None:
            if not self._begin(
                [started(machine, self.emitted, start, self.watch.which) for start in starts]
            ):
                self._in_machine(machine, expected)
            return
        if self.emitted.most_moves > _CROWDED:
            small = 0  # in plain Python one position would take as long as a whole search
        self.interpreted = Interpreted(self.emitted, self.watch.which)
        if self._begin([self.interpreted.begun(start) for start in starts]) or self._in_python(
            small
        ):
            return
        machine = self._machine(QUICK)
        if machine is None:
            if self.journal is not None:
                self._note("a search in plain Python leaves no checkpoints")
            self._in_python(_NEVER)
        else:
            self._in_machine(machine, expected)

    def _begin(self, started: Sequence[tuple[list[Words], int]]) -> bool:
        """Begin with what is *started*, positions and the bits true in them; return True if that is
        all that is wanted.
        """
        self.grown = begun(words for positions, _ in started for words in positions)
        for _, bits in started:
            self.grown.bits |= bits
        return self._seen(self.grown.bits, 0)

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

    def _in_python(self, most: int) -> bool:
        """Go on in Python; return False if more than *most* positions are known before the end."""
        run, grown = self.interpreted, self.grown
        assert run is not None
        assert grown is not None
        while True:
            if not finish_layer(run, grown, self.meter, most, self.held.raise_if_asked):
                return False
            ended = self._seen(grown.bits, grown.layers) or self._stays()
            layer = grown.layer
            if not next_layer(grown):
                return True
            if self._keeps or self.journal is not None:
                self.behind.append(layer)
            if ended:
                return True

    @property
    def _keeps(self) -> bool:
        """Whether the layers left behind will be needed."""
        return bool(self.watch.told)

    def _compiled(self, machine: Machine) -> Compiled:
        folder = self.tuning.disk if self.watch.rounds is None else None
        return (Compiled if folder is None else partial(OnDisk, folder=folder))(
            machine, self.emitted, self.meter, self.watch.which, self.tuning.threads,
            keep=self._keeps, hits=self.hits, journal=self.journal, take=self.held.raise_if_asked, foresee=self.foresee,
        )  # fmt: skip

    def _in_machine(self, machine: Machine, expected: int) -> None:
        """Go on in compiled code."""
        assert self.grown is not None
        compiled = self._compiled(machine)
        compiled.take_over(self.grown, self.behind, expected)
        self.compiled = compiled
        self._finish(compiled)

    def _resumed(self, machine: Machine, journal: Journal, expected: int) -> bool:
        """Go on with what was written down; return False if there is nothing of use."""
        compiled = self._compiled(machine)
        try:
            saved, digest = journal.saved()
            assert journal.log is not None
            compiled.resume(saved, digest, journal.log, journal.folder, expected)
        except NotGoodError as error:
            self._note(f"{error}; the search began anew")
            journal.close()
            compiled.release()
            return False
        self._note(f"it went on from the checkpoint after {compiled.layers - 1} layers")
        self.hits |= {int(bit): moves for bit, moves in saved.hits.items()}
        self.compiled = compiled
        if not self._seen(0, 0):
            self._finish(compiled)
        return True

    def _finish(self, tier: Tier) -> None:
        """Go on until all is found that is wanted."""
        while True:
            if isinstance(tier, Compiled):
                tier = self._suited(tier)
            tier.finish_layer()
            ended = self._seen(tier.bits, tier.layers) or self._stays()
            if not tier.next_layer() or ended:
                tier.settle()
                return

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
            self.compiled = self.elsewhere.begin(task)
            compiled.release()
            return self.compiled
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
        if self.watch.rounds is not None:
            return {}
        told = {bit: moves for bit, moves in self.hits.items() if self.watch.told >> bit & 1}
        ways: dict[int, list[Words]] = {bit: [] for bit in told}
        for number in reversed(range(max(told.values(), default=0))):
            made = self._makers(number, [bit for bit, moves in told.items() if moves == number + 1])
            led = self._leaders(
                number, {ways[bit][-1] for bit, moves in told.items() if moves > number + 1}
            )
            for bit, moves in told.items():
                if moves > number:
                    ways[bit].append(made[bit] if moves == number + 1 else led[ways[bit][-1]])
        return {bit: tuple(reversed(way)) for bit, way in ways.items()}

    def _makers(self, number: int, bits: list[int]) -> dict[int, Words]:
        if not bits:
            return {}
        if self.compiled is not None:
            return all_found(self.compiled.makers(number, bits), bits)
        assert self.interpreted is not None
        return makers(self.interpreted, map(as_words, self._layer(number)), bits)

    def _leaders(self, number: int, wanted: set[Words]) -> dict[Words, Words]:
        if not wanted:
            return {}
        if self.compiled is not None:
            return all_found(self.compiled.leaders(number, wanted), wanted)
        assert self.interpreted is not None
        return leaders(self.interpreted, map(as_words, self._layer(number)), wanted)

    def _layer(self, number: int) -> list[Key]:
        assert self.grown is not None
        return [*self.behind, self.grown.layer, self.grown.following][number]

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
        rounds, compiled, found = self.watch.rounds, self.compiled, StayResult()
        if self.lasso is not None or rounds is None or self.meter.interrupted:
            return self.lasso
        if isinstance(compiled, Compiled):
            if not self.stopped or compiled.known <= LARGE:
                found = in_machine(compiled, rounds, self._look, told=bool(self.watch.told))
        elif self.grown is not None:
            found = in_python(
                Interpreted(self.emitted, rounds.which), rounds, self.grown.known, self._look
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
        number = 0
        while (there := least_of(number)) is None:
            number += 1
        way = [there]
        for before in reversed(range(number)):
            way.append(self._leaders(before, {way[-1]})[way[-1]])
        return way[::-1]

    def _words_of(self, number: int) -> Iterator[Words]:
        if isinstance(self.compiled, Compiled):
            return self.compiled.words_of(self.compiled.layer_of(number))
        return map(as_words, self._layer(number))

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
        compiled = self.compiled
        if (
            compiled is not None
            and compiled.journal is not None
            and self.stopped
            and compiled.journal.is_long
            and not self.held.forced
        ):
            with INTERRUPTS.undisturbed():
                compiled.write_down()
        lasso, plays = None, dict[int, tuple[Words, ...]]()
        try:
            lasso, plays = self._lasso(), self._plays()
        except BudgetSpentError as spent:
            self.stopped = self.stopped or str(spent)
        except KeyboardInterrupt:
            self.meter.interrupted, self.stopped = True, INTERRUPTED
        if compiled is not None:
            self._note(compiled.note)
        tier = "interpreted" if compiled is None else "compiled"
        complete = counts.layers - bool(self.stopped)
        if self.journal is not None and not self.stopped and self.journal.is_long:
            whole = counts.positions, counts.moves, counts.layers, counts.cut
            round_ = None if lasso is None else (lasso.way, lasso.loop)
            self.journal.finish(Finished(whole, complete, tier, self.hits, plays, round_).as_data())
            self._note(self.journal.note)
        return Result(
            counts, complete, self.stopped, tier, "; ".join(self.notes), self.hits, plays, lasso
        )

    def _counts(self) -> Counts:
        if (compiled := self.compiled) is not None:
            self._seen(compiled.bits, compiled.layers)
            return Counts(
                compiled.known,
                compiled.total(kernel.MOVES),
                compiled.layers,
                compiled.total(kernel.CUT),
            )
        if (grown := self.grown) is not None:
            self._seen(grown.bits, grown.layers)
            return Counts(len(grown.known), grown.moves, grown.layers, grown.cut)
        return NOT_EXPLORED


def _again(known: Finished) -> Result:
    """Return the result of a search that was finished before."""
    note = "it had been finished before, and its result was kept"
    lasso = None if known.lasso is None else PackedLasso(*known.lasso)
    return Result(
        Counts(*known.counts),
        known.complete,
        "",
        known.tier,
        note,
        dict(known.hits),
        dict(known.plays),
        lasso,
    )
