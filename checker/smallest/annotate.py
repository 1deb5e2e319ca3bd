"""Annotating: verdicts -> the same, with the smallest scope of each property that fails, and how
many moves it takes at least at any size.

What holds within the scope, and is not proved, is looked for in larger ones; if it fails there,
that is the verdict. The number of moves is known of all sizes at once (`symbolic.bounded`), from
processes of their own. If these know of no shorter play than the one that was found, it is the
shortest there is. A shorter one that they find is replayed, and told; if they only hold one
possible of what nobody has found, the engine looks there, too.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace

from ...models.ir import Program
from ...properties.formula import Property
from ..process.serving import Reply, answer_in
from ..prover.request import NODES, LeastMoves, ToBound, request_data, why_none
from ..prover.workers import COMMAND, replies
from ..replay.codec import EncodedTrace, decode_trace
from ..types.budget import INTERRUPTED, BudgetSpentError, Meter
from ..types.engine import Engine
from ..types.scope import MOST_ITEMS, MOST_PLAYERS, Scope
from ..types.verdict import NOT_EXPLORED, Outcome, Smallest, Verdict
from .search import FOUND, LITTLE, Refutation, refute, refute_within, search

MOST_MOVES = 12
"""Of what nobody has found a play of, those of fewer moves are looked at."""


@dataclass
class Refuter:
    """Looks for the smallest scopes with an *engine*; *workers* processes look into plays of all
    sizes.
    """

    engine: Engine | None = None
    workers: int = field(default_factory=lambda: min(os.cpu_count() or 1, 2))
    command: Sequence[str] = COMMAND

    def annotate(
        self, program: Program, verdicts: Sequence[Verdict], meter: Meter
    ) -> list[Verdict]:
        """Return *verdicts* with what is found; what is PROVED stays as it is. Nothing is done once
        somebody has interrupted it.
        """
        found = list(verdicts)
        if meter.interrupted or any(
            INTERRUPTED in (verdict.reason, verdict.unproved) for verdict in found
        ):
            return found
        places = [
            place
            for place, verdict in enumerate(found)
            if _is_of_plays(verdict) and verdict.proof is None
        ]
        try:
            for done, place in enumerate(places):
                meter.begin("looking for the smallest")
                meter.count(done, len(places))
                found[place] = self._in_scopes(program, found[place])
            self._at_any_size(program, found, places, meter)
        except (BudgetSpentError, KeyboardInterrupt) as why:
            meter.interrupted = meter.interrupted or isinstance(why, KeyboardInterrupt)
        return found

    def _in_scopes(self, program: Program, verdict: Verdict) -> Verdict:
        """Return *verdict* after one scope after the other was searched."""
        refutation = refute(program, verdict.property, verdict.scope, LITTLE, self.engine)
        return verdict if refutation is None else _with_refutation(verdict, refutation)

    def _at_any_size(
        self, program: Program, found: list[Verdict], places: Sequence[int], meter: Meter
    ) -> None:
        """Say of those of *found* at *places* how many moves they take at least."""
        asked = [
            place
            for place in places
            if _is_asked(found[place].property) and _length(found[place]) != 0
        ]
        requests = [
            request_data(
                ToBound(program, found[place].property, _length(found[place]) or MOST_MOVES)
            )
            for place in asked
        ]
        meter.begin("looking at all sizes")
        done = 0
        with closing(
            replies(
                requests,
                min(self.workers, len(requests)),
                lambda: meter.count(done, len(requests)),
                self.command,
            )
        ) as coming:
            for number, reply in coming:
                done += 1
                place = asked[number]
                found[place] = self._with(program, found[place], reply)

    def _with(self, program: Program, verdict: Verdict, reply: Reply) -> Verdict:
        """Return *verdict* with what a worker's *reply* says; where that holds a play possible, the
        engine looks for one.
        """
        least: LeastMoves | None = answer_in(NODES, reply, LeastMoves)
        if least is None:
            return replace(verdict, notes=(*verdict.notes, _why(verdict.property, reply)))
        verdict, players = replace(verdict, least=least.moves), least.players
        if least.play is not None:
            return self._with_play(program, verdict, least.play)
        if verdict.outcome in FOUND or players is None or players > MOST_PLAYERS:
            return verdict
        room = tuple(
            (zone, min(max(size, verdict.least), MOST_ITEMS)) for zone, size in verdict.scope.sizes
        )
        refutation = refute_within(
            program, verdict.property, Scope(players, room), LITTLE, self.engine
        )
        return verdict if refutation is None else _with_refutation(verdict, refutation)

    def _with_play(self, program: Program, verdict: Verdict, play: EncodedTrace) -> Verdict:
        """Return *verdict* after a worker has found a *play*, which is replayed: where none so
        short was known, that is the verdict.
        """
        scope, trace = decode_trace(program, verdict.property, play)
        known = _length(verdict)
        if known is not None and known <= len(trace.steps):
            return verdict
        found = search(program, verdict.property, scope, LITTLE, self.engine)
        if found.trace is None or len(found.trace.steps) > len(
            trace.steps
        ):  # the search was not finished
            outcome = Outcome.POSSIBLE if verdict.property.mode == "possible" else Outcome.VIOLATED
            found = Verdict(
                program,
                verdict.property,
                outcome,
                scope,
                NOT_EXPLORED,
                trace,
                engine="symbolic",
            )
        if verdict.smallest is not None:
            return _instead(verdict, found, verdict.smallest)
        refutation = refute_within(
            program, verdict.property, scope, LITTLE, self.engine
        ) or Refutation(found)
        return _instead(verdict, found, refutation.smallest)


def _with_refutation(verdict: Verdict, refutation: Refutation) -> Verdict:
    """Return *verdict* with a *refutation*, which is the verdict if there was none within the scope
    that was asked for.
    """
    if verdict.outcome in FOUND:
        return replace(verdict, smallest=refutation.smallest)
    return _instead(verdict, refutation.verdict, refutation.smallest)


def _instead(verdict: Verdict, found: Verdict, smallest: Smallest) -> Verdict:
    """Return what was *found* in another scope in the place of *verdict*, with the *smallest* scope
    there is.
    """
    note = f"{verdict.property.name} was {verdict.outcome} with {verdict.scope}; what is told of it is of {found.scope}"
    return replace(found, notes=(*verdict.notes, note), smallest=smallest, least=verdict.least)


def _why(question: Property, reply: Reply) -> str:
    """Return why a worker's *reply* says nothing."""
    why = why_none(reply, f"the process that asked ended with {reply.get('died')}")
    if "missing" in reply:
        return f"how many moves it takes at any size was not asked, for {why}"
    return f"nobody knows how many moves {question.name} takes at any size, for {why}"


def _is_of_plays(verdict: Verdict) -> bool:
    """Whether *verdict* is about single plays within the scope that was asked for: a strategy is
    not shown by one.
    """
    return verdict.property.mode != "enforce" and not verdict.lacks


def _is_asked(question: Property) -> bool:
    """Whether plays of all sizes can be asked for *question*."""
    return question.mode in ("always", "possible") and not question.is_of_clauses


def _length(verdict: Verdict) -> int | None:
    """Return how many moves the shortest play has that is known, None if there is none."""
    lengths = [len(verdict.trace.steps)] if verdict.trace is not None else []
    if verdict.smallest is not None and verdict.smallest.moves is not None:
        lengths.append(verdict.smallest.moves)
    return min(lengths, default=None)
