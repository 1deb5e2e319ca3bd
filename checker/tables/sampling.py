"""Sampling: a table for a game that is too large to be looked at as a whole, fitted to the
positions that it leads to.

A table is looked for in a part of the game, beyond which everything is taken as won; it is played;
and where it leads out of that part, or loses, more of the game is looked at there
(counterexample-guided inductive synthesis: Solar-Lezama, "Program sketching", STTT 2013). In the
end it has been played as a whole, so nothing is left to chance. A table that wins the game wins
every part of it, too: what is smallest in the last part is smallest.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from ...properties import formula as f
from ..reference.formulas.signals import Signals
from ..reference.semantics.explore import Graph
from ..reference.semantics.interpreter import Interpreter, Moves
from ..strategies.arena import arena_of
from ..strategies.forks import with_forced
from ..strategies.objective import Objective
from ..strategies.solve import solve
from ..types.budget import BudgetSpentError, Meter
from ..types.graphs import Edges
from ..types.position import Move, Position
from .playback import leads_out, play_back
from .search import Found, find_table

FIRST_PART, MOST_SAMPLED = 1_000, 20_000
"""How many positions are looked at to begin with, and at most."""


class _Sample:
    """The positions of a game that were looked at so far, in the order in which that was done."""

    def __init__(self, interpreter: Interpreter, meter: Meter) -> None:
        self.interpreter, self.meter = interpreter, meter
        self.moves: dict[Position, Moves] = {}
        self.add([interpreter.initial()], FIRST_PART)

    def add(self, positions: Iterable[Position], least: int) -> None:
        """Look at *positions*, and at what they lead to until there are *least* more; raise
        `BudgetSpentError` if there are too many.
        """
        waiting, end = list(positions), len(self.moves) + least
        wanted = len(waiting)
        for number, position in enumerate(waiting):
            if number >= wanted and len(self.moves) >= end:
                return
            if position in self.moves:
                continue
            if len(self.moves) >= MOST_SAMPLED:
                raise BudgetSpentError(f"{MOST_SAMPLED:,} positions were not enough to find one")
            self.meter.check(1, len(self.moves), 0)
            found = self.moves[position] = self.interpreter.moves(position)
            waiting += [target for _, target in found.moves if target not in self.moves]

    def graph(self) -> Graph:
        """Return what is known of the game: the positions that were looked at first, then those
        that moves lead to.
        """
        graph = Graph(self.interpreter, list(self.moves), found_by=array("q"))
        numbers = {position: number for number, position in enumerate(graph.positions)}
        labels: dict[Move, int] = {}
        for number, found in enumerate(self.moves.values()):
            for move, target in found.moves:
                if target not in numbers:
                    numbers[target] = len(graph.positions)
                    graph.positions.append(target)
                graph.label.append(labels.setdefault(move, len(labels)))
                graph.target.append(numbers[target])
            graph.first_edge.append(len(graph.target))
            if found.cut:
                graph.cut[number] = found.cut
        graph.moves = list(labels)
        return graph


def sampled_table(
    interpreter: Interpreter,
    question: f.Property,
    seats: tuple[int, ...],
    meter: Meter,
    *,
    beyond: bool,
) -> tuple[Objective, Found, int] | None:
    """Return a table by which the players on *seats* win, and how many positions it leads to.

    With it comes the objective on the part of the game that was looked at. That the others go
    *beyond* the scope is left out, or lost. None if no small table wins; raises `BudgetSpentError`
    if too much would have to be looked at.
    """
    sample, found = _Sample(interpreter, meter), None
    while True:
        objective = Objective(Signals(with_forced(sample.graph())), question, seats)
        arena = arena_of(objective, meter)
        priority = arena.with_ends(beyond=beyond, open_=True)
        solution = solve(arena.ours, priority, Edges(arena.first, arena.target))
        found = find_table(arena, solution, priority, meter, before=found)
        if found is None:
            return None
        unknown = leads_out(objective, found.rows, meter, beyond=beyond)
        if not unknown:
            return objective, found, play_back(objective, found.rows, meter, beyond=beyond)
        sample.add(
            [objective.graph.positions[number] for number in unknown], len(sample.moves) // 2
        )
