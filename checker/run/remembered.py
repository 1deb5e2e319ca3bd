"""Remembering: an engine that answers what was asked before by what it found then
(`models.storage.keeping`).

What is kept lies under a name made of all that it depends on: the Program, all that was asked
together (which searches are shared depends on that), the scope, what a search may leave out, and
the code of the engine. It is believed only if this user's key has signed it; plays are kept by the
numbers of their moves, made again on the interpreter, and replayed as any other. What a budget had
a say in is not kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from ...models.ir import Program
from ...models.storage.digests import engine_digest
from ...models.storage.keeping import DECISIONS, keep_data, kept_data, name_of
from ...models.storage.places import cache_folder
from ...properties.formula import Property
from ..questions.questions import of_each_clause
from ..reference.semantics.interpreter import Interpreter
from ..replay.codec import move_numbers, retraced
from ..replay.for_ever import ReplayError
from ..types.budget import Meter
from ..types.engine import Decision, Engine
from ..types.scope import Scope
from ..types.trace import SpotlitItem, Trace
from ..types.tuning import Tuning
from ..types.verdict import Counts, Outcome

_FORMAT = "2"
_Answer = tuple[Decision, Counts]


@dataclass(frozen=True)
class Remembering:
    """What *engine*, tuned by *tuning*, finds, and has found before; kept in *folder* (None: the
    user's cache folder).
    """

    engine: Engine
    tuning: Tuning = field(default_factory=Tuning)
    folder: Path | None = None

    @property
    def name(self) -> str:
        """What the engine is called that searches."""
        return self.engine.name

    @property
    def slices(self) -> bool:
        """Whether that engine may leave out of positions what a question cannot see."""
        return self.engine.slices

    def decide(
        self, program: Program, properties: Sequence[Property], scope: Scope, meter: Meter
    ) -> Iterator[_Answer]:
        """Yield what is known of each of *properties*, as the engine does."""
        asked = _Asked(program, tuple(properties), scope)
        file = (self.folder or cache_folder()) / f"{asked.name(self.tuning)}.found"
        known = asked.answers_from(kept_data(file))
        if known is not None:
            yield from known
            return
        found: list[_Answer] = []
        for answer in self.engine.decide(program, properties, scope, meter):
            found.append(answer)
            if (said := asked.answers_data(found)) is not None:
                keep_data(file, said, DECISIONS)
            yield answer


@dataclass(frozen=True)
class _Asked:
    """What is asked together: *properties* of *program* within *scope*."""

    program: Program
    properties: tuple[Property, ...]
    scope: Scope

    def name(self, tuning: Tuning) -> str:
        """Return the name under which the answers are kept."""
        rules = replace(
            self.program, title="", document="", claims=(), left_out=(), scope=(), terms=()
        )
        left_out = tuning.slicing, tuning.symmetry
        return name_of(
            _FORMAT,
            engine_digest(),
            repr(rules),
            repr(self.properties),
            repr(self.scope),
            repr(left_out),
        )

    @cached_property
    def interpreter(self) -> Interpreter:
        """The interpreter that makes the moves of a play."""
        return Interpreter(self.program, self.scope)

    # ------------------------------------------------------------------ telling

    def answers_data(self, found: Sequence[_Answer]) -> list[Any] | None:
        """Return what was *found* as plain data; None if a budget cut any of it short, or it says
        more than plain data can.
        """
        if len(found) != len(self.properties):
            return None
        if not all(
            decision.is_final and not decision.notes and decision.bound is None
            for decision, _ in found
        ):
            return None
        try:
            return [
                self._decision_data(question, *answer)
                for question, answer in zip(self.properties, found, strict=True)
            ]
        except ValueError:
            return None

    def _decision_data(
        self, question: Property, decision: Decision, counts: Counts
    ) -> dict[str, Any]:
        """Return a *decision* as plain data; raise ValueError if its question is not *question*, be
        it of a clause.
        """
        each = {"": question, **of_each_clause(self.program, question)}
        return {
            "outcome": decision.outcome.value,
            "of": list(each.values()).index(decision.question),
            "play": None if decision.trace is None else self._play(decision.trace),
            "reason": decision.reason,
            "sliced": decision.sliced,
            "symmetric": decision.symmetric,
            "is_shortest": decision.is_shortest,
            "is_hidden": decision.is_hidden,
            "dead": decision.dead,
            "unshown": decision.unshown,
            "counts": [counts.positions, counts.moves, counts.layers, counts.cut],
        }

    def _play(self, trace: Trace) -> dict[str, Any]:
        if trace.growth is not None:
            raise ValueError("it goes on beyond the scope")
        spotlights = [
            [name, [who.since, who.event] if isinstance(who, SpotlitItem) else who]
            for name, who in trace.spotlights
        ]
        return {
            "numbers": move_numbers(self.interpreter, trace),
            "spotlights": spotlights,
            "loop": trace.loop,
        }

    # ------------------------------------------------------------------ reading

    def answers_from(self, said: Any) -> list[_Answer] | None:
        """Return what was found, read from *said*; None if it does not answer this question."""
        if not isinstance(said, list) or len(said) != len(self.properties):
            return None
        try:
            return [
                self._answer(question, one)
                for question, one in zip(self.properties, said, strict=True)
            ]
        except (ValueError, TypeError, KeyError, IndexError, ReplayError):
            return None

    def _answer(self, question: Property, said: Mapping[str, Any]) -> _Answer:
        each = (
            [question]
            if said["of"] == 0
            else [question, *of_each_clause(self.program, question).values()]
        )
        decision = Decision(
            Outcome(said["outcome"]),
            each[said["of"]],
            None if said["play"] is None else self._trace(**said["play"]),
            said["reason"],
            sliced=tuple(said["sliced"]),
            symmetric=said["symmetric"],
            is_shortest=said["is_shortest"],
            is_hidden=said["is_hidden"],
            dead=tuple(said["dead"]),
            unshown=tuple((str(ids), int(number)) for ids, number in said["unshown"]),
            is_final=True,
        )
        return decision, Counts(*said["counts"])

    def _trace(
        self, numbers: Sequence[int], spotlights: Sequence[tuple[str, Any]], loop: int | None
    ) -> Trace:
        trace = retraced(self.interpreter, numbers)
        return replace(
            trace,
            spotlights=tuple((name, self._who(trace, who)) for name, who in spotlights),
            loop=loop,
        )

    def _who(self, trace: Trace, who: Any) -> int | SpotlitItem:
        if isinstance(who, int):
            return who
        since, event = who
        item = trace.steps[since - 1].move.events[event].item
        if item is None:
            raise ValueError("a spotlight is of no item")
        return SpotlitItem(item, since, event)
