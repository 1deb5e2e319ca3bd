"""For each: what is done for every item of a zone, or every player of a set, that meets a
condition.

Who they are is read before anything changes, and so are the values that are assigned. Then it is
done for one after the other: items from the first of their zone, so that those that move lie there
as they lay here; players in turn order from the active one.
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
    def attributes(self) -> tuple[ir.Attribute, ...]:
        """The attributes of items, in their order."""

    @property
    def variables(self) -> Mapping[str, ir.VariableDeclaration]:
        """The variables of the Program by their names."""

    def take_away(self, frame: Frame, place: ItemPlace | None) -> ItemPlace:
        """Take the item at *place* away."""

    def join(self, frame: Frame, zone: str, item: Item) -> int | None:
        """Add *item* to *zone* and return its number there; None if that is bounded and full."""

    def set_attribute(
        self, frame: Frame, item: Item, place: ItemPlace | None, attribute: str, value: Any
    ) -> Event:
        """Let the item at *place* have *value*, and return the event."""

    def fits(self, types: Iterable[ir.Type]) -> Callable[[tuple[Any, ...]], bool]:
        """Return the test whether values, one for each of *types*, keep the numbers' ranges."""


def for_each(
    doing: Doing, each: ir.ForEach, names: LocalCells, then: Callable[[Frame], None]
) -> Callable[[Frame], None]:
    """Return the function that does *each* and goes on with *then*, if the move is possible."""
    for done in reversed(each.body):
        match done:
            case ir.Leave() | ir.Move():
                then = _of_items(doing, each, done, names, then)
            case ir.Alter():
                then = _of_changes(doing, each, done, names, then)
            case ir.Assign():
                then = _of_players(doing, each, done, names, then)
            case _:
                assert_never(done)
    return then


def _picked(
    doing: Doing, each: ir.ForEach, names: LocalCells
) -> tuple[Callable[[Frame], list[Any]], LocalCells]:
    """Return the function that picks the elements, and the names with the element in sight."""
    inner = doing.expressions.bind(names, each.variable, item=isinstance(each.domain, ir.ItemsOn))
    elements = doing.expressions.domain(each.domain, names)
    condition = doing.expressions.compile(each.condition, inner)

    def pick(frame: Frame) -> list[Any]:
        picked = []
        for element in elements(frame):
            frame[names.free] = element
            if condition(frame):
                picked.append(element)
        return picked

    return pick, inner


def _of_items(
    doing: Doing,
    each: ir.ForEach,
    done: ir.Leave | ir.Move,
    names: LocalCells,
    then: Callable[[Frame], None],
) -> Callable[[Frame], None]:
    pick, _ = _picked(doing, each, names)

    def run(frame: Frame) -> None:
        waiting = pick(frame)
        while waiting:
            (item, place), *others = waiting
            zone, at = doing.take_away(frame, place)
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


def change(
    doing: Doing, statement: ir.Alter, names: LocalCells, then: Callable[[Frame], None]
) -> Callable[[Frame], None]:
    """Return the function that does *statement* and goes on with *then*, if the move is
    possible.
    """
    held = doing.expressions.item(statement.item, names)
    value = doing.expressions.compile(statement.value, names)
    fits = _fits(doing, statement.attribute)

    def run(frame: Frame) -> None:
        (item, place), new = held(frame), value(frame)
        if fits((new,)):
            happen(frame, names, doing.set_attribute(frame, item, place, statement.attribute, new))
            then(frame)

    return run


def _fits(doing: Doing, attribute: str) -> Callable[[tuple[Any, ...]], bool]:
    return doing.fits([one.type for one in doing.attributes if one.name == attribute])


def _of_changes(
    doing: Doing, each: ir.ForEach, done: ir.Alter, names: LocalCells, then: Callable[[Frame], None]
) -> Callable[[Frame], None]:
    pick, inner = _picked(doing, each, names)
    value, fits = doing.expressions.compile(done.value, inner), _fits(doing, done.attribute)

    def run(frame: Frame) -> None:
        waiting = []
        for item, place in pick(frame):
            frame[names.free] = (item, place)
            waiting.append((item, place, value(frame)))
        while waiting:
            (item, place, new), *others = waiting
            if not fits((new,)):
                return
            event = doing.set_attribute(frame, item, place, done.attribute, new)
            happen(frame, names, event)
            waiting = [(other, follow(where, event), its) for other, where, its in others]
        then(frame)

    return run


def _of_players(
    doing: Doing,
    each: ir.ForEach,
    done: ir.Assign,
    names: LocalCells,
    then: Callable[[Frame], None],
) -> Callable[[Frame], None]:
    pick, inner = _picked(doing, each, names)
    cell = doing.expressions.variables[done.variable]
    value = doing.expressions.compile(done.value, inner)
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
