"""For each: what is done for every item of a zone, or every player of a set, that meets a condition.

Who they are is read before anything changes, and so are the values that are assigned. Then it is done for one after the other: items from
the first of their zone, so that those that move lie there as they lay here; players in turn order from the active one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, assert_never

from ....models import ir
from ...types.position import Event, Item
from .events import follow, happen
from .expressions import FOUND, Frame, ItemPlace, LocalCells

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from .expressions import Expressions


class Doing(Protocol):
    """What of the statements of a Program is asked for here."""

    expressions: Expressions

    @property
    def variables(self) -> Mapping[str, ir.VariableDeclaration]:
        """The variables of the Program by their names."""

    def take(self, frame: Frame, place: ItemPlace | None) -> ItemPlace:
        """Take the item at *place* away."""

    def join(self, frame: Frame, zone: str, item: Item) -> int | None:
        """Add *item* to *zone* and return its number there; None if that is bounded and full."""

    def fits(self, types: Iterable[ir.Type]) -> Callable[[tuple[Any, ...]], bool]:
        """Return the test whether values, one for each of *types*, keep the numbers' ranges."""


def for_each(doing: Doing, each: ir.ForEach, names: LocalCells, then: Callable[[Frame], None]) -> Callable[[Frame], None]:
    """Return the function that does *each* and goes on with *then*, if the move is possible."""
    for done in reversed(each.body):
        match done:
            case ir.Leave() | ir.Move():
                then = _of_items(doing, each, done, names, then)
            case ir.Assign():
                then = _of_players(doing, each, done, names, then)
            case _:
                assert_never(done)
    return then


def _picked(doing: Doing, each: ir.ForEach, names: LocalCells) -> tuple[Callable[[Frame], list[Any]], LocalCells]:
    """Return the function that picks the elements, and the names with the element in sight."""
    inner = doing.expressions.bind(names, each.variable, item=isinstance(each.domain, ir.ItemsOn))
    elements, condition = doing.expressions.domain(each.domain, names), doing.expressions.compile(each.condition, inner)

    def pick(frame: Frame) -> list[Any]:
        picked = []
        for element in elements(frame):
            frame[names.free] = element
            if condition(frame):
                picked.append(element)
        return picked

    return pick, inner


def _of_items(
    doing: Doing, each: ir.ForEach, done: ir.Leave | ir.Move, names: LocalCells, then: Callable[[Frame], None]
) -> Callable[[Frame], None]:
    pick, _ = _picked(doing, each, names)

    def run(frame: Frame) -> None:
        waiting = pick(frame)
        while waiting:
            (item, place), *others = waiting
            zone, at = doing.take(frame, place)
            match done:
                case ir.Leave(_, how):
                    event = Event(how, item, zone, at)
                case ir.Move(_, to):
                    to_at = doing.join(frame, to, item)
                    if to_at is None:
                        frame[FOUND].cut += 1
                        return
                    event = Event("move", item, zone, at, doing.expressions.zone_numbers[to], to_at)
                case _:
                    assert_never(done)
            happen(frame, names, event)
            waiting = [(other, follow(where, event)) for other, where in others]
        then(frame)

    return run


def _of_players(
    doing: Doing, each: ir.ForEach, done: ir.Assign, names: LocalCells, then: Callable[[Frame], None]
) -> Callable[[Frame], None]:
    pick, inner = _picked(doing, each, names)
    cell, value = doing.expressions.variables[done.variable], doing.expressions.compile(done.value, inner)
    fits = doing.fits([doing.variables[done.variable].type])

    def run(frame: Frame) -> None:
        entries = list(frame[cell])
        for seat in pick(frame):
            frame[names.free] = seat
            new = value(frame)
            if not fits((new,)):
                return
            entries[seat] = new
        frame[cell] = tuple(entries)
        then(frame)

    return run
