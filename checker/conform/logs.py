"""Whole logs: what a file shows, held against a game, in one reading or in each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ...models import ir
from ..types.scope import Scope
from .events import EventError, read_log, refused
from .maps import LogMap, mapped
from .monitor import DeviationClass, LogFinding, ProgramMonitor, ShownBy, Tally
from .waivers import Waiver, waived_by

_MOST_KEPT = 1_000
OTHERS: DeviationClass = ("", "", "")


@dataclass(frozen=True)
class LogQuestion:
    """How logs are looked at: at a table of *players* players unless they say it, without what is
    *hidden*, looking at *most* positions a window; which deviations are waived. A foreign log is
    read by a *map*.
    """

    players: int | None = None
    hidden: frozenset[str] = frozenset()
    most: int = 20_000
    waivers: Sequence[Waiver] = ()
    map: LogMap | None = None


@dataclass
class Conformed:
    """What came of the log *file*: its *tally*, the deviations and unknowns *found*, and how many
    there are of each class. Only the first thousand are kept, but the *numbers* of the events of
    all: by class, those that are unknown or waived under `OTHERS`. *waived* counts by waiver.
    """

    file: str
    program: ir.Program
    scope: Scope
    tally: Tally
    found: list[LogFinding] = field(default_factory=list)
    classes: Counter[DeviationClass] = field(default_factory=Counter)
    waived: Counter[int] = field(default_factory=Counter)
    unknown: int = 0
    numbers: dict[DeviationClass, set[int]] = field(default_factory=dict)
    shown: dict[DeviationClass, frozenset[ShownBy]] = field(default_factory=dict)
    """What the log shows before each deviation of a class."""

    @property
    def deviations(self) -> int:
        """How many deviations there are that nobody waives."""
        return self.classes.total()

    def apart(self, of: DeviationClass) -> ShownBy | None:
        """Return what the log shows before each deviation *of* a class, and never where it is right
        by the same clause; None if there is no such thing, or it is never right.
        """
        right = self.tally.beside.get(of[0])
        return None if right is None else min(self.shown[of] - right, default=None)

    def take(self, one: LogFinding, waivers: Sequence[Waiver]) -> None:
        """Count *one*."""
        of = OTHERS
        if one.kind == "unknown":
            self.unknown += 1
        elif (waiver := waived_by(waivers, one)) >= 0:
            self.waived[waiver] += 1
            one = replace(one, waiver=waiver)
        else:
            of = one.of_class
            self.classes[of] += 1
            self.shown[of] = self.shown.get(of, one.shown) & one.shown
        self.numbers.setdefault(of, set()).add(one.number)
        if len(self.found) < _MOST_KEPT:
            self.found.append(one)


def conformed(program: ir.Program, path: Path, asked: LogQuestion) -> Conformed:
    """Return what comes of the log at *path*. Raises `InputError` at its first line that is no
    event of *program*.
    """
    monitor = ProgramMonitor(program, asked.players, asked.hidden, asked.most)
    made = Conformed(str(path), program, monitor.scope, monitor.tally)
    for one in findings(monitor, path, asked.map):
        made.take(one, asked.waivers)
    made.scope = monitor.scope
    return made


def first_deviation(program: ir.Program, path: Path, asked: LogQuestion) -> LogFinding | None:
    """Return the first deviation in the log at *path* that nobody waives; None if it conforms."""
    monitor = ProgramMonitor(program, asked.players, asked.hidden, asked.most)
    return next(
        (
            one
            for one in findings(monitor, path, asked.map)
            if one.kind == "deviation" and waived_by(asked.waivers, one) < 0
        ),
        None,
    )


def findings(monitor: ProgramMonitor, path: Path, by: LogMap | None = None) -> Iterator[LogFinding]:
    """Yield what *monitor* finds of the log at *path*, read *by* a map. Raises `InputError`."""
    for line, event in mapped(by, path) if by else read_log(path):
        try:
            yield from monitor.step_event(event, line)
        except EventError as error:
            raise refused(str(path), line, error) from error
    yield from monitor.finish()
