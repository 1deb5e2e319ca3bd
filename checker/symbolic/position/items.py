"""Items on zones: how many there are, their places, and what a change of one does.

A *place* counts the items that leave an ordered zone before the one there: 0 is the top of a lifo
zone and the front of a fifo zone. An item that is on no ordered zone has place 0.

Sizes and places: how many items are on a zone, and how many of them leave before a spotlit one.

They are counted, or, where the encoding does not count, told apart only as none and some: 0 stands
for 0, and 1 for any number above. Then which of two spotlit items on an ordered zone leaves first
is remembered by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import combinations

from ..solver import terms as t
from ..solver.terms import ONE, ZERO
from . import first_items
from .frame import GONE, UNSEEN, ItemTerm, Spot, SymbolicFrame
from .weakenings import Weakening

NONE, SOME = ZERO, ONE


def in_range(place: t.Integer, frame: SymbolicFrame) -> t.Bool:
    """Return that *place* is a size, or a place."""
    least = t.at_most(NONE, place)
    return least if frame.context.counting else t.both(least, t.at_most(place, SOME))


def one_more(size: t.Integer, frame: SymbolicFrame) -> t.Integer:
    """Return the size of a zone that one item has joined, or the place of an item behind one
    more.
    """
    return t.plus(size, ONE) if frame.context.counting else SOME


def one_less(size: t.Integer, stays: Iterable[t.Bool], frame: SymbolicFrame) -> t.Integer:
    """Return the size of a zone that one item has left; if any of *stays* is true there is another
    one.
    """
    if frame.context.counting:
        return t.minus(size, ONE)
    return _guessed("size", [t.any_of(stays)], frame)


def size_in_rules(size: t.Integer, frame: SymbolicFrame) -> t.Integer:
    """Return the number that the rules have for *size*."""
    if frame.context.counting:
        return size
    frame.context.weakenings.add(Weakening.NOT_COUNTED)
    number = frame.context.fresh_number("size")
    frame.assume(
        t.both(t.at_most(size, number), t.implies(t.equal(size, NONE), t.equal(number, NONE)))
    )
    return number


def closer(place: t.Integer, taken: t.Integer, frame: SymbolicFrame) -> t.Integer:
    """Return the place of an item that was at *place*, after another was taken from place *taken*
    of its zone.
    """
    if frame.context.counting:
        return t.choice(t.less(taken, place), t.minus(place, ONE), place)
    moves_up = t.both(t.equal(taken, NONE), t.less(NONE, place))
    return place if t.is_false(moves_up) else t.choice(moves_up, any_place(frame), place)


def any_place(frame: SymbolicFrame) -> t.Integer:
    """Return any place, where places are not counted."""
    return _guessed("place", [], frame)


def has_place(place: t.Integer, size: t.Integer, frame: SymbolicFrame) -> t.Bool:
    """Return that a zone of *size* has *place*."""
    return t.less(place, size) if frame.context.counting else t.less(NONE, size)


def in_order(zone: str, frame: SymbolicFrame) -> t.Bool:
    """Return that no two spotlit items on an ordered *zone* have one place."""
    parts = []
    for one, other in combinations(frame.spots, 2):
        together = t.both(frame.on(one, zone), frame.on(other, zone))
        first, second = frame.spots[one].place, frame.spots[other].place
        if frame.context.counting:
            parts.append(t.implies(together, t.negation(t.equal(first, second))))
        else:
            behind = t.choice(frame.first[one, other], second, first)
            parts.append(t.implies(together, t.equal(behind, SOME)))
    return t.all_of(parts)


def remember_joined(name: str, is_it: t.Bool, zone: str, frame: SymbolicFrame) -> None:
    """Remember, if the encoding does not count, that spotlit item *name*, if it is the one, has
    just joined the end of *zone*.
    """
    if frame.context.counting:
        return
    leaves_first = t.truth(frame.context.orders[zone] == "lifo")
    for (one, other), first in frame.first.items():
        if name in (one, other):
            company = other if name == one else one
            answer = leaves_first if name == one else t.negation(leaves_first)
            frame.first[one, other] = t.choice(
                t.both(is_it, frame.on(company, zone)), answer, first
            )


def _guessed(what: str, some: list[t.Bool], frame: SymbolicFrame) -> t.Integer:
    frame.context.weakenings.add(Weakening.NOT_COUNTED)
    return t.choice(t.either(frame.context.fresh_truth(what), *some), SOME, NONE)


Changed = Callable[[ItemTerm], tuple[t.Bool, t.Term]]
"""Says of an item whether its attribute changes, and to what."""


def change_item(item: ItemTerm, name: str, value: t.Term, frame: SymbolicFrame) -> ItemTerm:
    """Let attribute *name* of *item*, which is on a zone, be *value*; return the item as it is
    then.
    """
    for spot_name, spot in frame.spots.items():
        frame.spots[spot_name] = _spot(spot, name, item.same[spot_name], value)
    if item.place is not None:
        if (item.zone, name) in frame.tops:
            is_next = t.equal(item.place, ZERO)
            frame.tops[item.zone, name] = t.choice(is_next, value, frame.tops[item.zone, name])
        cells = enumerate(frame.listed.get((item.zone, name), ()))
        if found := tuple(
            t.choice(t.equal(item.place, t.number(at)), value, cell) for at, cell in cells
        ):
            frame.listed[item.zone, name] = found
    for local, other in list(frame.locals.items()):
        if (
            isinstance(other, ItemTerm)
            and other is not item
            and name in other.attributes
            and other.zone in (item.zone, LEFT)
        ):
            seen = t.choice(_is_the_same(item, other, frame), value, other.attributes[name])
            frame.locals[local] = replace(other, attributes={**other.attributes, name: seen})
    return replace(item, attributes={**item.attributes, name: value})


def change_every(zone: str, name: str, changed: Changed, frame: SymbolicFrame) -> None:
    """Let attribute *name* of every item on *zone* be what is *changed*, all of it read before
    anything changes.
    """
    spots, tops, cells = dict(frame.spots), dict(frame.tops), dict(frame.listed)
    for spot_name, spot in frame.spots.items():
        is_meant, value = changed(spotlit(spot_name, zone, frame))
        spots[spot_name] = _spot(spot, name, t.both(frame.on(spot_name, zone), is_meant), value)
    if (zone, name) in frame.tops:
        is_meant, value = changed(end_of(zone, frame))
        top = t.choice(is_meant, value, frame.tops[zone, name])
        for spot_name, spot in frame.spots.items():
            is_next = frame.at(spot_name, zone, ZERO)
            top = (
                t.choice(is_next, spots[spot_name].attributes[name], top)
                if name in spot.attributes
                else top
            )
        tops[zone, name] = top
    if (zone, name) in frame.listed:
        at_places = [
            changed(item_at(zone, place, frame)) for place, _ in first_items.places(zone, frame)
        ]
        cells[zone, name] = tuple(
            t.choice(*new, cell)
            for new, cell in zip(at_places, frame.listed[zone, name], strict=True)
        )
    others = {}
    for local, other in frame.locals.items():
        if isinstance(other, ItemTerm) and other.zone in (zone, LEFT) and name in other.attributes:
            is_meant, value = changed(other)
            others[local] = replace(
                other,
                attributes={
                    **other.attributes,
                    name: t.choice(is_meant, value, other.attributes[name]),
                },
            )
    frame.spots, frame.tops, frame.listed = spots, tops, cells
    frame.locals.update(others)


def _spot(spot: Spot, name: str, is_it: t.Bool, value: t.Term) -> Spot:
    """Return *spot* with *value* for its attribute *name*, if *is_it* and that is remembered."""
    if name not in spot.attributes:
        return spot
    return replace(
        spot, attributes={**spot.attributes, name: t.choice(is_it, value, spot.attributes[name])}
    )


def _is_the_same(item: ItemTerm, other: ItemTerm, frame: SymbolicFrame) -> t.Bool:
    """Return whether two items, which may be on one zone, are one."""
    if (
        frame.context.counting
        and item.place is not None
        and other.place is not None
        and other.zone == item.zone
    ):
        return t.equal(item.place, other.place)
    answer = frame.context.fresh_truth("the same item")
    for name in frame.spots:
        frame.assume(t.implies(t.both(item.same[name], other.same[name]), answer))
        frame.assume(
            t.implies(t.both(item.same[name], t.negation(other.same[name])), t.negation(answer))
        )
        frame.assume(
            t.implies(t.both(other.same[name], t.negation(item.same[name])), t.negation(answer))
        )
    return answer


LEFT = "?"
"""The zone of an item that may just have left its zone."""

# ------------------------------------------------------------------ which item


def spotlit(name: str, zone: str, frame: SymbolicFrame) -> ItemTerm:
    """Return the spotlit item *name*, which is on *zone*."""
    spot = frame.spots[name]
    same = {other: t.truth(other == name) for other in frame.spots}
    place = spot.place if is_ordered(zone, frame) else None
    forgotten = {
        key: first_items.unknown(zone, key, frame)
        for key in sorted(frame.context.asked - frame.context.attributes)
    }
    return ItemTerm(zone, place, {**forgotten, **spot.attributes}, same)


def end_of(zone: str, frame: SymbolicFrame) -> ItemTerm:
    """Return the item next to leave an ordered *zone*."""
    return item_at(zone, ZERO, frame)


def item_at(zone: str, place: t.Integer, frame: SymbolicFrame) -> ItemTerm:
    """Return the item at *place* of an ordered *zone*, where there is one."""
    same = {name: frame.at(name, zone, place) for name in frame.spots}
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
    same = {name: frame.at(name, zone, place) for name in frame.spots}
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
        spotlit_there, size = t.count_true(here.values()), frame.sizes[zone]
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
    number = None if place is None else t.value_of(place)
    for name in sorted(frame.context.asked):
        top, listed = frame.tops.get((zone, name)), frame.listed.get((zone, name), ())
        if top is not None and place is not None and t.is_true(t.equal(place, ZERO)):
            found[name] = top
            continue
        if number is not None and number < len(listed):
            found[name] = listed[number]
            continue
        found[name] = first_items.unknown(zone, name, frame)
        for item, is_it in same.items():
            if name in frame.context.attributes:
                frame.assume(
                    t.implies(is_it, t.equal(found[name], frame.spots[item].attributes[name]))
                )
        if top is not None and place is not None:
            frame.assume(t.implies(t.equal(place, ZERO), t.equal(found[name], top)))
        if place is not None:
            first_items.known_at(zone, name, place, found[name], frame)
    return found


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
    was_top = t.equal(place, ZERO)
    for (where, name), top in list(frame.tops.items()):
        if where == zone and not t.is_false(was_top):
            new = first_items.revealed(zone, name, NONE, frame)
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
