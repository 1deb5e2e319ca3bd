"""Traces: plays as data, from the initial position to the moment that decides a question."""

from __future__ import annotations

from dataclasses import dataclass

from .position import Item, Move, Position


@dataclass(frozen=True)
class TraceStep:
    """A move and the position it leads to."""

    move: Move
    position: Position


@dataclass(frozen=True)
class SpotlitItem:
    """The item an item spotlight watches: put on a zone at moment *since* by event number *event*
    of that move.
    """

    item: Item
    since: int
    event: int


@dataclass(frozen=True)
class Trace:
    """A play whose last moment decides a question; with a *loop* or a *growth*, one that goes on
    for ever.

    Such a play goes back from its last moment to moment number *loop*, and round and round; or the
    moves after moment number *growth* can be made again and again, and each time some zones have
    more items (`growth`). It has one of the two at most. *spotlights* says which player (a seat) or
    which item each spotlight of the property stands for; an item spotlight that stands for no item
    in this play is left out.
    """

    initial: Position
    steps: tuple[TraceStep, ...]
    spotlights: tuple[tuple[str, int | SpotlitItem], ...] = ()
    loop: int | None = None
    growth: int | None = None

    @property
    def positions(self) -> tuple[Position, ...]:
        """The positions at moments 0, 1 and so on."""
        return (self.initial, *(step.position for step in self.steps))
