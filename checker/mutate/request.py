"""Requests to a worker: which mutant of which reading to judge, as data that goes from one process to another."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from ...models.source import Source
from ..types.verdict import Outcome
from .judge import Judgement, Noticed


@dataclass(frozen=True)
class JudgedReading:
    """A reading of a ruleset, as it is named, with the scope in which its mutants are judged."""

    source: Source
    settings: tuple[tuple[str, str], ...] = ()
    players: int | None = None
    stack: int | None = None
    sizes: tuple[tuple[str, int], ...] = ()


def told(reading: JudgedReading, number: int, *, every_claim: bool) -> bytes:
    """Return the request to judge mutant *number* of *reading*."""
    request = {**asdict(reading), "source": [reading.source.name, reading.source.text], "number": number, "every_claim": every_claim}
    return json.dumps(request).encode()


def read(request: bytes) -> tuple[JudgedReading, int, bool]:
    """Return what `told` said."""
    said = json.loads(request)
    pairs = tuple(tuple(pair) for pair in said["settings"])
    sizes = tuple(tuple(pair) for pair in said["sizes"])
    return JudgedReading(Source(*said["source"]), pairs, said["players"], said["stack"], sizes), said["number"], said["every_claim"]


def judgement_of(reply: dict[str, Any]) -> Judgement:
    """Return the judgement that a worker has sent as the fields of one; undecided if it died of it."""
    if "fate" not in reply:
        return Judgement("undecided", reason=f"the process that looked at it ended ({reply.get('died', 'without a word')})")
    noticed = tuple(Noticed(name, Outcome(outcome), moves) for name, outcome, moves in reply["noticed"])
    return Judgement(reply["fate"], noticed, reply["apart"], reply["observations"], reply["reason"])


def fields_of(judgement: Judgement) -> dict[str, Any]:
    """Return *judgement* as plain data."""
    return {**asdict(judgement), "noticed": [(one.name, str(one.outcome), one.moves) for one in judgement.noticed]}
