"""The plots of proofs: seconds for every size, beside those of searches of growing sizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from math import log2
from pathlib import Path
from typing import Any

from .drawing import GRID, INK, SERIES, figure, save
from .sizes import DEPTH, PLAYERS, Proving

_PROOF = "#c2571a"
_SHADES = ("#bcd9ee", "#7fb6dd", "#3f8fc7", "#0b6bb5", "#0a4f86", "#082f52")
"""The colours of searches, from a size of 1 to one of 32 and more, each for twice the size."""


def draw_proofs(measured: Sequence[Proving], folder: Path) -> list[Path]:
    """Draw a row for each property and a column for each game and axis: a mark for the proof, and one for each size that was searched."""
    proved = [one for one in measured if one.proof is not None]
    columns = [(game, axis) for game in dict.fromkeys(one.game for one in proved) for axis in (DEPTH, PLAYERS) if _has(proved, game, axis)]
    names = list(dict.fromkeys(one.question for one in proved))
    drawn, axes = figure(2.6 + 1.75 * max(len(columns), 1), 1.7 + 0.27 * len(names), columns=max(len(columns), 1))
    limits = _limits(proved)
    for place, (on, (game, axis)) in enumerate(zip(axes, columns, strict=False)):
        _level(on, names if place == 0 else None, len(names), limits)
        on.set_title(f"{game}\nby {axis.split()[0]}", loc="left", fontsize=10, color=INK)
        for one in proved:
            if one.game == game:
                _draw_row(on, one, axis, names.index(one.question), limits)
    drawn.supxlabel("seconds of processor time", fontsize=10, color=INK)
    _explain(drawn)
    return save(drawn, folder, "proofs")


def _has(proved: Sequence[Proving], game: str, axis: str) -> bool:
    return any(one.game == game and (one.searches or {}).get(axis) for one in proved)


def _limits(proved: Sequence[Proving]) -> tuple[float, float]:
    """Return the least and the most seconds, with room for the sizes at the right."""
    seconds = [one.proof for one in proved if one.proof is not None]
    seconds += [taken for one in proved for line in (one.searches or {}).values() for taken in line.values()]
    return min(seconds) / 1.6, max(seconds) * 6


def _level(on: Any, names: Sequence[str] | None, rows: int, limits: tuple[float, float]) -> None:
    """Make rows of the axes *on*, called so in the first column."""
    on.set_yscale("linear")
    on.set_xscale("log")
    on.set_xlim(*limits)
    on.set_ylim(rows - 0.4, -0.6)
    on.set_yticks(range(rows), names or [""] * rows, fontsize=9)
    on.tick_params(axis="y", length=0)
    on.xaxis.set_major_formatter(import_module("matplotlib.ticker").FuncFormatter(lambda value, _: f"{value:g}"))
    on.xaxis.set_minor_formatter(import_module("matplotlib.ticker").NullFormatter())
    on.tick_params(axis="x", labelsize=8.5)


def _draw_row(on: Any, one: Proving, axis: str, row: int, limits: tuple[float, float]) -> None:
    line = (one.searches or {}).get(axis, {})
    for size, seconds in line.items():
        on.plot([seconds], [row], "o", color=_shade(size), markersize=5, markeredgecolor="white", markeredgewidth=0.4)
    on.plot([one.proof], [row], "D", color=_PROOF, markersize=5.5, markeredgecolor="white", markeredgewidth=0.5)
    crossing = one.crossing(axis)
    says = str(crossing) if crossing else "–"
    on.text(limits[1] / 1.15, row, says, fontsize=9, color=_PROOF if crossing else INK, ha="right", va="center")


def _shade(size: int) -> str:
    return _SHADES[min(int(log2(size)), len(_SHADES) - 1)]


def _explain(drawn: Any) -> None:
    line = import_module("matplotlib.lines").Line2D
    marks = [line([], [], marker="D", linestyle="", color=_PROOF, markersize=6, label="proof for every size")]
    for power, colour in enumerate(_SHADES):
        low, high = 2**power, 2 ** (power + 1) - 1
        says = f"{low}" if low == high else f"{low} to {high}" if power + 1 < len(_SHADES) else f"{low} and more"
        marks.append(line([], [], marker="o", linestyle="", color=colour, markersize=6, label=f"search of {says}" if power == 0 else says))
    marks.append(
        line([], [], marker="$9$", linestyle="", color=_PROOF, markersize=7, label="the proof is cheaper from here on (–: nowhere)")
    )
    drawn.legend(handles=marks, fontsize=9, frameon=False, ncols=len(marks), loc="outside lower left", columnspacing=1.2, handletextpad=0.2)


def draw_crossings(measured: Sequence[Proving], what: str, folder: Path) -> list[Path]:
    """Draw the seconds of searches for *what* by size, a column for each axis; a level line in the same colour is the proof."""
    proved = [one for one in measured if one.proof is not None and one.question == what]
    names = [axis for axis in (PLAYERS, DEPTH) if any((one.searches or {}).get(axis) for one in proved)]
    drawn, axes = figure(12, 5, columns=max(len(names), 1))
    for on, axis in zip(axes, names, strict=False):
        for one, line in _lines(proved, axis):
            colour, crossing = SERIES[one.game], one.crossing(axis)
            on.plot(list(line), list(line.values()), "o-", color=colour, markersize=5, linewidth=1.5, label=f"{one.game}: searches")
            on.axhline(one.proof, color=colour, linestyle="--", linewidth=1.3, label=f"{one.game}: proof for every size")
            if crossing:
                on.annotate(f"from {crossing} on", (crossing, one.proof), (0, 5), textcoords="offset points", fontsize=9, color=colour)
        on.set_title(f"{what}, by {axis}", loc="left", fontsize=11, color=INK)
        on.set_xlabel(axis)
        on.set_ylabel("seconds of processor time")
        on.xaxis.get_major_locator().set_params(integer=True)
        on.grid(visible=True, which="major", color=GRID, linewidth=0.8)
        on.legend(fontsize=9, frameon=False, loc="upper left")
    return save(drawn, folder, "symbolic")


def _lines(proved: Sequence[Proving], axis: str) -> Iterator[tuple[Proving, dict[int, float]]]:
    for one in proved:
        line = (one.searches or {}).get(axis)
        if line:
            yield one, dict(line)
