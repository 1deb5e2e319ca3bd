"""Budgets: how much a question may cost, and tuning, how a search is done.

A search or a proof asks its `Meter` now and then. When the budget is spent, or somebody
presses Ctrl-C, it ends with what it has found; nothing is lost and nothing dies. A proof is given
units and no time: so it ends at the same place on every machine.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from threading import local
from time import monotonic

from ...models.diagnostics import Diagnostic, InputError, wrong_input
from ...models.frozen import frozen
from ...models.storage.key import NoKeyError, SigningKey, key_in, own_key
from ...models.storage.opening import state_folder
from ..process.checkpoints import Checkpoints

MOST_THREADS = 64
MOST_WORKERS = 1000


@frozen
class Cluster:
    """The workers of a cluster: at the *address* of its head, or with ``auto`` on this machine
    unless RAY_ADDRESS names one.

    There are *workers* workers, by default one for each processor. A search goes there that has
    found more than *beyond* positions. Raises InputError if there can be none.
    """

    address: str
    workers: int | None = None
    beyond: int = 1_000_000

    def __post_init__(self) -> None:
        if self.workers is not None and not 1 <= self.workers <= MOST_WORKERS:
            raise wrong_input(
                "C117", f"a cluster has 1 to {MOST_WORKERS:,} workers, not {self.workers:,}"
            )
        if find_spec("ray") is None:
            raise wrong_input(
                "C116",
                "a cluster needs Ray, which is not installed",
                hint="pip install 'stacklaw[cluster]'",
            )


@frozen
class Tuning:
    """How a search is done: by how many *threads*, and what it may leave out.

    *slicing* leaves out of a position what the question cannot see, *symmetry* takes positions that
    differ only by a turn of the table for one. *checkpoints* is the folder in which a long search
    writes down how far it is (None: nowhere); with *resume* it goes on from what it finds there.
    What is written there is signed with the key in the file *key*, made if it is not there and
    nothing is to be resumed (None: with this user's own). What is large is searched by the workers
    of a *cluster*, if there is one; what a machine has no memory for goes on in the folder *disk*
    there (None: it ends). Raises InputError if it has no key, and if with *resume* there is what
    this key has not signed.
    """

    threads: int = 1
    slicing: bool = True
    symmetry: bool = True
    checkpoints: Path | None = None
    resume: bool = False
    key: Path | None = None
    cluster: Cluster | None = None
    disk: Path | None = None
    signs: SigningKey | None = field(init=False, default=None, compare=False)

    def __post_init__(self) -> None:
        errors = []
        if not 1 <= self.threads <= MOST_THREADS:
            errors.append(
                Diagnostic(
                    "C107",
                    f"a search is done by 1 to {MOST_THREADS} threads, not by {self.threads}",
                )
            )
        if self.resume and self.checkpoints is None:
            errors.append(
                Diagnostic(
                    "C108",
                    "there is no folder of checkpoints to go on from",
                    hint="say which with --checkpoint",
                )
            )
        if self.key is not None and self.checkpoints is None:
            errors.append(
                Diagnostic(
                    "C108",
                    "a key signs checkpoints, and there is no folder of them",
                    hint="say which with --checkpoint",
                )
            )
        if errors:
            raise InputError(errors)
        if self.checkpoints is not None:
            object.__setattr__(self, "signs", self._signs(self.checkpoints))
            if self.resume and (others := self.files().not_signed()):
                raise InputError([_not_signed(self.checkpoints, others)])

    def files(self) -> Checkpoints:
        """Return the folder of checkpoints; one must be set."""
        assert self.checkpoints is not None
        assert self.signs is not None
        return Checkpoints(self.checkpoints, self.signs)

    def _signs(self, folder: Path) -> SigningKey:
        """Return the key that signs what is written in *folder*; raise InputError if there is none
        that others cannot have.
        """
        file = self.key or state_folder() / "key"
        why = f"{file} lies in the folder of checkpoints"
        if not Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder)):
            try:
                return own_key() if self.key is None else key_in(self.key, make=not self.resume)
            except NoKeyError as error:
                why = str(error)
        hint = (
            "name a file for a key with --key"
            if self.key is None
            else "it has to be yours, with mode 600, outside the folder"
        )
        raise wrong_input("C111", f"checkpoints are signed with a key: {why}", hint=hint)


def _not_signed(folder: Path, files: list[str]) -> Diagnostic:
    what = "a checkpoint" if len(files) == 1 else f"{len(files)} checkpoints"
    told = (
        f"{what} in {folder} (`{files[0]}`) cannot be believed: not signed with this key, so made "
        "elsewhere, or by somebody else"
    )
    return Diagnostic(
        "C112",
        told,
        hint="begin anew without --resume, or name the key it was signed with: --key FILE",
    )


INTERRUPTED = "it was interrupted"
"""The reason of a search that somebody ended."""
PROGRESS_SECONDS = 0.1
GRACE, SPARE = 0.6, 64
"""How many seconds, and MiB, beyond its budget a search may ask whether it is spent; then
what it does is ended.
"""
LOOK_SECONDS = 0.02
"""How often the memory is looked at in the middle of moves: the system takes its time to say."""
HURRY = 0.7
"""How many seconds an interrupted search may still take to look at what it has found."""
_MEBIBYTE = 1 << 20
_NEXT_TO_NONE = 1e-3
_INSIDE = local()


def reached_words(most: int, what: str = "positions") -> str:
    """Return that the bound of *most* positions was reached."""
    return f"the bound of {most:,} {what} was reached"


def look_inside() -> None:
    """Raise `BudgetSpentError` if the budget of the meter that is `watching` is spent: called after
    every few thousand choices of a move.
    """
    meter: Meter | None = getattr(_INSIDE, "meter", None)
    if meter is not None:
        meter.inside()


@frozen
class Budget:
    """How much a question may cost; None is without bound.

    There are *seconds*, *mebibytes* of memory of this process, *positions* that are explored, and
    *units* of what solvers do. The seconds may be a part of those that somebody has said
    (*of_seconds*).
    """

    seconds: float | None = None
    mebibytes: int | None = None
    positions: int | None = None
    units: int | None = None
    of_seconds: float | None = None

    def __post_init__(self) -> None:
        limits = (
            (self.seconds, "seconds"),
            (self.mebibytes, "MiB of memory"),
            (self.positions, "positions"),
            (self.units, "units"),
        )
        wrong = [
            f"nothing can be searched with {value:,g} {what}"
            for value, what in limits
            if value is not None and not value > 0
        ]
        if wrong:
            raise InputError([Diagnostic("C106", message) for message in wrong])


def half_the_memory() -> int:
    """Return half of the machine's memory in mebibytes, a bound that keeps it usable."""
    if not hasattr(os, "sysconf"):
        return 2048
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // _MEBIBYTE // 2


@frozen
class Progress:
    """How far a search is: *what* it does, the *layer* it is at, and how much it has seen at which
    *rate* of moves a second.

    *load* is the part of the table of positions that is taken. *remaining* is the seconds that are
    left if the estimate of how many positions there are is right. Each is None if it is not known.
    If there are no positions to count, *parts* is how many parts are done, of how many, and *open*
    the names of the others. *waits_for* is the worker that has not answered for long, empty if
    there is none.
    """

    what: str
    layer: int
    positions: int
    moves: int
    rate: float
    mebibytes: int
    load: float | None = None
    remaining: float | None = None
    parts: tuple[int, int] | None = None
    waits_for: str = ""
    open: Sequence[str] = ()


OnProgress = Callable[[Progress], None]


class BudgetSpentError(Exception):
    """The budget is spent; the message says which, as a clause: ``the time of 10 s was up``."""


def nobody(_: Progress) -> None:
    """Do nothing."""


def memory_in_use() -> int:
    """Return the mebibytes of memory this process has (on systems without /proc the most it ever
    had; 0 if that is not known).
    """
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return _most_memory()
    return pages * os.sysconf("SC_PAGE_SIZE") // _MEBIBYTE


def _most_memory() -> int:
    if sys.platform == "win32":
        return 0
    import resource  # noqa: PLC0415 - Windows does not have it

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most // _MEBIBYTE if sys.platform == "darwin" else most // 1024


@dataclass
class Meter:
    """Measures one question against its *budget*, and tells *on_progress* at most ten times a
    second.

    *what* is being done now, and *share* the part of the time and the memory that it may go up to:
    an exploration leaves some of both to the properties. *interrupted* says that somebody ended it.
    Who asks a solver charges its units. If there is a *clock*, which says what all
    solvers of this process have done so far, it counts besides. What a part takes is taken from the
    *whole*, too.
    """

    budget: Budget = field(default_factory=Budget)
    on_progress: OnProgress = nobody
    what: str = "searching"
    share: float = 1.0
    of_time: float = 1.0
    interrupted: bool = False
    clock: Callable[[], int] | None = None
    whole: Meter | None = None
    _charged: int = 0
    _begun: int = 0
    _start: float = field(default_factory=monotonic)
    _own: int = field(default_factory=memory_in_use)
    _told: float = 0.0
    _first: tuple[float, int, int] | None = None
    _end: float | None = None
    _look_again: float = 0.0

    def __post_init__(self) -> None:
        self._begun = self._clocked

    @property
    def _clocked(self) -> int:
        return 0 if self.clock is None else self.clock() - self._begun

    @property
    def units(self) -> int:
        """How many units were spent."""
        return self._charged + self._clocked

    @property
    def most_units(self) -> int:
        """How many units may be spent."""
        return sys.maxsize if self.budget.units is None else self.budget.units

    @property
    def units_left(self) -> int:
        """How many units are left; negative if more were taken."""
        return self.most_units - self.units

    def allow(self, units: int) -> int:
        """Return how many of *units* units a question may take; raise `BudgetSpentError` if none
        are left.
        """
        if self.units_left <= 0:
            raise BudgetSpentError(f"its {self.budget.units:,} units were spent")
        return min(units, self.units_left)

    def charge(self, units: int) -> None:
        """Count *units* units as spent that no clock of this meter has counted."""
        self._charged += units
        if self.whole is not None:
            self.whole.charge(units)

    @contextmanager
    def part(self, units: int, clock: Callable[[], int] | None = None) -> Iterator[Meter]:
        """Measure a part that may take *units* units, at least 1: a budget of 0 would mean no
        bound.
        """
        part = Meter(Budget(units=max(units, 1)), clock=clock, whole=self)
        try:
            yield part
        finally:
            counted, whole = (
                part._clocked,
                part.whole,
            )  # where a clock counts already, it has seen this
            while whole is not None and whole.clock is None:
                whole._charged, whole = whole._charged + counted, whole.whole

    def hurry(self) -> None:
        """End soon, because somebody asked to; leave a moment to look at what was found so far."""
        self._end = self._end or monotonic() + HURRY

    @property
    def is_up(self) -> bool:
        """Whether that moment is over."""
        return self._end is not None and monotonic() > self._end

    def begin(self, what: str, share: float = 1.0, one_of: int = 1) -> None:
        """Begin a part of the question, which may go up to *share* of the budget; it is one of
        *one_of* parts that share the time left.
        """
        self.what, self.share, self.of_time, self._first = what, share, 1.0, None
        if one_of > 1 and self.budget.seconds is not None:
            spent = min((monotonic() - self._start) / self.budget.seconds, 1.0)
            self.of_time = spent + (1 - spent) / one_of

    @property
    def why_over(self) -> str:
        """Why nothing new may begin: the time is up, or somebody has ended it; empty if it may."""
        try:
            self._in_time()
        except BudgetSpentError as spent:
            return str(spent)
        return INTERRUPTED if self.interrupted else ""

    def count(self, done: int, of: int, waits_for: str = "", open_: Sequence[str] = ()) -> None:
        """Tell that *done* parts of *of* are done, which others are *open_*, and who is waited
        for.

        Raises `BudgetSpentError` if the time is up.
        """
        now = self._in_time()
        if now - self._told >= PROGRESS_SECONDS:
            self._told = now
            self.on_progress(
                Progress(
                    self.what,
                    0,
                    0,
                    0,
                    0.0,
                    memory_in_use(),
                    parts=(done, of),
                    waits_for=waits_for,
                    open=open_,
                )
            )

    def _in_time(self) -> float:
        """Return what time it is; raise `BudgetSpentError` if the time is up."""
        now, seconds = monotonic(), self.budget.seconds
        if self._end is not None and now > self._end:
            raise BudgetSpentError(INTERRUPTED)
        if seconds is not None and now - self._start >= seconds * min(self.share, self.of_time):
            raise BudgetSpentError(self._time_up)
        return now

    @property
    def _time_up(self) -> str:
        budget = self.budget
        part = "its part of " if self.of_time < 1 or budget.of_seconds is not None else ""
        return f"{part}the time of {budget.of_seconds or budget.seconds or 0:g} s was up"

    def beyond(self) -> str:
        """Return why all work on this question has to end: its budget is more than spent; empty if
        it is not.
        """
        budget = self.budget
        if budget.seconds is not None and monotonic() - self._start > budget.seconds + GRACE:
            return self._time_up
        most = None if budget.mebibytes is None else max(budget.mebibytes, self._own) + SPARE
        return (
            f"the memory of {budget.mebibytes:,} MiB was full"
            if most is not None and memory_in_use() > most
            else ""
        )

    def inside(self) -> None:
        """Raise `BudgetSpentError` if the budget is spent, in the middle of the moves of one
        position.
        """
        now, budget = self._in_time(), self.budget
        if budget.mebibytes is None or now < self._look_again:
            return
        self._look_again = now + LOOK_SECONDS
        if memory_in_use() > max(budget.mebibytes, self._own + SPARE):
            raise BudgetSpentError(f"the memory of {budget.mebibytes:,} MiB was full")

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Hold this budget inside the moves of a position, too, for the thread that this is
        (`look_inside`).
        """
        before = getattr(_INSIDE, "meter", None)
        _INSIDE.meter = self
        try:
            yield
        finally:
            _INSIDE.meter = before

    def grow(self, positions: int, what: str = "positions") -> None:
        """Let a search know *positions* positions; raise `BudgetSpentError` if that is more than it
        may.
        """
        most = self.budget.positions
        if most is not None and positions > most:
            raise BudgetSpentError(reached_words(most, what))

    @property
    def mebibytes(self) -> float | None:
        """How much memory the process may have now; None if there is no bound."""
        return None if self.budget.mebibytes is None else self.budget.mebibytes * self.share

    def rest(self, parts: int = 1) -> Budget:
        """Return the budget with one of *parts* parts of the time that is left of it, next to
        none if it is up.
        """
        budget = self.budget
        if budget.seconds is None:
            return budget
        left = max(budget.seconds - (monotonic() - self._start), _NEXT_TO_NONE)
        return replace(budget, seconds=left / parts, of_seconds=budget.of_seconds or budget.seconds)

    def left(self) -> Budget:
        """Return the budget with the time that is left of it; raise `BudgetSpentError` if there is
        none.
        """
        seconds = self.budget.seconds
        return (
            self.budget
            if seconds is None
            else replace(self.budget, seconds=seconds - (self._in_time() - self._start))
        )

    def check(
        self,
        layer: int,
        positions: int,
        moves: int,
        load: float | None = None,
        expected: int | None = None,
    ) -> None:
        """Tell how far the search is; raise `BudgetSpentError` if the budget is spent.

        *load* is the part of the table that is taken, *expected* an estimate of how many positions
        there are; None if it is not known.
        """
        now, budget = self._in_time(), self.budget
        if now - self._told < PROGRESS_SECONDS:
            return
        self._told = now
        used = memory_in_use()
        if budget.mebibytes is not None and self.mebibytes is not None and used > self.mebibytes:
            before = (
                f" before it began, for stacklaw itself takes {self._own:,} MiB"
                if self._own >= budget.mebibytes
                else ""
            )
            raise BudgetSpentError(f"the memory of {budget.mebibytes:,} MiB was full{before}")
        if self._first is None or self._first[1] > positions or self._first[2] > moves:
            # What a search knew when it began, from a checkpoint perhaps, says nothing of its rate.
            self._first = now, positions, moves
        begun, known, made = self._first
        seconds = max(now - begun, 1e-6)
        remaining = (
            None
            if expected is None or expected < positions
            else (expected - positions) * seconds / max(positions - known, 1)
        )
        self.on_progress(
            Progress(
                self.what, layer, positions, moves, (moves - made) / seconds, used, load, remaining
            )
        )
