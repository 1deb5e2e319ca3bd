"""Distributed searches: a crew of workers whose shards go through one layer after the other.

In comes a `SearchTask` and a crew of workers, one for each shard. What leads the search sees no
positions: it passes on which rows go where. A layer ends when no shard has anything left to expand
and no row is under way; only then is anything counted as found. To ask less often, the last rows of
a layer go out with the first step in the next one, which the shards enter when they have accepted
them, if that one has positions for certain.

A worker that is lost begins again where all were at the last barrier that was written down, and so
do all others: they know positions that the lost one has sent and forgotten, and remember to have
sent it what it has lost. Nothing was counted since, so nothing is counted twice. Without anything
written down the search ends, with what it knew when the layer began.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import inf
from operator import or_
from time import monotonic
from typing import Any, TypeVar

from ....models.diagnostics import InputError
from ....models.storage.key import engine_digest
from ...process.checkpoints import NotGoodError
from ...process.ray_start import another_version
from ...types.budget import BudgetSpentError, Cluster, Progress, memory_in_use
from ...types.verdict import Counts
from ..moves.layout import Words
from ..native.journal import Barrier, read_barrier, saved_of
from ..search.tier import Elsewhere, Foresee, SearchTask, Tier
from .ray_crew import RayCrew, Row, Ticket, WorkerLostError
from .shard import ShardCounts, ShardSpec

MOST_WAITING = 4 << 20
"""How many words may wait for one shard, more or less, before the others expand no more."""
AT_ONCE = 16
"""How many rows a shard is given at once."""
MOST_LOST = 3
"""How often workers may be lost after one barrier."""
LATE, LAST = 10.0, 1.0
"""After how many seconds a worker is late with its answer, and after how many once Ctrl-C was
pressed.
"""
_LOOK = 0.1
"""How many seconds pass, at most, between two looks at the meter."""
_T = TypeVar("_T")


@dataclass
class _Flow:
    """The rows under way in one layer: those that wait for each part, and how many bytes these
    are.
    """

    waiting: list[deque[tuple[Row, int]]]

    def take(self, number: int) -> list[Row]:
        queue = self.waiting[number]
        return [queue.popleft()[0] for _ in range(min(len(queue), AT_ONCE))]

    def has_many(self, number: int) -> bool:
        """Whether so much waits for a shard that it should accept it while others expand."""
        return 32 * sum(size for _, size in self.waiting[number]) > 8 * MOST_WAITING

    @property
    def is_high(self) -> bool:
        """Whether so much waits for a shard that the others should stop sending."""
        return any(sum(size for _, size in queue) > 8 * MOST_WAITING for queue in self.waiting)


class Distributed(Tier):
    """A search by a *crew*."""

    def __init__(self, crew: RayCrew, task: SearchTask, expected: int = 0) -> None:
        self.crew = crew
        self.task = task
        self.journal = task.journal
        self.meter = task.meter
        self.parts = crew.parts
        self.layers, self.note, self._expanded, self._lost, self._broken = 1, "", False, 0, ""
        self.barrier: Barrier | None = None
        self._late = set[int]()
        """The shards that have yet to be told that the next layer has begun: with the first step in
        it, if nothing comes before.
        """
        self._owed: list[list[Row]] = [[] for _ in range(self.parts)]
        """The rows that a shard has to accept before."""
        self._machines, self._processes = [""] * self.parts, [0] * self.parts
        self._asked: dict[Ticket, tuple[int, float]] = {}
        """Which worker owes an answer, and since when."""
        self._expected = expected
        self._counts: list[ShardCounts] = []
        try:
            self._prepare(range(self.parts))
            self._counts = self._committed = self._begun()
        except WorkerLostError as lost:
            why = "the same Stacklaw has to be there, and a processor and memory for it"
            raise BudgetSpentError(
                f"worker {lost.number + 1} of {self.parts} was lost before it had begun; {why}"
            ) from None

    # ------------------------------------------------------------------ beginning

    def _prepare(self, numbers: Collection[int]) -> None:
        """Tell workers what they are to do; of each machine one compiles it first, and the others
        find it compiled.
        """
        greeted = self._answers(self._ask("hello", numbers), self._look)
        for number, (version, machine, process) in zip(numbers, greeted, strict=True):
            self._machines[number], self._processes[number] = machine, process
            if version != engine_digest():
                raise another_version(machine)
        first = {self._machines[number]: number for number in numbers}.values()
        for some in (first, [number for number in numbers if number not in first]):
            self._answers([self._ask_one(number, "prepare", self._spec(number)) for number in some])

    def _spec(self, number: int) -> ShardSpec:
        task, most = self.task, self.meter.mebibytes
        allowed = (
            None
            if most is None
            else max(int(most) // self._machines.count(self._machines[number]), 1)
        )
        log = (
            None
            if self.journal is None or self.journal.is_broken
            else self.journal.log_of(number).absolute()
        )
        expected = self._expected // self.parts
        return ShardSpec(
            task.emitted,
            task.which,
            number,
            self.parts,
            task.keep,
            allowed,
            log,
            expected,
            task.disk,
        )

    def _begun(self) -> list[ShardCounts]:
        """Begin, or go on with what was written down."""
        if self.journal is not None and self.task.resume and self.journal.is_parted:
            try:
                self.barrier = read_barrier(self.journal, self.parts)
                counts = self._back_to(self.barrier)
            except NotGoodError as error:
                self.barrier, self.note, self.layers = None, f"{error}; the search began anew", 1
            else:
                self.note = f"it went on from the checkpoint after {self.layers - 1} layers"
                self.task.hits.update(self.barrier.hits)
                return counts
        try:
            return self._ask_all("begin", list(self.task.starts))
        except OSError as error:  # no log can be made
            assert self.journal is not None
            self._give_up(error)
            self._prepare(range(self.parts))
            return self._ask_all("begin", list(self.task.starts))

    # ------------------------------------------------------------------ how far it is

    @property
    def known(self) -> int:
        """How many positions are known."""
        return sum(one.known for one in self._counts)

    @property
    def bits(self) -> int:
        """The bits of the formulas that have been true at some moment."""
        return reduce(or_, (one.bits for one in self._counts), 0)

    @property
    def so_far(self) -> Counts:
        """How much there is so far."""
        moves, cut = (sum(one.moves for one in self._counts), sum(one.cut for one in self._counts))
        return Counts(self.known, moves, self.layers, cut)

    def _look(self) -> None:
        """Tell how far the search is, and see whether it may go on."""
        self.task.take()
        known = self.known
        self.meter.grow(known)
        self.meter.check(self.layers, known, self.so_far.moves, None, self._expected or None)

    # ------------------------------------------------------------------ layer by layer

    def finish_layer(self) -> bool:
        """Expand the rest of the present layer."""
        if self.journal is not None and self.journal.is_due and not self._expanded:
            self.write_down()
        self._reliably(self._expand)
        return True

    def next_layer(self) -> bool:
        """Go to the following layer; return False if there is none."""
        if not self._has_next:
            return False
        self._reliably(self._advance)
        return True

    def _expand(self) -> None:
        flow, left = _Flow([deque() for _ in range(self.parts)]), [True] * self.parts
        running: dict[Ticket, int] = {}
        self._counts = list(self._counts)
        while True:
            is_last = not any(left) and self._may_owe(flow)
            for number in () if is_last else set(range(self.parts)).difference(running.values()):
                expands = left[number] and not flow.is_high
                rows = (
                    flow.take(number) if expands or flow.has_many(number) or not any(left) else []
                )
                if expands or rows:
                    running[self._step(number, rows, expands=expands)] = number
            if not running:
                break
            for ticket in self.crew.ready(list(running), _LOOK):
                number = running.pop(ticket)
                for to, (row, size) in enumerate(self._stepped(ticket, number)):
                    if size:
                        flow.waiting[to].append((row, size))
                left[number] = self._counts[number].left
            self._look()
            self._tell_late(running)
        self._owed = [flow.take(number) for number in range(self.parts)]
        if not self._has_next:
            on_disk = [number for number, one in enumerate(self._counts) if one.fresh]
            for number, counts in zip(
                on_disk, self._answers(self._ask("settle_fresh", on_disk), self._look), strict=True
            ):
                self._counts[number] = counts
        self._expanded = True

    @property
    def _has_next(self) -> bool:
        """Whether there is a following layer for certain; what is fresh may be known."""
        return self.known > sum(one.known for one in self._committed)

    def _may_owe(self, flow: _Flow) -> bool:
        """Whether all rows that wait can wait for the next layer: there is one, and they are
        few.
        """
        return self._has_next and all(len(queue) <= AT_ONCE for queue in flow.waiting)

    def _step(self, number: int, rows: Sequence[Row], *, expands: bool) -> Ticket:
        """Have a shard make a step, into the next layer first if it is not told yet."""
        advances, earlier, self._owed[number] = number in self._late, self._owed[number], []
        self._late.discard(number)
        ticket = self.crew.take_step(number, earlier, rows, advances=advances, expands=expands)
        self._asked[ticket] = number, monotonic()
        return ticket

    def _stepped(self, ticket: Ticket, number: int) -> list[tuple[Row, int]]:
        """Note how far a shard got with a step, and return the rows that it sends, each with the
        number of its bytes.
        """
        del self._asked[ticket]
        self._counts[number], rows = self.crew.stepped(ticket)
        self._committed[number] = replace(self._committed[number], known=self._counts[number].began)
        return rows

    def _advance(self) -> None:
        self._late = set(range(self.parts))
        self._committed = list(self._counts)
        self.layers, self._expanded = self.layers + 1, False

    def settle(self) -> None:
        """Have all accepted that was found, and counted."""
        self._reliably(self._catch_up)

    def _catch_up(self) -> None:
        """Have those shards that are late go to the present layer."""
        tickets = [(self._step(number, (), expands=False), number) for number in sorted(self._late)]
        self._wait([ticket for ticket, _ in tickets], self.task.take)
        for ticket, number in tickets:
            self._stepped(ticket, number)

    # ------------------------------------------------------------------ when a worker is lost

    def _reliably(self, action: Callable[[], _T]) -> _T:
        """Do *action*. If workers are lost, begin again from the last barrier, as long as there is
        one.
        """
        layers, expanded = self.layers, self._expanded
        while True:
            if self._broken:
                raise BudgetSpentError(self._broken)
            try:
                while self.layers < layers or (expanded and not self._expanded):
                    if self._expanded:
                        self._advance()
                    else:
                        self._expand()
                return action()
            except WorkerLostError as lost:
                self._recover(lost)

    def _recover(self, lost: WorkerLostError) -> None:
        """Have all workers go back to the last barrier, or note why that cannot be."""
        self._counts, self._expanded = list(self._committed), False
        self._lost += 1
        self._asked.clear()
        which = f"worker {lost.number + 1} of {self.parts} was lost"
        self._broken = f"{which}, and the search ended before all had gone back"
        if self.barrier is None:
            more = (
                ""
                if self.journal is not None
                else ": --checkpoint DIR writes down where to begin again"
            )
            self._broken = f"{which}, and nothing had been written down{more}"
            return
        if self._lost > MOST_LOST:
            self._broken = f"{which}, the {MOST_LOST + 1}th since anything was written down"
            return
        try:
            self.crew.replace(lost.number)
            self._prepare(
                range(self.parts)
            )  # it may be on another machine, whose workers have less memory each then
            self._counts = self._committed = self._back_to(self.barrier)
            self._broken = ""
        except WorkerLostError as again:
            self._recover(again)
        except NotGoodError as error:
            self._broken = f"{which}, and {error}"
        except InputError as error:
            self._broken = f"{which}, and {error.diagnostics[0].message}"

    def _back_to(self, barrier: Barrier) -> list[ShardCounts]:
        tickets = [
            self._ask_one(number, "resume", *saved_of(barrier, number))
            for number in range(self.parts)
        ]
        counts: list[ShardCounts] = self._answers(tickets)
        self._late.clear()
        self._owed = [[] for _ in range(self.parts)]
        self.layers, self._expanded = len(barrier.layers[0]), False
        return counts

    # ------------------------------------------------------------------ writing down

    def write_down(self) -> None:
        """Write down how far the search was when the present layer began."""
        assert self.journal is not None
        if self.journal.is_broken or self._broken:
            return
        try:
            written: list[tuple[list[int], str]] = self._reliably(
                lambda: self._ask_all("write_down")
            )
        except OSError as error:
            self._give_up(error)
            return
        except BudgetSpentError as spent:
            self.note = f"no further checkpoint could be written: {spent}"
            return
        committed = self._committed
        counted = (
            sum(one.moves for one in committed),
            sum(one.cut for one in committed),
            reduce(or_, (one.bits for one in committed), 0),
        )
        barrier = Barrier(
            [layers for layers, _ in written],
            [digest for _, digest in written],
            *counted,
            dict(self.task.hits),
        )
        if self.journal.write_parts(barrier):
            self.barrier, self._lost = barrier, 0
        else:
            self.note = self.journal.note

    def _give_up(self, error: OSError) -> None:
        assert self.journal is not None
        self.journal.give_up(error.strerror or str(error))
        self.note = self.journal.note

    # ------------------------------------------------------------------ the way back

    def makers(self, number: int, bits: Collection[int]) -> dict[int, Words]:
        """Return for each of *bits* the smallest position of layer *number* with a move that makes
        its formula true, if any has.
        """
        return _least(self._reliably(lambda: self._ask_all("makers", number, list(bits))))

    def leaders(self, number: int, wanted: Collection[Words]) -> dict[Words, Words]:
        """Return for each of the *wanted* positions the smallest one of layer *number* that has a
        move to it, if any has.
        """
        return _least(self._reliably(lambda: self._ask_all("leaders", number, list(wanted))))

    def release(self) -> None:
        """Let the workers go."""
        self.crew.dismiss()

    # ------------------------------------------------------------------ asking

    def _ask_all(self, method: str, *arguments: object) -> list[Any]:
        """Ask all workers; return their answers in that order."""
        self._catch_up()
        return self._answers(self._ask(method, range(self.parts), *arguments))

    def _ask(self, method: str, numbers: Collection[int], *arguments: object) -> list[Ticket]:
        return [self._ask_one(number, method, *arguments) for number in numbers]

    def _ask_one(self, number: int, method: str, *arguments: object) -> Ticket:
        ticket = self.crew.ask(number, method, *arguments)
        self._asked[ticket] = number, monotonic()
        return ticket

    def _answers(
        self, tickets: Sequence[Ticket], look: Callable[[], None] | None = None
    ) -> list[Any]:
        """Return the answers, and *look* meanwhile, or else only see whether somebody has asked for
        the end.
        """
        self._wait(tickets, look or self.task.take)
        for ticket in tickets:
            del self._asked[ticket]
        return [self.crew.answer(ticket) for ticket in tickets]

    def _wait(self, tickets: Collection[Ticket], look: Callable[[], None]) -> None:
        """Wait until all have an answer, and *look* meanwhile."""
        waiting = list(tickets)
        while waiting:
            ready = self.crew.ready(waiting, _LOOK)
            waiting = [ticket for ticket in waiting if ticket not in ready]
            look()
            self._tell_late(waiting)

    def _tell_late(self, waiting: Collection[Ticket]) -> None:
        """Tell which worker is late, if one of those *waiting* is; raise `BudgetSpentError` if the
        search is to end and waits only for it.
        """
        number, since = min(
            (self._asked[ticket] for ticket in waiting),
            key=lambda asked: asked[1],
            default=(0, inf),
        )
        waited = monotonic() - since
        if waited > (LAST if self.meter.interrupted else LATE):
            who = f"worker {number + 1} of {self.parts}"
            who += (
                f" (process {self._processes[number]} on {self._machines[number]})"
                if self._machines[number]
                else ""
            )
            if why := self.meter.why_over:
                raise BudgetSpentError(f"{why}, and {who} gave no answer")
            now = Progress(
                self.meter.what,
                self.layers,
                self.known,
                self.so_far.moves,
                0.0,
                memory_in_use(),
                waits_for=who,
            )
            self.meter.on_progress(now)


def elsewhere(cluster: Cluster, foresee: Foresee) -> Elsewhere:
    """Return where searches go on that are too large for one machine: on Ray. *foresee* estimates
    how many positions there will be.
    """

    def begin(task: SearchTask) -> Distributed:
        crew = RayCrew(cluster)
        try:
            return Distributed(crew, task, foresee(task.take))
        except BaseException:
            crew.dismiss()
            raise

    return Elsewhere(cluster.beyond, begin)


def _least(found: Sequence[dict[_T, Words]]) -> dict[_T, Words]:
    """Return for each key the least of what shards have *found*."""
    least: dict[_T, Words] = {}
    for one in found:
        for key, words in one.items():
            least[key] = min(words, least.get(key, words))
    return least
