"""The tools of the benchmark: the explicit engine in its settings, and its peers, each built for one instance."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from .instances import TABLE, Instance
from .measure import measure
from .peers import promela, tla

HERE = Path(__file__).parent
COLD, GROWING, SIZED, THREADS = "nothing cached", "table growing", "table sized", "table sized, 2 threads"
OURS = "stacklaw"
BY_HAND, SPIN, TLC = "C++ by hand", "SPIN", "TLC"


@dataclass(frozen=True)
class Tool:
    """A way to explore an instance: the *command* of *program* in a *setting*, and the seconds it took to build."""

    program: str
    setting: str
    command: list[str]
    built: float = 0.0
    environment: Mapping[str, str] | None = None

    @property
    def label(self) -> str:
        """What the tool is called in tables."""
        return f"{self.program}, {self.setting}"


def tools(instance: Instance, folder: Path) -> Iterator[Tool | str]:
    """Yield the tools, each built when it is its turn, and for each that is not installed a sentence that says so."""
    yield from _ours(instance, folder, TABLE[instance][0])
    yield from peers(instance, folder)


def peers(instance: Instance, folder: Path) -> Iterator[Tool | str]:
    """Yield those of the tools that are not ours."""
    positions = TABLE[instance][0]
    yield from _by_hand(instance, folder, positions)
    yield from _spin(instance, folder, positions)
    yield from _tlc(instance, folder)


def _ours(instance: Instance, folder: Path, positions: int) -> Iterator[Tool]:
    explore = [sys.executable, "-m", "bench.explore", str(instance)]
    sized = [*explore, "--sized", str(positions)]
    warm, cold = ({**os.environ, "STACKLAW_CACHE": str(folder / name)} for name in ("warm", "cold"))
    subprocess.run([*explore[:-1], "2_2_1_1"], check=True, capture_output=True, env=warm)  # the byte code of the modules
    yield Tool(OURS, COLD, explore, environment=cold)
    for command in (explore, sized, [*sized, "--threads", "2"]):
        subprocess.run(command, check=True, capture_output=True, env=warm)
    yield Tool(OURS, GROWING, explore, environment=warm)
    yield Tool(OURS, SIZED, sized, environment=warm)
    yield Tool(OURS, THREADS, [*sized, "--threads", "2"], environment=warm)


def _by_hand(instance: Instance, folder: Path, positions: int) -> Iterator[Tool | str]:
    if shutil.which("g++") is None:
        yield "g++ is not installed: C++ by hand is skipped"
        return
    sizes = [f"-D{name}={size}" for name, size in zip("NDCT", str(instance).split("_"), strict=True)]
    options = ["-O3", "-march=native", "-pthread", "-mcx16", "-w", "-DNOCHECK"]
    built = _timed(["g++", *options, *sizes, str(HERE / "peers" / "explorer.cpp"), "-o", str(folder / "explorer")], folder)
    room = str((positions * 10 // 7).bit_length())
    yield Tool(BY_HAND, GROWING, [str(folder / "explorer"), "16", "1"], built)
    yield Tool(BY_HAND, SIZED, [str(folder / "explorer"), room, "1"], built)


def _spin(instance: Instance, folder: Path, positions: int) -> Iterator[Tool | str]:
    if shutil.which("spin") is None or shutil.which("gcc") is None:
        yield "SPIN (or gcc) is not installed: skipped"
        return
    model = promela.model(instance.players, instance.depth, instance.cards, instance.budget)
    (folder / "family.pml").write_text(model, encoding="utf-8")
    generated = _timed(["spin", "-a", "family.pml"], folder)
    size = f"-w{positions.bit_length()}"
    for setting, options, run in (
        ("depth first", ["-DSAFETY", "-DNOFAIR"], [size, "-m1000000"]),
        ("breadth first", ["-DSAFETY", "-DBFS"], [size]),
    ):
        pan = str(folder / f"pan{options[1]}")
        built = _timed(["gcc", "-O2", "-DMEMLIM=18000", *options, "-o", pan, "pan.c"], folder)
        yield Tool(SPIN, setting, [pan, *run], generated + built)


def _tlc(instance: Instance, folder: Path) -> Iterator[Tool | str]:
    jar = os.environ.get("TLA2TOOLS")
    if jar is None or shutil.which("java") is None:
        yield "TLC is skipped: TLA2TOOLS names no jar of it, or java is not installed"
        return
    (folder / "Family.tla").write_text(tla.module(), encoding="utf-8")
    sizes = tla.configuration(instance.players, instance.depth, instance.cards, instance.budget)
    (folder / "Family.cfg").write_text(sizes, encoding="utf-8")
    java = ["java", "-XX:+UseParallelGC", "-Xms2g", "-Xmx10g", "-cp", jar, "tlc2.TLC", "-nowarning", "-checkpoint", "0"]
    places = ["-metadir", str(folder / "states"), str(folder / "Family.tla")]  # Family.cfg is beside it
    yield Tool(TLC, "1 worker", [*java, "-workers", "1", *places])


def _timed(command: list[str], folder: Path) -> float:
    return measure(command, folder=folder).processor
