"""Statements: what each statement of the Program does, as a function of a frame.

In comes an `ir.Block`, out goes a function that runs a frame to the end of every move the block
makes. A statement is compiled together with what follows it, its continuation (Strachey and
Wadsworth, "Continuations", 1974). It calls that once if it has one outcome, and never if the move
is not possible here. A choice calls it once for each element, each time with a frame of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from ....models import ir
from ...types.budget import look_inside
from ...types.position import OVER, Choice, Event, Item, Move, Position, Value
from .each import Action, Doing
from .events import change_step, happen
from .expressions import (
    CHOICES,
    EVENTS,
    FIRST_VARIABLE,
    FOUND,
    OWNER,
    Frame,
    LocalCells,
    Meaning,
)

_LOOK_AFTER = 4096
"""After how many choices in the moves of one position the budget is asked."""


class Statements(Doing):
    """Compiles the blocks of one Program in one scope."""

    def block(self, statements: ir.Block, names: LocalCells, then: Action) -> Action:
        """Return the function that does *statements* and goes on with *then*."""
        if not statements:
            return then
        first, rest = statements[0], statements[1:]
        match first:
            case ir.Put():
                return self._put(first, names, self.block(rest, names, then))
            case ir.Leave(item) | ir.Move(item) | ir.BeginResolving(item):
                held, then = self.expressions.item(item, names), self.block(rest, names, then)
                return self.to_items(first, names, lambda frame: [(held(frame), None)], then)
            case ir.Alter(item, _, new):
                held, then = self.expressions.item(item, names), self.block(rest, names, then)
                value = self.expressions.compile(new, names)
                return self.to_items(
                    first, names, lambda frame: [(held(frame), value(frame))], then
                )
            case ir.Pass() | ir.Advance() | ir.StepTo() | ir.Assign():
                return self._of_state(first, names, self.block(rest, names, then))
            case ir.Require() | ir.If() | ir.Let() | ir.Choose() | ir.Branch() | ir.ForEach():
                return self._several(first, rest, names, then)
            case ir.Go(stage, arguments):
                values = [self.expressions.compile(argument, names) for argument in arguments]
                fits = self.fits([one.type for one in self.program.stage(stage).parameters])
                return lambda frame: self._found(
                    frame, stage, tuple([value(frame) for value in values]), fits
                )
            case ir.GameOver():
                return lambda frame: self._found(frame, OVER, (), lambda _: True)
            case _:
                assert_never(first)

    # ------------------------------------------------------------------ items

    def _put(self, put: ir.Put, names: LocalCells, then: Action) -> Action:
        kind, zone = put.kind, self.expressions.zone_numbers[put.zone]
        controller = self.expressions.compile(put.controller, names)
        given = [self.expressions.compile(value, names) for value in put.attributes]
        fits = self.fits(self.attributes.values())

        def run(frame: Frame) -> None:
            attributes = tuple([value(frame) for value in given])
            if not fits(attributes):
                return
            item = Item(kind, controller(frame), attributes)
            at = self.join(frame, zone, item)
            if at is not None:
                happen(frame, names, Event("put", item, zone, at))
                then(frame)

        return run

    # ------------------------------------------------------------------ steps, variables, passes

    def _of_state(self, statement: ir.OfState, names: LocalCells, then: Action) -> Action:
        match statement:
            case ir.Pass():

                def passes(frame: Frame) -> None:
                    frame[EVENTS] += (Event("passes", player=frame[OWNER]),)
                    then(frame)

                return passes
            case ir.Advance(name):
                return self._advance(self.program.sequence(name), then)
            case ir.StepTo(name, step):
                cell = self.expressions.variables[self.program.sequence(name).variable]

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

        def advance(frame: Frame) -> None:
            step = frame[cell]
            if step not in after:
                return  # what is not going on has no next step: the move is not possible
            change_step(frame, name, step, after[step])
            frame[cell] = after[step]
            if name == ir.TURN and step == steps[-1]:
                frame[cell] = steps[0]
                frame[FIRST_VARIABLE] = (frame[FIRST_VARIABLE] + 1) % self.expressions.players
                change_step(frame, name, ir.NO_STEP, steps[0])
            then(frame)

        return advance

    def _assign(self, assign: ir.Assign, names: LocalCells, then: Action) -> Action:
        value = self.expressions.compile(assign.value, names)
        if assign.player is not None:
            seat = self.expressions.compile(assign.player, names)
            return self.to_entries(
                assign.variable, lambda frame: [(seat(frame), value(frame))], then
            )
        cell = self.expressions.variables[assign.variable]
        fits = self.fits([self.program.variable(assign.variable).type])

        def run(frame: Frame) -> None:
            new = value(frame)
            if fits((new,)):
                frame[cell] = new
                then(frame)

        return run

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
                return self.for_each(statement, names, self.block(rest, names, then))
            case _:
                assert_never(statement)

    def _choose(
        self, choose: ir.Choose, names: LocalCells, inner: LocalCells, then: Action
    ) -> Action:
        picked, cell = self.picked(choose, names), names.free
        nearest = self._nearest(choose.nearest, names, inner)
        chooser = self._chooser(choose.by, inner)
        of_items = isinstance(choose.domain, ir.ItemsOn)

        def run(frame: Frame) -> None:
            chosen = nearest(frame, [element for element, _ in picked(frame)])
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
    """Note that *choices* choices are tried; look now and then whether the budget has room for
    more.
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
