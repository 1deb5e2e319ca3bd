"""The benchmark: the explicit engine and its peers on the same instances, in one run on one machine.

usage: python -m bench.run (in the checkout) [PLAYERS_DEPTH_CARDS_BUDGET ...] [--times N]

Prints one row a tool. A peer that is not installed is skipped and named.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from .peers.promela import model

HERE = Path(__file__).parent
COUNTS = {
    "2_2_1_1": 5_160, "2_3_2_1": 77_336, "3_3_1_1": 125_514, "4_3_1_1": 1_925_576, "4_4_1_1": 2_901_320, "4_3_1_2": 5_306_480,
    "3_4_2_1": 8_071_899, "3_5_2_1": 13_861_509, "4_4_1_3": 19_257_304, "3_4_2_2": 24_654_252, "3_5_2_2": 50_527_164,
    "4_4_2_1": 349_186_536,
}  # fmt: skip
"""The positions of each instance, which every tool has to find."""
DEFAULT = ["3_3_1_1", "4_3_1_1", "3_4_2_1"]


@dataclass(frozen=True)
class Tool:
    """A way to explore an instance: the *command*, with what was *built* for it before and how long that took."""

    label: str
    command: list[str]
    built: float = 0.0
    environment: Mapping[str, str] | None = None
    is_cold: bool = False


@dataclass(frozen=True)
class Measured:
    """One run: seconds of the whole process and of its processor time, the most memory it had, and what it said."""

    seconds: float
    processor: float
    mebibytes: float
    text: str


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("instances", nargs="*", default=DEFAULT)
    parser.add_argument("--times", type=int, default=3, help="how often each tool runs; the fastest run counts")
    given = parser.parse_args()
    for instance in given.instances:
        print(f"\n{instance}: {COUNTS[instance]:,} positions")
        print(f"  {'':34s} {'build s':>8s} {'process s':>10s} {'of it cpu':>10s} {'search s':>9s} {'MiB':>7s} {'bytes/position':>15s}")
        with tempfile.TemporaryDirectory() as folder:
            for tool in tools(instance, Path(folder)):
                report(tool, instance, given.times)


def tools(instance: str, folder: Path) -> Iterator[Tool]:
    """Yield the tools that are installed, each built when it is its turn."""
    explore, positions = [sys.executable, str(HERE / "explore.py"), instance], COUNTS[instance]
    warm, cold = {**os.environ, "STACKLAW_CACHE": str(folder / "warm")}, {**os.environ, "STACKLAW_CACHE": str(folder / "cold")}
    subprocess.run([*explore[:2], "2_2_1_1"], check=True, capture_output=True)  # the byte code of the modules
    yield Tool("stacklaw, nothing cached", explore, environment=cold, is_cold=True)
    subprocess.run(explore, check=True, capture_output=True, env=warm)
    yield Tool("stacklaw, table growing", explore, environment=warm)
    yield Tool("stacklaw, table sized", [*explore, "--sized", str(positions)], environment=warm)
    yield from _by_hand(instance, folder, positions)
    yield from _spin(instance, folder, positions)


def _by_hand(instance: str, folder: Path, positions: int) -> Iterator[Tool]:
    if shutil.which("g++") is None:
        print("  g++ is not installed: C++ by hand is skipped")
        return
    sizes = [f"-D{name}={size}" for name, size in zip("NDCT", instance.split("_"), strict=True)]
    options = ["-O3", "-march=native", "-pthread", "-mcx16", "-w", "-DNOCHECK"]
    built = _timed(["g++", *options, *sizes, str(HERE / "peers" / "explorer.cpp"), "-o", str(folder / "explorer")], folder)
    yield Tool("C++ by hand, table growing", [str(folder / "explorer"), "16", "1"], built)
    yield Tool("C++ by hand, table sized", [str(folder / "explorer"), str((positions * 10 // 7).bit_length()), "1"], built)


def _spin(instance: str, folder: Path, positions: int) -> Iterator[Tool]:
    if shutil.which("spin") is None or shutil.which("gcc") is None:
        print("  SPIN (or gcc) is not installed: skipped")
        return
    players, depth, cards, budget = map(int, instance.split("_"))
    (folder / "family.pml").write_text(model(players, depth, cards, budget), encoding="utf-8")
    generated = _timed(["spin", "-a", "family.pml"], folder)
    size = f"-w{positions.bit_length()}"
    for label, options, run in (
        ("SPIN depth first, safety only", ["-DSAFETY", "-DNOFAIR"], [size, "-m1000000"]),
        ("SPIN breadth first", ["-DSAFETY", "-DBFS"], [size]),
    ):
        pan = str(folder / f"pan{len(options[1])}")
        built = _timed(["gcc", "-O2", "-DMEMLIM=18000", *options, "-o", pan, "pan.c"], folder)
        yield Tool(label, [pan, *run], generated + built)


def report(tool: Tool, instance: str, times: int) -> None:
    """Run *tool* and print its row; a tool that finds another number of positions is wrong, and ends the run."""
    runs = []
    for _ in range(times):
        if tool.is_cold and tool.environment is not None:
            shutil.rmtree(tool.environment["STACKLAW_CACHE"], ignore_errors=True)
        runs.append(measure(tool))
    best = min(runs, key=lambda run: run.seconds)
    found = re.findall(r"(?:positions|states)=(\d+)|(\d+) states, stored", best.text)
    positions = int(next(filter(None, found[-1]))) if found else 0
    # SPIN counts the state before its process starts as well.
    if positions - COUNTS[instance] not in (0, 1):
        sys.exit(f"{tool.label} found {positions:,} positions in {instance}:\n{best.text}")
    searched = re.search(r"search_s=([\d.]+)", best.text)
    search = f"{float(searched[1]):9.3f}" if searched else f"{best.seconds:9.3f}"
    size = best.mebibytes * 2**20 / positions
    print(
        f"  {tool.label:34s} {tool.built:8.2f} {best.seconds:10.3f} {best.processor:10.3f} {search} {best.mebibytes:7.0f} {size:15.1f}",
        flush=True,
    )


def measure(tool: Tool) -> Measured:
    """Run *tool* once."""
    began = perf_counter()
    process = subprocess.Popen(tool.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=tool.environment)
    assert process.stdout is not None
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status:
        sys.exit(f"{tool.label} failed:\n{text}")
    return Measured(perf_counter() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, text)


def _timed(command: list[str], folder: Path) -> float:
    began = perf_counter()
    subprocess.run(command, check=True, capture_output=True, cwd=folder)
    return perf_counter() - began


if __name__ == "__main__":
    main()
