"""Suites: a game and its promises -> the scenarios that bring about all goals, and the moments that
promises are about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...models import ir
from ...properties import formula as f
from ..reference.semantics.explore import explore
from ..reference.semantics.interpreter import Interpreter
from ..run.check import check
from ..types.budget import INTERRUPTED, BudgetSpentError, Meter
from ..types.scope import Scope
from ..types.trace import TraceStep
from .goals import WindowGraph
from .plays import CoveringPlays, covering_plays
from .steps import Scenario, Telling


@dataclass(frozen=True)
class Suite:
    """Scenarios of *program* within *scope*, which reach *goals* goals; no plays with fewer than
    *least* windows do. *stopped* says why some are missing, empty if none are.
    """

    program: ir.Program
    scope: Scope
    scenarios: tuple[Scenario, ...]
    goals: int
    least: int
    stopped: str

    @property
    def windows(self) -> int:
        """How many windows there are in all scenarios."""
        return sum(len(one.steps) for one in self.scenarios)


def make_suite(
    program: ir.Program, promises: Sequence[f.Property], scope: Scope, meter: Meter
) -> Suite:
    """Return the scenarios of *program*, with the moments that *promises* are about."""
    interpreter = Interpreter(program, scope)
    meter.begin("looking at all positions", share=0.5)
    graph = explore(interpreter, meter)
    plays, found, stopped = CoveringPlays([], 0, 0, ""), list[Scenario](), ""
    meter.begin("making plays")
    try:
        with meter.watching():
            windows, told = WindowGraph(graph), Telling(interpreter)
            plays = covering_plays(windows, meter)
            for at, play in enumerate(plays.plays, 1):
                found.append(told.scenario(at, _trace_steps(windows, play)))
            found += _moments(told, program, promises, scope, found, meter)
    except BudgetSpentError as spent:
        stopped = str(spent)
    except KeyboardInterrupt:
        stopped = INTERRUPTED
    stopped = graph.stopped or plays.stopped or stopped
    return Suite(program, scope, tuple(found), plays.goals, plays.least, stopped)


def _trace_steps(windows: WindowGraph, play: Sequence[int]) -> list[TraceStep]:
    positions = windows.graph.positions
    return [
        TraceStep(windows.move(way), positions[windows.position[windows.target[way]]])
        for way in play
    ]


def _moments(
    told: Telling,
    program: ir.Program,
    promises: Sequence[f.Property],
    scope: Scope,
    known: Sequence[Scenario],
    meter: Meter,
) -> Iterator[Scenario]:
    """Yield scenarios that end where the conditions of *promises* arise; those with the same last
    window as one that is *known* are that one's.

    Raises `BudgetSpentError` or KeyboardInterrupt at the end if some may be missing for that.
    """
    asked = [
        replace(
            promise, mode="possible", body=part.formula, spotlights=part.spotlights,
            about=None, parts=(), lemmas=(), name=f"{promise.name} {number}",
        )
        for promise in promises
        if promise.mode == "always" and not promise.is_of_clauses
        for number, part in enumerate(promise.conditions)
    ]  # fmt: skip
    meter.begin("looking for what promises are about")
    verdicts = check(program, asked, scope, meter.left())
    number, ends = len(known), {_ending(one) for one in known}
    for verdict in verdicts:
        steps = verdict.trace.steps if verdict.trace else ()
        if not steps or verdict.scope.players != scope.players:
            continue  # a promise about a larger table has no moment at this one
        name = verdict.property.name.rpartition(" ")[0]
        one = told.scenario(number + 1, told.to_rest(steps), (name,))
        if _ending(one) not in ends:
            ends.add(_ending(one))
            number += 1
            yield one
    if any(verdict.reason == INTERRUPTED for verdict in verdicts):
        raise KeyboardInterrupt
    meter.left()


def _ending(one: Scenario) -> tuple[object, ...]:
    last = one.steps[-1]
    return last.look, last.does, last.seen, last.receives
