"""Endings: what becomes of what must eventually happen; plays that go on growing.

Does any play keep the assumptions? If none does, somebody acts again and again on every play,
perhaps once in each turn. What has to happen may still happen on these plays; if it never does,
nothing was asked. Might the scope cut a play that goes on for ever with more and more items
(`puts_without_end`)? Then such a play is looked for; if none is found, only a proof can say that
there is none.

Growth: a play that goes on for ever with more and more items -> a stretch of it that can be
repeated at every greater size.

No search of a scope sees such a play to its end. It looks for a position P, and a stretch of moves
from there to a position that equals P but for items added on some zones, the growing ones. Let
*base* be the items of a growing zone in P, *more* those added. The stretch can be repeated for
ever, each time with *more* added, if

1. each growing zone has an item in P, and all along the stretch its base stays where it is: nothing
   leaves a zone that is first in first out or in any order, and of one that is last in first out
   nothing leaves from below the top of the base, and no item of it changes;
2. if it is last in first out, its top items in P and after the stretch are alike (their kind,
   controller and attributes);
3. nothing in the clauses of these moves speaks of how many items a growing zone has, nor of some or
   each of its items;
4. the moves are such as may be made again and again under the assumptions.

Why: suppose that the stretch has been made n times, and compare the position i moves into the next
time, and each point within a move, with that of the first time. Stage, arguments, variables and the
zones that do not grow are the same. A growing zone has, by 1, its base, then n times *more*, then
what it had above its base the first time (in any order: the same items and n times *more*). So each
thing that a clause may still ask by 3 has the same answer: no growing zone is empty, for its base
is there; the item at the front is that of the base; the top item is the same one if there is
anything above the base, and if not it is the last of *more*, which by 2 is like the last of the
base. A move takes an item from a growing zone only from above the base, where they are the same. So
the same clauses with the same owners and choices are possible, and lead to where they led, with
*more* one time more: after the stretch its end is P with n + 1 times *more*. The rules know no size
of zones, so this goes on for ever.

The formula stays true all along if it was true at each moment of the first time, and if all that it
speaks of is the same each time: its spotlit items are where they were; what it remembers is the
same after the stretch as before; it asks of positions only what 3 allows, and nothing of which
moves are possible, or of which item is the next to leave a growing zone. It sees only the kinds,
zones and players of the events of a move, which are the same.

A play that this does not cover is not found; that says nothing of whether there is one.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import assert_never

from ...models import ir
from ...models.ir.analysis import effect_of
from ...models.ir.parts import expressions, expressions_of, statements, things_named
from ...properties import formula as f
from ...properties.formula import asked_by, formulas
from ..questions.questions import Query, of_each_clause
from ..reference.formulas.signals import Signals
from ..reference.formulas.watch import MonitorState
from ..reference.lasso import LassoSearch, acts
from ..reference.semantics.explore import explore
from ..reference.semantics.interpreter import Interpreter
from ..replay.replay import added
from ..types.budget import INTERRUPTED, Budget, Meter
from ..types.engine import Decision, Engine
from ..types.position import Event, Item, Position, Trace
from ..types.scope import MOST_ITEMS, Scope
from ..types.verdict import Counts, Outcome

MORE_ROOM = 2
"""How many items more than the scope has a zone may have here."""
MOST_POSITIONS = 4_000
MOST_STEPS = 40_000
"""How many moves are looked at to find a stretch: not seconds, so that the answer does not depend
on the machine.
"""
_LONGEST = 400
"""How many positions are looked at after each in which a stretch might begin."""
_LEAVING = ("move", "changes", "resolves", "is removed")


def growth(program: ir.Program, question: f.Property, scope: Scope) -> Trace | None:
    """Return a play that breaks *question*, of mode ``progress``, by a stretch that can be repeated
    for ever; None if none is found.

    *question* has no clause spotlights. Zones may have a few items more than in *scope*. Raises
    KeyboardInterrupt if it is interrupted.
    """
    roomy = Scope(
        scope.players,
        tuple((zone, min(size + MORE_ROOM, MOST_ITEMS)) for zone, size in scope.sizes),
    )
    graph = explore(Interpreter(program, roomy), Meter(Budget(positions=MOST_POSITIONS)))
    if graph.stopped == INTERRUPTED:
        raise KeyboardInterrupt
    query = Query(question.body, question.spotlights, assuming=question.assuming)
    return _Growth(Signals(graph), query, Meter()).find()


def zones_that_grow(program: ir.Program, trace: Trace) -> dict[str, tuple[Item, ...]]:
    """Return what each growing zone has more, in its order, after the stretch with which *trace*
    ends.
    """
    assert trace.growth is not None
    first, last = trace.positions[trace.growth], trace.positions[-1]
    grown = {}
    for zone, before, after in zip(program.zones, first.zones, last.zones, strict=True):
        if before != after:
            grown[zone.name] = added(zone, before, after)
    return grown


class _Growth(LassoSearch):
    """The search for a stretch along which one formula stays true."""

    def find(self) -> Trace | None:
        """Return a play to the end of such a stretch; one that begins as early as can be."""
        self._search()
        self._steps = 0
        for state in self._beginnings():
            if self._steps > MOST_STEPS:
                return None
            stretch = self._stretch_from(state)
            if stretch is not None:
                moment, trace = self._told_again(state, stretch)
                return replace(trace, growth=moment)
        return None

    def _beginnings(self) -> Iterator[int]:
        """Yield the states in which the formula is true and that are like others but for what is on
        the zones, earlier ones first.
        """
        true = [state for state in self._came if self._is_true(state)]
        numbers = Counter(map(self._key, true))
        return (state for state in true if numbers[self._key(state)] > 1)

    def _key(self, state: int) -> object:
        """Return what has to be the same before and after a stretch."""
        watched, position = self._state_and_position(state)
        return (
            position[:3],
            watched.seats,
            watched.items,
            watched.bits,
            tuple(place and place[0] for place in watched.places),
        )

    def _state_and_position(self, state: int) -> tuple[MonitorState, Position]:
        which, position = divmod(state, len(self.graph.positions))
        return self._watched[which], self.graph.positions[position]

    def _stretch_from(self, first: int) -> list[int] | None:
        """Return the states of a shortest stretch from *first* that can be repeated, without
        *first*.
        """
        came, open_ = {first: first}, deque([first])
        key = self._key(first)
        while open_ and len(came) < _LONGEST:
            state = open_.popleft()
            self._steps += 1
            for after in self._repeatable(state):
                if after in came:
                    continue
                came[after] = state
                open_.append(after)
                if self._key(after) == key:
                    stretch = [after]
                    while came[stretch[-1]] != first:
                        stretch.append(came[stretch[-1]])
                    if self._can_be_repeated([first, *reversed(stretch)]):
                        return stretch[::-1]
        return None

    # ------------------------------------------------------------------ the criterion

    def _can_be_repeated(self, states: list[int]) -> bool:
        """Whether the stretch through *states* can be repeated for ever (see above); that its moves
        may be is known.
        """
        program, moves = self.graph.interpreter.program, []
        for before, after in pairwise(states):
            edge, _ = self._watched_step(before, after, may_repeat=True)
            moves.append(self.graph.moves[self.graph.label[edge]])
        watched, first = self._state_and_position(states[0])
        watched_after, last = self._state_and_position(states[-1])
        growing = set()
        for number, zone in enumerate(program.zones):
            base, then = first.zones[number], last.zones[number]
            if base != then:
                events = [event for move in moves for event in move.events if event.zone == number]
                if not _grows(zone, base, then, events):
                    return False
                growing.add(zone.name)
        places = zip(watched.places, watched_after.places, strict=True)
        if not growing or not all(
            self._is_same_place(before, after, growing) for before, after in places
        ):
            return False
        clauses = [
            self.graph.interpreter.clauses[clause] for clause in {move.clause for move in moves}
        ]
        return all(_is_blind(clause, growing) for clause in clauses) and _says_the_same(
            program, self.formula, growing
        )

    def _is_same_place(
        self, before: tuple[int, int] | None, after: tuple[int, int] | None, growing: set[str]
    ) -> bool:
        """Whether a spotlit item is where it was; its number on a growing zone in any order may be
        another.
        """
        if before is None or after is None:
            return before is after
        zone = self.graph.interpreter.program.zones[before[0]]
        return before == after or (
            before[0] == after[0] and zone.name in growing and zone.order == "unordered"
        )


def _grows(
    zone: ir.Zone, base: tuple[Item, ...], after: tuple[Item, ...], events: list[Event]
) -> bool:
    """Whether *zone* is a growing one: its *base* stays through all its *events*, and is there
    *after* the stretch (1 and 2).
    """
    leaving = [event for event in events if event.kind in _LEAVING]
    match zone.order:
        case "lifo":
            touched = [*leaving, *(event for event in events if event.kind == "begins resolving")]
            stays = after[: len(base)] == base and all(event.at >= len(base) for event in touched)
            return bool(base) and stays and base[-1] == after[-1]
        case "fifo":
            return bool(base) and after[: len(base)] == base and not leaving
        case "unordered":
            return bool(base) and not Counter(base) - Counter(after) and not leaving


def _is_blind(clause: ir.Clause, growing: set[str]) -> bool:
    """Whether nothing in *clause* speaks of how many items a *growing* zone has, nor of some or
    each of its items (3).
    """
    chosen = any(effect_of(statement).among in growing for statement in statements(clause.body))
    return not chosen and _are_blind(expressions_of(clause), growing)


def _are_blind(exprs: Iterable[ir.Expr], growing: set[str]) -> bool:
    """Whether none of *exprs* speaks of how many items a *growing* zone has, nor of some or each of
    its items; that it is not empty is the same each time.
    """
    looking = (expr for expr in exprs if isinstance(expr, ir.Size | ir.Exists))
    return not things_named("zone", looking) & growing


def _says_the_same(program: ir.Program, formula: f.Formula, growing: set[str]) -> bool:
    """Whether *formula* speaks only of what is the same each time."""
    return all(_is_the_same(program, part, growing) for part in formulas(formula))


def _is_the_same(program: ir.Program, formula: f.Formula, growing: set[str]) -> bool:
    """Whether *formula* by itself speaks only of what is the same each time."""
    if not _are_blind(expressions(*asked_by(formula)), growing):
        return False
    match formula:
        case f.LeafOfEnabled():
            return False
        case f.IsNext(_, zone):
            return zone not in growing
        case f.HasPriority():
            return all(_are_blind(expressions(stage.priority), growing) for stage in program.stages)
        case f.LeafOfPosition() | f.LeafOfMove() | f.Compound():
            return True
        case _:
            assert_never(formula)


_LONGEST_WALK = 1_000
"""How many moves are made to see whether some play fits, before all of them are looked at."""
NO_PLAY = (
    "because no play fits what it assumes, that {who} act only finitely often, and what it speaks "
    "of never comes to an end"
)
OPEN = "nothing breaks it, but no play was found that fits what it assumes: {why}"
CUT = "there is none within the scope, which cuts moves"


@dataclass
class Endings:
    """Settles what an *engine* says of what must eventually happen in *program* within *scope*.

    What it learns of plays serves every question with the same assumptions.
    """

    engine: Engine
    program: ir.Program
    scope: Scope
    meter: Meter
    _quick: dict[tuple[f.Assumption, ...], bool] = field(default_factory=dict)
    _fitting: dict[tuple[f.Assumption, ...], Decision] = field(default_factory=dict)

    def settled(
        self, decision: Decision, question: f.Property, *, is_proved: bool = False
    ) -> Decision:
        """Return *decision* about *question* with what is known besides.

        If it *is_proved* that no play grows, none is looked for.
        """
        if question.mode != "progress" or not (
            decision.outcome == Outcome.HOLDS or decision.is_hidden
        ):
            return decision
        if decision.is_hidden and not is_proved and (found := self._growing(question)) is not None:
            return replace(
                decision,
                outcome=Outcome.VIOLATED,
                reason="",
                question=found[0],
                trace=found[1],
                is_hidden=False,
            )
        if self._fits_some(question.assuming) or self._comes(question):
            return decision
        plays = self._plays(question.assuming)
        return (
            decision
            if plays.outcome == Outcome.POSSIBLE
            else replace(decision, outcome=plays.outcome, reason=plays.reason, is_hidden=False)
        )

    def _growing(self, question: f.Property) -> tuple[f.Property, Trace] | None:
        """Return a play with more and more items that breaks *question*, with what of it that
        breaks.
        """
        for one in of_each_clause(self.program, question).values():
            self.meter.begin(f"looking for more and more items, {question.name}")
            trace = growth(self.program, one, self.scope)
            if trace is not None:
                return one, trace
        return None

    # ------------------------------------------------------------------ what no play fits

    def _fits_some(self, assuming: tuple[f.Assumption, ...]) -> bool:
        """Whether a play is quickly found that fits what is assumed."""
        if assuming not in self._quick:
            self._quick[assuming] = not assuming or _some_play_fits(
                Interpreter(self.program, self.scope), assuming
            )
        return self._quick[assuming]

    def _comes(self, question: f.Property) -> bool:
        """Whether what has to happen does on some play, be it one that does not fit: the formula
        was true, and is so no more.
        """
        for one in of_each_clause(self.program, question).values():
            ends = f.And((f.Previously(one.body), f.Not(one.body)))
            if (
                self._decided(
                    replace(one, mode="possible", body=ends, about=None, parts=(), assuming=())
                )[0].outcome
                == Outcome.POSSIBLE
            ):
                return True
        return False

    def _plays(self, assuming: tuple[f.Assumption, ...]) -> Decision:
        """Return whether a play fits that those who are *assuming* name act only finitely often:
        POSSIBLE, VACUOUS or UNKNOWN.
        """
        if assuming not in self._fitting:
            self._fitting[assuming] = self._looked_for(assuming)
        return self._fitting[assuming]

    def _looked_for(self, assuming: tuple[f.Assumption, ...]) -> Decision:
        some = f.Property(
            "some play", "", "", "progress", (), f.And(()), None, "", assuming=assuming
        )
        decision, counts = self._decided(some)
        if decision.outcome == Outcome.VIOLATED or (
            decision.is_hidden and growth(self.program, some, self.scope) is not None
        ):
            return Decision(Outcome.POSSIBLE, some)
        if decision.outcome == Outcome.HOLDS and not counts.cut:
            return Decision(
                Outcome.VACUOUS, some, reason=NO_PLAY.format(who=" and ".join(assuming))
            )
        stopped = (
            decision.reason
            if decision.outcome in (Outcome.UNKNOWN, Outcome.BOUNDED) and not decision.is_hidden
            else ""
        )
        return Decision(Outcome.UNKNOWN, some, reason=OPEN.format(why=stopped or CUT))

    def _decided(self, question: f.Property) -> tuple[Decision, Counts]:
        self.meter.begin("looking for plays that fit")
        ((decision, counts),) = self.engine.decide(self.program, [question], self.scope, self.meter)
        return decision, counts


def _some_play_fits(interpreter: Interpreter, assuming: Sequence[f.Assumption]) -> bool:
    """Whether a play fits that is quickly found: by the first move that may be made again and
    again, and if there is none by the first.
    """
    position, met = interpreter.initial(), dict[object, int]()
    acted = -1
    for number in range(_LONGEST_WALK):
        if position in met:
            return acted < met[position]
        met[position] = number
        found = interpreter.moves(position)
        if not found.moves:
            return not interpreter.allowed(position)
        quiet = [
            target
            for move, target in found.moves
            if not any(acts(who, move, interpreter) for who in assuming)
        ]
        if not quiet:
            acted = number
        position = quiet[0] if quiet else found.moves[0][1]
    return False
