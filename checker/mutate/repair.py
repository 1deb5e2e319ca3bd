"""Repair: which edits make a property hold; whether some edit breaks a claim.

The edits are those that people make by mistake (`edits`), since what was done by mistake is undone
by another of them, and `additions`. What a play breaks is mended by no edit that leaves the play as
it is (`pairs`); pairs are tried where no single edit mends it.

Breaking: whether a claim protects the clauses that it stands for, so whether some edit of theirs
breaks it.

A claim that no edit of a clause breaks says nothing of that clause: it would be met if the clause
were another one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ...models import ir
from ...models.diagnostics import wrong_input
from ...models.frozen import frozen
from ...models.load import opened
from ..prover.workers import Pool
from ..run.covering import Search
from ..types.budget import INTERRUPTED, BudgetSpentError, Meter
from ..types.engine import need_finished
from .edits.edits import Edit, edits_and_additions, edits_of
from .judge import MOST_POSITIONS, Judge, JudgedReading, Judgement
from .pairs import MOST_FIRST, BreakingPlay, SecondEdits, breaking_play, searched
from .survey import (
    BreakRequest,
    JudgeRequest,
    PairRequest,
    breaking_of,
    judged,
    replies_to,
    seconds_of,
    workers,
)


@frozen
class Protection:
    """Whether a claim protects a statement: the *edit* that breaks it; None if there is none, and
    *is_known* that there is none.
    """

    edit: Edit | None
    is_known: bool = True


Protections = dict[tuple[ir.Claim, str], Protection]
"""What is known of each claim and each statement that it stands for."""


def protections(
    searches: Sequence[Search], base: JudgedReading, meter: Meter
) -> tuple[Protections, str]:
    """Return of each claim of *searches*, and each statement it stands for, whether an edit of the
    statement's clauses breaks it.

    Where no clause stands for the statement, it is any edit of the ruleset. *base* names the
    ruleset and the scope. The text says why not all is known, if it is not. Raises `InputError` for
    a ruleset that is not finished.
    """
    program = opened(base.source)
    need_finished(program)
    edits = edits_of(program)
    found: Protections = {}
    wanted: dict[BreakRequest, list[tuple[ir.Claim, str]]] = {}
    for search in searches:
        settings = tuple((name, str(value)) for name, value in search.program.settings)
        reading = replace(base, settings=settings)
        for claim, _ in search.claims:
            for id_ in ids_of(
                claim
            ):  # the same is asked for all statements that no clause stands for
                request = BreakRequest(
                    reading, claim.name, _numbers(edits, search.program, claim, id_)
                )
                wanted.setdefault(request, []).append((claim, id_))
    requests = list(wanted)
    stopped, done = "", 0

    def tick() -> None:
        meter.count(done, len(requests))

    meter.begin("looking for edits that break claims")
    try:
        with workers() as pool:
            for place, reply in replies_to(requests, tick, pool):
                done += 1
                broken = breaking_of(reply)
                protection = Protection(
                    None if broken.number is None else edits[broken.number], broken.is_known
                )
                found |= dict.fromkeys(wanted[requests[place]], protection)
    except BudgetSpentError as spent:
        stopped = str(spent)
    except KeyboardInterrupt:
        stopped = INTERRUPTED
    return found, stopped


def ids_of(claim: ir.Claim) -> tuple[str, ...]:
    """Return the statements that *claim* stands for."""
    return tuple(dict.fromkeys((claim.name, *claim.cites)))


def _numbers(
    edits: Sequence[Edit], program: ir.Program, claim: ir.Claim, id_: str
) -> tuple[int, ...]:
    """Return which of *edits* are asked about, those first that are likely to break *claim*."""
    clauses = {clause.id for _, clause in program.clauses if id_ in (clause.id, *clause.cites)}
    numbers = [number for number, edit in enumerate(edits) if not clauses or edit.clause in clauses]
    return tuple(sorted(numbers, key=lambda number: edits[number].clause != claim.name))


@frozen
class Mending:
    """One edit that mends a property, or two, the second of what the first makes; and what players
    notice of it.
    """

    edits: tuple[Edit, ...]
    judgement: Judgement


@frozen
class Repairs:
    """What mends a property, of the edits and *pairs* of them that were *tried*, those first
    that players notice latest.

    *undecided* is of how many edits it is not known whether they do. *stopped* says why not all
    were tried.
    """

    mending: tuple[Mending, ...]
    tried: int
    pairs: int
    undecided: int
    stopped: str = ""


def repairs(reading: JudgedReading, name: str, meter: Meter) -> Repairs:
    """Return the edits of *reading*'s ruleset that mend the property called *name*; raises
    `InputError` (C114) if it needs none.
    """
    program = opened(reading.source)
    need_finished(program)
    judge = Judge(reading)
    if lacks := judge.scope.lacks(judge.wanted(name)[1].needs):
        said = (
            f"{name} needs {' and '.join(f'{what} {size}' for what, size in lacks)}; with less "
            "it is not known what mends it"
        )
        raise wrong_input("C114", said, hint="ask for that much, or leave the size out")
    edits, worth = list[Edit](), list[int]()
    found: dict[int, Judgement] = {}
    together: list[Mending] = []
    stopped, pairs, left_as_it_is = "", 0, 0
    try:
        play = _breaking_play(judge, name, meter)
        with meter.watching():
            edits = edits_and_additions(program)
        worth = [
            number
            for number, edit in enumerate(edits)
            if play is None or play.may_end_by(edit.program, program)
        ]
        meter.begin("trying repairs")
        with workers() as pool:
            found.update(
                judged(
                    [JudgeRequest(reading, (number,), mends=name) for number in worth], meter, pool
                )
            )
            left_as_it_is = len(edits) - len(worth)
            if all(one.fate != "mended" for one in found.values()):
                meter.begin("trying pairs of repairs")
                for first, its in _seconds(reading, name, found, meter, pool):
                    pairs, stopped = pairs + its.tried, its.stopped or stopped
                    seconds = edits_and_additions(edits[first].program) if its.mending else []
                    together += [
                        Mending((edits[first], seconds[second]), judgement)
                        for second, judgement in its.mending
                    ]
    except BudgetSpentError as spent:
        stopped = str(spent)
    except KeyboardInterrupt:
        stopped = INTERRUPTED
    mending = [
        Mending((edits[number],), found[number])
        for number in worth
        if number in found and found[number].fate == "mended"
    ]
    mending += together
    once = {one.edits[-1].program: one for one in reversed(mending)}
    told_first = sorted(
        once.values(), key=lambda one: (-one.judgement.observations, mending.index(one))
    )
    undecided = sum(one.fate == "undecided" for one in found.values())
    return Repairs(tuple(told_first), len(found) + left_as_it_is, pairs, undecided, stopped)


def _breaking_play(judge: Judge, name: str, meter: Meter) -> BreakingPlay | None:
    """Return the play by which *judge*'s ruleset does not meet the property called *name*; raises
    `InputError` if it does.
    """
    meter.begin(f"deciding {name}")
    part = Meter(replace(meter.left(), positions=MOST_POSITIONS), meter.on_progress)
    decision = searched(judge, judge.program, name, part)
    if judge.is_met(name, decision):
        said = f"{name} is met within the scope, so there is nothing to repair"
        raise wrong_input("C114", said, hint="ask for a larger scope, or another property")
    meter.interrupted |= part.interrupted
    if why := meter.why_over:
        raise BudgetSpentError(why)
    return breaking_play(judge, name, decision)


def _seconds(
    reading: JudgedReading, name: str, found: Mapping[int, Judgement], meter: Meter, pool: Pool
) -> Iterator[tuple[int, SecondEdits]]:
    """Yield the edits after which something is still not met, each with the edits that mend it
    then: those first that break latest.
    """
    firsts = [
        number for number, one in found.items() if one.fate == "noticed" and one.noticed[0].moves
    ]
    firsts.sort(key=lambda number: (-found[number].noticed[0].moves, number))
    requests = [PairRequest(reading, number, name) for number in firsts[:MOST_FIRST]]
    done: list[int] = []
    for place, reply in replies_to(requests, lambda: meter.count(len(done), len(requests)), pool):
        done.append(place)
        yield requests[place].first, seconds_of(reply)
