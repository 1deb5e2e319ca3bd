"""Playing a table back: its rows become guards for their players, and what it is to win is decided like any property.

The restricted game is made anew from the graph, the rows are asked of each decision by their conditions, and nothing of the search for
them is used: plays that break a goal, or end where the game does not, are looked for as `reference.lasso` looks for any.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator

import networkx as nx

from ...properties import formula as f
from ...properties.parts import speaks_of
from ..reference.formulas.ground import ground
from ..reference.formulas.monitor import said_of_move
from ..reference.formulas.signals import Signals
from ..reference.formulas.watch import SightOutcomes
from ..reference.lasso import LassoSearch
from ..reference.semantics.graph import Graph
from ..replay.for_ever import ReplayError
from ..types.budget import Meter
from ..types.position import OVER
from .conditions import TableConditions
from .forks import CUT, Fork, Forks, Way
from .objective import Objective
from .table import GuardRow, action_of, cut_actions_of


def play_back(objective: Objective, rows: tuple[GuardRow, ...], meter: Meter, *, beyond: bool) -> int:
    """Return how many positions, each with what is remembered, the table of *rows* leads to.

    Raises `ReplayError` unless *objective* is reached on every play with it and none ends too early; that the others go beyond the scope is
    left out if *beyond*, else that must not happen.
    """
    restricted = _Restricted(objective, rows, beyond=beyond)
    restricted.explore(meter)
    for number, goal in enumerate(objective.goals):
        if restricted.breaks(number, goal, meter):
            raise ReplayError(f"{objective.question.name}: the table found does not enforce `{goal.kind}`")
    return len(restricted.states)


class _Restricted:
    """The game with a table, as a graph whose positions are those of the game, each as often as the objective remembers other things."""

    def __init__(self, objective: Objective, rows: tuple[GuardRow, ...], *, beyond: bool) -> None:
        self.objective, self.rows, self.beyond = objective, rows, beyond
        self.whole = objective.signals.graph
        self.conditions, self.forks = TableConditions(objective), Forks(self.whole, objective.coalition)
        self.states: list[tuple[int, int]] = []
        self.graph = Graph(self.whole.interpreter, [], array("q", [0]), moves=self.whole.moves)

    def explore(self, meter: Meter) -> None:
        """Find all that the table leads to."""
        graph, start = self.graph, self.objective.start()
        numbers, ended = {(0, start.memory): 0}, {(0, start.memory)} if start.won else set()
        self.states.append((0, start.memory))
        for number, (position, memory) in enumerate(self.states):
            meter.check(1, len(self.states), len(graph.target))
            graph.positions.append(self.whole.positions[position])
            for edge in () if (position, memory) in ended else self._edges(position, memory):
                target = self.whole.target[edge]
                seen = self.objective.step(memory, self.whole.label[edge], target)
                state = (target, seen.memory)
                if state not in numbers:
                    numbers[state] = len(self.states)
                    self.states.append(state)
                    graph.found_by.append(len(graph.target))
                    if seen.won:
                        ended.add(state)
                graph.label.append(self.whole.label[edge])
                graph.target.append(numbers[state])
            graph.first_edge.append(len(graph.target))
            is_stuck = not graph.edges(number) and self.whole.positions[position].stage != OVER
            if is_stuck and (position, memory) not in ended:
                raise ReplayError(f"{self.objective.question.name}: with the table found a play is stuck")
        if any(speaks_of(goal.formula, "enabled") for goal in self.objective.goals):
            graph.cut.update(dict.fromkeys(range(len(self.states)), 1))  # what is enabled is asked of the rules, not of the table

    def _edges(self, position: int, memory: int) -> list[int]:
        """Return the edges of the whole graph that may be taken."""
        way = self.forks.at(position)
        return [] if way is None else list(self._taken(way, position, memory))

    def _taken(self, way: Way, position: int, memory: int) -> Iterator[int]:
        if not isinstance(way, Fork):
            if way != CUT:
                yield way
            elif not self.beyond:
                raise ReplayError(f"{self.objective.question.name}: with the table found the others can go beyond the scope")
            return
        allowed = self._allowed(way, position, memory) if way.by_coalition else None
        for (_, option), is_allowed in zip(way.ways, allowed or [True] * len(way.ways), strict=True):
            if is_allowed:
                yield from self._taken(option, position, memory)

    def _allowed(self, fork: Fork, position: int, memory: int) -> list[bool] | None:
        """Return which ways of a *fork* of the coalition the table allows; None if no row applies, and anything may be done."""
        actions = [action_of(self.objective, option, way) for option, way in fork.ways]
        cut = cut_actions_of(self.objective, fork, actions[0].seat)
        applying = [
            row.action
            for row in self.rows
            if (row.action in actions or row.action in cut)
            and all(self.conditions.is_true(one, position, memory, row.action.seat) for one in row.conditions)
        ]
        if any(action in cut for action in applying) or (cut and not applying):
            raise ReplayError(f"{self.objective.question.name}: the table found leads beyond the scope")
        return [action in applying for action in actions] if applying else None

    # ------------------------------------------------------------------ what is decided

    def breaks(self, number: int, goal: f.Goal, meter: Meter) -> bool:
        """Whether some play breaks *goal* on which those act only finitely often who are assumed to; it is the one of that *number*."""
        match goal.kind:
            case "eventually" if goal.spotlights:
                return self._is_never_done(number)
            case "always":
                return self._stays_true(f.Once(goal.formula), goal, meter)
            case "eventually":
                return self._stays_true(f.Not(f.Once(goal.formula)), goal, meter)
            case "leads to":
                return self._stays_true(goal.formula, goal, meter)
            case "finitely":
                return self._again_and_again(goal.formula)

    def _stays_true(self, formula: f.Formula, goal: f.Goal, meter: Meter) -> bool:
        search = _OfSeats(self, formula, (*self.objective.question.spotlights, *goal.spotlights), meter)
        return search.look().found

    def _is_never_done(self, goal: int) -> bool:
        """Whether a play can end, or go on for ever, on which no item does what the *goal* of that number says of some item.

        A spotlight may be any item, so what none of them does is no formula; it is what the objective remembers.
        """
        goals = [self.objective.memories[memory].goals for _, memory in self.states]
        waiting = [number for number, memory in enumerate(goals) if not memory or not memory[goal].done]
        if any(not self.graph.edges(number) for number in waiting):
            return True
        again: nx.DiGraph[int] = nx.DiGraph()
        for number in waiting:
            again.add_edges_from(
                (number, self.graph.target[edge])
                for edge in self.graph.edges(number)
                if not self.objective.is_assumed(self.graph.label[edge])
            )
        return not nx.is_directed_acyclic_graph(again.subgraph(waiting))

    def _again_and_again(self, formula: f.Formula) -> bool:
        """Whether *formula*, which is about the move alone, can be true again and again."""
        interpreter = self.whole.interpreter
        asked = ground(formula, self.objective.seats, interpreter.expressions)
        assert isinstance(asked, f.PlayerEvent | f.Uses | f.SequenceEvent)
        graph, said = self.graph, set[tuple[int, int]]()
        again: nx.DiGraph[int] = nx.DiGraph()
        for number in range(len(self.states)):
            for edge in graph.edges(number):
                if not self.objective.is_assumed(graph.label[edge]):
                    again.add_edge(number, graph.target[edge])
                    if said_of_move(asked, graph.moves[graph.label[edge]], interpreter):
                        said.add((number, graph.target[edge]))
        parts = {state: number for number, part in enumerate(nx.strongly_connected_components(again)) for state in part}
        return any(parts[one] == parts[other] for one, other in said)


class _OfSeats(LassoSearch):
    """The search for a play on which a formula stays true, for the seats of one objective."""

    def __init__(self, game: _Restricted, formula: f.Formula, spotlights: tuple[f.Spotlight, ...], meter: Meter) -> None:
        super().__init__(Signals(game.graph), formula, spotlights, (), meter)
        self._seats = tuple(game.objective.seats.values())
        self._may_repeat = [not game.objective.is_assumed(label) for label in range(len(game.graph.moves))]

    def _starts(self) -> Iterator[SightOutcomes]:
        return (way for way in super()._starts() if way.sight.watched.seats == self._seats)
