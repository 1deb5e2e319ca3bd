"""Cubes: the shortest conjunctions of literals that are true of a row and of none of many
others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

MOST_LITERALS = 3


class CubeLiteral(NamedTuple):
    """The bit of that *number* is one, or if not *positive* none."""

    number: int
    positive: bool


@dataclass(frozen=True)
class Cube:
    """All of *literals* together."""

    literals: tuple[CubeLiteral, ...]

    def fits(self, row: int) -> bool:
        """Whether it is true of *row*."""
        return all((row >> number & 1) == positive for number, positive in self.literals)


class RowSets:
    """Rows, and for each literal the set of those of which it is true, as a number with a bit for
    each.
    """

    def __init__(self, rows: Collection[int], width: int) -> None:
        self.rows = sorted(rows)
        self.width, self.all = width, (1 << len(self.rows)) - 1
        self._having = [0] * width
        for place, row in enumerate(self.rows):
            while row:
                bit = row & -row
                self._having[bit.bit_length() - 1] |= 1 << place
                row ^= bit

    def true_rows(self, literal: CubeLiteral) -> int:
        """Return the set of the rows of which *literal* is true."""
        having = self._having[literal.number]
        return having if literal.positive else self.all & ~having

    def fit(self, literals: Sequence[CubeLiteral]) -> int:
        """Return the set of the rows of which all *literals* are true."""
        found = self.all
        for literal in literals:
            found &= self.true_rows(literal)
        return found


def separating(
    row: int,
    others: RowSets,
    cost: Callable[[CubeLiteral], float],
    leads: Callable[[CubeLiteral], bool],
    most: int,
) -> list[Cube]:
    """Return at most so many cubes that are true of *row* and of none of the *others*: the
    shortest, then the cheapest.

    None is part of another. One of several literals has to be one that *leads*.
    """
    literals = [CubeLiteral(number, bool(row >> number & 1)) for number in range(others.width)]
    useful = sorted(
        (one for one in literals if others.true_rows(one) != others.all),
        key=lambda one: (cost(one), one),
    )
    found: list[Cube] = []
    for size in range(1, MOST_LITERALS + 1):
        cubes = {
            Cube(tuple(sorted(literals))) for literals in _of_size(size, useful, others, leads)
        }
        minimal = (
            cube
            for cube in cubes
            if not any(set(one.literals) <= set(cube.literals) for one in found)
        )
        found += sorted(minimal, key=lambda cube: (sum(map(cost, cube.literals)), cube.literals))[
            : most - len(found)
        ]
        if len(found) >= most:
            break
    return found


def _of_size(
    size: int, useful: Sequence[CubeLiteral], others: RowSets, leads: Callable[[CubeLiteral], bool]
) -> Iterator[tuple[CubeLiteral, ...]]:
    if size == 1:
        yield from ((one,) for one in useful if not others.true_rows(one))
        return
    for first in filter(leads, useful):
        begun = others.true_rows(first)
        if size == 2:
            yield from (
                (first, one) for one in useful if one != first and not begun & others.true_rows(one)
            )
            continue
        rest = [
            (one, its)
            for one in useful
            if one != first and (its := begun & others.true_rows(one)) not in (0, begun)
        ]
        yield from (
            (first, one, two)
            for (one, its), (two, their) in combinations(rest, 2)
            if not its & their
        )
