"""The plot of growth: positions and seconds by players, depth of the stack and kinds of items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from .drawing import INK, SERIES, figure, save
from .sizes import Point


def draw_growth(measured: Mapping[tuple[str, str], Sequence[Point]], folder: Path) -> list[Path]:
    """Draw positions (a mark where they were counted, a line where they were estimated) and seconds, a column for each axis."""
    axes_names = list(dict.fromkeys(axis for axis, _ in measured))
    drawn, axes = figure(13, 8, columns=len(axes_names), rows=2)
    for (axis, name), points in measured.items():
        column, colour = axes_names.index(axis), SERIES[name]
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
