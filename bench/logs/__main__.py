"""How well logs are judged.

usage: python -m bench.logs PART RESULTS [--logs N] [--seconds S] [--game NAME ...]

PART is `right` (logs at random, of every game and reading; an alarm would be false), `wrong` (one
event of each is made wrong; brute force says where that shows) or `edits` (engines that play an
edit of the rules). What came of a log, or of an edit, is added to the file RESULTS, a line each, so
that a run that was ended goes on. Ends after N of them, or after S seconds of processor time.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from time import process_time
from typing import Any

from .brute import PLAYERS
from .edited import edits_told
from .measured import memory, speeds
from .simulated import right_logs, wrong_logs

PARTS = {
    "right": right_logs, "wrong": wrong_logs, "edits": edits_told, "speed": speeds,
    "memory": memory,
}  # fmt: skip


def main() -> int:
    """Do the part that the command line says, go on where the results end, and sum up; return 1 if
    something is not as it ought to be.
    """
    parser = argparse.ArgumentParser(prog="python -m bench.logs")
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("results", type=Path)
    parser.add_argument("--logs", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--game", nargs="+", default=list(PLAYERS))
    asked = parser.parse_args()
    done = _lines(asked.results)
    todo = PARTS[asked.part](tuple(asked.game), len(done))
    with asked.results.open("a", encoding="utf-8") as file:
        for one in islice(todo, max(0, asked.logs - len(done))):
            file.write(json.dumps(one) + "\n")
            file.flush()
            done.append(one)
            if process_time() > asked.seconds:
                break
    print(*_summed(done), sep="\n")
    return int(any(one["is_missed"] for one in done))


def _lines(file: Path) -> list[dict[str, Any]]:
    return (
        [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []
    )


def _summed(done: list[dict[str, Any]]) -> Iterator[str]:
    """Yield how many there are, the sums of all that can be counted, and what was missed."""
    yield f"{len(done)} in all"
    for name in done[0] if done else ():
        values = [one[name] for one in done]
        if all(isinstance(value, int | float) for value in values):
            yield f"{name}: {round(sum(values), 1):,}"
    yield from (json.dumps(one) for one in done if one["is_missed"])


if __name__ == "__main__":
    sys.exit(main())
