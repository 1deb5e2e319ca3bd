"""Playing a table back: its rows become guards, and whether it wins is decided, or proved.

The restricted game is made anew from the graph, the rows are asked of each decision by their
conditions, and nothing of the search for them is used. Plays that break a goal, or end where the
game does not, are looked for as `reference.lasso` looks for any. With a table of the others, no
play that keeps the assumptions may reach the objective, neither one that ends nor one that goes
round (`strategies.objective`). And the others have to be able to keep the assumptions against any
choice of the coalition.

Guarded games: a table as guards of the rules, so that what it wins can be proved for every size.

In comes a table that was played back, out goes the Program in which its rows bind the player who
enforces something, and what has to hold in it: no goal is ever broken, and play is never stuck. The
scope has no part in that. So what is proved holds for every number of players, with the one who
enforces it on the same seat, and for every depth.

Only goals that break at some moment are asked so; an act that is to happen only finitely often
never does. Rows are guards if they ask nothing of the past, and if their clauses surely come to
their end where their guards are true: so a row that applies can be followed.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import assert_never

import networkx as nx

from ...models import ir
from ...models.ir.parts import statements, with_locals
from ...properties import formula as f
from ...properties.formula import speaks_of
from ..questions.questions import Query
from ..reference.formulas.evaluate import ground
from ..reference.formulas.monitor import said_of_move
from ..reference.formulas.signals import Signals
from ..reference.lasso import LassoSearch
from ..reference.semantics.explore import Graph
from ..replay.replay import ReplayError
from ..strategies.forks import CUT, Fork, Forks, Way, sources_in
from ..strategies.objective import ASSUMED, DONE, Objective
from ..types.budget import Meter
from ..types.position import OVER, GuardedGame
from .conditions import WHO, TableConditions, cut_actions_of, fork_actions
from .search import GuardRow


def guarded_game(objective: Objective, rows: tuple[GuardRow, ...]) -> GuardedGame | None:
    """Return the game in which *rows* are guards; None if they cannot be, or if what they win is
    about what eventually comes.
    """
    program = objective.signals.graph.interpreter.program
    if not all(
        goal.kind in ("always", "finitely") and not goal.spotlights for goal in objective.goals
    ):
        return None
    seated = _Seated(program, objective.seats)
    if not all(seated.can_guard(row) for row in rows):
        return None
    stages = tuple(replace(stage, clauses=seated.clauses(stage, rows)) for stage in program.stages)
    never = [seated.of_formula(goal.formula) for goal in objective.goals]
    question = objective.question
    asked = tuple(
        replace(
            question,
            name=f"{question.name}/{number}",
            mode="always",
            spotlights=(),
            body=f.Not(one),
            assuming=(),
            enforced=None,
        )
        for number, one in enumerate([*never, f.Gap()])
    )
    return GuardedGame(
        replace(program, stages=stages, variables=(*program.variables, *seated.variables)), asked
    )


@dataclass
class _Seated:
    """*program* with a variable for the seat of each player spotlight, which never changes."""

    program: ir.Program
    seats: dict[str, int]

    def __post_init__(self) -> None:
        taken = {variable.name for variable in self.program.variables}
        self.names = {
            name: next(new for n in count() if (new := f"seat_{name}_{n}") not in taken)
            for name in self.seats
        }
        self.variables = tuple(
            ir.VariableDeclaration(
                self.names[name], ir.PlayerType(), False, ir.Literal(seat), "", ()
            )
            for name, seat in self.seats.items()
        )
        self.by_id = {clause.id: clause for _, clause in self.program.clauses}

    def can_guard(self, row: GuardRow) -> bool:
        """Whether *row* can be a guard."""
        is_sure = all(map(self._is_sure, statements(self.by_id[row.action.clause].body)))
        return (
            is_sure
            and not row.action.choice
            and all(one.expression is not None for one in row.conditions)
        )

    def _is_sure(self, statement: ir.Statement) -> bool:
        """Whether *statement* makes no move impossible: numbers might leave their range, and a
        sequence beside the turn not go on.
        """
        match statement:
            case ir.Assign(name):
                return not any(
                    one.name == name and isinstance(one.type, ir.NumberType)
                    for one in self.program.variables
                )
            case ir.Put():
                return not any(
                    isinstance(attribute.type, ir.NumberType)
                    for attribute in self.program.attributes
                )
            case ir.Go(stage):
                return not any(
                    isinstance(parameter.type, ir.NumberType)
                    for parameter in self.program.stage(stage).parameters
                )
            case ir.Advance(sequence):
                return sequence == ir.TURN
            case (
                ir.Plain()
                | ir.If()
                | ir.Let()
                | ir.Branch()
                | ir.Leave()
                | ir.Move()
                | ir.BeginResolving()
                | ir.GameOver()
            ):
                return True
            case ir.Require() | ir.Choose() | ir.ForEach() | ir.Alter():
                return False
            case _:
                assert_never(statement)

    def clauses(self, stage: ir.Stage, rows: tuple[GuardRow, ...]) -> tuple[ir.Clause, ...]:
        """Return the clauses of *stage*, whose players do what one of *rows* says where any
        applies.
        """
        here = [row for row in rows if row.action.clause in {clause.id for clause in stage.clauses}]
        applies = [(row, self._applies(row)) for row in here]
        if not here:
            return stage.clauses
        return tuple(
            self._bound(clause, applies) if clause.mode == "may" else clause
            for clause in stage.clauses
        )

    def _bound(self, clause: ir.Clause, applies: list[tuple[GuardRow, ir.Expr]]) -> ir.Clause:
        owner = (
            ir.Local(clause.owner.variable)
            if clause.owner.variable is not None
            else clause.owner.player
        )
        assert owner is not None  # a may clause is a player's
        guards = [clause.guard]
        for seat in dict.fromkeys(row.action.seat for row, _ in applies):
            who = self._who(seat)
            said = [(row, condition) for row, condition in applies if row.action.seat == seat]
            none = ir.Not(ir.Any(tuple(condition for _, condition in said)))
            this = [condition for row, condition in said if row.action.clause == clause.id]
            guards.append(ir.Any((ir.Not(ir.Equal(owner, who)), none, *this)))
        return replace(clause, guard=ir.All(tuple(guards)))

    def _applies(self, row: GuardRow) -> ir.Expr:
        """Return that *row* applies: its player may use its clause, and all that it asks is so."""
        clause, who = self.by_id[row.action.clause], self._who(row.action.seat)
        asked = [
            with_locals(one.expression, {WHO: who})
            for one in row.conditions
            if one.expression is not None and not one.negated
        ]
        asked += [
            ir.Not(with_locals(one.expression, {WHO: who}))
            for one in row.conditions
            if one.expression is not None and one.negated
        ]
        if clause.owner.variable is not None:
            its = {clause.owner.variable: who}
            return ir.All(
                (with_locals(clause.owner.condition, its), with_locals(clause.guard, its), *asked)
            )
        assert clause.owner.player is not None
        return ir.All((ir.Equal(clause.owner.player, who), clause.guard, *asked))

    def _who(self, seat: int) -> ir.Expr:
        return ir.Variable(
            next(self.names[name] for name, one in self.seats.items() if one == seat)
        )

    def of_formula(self, formula: f.Formula) -> f.Formula:
        """Return *formula* about the variables in the place of its spotlights."""
        return with_locals(
            formula, {name: ir.Variable(variable) for name, variable in self.names.items()}
        )


def play_back(
    objective: Objective,
    rows: tuple[GuardRow, ...],
    meter: Meter,
    *,
    beyond: bool,
    ours: bool = True,
) -> int:
    """Return how many positions, each with what is remembered, the table of *rows* leads to, which
    is the coalition's if it is *ours*.

    Raises `ReplayError` unless *objective* is reached on every play with it and none ends too
    early, or on no play if it is the others'; that the others go beyond the scope is left out if
    *beyond*, else that must not happen.
    """
    restricted = RestrictedGame(objective, rows, beyond=beyond, ours=ours)
    restricted.explore(meter)
    if restricted.unknown:
        raise ReplayError(
            f"{objective.question.name}: the table found leads to where nobody has looked"
        )
    if not ours:
        restricted.hold_unreached()
        return len(restricted.states)
    for number, goal in enumerate(objective.goals):
        if restricted.breaks(number, goal, meter):
            raise ReplayError(
                f"{objective.question.name}: the table found does not enforce `{goal.kind}`"
            )
    return len(restricted.states)


def leads_out(
    objective: Objective, rows: tuple[GuardRow, ...], meter: Meter, *, beyond: bool
) -> list[int]:
    """Return the unexplored positions to which the coalition's table of *rows* leads."""
    restricted = RestrictedGame(objective, rows, beyond=beyond, ours=True)
    restricted.explore(meter)
    return list(restricted.unknown)


class RestrictedGame:
    """The game with a table, as a graph whose positions are those of the game, each as often as the
    objective remembers other things.
    """

    def __init__(
        self, objective: Objective, rows: tuple[GuardRow, ...], *, beyond: bool, ours: bool
    ) -> None:
        self.objective, self.rows, self.beyond, self.ours = objective, rows, beyond, ours
        self.whole = objective.graph
        self.conditions = TableConditions(objective)
        self.forks = Forks(self.whole, objective.coalition, each=not ours)
        self.states: list[tuple[int, int]] = []
        self.priority, self.taken = list[int](), list[int]()
        self.unknown: dict[int, None] = {}
        self.graph = Graph(self.whole.interpreter, [], array("q", [0]), moves=self.whole.moves)

    def explore(self, meter: Meter) -> None:
        """Find all that the table leads to."""
        graph, start = self.graph, self.objective.start()
        first = 0, start.memory
        is_ended = start.won or (start.lost and not self.ours)
        numbers, ended = {first: 0}, {first} if is_ended else set()
        self.states.append(first)
        for position, memory in self.states:
            meter.check(1, len(self.states), len(graph.target))
            graph.positions.append(self.whole.positions[position])
            edges = [] if (position, memory) in ended else self.edges(position, memory)
            for edge in edges:
                target = self.whole.target[edge]
                if target >= self.whole.expanded:
                    self.unknown[target] = None
                    continue
                seen = self.objective.step(memory, self.whole.label[edge], target)
                state = (target, seen.memory)
                if state not in numbers:
                    numbers[state] = len(self.states)
                    self.states.append(state)
                    graph.found_by.append(len(graph.target))
                    if seen.won or (seen.lost and not self.ours):
                        ended.add(state)
                if seen.won and not self.ours:
                    raise ReplayError(
                        f"{self.objective.question.name}: with the table found the objective is "
                        "reached"
                    )
                self.priority.append(seen.priority)
                self.taken.append(edge)
                graph.label.append(self.whole.label[edge])
                graph.target.append(numbers[state])
            graph.first_edge.append(len(graph.target))
            is_stuck = not edges and self.whole.positions[position].stage != OVER
            if is_stuck and self.ours and (position, memory) not in ended:
                raise ReplayError(
                    f"{self.objective.question.name}: with the table found a play is stuck"
                )
        if any(speaks_of(goal.formula, "enabled") for goal in self.objective.goals):
            graph.cut.update(
                dict.fromkeys(range(len(self.states)), 1)
            )  # what is enabled is asked of the rules, not of the table

    def edges(self, position: int, memory: int) -> list[int]:
        """Return the edges of the whole graph that may be taken from *position*, with *memory* of
        the past.
        """
        way = self.forks.decided_in(position)
        return [] if way is None else list(self._taken(way, position, memory))

    def _taken(self, way: Way, position: int, memory: int) -> Iterator[int]:
        if not isinstance(way, Fork):
            if way != CUT:
                yield way
            elif self.ours and not self.beyond:
                raise ReplayError(
                    f"{self.objective.question.name}: with the table found the others can go "
                    "beyond the scope"
                )
            return
        for option in self._options(way, position, memory):
            yield from self._taken(option, position, memory)

    def _options(self, fork: Fork, position: int, memory: int) -> list[Way]:
        """Return the ways of *fork* that may be taken."""
        allowed = self._allowed(fork, position, memory) if fork.by_coalition == self.ours else None
        return [
            option
            for (_, option), is_allowed in zip(
                fork.ways, allowed or [True] * len(fork.ways), strict=True
            )
            if is_allowed
        ]

    def _allowed(self, fork: Fork, position: int, memory: int) -> list[bool] | None:
        """Return which ways of a *fork* of its side the table allows; None if no row applies, and
        anything may be done.
        """
        actions = fork_actions(self.objective, fork)
        cut = cut_actions_of(self.objective, fork)
        applying = [
            row.action
            for row in self.rows
            if (row.action in actions or row.action in cut)
            and all(
                self.conditions.is_true(one, position, memory, row.action.seat)
                for one in row.conditions
            )
        ]
        if any(action in cut for action in applying) or (cut and not applying):
            raise ReplayError(
                f"{self.objective.question.name}: the table found leads beyond the scope"
            )
        return [action in applying for action in actions] if applying else None

    # ------------------------------------------------------------------ what is decided

    def hold_unreached(self) -> None:
        """Raise `ReplayError` if a play reaches the objective and all who are assumed to act only
        finitely often do.

        It ends so, or goes round so that the greatest priority is even. So it is, too, if the
        others cannot but act for ever.
        """
        for number, (position, memory) in enumerate(self.states):
            is_over = not self.graph.edges(number) and self.whole.positions[position].stage == OVER
            if is_over and self.objective.is_reached(memory):
                raise ReplayError(
                    f"{self.objective.question.name}: with the table found a play ends as it is "
                    "wanted"
                )
        if self._comes_again(
            lambda edge: self.priority[edge] <= DONE, lambda edge: self.priority[edge] == DONE
        ):
            raise ReplayError(
                f"{self.objective.question.name}: with the table found a play goes on as it is "
                "wanted"
            )
        if not self._can_end():
            raise ReplayError(
                f"{self.objective.question.name}: with the table found somebody acts for ever who "
                "is assumed not to"
            )

    def _can_end(self) -> bool:
        """Whether the others, who do what the table allows, can bring about that all who are
        assumed to act only finitely often do.
        """
        sources, safe, before = sources_in(self.graph), set[int](), -1
        while (
            0 not in safe and len(safe) != before
        ):  # from there they can stay without such acts, or come to where that was so
            before, left = len(safe), set(range(len(self.states)))
            waiting = list(left - safe)
            while waiting:
                number = waiting.pop()
                if number in left and number not in safe and not self._can_stay(number, left, safe):
                    left.remove(number)
                    waiting += sources[number]
            safe = left
        return 0 in safe

    def _can_stay(self, number: int, left: set[int], safe: set[int]) -> bool:
        """Whether the others can go on from a state to one of *left* without an act that is assumed
        to end, or to one of *safe*.
        """
        edges, (position, memory) = self.graph.edges(number), self.states[number]
        if not edges:
            return True
        places = {
            edge: place
            for place, edge in zip(edges, self.taken[edges.start : edges.stop], strict=True)
        }

        def can(way: Way) -> bool:
            if not isinstance(way, Fork):
                place = places[way]
                target = self.graph.target[place]
                return target in safe or (target in left and self.priority[place] != ASSUMED)
            ways = [option for option in self._options(way, position, memory) if option != CUT]
            return all(map(can, ways)) if way.by_coalition else any(map(can, ways))

        way = self.forks.decided_in(position)
        assert way is not None
        return can(way)

    def breaks(self, number: int, goal: f.Goal, meter: Meter) -> bool:
        """Whether some play breaks *goal* on which those act only finitely often who are assumed
        to; it is the one of that *number*.
        """
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
        asked = self.objective.of_seats(formula)
        search = LassoSearch(Signals(self.graph), Query(asked, goal.spotlights), meter)
        search.may_repeat = [not assumed for assumed in self.objective.assumed]
        return search.find_play().found

    def _is_never_done(self, goal: int) -> bool:
        """Whether a play can end, or go on for ever, on which no item does what the *goal* of that
        number says of some item.

        A spotlight may be any item, so what none of them does is no formula; it is what the
        objective remembers.
        """
        goals = [self.objective.memories[memory].goals for _, memory in self.states]
        done = [bool(memory) and memory[goal].done for memory in goals]
        if any(not self.graph.edges(number) for number, is_done in enumerate(done) if not is_done):
            return True
        # What is done stays done.
        return self._comes_again(self._may_repeat, lambda edge: not done[self.graph.target[edge]])

    def _again_and_again(self, formula: f.Formula) -> bool:
        """Whether *formula*, which is about the move alone, can be true again and again."""
        interpreter, graph = self.whole.interpreter, self.graph
        asked = ground(formula, self.objective.seats, interpreter.expressions)
        assert isinstance(asked, f.PlayerEvent | f.Uses | f.SequenceEvent)
        return self._comes_again(
            self._may_repeat,
            lambda edge: said_of_move(asked, graph.moves[graph.label[edge]], interpreter),
        )

    def _may_repeat(self, edge: int) -> bool:
        return not self.objective.assumed[self.graph.label[edge]]

    def _comes_again(
        self, may_take: Callable[[int], bool], is_wanted: Callable[[int], bool]
    ) -> bool:
        """Whether an edge that *is_wanted* can be taken again and again, beside edges that one
        *may_take*.
        """
        taken = [
            (number, edge)
            for number in range(len(self.states))
            for edge in self.graph.edges(number)
            if may_take(edge)
        ]
        again: nx.DiGraph[int] = nx.DiGraph()
        again.add_edges_from((number, self.graph.target[edge]) for number, edge in taken)
        parts = {
            state: number
            for number, part in enumerate(nx.strongly_connected_components(again))
            for state in part
        }
        return any(
            is_wanted(edge) and parts[number] == parts[self.graph.target[edge]]
            for number, edge in taken
        )
