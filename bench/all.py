"""Explore the rows of the family's table, and compare positions, moves and layers with it.

usage: python -m bench.all (in the checkout) [--most POSITIONS] [--readme]

Every row is explored in a process of its own, as `stacklaw check` does it: the table grows to what
is estimated.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile

from stacklaw.checker.explicit.estimate import estimated, rounded
from stacklaw.checker.explicit.moves.layout import Layout

from .instances import TABLE, Instance
from .markdown import say, table
from .measure import measure, with_cache


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "--most", type=int, default=60_000_000, help="leave out the rows with more positions"
    )
    parser.add_argument(
        "--readme", action="store_true", help="write the table into the readme, too"
    )
    given = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for instance, (positions, _, _) in TABLE.items():
            if positions <= given.most:
                rows.append(_row(instance, folder))
                print("  ".join(rows[-1]), flush=True)
    head = [
        "",
        "bits",
        "positions",
        "moves",
        "layers",
        "as in the table",
        "estimate : counted",
        "seconds",
        "MiB",
    ]
    say("family", table(head, rows), readme=given.readme)


def _row(instance: Instance, folder: str) -> list[str]:
    """Return what came of *instance*, with the compiled code in *folder*."""
    program, scope = instance.question()
    run = measure(
        [sys.executable, "-m", "bench.explore", str(instance), "--estimated"], with_cache(folder)
    )
    said = dict(re.findall(r"(\w+)=(\d+)\b", run.text))
    counts = tuple(int(said[name]) for name in ("positions", "moves", "layers"))
    estimate = rounded(estimated(program, scope)) / counts[0]
    met = "yes" if counts == TABLE[instance] else f"NO: {TABLE[instance]}"
    numbers = [f"{number:,}" for number in counts]
    bits = str(Layout(program, scope).bits)
    return [
        str(instance),
        bits,
        *numbers,
        met,
        f"{estimate:.2f}",
        f"{run.processor:.2f}",
        f"{run.mebibytes:,.0f}",
    ]


if __name__ == "__main__":
    main()
