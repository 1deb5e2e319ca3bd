"""Compared: which properties are asked of each of several rulesets that are set side by side, and
what comes of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...checker.prover.workers import Pool, replies_of
from ...checker.types.budget import Budget, Meter
from ...models.diagnostics import InputError
from ...reports.telling.record import Record
from ..output.progress import progress
from .ask import Asked, ask
from .options import pool_at
from .reading import read_target
from .reading_worker import READING, reading_request, record_of, texts_of


def compared(games: Sequence[str], asked: Asked) -> list[Asked]:
    """Return what is *asked* of each of *games*: the catalogue, and the claims that all of them
    have, if nothing is named.

    A claim is had by two rulesets if it has the same name and the same formula in both. Raises
    InputError.
    """
    if asked.properties or len(games) < 2:
        return [asked] * len(games)
    claims = []
    for game in games:
        _, questions, _ = read_target(game, asked.settings, (), asked.files, with_claims=True)
        claims.append(
            {
                question.name: question.text
                for question, claim, _ in questions
                if claim is not None and claim.formula is not None
            }
        )
    shared = [
        name for name, text in claims[0].items() if all(other.get(name) == text for other in claims)
    ]
    return [
        replace(asked, properties=(*_catalogue(game, asked), *shared)) if shared else asked
        for game in games
    ]


def asked_of_each(
    games: Sequence[str], questions: Sequence[Asked], meter: Meter, parts: int
) -> Iterator[Record]:
    """Yield what comes of the *questions*, of each of *games* in its place; where a cluster is
    named, each of several goes to a worker.

    Else *meter* has the time for all games: each takes an equal part of what is left, of which
    there are *parts* parts for each. Raises InputError; KeyboardInterrupt comes after all that
    was found before.
    """
    cluster = questions[0].tuning.cluster if len(games) > 1 else None
    with pool_at(cluster, READING, questions[0].budget.seconds) as pool:
        if pool is None:
            for place, (game, question) in enumerate(zip(games, questions, strict=True)):
                part = meter.rest(parts * len(games) - place)
                yield ask(game, replace(question, budget=part), with_claims=False)
        else:
            yield from _by_pool(pool, games, questions)


def _by_pool(pool: Pool, games: Sequence[str], questions: Sequence[Asked]) -> Iterator[Record]:
    mebibytes = questions[0].budget.mebibytes
    share = None if mebibytes is None else max(mebibytes // pool.on_one_machine, 1)
    questions = [
        replace(question, budget=replace(question.budget, mebibytes=share))
        for question in questions
    ]
    asked = list(zip(games, questions, strict=True))
    requests = (
        reading_request(game, question, texts_of(game), with_claims=False)
        for game, question in asked
    )
    found: dict[int, Record] = {}
    is_interrupted = False
    with progress("comparing") as on_progress:
        meter = Meter(Budget(), on_progress)
        meter.begin("looking at games")
        try:
            for place, reply in replies_of(
                pool, requests, lambda: meter.count(len(found), len(games), pool.waits_for)
            ):
                one = record_of(reply, *asked[place], with_claims=False)
                if not isinstance(one, Record):
                    raise InputError(one)
                found[place] = one
        except KeyboardInterrupt:
            is_interrupted = True
    yield from (found[place] for place in sorted(found))
    if is_interrupted:
        raise KeyboardInterrupt


def _catalogue(game: str, asked: Asked) -> list[str]:
    _, questions, _ = read_target(game, asked.settings, (), asked.files, with_claims=False)
    return [question.name for question, _, _ in questions]
