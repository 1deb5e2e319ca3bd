"""Lassos: can a formula be true from some moment on for ever, or at the end of a play that ends? A
play that shows it, if there is one.

In comes a graph and a formula with its spotlights, out goes what was found, the play as a lasso: a
way to a loop, and the loop. The states are those of `Watch`, each with the truth of the formula in
it. What goes on for ever in a finite graph goes round in a strongly connected component of the
states in which the formula is true (Lichtenstein and Pnueli, "Checking that finite state concurrent
programs satisfy their linear specification", POPL 1985); moves that only happen finitely often are
no edges of it. So the loop is made of moves that are there, not of a component's edges.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ...properties import formula as f
from ..questions.questions import Query, SearchResult, may_hide
from ..types.budget import Meter
from ..types.graphs import shortest_way
from ..types.position import Move, Trace
from .formulas.signals import Signals
from .formulas.watch import NEVER_TRUE, SightOutcomes, Watch
from .semantics.interpreter import Interpreter

if TYPE_CHECKING:
    from networkx import DiGraph

TRUE = 1 << 62
"""The bit beside the monitor's that says the formula is true now."""


class LassoSearch(Watch):
    """The search for a play on which one formula stays true."""

    def __init__(self, signals: Signals, query: Query, meter: Meter) -> None:
        super().__init__(signals, query, meter)
        interpreter = signals.graph.interpreter
        self.may_repeat = [
            not any(acts(who, move, interpreter) for who in query.assuming)
            for move in signals.graph.moves
        ]

    def find_play(self) -> SearchResult:
        """Return whether there is such a play, with one that is as short as the way to its loop can
        be.
        """
        self._search()  # nothing ends it: the formula being true is a bit of what is watched
        way = self._way_to_an_end() or self._way_round()
        return SearchResult(
            way is not None,
            0,
            "" if way else self.graph.stopped,
            way,
            hides=way is None and self._hides(),
        )

    # ------------------------------------------------------------------ the states

    def _outcome(self, way: SightOutcomes, row: int) -> int:
        """Return the number of the `MonitorState` that *way* comes to in a position of *row*; the
        formula being true is a bit of it.
        """
        way.outcomes[row] = NEVER_TRUE
        if row >= 0:
            is_true, then = self._moment(way, row)
            if then is not None:
                way.outcomes[row] = self._state_number(
                    then._replace(bits=then.bits | (TRUE if is_true else 0))
                )
        return way.outcomes[row]

    def _is_true(self, state: int) -> bool:
        return bool(self._watched[state // len(self.graph.positions)].bits & TRUE)

    # ------------------------------------------------------------------ where it stays true

    def _way_to_an_end(self) -> Trace | None:
        """Return a shortest play that ends while the formula is true; the end of a scope is no
        end.
        """
        graph, size = self.graph, len(self.graph.positions)
        for state in self._came:
            position = state % size
            if position < graph.expanded and self._is_true(state) and self.signals.ends(position):
                return self._trace_through(self._states_to(state))
        return None

    def _way_round(self) -> Trace | None:
        """Return a play into a loop in which the formula stays true."""
        import networkx as nx  # noqa: PLC0415 - only here, and not quick to import

        found: DiGraph[int] = nx.DiGraph()
        for state in self._came:
            found.add_edges_from((state, after) for after in self._again(state))
        chosen = dict[int, set[int]]()
        for component in nx.strongly_connected_components(found):
            goes_round = len(component) > 1 or any(
                found.has_edge(state, state) for state in component
            )
            if goes_round and self._is_loop(component):
                chosen.update(dict.fromkeys(component, component))
        first = next((state for state in self._came if state in chosen), None)
        if first is None:
            return None
        way, trace = self._told_again(first, self._around(found.subgraph(chosen[first]), first))
        return replace(trace, loop=way)

    def _again(self, state: int) -> Iterable[int]:
        """Return the states that may come after *state* in a loop."""
        return self._repeatable(state) if self._is_true(state) else ()

    def _is_loop(
        self,
        component: Iterable[int],  # noqa: ARG002 - the search for what is put off asks
    ) -> bool:
        """Whether a play that goes round in *component* is one that is looked for."""
        return True

    def _around(self, component: DiGraph[int], first: int) -> list[int]:
        """Return the states of a shortest way in *component* from *first* back to it, without
        *first* at its beginning.
        """
        return shortest(component, first, {first})

    def _hides(self) -> bool:
        """Whether cut moves may hide a play that goes on for ever: those of positions after which
        the formula may be true.
        """
        graph, size = self.graph, len(self.graph.positions)
        is_cut = any(state % size in graph.cut for state in self._came)
        return is_cut and may_hide(graph.interpreter.program, self.query)

    def _repeatable(self, state: int) -> list[int]:
        """Return the states in which the formula is still true and to which a move leads that may
        happen again and again.
        """
        return [
            after
            for after in self._onward(state)
            if self._watched[after // len(self.graph.positions)].bits & TRUE
        ]

    def _onward(self, state: int) -> Iterator[int]:
        """Yield the states to which a move leads that may happen again and again."""
        graph, size = self.graph, len(self.graph.positions)
        which, source = divmod(state, size)
        for edge in graph.edges(source) if source < graph.expanded else ():
            if self.may_repeat[graph.label[edge]]:
                target = graph.target[edge]
                for _, outcome in self._outcomes(which, self._classes[graph.label[edge]], target):
                    if outcome >= 0:
                        yield outcome * size + target

    # ------------------------------------------------------------------ the play

    def _told_again(self, first: int, around: list[int]) -> tuple[int, Trace]:
        """Return a shortest play to *first* and on through *around*, whose moves may happen again
        and again, and when it is at *first*.
        """
        way = self._states_to(first)
        return len(way) - 1, self._trace_through([*way, *around], repeated=len(way) - 1)


def shortest(graph: DiGraph[int], start: int, goals: Container[int]) -> list[int]:
    """Return the states of a shortest way of one move or more in *graph* from *start* to a goal,
    without *start*.
    """
    return shortest_way(
        start,
        lambda state: ((after, after) for after in graph.successors(state)),
        goals.__contains__,
    )


def acts(who: f.Assumption, move: Move, interpreter: Interpreter) -> bool:
    """Whether *move* is one of those that `formula.Property` means by *who*: a player's that is no
    pass, or cards do something in it.
    """
    clause = interpreter.clauses[move.clause]
    if who == "players":
        return clause.mode == "may" and all(event.kind != "passes" for event in move.events)
    happened = any(
        choice.by == "cards" and not choice.what and choice.at > 0 for choice in move.choices
    )
    return clause.mode == "chance" or happened
