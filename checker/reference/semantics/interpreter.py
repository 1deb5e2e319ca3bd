"""The interpreter: the meaning of a Program. Every other engine is measured against it.

In comes a Program whose options are fixed, and a scope; out go its initial position, and the moves
of any position. `expressions` and `statements` say what the parts of a clause mean, this module
what a clause, a stage and a game mean.

NOTE(move-order): the moves of a position come in this order. Clauses in the order of the stage's
text; of a ``by any`` clause, players in turn order from the active one; then the choices, the
earlier ones first: items in the order of their zone from its first, players in turn order from the
active one, numbers ascending, branches in the order of the text (of what cards may cause: that
nothing happens comes first). Every item is a move of its own, even if two look alike. Items of an
unordered zone are kept sorted by kind, controller and attributes, each in the order of its
declaration; a new item comes after those that look like it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias, assert_never

from ....models import ir
from ....models.diagnostics import wrong_input
from ...types.position import OVER, Move, Position, Value
from ...types.scope import Scope
from .each import Action
from .expressions import OWNER, Expressions, Frame, LocalCells, Meaning
from .statements import Statements


@dataclass(slots=True)
class Moves:
    """The *moves* of a position, each with the position it leads to, and how many the scope *cut*,
    of which clauses (*cut_of*).

    *clause* is the one whose moves are being found. *tried* counts the choices that were tried
    since the last look at the time. Only moves are made that are *wanted* at each choice, as far as
    they are made then.
    """

    moves: list[tuple[Move, Position]] = field(default_factory=list)
    cut: int = 0
    cut_of: tuple[str, ...] = ()
    clause: str = ""
    tried: int = 0
    wanted: Callable[[Move], bool] | None = None


_Firing: TypeAlias = tuple[str, Callable[[Frame], list[Frame]], Action]
"""A clause: its id, the function that gives a frame for each owner it can have here, and its
body.
"""


_Stages: TypeAlias = Callable[[str], list[_Firing]]
"""The clauses of each stage, made when a play first comes there."""


class Interpreter:
    """A Program within a scope."""

    def __init__(self, program: ir.Program, scope: Scope) -> None:
        self.program = program
        self.scope = scope
        self.expressions = Expressions(program, scope)
        self.clauses = {clause.id: clause for _, clause in program.clauses}
        self._statements = bounded = Statements(program, scope, self.expressions)
        free = Statements(program, scope, self.expressions, is_bounded=False)
        self._within_bounds = cache(lambda stage: self._firings(stage, bounded))
        self._without_bounds = cache(lambda stage: self._firings(stage, free))
        self._priority = {stage.name: self._who_has_priority(stage) for stage in program.stages}
        self._start = self._statements.block(
            (program.start,), self.expressions.names(), _unfinished
        )

    def initial(self) -> Position:
        """Return the position in which every play begins."""
        values: list[Value] = []
        for variable in self.program.variables:
            value = self.expressions.constant(variable.initial)
            if not self._statements.fits([variable.type])((value,)):
                raise wrong_input(
                    "C105",
                    f"at first {variable.name} is {value}, which is outside its range",
                    self.program.source,
                )
            values.append((value,) * self.scope.players if variable.each_player else value)
        found = Moves()
        self._start(
            self.frame(Position(OVER, (), tuple(values), ((),) * len(self.program.zones)), found)
        )
        return found.moves[0][1]

    def moves(self, position: Position, of: Collection[str] | None = None) -> Moves:
        """Return the moves of *position*, in the order of NOTE(move-order); those *of* some clauses
        only if these are named.
        """
        return self._moves(self._within_bounds, position, of)

    def allowed(
        self,
        position: Position,
        of: Collection[str] | None = None,
        wanted: Callable[[Move], bool] | None = None,
    ) -> list[tuple[Move, Position]]:
        """Return the moves that the rules allow in *position*, as if zones had any size
        (NOTE(enabled) in `evaluate`).

        They are those of `moves`, and every way in which a move that the scope cuts comes to its
        end. What is not *wanted*, as far as it is made, is not made further.
        """
        return self._moves(self._without_bounds, position, of, wanted).moves

    def priority(self, position: Position) -> frozenset[int]:
        """Return the seats that have priority in *position*."""
        if position.stage == OVER:
            return frozenset()
        return self._priority[position.stage](self.frame(position))

    def evaluate(
        self, expression: ir.Expr, names: tuple[str, ...]
    ) -> Callable[[Position, tuple[Any, ...]], Any]:
        """Return the function that gives *expression* its value in a position, with values for
        *names*; an item is a pair (item, None).
        """
        value = self.expressions.compile(expression, self.expressions.names(names))
        return lambda position, values: value(self.frame(position._replace(arguments=values)))

    def frame(self, position: Position, found: Moves | None = None) -> Frame:
        """Return the frame with which a move begins."""
        frame: Frame = [None, (), (), found, *position.values, *position.zones, *position.arguments]
        frame += [None] * (self.expressions.frame_size - len(frame))
        return frame

    def _moves(
        self,
        stages: _Stages,
        position: Position,
        of: Collection[str] | None,
        wanted: Callable[[Move], bool] | None = None,
    ) -> Moves:
        found = Moves(wanted=wanted)
        if position.stage == OVER:
            return found
        clauses = stages(position.stage)  # which may make the frame larger
        base = self.frame(position, found)
        for clause, firings, body in clauses:
            if of is not None and clause not in of:
                continue
            found.clause, before = clause, found.cut
            for frame in firings(base):
                body(frame)
            if found.cut > before:
                found.cut_of += (clause,)
        return found

    def _firings(self, name: str, statements: Statements) -> list[_Firing]:
        """Return the clauses of the stage *name*, whose *statements* are those."""
        stage = self.program.stage(name)
        return [self._firing(stage, clause, statements) for clause in stage.clauses]

    def _firing(self, stage: ir.Stage, clause: ir.Clause, statements: Statements) -> _Firing:
        names = self.expressions.names(parameter.name for parameter in stage.parameters)
        if clause.owner.variable is not None:
            names = self.expressions.bind(names, clause.owner.variable)
        body = statements.block(clause.body, names, _unfinished)
        guard = self.expressions.compile(clause.guard, names)
        frames = (
            self._one_owner(clause, guard, names)
            if clause.owner.variable is None
            else self._any_owner(clause.owner, guard, names)
        )
        return clause.id, frames, body

    def _one_owner(
        self, clause: ir.Clause, guard: Meaning, names: LocalCells
    ) -> Callable[[Frame], list[Frame]]:
        """Return the frames of a clause of one owner: one where *guard* holds, else none."""
        others = "cards" if clause.mode == "chance" else "rules"
        owner = self.expressions.compile(clause.owner.player or ir.Literal(others), names)

        def firings(base: Frame) -> list[Frame]:
            if not guard(base):
                return []
            frame = base.copy()
            frame[OWNER] = owner(base)
            return [] if frame[OWNER] is None else [frame]

        return firings

    def _any_owner(
        self, owner: ir.Owner, guard: Meaning, names: LocalCells
    ) -> Callable[[Frame], list[Frame]]:
        """Return the frames of a ``by any`` clause: one for each player that fits."""
        condition, cell = self.expressions.compile(owner.condition, names), names.free - 1

        def firings(base: Frame) -> list[Frame]:
            frames = []
            for seat in self.expressions.turn_order(base):
                base[cell] = seat
                if condition(base) and guard(base):
                    frame = base.copy()
                    frame[OWNER] = seat
                    frames.append(frame)
            return frames

        return firings

    def _who_has_priority(self, stage: ir.Stage) -> Callable[[Frame], frozenset[int]]:
        if stage.priority is None:
            return lambda _: frozenset()
        names = self.expressions.names(parameter.name for parameter in stage.parameters)
        holder = self.expressions.compile(stage.priority, names)
        if self._is_set(stage.priority, stage):
            return lambda frame: frozenset(
                seat for seat in range(self.scope.players) if holder(frame) >> seat & 1
            )

        def one(frame: Frame) -> frozenset[int]:
            seat = holder(frame)
            return frozenset() if seat is None else frozenset({seat})

        return one

    def _is_set(self, priority: ir.Expr, stage: ir.Stage) -> bool:
        """Tell a set of players from a player; both are numbers in a frame."""
        match priority:
            case ir.SomePlayers():
                return True
            case ir.Variable(name) | ir.Entry(name):
                return isinstance(self.program.variable(name).type, ir.PlayersType)
            case ir.Local(name):
                return any(
                    p.name == name and isinstance(p.type, ir.PlayersType) for p in stage.parameters
                )
            case (
                ir.Literal() | ir.OptionValue() | ir.Amount() | ir.Neighbour() | ir.YesOrNo()
                | ir.EndOf() | ir.AttributeOf()
            ):  # fmt: skip
                return False
            case _:
                assert_never(priority)


def _unfinished(_: Frame) -> None:
    raise RuntimeError("a clause ends without `go` or `game over`")
