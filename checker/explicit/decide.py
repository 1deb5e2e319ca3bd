"""Deciding one formula: is it true at some moment of some play? The shortest such play, if there is one.

In comes a Program, a scope and a formula with its spotlights, out goes an `Answer`. The search finds the
positions of a play, with what is watched in them; which moves lead from one to the next is told by a second
text (`watched.Telling`), by their numbers in NOTE(move-order). The moves themselves, with their choices and
events, are those of a *player*, whoever knows the moves of a position in that order: the text and the
player have to agree on every position of the play, or the play is not told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Protocol

from ...models import ir
from ...properties import formula as f
from ..budget import Meter
from ..position import Move, Position
from ..scope import Scope
from ..trace import SpotlitItem, Step, Trace
from .emit import Emitted, emit_watched
from .interpreted import Interpreted
from .layout import Layout, Words
from .search import SMALL, Result, Watch, search
from .watched import TOLD


class Found(Protocol):
    """The moves of a position."""

    @property
    def moves(self) -> Sequence[tuple[Move, Position]]:
        """Each move with the position it leads to, in NOTE(move-order)."""


class Player(Protocol):
    """Whoever knows the moves of a position: the reference interpreter."""

    def moves(self, position: Position) -> Found:
        """Return the moves of *position*."""


@dataclass(frozen=True)
class Answer:
    """A shortest play to a moment at which the formula is true, or None, and the *result* of the search for it."""

    trace: Trace | None
    result: Result


def look_for(
    program: ir.Program,
    scope: Scope,
    formula: f.Formula,
    spotlights: Sequence[f.Spotlight],
    player: Player,
    meter: Meter,
    small: int = SMALL,
) -> Answer:
    """Return a shortest play of *program* to a moment at which *formula* is true, if there is one within *scope*."""
    emitted = emit_watched(program, scope, formula, spotlights)
    seats = [spotlight.name for spotlight in spotlights if spotlight.kind == "player"]
    starts = _starts(emitted.layout, seats)
    result = search(emitted, meter, small, starts=starts, watch=Watch(0, 1, 1))
    if 0 not in result.plays:
        return Answer(None, result)
    telling = emit_watched(program, scope, formula, spotlights, telling=True)
    return Answer(_told(telling, starts, result.plays[0], spotlights, player), result)


def _starts(layout: Layout, seats: Sequence[str]) -> list[Words]:
    """Return the variables at first, with every choice of players."""
    starts = []
    for chosen in product(range(layout.players), repeat=len(seats)):
        words = list(layout.initial())
        for name, seat in zip(seats, chosen, strict=True):
            layout.extra[f"seat of {name}"].write(words, seat)
        starts.append(tuple(words))
    return starts


def _told(telling: Emitted, starts: Sequence[Words], play: Sequence[Words], spotlights: Sequence[f.Spotlight], player: Player) -> Trace:
    """Return *play* as a trace that ends with a move that makes the formula true, or at one of the *starts* where it is true."""
    layout, run, steps = telling.layout, Interpreted(telling), []
    if not play:
        play = next([first[0][: layout.words]] for first, bits in map(run.begun, starts) if bits)
    else:
        play = [*play, next(told[: layout.words] for told in run.outputs(play[-1]) if told[-1])]
    items = [spotlight.name for spotlight in spotlights if spotlight.kind == "item"]
    spotlit: list[tuple[str, int | SpotlitItem]] = [
        (spotlight.name, layout.extra[f"seat of {spotlight.name}"].read(play[0])) for spotlight in spotlights if spotlight.kind == "player"
    ]
    for moment, (words, after) in enumerate(pairwise(play), 1):
        is_last = moment == len(play) - 1
        found = (told for told in run.outputs(words) if told[: layout.words] == after and (told[-1] or not is_last))
        number, turned, _ = next(found)[layout.words :]
        move, target = player.moves(layout.unpack(words)).moves[number]
        if target != layout.unpack(after):
            raise AssertionError(f"move {number} of {layout.unpack(words)} leads elsewhere")
        steps.append(Step(move, target))
        puts = [at for at, event in enumerate(move.events) if event.kind == "put"]
        for order, name in enumerate(items):
            if which := turned >> TOLD * order & (1 << TOLD) - 1:
                item = move.events[puts[which - 1]].item
                assert item is not None
                spotlit.append((name, SpotlitItem(item, moment, puts[which - 1])))
    return Trace(layout.unpack(play[0]), tuple(steps), tuple(spotlit))
