"""A worker, a process that judges mutants.

One request after the other comes in on stdin, each after its length in eight bytes, and a line of JSON for each goes out on stdout.
`checker.prover.workers` is the other end. What is emitted and compiled is for one mutant and of no use afterwards, so the cache
is a folder that goes with the worker.
"""

from __future__ import annotations

import json
import os
import sys
from functools import lru_cache
from tempfile import TemporaryDirectory

from ...models.load import opened
from ..prover.worker import LENGTH
from .additions import additions_to
from .edits import Edit, edits_of
from .judge import Judge
from .request import JudgedReading, fields_of, read


def main() -> None:
    """Judge until there is nothing more to judge."""
    with TemporaryDirectory(prefix="stacklaw-") as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        while length := sys.stdin.buffer.read(LENGTH):
            request = read(sys.stdin.buffer.read(int.from_bytes(length, "big")))
            judge, edits = _judge_of(request.reading)
            edit = edits[request.number]
            found = judge.mend(edit, request.mends) if request.mends else judge.judge(edit, every_claim=request.every_claim)
            reply = fields_of(found)
            sys.stdout.buffer.write(json.dumps(reply).encode() + b"\n")
            sys.stdout.buffer.flush()


@lru_cache(maxsize=2)
def _judge_of(reading: JudgedReading) -> tuple[Judge, list[Edit]]:
    program = opened(reading.source)
    return Judge(program, dict(reading.settings), reading.players, reading.stack, dict(reading.sizes)), edits_of(program) + additions_to(
        program
    )


if __name__ == "__main__":
    main()
