"""Repair: which edits of a ruleset, one or two together, make a property hold that does not, and
lose no claim that is met.

The edits are those that people make by mistake (`edits`), since what was done by mistake is undone
by another of them, and `additions`. What a play breaks is mended by no edit that leaves the play as
it is (`pairs`); pairs are tried where no single edit mends it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ...models.diagnostics import wrong_input
from ...models.load import opened
from ..prover.workers import Pool
from ..types.budget import INTERRUPTED, BudgetSpentError, Meter
from ..types.finished import need_finished
from .edits.additions import edits_and_additions
from .edits.edits import Edit
from .judge import Judge, JudgedReading, Judgement
from .pairs import MOST_FIRST, SecondEdits, breaking_play
from .request import JudgeRequest, PairRequest, seconds_of
from .survey import judged, replies_to, workers


@dataclass(frozen=True)
class Mending:
    """One edit, or two of which the second is one of what the first makes, that mend a property,
    and what players notice of it.
    """

    edits: tuple[Edit, ...]
    judgement: Judgement


@dataclass(frozen=True)
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
        said = f"{name} needs {' and '.join(f'{what} {size}' for what, size in lacks)}; with less nobody can say what mends it"
        raise wrong_input("C114", said, hint="ask for that much, or leave the size out")
    if judge.is_met(name):
        said = f"{name} is met within the scope, so there is nothing to repair"
        raise wrong_input("C114", said, hint="ask for a larger scope, or another property")
    edits = edits_and_additions(program)
    play = breaking_play(judge, judge.program, name)
    worth = [
        number
        for number, edit in enumerate(edits)
        if play is None or play.may_end_by(edit.program, program)
    ]
    found: dict[int, Judgement] = {}
    together: list[Mending] = []
    stopped, pairs, left_as_it_is = "", 0, 0
    meter.begin("trying repairs")
    try:
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
