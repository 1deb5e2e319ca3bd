"""What was measured of proofs, told: the tables of the readme, and plots of seconds for every size
beside those of growing searches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from math import inf, log2
from pathlib import Path
from statistics import median
from typing import Any

from .drawing import INK, SERIES, figure, save
from .markdown import table
from .sizes import DEPTH, PLAYERS, Proving, Whole, crossing


def by_game(measured: Sequence[Proving], whole: Whole) -> str:
    """Return a table with a row for each game: seconds of its proofs, and from which size on they
    are cheaper than a search.
    """
    rows = []
    for game in _named(measured, lambda one: one.game):
        of_game = [one for one in measured if one.game == game]
        kinds = (
            [one for one in of_game if one.is_progress is is_progress]
            for is_progress in (False, True)
        )
        sizes = (_sizes(of_game, axis, whole.get((game, axis), {})) for axis in (DEPTH, PLAYERS))
        rows.append(
            [
                game,
                *(cell for kind in kinds for cell in _seconds(kind)),
                *(cell for pair in sizes for cell in pair),
            ]
        )
    searches = ["depth: cheaper from", "nothing sliced", "players: cheaper from", "nothing sliced"]
    return table(["", "safety", "seconds", "progress", "seconds", *searches], rows)


def by_property(measured: Sequence[Proving]) -> str:
    """Return a table with a row for each property and a column for each game: seconds, then the
    depth and players it is cheaper from.

    A star is for what is proved with the budget of ``--prove`` only.
    """
    games = _named(measured, lambda one: one.game)
    found = {(one.question, one.game): one for one in measured}
    rows = [
        [f"`{name}`", *(_cell(found.get((name, game))) for game in games)]
        for name in _named(measured, lambda one: one.question)
    ]  # fmt: skip
    return table(["seconds, depth / players", *games], rows)


def _named(measured: Sequence[Proving], name: Callable[[Proving], str]) -> list[str]:
    return list(dict.fromkeys(map(name, measured)))


def _seconds(measured: Sequence[Proving]) -> tuple[str, str]:
    """Return how many of *measured* are proved, and the seconds of the middle and the longest
    proof.
    """
    proofs = [one.proof for one in measured if one.proof is not None]
    if not proofs:
        return f"0 of {len(measured)}", ""
    return f"{len(proofs)} of {len(measured)}", f"{median(proofs):.1f}, at most {max(proofs):.1f}"


def _sizes(measured: Sequence[Proving], axis: str, whole: Mapping[int, float]) -> tuple[str, str]:
    """Return from which size on the proofs are cheaper than their searches, and than a search of
    *whole* positions.
    """
    lines = [one for one in measured if one.proof is not None and (one.searches or {}).get(axis)]
    if not lines:
        return "", ""
    return _middle([one.crossing(axis) for one in lines]), _middle(
        [crossing(whole, one.proof or 0) for one in lines]
    )


def _middle(sizes: Sequence[int | None]) -> str:
    """Return the middle of *sizes*, the least and the largest, and how many are none."""
    found = sorted(size for size in sizes if size is not None)
    if not found:
        return "nowhere"
    missing = f"; {len(sizes) - len(found)} nowhere" if len(found) < len(sizes) else ""
    return f"{found[len(found) // 2]} ({found[0]} to {found[-1]}){missing}"


def _cell(one: Proving | None) -> str:
    if one is None:
        return ""
    if one.proof is None:
        return "no proof"
    sizes = [
        str(one.crossing(axis) or "–")
        for axis in (DEPTH, PLAYERS)
        if (one.searches or {}).get(axis)
    ]
    return (
        f"{one.proof:.2f}{'*' if one.is_hard and not one.is_progress else ''}, {' / '.join(sizes)}"
    )


_PROOF = "#c2571a"
_SHADES = ("#bcd9ee", "#7fb6dd", "#3f8fc7", "#0b6bb5", "#0a4f86", "#082f52")
"""The colours of searches, from a size of 1 to one of 32 and more, each for twice the size."""


def draw_proofs(measured: Sequence[Proving], folder: Path) -> list[Path]:
    """Draw a row for each property and a column for each game and axis: a mark for the proof, and
    one for each size that was searched.
    """
    proved = [one for one in measured if one.proof is not None]
    columns = [
        (game, axis)
        for game in dict.fromkeys(one.game for one in proved)
        for axis in (DEPTH, PLAYERS)
        if _has(proved, game, axis)
    ]
    names = list(dict.fromkeys(one.question for one in proved))
    drawn, axes = figure(
        max(3.0 + 1.55 * len(columns), 11.0), 1.9 + 0.29 * len(names), columns=max(len(columns), 1)
    )
    limits = _limits(proved)
    for place, (on, (game, axis)) in enumerate(zip(axes, columns, strict=False)):
        _level(on, names, limits, is_first=place == 0)
        on.set_title(f"{game}\nby {axis.split()[0]}", loc="left", fontsize=11, color=INK)
        for one in proved:
            if one.game == game:
                _draw_row(on, one, axis, names.index(one.question), limits)
    axes[len(axes) // 2].set_xlabel("seconds of processor time", fontsize=11, color=INK)
    drawn.legend(
        handles=list(_legend()),
        fontsize=10.5,
        frameon=False,
        ncols=4,
        loc="outside lower center",
        columnspacing=1.6,
    )
    return save(drawn, folder, "proofs")


def _has(proved: Sequence[Proving], game: str, axis: str) -> bool:
    return any(one.game == (game or one.game) and (one.searches or {}).get(axis) for one in proved)


def _limits(proved: Sequence[Proving]) -> tuple[float, float]:
    """Return the least and the most seconds, with room for the sizes at the right."""
    seconds = [one.proof for one in proved if one.proof is not None]
    seconds += [
        taken
        for one in proved
        for line in (one.searches or {}).values()
        for taken in line.values()
        if taken < inf
    ]
    return min(seconds) / 1.6, max(seconds) * 10


def _level(on: Any, names: Sequence[str], limits: tuple[float, float], *, is_first: bool) -> None:
    """Make a row of the axes *on* for each of *names*, which stand in the first column."""
    ticker = import_module("matplotlib.ticker")
    on.set_yscale("linear")
    on.set_xscale("log")
    on.set_xlim(*limits)
    on.set_ylim(len(names) - 0.4, -0.6)
    on.set_yticks(range(len(names)), names if is_first else [""] * len(names), fontsize=10.5)
    on.tick_params(axis="y", length=0)
    on.xaxis.set_major_locator(ticker.LogLocator(numticks=4))
    on.xaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    on.xaxis.set_minor_locator(ticker.NullLocator())
    on.tick_params(axis="x", labelsize=10)


def _draw_row(on: Any, one: Proving, axis: str, row: int, limits: tuple[float, float]) -> None:
    line = (one.searches or {}).get(axis, {})
    for size, seconds in line.items():
        if seconds < inf:
            on.plot(
                [seconds],
                [row],
                "o",
                color=_shade(size),
                markersize=6,
                markeredgecolor="white",
                markeredgewidth=0.4,
            )
    on.plot(
        [one.proof],
        [row],
        "D",
        color=_PROOF,
        markersize=7,
        markeredgecolor="white",
        markeredgewidth=0.5,
    )
    crossing = one.crossing(axis)
    says = str(crossing) if crossing else "–"
    on.text(
        limits[1] / 1.15,
        row,
        says,
        fontsize=10.5,
        color=_PROOF if crossing else INK,
        ha="right",
        va="center",
    )


def _shade(size: int) -> str:
    return _SHADES[min(int(log2(size)), len(_SHADES) - 1)]


def _legend() -> Iterator[Any]:
    line = import_module("matplotlib.lines").Line2D
    yield line(
        [], [], marker="D", linestyle="", color=_PROOF, markersize=7, label="proof for every size"
    )
    yield line(
        [],
        [],
        marker="$9$",
        linestyle="",
        color=_PROOF,
        markersize=8,
        label="cheaper than a search from 9 on",
    )
    yield line(
        [],
        [],
        marker="$-$",
        linestyle="",
        color=INK,
        markersize=6,
        label="dearer than all searches",
    )
    for power, colour in enumerate(_SHADES):
        low, high = 2**power, 2 ** (power + 1) - 1
        says = (
            f"{low}"
            if low == high
            else f"{low} to {high}"
            if power + 1 < len(_SHADES)
            else f"{low} and more"
        )
        yield line(
            [], [], marker="o", linestyle="", color=colour, markersize=7, label=f"search of {says}"
        )


def draw_crossings(
    measured: Sequence[Proving], whole: Whole, what: str, folder: Path
) -> list[Path]:
    """Draw the seconds of searches for *what* by size, a column for each axis; a level line in the
    same colour is the proof.

    A thin line is the search of *whole* positions, with nothing sliced and no table turned.
    """
    proved = [one for one in measured if one.proof is not None and one.question == what]
    names = [axis for axis in (PLAYERS, DEPTH) if _has(proved, "", axis)]
    drawn, axes = figure(12, 6, columns=max(len(names), 1))
    for on, axis in zip(axes, names, strict=False):
        for one in proved:
            line = (one.searches or {}).get(axis)
            if line:
                _draw_lines(on, one, line, one.crossing(axis), whole.get((one.game, axis), {}))
        _level_sizes(on)
        on.set_title(f"{what}, by {axis}", loc="left", fontsize=12, color=INK)
        on.set_xlabel(axis, fontsize=11)
    axes[0].set_ylabel("seconds of processor time", fontsize=11)
    named = {
        name: line
        for one in axes
        for line, name in zip(*one.get_legend_handles_labels(), strict=True)
    }
    line = import_module("matplotlib.lines").Line2D
    named |= {
        "search": line([], [], color=INK, marker="o", markersize=5, linewidth=1.5),
        "search, nothing sliced or turned": line([], [], color=INK, linewidth=0.8),
        "proof for every size": line([], [], color=INK, linestyle="--", linewidth=1.3),
        "from here on the proof is cheaper": line(
            [], [], color=INK, linestyle="", marker="D", markersize=7
        ),
    }
    drawn.legend(
        named.values(),
        named.keys(),
        fontsize=10.5,
        frameon=False,
        ncols=5,
        loc="outside lower center",
    )
    return save(drawn, folder, "symbolic")


def _draw_lines(
    on: Any,
    one: Proving,
    line: Mapping[int, float],
    crossing: int | None,
    whole: Mapping[int, float],
) -> None:
    colour = SERIES[one.game]
    on.plot([], [], color=colour, linewidth=4, label=one.game)
    finite = {size: seconds for size, seconds in line.items() if seconds < inf}
    on.plot(list(finite), list(finite.values()), "o-", color=colour, markersize=5, linewidth=1.5)
    on.plot(list(whole), list(whole.values()), "-", color=colour, linewidth=0.8)
    on.axhline(one.proof, color=colour, linestyle="--", linewidth=1.3)
    if crossing:
        on.plot([crossing], [one.proof], "D", color=colour, markersize=8, markeredgecolor="white")
        said = {"textcoords": "offset points", "fontsize": 11, "color": colour, "weight": "bold"}
        on.annotate(
            str(crossing),
            (crossing, one.proof),
            (7, 4),
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6},
            **said,
        )


def _level_sizes(on: Any) -> None:
    ticker = import_module("matplotlib.ticker")
    on.set_xscale("log", base=2)
    on.xaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    on.xaxis.set_minor_locator(ticker.NullLocator())
    on.tick_params(labelsize=10.5)
