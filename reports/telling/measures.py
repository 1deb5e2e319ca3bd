"""The record of a game's measures, as plain data. Every renderer's only input."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import Literal, TypeAlias

from ...checker.measures.measures import Extreme, FoundMeasures, GameMeasure, MeasureName
from ..naming import moves_words
from ..plays.explain import retell
from ..plays.play import Play
from .heading import ScopeHeading, make_heading

ExtremeName: TypeAlias = Literal["fewest", "calm", "most"]
WHICH: tuple[ExtremeName, ...] = ("fewest", "calm", "most")

MEASURE_WORDS: dict[MeasureName, str] = {
    "passes": "passes until an item on the stack resolves",
    "own windows": "windows for an item of its controller",
    "windows of others": "windows for an item of another player",
    "moves without a decision": "moves in a row without a player's decision",
}
WHICH_WORDS: dict[ExtremeName, str] = {"fewest": "fewest", "calm": "most, all only pass", "most": "most"}
_COUNTED: dict[MeasureName, tuple[str, str]] = {
    "passes": ("pass", "passes"),
    "own windows": ("window", "windows"),
    "windows of others": ("window", "windows"),
    "moves without a decision": ("move", "moves"),
}
_ENDS: dict[MeasureName, str] = {
    "passes": "before it resolves",
    "own windows": "of its controller before it resolves",
    "windows of others": "of one other player before it resolves",
    "moves without a decision": "in a row in which no player decides anything",
}


@dataclass(frozen=True)
class MeasureRow:
    """One number: *which* of the measure called *name*, in *words*; *value* is None if it is unbounded. *play* shows it."""

    name: MeasureName
    words: str
    which: ExtremeName
    value: int | None
    play: Play

    @property
    def number(self) -> str:
        """The value in words."""
        return "unbounded" if self.value is None else str(self.value)


@dataclass(frozen=True)
class MeasuresRecord:
    """The measures of a game within a scope; *stopped* says why there may be less, or more, than *rows* say."""

    heading: ScopeHeading
    rows: tuple[MeasureRow, ...]
    stopped: str

    def row(self, key: MeasureKey) -> MeasureRow | None:
        """Return the row of that measure, if there is one."""
        return next((row for row in self.rows if (row.name, row.which) == key), None)


MeasureKey: TypeAlias = tuple[MeasureName, ExtremeName]


def keys_of(records: Iterable[MeasuresRecord]) -> list[MeasureKey]:
    """Return the keys that any of *records* has a row for, in the order of the rows."""
    found = {(row.name, row.which) for record in records for row in record.rows}
    return [key for key in product(MEASURE_WORDS, WHICH) if key in found]


def make_measures_record(found: FoundMeasures, name: str) -> MeasuresRecord:
    """Return the record of what was *found* of the ruleset that is called *name*."""
    rows = []
    for measure in found.measures:
        for which in WHICH:
            extreme = _of(measure, which)
            if extreme is not None:
                rows.append(_row(found, measure, which, extreme))
    return MeasuresRecord(make_heading(found.program, name, found.scope, found.counts), tuple(rows), found.stopped)


def _of(measure: GameMeasure, which: ExtremeName) -> Extreme | None:
    match which:
        case "fewest":
            return measure.fewest
        case "calm":
            return measure.calm
        case "most":
            return measure.most


def _row(found: FoundMeasures, measure: GameMeasure, which: ExtremeName, extreme: Extreme) -> MeasureRow:
    value = None if extreme.again is not None else extreme.value
    play = retell(found.program, found.scope, extreme.trace, _conclusion(measure.name, extreme))
    return MeasureRow(measure.name, MEASURE_WORDS[measure.name], which, value, play)


def _conclusion(name: MeasureName, extreme: Extreme) -> str:
    """Return what the play shows, as a sentence."""
    is_one = extreme.value == 1
    said = f"here {'is' if is_one else 'are'} {extreme.value or 'no'} {_COUNTED[name][0 if is_one else 1]} {_ENDS[name]}"
    if extreme.again is None:
        return f"{said.capitalize()}."
    first, last = extreme.again[0] + 1, extreme.again[1]
    return f"There is no most: {moves_words(first, last)} can be made again and again; {said}."
