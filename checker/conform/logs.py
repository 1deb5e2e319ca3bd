"""Whole logs: what a file shows, held against a game, in one reading or in each; what is waived."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from ...models import ir
from ...models.diagnostics import InputError, wrong_input
from ...models.source import Source, Span
from ...models.words import shortened
from ..types.scope import Scope
from .events import EventError, read_log, refused
from .maps import LogMap, mapped
from .monitor import DeviationClass, LogFinding, ProgramMonitor, ShownBy, Tally

_MOST = 1_000


@dataclass(frozen=True)
class Waiver:
    """A deviation that is meant: by *clause* the rules go on with *wanted*, and the log shows
    *event*; each empty if any is meant. *who* says so, *why*, and *since* when.
    """

    clause: str
    event: str
    wanted: str
    who: str
    why: str
    since: str

    def covers(self, found: LogFinding) -> bool:
        """Whether *found* is such a deviation."""
        return all(
            said in ("", so)
            for said, so in (
                (self.clause, found.clause),
                (self.event, found.event.name),
                (self.wanted, found.wanted),
            )
        )


def read_waivers(source: Source) -> tuple[Waiver, ...]:
    """Return the waivers in *source*. Raises `InputError` with what is wrong with it."""

    def wrong(message: str, hint: str = "") -> InputError:
        return wrong_input("L115", message, source, Span(1, 1, 1), hint)

    try:
        found = tomllib.loads(source.text)
    except (ValueError, RecursionError) as error:
        raise wrong(f"This is no TOML: {shortened(str(error), 120)}.") from error
    entries = found.get("waive", [])
    if set(found) - {"waive"} or not isinstance(entries, list) or len(entries) > _MOST:
        raise wrong("A file of waivers has nothing but `[[waive]]`.", f"{_MOST:,} of them at most")
    return tuple(_waiver(entry, number, wrong) for number, entry in enumerate(entries, 1))


def _waiver(entry: Any, number: int, wrong: Any) -> Waiver:
    names = [one.name for one in fields(Waiver)]
    said = entry if isinstance(entry, dict) else {"": entry}
    if not all(name in names and isinstance(value, str) for name, value in said.items()):
        raise wrong(f"Waiver {number} is none.", f"its keys, each with a text: {', '.join(names)}")
    if not said.get("who") or not said.get("why") or not (said.get("clause") or said.get("event")):
        raise wrong(f"Waiver {number} says too little.", "`clause` or `event`, `who` and `why`")
    return Waiver(**{name: said.get(name, "") for name in names})


def waived_by(waivers: Sequence[Waiver], found: LogFinding) -> int:
    """Return the number of the first of *waivers* that covers *found*, -1 if none does."""
    return next((number for number, one in enumerate(waivers) if one.covers(found)), -1)


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
