"""Drivers: scenarios played on an engine, by the few things that its author writes for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Protocol

from ...models.frozen import frozen
from ...models.words import player_name
from ..conform.events import LogEvent
from ..conform.showing import explains
from .steps import Scenario, ScenarioStep


class CannotError(Exception):
    """The engine, or its cards, have no way to do what a scenario asks; the message says what."""


class Driver(Protocol):
    """What plays on an engine, in the words of the ruleset."""

    def fresh(self, players: int, steps: Sequence[ScenarioStep]) -> None:
        """Begin a game in which the cards can cause what *steps* say. Raises `CannotError`."""

    def holder(self) -> int | None:
        """Return the seat that has priority, the least if several have, None if nobody has."""

    def look(self) -> LogEvent:
        """Return how things are: a `look`, with what the engine knows."""

    def offers(self) -> Sequence[str] | None:
        """Return the clauses by which anybody may act now; None if the engine does not say."""

    def do(self, step: ScenarioStep) -> None:
        """Let the holder do what *step* says, and the cards and players what it says of them, and
        play on to where somebody has priority. Raises `CannotError`.
        """

    def seen(self) -> Sequence[LogEvent] | None:
        """Return what the engine has shown of the last step; None if it does not say."""


@frozen
class DriverFinding:
    """Where an engine does otherwise: in step number *step* of scenario number *scenario*, it shows
    *found* for *field*, where *clause* asks for *wanted*. If the scenario was not played, *found*
    says why, and *wanted* is empty.
    """

    scenario: int
    step: int
    clause: str
    field: str
    wanted: str
    found: str


def play_on(driver: Driver, scenarios: Sequence[Scenario], players: int) -> Iterator[DriverFinding]:
    """Play *scenarios* on an engine; yield the first thing that it does otherwise in each."""
    for one in scenarios:
        found = next(_played(driver, one, players), None)
        if found is not None:
            yield found


def _played(driver: Driver, one: Scenario, players: int) -> Iterator[DriverFinding]:
    number = 0
    try:
        driver.fresh(players, one.steps)
        for number, step in enumerate(one.steps, 1):
            for other in _step_played(driver, step):
                yield DriverFinding(one.number, number, *other)
    except CannotError as error:
        yield DriverFinding(one.number, number, "", "not played", "", str(error))


_Otherwise = tuple[str, str, str, str]
"""What an engine does otherwise: by which clause, of which field, what is wanted, what is found."""


def _step_played(driver: Driver, step: ScenarioStep) -> Iterator[_Otherwise]:
    """Yield what the engine does otherwise in *step*. Raises `CannotError`."""
    if step.does is not None:
        yield from _compared(driver, step)
    driver.do(step)
    seen = driver.seen()
    if seen is not None and (other := _first_other(step.seen, seen)):
        yield step.by, "seen", *other
    wanted, found = min(step.receives, default=None), driver.holder()
    if wanted != found:
        yield step.by, "priority", _name(wanted), _name(found)


def _compared(driver: Driver, step: ScenarioStep) -> Iterator[_Otherwise]:
    """Yield what is not as it ought to be where *step* begins."""
    look = driver.look()
    for field, value in step.look.said:
        if look.get(field) not in (None, value):
            yield "", field, str(value), str(look.get(field))
    offers = driver.offers()
    if offers is not None:
        for one in step.may:
            if one.clause not in offers:
                yield one.clause, "may", one.title, "no"
        for one in step.may_not:
            if one.clause in offers:
                yield one.clause, "may not", one.title, "yes"


def _first_other(wanted: Sequence[LogEvent], found: Sequence[LogEvent]) -> tuple[str, str] | None:
    """Return the first event that is *wanted* and the one *found* in its place, if there is one;
    who receives priority is not compared.
    """
    pair = ([one for one in events if one.name != "priority"] for events in (wanted, found))
    for one, other in zip_longest(*pair):
        if one is None or other is None or not explains(one, other):
            return "" if one is None else one.as_json(), "" if other is None else other.as_json()
    return None


def _name(seat: int | None) -> str:
    return "nobody" if seat is None else player_name(seat)
