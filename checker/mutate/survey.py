"""The survey: every mutant of every reading judged, by several processes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TypeAlias, TypeVar

from ...models import ir, source
from ...models.frozen import frozen
from ...models.load import opened
from ...models.trees import Trees
from ...properties.load import claims_of
from ..process.interrupts import INTERRUPTS
from ..process.serving import Reply, answer_in, answered
from ..prover.workers import Pool, Workers, command_of, replies_of
from ..types import verdict
from ..types.budget import INTERRUPTED, BudgetSpentError, Meter
from ..types.engine import need_finished
from . import judge, pairs
from .edits.edits import Edit, edits_of
from .judge import Judge, JudgedReading, Judgement, MutantFate
from .pairs import SecondEdits


@frozen
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


@frozen
class BreakRequest:
    """To find the first of the mutants *numbers* of *reading* that breaks the claim of that
    name.
    """

    reading: JudgedReading
    claim: str
    numbers: tuple[int, ...]


@frozen
class PairRequest:
    """To find what mends the property of that name after mutant number *first* of *reading*."""

    reading: JudgedReading
    first: int
    mends: str


WorkerRequest: TypeAlias = JudgeRequest | BreakRequest | PairRequest


@frozen
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
    """Return which mutant breaks a claim; if the worker died of looking for it, that this is not
    known.
    """
    breaking: Breaking | None = answer_in(_TREES, reply, Breaking)
    return breaking or Breaking(None, is_known=False)


def seconds_of(reply: Reply) -> SecondEdits:
    """Return the second edits that a worker has sent; none if it died of looking for them, and that
    reason.
    """
    seconds: SecondEdits | None = answer_in(_TREES, reply, SecondEdits)
    return seconds or SecondEdits((), 0, f"a process that tried pairs ended ({reply['died']})")


Noticing = TypeVar("Noticing")
_BEST: tuple[MutantFate, ...] = ("noticed", "undecided", "unprotected", "same", "refused", "absent")
"""Which of the fates of a mutant in several readings is its fate: what is noticed in one is
noticed.
"""


@frozen
class Judged:
    """A mutant: its *edit*, and the *number* of that, its *fate* over all readings, what was judged
    in each, and which tells most of it.
    """

    number: int
    edit: Edit
    fate: MutantFate
    judgements: Mapping[JudgedReading, Judgement]

    @property
    def telling(self) -> JudgedReading:
        """The first reading in which the mutant has its fate."""
        return next(
            reading for reading, judgement in self.judgements.items() if judgement.fate == self.fate
        )

    @property
    def noticed_by(self) -> tuple[str, ...]:
        """The claims that notice it in any reading, in the order in which they were found."""
        return tuple(
            dict.fromkeys(
                one.name for judgement in self.judgements.values() for one in judgement.noticed
            )
        )

    @property
    def is_strange(self) -> bool:
        """Whether it is noticed, and yet is the same game in each reading: then the claim asks
        something that no player can observe.
        """
        found = [judgement for judgement in self.judgements.values() if judgement.fate == "noticed"]
        return bool(found) and all(judgement.apart is False for judgement in found)


@dataclass
class Survey:
    """What became of all mutants of *program*, in the order of the text; *stopped* says why some
    were not looked at.

    *unsuggested* says why not all was looked for that would notice what nothing protects.
    """

    program: ir.Program
    readings: tuple[JudgedReading, ...]
    judged: list[Judged] = field(default_factory=list)
    stopped: str = ""
    unsuggested: str = ""

    def fated(self, *fates: MutantFate) -> list[Judged]:
        """Return the mutants that had one of *fates*."""
        return [one for one in self.judged if one.fate in fates]

    @property
    def share(self) -> float | None:
        """Which part of the mutants that make another game is noticed, as far as that is known;
        None if there are none.
        """
        noticed = sum(not one.is_strange for one in self.fated("noticed"))
        counted = noticed + len(self.fated("unprotected", "undecided"))
        return noticed / counted if counted else None

    def smallest_claims(self) -> list[str]:
        """Return a small set of claims that notices as much as all that were found: greedily, the
        earlier found first among equals.
        """
        noticed: dict[str, set[int]] = {}
        for one in self.fated("noticed"):
            for name in one.noticed_by:
                noticed.setdefault(name, set()).add(one.number)
        return [name for name, _ in covering(noticed)]

    def unbroken_claims(self) -> dict[str, bool]:
        """Return the asked claims that no mutant breaks, each with whether every mutant is known to
        meet it.

        There are none unless every claim was asked.
        """
        looked = [
            (reading, its)
            for one in self.judged
            for reading, its in one.judgements.items()
            if its.fate not in ("absent", "refused")
        ]
        asked: dict[JudgedReading, dict[str, None]] = {}
        for reading, its in looked:
            asked.setdefault(reading, {}).update(
                dict.fromkeys((*its.spared, *its.open, *(one.name for one in its.noticed)))
            )
        broken = {name for one in self.judged for name in one.noticed_by}
        open_ = {
            name for reading, its in looked for name in asked[reading] if name not in its.spared
        }
        return {
            name: name not in open_
            for names in asked.values()
            for name in names
            if name not in broken
        }


def covering(noticed: Mapping[Noticing, set[int]]) -> Iterator[tuple[Noticing, int]]:
    """Yield a cover of what is *noticed*, each part with how much it adds: the most first."""
    left = set[int]().union(*noticed.values())
    while left:
        best = max(noticed, key=lambda one: len(noticed[one] & left))
        yield best, len(noticed[best] & left)
        left -= noticed[best]


def survey(
    readings: Sequence[JudgedReading],
    meter: Meter,
    *,
    every_claim: bool = False,
    touched: Collection[str] | None = None,
    pool: Pool | None = None,
) -> Survey:
    """Return what became of the mutants of the one ruleset that *readings* are of; with *touched*
    only those of these clauses.

    In a later reading only those are judged that none before it has noticed, unless *every_claim*
    is asked. They are judged by processes here unless there is another *pool* of such `WORKER`s.
    Raises `InputError` for a scope that there is not, and for mistakes in claims.
    """
    program = opened(readings[0].source)
    need_finished(program)
    for reading in readings:
        claims_of(Judge(reading).program)
    found = Survey(program, tuple(readings))
    try:
        with meter.watching():
            edits = edits_of(program)
    except BudgetSpentError as spent:
        found.stopped = str(spent)
        return found
    numbers = [
        number for number, edit in enumerate(edits) if touched is None or edit.clause in touched
    ]
    judgements: dict[int, dict[JudgedReading, Judgement]] = {number: {} for number in numbers}
    with workers(pool) as pool:
        meter.begin("judging mutants")
        try:
            for reading in readings:
                left = [
                    n
                    for n in numbers
                    if every_claim or all(one.fate != "noticed" for one in judgements[n].values())
                ]
                same = {
                    n
                    for n in left
                    if not every_claim and any(one.fate == "same" for one in judgements[n].values())
                }
                clauses = {
                    n: (edits[n].clause, n in same) for n in sorted(left, key=same.__contains__)
                }
                parts = groupby(clauses, clauses.__getitem__)
                requests = [
                    JudgeRequest(reading, tuple(alike), every_claim, were_same=were_same)
                    for (_, were_same), alike in parts
                ]
                for number, judgement in judged(requests, meter, pool):
                    judgements[number][reading] = judgement
        except BudgetSpentError as spent:
            found.stopped = str(spent)
        except KeyboardInterrupt:
            found.stopped = INTERRUPTED
            meter.hurry()  # what tells the unprotected ones apart is looked for again
        for number, its in judgements.items():
            if its:
                fate = min((one.fate for one in its.values()), key=_BEST.index)
                found.judged.append(Judged(number, edits[number], fate, its))
    return found


def judged(
    requests: Sequence[JudgeRequest], meter: Meter, pool: Pool
) -> Iterable[tuple[int, Judgement]]:
    """Yield the number of each mutant that is asked for with its judgement, as they come; where a
    worker died, each is asked for alone.
    """
    done, again = 0, list[JudgeRequest]()
    most = sum(len(request.numbers) for request in requests)

    def tick() -> None:
        meter.count(done, most, pool.waits_for)

    for place, reply in replies_to(requests, tick, pool):
        request, judgements = requests[place], judgements_of(reply)
        if judgements is None and len(request.numbers) > 1:
            again += [replace(request, numbers=(number,)) for number in request.numbers]
            continue
        done += len(request.numbers)
        yield from zip(request.numbers, judgements or [died(reply)], strict=True)
    if again:
        yield from judged(again, meter, pool)


def replies_to(
    requests: Sequence[WorkerRequest], tick: Callable[[], None], pool: Pool
) -> Generator[tuple[int, Reply], None, None]:
    """Yield the place of each of *requests* with the reply to it, as they come; *tick* is called
    meanwhile, and may raise.
    """
    return replies_of(pool, [written_request(request) for request in requests], tick)


@contextmanager
def workers(pool: Pool | None = None) -> Iterator[Pool]:
    """Yield *pool*, or processes here that end with the block."""
    if pool is not None:
        yield pool
        return
    here = Workers(command_of(WORKER), _PATIENCE, min(os.cpu_count() or 1, 2))
    try:
        yield here
    finally:
        with INTERRUPTS.kept():
            here.close()


_PATIENCE = 1.0
"""How many seconds a worker has to remove what it has kept."""
WORKER = f"{__package__}.worker"
"""The module of a worker: see `checker.prover.workers`."""
