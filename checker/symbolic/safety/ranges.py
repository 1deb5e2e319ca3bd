"""Ranges: which values each cell may have at each stage, for itself: a System -> an invariant that
says so.

At first a cell is taken to have none of its values; those that a move gives it are let in, until no
move gives any more. That is the best invariant of its kind (Cousot and Cousot, "Static
determination of dynamic properties of programs", 1976), found as in `houdini`. Many a question
about positions needs no other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import z3

from ...types.budget import Meter
from ..encoding.obligations import Invariant
from ..encoding.system import System
from ..solver import terms as t
from .houdini import dropped

MOST = 32
"""A cell with more values is left alone."""


@dataclass(frozen=True)
class _Cell:
    """A *cell* that has one of *values* values."""

    cell: t.Term
    values: tuple[t.Term, ...]

    def without(self) -> list[t.Bool]:
        """Return for each of the values that the cell does not have it."""
        return [t.negation(t.equal(self.cell, value)) for value in self.values]

    def among(self, there: list[t.Term]) -> t.Bool:
        """Return that the cell has one of the values *there*."""
        if len(there) == len(self.values):
            return t.TRUE
        return t.any_of(t.equal(self.cell, value) for value in there)


def values(system: System, meter: Meter) -> Invariant:
    """Return for each stage which values its cells can have there, as far as they are fewer than is
    known of them.
    """
    cells, candidates = _candidates(system)
    left = dropped(system, candidates, meter)
    return {
        stage: t.all_of(_cell_ranges(of_stage, left[stage])) for stage, of_stage in cells.items()
    }


def absent(system: System, meter: Meter) -> dict[str, tuple[list[t.Bool], list[t.Bool]]]:
    """Return for each stage that a cell has not one of its values: where that is always so, and
    where it may be so or not.
    """
    _, candidates = _candidates(system)
    left = dropped(system, candidates, meter)
    return {
        stage: (
            list(left[stage].values()),
            [one for number, one in enumerate(of_stage) if number not in left[stage]],
        )
        for stage, of_stage in candidates.items()
    }


def _candidates(system: System) -> tuple[dict[str, list[_Cell]], dict[str, list[t.Bool]]]:
    """Return the cells of each stage that have few values, and of each that it has not one of
    these.
    """
    cells = {
        stage: list(_cells(of_stage, system.known[stage]))
        for stage, of_stage in system.cells.items()
    }
    return cells, {
        stage: [candidate for cell in of_stage for candidate in cell.without()]
        for stage, of_stage in cells.items()
    }


def _cell_ranges(cells: list[_Cell], left: Mapping[int, t.Bool]) -> Iterator[t.Bool]:
    """Yield what each of *cells* may be, where *left* are the candidates that nothing speaks
    against.
    """
    first = 0
    for cell in cells:
        yield cell.among(
            [value for number, value in enumerate(cell.values, first) if number not in left]
        )
        first += len(cell.values)


def _cells(cells: tuple[t.Term, ...], known: t.Bool) -> Iterator[_Cell]:
    """Yield those of *cells* that have few values by what is *known* of them."""
    least, most = _bounds(known)
    for cell in cells:
        name = cell.ast.value
        if isinstance(cell, z3.BoolRef):
            yield _Cell(cell, (t.FALSE, t.TRUE))
        elif name in least and name in most and most[name] - least[name] < MOST:
            yield _Cell(
                cell, tuple(t.number(value) for value in range(least[name], most[name] + 1))
            )


def _bounds(known: t.Bool) -> tuple[dict[int, int], dict[int, int]]:
    """Return the least and the most that constants can be by what is *known* of each for itself."""
    least: dict[int, int] = {}
    most: dict[int, int] = {}
    for part in t.conjuncts(known):
        if not (z3.is_le(part) or z3.is_ge(part) or z3.is_lt(part) or z3.is_gt(part)):
            continue
        low, high = (
            part.children() if z3.is_le(part) or z3.is_lt(part) else reversed(part.children())
        )
        step = 1 if z3.is_lt(part) or z3.is_gt(part) else 0
        if (value := t.value_of(low)) is not None:
            least[high.ast.value] = max(value + step, least.get(high.ast.value, value + step))
        elif (value := t.value_of(high)) is not None:
            most[low.ast.value] = min(value - step, most.get(low.ast.value, value - step))
    return least, most
