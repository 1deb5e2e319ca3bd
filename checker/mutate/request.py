"""Requests to a worker, which mutants of which reading to look at, and its answers: both go from
one process to another as data.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TypeAlias

from ...models import source
from ...models.trees import Trees
from ..process.serving import Reply, answer_in, answered
from ..types import verdict
from . import judge, pairs
from .judge import JudgedReading, Judgement
from .pairs import SecondEdits


@dataclass(frozen=True)
class JudgeRequest:
    """To judge the mutants *numbers* of *reading*, which are of one clause, by *every_claim* or
    until one notices each.

    Or whether they *mend* the property of that name. Those that *were the same* game in another
    reading are likely to be so in this.
    """

    reading: JudgedReading
    numbers: tuple[int, ...]
    every_claim: bool = False
    mends: str = ""
    were_same: bool = False


@dataclass(frozen=True)
class BreakRequest:
    """To find the first of the mutants *numbers* of *reading* that breaks the claim of that
    name.
    """

    reading: JudgedReading
    claim: str
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class PairRequest:
    """To find what mends the property of that name after mutant number *first* of *reading*."""

    reading: JudgedReading
    first: int
    mends: str


WorkerRequest: TypeAlias = JudgeRequest | BreakRequest | PairRequest


@dataclass(frozen=True)
class Breaking:
    """What came of a `BreakRequest`: the *number* of the first mutant that breaks the claim; None
    if none does, and whether that *is_known*.
    """

    number: int | None
    is_known: bool = True


WorkerAnswer: TypeAlias = tuple[Judgement, ...] | SecondEdits | Breaking
_TREES = Trees([source, verdict, judge, pairs, sys.modules[__name__]])


def written_request(request: WorkerRequest) -> bytes:
    """Return *request* as data that `read_request` reads."""
    return _TREES.as_bytes(request)


def read_request(content: bytes) -> WorkerRequest:
    """Return the request that `written_request` told."""
    request: WorkerRequest = _TREES.from_bytes(content, WorkerRequest)
    return request


def reply_of(answer: WorkerAnswer) -> Reply:
    """Return *answer* as a worker sends it."""
    return answered(_TREES, answer)


def judgements_of(reply: Reply) -> tuple[Judgement, ...] | None:
    """Return the judgements that a worker has sent; None if it died of it."""
    judgements: tuple[Judgement, ...] | None = answer_in(_TREES, reply, tuple[Judgement, ...])
    return judgements


def died(reply: Reply) -> Judgement:
    """Return what is known of a mutant if the worker that judged it has sent only this *reply*."""
    return Judgement(
        "undecided",
        reason=f"the process that looked at it ended ({reply.get('died', 'without a word')})",
    )


def breaking_of(reply: Reply) -> Breaking:
    """Return which mutant breaks a claim; of a worker that died of it, that nobody knows."""
    breaking: Breaking | None = answer_in(_TREES, reply, Breaking)
    return breaking or Breaking(None, is_known=False)


def seconds_of(reply: Reply) -> SecondEdits:
    """Return the second edits that a worker has sent; none if it died of looking for them, and that
    reason.
    """
    seconds: SecondEdits | None = answer_in(_TREES, reply, SecondEdits)
    return seconds or SecondEdits((), 0, f"a process that tried pairs ended ({reply['died']})")
