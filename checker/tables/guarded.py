"""Guarded games: a table as guards of the rules, so that what it wins can be proved for every size.

In comes a table that was played back, out goes the Program in which its rows bind the player who
enforces something, and what has to hold in it: no goal is ever broken, and nobody is ever stuck.
The scope has no part in that, so what is proved is so for every number of players, the one who
enforces it on the same seat, and for every depth.

Only goals that break at some moment are asked so; an act that is to happen only finitely often
never does. Rows are guards if they ask nothing of the past, and if their clauses surely come to
their end where their guards are true: so a row that applies can be followed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count
from typing import assert_never

from ...models import ir
from ...models.ir.parts import statements, with_locals
from ...properties import formula as f
from ..strategies.objective import Objective
from ..types.strategy import GuardedGame
from .conditions import WHO
from .search import GuardRow


def guarded_game(objective: Objective, rows: tuple[GuardRow, ...]) -> GuardedGame | None:
    """Return the game in which *rows* are guards; None if they cannot be, or if what they win is
    about what eventually comes.
    """
    program = objective.signals.graph.interpreter.program
    if not all(
        goal.kind in ("always", "finitely") and not goal.spotlights for goal in objective.goals
    ):
        return None
    seated = _Seated(program, objective.seats)
    if not all(seated.can_guard(row) for row in rows):
        return None
    stages = tuple(replace(stage, clauses=seated.clauses(stage, rows)) for stage in program.stages)
    never = [seated.of_formula(goal.formula) for goal in objective.goals]
    question = objective.question
    asked = tuple(
        replace(
            question,
            name=f"{question.name}/{number}",
            mode="always",
            spotlights=(),
            body=f.Not(one),
            assuming=(),
            enforced=None,
        )
        for number, one in enumerate([*never, f.Gap()])
    )
    return GuardedGame(
        replace(program, stages=stages, variables=(*program.variables, *seated.variables)), asked
    )


@dataclass
class _Seated:
    """*program* with a variable for the seat of each player spotlight, which never changes."""

    program: ir.Program
    seats: dict[str, int]

    def __post_init__(self) -> None:
        taken = {variable.name for variable in self.program.variables}
        self.names = {
            name: next(new for n in count() if (new := f"seat_{name}_{n}") not in taken)
            for name in self.seats
        }
        self.variables = tuple(
            ir.VariableDeclaration(
                self.names[name], ir.PlayerType(), False, ir.Literal(seat), "", ()
            )
            for name, seat in self.seats.items()
        )
        self.by_id = {clause.id: clause for _, clause in self.program.clauses}

    def can_guard(self, row: GuardRow) -> bool:
        """Whether *row* can be a guard."""
        is_sure = all(map(self._is_sure, statements(self.by_id[row.action.clause].body)))
        return (
            is_sure
            and not row.action.choice
            and all(one.expression is not None for one in row.conditions)
        )

    def _is_sure(self, statement: ir.Statement) -> bool:
        """Whether *statement* makes no move impossible: numbers might leave their range, and a
        sequence beside the turn not go on.
        """
        match statement:
            case ir.Assign(name):
                return not any(
                    one.name == name and isinstance(one.type, ir.NumberType)
                    for one in self.program.variables
                )
            case ir.Put():
                return not any(
                    isinstance(attribute.type, ir.NumberType)
                    for attribute in self.program.attributes
                )
            case ir.Go(stage):
                return not any(
                    isinstance(parameter.type, ir.NumberType)
                    for parameter in self.program.stage(stage).parameters
                )
            case ir.Advance(sequence):
                return sequence == ir.TURN
            case (
                ir.Pass()
                | ir.If()
                | ir.Let()
                | ir.Branch()
                | ir.Leave()
                | ir.Move()
                | ir.BeginResolving()
                | ir.StepTo()
                | ir.GameOver()
            ):
                return True
            case ir.Require() | ir.Choose() | ir.ForEach() | ir.Alter():
                return False
            case _:
                assert_never(statement)

    def clauses(self, stage: ir.Stage, rows: tuple[GuardRow, ...]) -> tuple[ir.Clause, ...]:
        """Return the clauses of *stage*, whose players do what one of *rows* says where any
        applies.
        """
        here = [row for row in rows if row.action.clause in {clause.id for clause in stage.clauses}]
        applies = [(row, self._applies(row)) for row in here]
        if not here:
            return stage.clauses
        return tuple(
            self._bound(clause, applies) if clause.mode == "may" else clause
            for clause in stage.clauses
        )

    def _bound(self, clause: ir.Clause, applies: list[tuple[GuardRow, ir.Expr]]) -> ir.Clause:
        owner = (
            ir.Local(clause.owner.variable)
            if clause.owner.variable is not None
            else clause.owner.player
        )
        assert owner is not None  # a may clause is a player's
        guards = [clause.guard]
        for seat in dict.fromkeys(row.action.seat for row, _ in applies):
            who = self._who(seat)
            said = [(row, condition) for row, condition in applies if row.action.seat == seat]
            none = ir.Not(ir.Any(tuple(condition for _, condition in said)))
            this = [condition for row, condition in said if row.action.clause == clause.id]
            guards.append(ir.Any((ir.Not(ir.Equal(owner, who)), none, *this)))
        return replace(clause, guard=ir.All(tuple(guards)))

    def _applies(self, row: GuardRow) -> ir.Expr:
        """Return that *row* applies: its player may use its clause, and all that it asks is so."""
        clause, who = self.by_id[row.action.clause], self._who(row.action.seat)
        asked = [
            with_locals(one.expression, {WHO: who})
            for one in row.conditions
            if one.expression is not None and not one.negated
        ]
        asked += [
            ir.Not(with_locals(one.expression, {WHO: who}))
            for one in row.conditions
            if one.expression is not None and one.negated
        ]
        if clause.owner.variable is not None:
            its = {clause.owner.variable: who}
            return ir.All(
                (with_locals(clause.owner.condition, its), with_locals(clause.guard, its), *asked)
            )
        assert clause.owner.player is not None
        return ir.All((ir.Equal(clause.owner.player, who), clause.guard, *asked))

    def _who(self, seat: int) -> ir.Expr:
        return ir.Variable(
            next(self.names[name] for name, one in self.seats.items() if one == seat)
        )

    def of_formula(self, formula: f.Formula) -> f.Formula:
        """Return *formula* about the variables in the place of its spotlights."""
        return with_locals(
            formula, {name: ir.Variable(variable) for name, variable in self.names.items()}
        )
