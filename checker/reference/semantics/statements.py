"""Statements: what each statement of the Program does, as a function of a frame.

In comes an `ir.Block`, out goes a function that runs a frame to the end of every move the block
makes. A statement is compiled together with what follows it, its continuation (Strachey and
Wadsworth, "Continuations", 1974). It calls that once if it has one outcome, and never if the move
is not possible here. A choice calls it once for each element, each time with a frame of its own.

NOTE(cut): a move that would exceed a zone's size in the scope ends there, even if the zone would be
small enough again at the move's end. The choices that would still follow are not made: it counts as
one move. Without a bound (`Statements.is_bounded`) nothing is cut, and the move is made to its end:
what the rules allow.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, TypeAlias, assert_never

from ....models import ir
from ...types.budget import look_inside
from ...types.position import OVER, Choice, Event, Item, Move, Position, Value
from ...types.scope import Scope
from .each import change, for_each
from .events import change_step, happen
from .expressions import (
    CHOICES,
    EVENTS,
    FIRST_VARIABLE,
    FOUND,
    OWNER,
    Expressions,
    Frame,
    ItemPlace,
    LocalCells,
    Meaning,
)

Action: TypeAlias = Callable[[Frame], None]
_MOST_RANKED = 4096
_LOOK_AFTER = 4096
"""After how many choices in the moves of one position the budget is asked."""


class Statements:
    """Compiles the blocks of one Program in one scope; unless it *is_bounded*, zones have any size,
    as the rules have it.
    """

    def __init__(
        self,
        program: ir.Program,
        scope: Scope,
        expressions: Expressions,
        *,
        is_bounded: bool = True,
    ) -> None:
        self.expressions, self.is_bounded = expressions, is_bounded
        self.variables = {variable.name: variable for variable in program.variables}
        self.sequences = {sequence.name: sequence for sequence in program.sequences}
        self.parameters = {stage.name: stage.parameters for stage in program.stages}
        self.attributes = program.attributes
        self.sizes = dict(scope.sizes)
        self.zone_names = [zone.name for zone in program.zones]
        self.unordered = {zone.name for zone in program.zones if zone.order == "unordered"}
        self.item_rank = item_rank(program)

    def block(self, statements: ir.Block, names: LocalCells, then: Action) -> Action:
        """Return the function that does *statements* and goes on with *then*."""
        if not statements:
            return then
        first, rest = statements[0], statements[1:]
        match first:
            case ir.SimpleOfItem():
                return self._of_item(first, names, self.block(rest, names, then))
            case ir.SimpleOfState():
                return self._of_state(first, names, self.block(rest, names, then))
            case ir.Require() | ir.If() | ir.Let() | ir.Choose() | ir.Branch() | ir.ForEach():
                return self._several(first, rest, names, then)
            case ir.Go() | ir.GameOver():
                return self._end(first, names)
            case _:
                assert_never(first)

    # ------------------------------------------------------------------ items

    def _of_item(self, statement: ir.OfItem, names: LocalCells, then: Action) -> Action:
        match statement:
            case ir.Put():
                return self._put(statement, names, then)
            case ir.Move():
                return self._move(statement, names, then)
            case ir.Leave(item, how):
                held = self.expressions.item(item, names)

                def leave(frame: Frame) -> None:
                    what, place = held(frame)
                    zone, at = self.take_away(frame, place)
                    happen(frame, names, Event(how, what, zone, at))
                    then(frame)

                return leave
            case ir.BeginResolving(item):
                held = self.expressions.item(item, names)

                def begin(frame: Frame) -> None:
                    what, place = held(frame)
                    zone, at = _present(place)
                    happen(frame, names, Event("begins resolving", what, zone, at))
                    then(frame)

                return begin
            case ir.Alter():
                return change(self, statement, names, then)
            case _:
                assert_never(statement)

    def _put(self, put: ir.Put, names: LocalCells, then: Action) -> Action:
        kind, zone = put.kind, self.expressions.zone_numbers[put.zone]
        controller = self.expressions.compile(put.controller, names)
        given = [self.expressions.compile(value, names) for value in put.attributes]
        fits = self.fits([attribute.type for attribute in self.attributes])

        def run(frame: Frame) -> None:
            attributes = tuple([value(frame) for value in given])
            if not fits(attributes):
                return
            item = Item(kind, controller(frame), attributes)
            at = self.join(frame, put.zone, item)
            if at is None:
                frame[FOUND].cut += 1
                return
            happen(frame, names, Event("put", item, zone, at))
            then(frame)

        return run

    def _move(self, move: ir.Move, names: LocalCells, then: Action) -> Action:
        held = self.expressions.item(move.item, names)
        to_zone = self.expressions.zone_numbers[move.zone]

        def run(frame: Frame) -> None:
            item, place = held(frame)
            zone, at = self.take_away(frame, place)
            to_at = self.join(frame, move.zone, item)
            if to_at is None:
                frame[FOUND].cut += 1
                return
            happen(frame, names, Event("move", item, zone, at, to_zone, to_at))
            then(frame)

        return run

    def set_attribute(
        self, frame: Frame, item: Item, place: ItemPlace | None, attribute: str, value: Any
    ) -> Event:
        """Let the item at *place* have *value*, and return the event."""
        number = self.expressions.attribute_numbers[attribute]
        new = item._replace(
            attributes=(*item.attributes[:number], value, *item.attributes[number + 1 :])
        )
        zone, at = self.take_away(frame, place)
        name = self.zone_names[zone]
        # It was there: no bound keeps it from staying, not even where the zone is past it.
        to_at = self._insert(frame, name, new, at)
        return Event("changes", new, zone, at, zone, to_at)

    def take_away(self, frame: Frame, place: ItemPlace | None) -> ItemPlace:
        """Take the item at *place* away."""
        zone, at = _present(place)
        cell = self.expressions.first_zone + zone
        items = frame[cell]
        frame[cell] = items[:at] + items[at + 1 :]
        return zone, at

    def join(self, frame: Frame, zone: str, item: Item) -> int | None:
        """Add *item* to *zone* and return its number there; None if that is bounded and full."""
        size = len(frame[self.expressions.zone_cell(zone)])
        if self.is_bounded and size >= self.sizes[zone]:
            return None
        return self._insert(frame, zone, item, size)

    def _insert(self, frame: Frame, zone: str, item: Item, at: int) -> int:
        """Put *item* on *zone* at *at*, or where an unordered zone sorts it; return its number
        there.
        """
        cell = self.expressions.zone_cell(zone)
        items = frame[cell]
        if zone in self.unordered:
            at = bisect_right(items, self.item_rank(item), key=self.item_rank)
        frame[cell] = (*items[:at], item, *items[at:])
        return at

    # ------------------------------------------------------------------ steps, variables, passes

    def _of_state(self, statement: ir.OfState, names: LocalCells, then: Action) -> Action:
        match statement:
            case ir.Pass():

                def passes(frame: Frame) -> None:
                    frame[EVENTS] += (Event("passes", player=frame[OWNER]),)
                    then(frame)

                return passes
            case ir.Advance(name):
                return self._advance(self.sequences[name], then)
            case ir.StepTo(name, step):
                cell = self.expressions.variables[self.sequences[name].variable]

                def step_to(frame: Frame) -> None:
                    change_step(frame, name, frame[cell], step)
                    frame[cell] = step
                    then(frame)

                return step_to
            case ir.Assign():
                return self._assign(statement, names, then)
            case _:
                assert_never(statement)

    def _advance(self, sequence: ir.Sequence, then: Action) -> Action:
        name, cell = sequence.name, self.expressions.variables[sequence.variable]
        steps = [step.name for step in sequence.steps]
        after = dict(zip(steps, [*steps[1:], ir.NO_STEP], strict=True))
        if name != ir.TURN:
            # What is not going on has no next step: the move is not possible.
            def advance(frame: Frame) -> None:
                if frame[cell] in after:
                    change_step(frame, name, frame[cell], after[frame[cell]])
                    frame[cell] = after[frame[cell]]
                    then(frame)

            return advance

        def advance_turn(frame: Frame) -> None:
            step = frame[cell]
            if step == steps[-1]:
                change_step(frame, name, step, ir.NO_STEP)
                step, frame[cell] = ir.NO_STEP, steps[0]
                frame[FIRST_VARIABLE] = (frame[FIRST_VARIABLE] + 1) % self.expressions.players
            else:
                frame[cell] = after[step]
            change_step(frame, name, step, frame[cell])
            then(frame)

        return advance_turn

    def _assign(self, assign: ir.Assign, names: LocalCells, then: Action) -> Action:
        cell = self.expressions.variables[assign.variable]
        value = self.expressions.compile(assign.value, names)
        fits = self.fits([self.variables[assign.variable].type])
        if assign.player is None:

            def run(frame: Frame) -> None:
                new = value(frame)
                if fits((new,)):
                    frame[cell] = new
                    then(frame)

            return run
        seat = self.expressions.compile(assign.player, names)

        def run_entry(frame: Frame) -> None:
            new, player, entries = value(frame), seat(frame), frame[cell]
            if fits((new,)):
                frame[cell] = (*entries[:player], new, *entries[player + 1 :])
                then(frame)

        return run_entry

    def fits(self, types: Iterable[ir.Type]) -> Callable[[tuple[Any, ...]], bool]:
        """Return the test whether values, one for each of *types*, keep the numbers' ranges."""
        constant = self.expressions.constant
        ranges = [
            (number, constant(type_.low), constant(type_.high))
            for number, type_ in enumerate(types)
            if isinstance(type_, ir.NumberType)
        ]
        if not ranges:
            return lambda _: True
        return lambda values: all(low <= values[number] <= high for number, low, high in ranges)

    # ------------------------------------------------------------------ several outcomes

    def _several(
        self, statement: ir.Several, rest: ir.Block, names: LocalCells, then: Action
    ) -> Action:
        match statement:
            case ir.Require(condition):
                holds = self.expressions.compile(condition, names)
                follows = self.block(rest, names, then)
                return lambda frame: follows(frame) if holds(frame) else None
            case ir.If(condition, yes, no):
                holds = self.expressions.compile(condition, names)
                follows = self.block(rest, names, then)
                do_then, do_else = self.block(yes, names, follows), self.block(no, names, follows)
                return lambda frame: do_then(frame) if holds(frame) else do_else(frame)
            case ir.Let(variable, expr):
                inner = self.expressions.bind(names, variable)
                value = self.expressions.compile(expr, names)
                follows = self.block(rest, inner, then)

                def let(frame: Frame) -> None:
                    frame[names.free] = value(frame)
                    follows(frame)

                return let
            case ir.Choose():
                inner = self.expressions.bind(
                    names, statement.variable, item=isinstance(statement.domain, ir.ItemsOn)
                )
                return self._choose(statement, names, inner, self.block(rest, inner, then))
            case ir.Branch():
                return self._branch(statement, names, self.block(rest, names, then))
            case ir.ForEach():
                return for_each(self, statement, names, self.block(rest, names, then))
            case _:
                assert_never(statement)

    def _choose(
        self, choose: ir.Choose, names: LocalCells, inner: LocalCells, then: Action
    ) -> Action:
        elements, cell = self.expressions.domain(choose.domain, names), names.free
        condition = self.expressions.compile(choose.condition, inner)
        nearest = self._nearest(choose.nearest, names, inner)
        chooser = self._chooser(choose.by, inner)
        of_items = isinstance(choose.domain, ir.ItemsOn)

        def run(frame: Frame) -> None:
            candidates = []
            for element in elements(frame):
                frame[cell] = element
                if condition(frame):
                    candidates.append(element)
            chosen = nearest(frame, candidates)
            _try(frame[FOUND], len(chosen))
            for element in chosen:
                branch = frame.copy()
                branch[cell] = element
                value, at = (element[0], element[1][1]) if of_items else (element, -1)
                branch[CHOICES] += (Choice(chooser(branch), choose.variable, value, at),)
                if _is_wanted(branch):
                    then(branch)

        return run

    def _nearest(
        self, nearest: ir.Nearest | None, names: LocalCells, inner: LocalCells
    ) -> Callable[[Frame, list[Any]], list[Any]]:
        """Return the function that keeps of the candidates those whose player comes first."""
        if nearest is None:
            return lambda _, candidates: candidates
        player = self.expressions.compile(nearest.player, inner)
        origin = self.expressions.compile(nearest.origin, names)
        cell, number = names.free, self.expressions.players

        def keep(frame: Frame, candidates: list[Any]) -> list[Any]:
            first, distances = origin(frame), []
            for candidate in candidates:
                frame[cell] = candidate
                distances.append((player(frame) - first) % number)
            least = min(distances, default=0)
            return [
                candidate
                for candidate, distance in zip(candidates, distances, strict=True)
                if distance == least
            ]

        return keep

    def _branch(self, branch: ir.Branch, names: LocalCells, then: Action) -> Action:
        chooser = self._chooser(branch.by, names)
        options = [
            (at, title, self.block(block, names, then))
            for at, (title, block) in enumerate(branch.options)
        ]

        def run(frame: Frame) -> None:
            by = chooser(frame)
            _try(frame[FOUND], len(options))
            for at, title, option in options:
                copy = frame.copy()
                copy[CHOICES] += (Choice(by, "", title, at),)
                if _is_wanted(copy):
                    option(copy)

        return run

    def _chooser(self, by: ir.Expr | str | None, names: LocalCells) -> Meaning:
        if by is None:
            return lambda frame: frame[OWNER]
        if isinstance(by, str):
            return lambda _: by
        return self.expressions.compile(by, names)

    # ------------------------------------------------------------------ the end of a move

    def _end(self, statement: ir.End, names: LocalCells) -> Action:
        match statement:
            case ir.Go(stage, arguments):
                values = [self.expressions.compile(argument, names) for argument in arguments]
                fits = self.fits([parameter.type for parameter in self.parameters[stage]])
                return lambda frame: self._found(
                    frame, stage, tuple([value(frame) for value in values]), fits
                )
            case ir.GameOver():
                return lambda frame: self._found(frame, OVER, (), lambda _: True)
            case _:
                assert_never(statement)

    def _found(
        self,
        frame: Frame,
        stage: str,
        arguments: tuple[Value, ...],
        fits: Callable[[tuple[Any, ...]], bool],
    ) -> None:
        """Write the move that ends here down, unless an argument is outside its range."""
        if not fits(arguments):
            return
        first_zone, first_local = self.expressions.first_zone, self.expressions.first_local
        values = tuple(frame[FIRST_VARIABLE:first_zone])
        zones = tuple(frame[first_zone:first_local])
        found = frame[FOUND]
        move = Move(found.clause, frame[OWNER], frame[CHOICES], frame[EVENTS])
        found.moves.append((move, Position(stage, arguments, values, zones)))


def _try(found: Any, choices: int) -> None:
    """Note that *choices* choices are tried; look now and then whether there is time for so
    many.
    """
    found.tried += choices
    if found.tried >= _LOOK_AFTER:
        found.tried = 0
        look_inside()


def _is_wanted(frame: Frame) -> bool:
    """Whether somebody wants a move that begins so."""
    found = frame[FOUND]
    return found.wanted is None or found.wanted(
        Move(found.clause, frame[OWNER], frame[CHOICES], frame[EVENTS])
    )


def _present(place: ItemPlace | None) -> ItemPlace:
    if place is None:
        raise RuntimeError("an item is used after it has left the game")
    return place


def item_rank(program: ir.Program) -> Callable[[Item], tuple[int, ...]]:
    """Return the sort key of items on unordered zones: kind, controller, attributes, each in the
    order of its values, nobody first.
    """
    kinds = {kind.name: number for number, kind in enumerate(program.kinds)}
    types = [attribute.type for attribute in program.attributes]
    orders = [
        {value: number for number, value in enumerate(t.values)}
        if isinstance(t, ir.EnumType)
        else None
        for t in types
    ]

    @lru_cache(maxsize=_MOST_RANKED)
    def rank(item: Item) -> tuple[int, ...]:
        attributes = zip(item.attributes, orders, strict=True)
        return (
            kinds[item.kind],
            item.controller,
            *[_value_rank(value, order) for value, order in attributes],
        )

    return rank


def _value_rank(value: bool | int | str | None, order: dict[str, int] | None) -> int:
    if value is None:
        return -1
    if isinstance(value, str):
        return order[value] if order else 0
    return int(value)
