"""Explore the rows of the family's table, and compare positions, moves and layers with it.

usage: python -m bench.all [--most POSITIONS]
"""

from __future__ import annotations

import argparse
import resource
from time import perf_counter

from stacklaw.checker.budget import Meter
from stacklaw.checker.explicit.emit import emit
from stacklaw.checker.explicit.estimate import expected
from stacklaw.checker.explicit.layout import Layout
from stacklaw.checker.explicit.search import search

from .instances import TABLE


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--most", type=int, default=60_000_000, help="leave out the rows with more positions")
    most = parser.parse_args().most
    for instance, known in TABLE.items():
        if known[0] > most:
            continue
        program, scope = instance.question()
        estimate = expected(program, scope)
        began = perf_counter()
        layout = Layout(program, scope)
        counts = search(emit(layout), Meter(), expected=known[0]).counts
        seconds = perf_counter() - began
        found = (counts.positions, counts.moves, counts.layers)
        verdict = "as in the table" if found == known else f"NOT {known}"
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        ratio = f"estimated {estimate.positions / known[0]:.2f} of it" if estimate else "no estimate"
        print(f"{instance}  {layout.bits} bits  {found}  {seconds:8.2f} s  {memory:6} MiB  {verdict}  {ratio}", flush=True)


if __name__ == "__main__":
    main()
