"""Behaviour: what one ruleset lets those at the table observe, and the other does not.

Both are followed in lock step, from observation to observation, each in a cloud of positions (a
subset construction over their product). They differ where one can go on in a way in which the other
cannot, where one can go on for ever unseen, or come to rest offering less: what is compared are
weak traces, stable failures and divergences (Roscoe, "The Theory of Concurrency", 1997), none of
which hides another. The search goes by the number of observations, so what it finds first is the
shortest; it goes on for one in the other direction, not much further.

What the scope cuts is possible all the same, and is followed no further. It cuts both sides alike,
for what lies on the zones was observed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ...models.frozen import frozen
from ..types.budget import INTERRUPTED, BudgetSpentError, Meter
from .side import Cloud, Observation, Offer, Rest, Side

Which = Literal["old", "new"]
OLD_NEW: tuple[Which, Which] = ("old", "new")


class Goes(NamedTuple):
    """One side can go on so; the other cannot."""

    how: Observation


class GoesOn(NamedTuple):
    """One side can go on for ever with nothing observed; the other cannot."""


class Rests(NamedTuple):
    """One side can come to rest so, and the other always offers something more."""

    how: Rest


Deed = Goes | GoesOn | Rests


@frozen
class Separation:
    """After the observations of *word*, which both allow, one *side* does what the other does not;
    *clouds* are those of old and new.
    """

    side: Which
    word: tuple[Observation, ...]
    difference: Deed
    clouds: tuple[Cloud, Cloud]


@dataclass
class Compared:
    """What came of comparing: at most one separation for each side, the shortest there is.

    *pairs* of clouds were compared, whose plays have up to *depth* observations; *largest* is how
    many positions are in the largest cloud. *cut* is how many times the comparison went no further,
    since the scope cut what both sides can go on with. *stopped* says why it is not complete; it is
    empty if it is. It *is_partial* if one side does something more, and what the other does was not
    looked for to the end.
    """

    separations: dict[Which, Separation] = field(default_factory=dict)
    pairs: int = 0
    depth: int = 0
    largest: int = 1
    cut: int = 0
    stopped: str = ""
    is_partial: bool = False


_LEAST_MORE = 2_000
_TIMES_MORE = 2
"""Once a side does something more, this many pairs are compared at least, and this many times those
that it took, for what the other does.
"""
_Pair = tuple[Cloud, Cloud]


def compare(old: Side, new: Side, meter: Meter, *, wanted: int = len(OLD_NEW)) -> Compared:
    """Return how *old* and *new* differ, as far as *meter* lets the search go; with *wanted* 1 it
    ends with the first difference.
    """
    found = Compared()
    meter.begin("comparing")
    try:
        _search_pairs(old, new, meter, found, wanted)
    except BudgetSpentError as spent:
        found.stopped = str(spent)
    except KeyboardInterrupt:
        found.stopped = INTERRUPTED
        meter.hurry()
    return found


def _search_pairs(old: Side, new: Side, meter: Meter, found: Compared, wanted: int) -> None:
    first = old.first, new.first
    came: dict[_Pair, tuple[_Pair, Observation] | None] = {first: None}
    layer, most = [first], 0
    while layer:
        following: list[_Pair] = []
        for pair in layer:
            if 0 < most <= found.pairs:
                found.is_partial = True
                return
            offers = old.offer(pair[0]), new.offer(pair[1])
            found.pairs += 1
            found.largest = max(found.largest, *(len(cloud.positions) for cloud in pair))
            for side, difference in _differences(*offers) if offers[0] is not offers[1] else ():
                if side not in found.separations:
                    found.separations[side] = Separation(side, _word(came, pair), difference, pair)
            if len(found.separations) >= wanted:
                return
            if found.separations and not most:
                most = max(_TIMES_MORE * found.pairs, _LEAST_MORE)
            for seen, after in _followed(*offers, found):
                if after not in came:
                    came[after] = pair, seen
                    following.append(after)
            meter.grow(found.pairs, "pairs of positions")
            meter.check(found.depth, len(old.positions), old.moves + new.moves)
        layer = following
        found.depth += bool(layer)


def _differences(old: Offer, new: Offer) -> Iterator[tuple[Which, Deed]]:
    """Yield what one of two offers has and the other does not: for each side what tells most,
    first.
    """
    for side, one, other in (("old", old, new), ("new", new, old)):
        which: Which = "old" if side == "old" else "new"
        for seen in [seen for seen in one.following if not other.allows(seen)]:
            yield which, Goes(seen)
        if one.cut:
            for seen in sorted(one.cut - one.following.keys() - other.observations, key=repr):
                yield which, Goes(seen)
        if one.goes_on and not other.goes_on:
            yield which, GoesOn()
        more = [
            rest
            for rest in one.rests - other.rests
            if not any(its.is_within(rest) for its in other.rests)
        ]
        for rest in sorted(more, key=repr):
            yield which, Rests(rest)


def _followed(old: Offer, new: Offer, found: Compared) -> Iterator[tuple[Observation, _Pair]]:
    """Yield what both can go on with, and where it leads; count in *found* what the scope cut."""
    if old is new:
        found.cut += len(old.cut)
        yield from (
            (seen, (after, after)) for seen, after in old.following.items() if seen not in old.cut
        )
        return
    for seen, after in old.following.items():
        if not new.allows(seen):
            continue
        if seen in old.cut or seen in new.cut:
            found.cut += 1
        else:
            yield seen, (after, new.following[seen])
    found.cut += sum(new.allows(seen) for seen in old.cut - old.following.keys())


def _word(
    came: dict[_Pair, tuple[_Pair, Observation] | None], pair: _Pair
) -> tuple[Observation, ...]:
    """Return the observations that lead to *pair*."""
    word: list[Observation] = []
    while (step := came[pair]) is not None:
        pair, seen = step
        word.append(seen)
    return tuple(reversed(word))
