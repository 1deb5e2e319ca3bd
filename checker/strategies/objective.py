"""Objectives: what a coalition is to enforce, as a deterministic automaton that gives every moment
a priority.

In comes a property of mode ``enforce`` with the seats its players stand for, out goes an
`Objective`: a memory beside the position, and a priority for each move. On a play that does not end
the coalition has reached its objective if the greatest priority that comes again and again is even
(Emerson and Jutla, "Tree automata, mu-calculus and determinacy", FOCS 1991):

    4  somebody acts of whom it is assumed that they act only finitely often, and need not
    (`forced`) 3  something happens that is to happen only finitely often 2  all that is to happen
    again and again has happened since this was last so 1  none of these, or what is to hold always
    has been broken

``eventually F`` asks that again and again F has been true, ``A leads to B`` that again and again
nothing waits for a B. What waits may be several items, each its own B: so a ``leads to`` remembers
those that have waited since none of those before did (a breakpoint: Miyano and Hayashi,
"Alternating finite automata on omega-words", TCS 1984).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple, TypeAlias, assert_never

from ...models import ir
from ...models.frozen import frozen
from ...models.ir.parts import with_locals
from ...properties import formula as f
from ...properties.formula import operands
from ..questions.questions import Query
from ..reference.formulas.monitor import Signal
from ..reference.formulas.signals import Signals
from ..reference.lasso import TRUE, LassoSearch, acts
from ..types.budget import Meter
from .forks import GameGraph

ASSUMED, FORBIDDEN, DONE, IDLE = 4, 3, 2, 1


_Threads: TypeAlias = frozenset[int]
"""The numbers of monitor states, one for each way in which item spotlights may stand for items."""


class GoalMemory(NamedTuple):
    """What is remembered of one goal: its *threads*, which of them have *waited* since the last
    breakpoint, and whether it is *done*.
    """

    threads: _Threads
    waited: _Threads = frozenset()
    done: bool = False


class PlayMemory(NamedTuple):
    """What is remembered beside the position: of each goal, and which of those that recur is *due*;
    of no goal, if one is broken.
    """

    goals: tuple[GoalMemory, ...]
    due: int = 0


BROKEN = PlayMemory(())


class Seen(NamedTuple):
    """What a moment comes to: the number of the *memory* after it, and its *priority*; *won* and
    *lost* are final.
    """

    memory: int
    priority: int
    won: bool = False
    lost: bool = False


@frozen
class _Now:
    """A goal at one moment: what is remembered then, whether its formula is *true*, and whether
    nothing waits that waited (*met*).
    """

    memory: GoalMemory
    true: bool
    met: bool


class Objective:
    """The objective of *question*, for the *seats* of its player spotlights, over the positions of
    one graph.
    """

    def __init__(self, signals: Signals, question: f.Property, seats: tuple[int, ...]) -> None:
        assert question.enforced is not None
        assert isinstance(signals.graph, GameGraph)
        self.signals = signals
        self.graph = signals.graph
        self.question = question
        self.goals = question.enforced.goals
        self.seats = {
            spotlight.name: seat for spotlight, seat in zip(question.spotlights, seats, strict=True)
        }
        self.coalition = frozenset(self.seats[name] for name in question.enforced.coalition)
        self.memories: list[PlayMemory] = []
        self._numbers: dict[PlayMemory, int] = {}
        self._watchers = [
            _Watcher(signals, Query(self.of_seats(goal.formula), goal.spotlights), Meter())
            for goal in self.goals
        ]
        self._recurrent = [
            number
            for number, goal in enumerate(self.goals)
            if goal.kind in ("eventually", "leads to")
        ]
        self.assumed = [
            any(self._is_assumed(who, label) for who in question.assuming)
            for label in range(len(self.graph.moves))
        ]
        """Whether the moves of each label are such that somebody is assumed to end them."""
        self._kinds = self._kinds_of_labels()
        self._seen: dict[tuple[int, int, int], Seen] = {}
        self._rows = self._rows_of_positions()

    def of_seats(self, formula: f.Formula) -> f.Formula:
        """Return *formula* with the seats of its player spotlights."""
        return with_locals(formula, {name: ir.Literal(at) for name, at in self.seats.items()})

    def start(self) -> Seen:
        """Return what moment 0 comes to."""
        nows = [
            self._now(number, None, watcher.start(), frozenset())
            for number, watcher in enumerate(self._watchers)
        ]
        return self._moment(nows, 0, assumed=False)

    @property
    def is_out_of_reach(self) -> bool:
        """Whether these players lack the roles that the question speaks of, or something that is
        eventually to be true can never be true: then the question is false of them by itself.
        """
        assert self.question.enforced is not None
        constant = self.graph.interpreter.expressions.constant
        if any(self.seats[name] != constant(role) for name, role in self.question.enforced.roles):
            return True
        goals = self.memories[self.start().memory].goals
        return any(
            goal.kind == "eventually" and not was.done and not was.threads
            for goal, was in zip(self.goals, goals, strict=False)
        )

    def step(self, memory: int, label: int, position: int) -> Seen:
        """Return what the move *label* to an expanded *position* comes to."""
        key = (memory, self._kinds[label], self._rows[position])
        seen = self._seen.get(key)
        if seen is None:
            seen = self._seen[key] = self._step(self.memories[memory], label, position)
        return seen

    def is_reached(self, memory: int) -> bool:
        """Whether a play that ends with the game has reached the objective."""
        goals = self.memories[memory].goals
        return bool(goals) and all(
            self._is_met_at_the_end(number, goal) for number, goal in enumerate(goals)
        )

    def past(self) -> list[tuple[tuple[int, int], f.Past]]:
        """Return what is remembered of the past: parts of goals without item spotlights, each with
        where `remembers` finds it.
        """
        found = []
        for number, goal in enumerate(self.goals):
            if not goal.spotlights:
                found += [((number, at), part) for at, part in enumerate(_past_parts(goal.formula))]
        return found

    def remembers(self, memory: int, goal: int, part: int) -> bool:
        """Whether the past part number *part* of a goal is remembered as true; of one that is done
        or broken nothing is.
        """
        goals = self.memories[memory].goals
        return bool(goals) and any(
            self._watchers[goal].bits(thread) >> part & 1 for thread in goals[goal].threads
        )

    # ------------------------------------------------------------------ one moment

    def _step(self, before: PlayMemory, label: int, position: int) -> Seen:
        assumed = self.assumed[label]
        if not before.goals:
            return Seen(self._memory_number(BROKEN), ASSUMED if assumed else IDLE)
        nows = []
        for number, (watcher, was) in enumerate(zip(self._watchers, before.goals, strict=True)):
            threads = watcher.after(was.threads, label, position)
            waited = watcher.after(was.waited, label, position)
            nows.append(self._now(number, was, threads, waited))
        return self._moment(nows, before.due, assumed=assumed)

    def _now(
        self, number: int, was: GoalMemory | None, threads: _Threads, waited: _Threads
    ) -> _Now:
        true, kind = self._watchers[number].true(threads), self.goals[number].kind
        match kind:
            case "always" | "finitely":
                return _Now(GoalMemory(threads), bool(true), met=True)
            case "eventually":
                done = bool(true) or (was is not None and was.done)
                return _Now(
                    GoalMemory(frozenset() if done else threads, done=done), bool(true), met=done
                )
            case "leads to":
                still = self._watchers[number].true(waited)
                return _Now(GoalMemory(threads, still or true), bool(true), met=not still)
            case _:
                assert_never(kind)

    def _moment(self, nows: list[_Now], due: int, *, assumed: bool) -> Seen:
        kinds = [goal.kind for goal in self.goals]
        if any(kind == "always" and now.true for kind, now in zip(kinds, nows, strict=True)):
            return Seen(
                self._memory_number(BROKEN),
                ASSUMED if assumed else IDLE,
                lost=not self.question.assuming,
            )
        while due < len(self._recurrent) and nows[self._recurrent[due]].met:
            due += 1
        is_round = due == len(self._recurrent)
        memory = PlayMemory(tuple([now.memory for now in nows]), 0 if is_round else due)
        forbidden = any(
            kind == "finitely" and now.true for kind, now in zip(kinds, nows, strict=True)
        )
        priority = ASSUMED if assumed else FORBIDDEN if forbidden else DONE if is_round else IDLE
        won = all(kind == "eventually" and now.met for kind, now in zip(kinds, nows, strict=True))
        return Seen(self._memory_number(memory), priority, won=won)

    def _is_met_at_the_end(self, number: int, memory: GoalMemory) -> bool:
        match self.goals[number].kind:
            case "always" | "finitely":
                return True
            case "eventually":
                return memory.done
            case "leads to":
                return not memory.waited
            case _:
                assert_never(self.goals[number].kind)

    def _memory_number(self, memory: PlayMemory) -> int:
        number = self._numbers.setdefault(memory, len(self.memories))
        if number == len(self.memories):
            self.memories.append(memory)
        return number

    # ------------------------------------------------------------------ moves

    def _is_assumed(self, who: f.Assumption, label: int) -> bool:
        """Whether *label* is of moves of which *who* make only finitely many: they act, and need
        not.
        """
        move, kind = self.graph.moves[label], "players" if who == "others" else who
        if kind in self.graph.forced[label] or (who == "others" and move.owner in self.coalition):
            return False
        return acts(kind, move, self.graph.interpreter)

    def _kinds_of_labels(self) -> list[int]:
        """Return a number for each label: two moves of one number are the same to every goal and
        assumption.
        """
        numbers: dict[Hashable, int] = {}
        contents = zip(self.assumed, *(watcher.kinds for watcher in self._watchers), strict=True)
        return [numbers.setdefault(content, len(numbers)) for content in contents]

    def _rows_of_positions(self) -> Sequence[int]:
        """Return a number for each position: two of one number are the same to every goal."""
        asked = [watcher.asked() for watcher in self._watchers]
        if None in asked:
            return range(len(self.signals.graph.positions))
        return self.signals.rows(
            tuple(dict.fromkeys(signal for signals in asked for signal in signals or ()))
        )[0]


def _past_parts(formula: f.Formula) -> list[f.Past]:
    """Return the parts of *formula* that look back, in the order in which a monitor numbers them:
    inside out.
    """
    inner = [part for operand in operands(formula) for part in _past_parts(operand)]
    return [*inner, formula] if isinstance(formula, f.Previously | f.Once | f.Since) else inner


class _Watcher(LassoSearch):
    """What one formula without player spotlights remembers of a play.

    The states are those of `reference.lasso`: monitor states, with a bit that says whether the
    formula is true now. Several item spotlights, or one that has not turned to an item yet, make
    several of them; a watcher goes on with all, so it is deterministic.
    """

    @property
    def kinds(self) -> list[int]:
        """The class of each label of the graph: two moves of one class are the same to the
        formula.
        """
        return self._classes

    def start(self) -> _Threads:
        """Return the states at moment 0, in a position that is expanded."""
        (way,) = self._starts()
        outcome = self._outcome(way, way.rows[0])
        return frozenset({outcome} if outcome >= 0 else ())

    def asked(self) -> list[Signal] | None:
        """Return all that the formula asks of a position; None if it may ask more once its
        spotlights have turned to items.
        """
        (way,) = self._starts()
        return None if self.items else self._eye(way.sight.watched).monitor.signals

    def after(self, threads: _Threads, label: int, position: int) -> _Threads:
        """Return the states after *threads* and the move *label* to an expanded *position*, but
        those that can matter no more.
        """
        kind = self._classes[label]
        return frozenset(
            outcome
            for thread in threads
            for _, outcome in self._outcomes(thread, kind, position)
            if outcome >= 0
        )

    def bits(self, thread: int) -> int:
        """Return what the state *thread* remembers, a bit for each part that looks back."""
        return self._watched[thread].bits

    def true(self, threads: _Threads) -> _Threads:
        """Return those of *threads* in which the formula is true."""
        return frozenset(thread for thread in threads if self._watched[thread].bits & TRUE)
