"""Stretches: the moves of a graph that end no turn, each as the set of what it uses.

A set is a number with a bit for each member: `CARDS` if the cards do something in the move, and
`bit_of` its clause. So what a stretch of play uses is the union of its moves, and which of two
stretches uses less is asked of two numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ...properties import formula as f
from ..reference.formulas.monitor import said_of_move
from ..reference.lasso import acts
from ..reference.semantics.graph import Graph

CARDS = 1
"""The member that says that the cards do something."""
_TURN_ENDS = f.SequenceEvent("ends", "turn")


@dataclass
class Stretches:
    """What the moves of *graph* use.

    *uses* has the set of each label, *ends_turn* whether its move ends a turn; *clauses* are the
    ids by the number of their bit, less one.
    """

    graph: Graph
    clauses: tuple[str, ...] = ()
    uses: list[int] = field(default_factory=list)
    ends_turn: list[bool] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Look at every label once."""
        interpreter = self.graph.interpreter
        self.clauses = tuple(clause.id for _, clause in interpreter.program.clauses)
        bit_of = {clause: 2 << number for number, clause in enumerate(self.clauses)}
        for move in self.graph.moves:
            self.uses.append(
                bit_of[move.clause] | (CARDS if acts("cards", move, interpreter) else 0)
            )
            self.ends_turn.append(said_of_move(_TURN_ENDS, move, interpreter))

    def moves_within(
        self, position: int, within: int | None = None
    ) -> Iterator[tuple[int, int, int]]:
        """Yield edge, use and target of each move of *position*, if it is expanded, that ends no
        turn and uses only what is *within*.
        """
        if position < self.graph.expanded:
            for edge in self.graph.edges(position):
                label = self.graph.label[edge]
                if not self.ends_turn[label] and (
                    within is None or self.uses[label] | within == within
                ):
                    yield edge, self.uses[label], self.graph.target[edge]

    def components(
        self, within: int | None = None, among: Iterable[int] | None = None
    ) -> list[set[int]]:
        """Return the positions of each strongly connected component that has a loop, the one that
        is found first of all first.

        The moves are those of `moves_within`, *among* the positions that have to be looked at.
        """
        import networkx as nx  # noqa: PLC0415 - not quick to import

        found: nx.DiGraph[int] = nx.DiGraph()
        for position in range(self.graph.expanded) if among is None else among:
            found.add_edges_from(
                (position, target) for _, _, target in self.moves_within(position, within)
            )
        components = (
            c
            for c in nx.strongly_connected_components(found)
            if len(c) > 1 or any(found.has_edge(n, n) for n in c)
        )
        return sorted(components, key=min)
