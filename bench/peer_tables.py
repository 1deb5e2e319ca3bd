"""What was measured beside the peers, as the tables of the readme."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .instances import TABLE, Instance
from .markdown import table
from .ratios import BOUNDS, Row, judged
from .tools import BY_HAND, OURS, SPIN, TLC

Rows = Mapping[Instance, Sequence[Row]]


def by_tool(measured: Rows) -> str:
    """Return a table with a column for each instance and a row for each tool: seconds of the process, of the search, bytes a position."""
    labels = list(dict.fromkeys((row.program, row.setting) for rows in measured.values() for row in rows))
    positions = ["positions", *(f"{TABLE[instance][0]:,}" for instance in measured)]
    rows = [[", ".join(label), *(_cell(label, measured[instance], TABLE[instance][0]) for instance in measured)] for label in labels]
    return table(["", *map(str, measured)], [positions, *rows])


def _cell(label: tuple[str, str], rows: Sequence[Row], positions: int) -> str:
    row = next((row for row in rows if (row.program, row.setting) == label), None)
    if row is None:
        return ""
    seconds = {
        OURS: f"{row.process:.2f} / {row.search:.2f}", BY_HAND: f"{row.build:.2f} + {row.process:.2f}",
        SPIN: f"{row.build:.2f} + {row.process:.2f}", TLC: f"{row.process:.2f}",
    }  # fmt: skip
    return f"{seconds[row.program]} ({row.mebibytes * 2**20 / positions:,.0f})"


def by_bound(measured: Rows) -> str:
    """Return a table with a column for each instance and a row for each bound: its value where it is asked for, and whether it is met."""
    found = {(one.bound, at): one for at, rows in measured.items() for one in judged(rows, TABLE[at][0])}
    rows = []
    for bound in BOUNDS:
        ones = [found.get((bound, at)) for at in measured]
        if any(ones):
            rows.append([bound.says, f"{bound.most:.3g}", *("" if one is None else f"{one.value:.3f} {one.met}" for one in ones)])
    return table(["asked for", "at most", *map(str, measured)], rows)
