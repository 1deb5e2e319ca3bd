"""Items on zones: a zone is its size, where the spotlit items are on it, and what the next item to
leave is like.

A *place* counts the items that leave an ordered zone before the one there: 0 is the top of a lifo
zone and the front of a fifo zone. An item that is on no ordered zone has place 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import combinations

import z3

from ..solver import terms as t
from . import first_items
from .frame import GONE, UNSEEN, ItemTerm, Spot, SymbolicFrame
from .places import NONE, closer, has_place, in_order, in_range, one_less, one_more, remember_joined
from .sorts import fresh, type_of_attribute
from .weakenings import Weakening

LEFT = "?"
"""The zone of an item that may just have left its zone."""

# ------------------------------------------------------------------ which item


def spotlit(name: str, zone: str, frame: SymbolicFrame) -> ItemTerm:
    """Return the spotlit item *name*, which is on *zone*."""
    spot = frame.spots[name]
    same = {other: t.truth(other == name) for other in frame.spots}
    place = spot.place if is_ordered(zone, frame) else None
    forgotten = {
        key: unknown(zone, key, frame)
        for key in sorted(frame.context.asked - frame.context.attributes)
    }
    return ItemTerm(zone, place, {**forgotten, **spot.attributes}, same)


def end_of(zone: str, frame: SymbolicFrame) -> ItemTerm:
    """Return the item next to leave an ordered *zone*."""
    return item_at(zone, t.number(0), frame)


def item_at(zone: str, place: t.Integer, frame: SymbolicFrame) -> ItemTerm:
    """Return the item at *place* of an ordered *zone*, where there is one."""
    same = {
        name: t.both(frame.on(name, zone), t.equal(spot.place, place))
        for name, spot in frame.spots.items()
    }
    return ItemTerm(zone, place, _attributes(zone, place, same, frame), same)


def any_item_on(zone: str, frame: SymbolicFrame) -> ItemTerm:
    """Return some item on *zone*; if that is empty, something that means nothing."""
    size, place = frame.sizes[zone], None
    if is_ordered(zone, frame):
        place = frame.context.fresh_number(f"place on {zone}")
        frame.assume(in_range(place, frame))
        frame.assume(t.implies(t.less(NONE, size), has_place(place, size, frame)))
        same = _any_of_list(zone, place, frame)
    else:
        same = _any_of_heap(zone, frame)
    return ItemTerm(zone, place, _attributes(zone, place, same, frame), same)


def _any_of_list(zone: str, place: t.Integer, frame: SymbolicFrame) -> dict[str, t.Bool]:
    """Return which spotlit item is at *place* of an ordered zone: if places are not counted, there
    may be others with what they have.
    """
    same = {
        name: t.both(frame.on(name, zone), t.equal(spot.place, place))
        for name, spot in frame.spots.items()
    }
    if frame.context.counting:
        return same
    for name, there in same.items():
        same[name] = t.both(
            there, t.either(t.equal(place, NONE), frame.context.fresh_truth(f"it is {name}"))
        )
    _assume_one_at_most(same.values(), frame)
    return same


def _any_of_heap(zone: str, frame: SymbolicFrame) -> dict[str, t.Bool]:
    """Return which spotlit item one of a zone in any order is: at most one, and one of them if
    there are no others.
    """
    frame.context.weakenings.add(Weakening.NO_PLACE_IN_A_HEAP)
    here = {name: frame.on(name, zone) for name in frame.spots}
    same = {
        name: t.both(is_here, frame.context.fresh_truth(f"it is {name}"))
        for name, is_here in here.items()
    }
    _assume_one_at_most(same.values(), frame)
    if frame.context.counting:
        spotlit_there = t.number(0)
        for is_here in here.values():
            spotlit_there = t.plus(spotlit_there, t.choice(is_here, t.number(1), t.number(0)))
        size = frame.sizes[zone]
        frame.assume(t.any_of((*same.values(), t.at_most(size, NONE), t.less(spotlit_there, size))))
    return same


def _assume_one_at_most(conditions: Iterable[t.Bool], frame: SymbolicFrame) -> None:
    for one, other in combinations(conditions, 2):
        frame.assume(t.negation(t.both(one, other)))


def _attributes(
    zone: str, place: t.Integer | None, same: Mapping[str, t.Bool], frame: SymbolicFrame
) -> dict[str, t.Term]:
    """Return the attributes of an item: what is known of the spotlit ones and of the next to leave,
    else anything.
    """
    found: dict[str, t.Term] = {}
    for name in sorted(frame.context.asked):
        top = frame.tops.get((zone, name))
        if top is not None and place is not None and t.is_true(t.equal(place, t.number(0))):
            found[name] = top
            continue
        if (
            place is not None
            and z3.is_int_value(place)
            and first_items.is_listed(zone, name, place.as_long(), frame)
        ):
            found[name] = frame.listed[zone, name][place.as_long()]
            continue
        found[name] = unknown(zone, name, frame)
        for item, is_it in same.items():
            if name in frame.context.attributes:
                frame.assume(
                    t.implies(is_it, t.equal(found[name], frame.spots[item].attributes[name]))
                )
        if top is not None and place is not None:
            frame.assume(t.implies(t.equal(place, t.number(0)), t.equal(found[name], top)))
        if place is not None:
            first_items.known_at(zone, name, place, found[name], frame)
    return found


def unknown(zone: str, name: str, frame: SymbolicFrame) -> t.Term:
    """Return any value of attribute *name*, as an item on *zone* may have it of which nothing is
    known.
    """
    frame.context.weakenings.add(Weakening.ANONYMOUS_ITEMS)
    value, fits = fresh(
        frame.context, f"{name} of an item on {zone}", type_of_attribute(frame.context, name)
    )
    frame.assume(fits)
    return value


# ------------------------------------------------------------------ coming and going


def new_item(attributes: Mapping[str, t.Term], frame: SymbolicFrame) -> ItemTerm:
    """Return a new item, not on any zone yet; a spotlight that has seen nothing yet may turn to
    it.
    """
    same = {}
    for name, spot in frame.spots.items():
        unseen = t.equal(spot.where, t.number(UNSEEN))
        same[name] = (
            t.FALSE
            if t.is_false(unseen)
            else t.both(unseen, frame.context.fresh_truth(f"{name} is the new one"))
        )
    _assume_one_at_most(same.values(), frame)
    for name, is_it in same.items():
        spot = frame.spots[name]
        kept = {key: t.choice(is_it, attributes[key], old) for key, old in spot.attributes.items()}
        frame.spots[name] = replace(spot, attributes=kept)
    return ItemTerm("", None, attributes, same)


def take_away(item: ItemTerm, frame: SymbolicFrame) -> None:
    """Take *item* away from its zone; until it joins another it is gone."""
    zone, place = item.zone, item.place
    stays = {
        name: t.both(frame.on(name, zone), t.negation(item.same[name])) for name in frame.spots
    }
    frame.sizes[zone] = one_less(frame.sizes[zone], stays.values(), frame)
    for name, spot in frame.spots.items():
        is_it, moved = item.same[name], spot.place
        if place is not None:
            moved = t.choice(frame.on(name, zone), closer(spot.place, place, frame), spot.place)
        frame.spots[name] = Spot(
            t.choice(is_it, t.number(GONE), spot.where),
            t.choice(is_it, NONE, moved),
            spot.attributes,
        )
    if place is not None:
        frame.assume(in_order(zone, frame))
        _forget_top(zone, place, frame)
        first_items.taken(zone, place, frame)
    for name, other in list(frame.locals.items()):
        if isinstance(other, ItemTerm) and other.zone == zone and other is not item:
            # it may be the one taken: who moves it is told so
            frame.locals[name] = replace(other, zone=LEFT)


def _forget_top(zone: str, place: t.Integer, frame: SymbolicFrame) -> None:
    was_top = t.equal(place, t.number(0))
    for (where, name), top in list(frame.tops.items()):
        if where == zone and not t.is_false(was_top):
            new = unknown(zone, name, frame)
            first_items.known_of_spotlit(zone, name, NONE, new, frame)
            frame.tops[zone, name] = t.choice(was_top, new, top)


def join(item: ItemTerm, zone: str, frame: SymbolicFrame) -> ItemTerm:
    """Add *item*, which is on no zone, at the end of *zone*; return it as it is there."""
    size, order = frame.sizes[zone], frame.context.orders[zone]
    first_items.list_newcomer(zone, item.attributes, frame)
    place = {"lifo": NONE, "fifo": size, "unordered": None}[order]
    if order != "unordered":
        for name, is_it in item.same.items():
            remember_joined(name, is_it, zone, frame)
    for name, spot in frame.spots.items():
        is_it, moved = item.same[name], spot.place
        if order == "lifo":
            moved = t.choice(frame.on(name, zone), one_more(spot.place, frame), spot.place)
        where = t.choice(is_it, t.number(frame.context.zones[zone]), spot.where)
        frame.spots[name] = Spot(
            where, t.choice(is_it, place if place is not None else NONE, moved), spot.attributes
        )
    for (where_to, name), top in list(frame.tops.items()):
        if where_to == zone:
            becomes_next = t.TRUE if order == "lifo" else t.equal(size, NONE)
            frame.tops[zone, name] = t.choice(becomes_next, item.attributes[name], top)
    if order == "lifo":
        for name, other in list(frame.locals.items()):
            if isinstance(other, ItemTerm) and other.zone == zone and other.place is not None:
                frame.locals[name] = replace(other, place=one_more(other.place, frame))
    frame.sizes[zone] = one_more(size, frame)
    return replace(item, zone=zone, place=place)


def is_ordered(zone: str, frame: SymbolicFrame) -> bool:
    """Whether the items on *zone* have an order that is told."""
    return frame.context.orders[zone] != "unordered"
