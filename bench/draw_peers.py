"""The plot of the benchmark: seconds over positions, a line for each tool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from .drawing import INK, figure, save
from .instances import TABLE, Instance
from .ratios import Row
from .tools import BY_HAND, COLD, ESTIMATED, GROWING, OURS, SIZED, SPIN, THREADS, TLC

_COLOURS = {OURS: "#0b6bb5", BY_HAND: "#5b6570", SPIN: "#c2571a", TLC: "#8a3ea3"}
"""A colour for each program; its settings differ by the line and the mark."""
_LINES = {
    COLD: (":", "o"), GROWING: ("--", "s"), ESTIMATED: ("-.", "^"), SIZED: ("-", "o"),
    "depth first": ("-", "o"), "breadth first": ("--", "s"), "1 worker": ("-", "o"),
}  # fmt: skip


def draw_peers(measured: Mapping[Instance, Sequence[Row]], folder: Path) -> list[Path]:
    """Draw the seconds of the search and of the whole process over the positions, a line for each tool that has one thread."""
    drawn, axes = figure(12, 5.6, columns=2)
    ordered = sorted(measured, key=lambda instance: TABLE[instance][0])
    labels = list(dict.fromkeys((row.program, row.setting) for rows in measured.values() for row in rows if row.setting != THREADS))
    for label in labels:
        points = [(TABLE[one][0], row) for one in ordered for row in measured[one] if (row.program, row.setting) == label]
        line, mark = _LINES[label[1]]
        style = {"color": _COLOURS[label[0]], "linestyle": line, "marker": mark, "markersize": 5, "linewidth": 1.6}
        whole = [row.build + row.process for _, row in points]
        if label != (OURS, COLD):
            axes[0].plot([at for at, _ in points], [row.search for _, row in points], label=", ".join(label), **style)
        axes[1].plot([at for at, _ in points], whole, label=", ".join(label), **style)
    for one, title in zip(axes, ("The search alone", "All there is to wait for: compilation, start and search"), strict=True):
        one.set_xscale("log")
        one.set_title(title, loc="left", fontsize=11, color=INK)
        one.set_xlabel("positions")
    axes[0].set_ylabel("seconds")
    named = {name: line for one in reversed(axes) for line, name in zip(*one.get_legend_handles_labels(), strict=True)}
    drawn.legend(named.values(), named.keys(), fontsize=9, frameon=False, ncols=5, loc="outside lower center")
    return save(drawn, folder, "peers")
