"""Plots of what was measured, as SVG and PNG, drawn by matplotlib (the extra ``bench``): what all
of them share.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

PLOTS = Path(__file__).with_name("plots")
INK, GRID = "#22262b", "#d9dde2"
SERIES = {
    "mtg": "#0b6bb5",
    "stack": "#c2571a",
    "fow": "#8a3ea3",
    "fftcg": "#2d8659",
    "family": "#5b6570",
    "zx": "#b3891d",
    "kinds, 2 players": "#b3891d",
    "kinds, 3 players": "#7a5310",
}
"""A colour for each game, the same everywhere."""


class NoPlotsError(Exception):
    """There can be no plots; the message says why."""


def figure(width: float, height: float, columns: int, rows: int = 1) -> tuple[Any, list[Any]]:
    """Return an empty figure of matplotlib, which type checkers need not have, with axes row by
    row, logarithmic upwards.
    """
    try:
        drawn = import_module("matplotlib.figure").Figure(
            figsize=(width, height), layout="constrained"
        )
    except ImportError:
        raise NoPlotsError(
            "matplotlib is not installed, so nothing is drawn: pip install 'stacklaw[bench]'"
        ) from None
    axes = [drawn.add_subplot(rows, columns, number + 1) for number in range(columns * rows)]
    plain = import_module("matplotlib.ticker").FuncFormatter(lambda value, _: f"{value:,.10g}")
    for one in axes:
        one.set_yscale("log")
        one.yaxis.set_major_formatter(plain)
        one.yaxis.set_minor_formatter("")
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


def say_drawn(draw: Callable[[], list[Path]]) -> None:
    """Print which files *draw* has written, or why there are none."""
    try:
        print("\n" + "\n".join(f"drawn: {path}" for path in draw()))
    except NoPlotsError as error:
        print(f"\n{error}")
