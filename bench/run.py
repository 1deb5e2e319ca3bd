"""The benchmark: the explicit engine and its peers on the same instances, in one run on one
machine.

usage: python -m bench.run (in the checkout) [PLAYERS_DEPTH_CARDS_BUDGET ...] [--times N] [--plots
FOLDER] [--readme]

Prints a table for each instance, what became of each ratio that is asked for and the tables of the
readme, and draws a plot. A peer that is not installed is skipped and named, and so is one that
comes to no end.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from pathlib import Path

from .drawing import PLOTS, say_drawn
from .instances import TABLE, Instance
from .markdown import say
from .measure import Measured, measure
from .ratios import Row, judged
from .told_peers import by_bound, by_tool, draw_peers
from .tools import COLD, OURS, Tool, tools

DEFAULT = ["3_3_1_1", "4_3_1_1", "3_4_2_1", "3_4_2_2", "4_4_2_1"]
ENOUGH = 15.0
"""No tool is run again after this many seconds of processor time."""


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("instances", nargs="*", default=DEFAULT)
    parser.add_argument(
        "--times",
        type=int,
        default=3,
        help="how often each tool runs at most; the least of each figure counts",
    )
    parser.add_argument("--plots", type=Path, default=PLOTS, help="the folder for the plot")
    parser.add_argument(
        "--readme", action="store_true", help="write the tables into the readme, too"
    )
    given = parser.parse_args()
    measured = {
        instance: compare(instance, given.times)
        for instance in map(Instance.named, given.instances)
    }
    say("tools", by_tool(measured), readme=given.readme)
    say("bounds", by_bound(measured), readme=given.readme)
    say_drawn(lambda: draw_peers(measured, given.plots))


def compare(instance: Instance, times: int) -> list[Row]:
    """Run all tools on *instance*, print its table and its ratios, and return the rows."""
    positions, rows = TABLE[instance][0], []
    print(
        f"\n{instance}: {positions:,} positions; seconds of processor time, where nothing else is "
        "said"
    )
    print(
        f"  {'':36s} {'build':>7s} {'process':>8s} {'search':>8s} {'by clock':>9s} {'MiB':>7s} "
        f"{'bytes/position':>15s}"
    )
    with tempfile.TemporaryDirectory() as folder:
        for tool in tools(instance, Path(folder)):
            row = tool if isinstance(tool, str) else measured(tool, positions, times)
            if isinstance(row, str):
                print(f"  {row}", flush=True)
                continue
            rows.append(row)
            times_text = f"{row.build:7.2f} {row.process:8.3f} {row.search:8.3f} {row.wall:9.3f}"
            label = f"{row.program}, {row.setting}"
            print(
                f"  {label:36s} {times_text} {row.mebibytes:7.0f} "
                f"{row.mebibytes * 2**20 / positions:15.1f}",
                flush=True,
            )
    for one in judged(rows, positions):
        print(f"  {one}")
    return rows


def measured(tool: Tool, positions: int, times: int) -> Row | str:
    """Return what *tool* takes, the least of each over some runs (one is enough if it is long), or
    why it came to no end.

    One that finds another number of positions is wrong, and ends the benchmark.
    """
    rows: list[Row] = []
    while len(rows) < times and sum(row.process for row in rows) < ENOUGH:
        if tool.setting == COLD and tool.environment is not None:
            shutil.rmtree(tool.environment["STACKLAW_CACHE"], ignore_errors=True)
        run = measure(tool.command, tool.environment, codes=(0,) if tool.program == OURS else None)
        if run.code != 0:
            return f"{tool.label} came to no end ({run.mebibytes:,.0f} MiB): {_last_line(run.text)}"
        compare_counts(tool, run, positions)
        # Only ours does anything worth mentioning before it searches.
        search = _said("search_cpu_s", run) if tool.program == OURS else run.processor
        rows.append(
            Row(
                tool.program,
                tool.setting,
                tool.built,
                run.processor,
                search,
                _said("search_s", run) or run.seconds,
                run.mebibytes,
            )
        )
    return Row(
        tool.program, tool.setting, tool.built, min(row.process for row in rows),
        min(row.search for row in rows), min(row.wall for row in rows),
        min(row.mebibytes for row in rows),
    )  # fmt: skip


def compare_counts(tool: Tool, run: Measured, positions: int) -> None:
    """End the benchmark if *run* has not found this many *positions*."""
    found = re.findall(
        r"(?:positions|states)=(\d+)|(\d+) states, stored|([\d,]+) distinct states found", run.text
    )
    number = int(next(filter(None, found[-1])).replace(",", "")) if found else 0
    # SPIN counts the state before its process starts as well.
    if number - positions not in (0, 1):
        sys.exit(f"{tool.label} found {number:,} positions, not {positions:,}:\n{run.text}")


def _last_line(text: str) -> str:
    return text.strip().splitlines()[-1] if text.strip() else "it said nothing"


def _said(name: str, run: Measured) -> float:
    """Return the number that the program gives by *name*; 0 if it gives none."""
    said = re.search(rf"\b{name}=([\d.]+)", run.text)
    return float(said[1]) if said else 0.0


if __name__ == "__main__":
    main()
