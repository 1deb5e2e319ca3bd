"""A worker, a process that judges mutants, or looks for those that break a claim.

What is emitted and compiled is for one mutant and of no use afterwards, so the cache is a folder
that goes with the worker. What is known of the original stays for all mutants, and it is much: so
the collector, which would look through it again and again, rests until memory has grown.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from tempfile import TemporaryDirectory
from typing import assert_never

from ...models.load import opened
from ...models.source import Source
from ..process.interrupts import INTERRUPTS
from ..process.serving import Reply, serve_until_ended
from ..types.budget import memory_in_use
from .edits.edits import Edit, edits_and_additions
from .judge import Judge, JudgedReading, Judgement
from .pairs import second_edits
from .survey import (
    Breaking,
    BreakRequest,
    JudgeRequest,
    PairRequest,
    WorkerAnswer,
    WorkerRequest,
    read_request,
    reply_of,
)

MOST_LIKELY = 4
"""How many claims are asked first, those that noticed other edits of the clause last."""
MOST_LITTER = 256
"""By how many mebibytes memory may grow before the collector looks for unreachable objects."""


def main() -> None:
    """Judge until there is nothing more to judge."""
    INTERRUPTS.begin()
    gc.disable()
    with suppress(KeyboardInterrupt), TemporaryDirectory(prefix="stacklaw-") as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        most = memory_in_use() + MOST_LITTER

        def judged(content: bytes) -> Reply:
            nonlocal most
            if memory_in_use() > most:
                gc.collect()
                most = memory_in_use() + MOST_LITTER
            request = read_request(content)
            judge, edits = _judge_of(request.reading), _edits_of(request.reading.source)
            return reply_of(_answer_to(request, judge, edits))

        serve_until_ended(judged)


def _answer_to(request: WorkerRequest, judge: Judge, edits: list[Edit]) -> WorkerAnswer:
    match request:
        case BreakRequest(claim=name, numbers=numbers):
            return _first_breaking(judge, edits, name, numbers)
        case PairRequest(first=number, mends=name):
            return second_edits(judge, edits[number], name)
        case JudgeRequest(numbers=numbers, mends=""):
            asked = [edits[number] for number in numbers]
            return _judgements(
                judge, asked, every_claim=request.every_claim, were_same=request.were_same
            )
        case JudgeRequest(numbers=numbers, mends=mends):
            return tuple(judge.mend(edits[number], mends) for number in numbers)
        case _:
            assert_never(request)


def _judgements(
    judge: Judge, edits: Sequence[Edit], *, every_claim: bool, were_same: bool
) -> tuple[Judgement, ...]:
    """Return what becomes of *edits* of one clause: what notices one is likely to notice the next,
    and so is asked first of it.
    """
    found: list[Judgement] = []
    likely: list[str] = []
    for edit in edits:
        judgement = judge.judge(
            edit, every_claim=every_claim, likely=() if every_claim else likely, was_same=were_same
        )
        found.append(judgement)
        likely = list(dict.fromkeys([*(one.name for one in judgement.noticed), *likely]))[
            :MOST_LIKELY
        ]
    return tuple(found)


def _first_breaking(judge: Judge, edits: list[Edit], name: str, numbers: Sequence[int]) -> Breaking:
    """Return which of the edits *numbers* breaks the claim called *name*."""
    is_known = True
    for number in numbers:
        is_broken = judge.is_broken(edits[number], name)
        if is_broken:
            return Breaking(number)
        is_known &= is_broken is not None
    return Breaking(None, is_known)


@lru_cache(maxsize=2)
def _judge_of(reading: JudgedReading) -> Judge:
    return Judge(reading)


@lru_cache(maxsize=2)
def _edits_of(source: Source) -> list[Edit]:
    return edits_and_additions(opened(source))


if __name__ == "__main__":
    main()
