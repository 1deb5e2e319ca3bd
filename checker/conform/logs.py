"""Whole logs: what a file shows, held against a game; the edit that explains what is otherwise.

As if: the one edit of the rules that explains what an engine does otherwise.

It explains a class of deviations if by the edited rules no log has one of that class, and none
that it did not have by the rules as they are. Edits that explain the windows of a few deviations
are tried on whole logs before the others. What no log shows might excuse everything: edits of a
rules process are left out where it is hidden.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import islice
from pathlib import Path
from typing import Any

from ...models import ir
from ...models.diagnostics import InputError, wrong_input
from ...models.frozen import frozen
from ...models.read import toml_in
from ...models.source import Source, Span
from ...models.words import shortened
from ..mutate.edits.edits import Edit, edits_of
from ..reference.semantics.interpreter import Interpreter
from ..types.budget import BudgetSpentError, Meter
from ..types.scope import Scope
from .events import EventError, read_log, refused
from .maps import LogMap, mapped
from .monitor import DeviationClass, LogFinding, ProgramMonitor, ShownBy, Tally
from .search import SearchFound, WindowSearch
from .showing import Showing

_MOST_WINDOWS, _MOST_TOLD = 3, 3


def behaves_as_if(
    program: ir.Program, made: Sequence[Conformed], asked: LogQuestion, meter: Meter
) -> dict[DeviationClass, str]:
    """Return, for each class of deviations in the logs of *made*, by which edits of *program* they
    would be right; or that there is none, or why *meter* ended the search for it.
    """
    unseen = {id_ for log in made for id_ in _showing(program, log, asked).unseen}
    beside = f" beside what is hidden ({', '.join(sorted(unseen))})" if unseen else ""
    classes = [*dict.fromkeys(one for log in made for one in log.classes)]
    found, left = dict[DeviationClass, str](), dict[DeviationClass, Sequence[Edit]]()
    meter.begin("looking for an edit that explains it")
    try:
        with meter.watching():
            edits = [edit for edit in edits_of(program) if edit.clause not in unseen]
            for one in classes:
                near, left[one] = _near_and_far(one, program, edits, made, asked, meter)
                if explain := [*_explaining(one, near, made, asked, meter)]:
                    found[one] = _as_if(explain)
            for one in classes:
                if one not in found:
                    explain = [*islice(_explaining(one, left[one], made, asked, meter), 1)]
                    found[one] = (
                        _as_if(explain)
                        if explain
                        else f"No single edit of the rules{beside} explains this."
                    )
    except BudgetSpentError as spent:
        is_open = f"Whether an edit of the rules explains this is open: {spent}."
        found |= {one: is_open for one in classes if one not in found}
    return found


def _as_if(edits: Sequence[Edit]) -> str:
    words = [f"{edit.clause}: {edit.words}" for edit in edits[:_MOST_TOLD]]
    which = "this edit" if len(words) == 1 else "one of these edits"
    return f"It behaves as if the rules had {which}: {'; or '.join(words)}."


def _signature(program: ir.Program) -> list[tuple[str, tuple[ir.Parameter, ...]]]:
    """Return what a position is made of, as far as an edit may change it."""
    return [(stage.name, stage.parameters) for stage in program.stages]


def _near_and_far(
    one: DeviationClass,
    program: ir.Program,
    edits: Sequence[Edit],
    made: Sequence[Conformed],
    asked: LogQuestion,
    meter: Meter,
) -> tuple[list[Edit], list[Edit]]:
    """Return those of *edits* by which a few deviations of the class *one* would be right where
    play stood, those of its clause first; and the others.
    """
    examples = [
        (log, finding)
        for log in made
        for finding in log.found
        if finding.kind == "deviation" and finding.waiver < 0 and finding.of_class == one
    ][:_MOST_WINDOWS]
    # An edit of a stage to which play does not come is not seen.
    searches = (_search(program, *example, asked, is_told=True) for example in examples)
    stages = set[str]().union(*(one.stages for one in searches))
    others = {clause.id for stage, clause in program.clauses if stage.name not in stages}
    near, far = list[Edit](), list[Edit]()
    for number, edit in enumerate(edits):
        meter.count(number, len(edits))
        is_near = edit.clause not in others and _signature(edit.program) == _signature(program)
        is_near = is_near and not edit.is_refused  # what is refused may have no meaning there
        if is_near and all(_search(edit.program, *example, asked).ends for example in examples):
            near.append(edit)
        else:
            far.append(edit)  # by it play may stand elsewhere already when the window begins
    return sorted(near, key=lambda edit: edit.clause != one[0]), far


def _explaining(
    one: DeviationClass,
    edits: Sequence[Edit],
    made: Sequence[Conformed],
    asked: LogQuestion,
    meter: Meter,
) -> Iterator[Edit]:
    """Yield those of *edits* that explain the class *one* of deviations, on whole logs."""
    for edit in edits:
        if not edit.is_refused and all(
            _explains_all(edit.program, log, one, asked, meter) for log in made
        ):
            yield edit


def _search(
    program: ir.Program,
    log: Conformed,
    finding: LogFinding,
    asked: LogQuestion,
    *,
    is_told: bool = False,
) -> SearchFound:
    """Search the window of *finding* by *program*, from where play stood before it."""
    assert finding.window is not None
    search = WindowSearch(_showing(program, log, asked), asked.most)
    return search.run(finding.begin, finding.window, is_told=is_told)


def _showing(program: ir.Program, log: Conformed, asked: LogQuestion) -> Showing:
    return Showing(Interpreter(program, log.scope), asked.hidden)


def _explains_all(
    edited: ir.Program, log: Conformed, one: DeviationClass, asked: LogQuestion, meter: Meter
) -> bool:
    """Whether by *edited* rules the *log* has none of the class *one*, and none that it had not."""
    others = set().union(*(at for other, at in log.numbers.items() if other != one))
    for finding in findings(asked.monitor(edited), Path(log.file), asked.map):
        if finding.number not in others and not _was_hidden(finding, log, one, asked):
            return False
        meter.count(0, 1)
    return True


def _was_hidden(
    finding: LogFinding, log: Conformed, one: DeviationClass, asked: LogQuestion
) -> bool:
    """Whether *finding* is of a class in the *log* other than *one*, or waived, and a deviation
    before it in its window hid it: a window tells of its first only.
    """
    is_known = finding.of_class in log.classes or waived_by(asked.waivers, finding) >= 0
    before = range(finding.number - len(finding.before), finding.number)
    is_after = any(not at.isdisjoint(before) for at in log.numbers.values())
    return finding.kind == "deviation" and finding.of_class != one and is_known and is_after


_MOST = 1_000


@frozen
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
        found = toml_in(source)
    except ValueError as error:
        raise wrong(f"This cannot be read as TOML: {shortened(str(error), 120)}.") from error
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


@frozen
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

    def monitor(self, program: ir.Program) -> ProgramMonitor:
        """Return what holds such a log against *program*."""
        return ProgramMonitor(program, self.players, self.hidden, self.most)


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
        """How many deviations there are without a waiver."""
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
    monitor = asked.monitor(program)
    made = Conformed(str(path), program, monitor.scope, monitor.tally)
    for one in findings(monitor, path, asked.map):
        made.take(one, asked.waivers)
    made.scope = monitor.scope
    return made


def first_deviation(program: ir.Program, path: Path, asked: LogQuestion) -> LogFinding | None:
    """Return the first deviation without a waiver in the log at *path*; None if it conforms."""
    return next(
        (
            one
            for one in findings(asked.monitor(program), path, asked.map)
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
