"""The future: is there a play of which a formula about the future is true at moment 0? One that goes round, or ends, if there is one.

In comes a graph and a `formula.Temporal` over the parts of a conjunction, out goes what was found. The search is that of `lasso`, but
for what is remembered: for each ``until`` it is guessed at every moment whether it is true, in all ways at once, and a guess must come
true (the tableau of Lichtenstein and Pnueli, 1985; as a generalized Büchi automaton: Gerth, Peled, Vardi and Wolper, "Simple on-the-fly
automatic verification of linear temporal logic", 1995):

- where its right side is true it is true, where neither side is it is not, and else it is what it is at the next moment;
- at the last moment of a play that ends it is what its right side is;
- in a loop there is, for each ``until``, a moment at which it is not true or its right side is, so that nothing is put off for ever.

The second and the third are asked of what is found, the first of every move. Past formulas are the monitor's bits as ever.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ...properties import formula as f
from ...properties.binding.future import untils
from ..questions.endless import puts_without_end
from ..questions.questions import SearchResult
from ..types.budget import Meter
from ..types.position import Move
from ..types.trace import Trace
from .formulas.signals import Signals
from .formulas.watch import NEVER_TRUE, MonitorState, Sight, SightOutcomes
from .lasso import LassoSearch

if TYPE_CHECKING:
    from networkx import DiGraph

_GUESSES = 1 << 62
"""The first bit beside the monitor's: for each ``until`` what is guessed, then whether it is put off, then whether it is fair."""


def _finitely_often(part: int) -> f.Temporal:
    """Return that the formula of that number is true only finitely often: from some moment on it never is."""
    anything = f.Together(())
    return f.Until(anything, f.Otherwise(f.Until(anything, f.PartHolds(part))))


class FutureSearch(LassoSearch):
    """The search for a play on which *temporal* is true at moment 0; *formula* is the conjunction whose parts it speaks of."""

    def __init__(
        self,
        signals: Signals,
        formula: f.And,
        temporal: f.Temporal,
        spotlights: tuple[f.Spotlight, ...],
        assuming: tuple[f.Assumption, ...],
        meter: Meter,
    ) -> None:
        super().__init__(signals, formula, spotlights, assuming, meter)
        self._whole, self._parts, self._untils = temporal, formula.parts, untils(temporal)

    def look(self) -> SearchResult:
        """Return whether there is such a play, with one that is as short as the way to its loop can be."""
        self._search()
        way = self._way_to_an_end() or self._way_round()
        return SearchResult(way is not None, 0, "" if way else self.graph.stopped, way, hides=way is None and self._hides())

    def _hides(self) -> bool:
        """Whether cut moves may hide a play that goes on for ever; what is said to happen finitely often does not make one."""
        assuming, ended = set(self._assuming), set[str]()
        conjuncts = self._whole.parts if isinstance(self._whole, f.Together) else (self._whole,)
        for number, part in enumerate(self._parts):
            if _finitely_often(number) not in conjuncts:
                continue
            if part == f.PlayerEvent("acts", None):
                assuming.add("players")
            elif isinstance(part, f.Uses) and part.player is None:
                ended.add(part.clause)
        graph, size = self.graph, len(self.graph.positions)
        is_cut = any(state % size in graph.cut for state in self._came)
        return is_cut and puts_without_end(graph.interpreter.program, tuple(assuming), ended)

    # ------------------------------------------------------------------ guessing

    def _starts(self) -> Iterator[SightOutcomes]:
        for start in super()._starts():
            for guess in range(1 << len(self._untils)):
                yield SightOutcomes(start.sight._replace(guess=guess), None, start.rows)

    def _sights(self, watched: MonitorState, move: Move) -> Iterator[Sight]:
        """Return every way to watch *move* with every guess that keeps what was put off."""
        guessed, put_off, _ = self._guesses(watched)
        for sight in super()._sights(watched, move):
            for guess in range(1 << len(self._untils)):
                if not (guess ^ guessed) & put_off:
                    yield sight._replace(guess=guess)

    def _outcome(self, way: SightOutcomes, row: int) -> int:
        """Return the number of the `MonitorState` that *way* comes to in a position of *row*, or `NEVER_TRUE` if its guess is wrong."""
        way.outcomes[row] = NEVER_TRUE
        if row >= 0:
            watched, eye, guess = way.sight.watched, self._eye(way.sight.watched), way.sight.guess
            truths, bits = eye.monitor.parts(watched.bits & (_GUESSES - 1), self._now(way, row))
            put_off, fair, is_right = self._judged(truths, guess)
            if is_right and (way.move is not None or self._truth(self._whole, truths, guess)):
                size = len(self._untils)
                remembered = guess | put_off << size | fair << 2 * size
                way.outcomes[row] = self._number(watched._replace(bits=bits | remembered * _GUESSES))
        return way.outcomes[row]

    def _guesses(self, watched: MonitorState) -> tuple[int, int, int]:
        """Return which ``until`` are guessed true, which are put off to the next moment, and which are fair here."""
        size = len(self._untils)
        remembered, mask = watched.bits // _GUESSES, (1 << size) - 1
        return remembered & mask, remembered >> size & mask, remembered >> 2 * size & mask

    def _judged(self, truths: tuple[bool, ...], guess: int) -> tuple[int, int, bool]:
        """Return which ``until`` are put off, which are fair, and whether *guess* can be right where the parts have these *truths*."""
        put_off = fair = 0
        for number, until in enumerate(self._untils):
            is_true = bool(guess >> number & 1)
            left, right = (self._truth(side, truths, guess) for side in (until.left, until.right))
            if (right and not is_true) or (is_true and not left and not right):
                return 0, 0, False
            put_off |= (left and not right) << number
            fair |= (right or not is_true) << number
        return put_off, fair, True

    def _truth(self, temporal: f.Temporal, truths: tuple[bool, ...], guess: int) -> bool:
        match temporal:
            case f.PartHolds(number):
                return truths[number]
            case f.Otherwise(operand):
                return not self._truth(operand, truths, guess)
            case f.Together(parts):
                return all(self._truth(part, truths, guess) for part in parts)
            case f.Until():
                return bool(guess >> self._untils.index(temporal) & 1)

    # ------------------------------------------------------------------ what is accepted

    def _is_true(self, state: int) -> bool:
        """Whether the play may end in *state*: nothing is put off there that is guessed true."""
        guessed, put_off, _ = self._guesses(self._watched[state // len(self.graph.positions)])
        return not guessed & put_off

    def _way_round(self) -> Trace | None:
        """Return a play into a loop in which nothing is put off for ever."""
        import networkx as nx  # noqa: PLC0415 - only here, and not quick to import

        found: DiGraph[int] = nx.DiGraph()
        for state in self._came:
            found.add_edges_from((state, after) for after in self._onward(state))
        every, chosen = (1 << len(self._untils)) - 1, dict[int, set[int]]()
        for component in nx.strongly_connected_components(found):
            if len(component) > 1 or any(found.has_edge(state, state) for state in component):
                fair = 0
                for state in component:
                    fair |= self._fair(state)
                if fair == every:
                    chosen.update(dict.fromkeys(component, component))
        first = next((state for state in self._came if state in chosen), None)
        if first is None:
            return None
        around = self._around(found.subgraph(chosen[first]), first)
        way = self._states_to(first)
        trace = self._told([*way, *around], repeated=len(way) - 1)
        return replace(trace, loop=len(way) - 1)

    def _fair(self, state: int) -> int:
        return self._guesses(self._watched[state // len(self.graph.positions)])[2]

    def _around(self, component: DiGraph[int], first: int) -> list[int]:
        """Return the states of a way from *first* back to it, without *first* at its beginning, on which each ``until`` is fair once."""
        wanted = ((1 << len(self._untils)) - 1) & ~self._fair(first)
        way, here = list[int](), first
        while wanted:
            steps = self._shortest(component, here, {state for state in component if self._fair(state) & wanted})
            for state in steps:
                wanted &= ~self._fair(state)
            way, here = [*way, *steps], steps[-1]
        return way if way and here == first else [*way, *self._shortest(component, here, {first})]

    def _shortest(self, component: DiGraph[int], start: int, goals: Collection[int]) -> list[int]:
        """Return the states of a shortest way of one move or more from *start* to a goal, without *start*."""
        came, open_ = dict[int, int](), deque([start])
        while open_:
            state = open_.popleft()
            for after in component.successors(state):
                if after in came:
                    continue
                came[after] = state
                if after in goals:
                    way = [after]
                    while came[way[-1]] != start:
                        way.append(came[way[-1]])
                    return way[::-1]
                open_.append(after)
        raise AssertionError("a component whose states do not reach each other")
