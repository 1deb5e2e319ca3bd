"""What a search on a Ray cluster of this machine costs, beside one process.

usage: python -m bench.cluster (in the checkout, with Ray) PLAYERS_DEPTH_CARDS_BUDGET ... [--workers
N] [--readme]

Seconds are of processor time, of all processes: the workers, Ray's own and the one that leads;
Ray's start is left out. Memory of a worker is what it has when the search ends beyond what it had
before, its part of the object store counted.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from time import process_time, sleep
from typing import Any

from stacklaw.checker.explicit.cluster.distributed import Distributed
from stacklaw.checker.explicit.cluster.ray_crew import RayCrew
from stacklaw.checker.explicit.cluster.shard import ShardCounts
from stacklaw.checker.explicit.emit.emit import emit
from stacklaw.checker.explicit.estimate import estimated, rounded
from stacklaw.checker.explicit.moves.layout import Layout
from stacklaw.checker.explicit.search.search import search
from stacklaw.checker.explicit.search.tier import Elsewhere, SearchTask
from stacklaw.checker.types.budget import Cluster, Meter

from .instances import TABLE, Instance
from .markdown import say, table

_PAUSE = 10
"""How many seconds pass before each search: memory that a process has just given back costs less,
on a virtual machine.
"""
_MEBIBYTE = 1024
_OF_RAY = "session_"


@dataclass
class Spent:
    """What a search on the cluster took: seconds, bytes and rows sent, MiB of each worker."""

    seconds: float = 0
    sent: int = 0
    rows: int = 0
    mebibytes: float = 0


class MeasuredCrew(RayCrew):
    """Workers of whom it is noted what they take."""

    def __init__(self, cluster: Cluster) -> None:
        super().__init__(cluster)
        self.spent = Spent()
        self.pids = self.ray.get(
            [worker.__ray_call__.remote(lambda _: os.getpid()) for worker in self._workers]
        )
        self.before = {pid: seconds_of(pid) for pid in {*self.pids, *_rays()}}
        self.idle, self.lead = [mebibytes_of(pid) for pid in self.pids], process_time()

    def stepped(self, ticket: Any) -> tuple[ShardCounts, list[tuple[Any, int]]]:
        """Do as the crew does, and note what was sent."""
        counts, rows = super().stepped(ticket)
        self.spent.sent += sum(size for _, size in rows)
        self.spent.rows += sum(size > 0 for _, size in rows)
        return counts, rows

    def dismiss(self) -> None:
        """Note what was taken, and let the workers go."""
        self.spent.seconds = (
            process_time()
            - self.lead
            + sum(seconds_of(pid) - before for pid, before in self.before.items())
        )
        self.spent.mebibytes = max(
            mebibytes_of(pid) - idle for pid, idle in zip(self.pids, self.idle, strict=True)
        )
        super().dismiss()


def seconds_of(pid: int) -> float:
    """Return the seconds of processor time that a process has taken, 0 if it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def mebibytes_of(pid: int) -> float:
    """Return the memory of a process; what it shares with others counts in part."""
    told = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    (kilobytes,) = re.findall(r"^Pss: +(\d+) kB", told, re.MULTILINE)
    return int(kilobytes) / _MEBIBYTE


def _rays() -> list[int]:
    """Return the processes of the Ray that this one has begun."""
    found = subprocess.run(
        ["ps", "-eo", "pid,args"], check=True, capture_output=True, text=True
    ).stdout
    return [int(line.split()[0]) for line in found.splitlines() if _OF_RAY in line]


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("instances", nargs="+")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument(
        "--readme", action="store_true", help="write the table into the readme, too"
    )
    given = parser.parse_args()
    rows = [_row(Instance.named(name), given.workers) for name in given.instances]
    head = [
        "",
        "positions",
        "one process, s",
        f"{given.workers} workers, s",
        "ratio",
        "bytes a move and word",
        "kB a row",
    ]
    head += ["one process, MiB", "a worker, MiB", "ratio"]
    say("cluster", table(head, rows), readme=given.readme)


def _row(instance: Instance, workers: int) -> list[str]:
    sleep(_PAUSE)
    alone = subprocess.run(
        [sys.executable, "-c", _ALONE, str(instance)], check=True, capture_output=True, text=True
    ).stdout.split()  # fmt: skip
    seconds, mebibytes = map(float, alone)
    sleep(_PAUSE)
    spent, words = on_cluster(instance, workers)
    positions, moves, _ = TABLE[instance]
    return [
        str(instance), f"{positions:,}", f"{seconds:.2f}", f"{spent.seconds:.2f}",
        f"{spent.seconds / seconds:.2f}", f"{spent.sent / moves / words:.2f}",
        f"{spent.sent / 1000 / max(spent.rows, 1):,.0f}", f"{mebibytes:,.0f}",
        f"{spent.mebibytes:,.0f}", f"{spent.mebibytes / mebibytes:.2f}",
    ]  # fmt: skip


_ALONE = """
import sys
from stacklaw.bench.cluster import alone
alone(sys.argv[1])
"""


def alone(name: str) -> None:
    """Explore an instance in this process; print the seconds and the MiB that it took."""
    program, scope = Instance.named(name).question()
    text, began, before = emit(Layout(program, scope)), process_time(), mebibytes_of(os.getpid())
    most = [before]
    meter = Meter(on_progress=lambda _: most.append(mebibytes_of(os.getpid())))
    search(text, meter, foresee=lambda _: rounded(estimated(program, scope)))
    print(process_time() - began, max(most) - before)


def on_cluster(instance: Instance, workers: int) -> tuple[Spent, int]:
    """Explore *instance* on this many *workers*; return what that took, and how many words a
    position has.
    """
    program, scope = instance.question()
    text, crews = emit(Layout(program, scope)), list[MeasuredCrew]()

    def begin(task: SearchTask) -> Distributed:
        foreseen = rounded(estimated(program, scope))
        crews.append(MeasuredCrew(Cluster("auto", workers)))
        return Distributed(crews[-1], task, foreseen)

    counts = search(text, Meter(), elsewhere=Elsewhere(Cluster.beyond, begin)).counts
    if (counts.positions, counts.moves, counts.layers) != TABLE[instance]:
        raise SystemExit(f"{instance}: {counts} is not what is in the table")
    return crews[-1].spent, text.layout.words


if __name__ == "__main__":
    main()
