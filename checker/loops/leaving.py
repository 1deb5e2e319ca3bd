"""Leaving: by which moves players, the rules or the cards get out of a loop, to where the turn can
end.

What the cards might do besides is not looked at here: whoever sits in a loop cannot count on it. A
move that the scope cuts may lead out of it: nobody has seen where it leads.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from ...models.options.reachable import reached
from ..reference.lasso import acts
from ..reference.semantics.graph import Graph
from ..types.position import OVER, Move, Position
from .stretches import CARDS, Stretches


@dataclass(frozen=True)
class WayOut:
    """*who* decides on the move (a seat, the ``rules`` or the ``cards``), its *clause*, and whether
    it lies *beyond* the scope.
    """

    who: int | Literal["rules", "cards"]
    clause: str
    beyond: bool = False


class Exits:
    """The ways out of the loops of one graph."""

    def __init__(self, stretches: Stretches) -> None:
        self._stretches, self._graph = stretches, stretches.graph

    def out_of(self, component: set[int], within: int) -> set[WayOut]:
        """Return the ways out of a *component* whose moves use only what is *within*."""
        return {way for position in component for way in self._from(position, component, within)}

    def _from(self, position: int, component: set[int], within: int) -> Iterator[WayOut]:
        graph = self._graph
        inside = {
            edge
            for edge, _, target in self._stretches.moves_within(position, within)
            if target in component
        }
        for edge in graph.edges(position):
            label = graph.label[edge]
            gets_out = self._stretches.ends_turn[label] or graph.target[edge] not in self._trapped
            if edge not in inside and gets_out and not self._stretches.uses[label] & CARDS:
                move = graph.moves[label]
                yield WayOut(_decider(graph, move), move.clause)
        for move in _beyond(graph, position):
            yield WayOut(_decider(graph, move), move.clause, beyond=True)

    @cached_property
    def _trapped(self) -> set[int]:
        """The positions after which the turn ends on no play, whatever anybody does, if the cards
        do nothing.
        """
        came = defaultdict[int, list[int]](list)
        out = []
        for position in range(len(self._graph.positions)):
            if self._gets_out(position):
                out.append(position)
            for _, use, target in self._stretches.moves_within(position):
                if not use & CARDS:
                    came[target].append(position)
        free, everywhere = reached(out, came.__getitem__), range(len(self._graph.positions))
        # A move beyond the scope is asked of the rules, which takes long: only where nothing else
        # leads out.
        beyond = [one for one in everywhere if one not in free and _beyond(self._graph, one)]
        free |= reached(beyond, came.__getitem__)
        return {one for one in everywhere if one not in free}

    def _gets_out(self, position: int) -> bool:
        """Whether the play ends in *position*, or the turn does by its next move, or nobody has
        looked.
        """
        graph, stretches = self._graph, self._stretches
        if (
            position >= graph.expanded
            or graph.positions[position].stage == OVER
            or not graph.edges(position)
        ):
            return True
        labels = (graph.label[edge] for edge in graph.edges(position))
        return any(
            stretches.ends_turn[label] and not stretches.uses[label] & CARDS for label in labels
        )


def _beyond(graph: Graph, position: int) -> list[Move]:
    """Return the moves of *position* that only the scope cuts, and in which the cards do
    nothing.
    """
    if position not in graph.cut:
        return []
    inside: set[tuple[Move, Position]] = {
        (graph.moves[graph.label[edge]], graph.positions[graph.target[edge]])
        for edge in graph.edges(position)
    }
    allowed = graph.interpreter.allowed(graph.positions[position])
    return [
        move
        for move, target in allowed
        if (move, target) not in inside and not acts("cards", move, graph.interpreter)
    ]


def _decider(graph: Graph, move: Move) -> int | Literal["rules", "cards"]:
    """Return who decides that *move* is made: who may make it, or who chooses first in what the
    rules demand.
    """
    if graph.interpreter.clauses[move.clause].mode == "may":
        return move.owner
    return next(
        (choice.by for choice in move.choices if choice.by != "rules"),
        move.owner if move.owner == "cards" else "rules",
    )
