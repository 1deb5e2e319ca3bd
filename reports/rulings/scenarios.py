"""The record of scenarios: plays for those who write engines, as plain data. Renderers' only input.

In: a `Suite`. Out: `SuiteTold`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...checker.conform.events import LogEvent
from ...checker.scenarios.steps import PlayerOffer, Scenario, ScenarioStep
from ...checker.scenarios.suite import Suite
from ...models.syntax import NamedSizes
from ...models.words import player_name


@dataclass(frozen=True)
class OfferTold:
    """What somebody may do: by a *clause*, and the *kind* of item that comes of it."""

    clause: str
    title: str
    kind: str


@dataclass(frozen=True)
class AskedTold:
    """*what* is decided *by* a player in a *clause* on the way."""

    clause: str
    by: str
    what: str


@dataclass(frozen=True)
class StepTold:
    """A window of a scenario, as `ScenarioStep` has it; players by their letters, events as in a
    log.
    """

    look: Mapping[str, Any]
    holder: str
    may: tuple[OfferTold, ...]
    may_not: tuple[OfferTold, ...]
    does: OfferTold | None
    asked: tuple[AskedTold, ...]
    caused: tuple[str, ...]
    seen: tuple[Mapping[str, Any], ...]
    receives: tuple[str, ...]
    by: str


@dataclass(frozen=True)
class ScenarioTold:
    """A play; *moments* names the promises whose condition arises at its end."""

    number: int
    moments: tuple[str, ...]
    steps: tuple[StepTold, ...]


@dataclass(frozen=True)
class SuiteTold:
    """Scenarios of a game, as `Suite` has them; *clauses* in the order of the text."""

    name: str
    title: str
    players: int
    sizes: NamedSizes
    goals: int
    windows: int
    least: int
    stopped: str
    scenarios: tuple[ScenarioTold, ...]


def tell_suite(suite: Suite) -> SuiteTold:
    """Return *suite* as plain data."""
    return SuiteTold(
        suite.program.name, suite.program.title, suite.scope.players, tuple(suite.scope.sizes),
        suite.goals, suite.windows, suite.least, suite.stopped,
        tuple(map(_scenario, suite.scenarios)),
    )  # fmt: skip


def _scenario(one: Scenario) -> ScenarioTold:
    return ScenarioTold(one.number, one.moments, tuple(map(_told_step, one.steps)))


def _told_step(step: ScenarioStep) -> StepTold:
    return StepTold(
        _event(step.look),
        "" if step.holder is None else player_name(step.holder),
        tuple(map(_offer, step.may)),
        tuple(map(_offer, step.may_not)),
        None if step.does is None else _offer(step.does),
        tuple(AskedTold(id_, player_name(by), what) for id_, by, what in step.asked),
        step.caused,
        tuple(map(_event, step.seen)),
        tuple(map(player_name, step.receives)),
        step.by,
    )


def _offer(offer: PlayerOffer) -> OfferTold:
    return OfferTold(offer.clause, offer.title, offer.kind)


def _event(event: LogEvent) -> Mapping[str, Any]:
    said: Mapping[str, Any] = json.loads(event.as_json())
    return said
