"""Sizes and places: how many items are on a zone, and how many of them leave before a spotlit one.

They are counted, or, where the encoding does not count, told apart only as none and some: 0 stands
for 0, and 1 for any number above. Then which of two spotlit items on an ordered zone leaves first
is remembered by itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from ..solver import terms as t
from .frame import SymbolicFrame
from .weakenings import Weakening

NONE, SOME = t.number(0), t.number(1)


def in_range(place: t.Integer, frame: SymbolicFrame) -> t.Bool:
    """Return that *place* is a size, or a place."""
    least = t.at_most(NONE, place)
    return least if frame.context.counting else t.both(least, t.at_most(place, SOME))


def one_more(size: t.Integer, frame: SymbolicFrame) -> t.Integer:
    """Return the size of a zone that one item has joined, or the place of an item behind one
    more.
    """
    return t.plus(size, t.number(1)) if frame.context.counting else SOME


def one_less(size: t.Integer, stays: Iterable[t.Bool], frame: SymbolicFrame) -> t.Integer:
    """Return the size of a zone that one item has left; if any of *stays* is true there is another
    one.
    """
    if frame.context.counting:
        return t.minus(size, t.number(1))
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
        return t.choice(t.less(taken, place), t.minus(place, t.number(1)), place)
    moves_up = t.both(t.equal(taken, NONE), t.less(NONE, place))
    return (
        place if t.is_false(moves_up) else t.choice(moves_up, _guessed("place", [], frame), place)
    )


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
