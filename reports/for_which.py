"""For which values of an option a property holds: one record for each value -> a table, and the answer as one condition.

In: a ruleset's option and the rows of one property, by the option's values. Out: rich renderables, and the sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from rich.console import Group
from rich.table import Table
from rich.text import Text

from ..checker.verdict import Outcome
from ..models import ir
from .naming import counted, join_words
from .record import Row
from .text import OUTCOME_STYLE

Value = str | int
_SAID = {
    Outcome.PROVED: "holds",
    Outcome.HOLDS: "holds within the scope",
    Outcome.VIOLATED: "does not hold",
    Outcome.VACUOUS: "says nothing",
    Outcome.POSSIBLE: "is possible",
    Outcome.IMPOSSIBLE: "is impossible within the scope",
    Outcome.BOUNDED: "is undecided",
    Outcome.UNKNOWN: "is undecided",
}
_CONTRARY = {"does not hold", "is possible"}
_RUN = 3
"""So many numbers in a row are said as a range."""


def render_for_which(name: str, option: ir.Option, rows: Mapping[Value, Row]) -> Group:
    """Return the table of the verdicts on the property *name*, and the condition below it."""
    table = Table(box=None, pad_edge=False, show_header=False)
    for value, row in rows.items():
        play = "" if row.play is None else f"a play of {counted(row.play.moments[-1].number, 'move')}"
        table.add_row(
            f"  {option.name} is {value}", Text(row.outcome, OUTCOME_STYLE[row.outcome]), f"for {row.proof.every}" if row.proof else play
        )
    title = Text(f"{name}: for which {option.name}?", "bold")
    return Group(title, table, Text(f"{name} {condition(option, rows)}."))


def condition(option: ir.Option, rows: Mapping[Value, Row]) -> str:
    """Return for which values of *option* what is the case: ``holds … unless leaving is yes``."""
    groups: dict[str, list[Value]] = {}
    for value, row in rows.items():
        groups.setdefault(_said(row), []).append(value)
    if len(groups) == 1:
        (said,) = groups
        return f"{said}, whatever {option.name} is"
    if len(groups) == 2 and _CONTRARY & groups.keys():
        bad = next(said for said in groups if said in _CONTRARY)
        good = next(said for said in groups if said != bad)
        if good.startswith(("holds", "is impossible")):
            word, values = ("unless", groups[bad]) if len(groups[bad]) <= len(groups[good]) else ("only if", groups[good])
            return f"{good} {word} {_is(option, values)}"
    return "; it ".join(f"{said} if {_is(option, values)}" for said, values in groups.items())


def _said(row: Row) -> str:
    if row.proof is None:
        return _SAID[row.outcome]
    return f"{'is impossible' if row.outcome == Outcome.IMPOSSIBLE else 'holds'} for {row.proof.every}"


def _is(option: ir.Option, values: Sequence[Value]) -> str:
    return f"{option.name} is {join_words(_ranges(values), 'or')}"


def _ranges(values: Sequence[Value]) -> list[str]:
    """Return *values* as words, numbers in a row as one range."""
    numbers = [value for value in values if isinstance(value, int)]
    if len(numbers) < len(values):
        return [str(value) for value in values]
    ends = [place + 1 for place, (one, other) in enumerate(pairwise(numbers)) if other != one + 1]
    runs = [numbers[begin:end] for begin, end in pairwise([0, *ends, len(numbers)])]
    return [word for run in runs for word in ([f"{run[0]} to {run[-1]}"] if len(run) >= _RUN else map(str, run))]
