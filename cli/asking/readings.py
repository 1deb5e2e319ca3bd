"""Readings: everything asked of every reading of rulesets, by several processes, which are begun
once for all of them.

Each reading is decided as if it were asked for by itself. Hardly anything could be searched once
for several: options are about timing, so nearly every question has other moves in another reading,
in any slice. With options as variables the slices are those of all readings together, with three to
five times as many positions. Readings of two other values do share compiled code: of Final Fantasy
nineteen of twenty functions (`checker.explicit.native.machine.sharing`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import field, replace

from ...checker.process.serving import Reply
from ...checker.prover.workers import Pool, Workers, command_of, replies_of
from ...checker.types.budget import Budget
from ...models import ir
from ...models.diagnostics import InputError
from ...models.frozen import frozen
from ...models.options.cases import other_readings
from ...reports.telling.record import Failed, Record
from ..output.progress import metered
from .ask import Asked, fixed_by
from .options import pool_at
from .reading import read_target
from .reading_worker import READING, SentTexts, reading_request, record_of, texts_of

_MOST_WORKERS = 8
_PATIENCE = 2.0
"""How many seconds a process has to end those that it has begun."""


@frozen
class ReadingsFound:
    """What came of the readings of a ruleset: the *records*, and the readings that *failed*.

    *left* counts those that an interrupt left, *without* those that claim nothing of what was
    asked.
    """

    records: tuple[Record, ...]
    failed: tuple[Failed, ...]
    left: int
    without: int


@frozen
class _Ruleset:
    """A ruleset: how each of its readings is called and what is asked of it, and its *texts*; why
    there are none if it is *wrong*.

    *without* counts the other readings, which claim nothing of what is asked.
    """

    target: str
    readings: tuple[tuple[str, Asked], ...]
    wrong: tuple[Failed, ...] = ()
    texts: SentTexts = field(default_factory=dict)
    without: int = 0


def look_at_all(targets: Sequence[str], asked: Asked, at_once: int) -> Iterator[ReadingsFound]:
    """Yield the results of what is *asked* of every reading of each of *targets*, with other values
    of up to *at_once* options.

    If an interrupt has ended it, the last result says how many readings were left. The time of the
    budget is for all readings of a ruleset, in equal parts for as many as there are processes, here
    or on a cluster. Raises RuntimeError for a mistake of ours.
    """
    number = max(min(os.cpu_count() or 1, _MOST_WORKERS) // asked.tuning.threads, 1)
    cluster, seconds = asked.tuning.cluster, asked.budget.seconds
    with (
        pool_at(cluster, READING, seconds) as there,
        closing(there or Workers(command_of(READING), _PATIENCE, number)) as pool,
    ):
        yield from _decide_readings(
            pool, [_ruleset(target, asked, at_once, pool) for target in targets], asked
        )


def _decide_readings(
    pool: Pool, rulesets: Sequence[_Ruleset], asked: Asked
) -> Iterator[ReadingsFound]:
    number = sum(len(ruleset.readings) for ruleset in rulesets)
    requests = (
        reading_request(
            ruleset.target, one, ruleset.texts, is_rare=len(one.settings) > len(asked.settings) + 1
        )
        for ruleset in rulesets
        for _, one in ruleset.readings
    )
    said: dict[int, Reply] = {}
    begin, told_of = 0, 0
    with metered("readings", Budget()) as meter:
        meter.begin("looking at readings")

        def tick() -> None:
            meter.count(begin + len(said), number, pool.waits_for)

        try:
            for place, reply in replies_of(pool, requests, tick):
                said[place] = reply
                while told_of < len(rulesets) and all(
                    begin + n in said for n in range(len(rulesets[told_of].readings))
                ):
                    yield _readings_found(rulesets[told_of], begin, said)
                    begin, told_of = begin + len(rulesets[told_of].readings), told_of + 1
        except KeyboardInterrupt:
            yield _readings_found(rulesets[told_of], begin, said)
            return
    yield from (_readings_found(ruleset, begin, said) for ruleset in rulesets[told_of:])


def _ruleset(target: str, asked: Asked, at_once: int, pool: Pool) -> _Ruleset:
    """Return the readings of *target*, the first of which is as it is, to be decided by *pool*."""
    try:
        program, _, _ = read_target(target, asked.settings, asked.properties, asked.files)
        others = list(other_readings(program, fixed_by(target, asked), at_once))
        texts = texts_of(target)
    except InputError as error:
        return _Ruleset(target, (), (Failed(target, error.diagnostics),))
    seconds, mebibytes = asked.budget.seconds, asked.budget.mebibytes
    if seconds is not None:
        seconds = seconds * min(pool.number / (len(others) + 1), 1)
    share = None if mebibytes is None else max(mebibytes // pool.on_one_machine, 1)
    first = replace(
        asked,
        budget=replace(
            asked.budget, seconds=seconds, mebibytes=share, of_seconds=asked.budget.seconds
        ),
    )
    readings = [(target, first)]
    named = _named_in(target, program, asked.properties)
    for settings in others:
        names = named({**asked.settings, **settings})
        if asked.properties and not names:
            continue
        name = (
            f"{target}{',' if '@' in target else '@'}"
            f"{','.join(f'{option}={value}' for option, value in settings.items())}"
        )
        readings.append(
            (
                name,
                replace(
                    first, properties=names, settings={**asked.settings, **settings}, beside=True
                ),
            )
        )
    return _Ruleset(target, tuple(readings), texts=texts, without=len(others) + 1 - len(readings))


def _named_in(
    target: str, program: ir.Program, names: tuple[str, ...]
) -> Callable[[Mapping[str, str]], tuple[str, ...]]:
    """Return what says which of *names* can be asked of a reading of *program* with certain
    settings. The reading is read only where readings differ.

    For an unreadable reading it returns all *names*; the mistake is told when they are asked.
    """
    if not names:
        return lambda _: names
    # What reads rulesets is imported only where one is read.
    from .questions import are_of_all, named_in  # noqa: PLC0415

    if are_of_all(program, names):
        return lambda _: names

    def named(settings: Mapping[str, str]) -> tuple[str, ...]:
        with suppress(InputError):
            return named_in(target, settings, names)
        return names

    return named


def _readings_found(ruleset: _Ruleset, begin: int, said: dict[int, Reply]) -> ReadingsFound:
    records: list[Record] = []
    failed = list(ruleset.wrong)
    left = 0
    for place, (name, one) in enumerate(ruleset.readings, begin):
        if place not in said:
            left += 1
            continue
        found = record_of(said.pop(place), ruleset.target, one)
        if isinstance(found, Record):
            records.append(found)
        else:
            failed.append(Failed(name, found))
    return ReadingsFound(
        tuple(replace(record, others=left) for record in records),
        tuple(failed),
        left,
        ruleset.without,
    )
