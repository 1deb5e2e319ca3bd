"""Sizes: how many positions there would be if something were the same in all of them; what a game
is large by.

What is left out is not forgotten by the rules: the positions that are reached are counted, as they
look without it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from ...models import ir
from ..types.position import Item, Position


@dataclass(frozen=True)
class Size:
    """That so many positions (*left*) differ without *what*, of that *name*."""

    what: str
    name: str
    left: int


def sizes(program: ir.Program, positions: Sequence[Position]) -> list[Size]:
    """Return how many of *positions* of *program* differ without each variable, zone and attribute,
    the fewest first.
    """
    found = [
        Size("variable", variable.name, _left(positions, _without_value(place)))
        for place, variable in enumerate(program.variables)
    ]
    found += [
        Size("zone", zone.name, _left(positions, _without_zone(place)))
        for place, zone in enumerate(program.zones)
    ]
    found += [
        Size("attribute", attribute.name, _left(positions, _without_attribute(place)))
        for place, attribute in enumerate(program.attributes)
    ]
    return sorted(found, key=lambda size: size.left)


_Look = Callable[[Position], Hashable]


def _left(positions: Sequence[Position], look: _Look) -> int:
    return len(set(map(look, positions)))


def _without_value(place: int) -> _Look:
    return lambda at: (at[:2], at.values[:place], at.values[place + 1 :], at.zones)


def _without_zone(place: int) -> _Look:
    return lambda at: (at[:3], at.zones[:place], at.zones[place + 1 :])


def _without_attribute(place: int) -> _Look:
    def look(item: Item) -> Hashable:
        return item[:2], item.attributes[:place], item.attributes[place + 1 :]

    return lambda at: (at[:3], tuple(tuple(map(look, zone)) for zone in at.zones))
