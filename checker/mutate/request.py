"""Requests to a worker: which mutants of which reading to look at, as data that goes from one
process to another.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from ...models.source import Source
from ..types.verdict import Outcome
from .judge import JudgedReading, Judgement, Noticed
from .pairs import SecondEdits
from .suggest import FoundClaim


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
class SuggestRequest:
    """To suggest claims that notice the mutants *siblings* of *reading*, which nothing protects."""

    reading: JudgedReading
    siblings: tuple[int, ...]


@dataclass(frozen=True)
class PairRequest:
    """To find what mends the property of that name after mutant number *first* of *reading*."""

    reading: JudgedReading
    first: int
    mends: str


WorkerRequest: TypeAlias = JudgeRequest | BreakRequest | SuggestRequest | PairRequest


def written_request(request: WorkerRequest) -> bytes:
    """Return *request* as a text that `read_request` reads."""
    texts = {
        name: (one.name, one.text, one.beside) if one else None
        for name, one in (("source", request.reading.source), ("rulings", request.reading.rulings))
    }
    return json.dumps({**asdict(request), "reading": {**asdict(request.reading), **texts}}).encode()


def read_request(text: bytes) -> WorkerRequest:
    """Return the request that `written_request` said."""
    said = json.loads(text)
    of = said["reading"]
    pairs, sizes = (tuple(tuple(pair) for pair in of[name]) for name in ("settings", "sizes"))
    rulings = _source(of["rulings"]) if of["rulings"] else None
    reading = JudgedReading(
        _source(of["source"]), pairs, of["players"], of["stack"], sizes, rulings
    )
    if "claim" in said:
        return BreakRequest(reading, said["claim"], tuple(said["numbers"]))
    if "first" in said:
        return PairRequest(reading, said["first"], said["mends"])
    if "siblings" in said:
        return SuggestRequest(reading, tuple(said["siblings"]))
    return JudgeRequest(
        reading, tuple(said["numbers"]), said["every_claim"], said["mends"], said["were_same"]
    )


def _source(told: list[Any]) -> Source:
    name, text, beside = told
    return Source(name, text, None if beside is None else (str(beside[0]), int(beside[1])))


def judgements_of(reply: dict[str, Any]) -> list[Judgement] | None:
    """Return the judgements that a worker has sent; None if it died of it."""
    return (
        [_judgement_of(fields) for fields in reply["judgements"]] if "judgements" in reply else None
    )


def died(reply: dict[str, Any]) -> Judgement:
    """Return what is known of a mutant if the worker that judged it has sent only this *reply*."""
    return Judgement(
        "undecided",
        reason=f"the process that looked at it ended ({reply.get('died', 'without a word')})",
    )


def _judgement_of(fields: dict[str, Any]) -> Judgement:
    noticed = tuple(
        Noticed(name, Outcome(outcome), moves) for name, outcome, moves in fields["noticed"]
    )
    rest = {name: tuple(fields[name]) for name in ("spared", "open")}
    return Judgement(
        fields["fate"], noticed, fields["apart"], fields["observations"], fields["reason"], **rest
    )


def seconds_of(reply: dict[str, Any]) -> SecondEdits:
    """Return the second edits that a worker has sent; none if it died of looking for them, and that
    reason.
    """
    if "died" in reply:
        return SecondEdits((), 0, f"a process that tried pairs ended ({reply['died']})")
    return SecondEdits(
        tuple((number, _judgement_of(its)) for number, its in reply["seconds"]), reply["tried"]
    )


def second_fields(found: SecondEdits) -> dict[str, Any]:
    """Return *found* as plain data."""
    return {
        "seconds": [(number, fields_of(its)) for number, its in found.mending],
        "tried": found.tried,
    }


def suggestions_of(reply: dict[str, Any]) -> list[FoundClaim]:
    """Return the claims that a worker has sent; none if it died of looking for them."""
    return [
        FoundClaim(expectation, formula, tuple(notices), also, tuple(options))
        for expectation, formula, notices, also, options in reply.get("suggested", ())
    ]


def suggested_fields(suggestions: Sequence[FoundClaim]) -> dict[str, Any]:
    """Return *suggestions* as plain data."""
    return {
        "suggested": [
            (one.expectation, one.formula, one.notices, one.also, one.options)
            for one in suggestions
        ]
    }


def fields_of(judgement: Judgement) -> dict[str, Any]:
    """Return *judgement* as plain data."""
    return {
        **asdict(judgement),
        "noticed": [(one.name, str(one.outcome), one.moves) for one in judgement.noticed],
    }
