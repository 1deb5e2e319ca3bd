"""What was measured beside the peers, told: the tables of the readme, and a plot of seconds over
positions, a line for each tool.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from .drawing import INK, figure, save
from .instances import TABLE, Instance
from .markdown import table
from .ratios import BOUNDS, Row, judged
from .tools import BY_HAND, COLD, ESTIMATED, GROWING, OURS, SIZED, SPIN, THREADS, TLC

Rows = Mapping[Instance, Sequence[Row]]


def by_tool(measured: Rows) -> str:
    """Return a table with a column for each instance and a row for each tool: seconds of the
    process, of the search, bytes a position.
    """
    labels = list(
        dict.fromkeys((row.program, row.setting) for rows in measured.values() for row in rows)
    )
    positions = ["positions", *(f"{TABLE[instance][0]:,}" for instance in measured)]
    rows = [
        [
            ", ".join(label),
            *(_cell(label, measured[instance], TABLE[instance][0]) for instance in measured),
        ]
        for label in labels
    ]
    return table(["", *map(str, measured)], [positions, *rows])


def _cell(label: tuple[str, str], rows: Sequence[Row], positions: int) -> str:
    row = next((row for row in rows if (row.program, row.setting) == label), None)
    if row is None:
        return ""
    seconds = {
        OURS: f"{row.process:.2f} / {row.search:.2f}",
        BY_HAND: f"{row.build:.2f} + {row.process:.2f}",
        SPIN: f"{row.build:.2f} + {row.process:.2f}", TLC: f"{row.process:.2f}",
    }  # fmt: skip
    return f"{seconds[row.program]} ({row.mebibytes * 2**20 / positions:,.0f})"


def by_bound(measured: Rows) -> str:
    """Return a table with a column for each instance and a row for each bound: its value where it
    is asked for, and whether it is met.
    """
    found = {
        (one.bound, at): one for at, rows in measured.items() for one in judged(rows, TABLE[at][0])
    }
    rows = []
    for bound in BOUNDS:
        ones = [found.get((bound, at)) for at in measured]
        if any(ones):
            rows.append(
                [
                    bound.says,
                    f"{bound.most:.3g}",
                    *("" if one is None else f"{one.value:.3f} {one.met}" for one in ones),
                ]
            )
    return table(["asked for", "at most", *map(str, measured)], rows)


_COLOURS = {OURS: "#0b6bb5", BY_HAND: "#5b6570", SPIN: "#c2571a", TLC: "#8a3ea3"}
"""A colour for each program; its settings differ by the line and the mark."""
_LINES = {
    COLD: (":", "o"), GROWING: ("--", "s"), ESTIMATED: ("-.", "^"), SIZED: ("-", "o"),
    "depth first": ("-", "o"), "breadth first": ("--", "s"), "1 worker": ("-", "o"),
}  # fmt: skip


def draw_peers(measured: Mapping[Instance, Sequence[Row]], folder: Path) -> list[Path]:
    """Draw the seconds of the search and of the whole process over the positions, a line for each
    tool that has one thread.
    """
    drawn, axes = figure(12, 5.6, columns=2)
    ordered = sorted(measured, key=lambda instance: TABLE[instance][0])
    labels = list(
        dict.fromkeys(
            (row.program, row.setting)
            for rows in measured.values()
            for row in rows
            if row.setting != THREADS
        )
    )
    for label in labels:
        points = [
            (TABLE[one][0], row)
            for one in ordered
            for row in measured[one]
            if (row.program, row.setting) == label
        ]
        line, mark = _LINES[label[1]]
        style = {
            "color": _COLOURS[label[0]],
            "linestyle": line,
            "marker": mark,
            "markersize": 5,
            "linewidth": 1.6,
        }
        whole = [row.build + row.process for _, row in points]
        if label != (OURS, COLD):
            axes[0].plot(
                [at for at, _ in points],
                [row.search for _, row in points],
                label=", ".join(label),
                **style,
            )
        axes[1].plot([at for at, _ in points], whole, label=", ".join(label), **style)
    for one, title in zip(
        axes,
        ("The search alone", "All there is to wait for: compilation, start and search"),
        strict=True,
    ):
        one.set_xscale("log")
        one.set_title(title, loc="left", fontsize=11, color=INK)
        one.set_xlabel("positions")
    axes[0].set_ylabel("seconds")
    named = {
        name: line
        for one in reversed(axes)
        for line, name in zip(*one.get_legend_handles_labels(), strict=True)
    }
    drawn.legend(
        named.values(), named.keys(), fontsize=9, frameon=False, ncols=5, loc="outside lower center"
    )
    return save(drawn, folder, "peers")
