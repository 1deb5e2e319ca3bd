"""Suites: what an engine can get wrong -> a few plays of a game that bring it all about.

Goals: what a play can bring about that an engine may get wrong.

A *window* begins with what a player who has priority does, and goes on to where somebody has it
next. Its goals are

- the clauses it uses;
- each way through a clause, and whom it is about there: the active player or another one;
- which item is chosen, and which others lie beside it;
- hand-overs: who receives priority, the active player or another one, after what the active player
  or another one did, in each step; and after each clause of the rules in between, with whoever
  decides something in it.

The scope may have no room for the end of a window. Its goals that no other has are reached at the
end of a play, which goes on from there with more room.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from heapq import heappop, heappush
from itertools import product
from typing import Literal, NamedTuple

from ...models import ir
from ...models.frozen import frozen
from ...properties import formula as f
from ..reference.semantics.explore import Graph, explore
from ..reference.semantics.interpreter import Interpreter
from ..run.check import check
from ..situations.line import Referee, deciders
from ..types.budget import INTERRUPTED, BudgetSpentError, Meter
from ..types.graphs import Edges
from ..types.position import OVER, Item, Move, Position, TraceStep
from ..types.scope import Scope
from .steps import Scenario, Telling

ScenarioGoalKind = Literal["clause", "way", "choice", "hand-over"]
Role = Literal["active", "another", "nobody"]
_FAR = 1 << 30
_CAUSED = 5
"""What the cards cause on the way to a goal counts as this many moves."""


class WindowDeed(NamedTuple):
    """What somebody of a *role* does by a *clause*, or is asked in it; in which *step*, where that
    is told apart.
    """

    clause: str
    role: Role
    step: tuple[object, ...] = ()


class ScenarioGoal(NamedTuple):
    """Something to bring about: a *clause*, *how* it is gone through or an item is chosen in it, or
    deeds in a window at whose end somebody *receives* priority.
    """

    kind: ScenarioGoalKind
    clause: str
    how: tuple[str, ...] = ()
    deeds: tuple[WindowDeed, ...] = ()
    receives: str = ""


class WindowGraph:
    """The moves of *graph* window by window: each *node* is a position and the deed that began the
    window it is in, if it is in one.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph, self.referee = graph, Referee(graph.interpreter)
        self.position, self.begun = array("l"), list[WindowDeed | None]()
        self.edge = array("l")
        self._receiver, self._cost = cache(self._role_at), cache(self._cost_of)
        self.edges = self._explored()
        self.first, self.source, self.target = (
            self.edges.first,
            self.edges.source,
            self.edges.target,
        )
        self.receiver = [self._receiver(position) for position in self.position]
        """Who has priority at each node: a role, empty within a window."""
        self.on = {role: self._on(role) for role in sorted({*self.receiver} - {""})}
        """For each role, how far each node is from a player of that role receiving priority, and
        the way to go.
        """

    # ------------------------------------------------------------------ nodes

    def _explored(self) -> Edges:
        """Find the nodes, breadth first, and return the ways between them."""
        graph, first, target = self.graph, array("l", [0]), array("l")
        numbers: dict[tuple[int, WindowDeed | None], int] = {(0, None): 0}
        nodes: list[tuple[int, WindowDeed | None]] = [(0, None)]
        for position, begun in nodes:
            for edge in graph.edges(position) if position < graph.expanded else ():
                deed = begun if begun else self._deeds(edge, graph.positions[position])[0]
                to = graph.target[edge]
                after = to, (None if self._receiver(to) else deed)
                if after not in numbers:
                    numbers[after] = len(nodes)
                    nodes.append(after)
                target.append(numbers[after])
                self.edge.append(edge)
            first.append(len(self.edge))
        self.position = array("l", [position for position, _ in nodes])
        self.begun = [begun for _, begun in nodes]
        return Edges(first, target)

    def _deeds(self, edge: int, at: Position) -> list[WindowDeed]:
        """Return what is done on *edge* from *at*, by whoever decides something in it."""
        move = self.graph.moves[self.graph.label[edge]]
        step = at.values[1 : len(self.graph.interpreter.program.sequences) + 1]
        return [WindowDeed(move.clause, role, step) for role in _deciders(move, at)]

    def _role_at(self, position: int) -> str:
        at = self.graph.positions[position]
        holders, active = self.graph.interpreter.priority(at), at.values[0]
        return (
            "nobody" if at.stage == OVER
            else "" if not holders
            else "active" if holders == {active}
            else "another" if active not in holders
            else "both"
        )  # fmt: skip

    def ways(self, node: int) -> range:
        """Return the ways on from *node*."""
        return range(self.first[node], self.first[node + 1])

    def move(self, way: int) -> Move:
        """Return the move that is made on *way*."""
        return self.graph.moves[self.graph.label[self.edge[way]]]

    def cost(self, way: int) -> int:
        """Return how far *way* is: farther if the cards cause something."""
        return self._cost(self.graph.label[self.edge[way]])

    def _cost_of(self, label: int) -> int:
        return 1 + _CAUSED * len(self.referee.caused(self.graph.moves[label]))

    # ------------------------------------------------------------------ the ends of windows

    def _on(self, role: str) -> tuple[array[int], array[int]]:
        far, by = array("l", [_FAR]) * len(self.position), array("l", [-1]) * len(self.position)
        waiting = [node for node, one in enumerate(self.receiver) if one == role]
        for node in waiting:
            far[node] = 0
        for node in waiting:
            for way in self.edges.into(node):
                before = self.source[way]
                if far[before] == _FAR and not self.receiver[before]:
                    far[before], by[before] = far[node] + 1, way
                    waiting.append(before)
        return far, by

    def to_end(self, way: int, role: str) -> list[int]:
        """Return the ways after *way*, within its window, to where somebody of *role* receives
        priority.
        """
        found, node = list[int](), self.target[way]
        while not self.receiver[node]:
            found.append(self.on[role][1][node])
            node = self.target[found[-1]]
        return found

    def receivers(self, way: int) -> list[str]:
        """Return the roles of those who may receive priority at the end of the window of *way*;
        none if the scope has no room for its end.
        """
        target = self.target[way]
        if self.receiver[target]:
            return [self.receiver[target]]
        return [role for role, (far, _) in self.on.items() if far[target] < _FAR]

    # ------------------------------------------------------------------ goals

    def goals(self, way: int, receives: str) -> Iterator[ScenarioGoal]:
        """Yield the goals of *way* in a window at whose end somebody of that role *receives*
        priority; empty if its end is not seen.
        """
        move, edge = self.move(way), self.edge[way]
        at = self._at(self.source[way])
        stage = self.graph.positions[self.graph.target[edge]].stage
        caused = [title for title, _ in self.referee.caused(move)]
        yield ScenarioGoal("clause", move.clause)
        yield ScenarioGoal("way", move.clause, (*_about(at), *_either(move), *caused, stage))
        yield from (ScenarioGoal("choice", move.clause, one) for one in _choices(move, at))
        if receives:
            yield from (
                ScenarioGoal("hand-over", move.clause, (), deeds, receives)
                for deeds in self._hand_overs(way)
            )

    def _hand_overs(self, way: int) -> Iterator[tuple[WindowDeed, ...]]:
        """Yield what begins the window of *way*: by itself with the step it is in, and beside each
        thing that is done on *way*.
        """
        deeds = self._deeds(self.edge[way], self._at(self.source[way]))
        begun = self.begun[self.source[way]]
        if begun is None:
            begun, *deeds = deeds
            yield (begun,)
        yield from ((begun._replace(step=()), one._replace(step=())) for one in deeds)

    def _at(self, node: int) -> Position:
        return self.graph.positions[self.position[node]]


def _about(at: Position) -> Iterator[str]:
    """Yield whom the stage of a position is about, and what else it has been begun with."""
    for one in at.arguments:
        is_seat = isinstance(one, int) and not isinstance(one, bool)
        yield _role(one, at) if is_seat else str(one)


def _either(move: Move) -> Iterator[str]:
    """Yield what the players decide in *move* between ways on."""
    for choice in move.choices:
        if isinstance(choice.by, int) and not choice.what:
            yield str(choice.value)


def _choices(move: Move, at: Position) -> Iterator[tuple[str, ...]]:
    """Yield of each item that is chosen in *move*, made *at* a position, the kind and whose it is,
    with those of another one that lies beside it.
    """
    chosen = [choice.value for choice in move.choices if isinstance(choice.value, Item)]
    for one, zone in product(chosen, at.zones):
        for other in set(zone) - {one} if one in zone else ():
            yield one.kind, _role(one.controller, at), other.kind, _role(other.controller, at)


def _role(seat: object, at: Position) -> Role:
    return "active" if seat == at.values[0] else "another"


def _deciders(move: Move, at: Position) -> list[Role]:
    """Return who decides something in *move*, made *at* a position: its owner, and who is asked."""
    return list(dict.fromkeys(_role(seat, at) for seat in deciders(move))) or ["nobody"]


MOST_WINDOWS = 16
"""How many windows a play has at most, so that it can be read."""


class CoveringPlays(NamedTuple):
    """The *plays*, as ways of a `WindowGraph`, that reach *goals* goals between them; *least* is
    how many windows that takes at least. *stopped* says why some goals are missing.
    """

    plays: list[list[int]]
    goals: int
    least: int
    stopped: str


def covering_plays(windows: WindowGraph, meter: Meter) -> CoveringPlays:
    """Return plays from the start that reach every goal of *windows*.

    Each goes on to the goal that is nearest, until it is long or the nearest is nearer from the
    start.
    """
    tour, plays, stopped = _Tour(windows, meter), list[list[int]](), ""
    least = len({(*goal.deeds, goal.receives) for goal in tour.open if len(goal.deeds) == 1})
    number = len(tour.open)
    try:
        plays += tour.plays()
    except BudgetSpentError as spent:
        stopped = str(spent)
    except KeyboardInterrupt:
        stopped = INTERRUPTED
    return CoveringPlays(plays, number - len(tour.open), least, stopped)


class _Tour:
    def __init__(self, windows: WindowGraph, meter: Meter) -> None:
        self.windows, self.meter = windows, meter
        self.open: dict[ScenarioGoal, list[int]] = defaultdict(list)
        """The goals that no play has reached yet, each with the ways on which it is reached."""
        cut = list[int]()
        for way in range(len(windows.edge)):
            receivers = windows.receivers(way)
            for goal in {goal for one in receivers for goal in windows.goals(way, one)}:
                self.open[goal].append(way)
            if not receivers:
                cut.append(way)
        whole = set(self.open)  # what no whole window reaches is reached in one that is cut
        for way in cut:
            for goal in windows.goals(way, ""):
                if goal not in whole:
                    self.open[goal].append(way)
        self.left = [0] * len(windows.edge)
        """How many of these goals can still be reached on each way."""
        for ways in self.open.values():
            for way in ways:
                self.left[way] += 1
        self.number = len(self.open)

    def plays(self) -> Iterator[list[int]]:
        while self.open:
            play, number = list[int](), 0
            count = 0
            while count < MOST_WINDOWS and self.open:
                way = self._to_nearest(number)
                if way is None or (play and len(way) > len(self._to_nearest(0) or way)):
                    break
                play += way
                count += self._reached(way)
                number = self.windows.target[way[-1]]
                if not self.windows.receiver[number]:
                    break
            if not play:
                return
            yield play

    def _to_nearest(self, number: int) -> list[int] | None:
        """Return the way from node *number* to the nearest way with a goal that is open, and on to
        where it is reached: on it the cards cause as little as can be.
        """
        came, done, waiting = {number: -1}, set[int](), [(0, number, -1)]
        while waiting:
            cost, position, by = heappop(waiting)
            if position in done:
                continue
            came[position] = by
            if len(done) % 1024 == 0:
                self.meter.count(self.number - len(self.open), self.number)
            done.add(position)
            for edge in self.windows.ways(position):
                if self.left[edge]:
                    return [*self._way(came, position), edge, *self._on(edge)]
                target = self.windows.target[edge]
                if target not in done:
                    heappush(waiting, (cost + self.windows.cost(edge), target, edge))
        return None

    def _way(self, came: dict[int, int], position: int) -> list[int]:
        way = list[int]()
        while came[position] >= 0:
            way.append(came[position])
            position = self.windows.source[came[position]]
        return way[::-1]

    def _on(self, edge: int) -> list[int]:
        """Return the edges after *edge* to the end of its window, by which most goals are
        reached.
        """

        def gain(receives: str) -> int:
            return sum(goal in self.open for goal in self.windows.goals(edge, receives))

        receivers = self.windows.receivers(edge)
        return self.windows.to_end(edge, max(receivers, key=gain)) if receivers else []

    def _reached(self, way: list[int]) -> int:
        """Note which goals *way* reaches, and return how many windows it has."""
        window, count = list[int](), 0
        for number, edge in enumerate(way, 1):
            window.append(edge)
            receives = self.windows.receiver[self.windows.target[edge]]
            if receives or number == len(way):
                for goal in {goal for one in window for goal in self.windows.goals(one, receives)}:
                    for other in self.open.pop(goal, ()):
                        self.left[other] -= 1
                window, count = [], count + 1
        return count


@frozen
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
                found.append(told.scenario(at, told.to_rest(_trace_steps(windows, play))))
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
