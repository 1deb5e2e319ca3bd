"""Changing: an attribute of an item on a zone becomes another value, in all that is known of that
item.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..solver import terms as t
from . import first_items
from .frame import ItemTerm, Spot, SymbolicFrame
from .items import LEFT, end_of, item_at, spotlit

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
            is_next = t.equal(item.place, t.number(0))
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
            is_next = t.both(frame.on(spot_name, zone), t.equal(spot.place, t.number(0)))
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
