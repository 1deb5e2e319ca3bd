"""Plots of what was measured, as SVG and PNG, drawn by matplotlib (the extra ``bench``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .instances import TABLE, Instance
from .ratios import Row
from .tools import BY_HAND, COLD, GROWING, OURS, SIZED, SPIN, THREADS, TLC

if TYPE_CHECKING:
    from .growth import Point
    from .symbolic import Growing

PLOTS = Path(__file__).with_name("plots")
INK, GRID = "#22262b", "#d9dde2"
_COLOURS = {OURS: "#0b6bb5", BY_HAND: "#5b6570", SPIN: "#c2571a", TLC: "#8a3ea3"}
"""A colour for each program; its settings differ by the line and the mark."""
_LINES = {
    COLD: (":", "o"), GROWING: ("--", "s"), SIZED: ("-", "o"),
    "depth first": ("-", "o"), "breadth first": ("--", "s"), "1 worker": ("-", "o"),
}  # fmt: skip
_SERIES = {
    "mtg": "#0b6bb5", "stack": "#c2571a", "fow": "#8a3ea3", "fftcg": "#2d8659", "family": "#5b6570", "zx": "#b3891d",
    "kinds, 2 players": "#b3891d", "kinds, 3 players": "#7a5310",
}  # fmt: skip
"""A colour for each game, the same everywhere."""


class NoPlotsError(Exception):
    """There can be no plots; the message says why."""


def figure(width: float, height: float, columns: int, rows: int = 1) -> tuple[Any, list[Any]]:
    """Return an empty figure of matplotlib, which type checkers need not have, with axes row by row, logarithmic upwards."""
    try:
        drawn = import_module("matplotlib.figure").Figure(figsize=(width, height), layout="constrained")
    except ImportError:
        raise NoPlotsError("matplotlib is not installed, so nothing is drawn: pip install 'stacklaw[bench]'") from None
    axes = [drawn.add_subplot(rows, columns, number + 1) for number in range(columns * rows)]
    plain = import_module("matplotlib.ticker").FuncFormatter(lambda value, _: f"{value:,.10g}")
    for one in axes:
        one.set_yscale("log")
        one.yaxis.set_major_formatter(plain)
        one.grid(visible=True, which="major", color=GRID, linewidth=0.8)
        one.set_axisbelow(True)
        for side in ("top", "right"):
            one.spines[side].set_visible(False)
    return drawn, axes


def save(drawn: Any, folder: Path, name: str) -> list[Path]:
    """Write *drawn* as SVG and PNG, and return where."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.svg", folder / f"{name}.png"]
    drawn.savefig(paths[0], metadata={"Date": None})
    drawn.savefig(paths[1], dpi=150)
    return paths


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
    named = {name: line for one in axes for line, name in zip(*one.get_legend_handles_labels(), strict=True)}
    drawn.legend(named.values(), named.keys(), fontsize=9, frameon=False, ncols=5, loc="outside lower center")
    return save(drawn, folder, "peers")


def draw_growth(measured: Mapping[tuple[str, str], Sequence[Point]], folder: Path) -> list[Path]:
    """Draw positions (a mark where they were counted, a line where they were estimated) and seconds, a column for each axis."""
    axes_names = list(dict.fromkeys(axis for axis, _ in measured))
    drawn, axes = figure(13, 8, columns=len(axes_names), rows=2)
    for (axis, name), points in measured.items():
        column, colour = axes_names.index(axis), _SERIES[name]
        estimated = [(point.size, point.estimated) for point in points if point.estimated is not None]
        counted = [point for point in points if point.positions is not None]
        sizes = [size for size, _ in estimated]
        upper, lower = axes[column], axes[column + len(axes_names)]
        upper.fill_between(sizes, [e.low for _, e in estimated], [e.high for _, e in estimated], color=colour, alpha=0.12, linewidth=0)
        upper.plot(sizes, [e.positions for _, e in estimated], color=colour, linewidth=1.4)
        upper.plot([p.size for p in counted], [p.positions for p in counted], "o", color=colour, markersize=5.5, label=name)
        lower.plot([p.size for p in counted], [p.seconds for p in counted], "o-", color=colour, markersize=5.5, linewidth=1.4)
    for column, name in enumerate(axes_names):
        upper, lower = axes[column], axes[column + len(axes_names)]
        upper.set_yscale("log")
        upper.legend(fontsize=9, frameon=False, loc="upper left")
        upper.set_title(f"By {name}", loc="left", fontsize=11, color=INK)
        lower.set_xlabel(name)
        lower.set_xlim(upper.get_xlim())
        for one in (upper, lower):
            one.xaxis.get_major_locator().set_params(integer=True)
    axes[0].set_ylabel("positions: counted (marks), estimated (lines)")
    axes[len(axes_names)].set_ylabel("seconds of the search")
    return save(drawn, folder, "growth")


def draw_proofs(grown: Sequence[Growing], what: str, folder: Path) -> list[Path]:
    """Draw the seconds of searches by size, a column for each axis; a level line in the same colour is the proof for every size."""
    axes_names = list(dict.fromkeys(one.axis for one in grown))
    drawn, axes = figure(12, 5, columns=max(len(axes_names), 1))
    for one in grown:
        on, colour = axes[axes_names.index(one.axis)], _SERIES[one.game]
        on.plot(
            list(one.seconds), list(one.seconds.values()), "o-", color=colour, markersize=5, linewidth=1.5, label=f"{one.game}: searched"
        )
        on.axhline(one.proof, color=colour, linestyle="--", linewidth=1.3, label=f"{one.game}: proved for every size")
    for on, axis in zip(axes, axes_names, strict=False):
        on.set_title(f"{what}, by {axis}", loc="left", fontsize=11, color=INK)
        on.set_xlabel(axis)
        on.set_ylabel("seconds of processor time")
        on.xaxis.get_major_locator().set_params(integer=True)
        on.legend(fontsize=9, frameon=False, loc="upper left")
    return save(drawn, folder, "symbolic")
