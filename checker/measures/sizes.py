"""Sizes: how many positions there would be if something were the same in all of them; what a game
is large by.

What is left out is not forgotten by the rules: the positions that are reached are counted, as they
look without it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from ...models import ir
from ..types.position import Item, Position


def sizes(program: ir.Program, positions: Sequence[Position]) -> list[tuple[str, str, int]]:
    """Return each variable, zone and attribute of *program*: which of these it is, its name, and
    how many of *positions* differ without it; the fewest first.
    """
    found = [
        ("variable", variable.name, _left(positions, _without_value(place)))
        for place, variable in enumerate(program.variables)
    ]
    found += [
        ("zone", zone.name, _left(positions, _without_zone(place)))
        for place, zone in enumerate(program.zones)
    ]
    found += [
        ("attribute", attribute.name, _left(positions, _without_attribute(place)))
        for place, attribute in enumerate(program.attributes)
    ]
    return sorted(found, key=lambda row: row[2])


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
