"""How the cost grows with players, depth and kinds: positions and seconds, with what was estimated
beside what was measured.

usage: python -m bench.growth (in the checkout) [--most POSITIONS] [--plots FOLDER]

Each scope of each series is searched, nothing sliced, no table turned and nothing compiled before,
until one has more than POSITIONS positions; the estimates go on beyond. Prints a row a scope, and
draws a plot.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time

from stacklaw.checker.explicit.emit.emit import emit
from stacklaw.checker.explicit.estimate import Estimate, estimated
from stacklaw.checker.explicit.moves.layout import Layout
from stacklaw.checker.explicit.search.search import search
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.scope import Scope, scope_of
from stacklaw.models.ir import Program
from stacklaw.models.load import load, load_game
from stacklaw.models.source import Source

from .drawing import INK, PLOTS, SERIES, figure, save, say_drawn
from .instances import Instance
from .sizes import DEPTH, PLAYERS, Point

_KINDS = """
game "Kinds"
source "A benchmark: spells of several kinds that differ in nothing but their names"
players 2 or more
start decide(active)

items
{items}

zones
  stack last in first out

turn
  main

state
  passed : players

stage decide(holder: player) "a player has priority"
  priority holder

{clauses}
  may pass "pass"
    pass
    passed += holder
    if passed is not everyone
      go decide(after holder)
    else
      passed := none
      go settle

stage settle "all have passed"

  must resolve "the top item resolves"
    when stack is not empty
    resolve top of stack
    go decide(active)

  must advance "the turn ends"
    when stack is empty
    advance
    go decide(active)
"""
_CLAUSE = """
  may cast{number} "cast a spell of kind {number}"
    put spell{number} on stack
    passed := none
    go decide(holder)
"""


@dataclass(frozen=True)
class Series:
    """A question for each size along the *axis*."""

    axis: str
    name: str
    sizes: range
    question: Callable[[int], tuple[Program, Scope]]


def series() -> Iterator[Series]:
    """Yield what is measured."""
    for name, stack in (("mtg", 2), ("stack", 2)):
        yield Series(PLAYERS, name, range(2, 9), _of_players(name, stack))
    yield Series(PLAYERS, "family", range(2, 5), lambda size: Instance(size, 3, 1, 1).question())
    for name in ("mtg", "stack", "fow", "fftcg"):
        yield Series(DEPTH, name, range(1, 11), _of_depth(name))
    yield Series(DEPTH, "family", range(1, 6), lambda size: Instance(3, size, 2, 1).question())
    for players in (2, 3):
        yield Series(
            "kinds of items", f"kinds, {players} players", range(1, 17), _of_kinds(players)
        )


def _of_players(name: str, stack: int) -> Callable[[int], tuple[Program, Scope]]:
    program = load_game(name)
    return lambda size: (program, scope_of(program, size, stack, {}))


def _of_depth(name: str) -> Callable[[int], tuple[Program, Scope]]:
    program = load_game(name)
    return lambda size: (program, scope_of(program, None, size, {}))


def _of_kinds(players: int) -> Callable[[int], tuple[Program, Scope]]:
    def question(size: int) -> tuple[Program, Scope]:
        numbers = range(1, size + 1)
        items = "\n".join(f'  spell{number} "spell of kind {number}"' for number in numbers)
        text = _KINDS.format(
            items=items, clauses="".join(_CLAUSE.format(number=number) for number in numbers)
        )
        program = load(Source("kinds.rules", text))
        return program, scope_of(program, players, 4, {})

    return question


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "--most", type=int, default=20_000_000, help="the most positions that are searched"
    )
    parser.add_argument("--plots", type=Path, default=PLOTS, help="the folder for the plot")
    given = parser.parse_args()
    measured = {}
    for one in series():
        print(f"\n{one.name} by {one.axis}")
        with tempfile.TemporaryDirectory() as folder:
            os.environ["STACKLAW_CACHE"] = folder
            measured[one.axis, one.name] = list(points(one, given.most))
    say_drawn(lambda: draw_growth(measured, given.plots))


def points(one: Series, most: int) -> Iterator[Point]:
    """Yield the points of a series, each printed; after the first that has more than *most*
    positions they are only estimated.
    """
    goes_on = True
    for size in one.sizes:
        program, scope = one.question(size)
        likely = estimated(program, scope)
        point = _measured(size, program, scope, likely, most) if goes_on else Point(size, likely)
        goes_on = point.positions is not None
        print(f"  {_row(point)}", flush=True)
        yield point


def _measured(
    size: int, program: Program, scope: Scope, estimated: Estimate | None, most: int
) -> Point:
    if estimated is not None and estimated.low > most:
        return Point(size, estimated)
    began = process_time()
    result = search(emit(Layout(program, scope)), Meter(Budget(positions=most)))
    if result.stopped:
        return Point(size, estimated)
    return Point(size, estimated, result.counts.positions, process_time() - began)


def _row(point: Point) -> str:
    says = f"{point.size:3}  {point.estimated or 'no estimate'!s:60s}"
    if point.positions is None or point.seconds is None:
        return says
    ratio = f"{point.estimated.positions / point.positions:5.2f}" if point.estimated else ""
    return (
        f"{says} {point.positions:12,} positions in {point.seconds:6.2f} s   estimate : measured "
        f"{ratio}"
    )


if __name__ == "__main__":
    main()


def draw_growth(measured: Mapping[tuple[str, str], Sequence[Point]], folder: Path) -> list[Path]:
    """Draw positions (a mark where they were counted, a line where they were estimated) and
    seconds, a column for each axis.
    """
    axes_names = list(dict.fromkeys(axis for axis, _ in measured))
    drawn, axes = figure(13, 8, columns=len(axes_names), rows=2)
    for (axis, name), points in measured.items():
        column, colour = axes_names.index(axis), SERIES[name]
        estimated = [
            (point.size, point.estimated) for point in points if point.estimated is not None
        ]
        counted = [point for point in points if point.positions is not None]
        sizes = [size for size, _ in estimated]
        upper, lower = axes[column], axes[column + len(axes_names)]
        upper.fill_between(
            sizes,
            [e.low for _, e in estimated],
            [e.high for _, e in estimated],
            color=colour,
            alpha=0.12,
            linewidth=0,
        )
        upper.plot(sizes, [e.positions for _, e in estimated], color=colour, linewidth=1.4)
        upper.plot(
            [p.size for p in counted],
            [p.positions for p in counted],
            "o",
            color=colour,
            markersize=5.5,
            label=name,
        )
        lower.plot(
            [p.size for p in counted],
            [p.seconds for p in counted],
            "o-",
            color=colour,
            markersize=5.5,
            linewidth=1.4,
        )
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
