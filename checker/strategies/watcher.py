"""Watchers: what one goal of an objective remembers of a play, all that its item spotlights may stand for at once.

The states are those of `reference.lasso`: monitor states, with a bit that says whether the formula is true now. Several item
spotlights, or one that has not turned to an item yet, make several of them; a watcher goes on with all, so it is deterministic.
"""

from __future__ import annotations

from typing import TypeAlias

from ...properties import formula as f
from ..reference.formulas.monitor import Signal
from ..reference.formulas.signals import Signals
from ..reference.formulas.watch import MonitorState, Sight, SightOutcomes
from ..reference.lasso import TRUE, LassoSearch
from ..types.budget import Meter

Threads: TypeAlias = frozenset[int]
"""The numbers of monitor states, one for each way in which item spotlights may stand for items."""


class Watcher(LassoSearch):
    """The monitor states of one *formula*, whose player spotlights stand for *seats*."""

    def __init__(
        self, signals: Signals, formula: f.Formula, players: tuple[f.Spotlight, ...], items: tuple[f.Spotlight, ...], seats: tuple[int, ...]
    ) -> None:
        super().__init__(signals, formula, (*players, *items), (), Meter())
        self._seats = seats

    @property
    def kinds(self) -> list[int]:
        """The class of each label of the graph: two moves of one class are the same to the formula."""
        return self._classes

    def start(self) -> Threads:
        """Return the states at moment 0, in a position that is expanded."""
        nothing, watched = (None,) * len(self.items), self._unseen()
        way = SightOutcomes(Sight(watched, ((),) * len(self.items), nothing), None, self._eye(watched).rows)
        outcome = self._outcome(way, way.rows[0])
        return frozenset({outcome} if outcome >= 0 else ())

    def asked(self) -> list[Signal] | None:
        """Return all that the formula asks of a position; None if it may ask more once its spotlights have turned to items."""
        return None if self.items else self._eye(self._unseen()).monitor.signals

    def _unseen(self) -> MonitorState:
        nothing = (None,) * len(self.items)
        return MonitorState(self._seats, nothing, nothing)

    def after(self, threads: Threads, label: int, position: int) -> Threads:
        """Return the states after *threads* and the move *label* to an expanded *position*, but those that can matter no more."""
        found, kind = set(), self._classes[label]
        for thread in threads:
            for way, rows, outcomes in self._ways[thread].get(kind) or self._new_ways(thread, kind):
                row = rows[position]
                outcome = outcomes[row] if row in outcomes else self._outcome(way, row)
                if outcome >= 0:
                    found.add(outcome)
        return frozenset(found)

    def bits(self, thread: int) -> int:
        """Return what the state *thread* remembers, a bit for each part that looks back."""
        return self._watched[thread].bits

    def true(self, threads: Threads) -> Threads:
        """Return those of *threads* in which the formula is true."""
        return frozenset(thread for thread in threads if self._watched[thread].bits & TRUE)
