"""Sweeping: all items of a zone that meet a condition leave it at once, and the game, or join
another zone.

Each spotlit item, the next to leave and the listed ones are asked whether they go; of the others
only how many do. Those that stay keep their order, and so do those that go from a zone with an
order to another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import combinations

from ....models.frozen import frozen
from ..solver import terms as t
from ..solver.terms import ONE
from . import first_items
from .frame import GONE, ItemTerm, Spot, SymbolicFrame
from .items import (
    LEFT,
    NONE,
    SOME,
    any_place,
    end_of,
    in_order,
    is_ordered,
    item_at,
    one_less,
    spotlit,
)


@frozen
class _Sweep:
    """What leaves *zone*, of *size*: whether *some* items do, and their *number* (NONE if they are
    not counted).

    For each spotlit item it says whether that *leaves* the zone, and whether it *stays* there;
    *top_stays* says whether the next to leave stays, *going* of each listed place whether its item
    goes.
    """

    zone: str
    size: t.Integer
    some: t.Bool
    number: t.Integer
    leaves: Mapping[str, t.Bool]
    stays: Mapping[str, t.Bool]
    top_stays: t.Bool
    going: tuple[t.Bool, ...]


def sweep(
    zone: str,
    to: str,
    goes: Callable[[ItemTerm], t.Bool],
    some: t.Bool,
    frame: SymbolicFrame,
    *,
    is_whole: bool = False,
) -> Mapping[str, t.Bool]:
    """Take every item of which *goes* is true away from *zone*, and put them on zone *to* unless
    that is empty.

    *some* says whether there is any, *is_whole* that all of them go. Return which spotlit items
    went.
    """
    swept = _swept(zone, goes, some, frame, is_whole=is_whole)
    before = dict(frame.spots)
    _leave(swept, frame, is_whole=is_whole)
    for name, other in list(frame.locals.items()):
        if isinstance(other, ItemTerm) and other.zone == zone:
            frame.locals[name] = replace(other, zone=LEFT)
    if to:
        _join(swept, to, before, frame)
    return swept.leaves


def _swept(
    zone: str,
    goes: Callable[[ItemTerm], t.Bool],
    some: t.Bool,
    frame: SymbolicFrame,
    *,
    is_whole: bool,
) -> _Sweep:
    size, is_there = frame.sizes[zone], t.less(NONE, frame.sizes[zone])
    here = {name: frame.on(name, zone) for name in frame.spots}
    leaves = {name: t.both(here[name], goes(spotlit(name, zone, frame))) for name in frame.spots}
    stays = {name: t.both(here[name], t.negation(leaves[name])) for name in frame.spots}
    going = tuple(
        t.both(there, goes(item_at(zone, place, frame)))
        for place, there in first_items.places(zone, frame)
    )
    top_stays = t.FALSE
    if is_ordered(zone, frame) and not is_whole:
        top_stays = t.both(is_there, t.negation(goes(end_of(zone, frame))))
        for name in frame.spots:
            top_stays = t.choice(frame.at(name, zone, NONE), stays[name], top_stays)
        frame.assume(t.either(some, top_stays, t.negation(is_there)))
    frame.assume(t.implies(some, is_there))
    for one in (*leaves.values(), *going):
        frame.assume(t.implies(one, some))
    swept = _Sweep(zone, size, some, size if is_whole else NONE, leaves, stays, top_stays, going)
    return _counted(swept, frame) if frame.context.counting and not is_whole else swept


def _counted(swept: _Sweep, frame: SymbolicFrame) -> _Sweep:
    """Return *swept* with how many items go: all that are known to, and none that is known to
    stay.
    """
    number, size = frame.context.fresh_number("so many go"), swept.size
    frame.assume(
        t.all_of(
            (
                t.at_most(NONE, number),
                t.at_most(number, size),
                t.equal(swept.some, t.less(NONE, number)),
            )
        )
    )
    is_next = (frame.at(name, swept.zone, NONE) for name in frame.spots)
    another = t.both(swept.top_stays, t.negation(t.any_of(is_next)))
    frame.assume(t.at_most(t.count_true(swept.leaves.values()), number))
    frame.assume(t.at_most(t.plus(number, t.count_true((*swept.stays.values(), another))), size))
    there = (t.less(t.number(place), size) for place in range(len(swept.going)))
    staying = [
        t.both(is_there, t.negation(one)) for is_there, one in zip(there, swept.going, strict=True)
    ]
    known = t.both(
        t.at_most(t.count_true(swept.going), number),
        t.at_most(t.plus(number, t.count_true(staying)), size),
    )
    frame.assume(t.implies(_agree(swept, frame), known))
    return replace(swept, number=number)


def _agree(swept: _Sweep, frame: SymbolicFrame) -> t.Bool:
    """Return that each spotlit item goes if and only if the listed item does that it is."""
    parts = []
    for name in frame.spots:
        for place, goes in enumerate(swept.going):
            is_it = frame.at(name, swept.zone, t.number(place))
            parts.append(t.implies(is_it, t.equal(swept.leaves[name], goes)))
    return t.all_of(parts)


# ------------------------------------------------------------------ what leaves


def _leave(swept: _Sweep, frame: SymbolicFrame, *, is_whole: bool) -> None:
    zone, has_order = swept.zone, is_ordered(swept.zone, frame)
    if is_whole:
        frame.sizes[zone] = NONE
    elif frame.context.counting:
        frame.sizes[zone] = t.minus(swept.size, swept.number)
    else:
        frame.sizes[zone] = t.choice(
            swept.some, one_less(swept.size, swept.stays.values(), frame), swept.size
        )
    before = dict(frame.spots)
    for name, spot in before.items():
        place = _closer(swept, name, spot, frame) if has_order and not is_whole else spot.place
        went = swept.leaves[name]
        frame.spots[name] = Spot(
            t.choice(went, t.number(GONE), spot.where), t.choice(went, NONE, place), spot.attributes
        )
    if not has_order:
        return
    for one, other in combinations(before, 2) if frame.context.counting else ():
        both_stay = t.both(swept.stays[one], swept.stays[other])
        frame.assume(t.implies(both_stay, _same_order(one, other, before, frame.spots)))
    frame.assume(in_order(zone, frame))
    _renew(
        zone, swept.top_stays, [_left_at(swept, place) for place in range(len(swept.going))], frame
    )


def _closer(swept: _Sweep, name: str, spot: Spot, frame: SymbolicFrame) -> t.Integer:
    """Return the place of spotlit item *name*, if it stays, after the sweep."""
    if not frame.context.counting:
        moves_up = t.all_of(
            (swept.some, swept.stays[name], t.less(NONE, spot.place), t.negation(swept.top_stays))
        )
        return (
            spot.place if t.is_false(moves_up) else t.choice(moves_up, any_place(frame), spot.place)
        )
    place = frame.context.fresh_number(f"place of {name}")
    ahead = t.minus(spot.place, place)
    behind = t.minus(swept.number, ahead)
    room = t.minus(t.minus(swept.size, spot.place), ONE)
    frame.assume(t.all_of((t.at_most(NONE, place), t.implies(swept.stays[name], t.all_of((
        t.at_most(NONE, ahead), t.at_most(ahead, swept.number), t.at_most(behind, room),
        t.implies(t.both(swept.top_stays, t.less(NONE, spot.place)), t.less(NONE, place)),
    ))))))  # fmt: skip
    agree = _agree(swept, frame)
    for at in range(len(swept.going)):
        is_at = t.all_of((swept.stays[name], agree, t.equal(spot.place, t.number(at))))
        frame.assume(t.implies(is_at, t.equal(ahead, t.count_true(swept.going[:at]))))
    return t.choice(swept.stays[name], place, spot.place)


def _same_order(
    one: str, other: str, before: Mapping[str, Spot], after: Mapping[str, Spot]
) -> t.Bool:
    """Return that two items that stay have the order that they had, and no more items between
    them.
    """

    def keeps(near: str, far: str) -> t.Bool:
        apart = t.minus(before[far].place, before[near].place)
        now_apart = t.minus(after[far].place, after[near].place)
        return t.implies(
            t.less(before[near].place, before[far].place),
            t.both(t.less(NONE, now_apart), t.at_most(now_apart, apart)),
        )

    return t.both(keeps(one, other), keeps(other, one))


def _left_at(swept: _Sweep, place: int) -> list[t.Bool]:
    """Return for each listed place whether the item that was there is at *place* after the
    sweep.
    """
    stays = [
        t.both(t.less(t.number(at), swept.size), t.negation(goes))
        for at, goes in enumerate(swept.going)
    ]
    return [
        t.both(stay, t.equal(t.count_true(stays[:at]), t.number(place)))
        for at, stay in enumerate(stays)
    ]


# ------------------------------------------------------------------ what joins


def _join(swept: _Sweep, to: str, before: Mapping[str, Spot], frame: SymbolicFrame) -> None:
    """Put what is gone by *swept* on zone *to*; *before* is where the spotlit items were."""
    context, size, order = frame.context, frame.sizes[to], frame.context.orders[to]
    frame.sizes[to] = (
        t.plus(size, swept.number) if context.counting else t.choice(swept.some, SOME, size)
    )
    for name, spot in list(frame.spots.items()):
        place, went = spot.place, swept.leaves[name]
        if order == "lifo":
            place = t.choice(frame.on(name, to), _farther(place, swept, frame), place)
        new = NONE if order == "unordered" else _joined_at(swept, name, size, order, frame)
        where = t.choice(went, t.number(context.zones[to]), spot.where)
        frame.spots[name] = Spot(where, t.choice(went, new, place), spot.attributes)
    for name, other in list(frame.locals.items()):
        if (
            order == "lifo"
            and isinstance(other, ItemTerm)
            and other.zone == to
            and other.place is not None
        ):
            frame.locals[name] = replace(other, place=_farther(other.place, swept, frame))
    if order == "unordered":
        return
    _order_joined(swept, to, before, frame)
    frame.assume(in_order(to, frame))
    stay_next = (
        t.negation(swept.some)
        if order == "lifo"
        else t.either(t.negation(swept.some), t.less(NONE, size))
    )
    cells = range(context.listed)
    stay = [
        stay_next
        if order == "lifo"
        else t.either(t.negation(swept.some), t.less(t.number(at), size))
        for at in cells
    ]
    _renew(
        to,
        stay_next,
        [[t.both(stay[at], t.truth(at == place)) for at in cells] for place in cells],
        frame,
    )


def _farther(place: t.Integer, swept: _Sweep, frame: SymbolicFrame) -> t.Integer:
    return (
        t.plus(place, swept.number) if frame.context.counting else t.choice(swept.some, SOME, place)
    )


def _joined_at(
    swept: _Sweep, name: str, size: t.Integer, order: str, frame: SymbolicFrame
) -> t.Integer:
    """Return the place of spotlit item *name*, if it joins a zone of *size*, among those that
    do.
    """
    if not frame.context.counting:
        return (
            any_place(frame)
            if order == "lifo"
            else t.choice(t.less(NONE, size), SOME, any_place(frame))
        )
    place = frame.context.fresh_number(f"place of {name}")
    least = NONE if order == "lifo" else size
    fits = t.both(t.at_most(least, place), t.less(place, t.plus(least, swept.number)))
    frame.assume(t.implies(swept.leaves[name], fits))
    return place


def _order_joined(swept: _Sweep, to: str, before: Mapping[str, Spot], frame: SymbolicFrame) -> None:
    """Say which of two spotlit items is before the other on zone *to*, if either has just joined
    it.
    """
    context, lifo = frame.context, frame.context.orders[to] == "lifo"
    is_known = (
        next(zone.order for zone in context.program.zones if zone.name == swept.zone) != "unordered"
    )
    is_turned = context.orders[swept.zone] != context.orders[to]
    for one, other in combinations(frame.spots, 2):
        together = t.both(swept.leaves[one], swept.leaves[other])
        if context.counting:
            first = t.less(before[one].place, before[other].place)
            now = t.less(frame.spots[one].place, frame.spots[other].place)
            frame.assume(
                t.implies(
                    together,
                    t.equal(now, t.negation(first) if is_turned else first) if is_known else t.TRUE,
                )
            )
            continue
        first = frame.first[one, other]
        kept = (
            (t.negation(first) if is_turned else first)
            if is_known
            else context.fresh_truth("leaves first")
        )
        ahead = t.truth(lifo)
        first = t.choice(t.both(swept.leaves[one], frame.on(other, to)), ahead, first)
        first = t.choice(t.both(swept.leaves[other], frame.on(one, to)), t.negation(ahead), first)
        frame.first[one, other] = t.choice(together, kept, first)


# ------------------------------------------------------ what is known of the first items afterwards


def _renew(
    zone: str, top_stays: t.Bool, listed_from: list[list[t.Bool]], frame: SymbolicFrame
) -> None:
    """Remember of the first items of *zone* what is known of them: of a spotlit one that, of one
    that was listed what it was.

    *top_stays* says that the next to leave is the same, *listed_from* of each listed place from
    which of them its item has come.
    """
    for (where, name), top in list(frame.tops.items()):
        if where == zone:
            new = first_items.revealed(zone, name, NONE, frame)
            frame.tops[zone, name] = t.choice(top_stays, top, new)
    for (where, name), cells in list(frame.listed.items()):
        if where == zone:
            renewed = []
            for place, sources in enumerate(listed_from):
                value = first_items.revealed(
                    zone, name, t.number(place), frame, unless=t.any_of(sources)
                )
                for is_from, cell in zip(sources, cells, strict=True):
                    value = t.choice(is_from, cell, value)
                renewed.append(value)
            frame.listed[zone, name] = tuple(renewed)
