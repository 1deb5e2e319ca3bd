"""Explore one instance of the benchmark family with the explicit engine, and say what it took.

usage: python -m bench.explore PLAYERS_DEPTH_CARDS_BUDGET [--sized POSITIONS | --estimated]
[--threads N]
                               [--small POSITIONS] [--most POSITIONS] [--memory MiB [--disk DIR]]
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import perf_counter, process_time

from stacklaw.checker.explicit.emit.emit import emit
from stacklaw.checker.explicit.estimate import estimated, rounded
from stacklaw.checker.explicit.moves.layout import Layout
from stacklaw.checker.explicit.search.search import SMALL, search
from stacklaw.checker.types.budget import Budget, Meter, Tuning

from .instances import Instance


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("instance")
    size = parser.add_mutually_exclusive_group()
    size.add_argument(
        "--sized",
        type=int,
        default=0,
        help="how many positions there are, for a large table that has to grow",
    )
    size.add_argument(
        "--estimated",
        action="store_true",
        help="let a large table grow to what is estimated, as `stacklaw check` does",
    )
    parser.add_argument(
        "--small",
        type=int,
        default=SMALL,
        help="how many positions are found in plain Python first",
    )
    parser.add_argument(
        "--most",
        type=int,
        default=None,
        help="how many positions may be found before it ends early",
    )
    parser.add_argument("--threads", type=int, default=1, help="how many threads share the search")
    parser.add_argument(
        "--memory", type=int, default=None, help="how many MiB this process may have"
    )
    parser.add_argument(
        "--disk", type=Path, default=None, help="the folder in which it goes on then"
    )
    given = parser.parse_args()
    program, scope = Instance.named(given.instance).question()
    began, worked = perf_counter(), process_time()
    foresee = (
        (lambda _: rounded(estimated(program, scope))) if given.estimated else lambda _: given.sized
    )
    meter = Meter(Budget(positions=given.most, mebibytes=given.memory))
    text, tuning = emit(Layout(program, scope)), Tuning(threads=given.threads, disk=given.disk)
    result = search(text, meter, given.small, tuning=tuning, foresee=foresee)
    seconds, processor, counts = perf_counter() - began, process_time() - worked, result.counts
    found = (
        f"positions={counts.positions} moves={counts.moves} layers={counts.layers} cut={counts.cut}"
    )
    print(
        f"{found} search_s={seconds:.4f} search_cpu_s={processor:.4f} {result.tier} "
        f"{result.stopped or result.note}".strip()
    )


if __name__ == "__main__":
    main()
