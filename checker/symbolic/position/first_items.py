"""First items: the first few items of every zone, one by one, where the encoding is to be exact for
small zones.

An item is listed by how many leave before it: 0 is the next to leave. A zone in any order is listed
like a stack, and a choice may be of any place. Nothing is known of items farther back, so no play
of the rules is lost, however large its zones are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..solver import terms as t
from .frame import EncodingContext, SymbolicFrame
from .sorts import constant, fresh, type_of_attribute
from .weakenings import Weakening


def known_at(zone: str, name: str, place: t.Integer, value: t.Term, frame: SymbolicFrame) -> None:
    """Let *value* be attribute *name* of the item at *place* of *zone*, if that is listed."""
    for number, cell in enumerate(frame.listed.get((zone, name), ())):
        frame.assume(t.implies(t.equal(place, t.number(number)), t.equal(value, cell)))


def places(zone: str, frame: SymbolicFrame) -> Iterator[tuple[t.Integer, t.Bool]]:
    """Yield the listed places of *zone*, each with whether an item is there."""
    for number in range(frame.context.listed):
        yield t.number(number), t.less(t.number(number), frame.sizes[zone])


def list_newcomer(zone: str, attributes: Mapping[str, t.Term], frame: SymbolicFrame) -> None:
    """List an item that joins the end of *zone*, which it has not yet made longer."""
    for (where, name), cells in list(frame.listed.items()):
        if where == zone and frame.context.orders[zone] == "lifo":
            frame.listed[where, name] = (attributes[name], *cells[:-1])
        elif where == zone:
            there = (t.equal(frame.sizes[zone], t.number(number)) for number in range(len(cells)))
            frame.listed[where, name] = tuple(
                t.choice(is_it, attributes[name], cell)
                for is_it, cell in zip(there, cells, strict=True)
            )


def taken(zone: str, place: t.Integer, frame: SymbolicFrame) -> None:
    """Close the gap at *place* of *zone*, where an item was taken; the others have their new
    places.
    """
    for (where, name), cells in list(frame.listed.items()):
        if where == zone:
            kept = (t.less(t.number(number), place) for number in range(len(cells)))
            behind = (*cells[1:], revealed(zone, name, t.number(len(cells) - 1), frame))
            frame.listed[where, name] = tuple(
                t.choice(*which) for which in zip(kept, cells, behind, strict=True)
            )


def unknown(zone: str, name: str, frame: SymbolicFrame) -> t.Term:
    """Return any value of attribute *name*, as an item on *zone* may have it of which nothing is
    known.
    """
    frame.context.weakenings.add(Weakening.ANONYMOUS_ITEMS)
    return fresh(frame, f"{name} of an item on {zone}", type_of_attribute(frame.context, name))


def revealed(
    zone: str, name: str, place: t.Integer, frame: SymbolicFrame, unless: t.Bool = t.FALSE
) -> t.Term:
    """Return attribute *name* of the item that comes to *place* of *zone*: of a spotlit one what is
    known of it, *unless* something else is so.
    """
    value = unknown(zone, name, frame)
    for item, spot in frame.spots.items():
        if name in spot.attributes:
            is_it = t.all_of((t.negation(unless), frame.on(item, zone), t.equal(spot.place, place)))
            frame.assume(t.implies(is_it, t.equal(value, spot.attributes[name])))
    return value


def constants(context: EncodingContext) -> dict[tuple[str, str], tuple[t.Term, ...]]:
    """Return the cells of the first items of every zone, by zone and attribute."""
    asked = (
        [(zone.name, name) for zone in context.program.zones for name in sorted(context.asked)]
        if context.listed
        else []
    )
    return {
        (zone, name): tuple(
            constant(f"{name} of item {number} of {zone}", type_of_attribute(context, name))
            for number in range(context.listed)
        )
        for zone, name in asked
    }
