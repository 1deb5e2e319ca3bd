"""Breaking: whether a claim protects the clauses that it stands for, so whether some edit of theirs
breaks it.

A claim that no edit of a clause breaks says nothing of that clause: it would be met if the clause
were another one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...models import ir
from ...models.load import opened
from ..run.covering import Search
from ..types.budget import INTERRUPTED, BudgetSpentError, Meter
from ..types.finished import need_finished
from .edits.edits import Edit, edits_of
from .judge import JudgedReading
from .request import BreakRequest, breaking_of
from .survey import replies_to, workers


@dataclass(frozen=True)
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
        reading = _judged_reading(search, base)
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


def _judged_reading(search: Search, base: JudgedReading) -> JudgedReading:
    return replace(
        base, settings=tuple((name, str(value)) for name, value in search.program.settings)
    )


def _numbers(
    edits: Sequence[Edit], program: ir.Program, claim: ir.Claim, id_: str
) -> tuple[int, ...]:
    """Return which of *edits* are asked about, those first that are likely to break *claim*."""
    clauses = {clause.id for _, clause in program.clauses if id_ in (clause.id, *clause.cites)}
    numbers = [number for number, edit in enumerate(edits) if not clauses or edit.clause in clauses]
    return tuple(sorted(numbers, key=lambda number: edits[number].clause != claim.name))
