"""Plays: how each side comes to where they differ, as moves of its own rules.

A separation knows what was observed; on each side many plays may look like it. Told is one with the
fewest moves, which on the side that does something more ends with it, and on the other where
nothing more happens unseen, if it comes to rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple, assert_never

from ..types.graphs import shortest_way
from ..types.position import Move
from ..types.trace import Trace, TraceStep
from .behaviour import Deed, Goes, GoesOn, Rests, Separation, Which
from .observer import Observation, PriorityGiven
from .side import Cloud, Holders, Rest, Side, gets_first


class _At(NamedTuple):
    """A position by its number, and how many observations came before."""

    position: int
    seen: int


_Edge = tuple[_At, Move]
"""Where a play was before, and the move that it made."""


def play_of(side: Side, which: Which, separation: Separation) -> Trace:
    """Return a play of *side*, the *which* of the two, that shows *separation*: without its last
    move if the scope cuts that.
    """
    word, difference = separation.word, separation.difference if which == separation.side else None
    cloud = separation.clouds[which == "new"]
    if isinstance(difference, Goes) and difference.how in side.offer(cloud).following:
        word = (*word, difference.how)
        trace, last = _play_like(side, word, lambda _: True)
    else:
        trace, last = _play_like(side, word, _goal(side, cloud, difference))
    return _looped(side, cloud, trace, last) if isinstance(difference, GoesOn) else trace


def _goal(side: Side, cloud: Cloud, difference: Deed | None) -> Callable[[int], bool]:
    """Return where a play ends that shows *difference*; with None, where it comes to rest, if it
    does.
    """

    def rest(number: int) -> Rest | None:
        return (
            side.rest(number)
            if side.is_seen(cloud.last, number)
            else gets_first(side.holders(number), cloud.last)
        )

    match difference:
        case Goes(how):
            return lambda number: how in side.offered(number).cut
        case GoesOn():
            unseen = side.unseen(cloud)
            return lambda number: bool(_round(unseen, number))
        case Rests(how):
            return lambda number: rest(number) == how
        case None:
            comes_to_rest = bool(side.offer(cloud).rests)
            return lambda number: not comes_to_rest or rest(number) is not None
        case _:
            assert_never(difference)


def _play_like(
    side: Side, word: Sequence[Observation], is_there: Callable[[int], bool]
) -> tuple[Trace, int]:
    """Return a play with the fewest moves that looks like *word* and ends in a position that
    *is_there*, and the number of that.
    """
    lasts = _lasts(word)

    def arrived(number: int, seen: int) -> _At:
        """Return the position after who has priority there was observed, if that is what comes
        next.
        """
        if (
            seen < len(word)
            and not side.is_seen(lasts[seen], number)
            and word[seen] == PriorityGiven(side.holders(number))
        ):
            return _At(number, seen + 1)
        return _At(number, seen)

    layer = [arrived(number, 0) for number in sorted(side.first.positions)]
    came: dict[_At, _Edge | None] = dict.fromkeys(layer)
    while layer:
        following: list[_At] = []
        for at in layer:
            if at.seen == len(word) and is_there(at.position):
                return _trace(side, came, at), at.position
            if not side.is_seen(lasts[at.seen], at.position):
                continue
            for move, target in side.offered(at.position).moves:
                seen = side.observed(move)
                if seen is not None and (at.seen == len(word) or word[at.seen] != seen):
                    continue
                after = arrived(target, at.seen + (seen is not None))
                if after not in came:
                    came[after] = at, move
                    following.append(after)
        layer = following
    raise AssertionError("what was observed has no play")


def _lasts(word: Sequence[Observation]) -> list[Holders]:
    """Return who had priority last after so many observations of *word*."""
    lasts: list[Holders] = [()]
    for seen in word:
        lasts.append(seen.holders if isinstance(seen, PriorityGiven) else lasts[-1])
    return lasts


def _trace(side: Side, came: Mapping[_At, _Edge | None], at: _At) -> Trace:
    steps: list[TraceStep] = []
    while (edge := came[at]) is not None:
        before, move = edge
        steps.append(TraceStep(move, side.positions[at.position]))
        at = before
    return Trace(side.positions[at.position], tuple(reversed(steps)))


def _looped(side: Side, cloud: Cloud, trace: Trace, number: int) -> Trace:
    """Return *trace*, which ends in position *number*, with the unseen moves that lead back
    there.
    """
    circle = _round(side.unseen(cloud), number)
    steps = []
    for before, after in pairwise([number, *circle]):
        move = next(
            move
            for move, target in side.offered(before).moves
            if target == after and side.observed(move) is None
        )
        steps.append(TraceStep(move, side.positions[after]))
    return replace(trace, steps=(*trace.steps, *steps), loop=len(trace.steps))


def _round(unseen: Mapping[int, tuple[int, ...]], number: int) -> list[int]:
    """Return the shortest way along *unseen* moves from *number* back to it, empty if there is
    none.
    """
    return shortest_way(
        number,
        lambda at: ((after, after) for after in unseen.get(at, ())),
        lambda after: after == number,
    )
