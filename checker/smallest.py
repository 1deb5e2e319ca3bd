"""The smallest: the fewest players, and with these the smallest zones, at which a property fails,
and how many moves it takes at least at any size.

A search of one scope after another by any engine, each play replayed. Plays of a smaller zone are
plays of a larger one, so a property that fails nowhere in the largest zones fails in none of the
smaller; of players nothing of the kind is true. The smallest zones that a play fits into have room
for what its moves have there in their middle. If a search of these does not show it, larger ones
are told.

A property that holds within the scope, and is not proved, is searched in larger ones; if it fails
there, that is the verdict. The number of moves is known of all sizes at once
(`symbolic.bmc.bounded`), from processes of their own. If these know of no shorter play than the one
that was found, it is the shortest there is. A shorter one that they find is replayed, and told. If
they only hold a play possible, and none was found, the engine looks there, too.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from ..models.ir import Program
from ..properties.formula import Property
from .process.serving import Reply, answer_in
from .prover.request import NODES, LeastMoves, ToBound, request_data, why_none
from .prover.workers import COMMAND, replies
from .replay.replay import EncodedTrace, decode_trace, fitting, used
from .run.check import check
from .types.budget import INTERRUPTED, Budget, BudgetSpentError, Meter
from .types.engine import Engine
from .types.scope import MOST_ITEMS, MOST_PLAYERS, Scope
from .types.verdict import NOT_EXPLORED, Outcome, Smallest, Verdict

FOUND = (Outcome.VIOLATED, Outcome.POSSIBLE)
LITTLE = Budget(positions=100_000)
"""What each search may cost: not seconds, so that the answer does not depend on the machine."""
MORE_PLAYERS = 2
"""How many players more than asked for are tried."""


def refute(
    program: Program, question: Property, scope: Scope, engine: Engine | None = None
) -> Verdict | None:
    """Return the verdict where *question* fails first, with the smallest scope; None if no search
    finds that it does.

    From the fewest players on, one more each time, up to `MORE_PLAYERS` more than *scope* has; with
    zones of the sizes of *scope*, then of one item more.
    """
    without: list[Scope] = []
    for players in _players(program, scope):
        larger = tuple((zone, min(size + 1, MOST_ITEMS)) for zone, size in scope.sizes)
        for sizes in (scope.sizes, larger):
            verdict = search(program, question, Scope(players, sizes), engine)
            if verdict.outcome in FOUND:
                return _with_smallest(
                    verdict, engine, tuple(one for one in without if one.players < players)
                )
            if verdict.outcome not in (Outcome.BOUNDED, Outcome.UNKNOWN):
                without = [*(one for one in without if one.players != players), verdict.scope]
            else:
                break  # a larger one would not be searched to its end, either
    return None


def _with_smallest(
    verdict: Verdict, engine: Engine | None, without: tuple[Scope, ...] = ()
) -> Verdict | None:
    """Return the verdict in the smallest zones, with as many players as *verdict* has, and with
    what is known of other scopes: *without* are those in which nothing fails. Return None if no
    play shows it.
    """
    if not _is_told(verdict):
        return None  # nothing fails, or a clause is dead
    verdict = _in_smallest_zones(verdict, engine)
    return replace(verdict, smallest=_smallest(verdict, without, goes_on=_goes_on(verdict, engine)))


def _smallest(
    verdict: Verdict, without: tuple[Scope, ...] = (), *, goes_on: bool = False
) -> Smallest:
    trace, is_possible = verdict.trace, verdict.outcome == Outcome.POSSIBLE
    assert trace is not None
    moves = len(trace.steps) if trace.loop is trace.growth is None else None
    sizes = used(verdict.program, trace)
    return Smallest(is_possible, verdict.scope, sizes, moves, without, goes_on)


def _players(program: Program, scope: Scope) -> range:
    least, most = program.players
    return range(least, min(scope.players + MORE_PLAYERS, MOST_PLAYERS, most or MOST_PLAYERS) + 1)


def search(program: Program, question: Property, scope: Scope, engine: Engine | None) -> Verdict:
    """Return the verdict on *question* in *scope*; raises KeyboardInterrupt if somebody has
    interrupted the search for it.
    """
    verdict = check(program, [question], scope, LITTLE, engine=engine)[0]
    if verdict.reason == INTERRUPTED:
        raise KeyboardInterrupt
    return verdict


def _in_smallest_zones(verdict: Verdict, engine: Engine | None) -> Verdict:
    """Return the verdict for zones none of which may be smaller, given the others, beginning with
    those the play of *verdict* needs.
    """
    program, question, players = verdict.program, verdict.property, verdict.scope.players
    assert verdict.trace is not None
    fits = fitting(program, players, verdict.trace)
    if fits != verdict.scope and _is_told(other := search(program, question, fits, engine)):
        verdict = other
    sizes = dict(verdict.scope.sizes)
    for zone, _ in verdict.scope.sizes:
        while sizes[zone] > 1:
            smaller = {**sizes, zone: sizes[zone] - 1}
            other = search(program, question, Scope(players, tuple(smaller.items())), engine)
            if not _is_told(other):
                break
            verdict, sizes = other, smaller
    return verdict


def _is_told(verdict: Verdict) -> bool:
    """Whether *verdict* comes with a play that shows it."""
    return verdict.outcome in FOUND and verdict.trace is not None


def _goes_on(verdict: Verdict, engine: Engine | None) -> bool:
    """Whether it fails with one player more, in zones of the same sizes."""
    program, more = verdict.program, Scope(verdict.scope.players + 1, verdict.scope.sizes)
    return (
        more.players in _players(program, verdict.scope)
        and search(program, verdict.property, more, engine).outcome in FOUND
    )


# ------------------------------------------------------------------ what is told of verdicts

MOST_MOVES = 12
"""If no play was found, those of fewer moves than this are looked at."""


@dataclass
class Refuter:
    """Looks for the smallest scopes with an *engine*; processes that *command* begins look into
    plays of all sizes.
    """

    engine: Engine | None = None
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
                its = found[place]
                found[place] = _with(its, refute(program, its.property, its.scope, self.engine))
            self._at_any_size(program, found, places, meter)
        except (BudgetSpentError, KeyboardInterrupt) as why:
            meter.interrupted = meter.interrupted or isinstance(why, KeyboardInterrupt)
        return found

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
                min(os.cpu_count() or 1, 2, len(requests)),
                lambda: meter.count(done, len(requests)),
                self.command,
            )
        ) as coming:
            for number, reply in coming:
                done += 1
                place = asked[number]
                found[place] = self._answered(found[place], reply)

    def _answered(self, verdict: Verdict, reply: Reply) -> Verdict:
        """Return *verdict* with what a worker's *reply* says; where that holds a play possible, the
        engine looks for one.
        """
        least: LeastMoves | None = answer_in(NODES, reply, LeastMoves)
        if least is None:
            return replace(verdict, notes=(*verdict.notes, _why(verdict.property, reply)))
        verdict, players = replace(verdict, least=least.moves), least.players
        if least.play is not None:
            return self._with_play(verdict, least.play)
        if verdict.outcome in FOUND or players is None or players > MOST_PLAYERS:
            return verdict
        room = tuple(
            (zone, min(max(size, verdict.least), MOST_ITEMS)) for zone, size in verdict.scope.sizes
        )
        found = search(verdict.program, verdict.property, Scope(players, room), self.engine)
        return _with(verdict, _with_smallest(found, self.engine))

    def _with_play(self, verdict: Verdict, play: EncodedTrace) -> Verdict:
        """Return *verdict* after a worker has found a *play*, which is replayed: where none so
        short was known, that is the verdict.
        """
        program, question = verdict.program, verdict.property
        scope, trace = decode_trace(program, question, play)
        known = _length(verdict)
        if known is not None and known <= len(trace.steps):
            return verdict
        searched = found = search(program, question, scope, self.engine)
        if found.trace is None or len(found.trace.steps) > len(trace.steps):
            # the search was not finished
            outcome = Outcome.POSSIBLE if question.mode == "possible" else Outcome.VIOLATED
            found = Verdict(
                program, question, outcome, scope, NOT_EXPLORED, trace, engine="symbolic"
            )
        smallest = verdict.smallest
        if smallest is None:
            least = _with_smallest(searched, self.engine)
            smallest = _smallest(found) if least is None else least.smallest
        return _instead(verdict, replace(found, smallest=smallest))


def _with(verdict: Verdict, refuted: Verdict | None) -> Verdict:
    """Return *verdict* with the smallest scope of the one that is *refuted*, which is the verdict
    if there was none within the scope that was asked for.
    """
    if refuted is None:
        return verdict
    if verdict.outcome in FOUND:
        return replace(verdict, smallest=refuted.smallest)
    return _instead(verdict, refuted)


def _instead(verdict: Verdict, found: Verdict) -> Verdict:
    """Return what was *found* in another scope in the place of *verdict*."""
    name, was = verdict.property.name, f"with {verdict.scope} it was {verdict.outcome}"
    note = f"what is told of {name} is of {found.scope}; {was}"
    return replace(found, notes=(*verdict.notes, note), least=verdict.least)


def _why(question: Property, reply: Reply) -> str:
    """Return why a worker's *reply* says nothing."""
    why = why_none(reply, f"the process that asked ended with {reply.get('died')}")
    if "missing" in reply:
        return f"how many moves it takes at any size was not asked, for {why}"
    return f"it is not known how many moves {question.name} takes at any size, for {why}"


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
